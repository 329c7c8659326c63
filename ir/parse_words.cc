// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse_words.h"

namespace vyre::internal {
namespace {

// Reads the spelling of one of the values first..last.
template <typename Enum>
std::optional<Enum> read_value(TextReader& reader, std::string_view what, Enum first, Enum last,
                               const char* fix = "") {
  std::vector<std::string_view> words;
  const auto low = static_cast<size_t>(first);
  for (size_t i = low; i <= static_cast<size_t>(last); ++i) {
    words.emplace_back(spelling(static_cast<Enum>(i)));
  }
  const std::optional<size_t> which = reader.one_of(what, words, fix);
  return which ? std::optional(static_cast<Enum>(low + *which)) : std::nullopt;
}

}  // namespace

std::optional<MemoryOrdering> read_ordering(TextReader& reader) {
  return read_value(reader, "a memory ordering", MemoryOrdering::kRelaxed,
                    MemoryOrdering::kGridSync,
                    "write seq_cst, or another ordering of docs/text.md.");
}
std::optional<CollectiveOp> read_collective_op(TextReader& reader) {
  return read_value(reader, "what a collective combines with", CollectiveOp::kSum,
                    CollectiveOp::kBitXor);
}
std::optional<MemoryKind> read_memory_kind(TextReader& reader) {
  return read_value(reader, "a kind of memory", MemoryKind::kGlobal, MemoryKind::kPersistent);
}
std::optional<LinearType> read_linear_type(TextReader& reader) {
  return read_value(reader, "a linear type", LinearType::kLinear, LinearType::kRelevant);
}

std::optional<BufferAccess> read_access(TextReader& reader) {
  return read_value(reader, "an access", BufferAccess::kReadOnly, BufferAccess::kWriteOnly);
}

bool is_access(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(BufferAccess::kWriteOnly); ++i) {
    if (word == spelling(static_cast<BufferAccess>(i))) return true;
  }
  return false;
}

}  // namespace vyre::internal
