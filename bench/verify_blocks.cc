// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/verify_blocks.h"

#include <cstdio>

namespace vyre::bench {

Progress::Progress(std::string label, std::uint64_t total)
    : label_(std::move(label)), total_(total) {}

void Progress::add(std::uint64_t inputs) {
  done_ += inputs;
  const auto now = Clock::now();
  if (now - said_ < std::chrono::seconds(10)) return;
  said_ = now;
  const double rate = static_cast<double>(done_) / seconds();
  const auto left = static_cast<unsigned>(static_cast<double>(total_ - done_) / rate);
  std::fprintf(stderr, "%s: %.1f%% done, %.1f million inputs/s, %u:%02u left\n", label_.c_str(),
               100.0 * static_cast<double>(done_) / static_cast<double>(total_), rate / 1e6,
               left / 60, left % 60);
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

}  // namespace vyre::bench
