// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The builders' programs against the texts that the original printed of its own, byte by byte.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/conformance_dir.h"
#include "tests/support/debug_text.h"
#include "vyre/builders/flash_attention_2.h"

namespace vyre {
namespace {

void check_recorded(const char* file, const Program& program) {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  const std::string recorded = test::read_file(*dir / "vyre" / "wire" / file);
  const std::string ours = test::debug_text(program);
  const auto first = std::mismatch(ours.begin(), ours.end(), recorded.begin(), recorded.end());
  const auto at = static_cast<size_t>(first.first - ours.begin());
  const size_t from = at < 400 ? 0 : at - 400;
  INFO(file << "\nours:\n"
            << ours.substr(from, 600) << "\nrecorded:\n"
            << recorded.substr(std::min(from, recorded.size()), 600));
  CHECK((ours == recorded));
}

TEST_CASE("flash_attention_2 is the recorded tree") {
  check_recorded("flash_attention_2_8x16_t4.txt",
                 flash_attention_2("q", "k", "v", "out", 8, 16, 4));
  check_recorded("flash_attention_2_130x17_t64.txt",
                 flash_attention_2("q", "k", "v", "out", 130, 17, 64));
}

TEST_CASE("flash_attention_2_reference is the recorded tree") {
  check_recorded("flash_attention_2_reference_8x16.txt",
                 flash_attention_2_reference("q", "k", "v", "out", 8, 16));
}

TEST_CASE("the trap programs are the recorded trees") {
  check_recorded("trap_flash_attention_2_0x16_t4.txt",
                 flash_attention_2("q", "k", "v", "out", 0, 16, 4));
  check_recorded("trap_flash_attention_2_overflow.txt",
                 flash_attention_2("q", "k", "v", "out", 65536, 65536, 64));
  check_recorded("trap_flash_attention_2_reference_0x16.txt",
                 flash_attention_2_reference("q", "k", "v", "out", 0, 16));
}

TEST_CASE("floats print as in the recorded texts") {
  CHECK(test::debug_float(0.0F) == "0.0");
  CHECK(test::debug_float(-0.0F) == "-0.0");
  CHECK(test::debug_float(0.25F) == "0.25");
  CHECK(test::debug_float(0.24253564F) == "0.24253564");
  CHECK(test::debug_float(-80.0F) == "-80.0");
  CHECK(test::debug_float(12.5F) == "12.5");
  CHECK(test::debug_float(1e-7F) == "1e-7");
  CHECK(test::debug_float(1e-4F) == "0.0001");
  CHECK(test::debug_float(1.1754944e-38F) == "1.1754944e-38");
  CHECK(test::debug_float(-3.4028235e38F) == "-3.4028235e38");
  CHECK(test::debug_float(1e15F) == "1000000000000000.0");
  CHECK(test::debug_float(1e16F) == "1e16");
}

}  // namespace
}  // namespace vyre
