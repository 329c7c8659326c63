// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Work on a long range of inputs, in blocks on several threads, with a line on stderr every few
// seconds that says how far it is.
//
//   Tally tally = bench::run_blocks<Tally>(range, threads, "exp", [&](bench::Range block) {
//     return check(block.first, block.last);  // called from any thread, its tallies are added
//   });
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace vyre::bench {

// first up to, without, last.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  std::uint64_t size() const { return last - first; }
};

class Progress {
 public:
  Progress(std::string label, std::uint64_t total);

  // Says what share is done, the rate and the time left, unless it just did.
  void add(std::uint64_t inputs);
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point said_ = start_;
};

// The sum, by Tally::add(), of what `work` returns for the blocks of `range`.
template <typename Tally, typename Work>
Tally run_blocks(Range range, unsigned threads, const std::string& label, Work work) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 16;
  std::mutex mutex;
  Range left = range;
  Tally total;
  Progress progress(label, range.size());
  const auto next = [&]() -> Range {
    const std::lock_guard lock(mutex);
    const Range block{left.first, left.first + std::min(kBlock, left.size())};
    left.first = block.last;
    return block;
  };
  const auto run = [&] {
    for (Range block = next(); block.size() != 0; block = next()) {
      Tally tally = work(block);
      const std::lock_guard lock(mutex);
      total.add(std::move(tally));
      progress.add(block.size());
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(run);
  run();
  for (std::thread& thread : others) thread.join();
  total.seconds = progress.seconds();
  return total;
}

}  // namespace vyre::bench
