// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/program.h"

#include <algorithm>
#include <utility>

namespace vyre {

struct Program::Data {
  std::vector<BufferDecl> buffers;
  Dim3 workgroup_size;
  std::vector<Node> entry;
  std::optional<std::string> entry_op_id;
  bool non_composable_with_self = false;
  std::optional<Dim3> extent;
  Digest hash;
};

namespace {

std::vector<Node> wrap_entry(std::vector<Node> entry) {
  const bool regions = !entry.empty() && std::ranges::all_of(entry, [](const Node& node) {
    return node.kind() == NodeKind::kRegion;
  });
  if (regions) return entry;
  const Place place = entry.empty() ? Place() : entry.front().place();
  std::vector<Node> wrapped;
  wrapped.push_back(Node::region(kRootRegion, std::nullopt, std::move(entry), place));
  return wrapped;
}

void add_dim3(DigestBuilder& digest, Dim3 size) {
  digest.add_u32(size.x).add_u32(size.y).add_u32(size.z);
}

}  // namespace

Program::Program(Data data) {
  DigestBuilder digest;
  digest.add_text("vyre program 1").add_u64(data.buffers.size());
  for (const BufferDecl& buffer : data.buffers) buffer.add_to(digest);
  add_dim3(digest, data.workgroup_size);
  digest.add_u8(data.extent ? 1 : 0);
  add_dim3(digest, data.extent.value_or(Dim3{}));
  digest.add_u8(data.entry_op_id ? 1 : 0).add_text(data.entry_op_id.value_or(""));
  digest.add_u8(data.non_composable_with_self ? 1 : 0);
  digest.add_u64(data.entry.size());
  for (const Node& node : data.entry) digest.add(node.digest());
  data.hash = digest.finish();
  data_ = std::make_shared<const Data>(std::move(data));
}

Program Program::wrapped(std::vector<BufferDecl> buffers, Dim3 workgroup_size, Body entry) {
  return from_raw_parts(std::move(buffers), workgroup_size, wrap_entry(std::move(entry).take()));
}

Program Program::from_raw_parts(std::vector<BufferDecl> buffers, Dim3 workgroup_size, Body entry) {
  Data data;
  data.buffers = std::move(buffers);
  data.workgroup_size = workgroup_size;
  data.entry = std::move(entry).take();
  return Program(std::move(data));
}

Program Program::empty() { return wrapped({}, {}, {}); }

const std::vector<BufferDecl>& Program::buffers() const { return data_->buffers; }

std::optional<size_t> Program::find_buffer(std::string_view name) const {
  for (size_t i = 0; i < data_->buffers.size(); ++i) {
    if (data_->buffers[i].name() == name) return i;
  }
  return std::nullopt;
}

Dim3 Program::workgroup_size() const { return data_->workgroup_size; }

uint64_t Program::workgroup_invocations() const {
  // Three u32 factors can exceed 64 bits; such a workgroup is refused wherever it matters.
  uint64_t product = static_cast<uint64_t>(data_->workgroup_size.x) * data_->workgroup_size.y;
  if (__builtin_mul_overflow(product, data_->workgroup_size.z, &product)) return ~uint64_t{0};
  return product;
}

std::span<const Node> Program::entry() const { return data_->entry; }
const std::optional<std::string>& Program::entry_op_id() const { return data_->entry_op_id; }
bool Program::non_composable_with_self() const { return data_->non_composable_with_self; }
const std::optional<Dim3>& Program::extent() const { return data_->extent; }
const Digest& Program::hash() const { return data_->hash; }

Program Program::with_entry(Body entry) const {
  Data data = *data_;
  data.entry = std::move(entry).take();
  return Program(std::move(data));
}
Program Program::with_buffers(std::vector<BufferDecl> buffers) const {
  Data data = *data_;
  data.buffers = std::move(buffers);
  return Program(std::move(data));
}
Program Program::with_workgroup_size(Dim3 size) const {
  Data data = *data_;
  data.workgroup_size = size;
  return Program(std::move(data));
}
Program Program::with_extent(Dim3 extent) const {
  Data data = *data_;
  data.extent = extent;
  return Program(std::move(data));
}
Program Program::without_extent() const {
  Data data = *data_;
  data.extent.reset();
  return Program(std::move(data));
}
Program Program::with_entry_op_id(std::optional<std::string> op_id) const {
  Data data = *data_;
  data.entry_op_id = std::move(op_id);
  return Program(std::move(data));
}
Program Program::with_non_composable_with_self(bool value) const {
  Data data = *data_;
  data.non_composable_with_self = value;
  return Program(std::move(data));
}

Program Program::reconcile_runnable_top_level() const {
  return with_entry(wrap_entry(data_->entry));
}

bool Program::is_explicit_noop() const {
  return std::ranges::all_of(data_->entry, [](const Node& node) {
    return node.kind() == NodeKind::kRegion && node.body().empty();
  });
}

bool operator==(const Program& a, const Program& b) {
  if (a.data_ == b.data_) return true;
  const Program::Data& x = *a.data_;
  const Program::Data& y = *b.data_;
  return x.hash == y.hash && x.buffers == y.buffers && x.workgroup_size == y.workgroup_size &&
         x.extent == y.extent && x.entry_op_id == y.entry_op_id &&
         x.non_composable_with_self == y.non_composable_with_self && equal_bodies(x.entry, y.entry);
}

}  // namespace vyre
