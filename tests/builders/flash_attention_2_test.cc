// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/flash_attention_2.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <random>

#include "vyre/builders/planner.h"
#include "vyre/builders/trap.h"

namespace vyre {
namespace {

Program tiled(uint32_t seq_len, uint32_t head_dim, uint32_t tile_size) {
  return flash_attention_2("q", "k", "v", "out", seq_len, head_dim, tile_size);
}
Program reference(uint32_t seq_len, uint32_t head_dim) {
  return flash_attention_2_reference("q", "k", "v", "out", seq_len, head_dim);
}

// The f32 literal that the dot product is multiplied by, as bits.
uint32_t scale_bits(const Program& program) {
  std::vector<Node> stack(program.entry().begin(), program.entry().end());
  while (!stack.empty()) {
    const Node node = stack.back();
    stack.pop_back();
    if (node.kind() == NodeKind::kLet && node.name() == "raw_score") {
      return static_cast<uint32_t>(node.operand(0).operand(1).bits());
    }
    for (const std::vector<Node>& body : node.bodies()) {
      stack.insert(stack.end(), body.begin(), body.end());
    }
  }
  return 0;
}

TEST_CASE("the programs of 8 rows of 16 have not drifted") {
  // Both trees equal the recorded ones (recorded_text_test.cc); these are their hashes.
  CHECK(tiled(8, 16, 4).hash().to_hex() ==
        "89b34a62e3e3a8b03c54b94a4089f00c3ee6e9028b7621e9177302a6d873955e");
  CHECK(reference(8, 16).hash().to_hex() ==
        "d616f3b8552f1c8053b935c8f8c0f98ad695a9f2caade86883924f621e2ad1e8");
}

TEST_CASE("an invocation is a row: the extent is the number of rows") {
  CHECK(tiled(130, 17, 64).extent() == Dim3{130, 1, 1});
  CHECK(reference(130, 17).extent() == Dim3{130, 1, 1});
  CHECK(tiled(130, 17, 64).workgroup_size() == Dim3{64, 1, 1});
  CHECK(reference(130, 17).workgroup_size() == Dim3{1, 1, 1});
}

TEST_CASE("buffers have the caller's names and bindings 0 to 3") {
  const Program p = flash_attention_2("a", "b", "c", "d", 5, 7, 3);
  const std::vector<BufferDecl> expected{BufferDecl::read("a", 0, DataType::F32).with_count(35),
                                         BufferDecl::read("b", 1, DataType::F32).with_count(35),
                                         BufferDecl::read("c", 2, DataType::F32).with_count(35),
                                         BufferDecl::workgroup("q_scratch", 448, DataType::F32),
                                         BufferDecl::workgroup("score_tile", 192, DataType::F32),
                                         BufferDecl::workgroup("o_acc", 448, DataType::F32),
                                         BufferDecl::output("d", 3, DataType::F32).with_count(35)};
  CHECK(p.buffers() == expected);
  const Program r = flash_attention_2_reference("a", "b", "c", "d", 5, 7);
  REQUIRE(r.buffers().size() == 5);
  CHECK(r.buffers()[3] == BufferDecl::workgroup("o_ref", 35, DataType::F32));
  CHECK(r.buffers()[4] == expected.back());
}

TEST_CASE("the scale is 1 / sqrt(head_dim) with each step rounded once") {
  CHECK(scale_bits(reference(1, 1)) == 0x3F800000);
  CHECK(scale_bits(reference(1, 16)) == 0x3E800000);
  CHECK(scale_bits(reference(1, 17)) == std::bit_cast<uint32_t>(0.24253564F));
  CHECK(scale_bits(tiled(1, 17, 1)) == std::bit_cast<uint32_t>(0.24253564F));
  CHECK(scale_bits(reference(1, 128)) == 0x3DB504F3);
  CHECK(scale_bits(reference(1, 4294967295)) == 0x37800000);  // 2^-16
}

TEST_CASE("the caller's rounding mode does not reach the program") {
  const Program nearest = reference(8, 17);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    REQUIRE(std::fesetround(mode) == 0);
    const Program other = reference(8, 17);
    CHECK(std::fegetround() == mode);
    std::fesetround(FE_TONEAREST);
    CHECK(other == nearest);
  }
}

TEST_CASE("any dimensions give a program or a trap that says what to fix") {
  const uint32_t seed = 20240607;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const std::vector<uint32_t> edges{0,        1,        2,          64,         65535,     65536,
                                    67108863, 67108864, 2147483648, 4294967294, 4294967295};
  const auto dimension = [&] {
    return random() % 2 == 0 ? edges[random() % edges.size()]
                             : static_cast<uint32_t>(random() >> random() % 32);
  };
  for (int i = 0; i < 2000; ++i) {
    const uint32_t seq_len = dimension();
    const uint32_t head_dim = dimension();
    const uint32_t tile_size = dimension();
    INFO(seq_len << " " << head_dim << " " << tile_size);
    for (const Program& p : {tiled(seq_len, head_dim, tile_size), reference(seq_len, head_dim)}) {
      const std::optional<std::string> message = trap_program_message(p);
      if (message) {
        CHECK(message->starts_with("Fix: flash_attention_2"));
        continue;
      }
      CHECK(p.extent() == Dim3{seq_len, 1, 1});
      CHECK(p.buffers()[0].count() == seq_len * head_dim);
      CHECK(uint64_t{seq_len} * head_dim <= 0xFFFFFFFF);
    }
  }
}

}  // namespace
}  // namespace vyre
