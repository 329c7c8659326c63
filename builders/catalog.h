// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The catalog: the builders by name, with their parameters, so that tools and tests can make any
// program from text.
//
//   StatusOr<Program> p = catalog::build("flash_attention_2", {{"seq_len", 130}});
//   catalog::build("flash_atention_2", {});          // error: did you mean flash_attention_2?
//
//   for (const catalog::Entry& entry : catalog::entries()) std::cout << entry.name << '\n';
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::catalog {

struct Parameter {
  std::string_view name;
  uint32_t default_value;
  // Values below this one give a trap program (vyre/builders/trap.h).
  uint32_t minimum;
  std::string_view doc;
};

struct Entry {
  // The arguments are in the order of `parameters`, one each.
  using Build = Program (*)(std::span<const uint32_t> arguments);
  // The exact result of the first output in float64. The inputs are in the order of `inputs`;
  // InvalidArgument if their sizes do not fit the arguments.
  using Oracle = StatusOr<std::vector<double>> (*)(std::span<const uint32_t> arguments,
                                                   std::span<const std::vector<float>> inputs);
  // The shape of one of `inputs` and `outputs`, slowest dimension first.
  using Shape = std::vector<uint32_t> (*)(std::span<const uint32_t> arguments,
                                          std::string_view buffer);
  // The planner's table for people, or why the arguments are impossible.
  using Plan = StatusOr<std::string> (*)(std::span<const uint32_t> arguments);

  std::string_view name;
  std::string_view doc;
  std::span<const Parameter> parameters;
  // Names of the buffers that the caller supplies and gets back, in declaration order.
  std::span<const std::string_view> inputs;
  std::span<const std::string_view> outputs;
  Build build;
  Shape shape;
  Oracle oracle;  // null where there is none
  Plan plan;      // null where there is none
};

// All entries, sorted by name.
std::span<const Entry> entries();

// The entry of that name. NotFound, with the nearest name, if there is none.
StatusOr<const Entry*> find(std::string_view name);

// One argument a parameter, in order: the given value or the default. InvalidArgument, naming each
// unknown parameter and the known one nearest to it.
StatusOr<std::vector<uint32_t>> arguments_for(const Entry& entry,
                                              const std::map<std::string, uint32_t>& parameters);

// The program of that name; parameters that are not given have their defaults.
StatusOr<Program> build(std::string_view name, const std::map<std::string, uint32_t>& parameters);

}  // namespace vyre::catalog
