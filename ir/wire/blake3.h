// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// BLAKE3 without a key: 256 bits over bytes of any length. VIR0 files carry it.
//
//   to_hex(blake3(bytes));   // as `b3sum` prints it
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vyre::wire {

using Blake3Digest = std::array<uint8_t, 32>;

// Time is linear in the length; memory is constant.
Blake3Digest blake3(std::string_view bytes);

// 64 lowercase hexadecimal digits.
std::string to_hex(const Blake3Digest& digest);

}  // namespace vyre::wire
