// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_program.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "tests/support/edge_values.h"
#include "tests/support/random_statements.h"

namespace vyre::test {
namespace {

// Features that each program has; they go round with the seed.
constexpr uint64_t kFeaturesEach = 3;

struct Character {
  bool collective = false;  // barriers and subgroup operations, and returns only after them
  uint32_t segments = 1;
  ExpressionSettings expressions;
  StatementSettings statements;
};

Character random_character(Random& random, const RandomProgramOptions& options) {
  Character character;
  character.collective = random.percent(40);
  const bool traps = random.percent(35);
  character.expressions.traps = character.statements.traps = traps;
  character.expressions.strays = random.percent(35);
  character.expressions.by_workgroup = random.percent(50);
  const bool large = random.percent(3);
  character.statements.budget = large ? 60'000 : 10'000;
  character.statements.longest_loop = large ? 150 : 6;
  if (options.async) character.statements.async = random.percent(35);
  if (options.grid_sync && random.percent(30)) character.segments = 2 + random.below(2);
  return character;
}

class Generator {
 public:
  Generator(uint64_t seed, const RandomProgramOptions& options)
      : seed_(seed),
        random_(seed),
        shape_(random_shape(random_)),
        character_(random_character(random_, options)),
        buffers_(random_, shape_, character_.expressions.strays),
        expressions_(random_, shape_, buffers_, character_.expressions),
        patterns_(random_, shape_, buffers_, expressions_),
        statements_(random_, shape_, buffers_, expressions_, patterns_, character_.statements) {}

  Program run() {
    std::vector<Node> entry;
    for (uint32_t i = 0; i < character_.segments; ++i) {
      if (i > 0) entry.push_back(Node::barrier_with_ordering(MemoryOrdering::kGridSync));
      entry.push_back(Node::region("first", std::nullopt, first_region(i)));
      if (random_.percent(50)) entry.push_back(Node::region("second", "test", second_region(i)));
      expressions_.forget_names();
    }
    return Program::wrapped(buffers_.declarations(), shape_.workgroup, std::move(entry))
        .with_extent(shape_.extent);
  }

 private:
  std::vector<Node> first_region(uint32_t segment) {
    const auto scope = expressions_.open_scope();
    std::vector<Node> nodes;
    if (random_.percent(70)) bind_numbers(nodes, segment);
    if (segment == 0) {
      expressions_.set_literal_share(5);
      for (uint64_t i = 0; i < kFeaturesEach; ++i) {
        statements_.append(nodes,
                           all_features()[(seed_ * kFeaturesEach + i) % all_features().size()]);
      }
      expressions_.set_literal_share(18);
    }
    append_crossings(nodes, segment);
    Spot spot;
    spot.meets = character_.collective;
    spot.uniform = true;
    spot.returns = !character_.collective;
    spot.tallies = segment == 0;
    append_statements(nodes, spot);
    if (character_.statements.traps && random_.percent(85)) nodes.push_back(statements_.exit(spot));
    if (character_.collective && random_.percent(70)) {
      spot.meets = spot.uniform = false;
      spot.returns = true;
      append_statements(nodes, spot);
    }
    const uint32_t outputs = 1 + random_.below(3);
    for (uint32_t i = 0; i < outputs; ++i) {
      nodes.push_back(statements_.store(expressions_.any_type(), 4));
    }
    statements_.show_variables(nodes, scope);
    statements_.show_arrays(nodes);
    expressions_.close_scope(scope);
    expressions_.clear_numbers();
    return nodes;
  }

  // Sees nothing that is bound in the first one.
  std::vector<Node> second_region(uint32_t segment) {
    Spot spot;
    spot.returns = true;
    spot.tallies = segment == 0;
    spot.depth = 1;
    return statements_.body(spot, 3);
  }

  void bind_numbers(std::vector<Node>& nodes, uint32_t segment) {
    std::string global = fmt::format("global{}", segment);
    std::string local = fmt::format("local{}", segment);
    nodes.push_back(Node::let_bind(local, expressions_.local_number()));
    nodes.push_back(Node::let_bind(global, expressions_.global_number()));
    expressions_.set_numbers(std::move(global), std::move(local));
  }

  void append_crossings(std::vector<Node>& nodes, uint32_t segment) {
    const uint32_t count = character_.segments > 1 ? 1 + random_.below(3) : 0;
    for (uint32_t i = 0; i < count; ++i) {
      nodes.push_back(segment == 0 ? patterns_.write_crossing() : patterns_.read_crossing());
    }
  }

  // Now and then only for the invocations below some number.
  void append_statements(std::vector<Node>& nodes, Spot spot) {
    if (!spot.meets && random_.percent(20)) {
      spot.uniform = false;
      const Expr limit = Expr::u32(random_.below(shape_.invocations + 1));
      const Expr condition = Expr::lt(expressions_.global_number(), limit);
      nodes.push_back(Node::if_then(condition, statements_.body(spot, 6)));
      return;
    }
    const uint32_t count = 2 + random_.below(7);
    for (uint32_t i = 0; i < count; ++i) statements_.append(nodes, spot);
  }

  uint64_t seed_;
  Random random_;
  Shape shape_;
  Character character_;
  Buffers buffers_;
  ExpressionGenerator expressions_;
  PatternGenerator patterns_;
  StatementGenerator statements_;
};

}  // namespace

Program random_program(uint64_t seed, const RandomProgramOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace vyre::test
