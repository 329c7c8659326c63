// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace vyre::test {

using namespace literals;

namespace {

std::vector<Feature> find_features() {
  std::vector<Feature> all;
  const auto add = [&all](Feature::Kind kind, size_t count) {
    for (size_t i = 0; i < count; ++i) all.push_back({kind, i});
  };
  add(Feature::Kind::kOperation, operations().size());
  add(Feature::Kind::kCast, casts().size());
  add(Feature::Kind::kBitcast, bitcasts().size());
  add(Feature::Kind::kAtomic, atomics().size());
  add(Feature::Kind::kTally, commutative_atomics().size());
  add(Feature::Kind::kSubgroup, subgroup_operations().size());
  for (const BufferKind kind : kBufferKinds) {
    for (const DataType::Kind element : element_types()) {
      if (can_load(kind)) all.push_back({Feature::Kind::kLoad, 0, kind, element});
      if (can_store(kind)) all.push_back({Feature::Kind::kStore, 0, kind, element});
    }
  }
  return all;
}

BufferUse use_of(BufferKind kind) {
  if (kind == BufferKind::kRead || kind == BufferKind::kUniform) return BufferUse::kInput;
  return kind == BufferKind::kLocal ? BufferUse::kPrivate : BufferUse::kOwned;
}

}  // namespace

const std::vector<Feature>& all_features() {
  static const std::vector<Feature> all = find_features();
  return all;
}

Spot Spot::nested() const {
  Spot inner = *this;
  inner.depth = depth - 1;
  return inner;
}

// ---- bodies ----

std::vector<Node> StatementGenerator::body(const Spot& spot, uint32_t most) {
  const auto scope = expressions_.open_scope();
  std::vector<Node> nodes;
  const uint32_t count = 1 + random_.below(most);
  for (uint32_t i = 0; i < count; ++i) append(nodes, spot);
  show_variables(nodes, scope);
  expressions_.close_scope(scope);
  return nodes;
}

void StatementGenerator::show_variables(std::vector<Node>& nodes,
                                        const ExpressionGenerator::Scope& since) {
  const std::vector<ProgramVariable>& all = expressions_.variables();
  for (size_t i = since.variables; i < all.size(); ++i) {
    if (random_.percent(40)) nodes.push_back(patterns_.show(all[i].type, Expr::var(all[i].name)));
  }
}

void StatementGenerator::show_arrays(std::vector<Node>& nodes) {
  for (const Buffer* buffer : buffers_.hidden()) {
    const Expr value = Expr::load(buffer->name, expressions_.index(*buffer));
    nodes.push_back(patterns_.show(*value_type_of(buffer->element), value));
  }
}

void StatementGenerator::append(std::vector<Node>& nodes, const Spot& spot) {
  if (spot.meets && random_.percent(30)) {
    if (random_.percent(50)) return patterns_.append_meeting(nodes);
    return nodes.push_back(collective());
  }
  if (settings_.async && random_.percent(8)) {
    return patterns_.append_copies(nodes, [&](std::vector<Node>& between) {
      Spot leaf = spot;
      leaf.depth = 0;
      const uint32_t count = random_.below(3);
      for (uint32_t i = 0; i < count; ++i) append_simple(between, leaf);
    });
  }
  const uint32_t roll = random_.below(100);
  if (spot.depth == 0 || roll < 68) return append_simple(nodes, spot);
  if (roll < 80) {
    nodes.push_back(spot.uniform && random_.percent(35) ? uniform_branch(spot) : branch(spot));
  } else if (roll < 84) {
    append_accumulation(nodes, spot);
  } else if (roll < 92) {
    nodes.push_back(spot.uniform && random_.percent(45) ? uniform_loop(spot) : loop(spot));
  } else if (roll < 94) {
    nodes.push_back(Node::block(body(spot.nested(), 4)));
  } else if (roll < 96) {
    nodes.push_back(Node::region("nested", std::nullopt, body(spot.nested(), 4)));
  } else {
    nodes.push_back(exit(spot));
  }
}

