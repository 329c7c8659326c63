// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/random_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/evaluable.h"
#include "vyre/ir/check.h"

namespace vyre::test {
namespace {

const char* prefix(BufferUse use) {
  switch (use) {
    case BufferUse::kInput:
      return "in";
    case BufferUse::kOwned:
      return "own";
    case BufferUse::kPrivate:
      return "private";
    case BufferUse::kMates:
      return "mates";
    case BufferUse::kTally:
      return "tally";
    case BufferUse::kCrossing:
      return "crossing";
    case BufferUse::kDigest:
      return "digest";
    case BufferUse::kCopied:
      return "copied";
  }
  VYRE_UNREACHABLE("a use of buffers without a name");
}

// Sizes around the width of a subgroup, in one, two and three dimensions.
Dim3 random_workgroup(Random& random) {
  if (random.percent(40)) return random.one_of<Dim3>({{1, 1, 1}, {4, 1, 1}, {5, 1, 1}, {12, 1, 1}});
  if (random.percent(45)) {
    return random.one_of<Dim3>(
        {{2, 3, 1}, {1, 7, 1}, {4, 2, 2}, {3, 1, 5}, {1, 1, 9}, {2, 2, 3}, {16, 2, 1}, {5, 7, 1}});
  }
  if (random.percent(85)) return random.one_of<Dim3>({{32, 1, 1}, {33, 1, 1}, {31, 1, 1}});
  return random.one_of<Dim3>({{64, 1, 1}, {70, 1, 1}, {8, 4, 2}, {128, 1, 1}, {3, 11, 3}});
}

Dim3 random_grid(Random& random) {
  if (random.percent(2)) return random.one_of<Dim3>({{0, 1, 1}, {2, 0, 1}, {1, 1, 0}});
  if (random.percent(70)) return random.one_of<Dim3>({{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {5, 1, 1}});
  return random.one_of<Dim3>({{1, 2, 1}, {2, 2, 1}, {1, 1, 3}, {1, 2, 2}, {2, 1, 2}, {1, 4, 1}});
}

// As often as not an extent that ends inside the last workgroup.
uint32_t random_extent(Random& random, uint32_t size, uint32_t groups) {
  const uint32_t whole = size * groups;
  return groups == 0 || random.percent(50) ? whole : whole - random.below(size);
}

}  // namespace

const char* spelling(BufferKind kind) {
  switch (kind) {
    case BufferKind::kRead:
      return "read";
    case BufferKind::kUniform:
      return "uniform";
    case BufferKind::kReadWrite:
      return "read_write";
    case BufferKind::kOutput:
      return "output";
    case BufferKind::kWriteOnly:
      return "write_only";
    case BufferKind::kWorkgroup:
      return "workgroup";
    case BufferKind::kLocal:
      return "local";
    case BufferKind::kTransient:
      return "transient";
  }
  VYRE_UNREACHABLE("a buffer kind without a spelling");
}

BufferKind kind_of(const BufferDecl& decl) {
  if (decl.is_local()) return BufferKind::kLocal;
  if (decl.is_workgroup()) return BufferKind::kWorkgroup;
  if (decl.is_transient()) return BufferKind::kTransient;
  if (decl.access() == BufferAccess::kWriteOnly) return BufferKind::kWriteOnly;
  if (decl.access() == BufferAccess::kUniform) return BufferKind::kUniform;
  if (decl.access() == BufferAccess::kReadOnly) return BufferKind::kRead;
  return decl.is_output() ? BufferKind::kOutput : BufferKind::kReadWrite;
}

bool can_load(BufferKind kind) { return kind != BufferKind::kWriteOnly; }

bool can_store(BufferKind kind) {
  return kind != BufferKind::kRead && kind != BufferKind::kUniform;
}

bool is_global(BufferKind kind) {
  return kind != BufferKind::kWorkgroup && kind != BufferKind::kLocal;
}

Shape random_shape(Random& random) {
  Shape shape;
  shape.workgroup = random_workgroup(random);
  shape.grid = random_grid(random);
  const Dim3 size = shape.workgroup;
  shape.extent.x = random_extent(random, size.x, shape.grid.x);
  shape.extent.y = random_extent(random, size.y, shape.grid.y);
  shape.extent.z = random_extent(random, size.z, shape.grid.z);
  shape.lanes = size.x * size.y * size.z;
  shape.groups = shape.grid.x * shape.grid.y * shape.grid.z;
  shape.invocations = shape.lanes * shape.groups;
  return shape;
}

std::string Buffers::name_of(BufferUse use, BufferKind kind, DataType::Kind element) {
  return fmt::format("{}_{}_{}", prefix(use), spelling(kind), DataType(element).spelling());
}

Buffer& Buffers::find_or_declare(BufferUse use, BufferKind kind, DataType::Kind element) {
  const auto [entry, inserted] = by_name_.try_emplace(name_of(use, kind, element), buffers_.size());
  if (inserted) {
    buffers_.push_back({entry->first, use, kind, element, std::nullopt});
    choose_size(buffers_.back());
  }
  return buffers_[entry->second];
}

const Buffer& Buffers::find(BufferUse use, BufferKind kind, DataType::Kind element) {
  return find_or_declare(use, kind, element);
}

const Buffer& Buffers::find_to_write(BufferUse use, BufferKind kind, DataType::Kind element) {
  Buffer& buffer = find_or_declare(use, kind, element);
  buffer.is_written = true;
  return buffer;
}

const Buffer* Buffers::find_written(BufferUse use, BufferKind kind, DataType::Kind element) const {
  const auto entry = by_name_.find(name_of(use, kind, element));
  if (entry == by_name_.end() || !buffers_[entry->second].is_written) return nullptr;
  return &buffers_[entry->second];
}

void Buffers::choose_size(Buffer& buffer) {
  const uint32_t owners = is_global(buffer.kind) ? shape_.invocations : shape_.lanes;
  switch (buffer.use) {
    case BufferUse::kInput:
      if (buffer.kind == BufferKind::kRead && random_.percent(25))
        return;  // sized by what is bound
      buffer.count = random_.percent(3) ? 0 : 1 + random_.below(24);
      return;
    case BufferUse::kPrivate:
      buffer.count = 1 + random_.below(8);
      return;
    case BufferUse::kMates:
    case BufferUse::kDigest:
      buffer.count = owners;
      return;
    case BufferUse::kTally:
      buffer.count = static_cast<uint32_t>(commutative_atomics().size()) * 4;
      return;
    case BufferUse::kOwned:
    case BufferUse::kCrossing:
    case BufferUse::kCopied:
      break;
  }
  if (buffer.kind == BufferKind::kLocal) {
    buffer.count = 1 + random_.below(8);
    return;
  }
  buffer.each = 1 + random_.below(owners > 100 ? 2 : 4);
  // A copy's bytes lie in a row.
  if (buffer.use != BufferUse::kCopied) {
    buffer.layout = random_.one_of({Layout::kBlocked, Layout::kStrided, Layout::kReversed});
  }
  const uint32_t all = owners * buffer.each;
  const bool is_short = short_ones_ && random_.percent(20);
  buffer.count = is_short ? all - std::min(all, 1 + random_.below(3)) : all;
}

std::vector<const Buffer*> Buffers::hidden() const {
  std::vector<const Buffer*> all;
  for (const Buffer& buffer : buffers_) {
    const bool scratch = buffer.kind == BufferKind::kWorkgroup ||
                         buffer.kind == BufferKind::kLocal || buffer.kind == BufferKind::kTransient;
    const bool mine = buffer.use == BufferUse::kOwned || buffer.use == BufferUse::kPrivate;
    if (scratch && mine && buffer.is_written) all.push_back(&buffer);
  }
  return all;
}

std::vector<BufferDecl> Buffers::declarations() const {
  std::vector<BufferDecl> all;
  uint32_t binding = 0;
  for (const Buffer& buffer : buffers_) {
    const uint32_t count = buffer.count.value_or(0);
    switch (buffer.kind) {
      case BufferKind::kRead:
        all.push_back(BufferDecl::read(buffer.name, binding++, buffer.element));
        break;
      case BufferKind::kUniform:
        all.push_back(BufferDecl::uniform(buffer.name, binding++, buffer.element));
        break;
      case BufferKind::kReadWrite:
        all.push_back(BufferDecl::read_write(buffer.name, binding++, buffer.element));
        break;
      case BufferKind::kOutput:
        all.push_back(BufferDecl::output(buffer.name, binding++, buffer.element));
        break;
      case BufferKind::kWriteOnly:
        all.push_back(
            BufferDecl::storage(buffer.name, binding++, BufferAccess::kWriteOnly, buffer.element));
        break;
      case BufferKind::kWorkgroup:
        all.push_back(BufferDecl::workgroup(buffer.name, count, buffer.element));
        break;
      case BufferKind::kLocal:
        all.push_back(BufferDecl::local(buffer.name, count, buffer.element));
        break;
      case BufferKind::kTransient:
        all.push_back(BufferDecl::transient(buffer.name, count, buffer.element));
        break;
    }
    if (buffer.count) all.back() = all.back().with_count(count);
  }
  return all;
}

}  // namespace vyre::test
