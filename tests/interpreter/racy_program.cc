// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/interpreter/racy_program.h"

#include <fmt/format.h>

#include <string>

#include "tests/support/random.h"

namespace vyre::test {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, const RacyOptions& options) : random_(seed), options_(options) {}

  Program run() {
    const Dim3 size = shape();
    elements_ = random_.one_of<uint32_t>({1, 5, 64, 257, 300, 600, 1500});
    Body body = statements(4 + random_.below(5), 0, true);
    return Program::wrapped({BufferDecl::read_write("x", 0, DataType::U32).with_count(elements_),
                             BufferDecl::read_write("z", 1, DataType::U32).with_count(elements_),
                             BufferDecl::read_write("h", 2, DataType::U8).with_count(elements_),
                             BufferDecl::read_write("f", 3, DataType::F32).with_count(elements_),
                             BufferDecl::workgroup("w", 64, DataType::U32),
                             BufferDecl::transient("t", 20, DataType::U32),
                             BufferDecl::local("l", 5, DataType::U32)},
                            size, std::move(body))
        .with_extent({size.x * (1 + random_.below(2)), size.y, size.z});
  }

 private:
  Dim3 shape() {
    switch (random_.below(14)) {
      case 0:
        return {1, 1, 1};
      case 1:
        return {15, 1, 1};
      case 2:
        return {16, 1, 1};
      case 3:
        return {17, 1, 1};
      case 4:
        return {255, 1, 1};
      case 5:
        return {256, 1, 1};
      case 6:
        return {257, 1, 1};
      case 7:
        return {300, 1, 1};
      case 8:
        return {513, 1, 1};
      case 9:
        return {1024, 1, 1};
      case 10:
        return {5, 7, 3};
      case 11:
        return {1, 1, 300};
      case 12:
        return {20, 15, 1};
      default:
        return {33, 1, 1};
    }
  }

  std::string fresh() { return fmt::format("v{}", next_++); }

  Expr id() {
    switch (random_.below(6)) {
      case 0:
        return Expr::local_x();
      case 1:
        return Expr::local_y();
      case 2:
        return Expr::local_z();
      case 3:
        return Expr::workgroup_x();
      default:
        return Expr::gid_x();
    }
  }

  Expr number() {
    return Expr::u32(
        random_.one_of<uint32_t>({0, 1, 2, 3, 5, 16, 255, 256, 257, 299, 0x80000000, 0xFFFFFFFF,
                                  0xFFFFFF00, 0xFFFFFFFE, random_.below(700)}));
  }

  // An index that is often affine: neighbours, strides, reversed, wrapping, constant.
  Expr index(uint32_t depth) {
    switch (random_.below(12)) {
      case 0:
        return id();
      case 1:
        return id() + number();
      case 2:
        return number() - id();
      case 3:
        return id() * Expr::u32(1 + random_.below(3)) + number();
      case 4:
        return id() * 0xFFFFFFFFU + number();
      case 5:
        return Expr::u32(random_.below(3));
      case 6:
        return Expr::load("z", id() + Expr::u32(random_.below(3))) % Expr::u32(elements_);
      case 7:
        return value(depth + 1) % Expr::u32(elements_ + 3);
      case 8:
        return id() >> 1U;
      case 9:
        return id() ^ Expr::u32(random_.below(8));
      case 10: {
        const Expr wide = Expr::cast(DataType::U64, id() + number());
        return random_.percent(30) ? wide + Expr::u64(uint64_t{random_.below(2)} << 32) : wide;
      }
      default:
        return variable();
    }
  }

  Expr variable() {
    if (names_.empty()) return id();
    return Expr::var(names_[random_.below(static_cast<uint32_t>(names_.size()))]);
  }

  Expr signed_division(uint32_t depth) {
    const auto as_signed = [](const Expr& e) { return Expr::cast(DataType::I32, e); };
    const Expr left = as_signed(value(depth + 1));
    const Expr right = as_signed(value(depth + 1) & 7U);
    return Expr::cast(DataType::U32, left / (random_.percent(90) ? right + Expr::i32(1) : right));
  }

  Expr atomic(uint32_t depth) {
    const std::string buffer = random_.percent(60) ? "z" : random_.percent(70) ? "x" : "t";
    const Expr at = index(depth + 1);
    const Expr with = value(depth + 1);
    switch (random_.below(7)) {
      case 0:
        return Expr::atomic_add(buffer, at, with);
      case 1:
        return Expr::atomic_xor(buffer, at, with);
      case 2:
        return Expr::atomic_exchange(buffer, at, with);
      case 3:
        return Expr::atomic_compare_exchange(buffer, at, with & 3U, with);
      case 4:
        return Expr::atomic_min(buffer, at, with);
      case 5:
        return Expr::atomic_or(buffer, at, with);
      default:
        return Expr::atomic_add(buffer, Expr::u32(random_.below(3)), 1U);
    }
  }

  Expr value(uint32_t depth) {
    if (depth > 3) return random_.percent(50) ? id() : number();
    switch (random_.below(20)) {
      case 0:
        return id();
      case 1:
        return number();
      case 2:
      case 3:
        return variable();
      case 4:
      case 5:
      case 6:
        return Expr::load("x", index(depth + 1));
      case 7:
        return Expr::load("w", index(depth + 1));
      case 8:
        return Expr::load("l", index(depth + 1));
      case 9:
        return Expr::load("h", index(depth + 1));
      case 10:
        return Expr::cast(DataType::U32, Expr::load("f", index(depth + 1)));
      case 11:
        return value(depth + 1) * value(depth + 1);
      case 12:
        return Expr::select(condition(depth + 1), value(depth + 1), value(depth + 1));
      case 13:
        return random_.percent(25) ? signed_division(depth) : value(depth + 1) - id();
      case 14:
        return random_.percent(25) ? atomic(depth) : value(depth + 1) ^ id();
      case 15:
        return Expr::cast(DataType::U32,
                          Expr::cast(DataType::U64, value(depth + 1)) * Expr::u64(0x100000001));
      case 16:
        if (options_.collective && uniform_ && random_.percent(30)) {
          return random_.percent(50) ? Expr::subgroup_add(value(depth + 1))
                                     : Expr::subgroup_shuffle(value(depth + 1), number());
        }
        return value(depth + 1) + 1U;
      default:
        return value(depth + 1) + value(depth + 1);
    }
  }

  Expr condition(uint32_t depth) {
    switch (random_.below(6)) {
      case 0:
        return Expr::lt(id(), number());
      case 1:
        return Expr::eq(value(depth + 1) & 1U, 0U);
      case 2:
        return Expr::lt(Expr::load("x", Expr::u32(random_.below(3))), number());
      case 3:
        return Expr::ge(id() % 3U, 1U);
      case 4:
        return Expr::eq(id(), Expr::u32(random_.below(300)));
      default:
        return Expr::lt(value(depth + 1), value(depth + 1));
    }
  }

  Node store(uint32_t) {
    const Expr at = index(1);
    const Expr what = value(0);
    switch (random_.below(10)) {
      case 0:
        return Node::store("w", at, what);
      case 1:
        return Node::store("l", at, what);
      case 2:
        return Node::store("h", at, what);
      case 3: {
        const Expr old = Expr::load("f", index(2));
        return Node::store("f", at,
                           old * Expr::f32(0.75F) + Expr::cast(DataType::F32, what & 255U));
      }
      case 4:
        return Node::store("z", at, what);
      // Statements that look like each other's neighbours.
      case 5: {
        const Expr other = index(2);
        return Node::store("x", other, Expr::load("x", other) + Expr::load("x", at));
      }
      default:
        return Node::store("x", at, Expr::load("x", index(2)) + what);
    }
  }

  Body nested(uint32_t count, uint32_t depth, bool uniform) {
    const size_t names = names_.size();
    const size_t assignable = assignable_.size();
    Body body = statements(count, depth, uniform);
    names_.resize(names);
    assignable_.resize(assignable);
    return body;
  }

  Node loop(uint32_t depth, bool uniform) {
    const std::string name = fresh();
    const uint32_t base = random_.one_of<uint32_t>({0, 0, 3, 0xFFFFFFFC});
    const bool same = random_.percent(50);
    const Expr from = random_.percent(70) ? Expr::u32(base) : Expr::u32(base) + id() % 3U;
    const Expr count = same ? Expr::u32(random_.below(4)) : value(2) % 4U;
    // Bounds near the end of u32 may wrap: then there are no iterations.
    const Expr to = random_.percent(70) ? from + count : Expr::u32(base) + (id() & 3U);
    names_.push_back(name);
    Body body = nested(1 + random_.below(3), depth + 1, uniform && same);
    names_.pop_back();
    return Node::loop_for(name, from, to, std::move(body));
  }

  Node statement(uint32_t depth, bool uniform) {
    uniform_ = uniform;
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2: {
        const std::string name = fresh();
        const Expr what = random_.percent(40) ? index(2) : value(1);
        // Variables are u32.
        Node let = Node::let_bind(name, Expr::cast(DataType::U32, what));
        names_.push_back(name);
        assignable_.push_back(name);
        return let;
      }
      case 3:
      case 4:
        if (!assignable_.empty()) {
          const auto i = random_.below(static_cast<uint32_t>(assignable_.size()));
          const std::string name = assignable_[i];
          return Node::assign(name, value(1));
        }
        return store(depth);
      case 5:
      case 6:
        if (depth < 4) {
          const bool same = random_.percent(20);
          const Expr when = same ? Expr::lt(Expr::workgroup_x(), 1U) : condition(1);
          uniform_ = false;
          const bool inner = uniform && same;
          Body then = nested(1 + random_.below(3), depth + 1, inner);
          if (random_.percent(50)) return Node::if_then(when, std::move(then));
          Body otherwise = nested(1 + random_.below(2), depth + 1, inner);
          return Node::if_then_else(when, std::move(then), std::move(otherwise));
        }
        return store(depth);
      case 7:
      case 8:
        return depth < 3 ? loop(depth, uniform) : store(depth);
      case 9:
        if (depth > 0 && random_.percent(30)) return Node::return_();
        if (depth > 0 && random_.percent(10)) return Node::trap(value(2), "t");
        return store(depth);
      case 10:
        if (uniform && options_.collective && random_.percent(50)) return Node::barrier();
        return store(depth);
      case 11: {
        const std::string name = fresh();
        Node let = Node::let_bind(name, atomic(1));
        names_.push_back(name);
        return let;
      }
      default:
        return store(depth);
    }
  }

  Body statements(uint32_t count, uint32_t depth, bool uniform) {
    std::vector<Node> list;
    for (uint32_t i = 0; i < count; ++i) list.push_back(statement(depth, uniform));
    return Body(std::move(list));
  }

  Random random_;
  RacyOptions options_;
  uint32_t elements_ = 1;
  uint32_t next_ = 0;
  bool uniform_ = false;
  std::vector<std::string> names_;       // all are u32
  std::vector<std::string> assignable_;  // those that are no loop variables
};

}  // namespace

Program racy_program(uint64_t seed, const RacyOptions& options) {
  return Generator(seed, options).run();
}

std::vector<std::vector<std::byte>> racy_memory(const Program& program, uint64_t seed) {
  Random random(seed ^ 0x5EED);
  std::vector<std::vector<std::byte>> memory;
  for (const BufferDecl& decl : program.buffers()) {
    std::vector<std::byte>& bytes = memory.emplace_back();
    if (!decl.is_bound()) continue;
    const uint32_t count = decl.count().value_or(0);
    const size_t stride = decl.element().size_bytes().value_or(1);
    bytes.resize(count * stride);
    const bool small = random.percent(50);
    for (uint32_t i = 0; i < count; ++i) {
      const auto word = static_cast<uint32_t>(small ? random.below(8) : random.below(2 * count));
      bytes[i * stride] = static_cast<std::byte>(word);
      if (stride > 1) bytes[i * stride + 1] = static_cast<std::byte>(word >> 8);
    }
  }
  return memory;
}

}  // namespace vyre::test