// What leaves control where it is.
void StatementGenerator::append_simple(std::vector<Node>& nodes, const Spot& spot) {
  const uint32_t roll = random_.below(100);
  if (roll < 28) return nodes.push_back(let());
  if (roll < 46) return nodes.push_back(assign(spot));
  if (roll < 68) return nodes.push_back(store(expressions_.any_type(), 3));
  if (roll < 75) return nodes.push_back(update());
  if (roll < 81) return nodes.push_back(private_store());
  if (roll < 87) return nodes.push_back(let_atomic(any_atomic()));
  if (roll < 90 && spot.tallies) {
    return nodes.push_back(
        tally(random_.below(static_cast<uint32_t>(commutative_atomics().size()))));
  }
  if (roll < 95) return append_merge(nodes, spot);
  nodes.push_back(spot.uniform ? uniform_let() : let());
}

// ---- values and memory ----

Node StatementGenerator::let() {
  const Kind type = expressions_.any_type();
  const Expr value = expressions_.any(type, 1 + random_.below(4));
  return Node::let_bind(expressions_.bind(type, random_.percent(85), false), value);
}

Node StatementGenerator::uniform_let() {
  const Kind type = random_.percent(60) ? Kind{DataType::U32} : expressions_.any_type();
  const Expr value = expressions_.uniform(type, 2);
  return Node::let_bind(expressions_.bind(type, random_.percent(50), true), value);
}

// A uniform variable stays uniform: only uniform values, only where all that are left go.
Node StatementGenerator::assign(const Spot& spot) {
  std::vector<ProgramVariable> targets;
  for (const ProgramVariable& variable : expressions_.variables()) {
    if (variable.assignable && (!variable.uniform || spot.uniform)) targets.push_back(variable);
  }
  if (targets.empty()) return let();
  const ProgramVariable target = random_.pick(targets);
  return Node::assign(target.name, target.uniform ? expressions_.uniform(target.type, 2)
                                                  : expressions_.any(target.type, 3));
}

// A constant or a uniform value that some invocations replace.
void StatementGenerator::append_merge(std::vector<Node>& nodes, const Spot& spot) {
  const Kind type = expressions_.any_type();
  const Expr first = spot.uniform && random_.percent(50) ? expressions_.uniform(type, 1)
                                                         : expressions_.literal(type);
  const Expr condition = expressions_.condition(2);
  const Expr then = expressions_.any(type, 2);
  const Expr otherwise = expressions_.any(type, 1);
  const bool both = random_.percent(40);
  const std::string name = expressions_.bind(type, true, false);
  nodes.push_back(Node::let_bind(name, first));
  const Node replaced = Node::assign(name, then);
  nodes.push_back(both ? Node::if_then_else(condition, replaced, Node::assign(name, otherwise))
                       : Node::if_then(condition, replaced));
}

Node StatementGenerator::store(Kind value_type, uint32_t depth) {
  if (random_.percent(25)) depth = 1;  // little between an operation and the bytes
  const BufferKind kind =
      random_.one_of({BufferKind::kOutput, BufferKind::kOutput, BufferKind::kOutput,
                      BufferKind::kReadWrite, BufferKind::kReadWrite, BufferKind::kWriteOnly,
                      BufferKind::kTransient, BufferKind::kWorkgroup});
  const Kind element = expressions_.any_element(value_type);
  const Buffer& buffer = buffers_.find_to_write(BufferUse::kOwned, kind, element);
  const Expr index = expressions_.own_index(buffer);
  return Node::store(buffer.name, index, expressions_.stored_value(element, depth));
}

// x[i] = x[i] + ...
Node StatementGenerator::update() {
  const Kind type = expressions_.any_type();
  const BufferKind kind = random_.one_of({BufferKind::kOutput, BufferKind::kReadWrite,
                                          BufferKind::kTransient, BufferKind::kWorkgroup});
  const Buffer& buffer =
      buffers_.find_to_write(BufferUse::kOwned, kind, expressions_.any_element(type));
  const Expr index = expressions_.own_index(buffer);
  const Expr old = Expr::load(buffer.name, index);
  const Expr more = expressions_.any(type, 2);
  if (type == DataType::Bool) return Node::store(buffer.name, index, Expr::ne(old, more));
  Expr changed = random_.percent(60) ? old + more : more - old;
  if (random_.percent(25)) changed = Expr::max(old, more);
  return Node::store(buffer.name, index, changed);
}

Node StatementGenerator::private_store() {
  const Kind element = expressions_.any_element(expressions_.any_type());
  const Buffer& buffer = buffers_.find_to_write(BufferUse::kPrivate, BufferKind::kLocal, element);
  const Expr index = expressions_.any_index(buffer);
  return Node::store(buffer.name, index, expressions_.stored_value(element, 3));
}

