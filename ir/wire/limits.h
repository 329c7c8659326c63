// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The numbers of VIR0. A count or size above its limit is refused by encode() and decode() alike;
// depth, by encode() alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vyre::wire {

inline constexpr std::string_view kMagic = "VYRE";
inline constexpr uint16_t kOldestVersion = 4;
inline constexpr uint16_t kVersion = 6;  // the one that is written
// The first with linear types, extraction of bytes and shape predicates.
inline constexpr uint16_t kVersionWithBufferTraits = 6;
inline constexpr uint16_t kFlags = 4;
inline constexpr size_t kDigestOffset = 8;
inline constexpr size_t kHeaderBytes = 40;

inline constexpr std::string_view kMetadataRecord = "vyre.program.metadata";
inline constexpr std::string_view kMetadataMarker = "VYRE-META";

inline constexpr size_t kMaxBytes = size_t{64} << 20;
inline constexpr size_t kMaxRecordBytes = size_t{4} << 20;
inline constexpr size_t kMaxTextBytes = size_t{1} << 20;
inline constexpr size_t kMaxOpaqueBytes = size_t{4} << 20;
inline constexpr uint64_t kMaxNodes = 1'000'000;  // of a list; records
inline constexpr uint64_t kMaxBuffers = 16'384;
inline constexpr uint64_t kMaxArguments = 4'096;
inline constexpr uint64_t kMaxRank = 4'096;  // of tensor shapes and device meshes
inline constexpr uint32_t kMaxPredicateDepth = 32;
// Shapes and hints of a memory region.
inline constexpr uint64_t kMaxRegionPartBytes = 64;
// What the original's decoder reads, counted as it does: a statement of a record has depth 1; a
// nested statement, expression or data type has one more than what it stands in.
inline constexpr uint32_t kMaxDepth = 64;

inline constexpr uint32_t kExtensionBit = 0x80000000;

// Tags of expressions that stand for a whole group of operations, and of what extensions define.
inline constexpr uint8_t kBinOpTag = 9;
inline constexpr uint8_t kUnOpTag = 10;
inline constexpr uint8_t kAtomicTag = 14;
inline constexpr uint8_t kReduceTag = 17;
inline constexpr uint8_t kOpaqueTag = 0x80;

}  // namespace vyre::wire
