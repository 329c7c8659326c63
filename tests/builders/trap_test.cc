// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/trap.h"

#include <catch2/catch.hpp>
#include <map>

#include "tests/support/conformance_dir.h"
#include "tests/support/debug_text.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/ir/region.h"

namespace vyre {
namespace {

TEST_CASE("a trap program has one output element and traps with the message") {
  const Program p = invalid_builder_trap_program("op", "y", DataType::U32, "Fix: this");
  REQUIRE(p.buffers().size() == 1);
  CHECK(p.buffers()[0] == BufferDecl::output("y", 0, DataType::U32).with_count(1));
  CHECK(p.workgroup_size() == Dim3{1, 1, 1});
  CHECK(p.extent() == Dim3{1, 1, 1});
  REQUIRE(p.entry().size() == 1);
  CHECK(p.entry()[0] == Node::region("op", std::nullopt, {Node::trap(Expr::u32(0), "Fix: this")}));
  CHECK(is_trap_program(p));
  CHECK(trap_program_message(p) == "Fix: this");
}

TEST_CASE("a trap program is found inside further regions and blocks") {
  const Program p = invalid_builder_trap_program("op", "y", DataType::F32, "m");
  CHECK(trap_program_message(tag_program("outer", p)) == "m");
  Node nested = Node::trap(0U, "deep");
  for (int i = 0; i < 100'000; ++i) nested = Node::block(nested);
  CHECK(trap_program_message(Program::wrapped({}, {}, nested)) == "deep");
}

TEST_CASE("a program that may do something else is not a trap program") {
  const Node trap = Node::trap(0U, "m");
  CHECK_FALSE(is_trap_program(Program::empty()));
  CHECK_FALSE(is_trap_program(Program::from_raw_parts({}, {}, {})));
  CHECK_FALSE(is_trap_program(Program::wrapped({}, {}, {Node::store("y", 0U, 1U), trap})));
  CHECK_FALSE(is_trap_program(Program::wrapped({}, {}, Node::if_then(Expr::bool_(true), trap))));
  CHECK_FALSE(is_trap_program(Program::wrapped({}, {}, Node::loop_for("i", 0U, 1U, trap))));
  CHECK_FALSE(is_trap_program(flash_attention_2("q", "k", "v", "out", 8, 16, 4)));
}

TEST_CASE("invalid dimensions of the attention builders trap with what to fix") {
  const auto tiled = [](uint32_t seq_len, uint32_t head_dim, uint32_t tile_size) {
    return trap_program_message(
        flash_attention_2("q", "k", "v", "out", seq_len, head_dim, tile_size));
  };
  const std::string zero =
      "Fix: flash_attention_2 seq_len, head_dim, and tile_size must all be > 0";
  CHECK(tiled(0, 16, 4) == zero);
  CHECK(tiled(8, 0, 4) == zero);
  CHECK(tiled(8, 16, 0) == zero);
  CHECK(tiled(65536, 65536, 64) == "Fix: flash_attention_2 dimensions overflow u32: 65536*65536.");
  CHECK(tiled(1, 33554432, 1) == "Fix: flash_attention_2 shared scratch overflows u32");
  CHECK(tiled(4000000000, 1, 3000000000) == "Fix: flash_attention_2 split key span overflows u32");

  const auto reference = [](uint32_t seq_len, uint32_t head_dim) {
    return trap_program_message(
        flash_attention_2_reference("q", "k", "v", "out", seq_len, head_dim));
  };
  CHECK(reference(0, 1) == "Fix: flash_attention_2_reference seq_len and head_dim must be > 0");
  CHECK(reference(1, 0) == "Fix: flash_attention_2_reference seq_len and head_dim must be > 0");
  CHECK(reference(4294967295, 2) ==
        "Fix: flash_attention_2_reference seq_len*head_dim overflows u32");
  CHECK(reference(4294967295, 1) == std::nullopt);
}

TEST_CASE("a last tile whose end would wrap is refused") {
  const auto tiled = [](uint32_t seq_len, uint32_t tile_size) {
    return trap_program_message(flash_attention_2("q", "k", "v", "out", seq_len, 1, tile_size));
  };
  CHECK(tiled(4294967295, 1) == std::nullopt);
  CHECK(tiled(4294967295, 15) == std::nullopt);  // 15 divides 2^32 - 1
  CHECK(tiled(4294967232, 64) == std::nullopt);  // 2^32 - 64
  CHECK(tiled(4294967233, 64) ==
        "Fix: flash_attention_2 end of the last tile overflows u32: 67108864*64; use a tile_size "
        "that divides seq_len=4294967233.");
}

// Buffers with the recorded fields, in order.
void check_buffers(const Program& program, const nlohmann::json& recorded) {
  static const std::map<std::string, BufferAccess> kAccess{{"ReadOnly", BufferAccess::kReadOnly},
                                                           {"ReadWrite", BufferAccess::kReadWrite},
                                                           {"Workgroup", BufferAccess::kWorkgroup}};
  REQUIRE(program.buffers().size() == recorded.size());
  for (size_t i = 0; i < recorded.size(); ++i) {
    const BufferDecl& buffer = program.buffers()[i];
    const nlohmann::json& row = recorded[i];
    INFO("buffer " << buffer.name());
    CHECK(buffer.name() == row.at("name").get<std::string>());
    CHECK(buffer.access() == kAccess.at(row.at("access").get<std::string>()));
    CHECK(buffer.kind() == default_kind(buffer.access()));
    CHECK(buffer.binding() == row.at("binding").get<uint32_t>());
    CHECK(buffer.count() == row.at("count").get<uint32_t>());
    CHECK(row.at("element") == "F32");
    CHECK(buffer.element() == DataType(DataType::F32));
    CHECK(buffer.is_output() == row.at("is_output").get<bool>());
    CHECK(buffer.pipeline_live_out() == row.at("pipeline_live_out").get<bool>());
    CHECK(buffer.is_input() == row.at("input").get<bool>());
    CHECK(buffer.is_returned() == row.at("returned").get<bool>());
  }
}

TEST_CASE("every recorded trap program and near miss is met") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  size_t traps = 0;
  for (const nlohmann::json& row : test::read_json(*dir / "vyre" / "traps.json")) {
    if (row.contains("names")) continue;  // duplicate names: the validator's matter
    const auto args = row.at("args").get<std::vector<uint32_t>>();
    INFO(row.at("op") << " " << row.at("args").dump());
    const Program program =
        row.at("op") == "flash_attention_2"
            ? flash_attention_2("q", "k", "v", "out", args.at(0), args.at(1), args.at(2))
            : flash_attention_2_reference("q", "k", "v", "out", args.at(0), args.at(1));
    CHECK(is_trap_program(program) == row.at("is_trap_program").get<bool>());
    check_buffers(program, row.at("buffers"));
    const auto size = row.at("workgroup_size").get<std::vector<uint32_t>>();
    CHECK(program.workgroup_size() == Dim3{size.at(0), size.at(1), size.at(2)});
    if (!row.contains("entry_debug")) continue;
    ++traps;
    CHECK(test::debug_text_line(program.entry()) == row.at("entry_debug").get<std::string>());
  }
  CHECK(traps >= 21);
}

}  // namespace
}  // namespace vyre