// ---- atomics ----

Op StatementGenerator::any_atomic() { return random_.pick(atomics()); }

const Buffer& StatementGenerator::owned_word() {
  const BufferKind kind =
      random_.one_of({BufferKind::kOutput, BufferKind::kReadWrite, BufferKind::kTransient});
  return buffers_.find_to_write(BufferUse::kOwned, kind, DataType::U32);
}

namespace {

MemoryOrdering random_ordering(Random& random) {
  return random.one_of({MemoryOrdering::kSeqCst, MemoryOrdering::kSeqCst, MemoryOrdering::kRelaxed,
                        MemoryOrdering::kAcqRel, MemoryOrdering::kAcquire,
                        MemoryOrdering::kRelease});
}

}  // namespace

// On a word that no other invocation uses, so its old value may be used.
Node StatementGenerator::let_atomic(Op op) {
  const Buffer& buffer = owned_word();
  const Expr index = expressions_.own_index(buffer);
  const Expr value = expressions_.any(DataType::U32, 2);
  Expr expected = expressions_.literal(DataType::U32);
  if (random_.percent(60)) expected = Expr::load(buffer.name, index);
  const bool compares = op_info(op).rule == TypeRule::kAtomicCas;
  Expr result = Expr::atomic(op, buffer.name, index, compares ? &expected : nullptr, value,
                             random_ordering(random_));
  // The order of evaluation shows where an operand reads the word.
  if (random_.percent(30)) result = Expr::load(buffer.name, index) - result;
  if (random_.percent(30)) result = result + Expr::load(buffer.name, index);
  if (random_.percent(15)) result = result * 0_u;
  return Node::let_bind(expressions_.bind(DataType::U32, true, false), result);
}

// On a word that any invocation may use at any time, always with the same operation.
Node StatementGenerator::tally(size_t which) {
  const Buffer& buffer = buffers_.find(BufferUse::kTally, BufferKind::kReadWrite, DataType::U32);
  const Expr chosen = expressions_.any(DataType::U32, 1) & 3_u;
  const Expr word = chosen + Expr::u32(static_cast<uint32_t>(which) * 4);
  const Expr index = expressions_.perturbed(
      random_.percent(50) ? word : Expr::u32(static_cast<uint32_t>(which) * 4), buffer);
  const Expr value = expressions_.any(DataType::U32, 2);
  const Expr result = Expr::atomic(commutative_atomics()[which], buffer.name, index, nullptr, value,
                                   random_ordering(random_));
  // A name that nothing can mention.
  return Node::let_bind(fmt::format("unused{}", next_unused_++), result);
}

// ---- where all meet ----

Node StatementGenerator::collective() {
  const ExpressionGenerator::Meeting meeting(expressions_);
  const SubgroupOperation& operation = random_.pick(subgroup_operations());
  const Expr value = expressions_.subgroup(operation, 2);
  if (random_.percent(50)) {
    return Node::let_bind(expressions_.bind(operation.result, true, false), value);
  }
  return patterns_.output(operation.result, value);
}

// ---- control ----

Node StatementGenerator::branch(const Spot& spot) {
  Spot inner = spot.nested();
  inner.meets = inner.uniform = false;
  std::optional<ExpressionGenerator::Meeting> meeting;
  if (spot.meets && random_.percent(15)) meeting.emplace(expressions_);
  const Expr condition = expressions_.condition(3);
  meeting.reset();
  std::vector<Node> then = body(inner, 4);
  if (random_.percent(45)) return Node::if_then(condition, std::move(then));
  if (inner.depth > 0 && random_.percent(30)) {
    return Node::if_then_else(condition, std::move(then), branch(inner));
  }
  return Node::if_then_else(condition, std::move(then), body(inner, 4));
}

Node StatementGenerator::uniform_branch(const Spot& spot) {
  const Expr condition = expressions_.uniform(DataType::Bool, 2);
  std::vector<Node> then = body(spot.nested(), 4);
  if (random_.percent(50)) return Node::if_then(condition, std::move(then));
  return Node::if_then_else(condition, std::move(then), body(spot.nested(), 4));
}

bool StatementGenerator::may_loop(const Spot& spot, uint64_t trips) const {
  return spot.weight * trips * std::max<uint64_t>(shape_.invocations, 1) <= settings_.budget;
}

