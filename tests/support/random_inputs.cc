// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <bit>
#include <cstring>

#include "tests/support/edge_values.h"
#include "tests/support/random_program.h"

namespace vyre::test {
namespace {

// 0, -0 or the least integer, the ends of the range, and for floats what stands around the smallest
// and the largest numbers, infinities and NaNs with several payloads.
std::vector<uint64_t> element_edges(DataType::Kind type) {
  switch (type) {
    case DataType::Bool:
      // A bool is whether its word is not zero.
      return {0, 0, 0, 1, 1, 2, 0x100, 0x80000000, 0xFFFFFFFF};
    case DataType::U8:
    case DataType::I8:
      return {0, 1, 2, 7, 0x7F, 0x80, 0x81, 0xFE, 0xFF};
    case DataType::U16:
    case DataType::I16:
      return {0, 1, 2, 31, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF};
    case DataType::F16:
      return {0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3800, 0x3C00, 0xBC00,
              0x4100, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF};
    case DataType::BF16:
      return {0x0000, 0x8000, 0x0001, 0x807F, 0x0080, 0x3F00, 0x3F80, 0xBF80,
              0x4020, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0x7F81, 0xFFFF};
    case DataType::F8E4M3:
      return {0x00, 0x80, 0x01, 0x87, 0x08, 0x38, 0xB8, 0x3C, 0x7E, 0xFE, 0x7F, 0xFF};
    case DataType::F8E5M2:
      return {0x00, 0x80, 0x01, 0x83, 0x04, 0x3C, 0xBC, 0x7B, 0xFB, 0x7C, 0xFC, 0x7D, 0x7E, 0xFF};
    default:
      return edge_values(type);
  }
}

// A number that arithmetic does not leave at once for infinity or NaN.
uint64_t ordinary(DataType::Kind type, Random& random) {
  const uint32_t small = random.below(100);
  switch (type) {
    case DataType::F32:
      return std::bit_cast<uint32_t>(static_cast<float>(small) * 0.125F - 6.0F);
    case DataType::F64:
      return std::bit_cast<uint64_t>(static_cast<double>(small) * 0.125 - 6.0);
    case DataType::F16:
      return 0x3400 + small * 0x20;
    case DataType::BF16:
      return 0x3F00 + small * 2;
    default:
      return small;
  }
}

uint64_t element_bits(DataType::Kind type, Random& random) {
  const uint32_t roll = random.below(100);
  if (roll < 10) {
    // -0 or the least integer; for a bool another word that is not zero.
    return uint64_t{random.below(2)} << 7 << (8 * (DataType(type).stride_bytes() - 1));
  }
  if (roll < 45) return random.pick(element_edges(type));
  if (roll < 80) return ordinary(type, random);
  return type == DataType::Bool ? random.below(2) : random.next();
}

size_t byte_length(const BufferDecl& decl, Random& random) {
  const size_t width = decl.element().stride_bytes();
  if (!decl.count()) return decl.is_input() ? width * random.below(25) : 0;
  const size_t declared = static_cast<size_t>(decl.static_byte_length().value_or(0));
  const bool supplied_only = decl.is_input() && !decl.is_returned();
  if (!supplied_only || !random.percent(20)) return declared;
  // A last element that is not whole does not count.
  return declared + width * random.below(3) + (width > 1 ? random.below(2) : 0);
}

}  // namespace

std::vector<std::vector<std::byte>> random_inputs(const Program& program, uint64_t seed) {
  Random random(seed ^ 0x5EED);
  std::vector<std::vector<std::byte>> inputs;
  for (const BufferDecl& decl : program.buffers()) {
    std::vector<std::byte>& bytes = inputs.emplace_back();
    if (!decl.is_bound()) continue;
    bytes.resize(byte_length(decl, random));
    if (!decl.is_input()) continue;
    const size_t width = decl.element().stride_bytes();
    for (size_t at = 0; at + width <= bytes.size(); at += width) {
      const uint64_t bits = element_bits(decl.element().kind(), random);
      std::memcpy(bytes.data() + at, &bits, width);
    }
  }
  return inputs;
}

}  // namespace vyre::test
