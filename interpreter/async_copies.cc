// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/async_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace vyre::interpreter {
namespace {

// What it takes to remember a copy, of no bytes too.
constexpr uint64_t kRecordBytes = 128;

std::string who(const Executing& at) {
  return fmt::format("invocation ({}, {}, {}) of workgroup ({}, {}, {})", at.local_id.x,
                     at.local_id.y, at.local_id.z, at.workgroup.x, at.workgroup.y, at.workgroup.z);
}

}  // namespace

std::string AsyncCopies::where(StmtId stmt) const {
  return fmt::format("{} ({})", resolved_.path(stmt),
                     resolved_.statements[stmt].node->place().to_string());
}

Status AsyncCopies::issue(const Executing& at, uint64_t offset, uint64_t size, Memory& memory) {
  const ResolvedStmt& stmt = resolved_.statements[at.stmt];
  const Key key{at.invocation, stmt.node->tag()};
  if (const auto found = pending_.find(key); found != pending_.end()) {
    return absl::FailedPreconditionError(fmt::format(
        "async-pending: {} starts a copy with the tag `{}` at {}, and the one that it started at "
        "{} is still pending. Fix: wait for that one first, or use another tag.",
        who(at), key.second, where(at.stmt), where(found->second.issued)));
  }
  const bool is_store = stmt.node->kind() == NodeKind::kAsyncStore;
  const uint64_t read_at = is_store ? 0 : offset;
  const uint64_t write_at = is_store ? offset : 0;
  // What would land beyond the destination's end is never written, so it needs no memory.
  const uint64_t capacity = memory.bytes(stmt.destination, at.invocation).size();
  const uint64_t kept = std::min(size, capacity - std::min(capacity, write_at));
  const uint64_t left = max_bytes_ - bytes_;
  if (left < kRecordBytes || kept > left - kRecordBytes) {
    return absl::ResourceExhaustedError(fmt::format(
        "the copy of {} bytes with the tag `{}` at {} takes the pending copies of a workgroup "
        "beyond the {} bytes that the run has left for them. Fix: copy less at a time, or raise "
        "max_memory_bytes.",
        kept, key.second, where(at.stmt), max_bytes_));
  }
  Pending copy{at.stmt, stmt.destination, write_at, std::vector<std::byte>(kept)};
  const std::span<const std::byte> source = memory.bytes(stmt.buffer, at.invocation);
  if (read_at < source.size()) {
    std::ranges::copy(source.subspan(read_at, std::min(kept, source.size() - read_at)),
                      copy.snapshot.begin());
  }
  bytes_ += kept + kRecordBytes;
  pending_.emplace(key, std::move(copy));
  return absl::OkStatus();
}

StatusOr<CopyEnd> AsyncCopies::wait(const Executing& at, Memory& memory) {
  const std::string_view tag = resolved_.statements[at.stmt].node->tag();
  const auto found = pending_.find(Key{at.invocation, tag});
  if (found == pending_.end()) {
    return absl::FailedPreconditionError(fmt::format(
        "async-not-pending: {} waits for the tag `{}` at {}, and has no copy pending with it. Fix: "
        "start the copy before the wait, in the same invocation and segment.",
        who(at), tag, where(at.stmt)));
  }
  const Pending& copy = found->second;
  if (!copy.snapshot.empty()) {
    const std::span<std::byte> destination = memory.bytes(copy.destination, at.invocation);
    std::ranges::copy(copy.snapshot, destination.subspan(copy.write_at).begin());
  }
  const CopyEnd end{copy.issued, copy.write_at, copy.snapshot.size()};
  bytes_ -= copy.snapshot.size() + kRecordBytes;
  pending_.erase(found);
  return end;
}

Status AsyncCopies::check_finished(const Executing& at) const {
  const auto found = pending_.lower_bound(Key{at.invocation, ""});
  if (found == pending_.end() || found->first.first != at.invocation) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "async-unfinished: {} ends while its copy with the tag `{}` is pending, which it started at "
      "{}. Fix: wait for the tag before the invocation returns or its segment ends.",
      who(at), found->first.second, where(found->second.issued)));
}

void AsyncCopies::drop(uint32_t invocation) {
  auto at = pending_.lower_bound(Key{invocation, ""});
  while (at != pending_.end() && at->first.first == invocation) {
    bytes_ -= at->second.snapshot.size() + kRecordBytes;
    at = pending_.erase(at);
  }
}

void AsyncCopies::drop_all() {
  pending_.clear();
  bytes_ = 0;
}

}  // namespace vyre::interpreter