// Bounds that differ between invocations; some loops run backwards, that is, not at all.
Node StatementGenerator::loop(const Spot& spot) {
  uint32_t most = 6;
  if (settings_.longest_loop > 6 && random_.percent(60)) most = settings_.longest_loop;
  if (!may_loop(spot, most)) return let();
  const auto bound = [&](uint32_t limit) {
    const Expr any = expressions_.any(DataType::U32, 2);
    if (random_.percent(40)) return Expr::u32(random_.below(limit));
    return any % Expr::u32(limit);
  };
  Expr from = bound(random_.percent(20) ? most : 3);
  Expr to = bound(most);
  if (random_.percent(15)) {
    // Up to the largest number there is.
    from = Expr::u32(0xFFFFFFFF - random_.below(4));
    to = 0xFFFFFFFF_u;
  }
  Spot inner = spot.nested();
  inner.meets = inner.uniform = false;
  inner.weight *= most / 2 + 1;
  const auto scope = expressions_.open_scope();
  const std::string name = expressions_.bind(DataType::U32, false, false);
  std::vector<Node> nodes = body(inner, most > 6 ? 2 : 4);
  expressions_.close_scope(scope);
  return Node::loop_for(name, from, to, std::move(nodes));
}

Node StatementGenerator::uniform_loop(const Spot& spot) {
  uint32_t most = 4;
  if (!spot.meets && settings_.longest_loop > 6) most = settings_.longest_loop;
  if (!may_loop(spot, most)) return uniform_let();
  const Expr from = random_.percent(60) ? Expr::u32(random_.below(2))
                                        : expressions_.uniform(DataType::U32, 2) % 2_u;
  const Expr to = random_.percent(60) ? Expr::u32(random_.below(most + 1))
                                      : expressions_.uniform(DataType::U32, 2) % Expr::u32(most);
  Spot inner = spot.nested();
  inner.weight *= most / 2 + 1;
  const auto scope = expressions_.open_scope();
  const std::string name = expressions_.bind(DataType::U32, false, true);
  std::vector<Node> nodes = body(inner, 3);
  expressions_.close_scope(scope);
  return Node::loop_for(name, from, to, std::move(nodes));
}

// let sum = 0; for k in a..b { sum = sum + x[k] }
void StatementGenerator::append_accumulation(std::vector<Node>& nodes, const Spot& spot) {
  const uint32_t most = settings_.longest_loop > 6 ? settings_.longest_loop : 9;
  if (!may_loop(spot, most)) return nodes.push_back(let());
  const Kind type =
      random_.one_of<Kind>({DataType::U32, DataType::I32, DataType::F32, DataType::F32,
                            DataType::U64, DataType::I64, DataType::F64});
  const Expr first = random_.percent(50) ? expressions_.literal(type) : expressions_.any(type, 1);
  const std::string sum = expressions_.bind(type, false, false);
  nodes.push_back(Node::let_bind(sum, first));
  const Expr from = expressions_.any(DataType::U32, 1) % 4_u;
  Expr to = Expr::u32(random_.below(most));
  if (random_.percent(50)) to = from + expressions_.any(DataType::U32, 1) % Expr::u32(most);
  const auto scope = expressions_.open_scope();
  const std::string name = expressions_.bind(DataType::U32, false, false);
  const Buffer& buffer =
      buffers_.find(BufferUse::kInput, BufferKind::kRead, expressions_.any_element(type));
  Expr index = Expr::var(name);
  if (random_.percent(50)) index = expressions_.global_number() * Expr::u32(most) + index;
  if (random_.percent(60)) index = index % Expr::buf_len(buffer.name);
  const Expr element = Expr::load(buffer.name, index);
  Expr term = random_.percent(60) ? element * expressions_.any(type, 1) : element;
  term = random_.percent(70) ? Expr::var(sum) + term : Expr::max(term, Expr::var(sum));
  nodes.push_back(Node::loop_for(name, from, to, {Node::assign(sum, term)}));
  expressions_.close_scope(scope);
  nodes.push_back(patterns_.show(type, Expr::var(sum)));
}

