// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/interpreter/lane_statement.h"

namespace vyre::interpreter {

bool is_wide(DataType::Kind value_type) {
  return value_type == DataType::U64 || value_type == DataType::I64 || value_type == DataType::F64;
}

LaneFrame::LaneFrame(const Resolved& resolved, InstructionSet set, uint32_t max_strip_lanes,
                     Checks checks)
    : resolved_(resolved),
      checks_(checks),
      index_slice_(checks.has(Check::kWrap) ? find_index_slice(resolved) : IndexSlice()),
      shapes_(find_shapes(resolved)),
      rules_{resolved.program.workgroup_size()},
      kernels_(lane_kernels(set)) {
  const auto round_up = [](uint64_t n, uint64_t to) { return (n + to - 1) / to * to; };
  const uint64_t invocations = resolved.program.workgroup_invocations();
  program_.invocations = static_cast<uint32_t>(invocations);
  program_.strip_lanes = static_cast<uint32_t>(
      std::min<uint64_t>(round_up(invocations, kBlockLanes), max_strip_lanes));
  program_.strip_count =
      static_cast<uint32_t>(round_up(invocations, program_.strip_lanes) / program_.strip_lanes);
  program_.strided_load = kernels_.strided_load();
  // Scalar 0 is what operands name that an instruction does not have.
  program_.scalar_count = 1;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    program_.workgroup_ids[axis] = program_.scalar_count++;
    program_.workgroup_begins[axis] = program_.scalar_count++;
  }
}

namespace {

LaneValue scalar_at(uint32_t offset, bool wide = false) {
  LaneValue value;
  value.slot = {Bank::kScalars, offset};
  value.wide = wide;
  return value;
}

}  // namespace

LaneValue LaneFrame::constant(uint64_t bits, bool wide) {
  const auto [entry, inserted] = constants_.try_emplace(bits, program_.scalar_count);
  if (inserted) program_.constants.emplace_back(program_.scalar_count++, bits);
  return scalar_at(entry->second, wide);
}

LaneValue LaneFrame::buffer_length(uint32_t buffer) {
  const auto [entry, inserted] = lengths_.try_emplace(buffer, program_.scalar_count);
  if (inserted) program_.lengths.emplace_back(program_.scalar_count++, buffer);
  return scalar_at(entry->second);
}

LaneValue LaneFrame::workgroup_id(uint32_t axis) const {
  return scalar_at(program_.workgroup_ids[axis]);
}

LaneValue LaneFrame::workgroup_begin(uint32_t axis) const {
  return scalar_at(program_.workgroup_begins[axis]);
}

LaneValue LaneFrame::lane_array(std::optional<uint32_t>& array) {
  if (!array) array = program_.variable_count++;
  LaneValue value;
  value.slot = {Bank::kVariables, *array * program_.strip_lanes};
  value.shape = Shape::kVarying;
  return value;
}

LaneValue LaneFrame::local_id(uint32_t axis) { return lane_array(program_.local_ids[axis]); }

LaneValue LaneFrame::subgroup_local_id() {
  return rules_.single() ? constant(0, false) : lane_array(program_.subgroup_local_id);
}

LaneValue LaneFrame::variable(VariableId id) {
  const Variable& variable = resolved_.variables[id];
  const bool wide = is_wide(variable.type.value_or(DataType::U32));
  const Shape shape = shapes_.variables[id];
  if (shape == Shape::kVarying) {
    const auto [entry, inserted] = slot_arrays_.try_emplace(variable.slot, program_.variable_count);
    if (inserted) ++program_.variable_count;
    LaneValue value;
    value.slot = {Bank::kVariables, entry->second * program_.strip_lanes};
    value.shape = shape;
    value.wide = wide;
    return value;
  }
  // Two scalars for each slot: variables that share it may be of both shapes.
  const auto [entry, inserted] = slot_scalars_.try_emplace(variable.slot, program_.scalar_count);
  if (inserted) program_.scalar_count += 2;
  LaneValue value = scalar_at(entry->second, wide);
  value.shape = shape;
  if (shape == Shape::kAffine) value.step = {Bank::kScalars, entry->second + 1};
  return value;
}

LaneValue LaneFrame::exact_variable(VariableId id) {
  const Variable& variable = resolved_.variables[id];
  const Shape shape = shapes_.variables[id];
  LaneValue value;
  if (shape == Shape::kVarying) {
    const auto [entry, inserted] =
        exact_arrays_.try_emplace(variable.slot, program_.variable_count);
    if (inserted) ++program_.variable_count;
    value.slot = {Bank::kVariables, entry->second * program_.strip_lanes};
  } else {
    const auto [entry, inserted] = exact_scalars_.try_emplace(variable.slot, program_.scalar_count);
    if (inserted) program_.scalar_count += 2;
    value.slot = {Bank::kScalars, entry->second};
    value.step = {Bank::kScalars, entry->second + 1};
  }
  value.shape = shape;
  value.wide = true;
  return value;
}

SiteId LaneFrame::site(const AccessSite& site) {
  const auto next = static_cast<SiteId>(program_.sites.size());
  const auto [entry, inserted] = sites_.try_emplace(site, next);
  if (inserted) program_.sites.push_back(site);
  return entry->second;
}

const std::vector<DerivedStep>& LaneFrame::derived(Op op, DataType::Kind type) {
  const auto [entry, inserted] = derived_.try_emplace({op, type});
  if (inserted) entry->second = derived_steps(op, type);
  return entry->second;
}

}  // namespace vyre::interpreter
