// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The rules of VIR0 that bytes or programs can break, by their codes in diagnostics.def, and what
// to do about bytes that break them.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "vyre/ir/diagnostic.h"

namespace vyre::wire {

struct Rule {
  std::string_view code;
  std::string_view fix;
};

inline constexpr std::string_view kWriteAgain =
    "Have its producer write the file again: it was damaged or is not the work of an encoder.";

inline constexpr Rule kIsVir0{"W001", "Pass a file that encode() or the original wrote."};
inline constexpr Rule kVersionIsKnown{"W002", "Write the program as revision 4, 5 or 6."};
inline constexpr Rule kFlagsAreKnown{
    "W003", "Write the program without compression and without a seal (flags 4)."};
inline constexpr Rule kDigestMatches{"W004", kWriteAgain};
inline constexpr Rule kLimitIsKept{"W005", "Split the program into smaller ones."};
inline constexpr Rule kIsComplete{"W006", "Copy the file again: its end is missing or damaged."};
inline constexpr Rule kNothingFollows{"W007", "Drop the bytes behind the end."};
inline constexpr Rule kNumberIsMinimal{"W008", "Write the number as minimal LEB128 of 64 bits."};
inline constexpr Rule kTextIsUtf8{"W009", "Write all names and texts as UTF-8."};
inline constexpr Rule kBooleanIsBit{"W010", "Write 0 or 1."};
inline constexpr Rule kTagIsKnown{"W011", "Use a tag that docs/wire.md lists."};
inline constexpr Rule kExtensionHasBit{"W012", "Set bit 31 of the extension's id."};
inline constexpr Rule kRecordIsNamed{"W013", "Name the record after the statement in it."};
inline constexpr Rule kOperandsAreEmpty{"W014", "Write an operand count of 0."};
inline constexpr Rule kMetadataIsMarked{"W015", "Start the metadata with VYRE-META."};
inline constexpr Rule kWorkgroupIsPositive{"W016", "Make each size of the workgroup at least 1."};
inline constexpr Rule kCountIsPositive{"W017", "Give the buffer a count of at least 1."};
inline constexpr Rule kRangeFits{
    "W018", "Make the range start at or before its end, and end within the buffer."};
inline constexpr Rule kRegionsAgree{"W019", "Write the same buffers in both places."};
inline constexpr Rule kElementIsDense{"W020", "Use a scalar, array, handle or quantised type."};
inline constexpr Rule kPredicateIsShallow{"W021", "Write the predicate with at most 32 levels."};
inline constexpr Rule kOutputsAgree{
    "W022", "List the buffers that can be written, each once, in their order."};
inline constexpr Rule kTypeIsWhole{
    "W023", "Use a constructor of DataType that gives this type what it needs."};
inline constexpr Rule kOpIsCarried{"W024", "Replace the operation, or keep the program as text."};
inline constexpr Rule kDepthIsKept{
    "W025", "Bind parts of deep expressions with let, and flatten nested statements."};

inline Diagnostic broken(const Rule& rule, std::string path, std::string cause) {
  Diagnostic diagnostic;
  diagnostic.code = rule.code;
  diagnostic.path = std::move(path);
  diagnostic.cause = std::move(cause);
  diagnostic.fix = rule.fix;
  return diagnostic;
}

}  // namespace vyre::wire
