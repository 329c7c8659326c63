// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/stats.h"

#include <catch2/catch.hpp>
#include <limits>

namespace vyre {
namespace {

Expr v(const char* name) { return Expr::var(name); }
ProgramStats stats_of(Body entry) {
  return program_stats(Program::from_raw_parts({}, {}, std::move(entry)));
}
constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

TEST_CASE("an empty program") {
  ProgramStats expected;
  CHECK(stats_of({}) == expected);
  expected.node_count = expected.region_count = expected.top_level_regions = 1;
  expected.node_kinds_present = 1U << 14;
  CHECK(program_stats(Program::empty()) == expected);
}

TEST_CASE("statements and regions are counted where they stand") {
  const Node inner = Node::region("inner", std::nullopt, {Node::return_()});
  const ProgramStats s = stats_of(
      {Node::region("a", std::nullopt, {inner, inner}), inner, Node::block({Node::barrier()})});
  CHECK(s.node_count == 9);
  CHECK(s.region_count == 4);
  CHECK(s.top_level_regions == 2);
  CHECK(s.instruction_count == 4);
  CHECK(s.control_flow_count == 3);
  CHECK(s.node_kinds_present == (1U << 11 | 1U << 12 | 1U << 13 | 1U << 14));
}

TEST_CASE("instructions are statements but blocks, and expressions but leaves") {
  const ProgramStats s = stats_of({Node::let_bind("x", v("a") + Expr::load("q", v("i") * 2u)),
                                   Node::store("q", 0u, Expr::select(v("c"), v("x"), v("x")))});
  CHECK(s.instruction_count == 2 + 3 + 1);
  CHECK(s.memory_op_count == 2);
  CHECK(s.atomic_op_count == 0);
}

TEST_CASE("memory operations, atomics, calls and opaque parts") {
  const ProgramStats s = stats_of(
      {Node::let_bind("x", Expr::atomic_add("q", 0u, Expr::load("q", 1u))),
       Node::async_load_ext("a", "b", 0u, 4u, "t"), Node::async_store("a", "b", 0u, 4u, "t"),
       Node::async_wait("t"), Node::let_bind("y", Expr::call("op", {Expr::buffer_ref("q")})),
       Node::let_bind("z", Expr::opaque_unary(1, Expr::opaque("kind", ""))),
       Node::opaque("kind", "")});
  CHECK(s.memory_op_count == 4);
  CHECK(s.atomic_op_count == 1);
  CHECK(s.call_count == 1);
  CHECK(s.opaque_count == 3);
  CHECK(s.capability_bits == 16);
}

TEST_CASE("control flow") {
  const ProgramStats s =
      stats_of({Node::if_then(v("c"), {Node::loop_for("i", 0u, 4u, {Node::return_()})}),
                Node::trap(0u, "t"), Node::resume("t"), Node::barrier()});
  CHECK(s.control_flow_count == 5);
  CHECK(s.trap());
  CHECK(s.has(Capability::kTrap));
  CHECK_FALSE(stats_of({Node::return_()}).trap());
}

TEST_CASE("lets in scope") {
  const auto let = [](const char* name) { return Node::let_bind(name, 0u); };
  CHECK(stats_of({let("a"), let("b")}).register_pressure_estimate == 2);
  CHECK(stats_of({Node::block({let("a")}), Node::block({let("b")})}).register_pressure_estimate ==
        1);
  CHECK(stats_of({Node::block({let("a"), let("b"), let("c")}), let("d"), Node::block({let("e")})})
            .register_pressure_estimate == 3);
  CHECK(stats_of({let("a"), Node::if_then_else(v("c"), {let("b")}, {let("b"), let("c")}), let("d")})
            .register_pressure_estimate == 3);
}

TEST_CASE("capabilities come from types, operations and statements") {
  const auto bits_of_type = [](DataType type) {
    return program_stats(Program::from_raw_parts({BufferDecl::read("q", 0, type)}, {}, {}))
        .capability_bits;
  };
  CHECK(bits_of_type(DataType::F32) == 0);
  CHECK(bits_of_type(DataType::F16) == 2);
  CHECK(bits_of_type(DataType::BF16) == 4);
  CHECK(bits_of_type(DataType::F64) == 8);
  CHECK(bits_of_type(DataType::vec(DataType::F16, 4)) == 2);
  CHECK(bits_of_type(DataType::tensor(DataType::vec(DataType::BF16, 2), {4})) == (64 | 4));
  CHECK(bits_of_type(DataType::Tensor) == 64);
  const auto bits_of = [](const Expr& e) {
    return stats_of({Node::let_bind("x", e)}).capability_bits;
  };
  CHECK(bits_of(Expr::cast(DataType::F16, v("x"))) == 2);
  CHECK(bits_of(Expr::f64(1)) == 8);
  CHECK(bits_of(Expr::subgroup_add(v("x"))) == 1);
  CHECK(bits_of(Expr::subgroup_size()) == 1);
  CHECK(stats_of({Node::indirect_dispatch("q", 0)}).capability_bits == 32);
  CHECK(stats_of({Node::broadcast("q", 0, 0)}).capability_bits == 256);
}

TEST_CASE("each kind of statement has a bit of its own") {
  uint32_t bits = 0;
  for (const NodeInfo& info : all_nodes()) {
    CHECK((bits & node_kind_bit(info.kind)) == 0);
    bits |= node_kind_bit(info.kind);
  }
  CHECK(bits == (1U << 20) - 1);
}

TEST_CASE("storage is the packed bytes of buffers with a count") {
  const Program p = Program::from_raw_parts(
      {BufferDecl::read("a", 0, DataType::F32).with_count(3),
       BufferDecl::read("b", 1, DataType::U8), BufferDecl::workgroup("c", 5, DataType::F16),
       BufferDecl::local("d", 3, DataType::I4)},
      {}, {});
  CHECK(program_stats(p).static_storage_bytes == 12 + 10 + 2);
}

TEST_CASE("what is shared counts at each use, and counts saturate") {
  Expr e = Expr::load("q", 0u);
  for (int i = 0; i < 10; ++i) e = e + e;
  const ProgramStats small = stats_of({Node::let_bind("x", e)});
  CHECK(small.memory_op_count == 1024);
  CHECK(small.instruction_count == 1 + 1024 + 1023);
  Node node = Node::let_bind("x", e);
  for (int i = 0; i < 60; ++i) node = Node::block({node, node});
  const ProgramStats large = stats_of({node});
  CHECK(large.node_count == (uint64_t{1} << 61) - 1);
  CHECK(large.memory_op_count == kMost);
  CHECK(large.register_pressure_estimate == 2);
}

TEST_CASE("deep programs are counted") {
  Expr e = v("x");
  for (uint32_t i = 0; i < 200'000; ++i) e = Expr::negate(e);
  Node node = Node::let_bind("x", e);
  for (uint32_t i = 0; i < 200'000; ++i) node = Node::block({node});
  const ProgramStats s = stats_of({node});
  CHECK(s.node_count == 200'001);
  CHECK(s.instruction_count == 200'001);
}

TEST_CASE("types that lack their parts are counted") {
  for (const DataType::Kind kind :
       {DataType::Vec, DataType::TensorShaped, DataType::SparseCsr, DataType::SparseCoo,
        DataType::SparseBsr, DataType::Quantized, DataType::DeviceMesh}) {
    const BufferDecl buffer = BufferDecl::read("x", 0, kind).with_count(4);
    const ProgramStats s = program_stats(Program::wrapped({buffer}, {1, 1, 1}, {}));
    const bool is_tensor = kind == DataType::TensorShaped || kind == DataType::SparseCsr ||
                           kind == DataType::SparseCoo || kind == DataType::SparseBsr;
    CHECK(s.has(Capability::kTensor) == is_tensor);
  }
}

TEST_CASE("stats as a table") {
  const ProgramStats s = program_stats(Program::wrapped(
      {BufferDecl::output("y", 0, DataType::F32).with_count(4)}, {},
      {Node::let_bind("x", Expr::subgroup_size()), Node::store("y", v("x"), 1.0f)}));
  CHECK(stats_text(s) == R"(statements              3
regions                 1
top-level regions       1
instructions            2
memory operations       1
atomics                 0
control flow            0
calls                   0
opaque                  0
lets in scope           1
static storage (bytes)  16
capabilities            subgroup
kinds of statements     Let, Store, Region
)");
  CHECK(stats_text(ProgramStats{}).find("capabilities            none\n") != std::string::npos);
}

}  // namespace
}  // namespace vyre
