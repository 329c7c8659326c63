// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The invocations of a random program and the buffers they share.
//
//   const Shape shape = test::random_shape(random);
//   Buffers buffers(random, shape);
//   const Buffer& out = buffers.find(BufferUse::kOwned, BufferKind::kOutput, DataType::F16);
//   ... Node::store(out.name, index, value) ...
//   program = Program::wrapped(buffers.declarations(), ...)
//
// A buffer is declared when it is first asked for. What may be done with its elements follows from
// its use, and no buffer has two: that is what makes programs free of races.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "vyre/ir/program.h"

namespace vyre::test {

// How a program declares a buffer.
enum class BufferKind : uint8_t {
  kRead,
  kUniform,
  kReadWrite,
  kOutput,
  kWriteOnly,
  kWorkgroup,
  kLocal,
  kTransient,
};
inline constexpr BufferKind kBufferKinds[] = {
    BufferKind::kRead,      BufferKind::kUniform,   BufferKind::kReadWrite, BufferKind::kOutput,
    BufferKind::kWriteOnly, BufferKind::kWorkgroup, BufferKind::kLocal,     BufferKind::kTransient};
const char* spelling(BufferKind kind);
BufferKind kind_of(const BufferDecl& decl);
bool can_load(BufferKind kind);
bool can_store(BufferKind kind);
// Seen by all workgroups.
bool is_global(BufferKind kind);

struct Shape {
  Dim3 workgroup;
  Dim3 grid;                 // workgroups along each axis; 0 is legal
  Dim3 extent;               // what the program asks for; may end inside a workgroup
  uint32_t lanes = 1;        // invocations of a workgroup
  uint32_t groups = 1;       // workgroups
  uint32_t invocations = 1;  // of the grid
};
Shape random_shape(Random& random);

enum class BufferUse : uint8_t {
  kInput,     // read by anyone anywhere
  kOwned,     // each element by one invocation only; workgroup memory, too
  kPrivate,   // Local: all of it by its invocation
  kMates,     // by the invocations of a workgroup, with barriers between writing and reading
  kTally,     // commutative atomics of any invocation, one operation a word
  kCrossing,  // each element by one invocation until the grid's barrier, read by anyone after it
  kDigest,    // as owned ones, of values that nothing else shows; later ones hide no earlier ones
  kCopied,    // written by asynchronous copies of its owner
};

// Which elements an owner has: some in a row, every n-th one, or in a row from the end.
enum class Layout : uint8_t { kBlocked, kStrided, kReversed };

struct Buffer {
  std::string name;
  BufferUse use;
  BufferKind kind;
  DataType::Kind element;
  std::optional<uint32_t> count;  // none: as much as is bound
  uint32_t each = 1;              // elements an owner
  Layout layout = Layout::kBlocked;
  bool is_written = false;
};

class Buffers {
 public:
  // With `short_ones` some buffers lack the last owners' elements, whose accesses are then out of
  // bounds.
  Buffers(Random& random, const Shape& shape, bool short_ones)
      : random_(random), shape_(shape), short_ones_(short_ones) {}

  const Buffer& find(BufferUse use, BufferKind kind, DataType::Kind element);
  // For a store or an atomic.
  const Buffer& find_to_write(BufferUse use, BufferKind kind, DataType::Kind element);
  // The buffer if a statement writes it: others that start as zero stay so.
  const Buffer* find_written(BufferUse use, BufferKind kind, DataType::Kind element) const;
  std::vector<BufferDecl> declarations() const;
  // Those with owners that statements write and that are neither inputs nor outputs.
  std::vector<const Buffer*> hidden() const;

 private:
  static std::string name_of(BufferUse use, BufferKind kind, DataType::Kind element);
  Buffer& find_or_declare(BufferUse use, BufferKind kind, DataType::Kind element);
  void choose_size(Buffer& buffer);

  Random& random_;
  const Shape& shape_;
  bool short_ones_;
  std::deque<Buffer> buffers_;  // references stay good
  std::map<std::string, size_t> by_name_;
};

}  // namespace vyre::test
