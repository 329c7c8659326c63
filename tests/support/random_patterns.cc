// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_patterns.h"

#include <fmt/format.h>

namespace vyre::test {

using namespace literals;

std::string PatternGenerator::fresh(const char* prefix) {
  return fmt::format("{}{}", prefix, next_name_++);
}

Node PatternGenerator::barrier() {
  return Node::barrier_with_ordering(
      random_.one_of({MemoryOrdering::kSeqCst, MemoryOrdering::kAcqRel, MemoryOrdering::kAcquire,
                      MemoryOrdering::kRelease, MemoryOrdering::kSeqCst}));
}

Node PatternGenerator::output(Kind value_type, const Expr& value) {
  const Buffer& buffer = buffers_.find_to_write(BufferUse::kOwned, BufferKind::kOutput,
                                                expressions_.any_element(value_type));
  const Expr index = expressions_.own_index(buffer);
  return Node::store(buffer.name, index, value);
}

namespace {

// Different bits for different values.
Expr as_u64(Kind type, const Expr& value) {
  if (type == DataType::F32) return Expr::cast(DataType::U64, Expr::bitcast(DataType::U32, value));
  if (type == DataType::F64 || type == DataType::I64) return Expr::bitcast(DataType::U64, value);
  return type == DataType::U64 ? value : Expr::cast(DataType::U64, value);
}

}  // namespace

Node PatternGenerator::show(Kind value_type, const Expr& value) {
  if (random_.percent(40)) return output(value_type, value);
  const Buffer& digest =
      buffers_.find_to_write(BufferUse::kDigest, BufferKind::kOutput, DataType::U64);
  const Expr index = expressions_.global_number();
  const Expr before = Expr::load(digest.name, index) * Expr::u64(0x9E3779B97F4A7C15);
  return Node::store(digest.name, index, before ^ as_u64(value_type, value));
}

// ---- in a workgroup ----

void PatternGenerator::append_meeting(std::vector<Node>& nodes) {
  const uint32_t roll = random_.below(100);
  if (roll < 60) {
    append_exchange(nodes);
  } else if (roll < 80) {
    append_tree(nodes);
  } else {
    append_broadcast(nodes);
  }
}

// Mostly workgroup memory; global memory is ordered among the invocations of a workgroup as well.
const Buffer& PatternGenerator::mates(Kind element) {
  const BufferKind global = random_.one_of({BufferKind::kReadWrite, BufferKind::kTransient});
  return buffers_.find(BufferUse::kMates, random_.percent(75) ? BufferKind::kWorkgroup : global,
                       element);
}

Expr PatternGenerator::first_of_mates(const Buffer& mates) const {
  return is_global(mates.kind) ? expressions_.workgroup_number() * shape_.lanes : Expr::u32(0);
}

// Any element of the workgroup.
Expr PatternGenerator::mate(const Buffer& mates) {
  const Expr me = expressions_.local_number();
  const Expr lanes = Expr::u32(shape_.lanes);
  Expr chosen = me;
  switch (random_.below(5)) {
    case 0:
      chosen = (me + Expr::u32(1 + random_.below(shape_.lanes))) % lanes;
      break;
    case 1:
      chosen = Expr::u32(shape_.lanes - 1) - me;
      break;
    case 2:
      chosen = expressions_.any(DataType::U32, 1) % lanes;
      break;
    case 3:
      chosen = Expr::u32(random_.below(shape_.lanes));
      break;
    default:
      // Past the end for some, which is out of bounds in workgroup memory only.
      chosen = me ^ Expr::u32(1U << random_.below(3));
      if (is_global(mates.kind)) chosen = chosen % lanes;
      break;
  }
  if (!is_global(mates.kind)) return expressions_.perturbed(chosen, mates);
  return expressions_.perturbed(first_of_mates(mates) + chosen, mates);
}

void PatternGenerator::append_readings(std::vector<Node>& nodes, const Buffer& mates) {
  const Kind type = *value_type_of(mates.element);
  const uint32_t count = 1 + random_.below(2);
  for (uint32_t i = 0; i < count; ++i) {
    const Expr index = mate(mates);
    const Expr value = Expr::load(mates.name, index);
    if (random_.percent(50)) {
      nodes.push_back(Node::let_bind(expressions_.bind(type, true, false), value));
    } else {
      nodes.push_back(show(type, value));
    }
  }
}

void PatternGenerator::append_exchange(std::vector<Node>& nodes) {
  const Buffer& buffer = mates(expressions_.any_element(expressions_.any_type()));
  const Expr value = expressions_.stored_value(buffer.element, 2);
  const Expr own = first_of_mates(buffer) + expressions_.local_number();
  const Expr index = expressions_.perturbed(own, buffer);
  nodes.push_back(Node::store(buffer.name, index, value));
  nodes.push_back(barrier());
  append_readings(nodes, buffer);
  nodes.push_back(barrier());
}

Kind PatternGenerator::number_type() {
  return random_.one_of<Kind>({DataType::U32, DataType::I32, DataType::F32, DataType::F32,
                               DataType::U64, DataType::I64, DataType::F64});
}

Expr PatternGenerator::folded(Kind type, const Expr& a, const Expr& b) {
  switch (random_.below(is_integer(type) ? 5 : 4)) {
    case 0:
      return Expr::min(a, b);
    case 1:
      return Expr::max(b, a);
    case 2:
      return a * b;
    case 3:
      return a + b;
    default:
      return a ^ b;
  }
}

// Those below the stride read above it, so nobody reads what is written in this step.
Node PatternGenerator::fold_step(const Buffer& mates, const Expr& stride) {
  const Expr me = expressions_.local_number();
  const Expr first = first_of_mates(mates);
  const Expr mine = Expr::load(mates.name, first + me);
  const Expr theirs = Expr::load(mates.name, first + (me + stride));
  const Expr value = folded(*value_type_of(mates.element), mine, theirs);
  return Node::if_then(Expr::lt(me, stride), {Node::store(mates.name, first + me, value)});
}

void PatternGenerator::append_tree(std::vector<Node>& nodes) {
  // In workgroup memory what lies past the last invocation is out of bounds, hence zero.
  const Buffer& buffer = buffers_.find(BufferUse::kMates, BufferKind::kWorkgroup, number_type());
  const Expr value = expressions_.any(buffer.element, 2);
  nodes.push_back(Node::store(buffer.name, expressions_.local_number(), value));
  nodes.push_back(barrier());
  uint32_t steps = 0;
  while ((1U << steps) < shape_.lanes) ++steps;
  if (steps > 0 && random_.percent(50)) {
    const std::string step = fresh("step");
    const Expr stride = Expr::shr(Expr::u32(1U << (steps - 1)), Expr::var(step));
    const Node fold = fold_step(buffer, stride);
    nodes.push_back(Node::loop_for(step, 0_u, Expr::u32(steps), {fold, barrier()}));
  } else {
    for (uint32_t step = steps; step > 0; --step) {
      nodes.push_back(fold_step(buffer, Expr::u32(1U << (step - 1))));
      nodes.push_back(barrier());
    }
  }
  append_readings(nodes, buffer);
  nodes.push_back(barrier());
}

// One invocation writes, wherever it likes.
void PatternGenerator::append_broadcast(std::vector<Node>& nodes) {
  const Buffer& buffer = mates(expressions_.any_element(expressions_.any_type()));
  std::vector<Node> writes;
  const auto scope = expressions_.open_scope();
  const uint32_t count = 1 + random_.below(3);
  for (uint32_t i = 0; i < count; ++i) {
    const Expr index = mate(buffer);
    writes.push_back(Node::store(buffer.name, index, expressions_.stored_value(buffer.element, 1)));
  }
  expressions_.close_scope(scope);
  const Expr me = expressions_.local_number();
  const Expr chosen = Expr::u32(random_.below(shape_.lanes));
  nodes.push_back(Node::if_then(Expr::eq(me, chosen), std::move(writes)));
  nodes.push_back(barrier());
  append_readings(nodes, buffer);
  nodes.push_back(barrier());
}

// ---- across the grid ----

Node PatternGenerator::write_crossing() {
  const BufferKind kind =
      random_.one_of({BufferKind::kTransient, BufferKind::kOutput, BufferKind::kReadWrite});
  const Kind element = expressions_.any_element(expressions_.any_type());
  const Buffer& buffer = buffers_.find(BufferUse::kCrossing, kind, element);
  crossing_.push_back(&buffer);
  const Expr index = expressions_.own_index(buffer);
  return Node::store(buffer.name, index, expressions_.stored_value(element, 2));
}

Node PatternGenerator::read_crossing() {
  const Buffer& buffer = *random_.pick(crossing_);
  const Expr index = expressions_.any_index(buffer);
  return show(*value_type_of(buffer.element), Expr::load(buffer.name, index));
}

// ---- asynchronous copies ----

void PatternGenerator::append_copies(std::vector<Node>& nodes,
                                     const std::function<void(std::vector<Node>&)>& between) {
  const auto bytes = [this](uint32_t most) {
    const Expr exact = Expr::u32(random_.below(most + 1));
    const Expr any = expressions_.any(DataType::U32, 1) % (most + 1);
    const Expr chosen = random_.percent(50) ? exact : any;
    return random_.percent(25) ? Expr::cast(DataType::U64, chosen) : chosen;
  };
  const Kind loaded = expressions_.any_element(expressions_.any_type());
  const Buffer& source = buffers_.find(BufferUse::kInput, BufferKind::kRead,
                                       expressions_.any_element(expressions_.any_type()));
  const Buffer& array = buffers_.find(BufferUse::kCopied, BufferKind::kLocal, loaded);
  const Buffer& target =
      buffers_.find(BufferUse::kCopied,
                    random_.one_of({BufferKind::kOutput, BufferKind::kReadWrite,
                                    BufferKind::kTransient, BufferKind::kWorkgroup}),
                    expressions_.any_element(expressions_.any_type()));

  // From an input to an array of the invocation's own, also past the end of either.
  const std::string load_tag = fresh("load");
  const Expr offset = bytes(80);
  nodes.push_back(Node::async_load_ext(source.name, array.name, offset, bytes(72), load_tag));
  // To bytes of the invocation's own, from an input.
  const uint32_t mine = target.each * DataType(target.element).stride_bytes();
  const Expr owner =
      is_global(target.kind) ? expressions_.global_number() : expressions_.local_number();
  const uint32_t skipped = random_.below(mine);
  const std::string store_tag = fresh("store");
  const bool stores_too = random_.percent(60);
  if (stores_too) {
    const Expr at = owner * mine + Expr::u32(skipped);
    nodes.push_back(
        Node::async_store(source.name, target.name, at, bytes(mine - skipped), store_tag));
  }
  between(nodes);
  const bool load_first = random_.percent(50);
  if (load_first) nodes.push_back(Node::async_wait(load_tag));
  if (stores_too) nodes.push_back(Node::async_wait(store_tag));
  if (!load_first) nodes.push_back(Node::async_wait(load_tag));

  const Expr index = expressions_.any_index(array);
  nodes.push_back(show(*value_type_of(loaded), Expr::load(array.name, index)));
  if (random_.percent(40)) {
    // And out again.
    const std::string tag = fresh("store");
    const Expr at = owner * mine;
    nodes.push_back(Node::async_store(array.name, target.name, at, bytes(mine), tag));
    nodes.push_back(Node::async_wait(tag));
  }
}

}  // namespace vyre::test
