// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Regions: blocks that say which builder made them. A region runs exactly like a block; its
// generator and its parent are provenance, for printing, diagnostics and passes.
//
//   Program::wrapped(buffers, {64, 1, 1}, {wrap_anonymous("my-lib::nn::scale", body)});
//
//   // A builder that is used inside another one:
//   body.push_back(wrap_child("my-lib::nn::row_max", "my-lib::nn::softmax", row_max_body));
//
// Generators are dotted or colon-separated ids. One that ends in #self-exclusive says that the
// program may not hold a second copy of itself; two regions with one such generator are V115.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/node.h"
#include "vyre/ir/program.h"

namespace vyre {

inline constexpr std::string_view kSelfExclusiveSuffix = "#self-exclusive";

// A region without a parent.
Node wrap_anonymous(std::string_view generator, Body body, Place place = Place::here());
// A region, with the parent's generator if there is a parent.
Node wrap(std::string_view generator, Body body, std::optional<std::string> parent,
          Place place = Place::here());
// A region that another builder's region holds.
Node wrap_child(std::string_view generator, std::string_view parent, Body body,
                Place place = Place::here());

// The entry of `program` as statements of a region named `parent`: each region gets that parent,
// root regions and bare statements become regions named inline::<parent>.
std::vector<Node> reparent_program_children(const Program& program, std::string_view parent);

// The program with its whole entry in one region named `parent`, marked as self-exclusive if the
// program cannot be composed with itself.
Program tag_program(std::string_view parent, const Program& program);

// The generator with the self-exclusive mark, once.
std::string mark_self_exclusive_region(std::string_view generator);
bool is_self_exclusive_region(std::string_view generator);

}  // namespace vyre
