// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/race_shadow.h"

namespace vyre::interpreter {

RaceShadow::RaceShadow(uint64_t bytes, uint32_t stride, bool shared, bool atomics)
    : cells_(bytes / stride + (bytes % stride != 0 ? 1 : 0)), cell_bytes_(stride), shared_(shared) {
  if (atomics) atomics_.resize(cells_.size());
}

uint64_t RaceShadow::bytes_for(uint64_t bytes, uint32_t stride, bool atomics) {
  return (bytes / stride + 1) * (sizeof(Cell) + (atomics ? sizeof(Pair) : 0));
}

void RaceShadow::split_into_bytes() {
  if (cell_bytes_ == 1) return;
  const auto split = [this](auto& old) {
    std::remove_reference_t<decltype(old)> all;
    all.reserve(old.size() * cell_bytes_);
    for (const auto& cell : old) all.insert(all.end(), cell_bytes_, cell);
    old = std::move(all);
  };
  split(cells_);
  split(atomics_);
  cell_bytes_ = 1;
}

}  // namespace vyre::interpreter
