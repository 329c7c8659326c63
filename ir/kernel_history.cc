// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/kernel_history.h"

#include <algorithm>
#include <utility>

namespace vyre::internal {

uint32_t History::add(Slot slot) {
  const auto index = static_cast<uint32_t>(slots_.size());
  slot.last_write.slot = index;
  slots_.push_back(std::move(slot));
  return index;
}

void History::end(uint32_t slot, Slot::End reason, const Place& place) {
  if (slots_[slot].end != Slot::kLive) return;
  slots_[slot].end = reason;
  slots_[slot].end_place = place;
}

void History::write(uint32_t slot, const Place& place, WriteCause cause) {
  ++now_;
  set_last_write({slot, now_, place, cause});
}

void History::set_last_write(const Write& write) {
  trail_.push_back(slots_[write.slot].last_write);
  slots_[write.slot].last_write = write;
}

std::optional<StaleUse> History::use(const Reference& read, const Place& place) {
  const Slot& slot = slots_[read.slot];
  if (!slot.changes) return std::nullopt;
  if (slot.last_write.time > read.time) {
    return StaleUse{read, slot.last_write, place, false, Place()};
  }
  // The outermost loop that began after the read repeats the use without repeating the read.
  const auto loop = std::ranges::upper_bound(loops_, read.time, {}, &Loop::begin);
  if (loop != loops_.end()) loop->uses.try_emplace(read.slot, PendingUse{read, place});
  return std::nullopt;
}

std::vector<Write> History::take_back(size_t mark) {
  std::vector<Write> writes;
  while (trail_.size() > mark) {
    const uint32_t slot = trail_.back().slot;
    // Going back in time: the first one met of each slot is its last.
    writes.push_back(std::exchange(slots_[slot].last_write, std::move(trail_.back())));
    trail_.pop_back();
  }
  return writes;
}

void History::put_back(const std::vector<Write>& writes) {
  for (const Write& write : writes) {
    if (write.time > slots_[write.slot].last_write.time) set_last_write(write);
  }
}

void History::begin_loop(const Place& place) {
  ++now_;
  loops_.push_back({now_, place, {}});
}

std::vector<StaleUse> History::end_loop() {
  const Loop loop = std::move(loops_.back());
  loops_.pop_back();
  std::vector<StaleUse> stale;
  for (const auto& [slot, pending] : loop.uses) {
    const Write& write = slots_[slot].last_write;
    if (write.time > loop.begin) {
      stale.push_back({pending.read, write, pending.use, true, loop.place});
    }
  }
  return stale;
}

namespace {

// Whether every slot of b is in a with a read that is as old.
bool covers(const References& a, const References& b) {
  auto at = a.begin();
  for (const Reference& reference : b) {
    while (at != a.end() && at->slot < reference.slot) ++at;
    if (at == a.end() || at->slot != reference.slot || at->time > reference.time) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const References> merge(const std::shared_ptr<const References>& a,
                                        const std::shared_ptr<const References>& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  // Long chains over few names would otherwise copy the list at each step.
  if (covers(*a, *b)) return a;
  if (covers(*b, *a)) return b;
  auto merged = std::make_shared<References>();
  merged->reserve(a->size() + b->size());
  auto left = a->begin();
  auto right = b->begin();
  while (left != a->end() || right != b->end()) {
    if (right == b->end() || (left != a->end() && left->slot < right->slot)) {
      merged->push_back(*left++);
    } else if (left == a->end() || right->slot < left->slot) {
      merged->push_back(*right++);
    } else {
      merged->push_back(left->time <= right->time ? *left : *right);
      ++left;
      ++right;
    }
  }
  return merged;
}

}  // namespace vyre::internal
