// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/diff/alignment.h"

#include <algorithm>
#include <optional>

namespace vyre::tools {
namespace {

using Sequence = std::span<const uint32_t>;

// A stretch of each sequence that is still to be aligned.
struct Stretch {
  size_t left_begin;
  size_t left_end;
  size_t right_begin;
  size_t right_end;
};

// Myers' greedy search: after round d, furthest[k] is how far in `left` a path with d differences
// can come on diagonal k, which is where the position in `left` is k ahead of that in `right`.
class ShortestEdit {
 public:
  ShortestEdit(Sequence left, Sequence right, uint64_t& work)
      : left_(left), right_(right), work_(work) {}

  // The runs of the path with the fewest differences; none if it has more than `most`, or if work
  // has run out.
  std::optional<std::vector<EqualRun>> find(uint32_t most) {
    const auto rounds = static_cast<int64_t>(std::min<size_t>(most, left_.size() + right_.size()));
    for (int64_t d = 0; d <= rounds; ++d) {
      if (advance(d)) return backtrack(d);
      if (work_ == 0) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  static constexpr int64_t kUnreached = -1;

  int64_t reached(int64_t d, int64_t k) const {
    if (d < 0 || k < -d || k > d) return kUnreached;
    return rounds_[static_cast<size_t>(d)][static_cast<size_t>(k + d)];
  }

  // Where a path arrives on diagonal k with its d-th difference, and from which diagonal.
  struct Step {
    int64_t x = kUnreached;
    int64_t from = 0;
  };
  Step step(int64_t d, int64_t k) const {
    if (d == 0) return {0, 0};
    Step best;
    const int64_t inserted = reached(d - 1, k + 1);
    if (inserted != kUnreached && inserted - k <= std::ssize(right_)) best = {inserted, k + 1};
    const int64_t deleted = reached(d - 1, k - 1);
    if (deleted != kUnreached && deleted < std::ssize(left_) && deleted + 1 > best.x) {
      best = {deleted + 1, k - 1};
    }
    return best;
  }

  // Whether the ends are reached.
  bool advance(int64_t d) {
    rounds_.emplace_back(static_cast<size_t>(2 * d + 1), kUnreached);
    for (int64_t k = -d; k <= d; k += 2) {
      int64_t x = step(d, k).x;
      spend(1);
      if (x == kUnreached) continue;
      while (x < std::ssize(left_) && x - k < std::ssize(right_) &&
             left_[static_cast<size_t>(x)] == right_[static_cast<size_t>(x - k)]) {
        ++x;
        spend(1);
      }
      rounds_.back()[static_cast<size_t>(k + d)] = x;
      if (x == std::ssize(left_) && x - k == std::ssize(right_)) return true;
    }
    return false;
  }

  std::vector<EqualRun> backtrack(int64_t d) const {
    std::vector<EqualRun> runs;
    int64_t k = std::ssize(left_) - std::ssize(right_);
    for (; d >= 0; --d) {
      const Step arrived = step(d, k);
      const int64_t length = reached(d, k) - arrived.x;
      if (length > 0) {
        runs.push_back({static_cast<size_t>(arrived.x), static_cast<size_t>(arrived.x - k),
                        static_cast<size_t>(length)});
      }
      k = arrived.from;
    }
    std::ranges::reverse(runs);
    return runs;
  }

  void spend(uint64_t amount) { work_ -= std::min(work_, amount); }

  Sequence left_;
  Sequence right_;
  uint64_t& work_;
  std::vector<std::vector<int64_t>> rounds_;
};

struct Pair {
  size_t left;
  size_t right;
};

// The elements that each sequence has exactly once, in the order of `left`.
std::vector<Pair> unique_pairs(Sequence left, Sequence right) {
  const auto unique = [](Sequence sequence) {
    std::vector<std::pair<uint32_t, size_t>> sorted;
    for (size_t i = 0; i < sequence.size(); ++i) sorted.emplace_back(sequence[i], i);
    std::ranges::sort(sorted);
    std::vector<std::pair<uint32_t, size_t>> once;
    for (size_t i = 0; i < sorted.size(); ++i) {
      const bool like_previous = i > 0 && sorted[i - 1].first == sorted[i].first;
      const bool like_next = i + 1 < sorted.size() && sorted[i + 1].first == sorted[i].first;
      if (!like_previous && !like_next) once.push_back(sorted[i]);
    }
    return once;
  };
  const auto in_left = unique(left);
  const auto in_right = unique(right);
  std::vector<Pair> pairs;
  for (size_t i = 0, k = 0; i < in_left.size() && k < in_right.size();) {
    if (in_left[i].first == in_right[k].first) {
      pairs.push_back({in_left[i++].second, in_right[k++].second});
    } else if (in_left[i].first < in_right[k].first) {
      ++i;
    } else {
      ++k;
    }
  }
  std::ranges::sort(pairs, {}, &Pair::left);
  return pairs;
}

// The longest part of the pairs that ascends in `right` too.
std::vector<Pair> longest_ascending(const std::vector<Pair>& pairs) {
  std::vector<size_t> piles;  // the pair with the least `right` that ends such a part, by length
  std::vector<size_t> previous(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto pile = std::ranges::lower_bound(piles, pairs[i].right, {},
                                               [&pairs](size_t p) { return pairs[p].right; });
    previous[i] = pile == piles.begin() ? i : *std::prev(pile);
    if (pile == piles.end()) {
      piles.push_back(i);
    } else {
      *pile = i;
    }
  }
  std::vector<Pair> result;
  if (piles.empty()) return result;
  size_t i = piles.back();
  for (size_t left = piles.size(); left > 0; --left) {
    result.push_back(pairs[i]);
    i = previous[i];
  }
  std::ranges::reverse(result);
  return result;
}

class Aligner {
 public:
  Aligner(Sequence left, Sequence right, const AlignmentLimits& limits)
      : left_(left), right_(right), work_(limits.work), edits_(limits.edits) {}

  std::vector<EqualRun> align() && {
    stack_.push_back({0, left_.size(), 0, right_.size()});
    while (!stack_.empty()) {
      Stretch stretch = stack_.back();
      stack_.pop_back();
      align_stretch(stretch);
    }
    return std::move(runs_);
  }

 private:
  void add(EqualRun run) {
    if (run.length == 0) return;
    if (!runs_.empty()) {
      EqualRun& last = runs_.back();
      if (last.left + last.length == run.left && last.right + last.length == run.right) {
        last.length += run.length;
        return;
      }
    }
    runs_.push_back(run);
  }

  // What is equal at both ends first: most programs that one compares differ in one place.
  void align_stretch(Stretch s) {
    const size_t shorter = std::min(s.left_end - s.left_begin, s.right_end - s.right_begin);
    size_t front = 0;
    while (front < shorter && left_[s.left_begin + front] == right_[s.right_begin + front]) ++front;
    add({s.left_begin, s.right_begin, front});
    s.left_begin += front;
    s.right_begin += front;
    size_t back = 0;
    while (back < shorter - front &&
           left_[s.left_end - 1 - back] == right_[s.right_end - 1 - back]) {
      ++back;
    }
    s.left_end -= back;
    s.right_end -= back;
    if (s.left_begin != s.left_end && s.right_begin != s.right_end) {
      if (back > 0) {
        stack_.push_back({s.left_end, s.left_end + back, s.right_end, s.right_end + back});
      }
      align_middle(s);
      return;
    }
    add({s.left_end, s.right_end, back});
  }

  void align_middle(const Stretch& s) {
    const Sequence left = left_.subspan(s.left_begin, s.left_end - s.left_begin);
    const Sequence right = right_.subspan(s.right_begin, s.right_end - s.right_begin);
    if (work_ == 0) return;
    if (const auto runs = ShortestEdit(left, right, work_).find(edits_)) {
      for (const EqualRun& run : *runs) {
        add({s.left_begin + run.left, s.right_begin + run.right, run.length});
      }
      return;
    }
    if (work_ == 0) return;
    work_ -= std::min<uint64_t>(work_, left.size() + right.size());
    const std::vector<Pair> anchors = longest_ascending(unique_pairs(left, right));
    if (anchors.empty()) return;
    // The last stretch goes on the stack first.
    Stretch rest = s;
    for (size_t i = anchors.size(); i-- > 0;) {
      const size_t left_at = s.left_begin + anchors[i].left;
      const size_t right_at = s.right_begin + anchors[i].right;
      stack_.push_back({left_at, rest.left_end, right_at, rest.right_end});
      rest.left_end = left_at;
      rest.right_end = right_at;
    }
    stack_.push_back(rest);
  }

  Sequence left_;
  Sequence right_;
  uint64_t work_;
  uint32_t edits_;
  std::vector<Stretch> stack_;
  std::vector<EqualRun> runs_;
};

}  // namespace

std::vector<EqualRun> align(std::span<const uint32_t> left, std::span<const uint32_t> right,
                            const AlignmentLimits& limits) {
  return Aligner(left, right, limits).align();
}

}  // namespace vyre::tools
