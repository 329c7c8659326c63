// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/checks/race_shadow.h"

namespace vyre::interpreter {

RaceShadow::RaceShadow(uint64_t bytes, uint32_t stride, bool shared, bool atomics)
    : cell_bytes_(stride), shared_(shared) {
  const uint64_t cells = bytes / stride + (bytes % stride != 0 ? 1 : 0);
  writes_.resize(cells);
  for (Pair* pair : {&reads_, &atomics_}) {
    if (pair == &atomics_ && !atomics) continue;
    pair->first.resize(cells);
    pair->second.resize(cells);
  }
}

uint64_t RaceShadow::bytes_for(uint64_t bytes, uint32_t stride, bool atomics) {
  return (bytes / stride + 1) * sizeof(AccessRecord) * (atomics ? 5 : 3);
}

void RaceShadow::split_into_bytes() {
  if (cell_bytes_ == 1) return;
  for (std::vector<AccessRecord>* records :
       {&writes_, &reads_.first, &reads_.second, &atomics_.first, &atomics_.second}) {
    std::vector<AccessRecord> all;
    all.reserve(records->size() * cell_bytes_);
    for (const AccessRecord& record : *records) all.insert(all.end(), cell_bytes_, record);
    *records = std::move(all);
  }
  cell_bytes_ = 1;
}

}  // namespace vyre::interpreter
