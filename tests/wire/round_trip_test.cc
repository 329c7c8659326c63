// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs through VIR0 and back.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <map>

#include "tests/conformance/scenarios.h"
#include "tests/support/every_construct.h"
#include "tests/support/random_program.h"
#include "tests/support/test_size.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/walk.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre {
namespace {

// Whether the program can be encoded; then it must come back.
bool round_trips(const Program& program) {
  const wire::Encoded encoded = wire::encode(program);
  if (!encoded.ok()) {
    REQUIRE(encoded.bytes.empty());
    REQUIRE(encoded.diagnostics.size() == 1);
    return false;
  }
  REQUIRE(wire::looks_like_vir0(encoded.bytes));
  const wire::Decoded decoded = wire::decode(encoded.bytes);
  INFO(to_string(decoded.diagnostics));
  REQUIRE(decoded.program.has_value());
  REQUIRE(*decoded.program == wire::vir0_view(program));
  REQUIRE(decoded.program->hash() == wire::vir0_view(program).hash());
  REQUIRE(wire::encode(*decoded.program).bytes == encoded.bytes);
  // What the view changes is not carried.
  if (encoded.not_carried.empty()) REQUIRE(wire::vir0_view(program) == program);
  return true;
}

TEST_CASE("U39: programs of the catalog and of the scenarios are the same after VIR0") {
  for (const catalog::Entry& entry : catalog::entries()) {
    CHECK(round_trips(catalog::build(entry.name, {}).value()));
  }
  int refused = 0;
  for (auto* scenarios :
       {&test::memory_scenarios, &test::control_scenarios, &test::lanes_scenarios}) {
    for (const test::Scenario& scenario : (*scenarios)()) {
      INFO(scenario.name);
      if (!round_trips(scenario.program)) ++refused;
    }
  }
  CHECK(refused == 7);  // six are too deep, one has workgroup memory without elements
}

// The program with conversions in place of what the original does not have.
Program without_bitcasts(const Program& program) {
  Rewriter rewriter;
  rewriter.expr = [](const Expr& e) {
    return e.op() == Op::kBitcast ? Expr::cast(e.type(), e.operand(0)) : e;
  };
  return rewrite(program, rewriter);
}

TEST_CASE("U39: 10,000 random programs are the same after VIR0") {
  const int programs = test::sized_for_build("random programs through VIR0", 10'000);
  std::printf("seeds 1 to %d\n", programs);
  int encoded = 0;
  for (int seed = 1; seed <= programs; ++seed) {
    INFO("seed " << seed);
    const Program program = test::random_program(static_cast<uint64_t>(seed));
    if (round_trips(without_bitcasts(program))) ++encoded;
  }
  std::printf("%d of %d can be encoded\n", encoded, programs);
  CHECK(encoded > programs / 10 * 9);
}

// How many programs come back the same, and for which rules the others are refused.
class Tally {
 public:
  void add(const Program& program) {
    const bool same = round_trips(program);
    ++counts_[same ? "same" : wire::encode(program).diagnostics.front().code];
  }
  // "W012: 3, same: 40"
  std::string text() const {
    std::vector<std::string> parts;
    for (const auto& [code, count] : counts_) parts.push_back(fmt::format("{}: {}", code, count));
    return fmt::to_string(fmt::join(parts, ", "));
  }

 private:
  std::map<std::string, int> counts_;
};

TEST_CASE("U39: every construct is the same after VIR0, or refused by the rule that it breaks") {
  Tally declarations;
  for (const BufferDecl& decl : test::every_declaration()) {
    INFO(decl.name());
    declarations.add(Program::wrapped({decl}, {1, 1, 1}, {}));
  }
  Tally statements;
  for (const Node& node : test::every_statement()) {
    statements.add(Program::wrapped({}, {1, 1, 1}, {node}));
  }
  Tally expressions;
  for (const Expr& expr : test::every_expression()) {
    expressions.add(Program::wrapped({}, {1, 1, 1}, {Node::let_bind("a", expr)}));
  }
  // Outputs without a count or with a range behind their end; elements that have a type in them, or
  // that lack their payload, as those of a kind alone do.
  CHECK(declarations.text() == "W017: 2, W018: 1, W020: 14, W023: 5, same: 50");
  CHECK(statements.text() == "same: 42");
  // An extension without its bit; casts to incomplete types; bitcasts, each type's.
  CHECK(expressions.text() == "W012: 1, W023: 11, W024: 45, same: 224");
}

TEST_CASE("U41: literals keep their bits in VIR0") {
  const uint32_t words[] = {0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x7F800000, 0xFF800000,
                            0x7FC00000, 0xFFC00000, 0x7F812345, 0x3DCCCCCD, 0x7F7FFFFF};
  std::vector<Node> body;
  for (const uint32_t bits : words) {
    body.push_back(
        Node::let_bind(fmt::format("f{}", body.size()), Expr::literal(DataType::F32, bits)));
    body.push_back(Node::let_bind(fmt::format("d{}", body.size()),
                                  Expr::literal(DataType::F64, uint64_t{bits} << 32 | 0x00000001)));
  }
  const Program program = Program::wrapped({}, {1, 1, 1}, body);
  CHECK(round_trips(program));
  CHECK(wire::vir0_view(program) == program);
}

TEST_CASE("an opaque expression that reads as a literal is among what VIR0 does not carry") {
  const auto notes = [](const std::vector<Expr>& exprs) {
    std::vector<Node> body;
    for (const Expr& expr : exprs) {
      body.push_back(Node::let_bind(fmt::format("v{}", body.size()), expr));
    }
    const Program program = Program::wrapped({}, {1, 1, 1}, body);
    CHECK(round_trips(program));
    const wire::Encoded encoded = wire::encode(program);
    CHECK(encoded.not_carried.empty() == (wire::vir0_view(program) == program));
    return fmt::to_string(fmt::join(encoded.not_carried, "; "));
  };
  const std::string one("\1\0\0\0\0\0\0\0", 8);
  const Expr u64 = Expr::opaque("vyre.literal.u64", one);
  CHECK(notes({Expr::abs(Expr::opaque("vyre.literal.f64", one)), u64,
               Expr::opaque("vyre.literal.u64", one)}) ==
        "that an expression of kind `vyre.literal.f64` is opaque: with 8 bytes it reads as a "
        "literal; that 2 expressions of kind `vyre.literal.u64` are opaque: with 8 bytes each "
        "reads as a literal");
  CHECK(notes({Expr::literal(DataType::U64, 1), Expr::opaque("vyre.literal.u64", "1234567"),
               Expr::opaque("vyre.literal.u32", one)}) == "");
}

TEST_CASE("what VIR0 does not carry is said, and missing after it") {
  const Program program =
      Program::wrapped({BufferDecl::output("y", 0, DataType::F32).with_count(8),
                        BufferDecl::read("none", 1, DataType::F32).with_count(0)},
                       {8, 1, 1}, {Node::store("y", Expr::gid_x(), 1.0f)})
          .with_extent({8, 1, 1});
  const wire::Encoded encoded = wire::encode(program);
  REQUIRE(encoded.ok());
  REQUIRE(encoded.not_carried.size() == 2);
  CHECK(encoded.not_carried[0].find("extent (8, 1, 1)") != std::string::npos);
  CHECK(encoded.not_carried[1].find("`none`") != std::string::npos);
  CHECK(!wire::decode(encoded.bytes).program->extent());
  CHECK(round_trips(program));
}

TEST_CASE("a graph that is huge as a tree is refused before it is written") {
  Expr e = Expr::gid_x();
  for (int i = 0; i < 50; ++i) e = Expr::add(e, e);
  const Program program =
      Program::wrapped({BufferDecl::output("y", 0, DataType::U32).with_count(1)}, {1, 1, 1},
                       {Node::store("y", 0u, e)});
  const wire::Encoded encoded = wire::encode(program);
  REQUIRE(encoded.diagnostics.size() == 1);
  CHECK(encoded.diagnostics.front().code == "W005");
}

// A file of these bytes behind the header, sealed.
std::string sealed(const std::string& body) {
  std::string file("VYRE\x06\x00\x04\x00", 8);
  for (const uint8_t byte : wire::blake3(body)) file += static_cast<char>(byte);
  return file + body;
}

TEST_CASE("a file that nests deeper than any stack is decoded") {
  constexpr int kDepth = 200'000;
  const Program program = Program::wrapped({}, {1, 1, 1}, {});
  const std::string small = wire::encode(program).bytes;
  // The record of the root region: name, payload length, payload; rebuilt around deep blocks.
  const std::string name = "vyre.node.region";
  const size_t record = small.find(name) + name.size();
  std::string payload = small.substr(record + 1, static_cast<unsigned char>(small[record]) - 4U);
  const auto u32 = [](uint32_t n) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(n >> (8 * i) & 0xFF);
    return bytes;
  };
  for (int i = 0; i < kDepth; ++i) payload += u32(1) + '\x06';  // one node: a block
  payload += u32(0);
  std::string length;
  for (size_t n = payload.size(); n > 0; n >>= 7) {
    length += static_cast<char>((n & 0x7F) | (n >= 0x80 ? 0x80 : 0));
  }
  const size_t rest = record + 1 + static_cast<unsigned char>(small[record]);
  const wire::Decoded decoded =
      wire::decode(sealed(small.substr(40, record - 40) + length + payload + small.substr(rest)));
  INFO(to_string(decoded.diagnostics));
  REQUIRE(decoded.program.has_value());
  CHECK(decoded.program->entry().front().depth() == kDepth + 1);
  const wire::Encoded again = wire::encode(*decoded.program);
  REQUIRE(again.diagnostics.size() == 1);
  CHECK(again.diagnostics.front().code == "W025");
}

}  // namespace
}  // namespace vyre
