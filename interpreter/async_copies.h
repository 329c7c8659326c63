// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The asynchronous copies of a workgroup: each invocation has some pending, told apart by tags. A
// copy reads its source when it is issued and writes its destination when it is waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vyre/interpreter/memory.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/status.h"

namespace vyre::interpreter {

// The invocation that executes a statement.
struct Executing {
  StmtId stmt = kNoId;
  uint32_t invocation = 0;  // linear
  Dim3 local_id{0, 0, 0};
  Dim3 workgroup{0, 0, 0};
};

// What a copy that ended has written.
struct CopyEnd {
  StmtId issued = kNoId;
  uint64_t begin = 0;  // bytes of the destination
  uint64_t size = 0;
};

class AsyncCopies {
 public:
  // All pending copies together may hold max_bytes.
  AsyncCopies(const Resolved& resolved, uint64_t max_bytes)
      : resolved_(resolved), max_bytes_(max_bytes) {}

  // Starts the copy of an async_load or async_store. Errors: the tag is pending already
  // (FailedPrecondition), the copy needs more memory than the run has left (ResourceExhausted).
  Status issue(const Executing& at, uint64_t offset, uint64_t size, Memory& memory);
  // Ends the copy with the statement's tag. Error: none is pending (FailedPrecondition).
  StatusOr<CopyEnd> wait(const Executing& at, Memory& memory);
  // Error: copies of the invocation are pending (FailedPrecondition).
  Status check_finished(const Executing& at) const;
  // Nothing is written for copies that are dropped.
  void drop(uint32_t invocation);
  void drop_all();

 private:
  struct Pending {
    StmtId issued = kNoId;
    uint32_t destination = kNoId;
    uint64_t write_at = 0;
    std::vector<std::byte> snapshot;
  };
  using Key = std::pair<uint32_t, std::string_view>;  // invocation, tag

  std::string where(StmtId stmt) const;

  const Resolved& resolved_;
  uint64_t max_bytes_;
  uint64_t bytes_ = 0;
  std::map<Key, Pending> pending_;
};

}  // namespace vyre::interpreter