// A loop that ends by a return after a few rounds.
Node StatementGenerator::forever(const Spot& spot) {
  const Expr rounds = expressions_.any(DataType::U32, 1) & 7_u;
  const auto scope = expressions_.open_scope();
  const std::string name = expressions_.bind(DataType::U32, false, false);
  Spot inner = spot;
  inner.meets = inner.uniform = inner.forever = false;
  inner.depth = 0;
  inner.weight *= 5;
  std::vector<Node> nodes = body(inner, 3);
  nodes.push_back(Node::assign(name, Expr::var(name) + 1_u));
  nodes.push_back(Node::if_then(Expr::gt(Expr::var(name), rounds), Node::return_()));
  expressions_.close_scope(scope);
  return Node::block({Node::let_bind(name, 0_u), Node::forever(std::move(nodes))});
}

// Return or trap, of few invocations. What follows the end is never reached.
Node StatementGenerator::exit(const Spot& spot) {
  if (spot.returns && spot.forever && random_.percent(15) && may_loop(spot, 8)) {
    const Expr condition = expressions_.condition(1);
    return Node::if_then(condition, forever(spot.nested()));
  }
  const bool traps = settings_.traps && random_.percent(50);
  if (!traps && !spot.returns) return let();
  const Expr selector = expressions_.any(DataType::U32, 1);
  const Expr condition = Expr::eq(selector, Expr::u32(random_.below(6)));
  Spot inner = spot.nested();
  inner.meets = inner.uniform = false;
  Body end = Node::return_();
  if (traps) {
    const Expr address = expressions_.any(DataType::U32, 1);
    end = Node::trap(address, random_.percent(50) ? "random" : "another reason");
  }
  if (random_.percent(60)) return Node::if_then(condition, std::move(end));
  return Node::if_then(condition, {std::move(end), body(inner, 2)});
}

// ---- features ----

// The value itself, and what a later store to that element would hide.
void StatementGenerator::append_shown(std::vector<Node>& nodes, Kind type, const Expr& value) {
  const Node store = patterns_.output(type, value);
  nodes.push_back(store);
  if (random_.percent(60)) {
    nodes.push_back(patterns_.show(type, Expr::load(store.buffer(), store.operand(0))));
  }
}

void StatementGenerator::append(std::vector<Node>& nodes, const Feature& feature) {
  switch (feature.kind) {
    case Feature::Kind::kOperation: {
      const Operation& operation = operations()[feature.index];
      const Expr value = expressions_.operation(operation, 1);
      return append_shown(nodes, operation.result, value);
    }
    case Feature::Kind::kCast:
    case Feature::Kind::kBitcast: {
      const bool bits = feature.kind == Feature::Kind::kBitcast;
      const Conversion& conversion = bits ? bitcasts()[feature.index] : casts()[feature.index];
      const Expr value =
          bits ? expressions_.bitcast(conversion, 1) : expressions_.cast(conversion, 1);
      return append_shown(nodes, *value_type_of(conversion.to), value);
    }
    case Feature::Kind::kAtomic:
      nodes.push_back(let_atomic(atomics()[feature.index]));
      return nodes.push_back(
          patterns_.show(DataType::U32, Expr::var(expressions_.variables().back().name)));
    case Feature::Kind::kTally:
      return nodes.push_back(tally(feature.index));
    case Feature::Kind::kSubgroup: {
      const ExpressionGenerator::Meeting meeting(expressions_);
      const SubgroupOperation& operation = subgroup_operations()[feature.index];
      const Expr value = expressions_.subgroup(operation, 1);
      return append_shown(nodes, operation.result, value);
    }
    case Feature::Kind::kLoad:
    case Feature::Kind::kStore:
      return append_access(nodes, feature);
  }
}

void StatementGenerator::append_access(std::vector<Node>& nodes, const Feature& feature) {
  const BufferUse use = use_of(feature.buffer);
  const Buffer& buffer = can_store(feature.buffer)
                             ? buffers_.find_to_write(use, feature.buffer, feature.element)
                             : buffers_.find(use, feature.buffer, feature.element);
  const Expr index = expressions_.index(buffer);
  if (can_store(buffer.kind)) {
    const Expr value = expressions_.stored_value(buffer.element, 1);
    nodes.push_back(Node::store(buffer.name, index, value));
  }
  if (feature.kind != Feature::Kind::kLoad) return;
  nodes.push_back(patterns_.output(*value_type_of(buffer.element), Expr::load(buffer.name, index)));
}

}  // namespace vyre::test
