// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/catalog.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "vyre/builders/flash_attention_2.h"
#include "vyre/builders/trap.h"
#include "vyre/ir/validate/validate.h"

namespace vyre {
namespace {

TEST_CASE("every entry's defaults make a program with the buffers that it names") {
  REQUIRE(catalog::entries().size() >= 2);
  for (const catalog::Entry& entry : catalog::entries()) {
    INFO(entry.name);
    const StatusOr<Program> program = catalog::build(entry.name, {});
    REQUIRE(program.ok());
    CHECK_FALSE(is_trap_program(*program));
    CHECK(program->extent().has_value());
    std::vector<std::string_view> inputs;
    std::vector<std::string_view> outputs;
    for (const BufferDecl& buffer : program->buffers()) {
      if (buffer.is_input()) inputs.push_back(buffer.name());
      if (buffer.is_returned()) outputs.push_back(buffer.name());
    }
    CHECK(std::ranges::equal(inputs, entry.inputs));
    CHECK(std::ranges::equal(outputs, entry.outputs));
    CHECK_FALSE(entry.doc.empty());
    for (const catalog::Parameter& parameter : entry.parameters) {
      CHECK_FALSE(parameter.doc.empty());
      CHECK(parameter.default_value >= parameter.minimum);
    }
  }
}

TEST_CASE("the validator has nothing against any entry, nor against its trap program") {
  for (const catalog::Entry& entry : catalog::entries()) {
    INFO(entry.name);
    CHECK(validate(*catalog::build(entry.name, {})).to_string() == "");
    const std::string first(entry.parameters.front().name);
    CHECK(validate(*catalog::build(entry.name, {{first, 0}})).to_string() == "");
    CHECK(validate(*catalog::build(entry.name, {}), ValidateOptions::original()).ok());
  }
}

TEST_CASE("a value below a parameter's minimum gives a trap program") {
  for (const catalog::Entry& entry : catalog::entries()) {
    for (const catalog::Parameter& parameter : entry.parameters) {
      INFO(entry.name << " " << parameter.name);
      const std::string name(parameter.name);
      CHECK_FALSE(is_trap_program(*catalog::build(entry.name, {{name, parameter.minimum}})));
      if (parameter.minimum == 0) continue;
      CHECK(is_trap_program(*catalog::build(entry.name, {{name, parameter.minimum - 1}})));
    }
  }
}

TEST_CASE("parameters are given by name and default otherwise") {
  CHECK(*catalog::build("flash_attention_2", {}) ==
        flash_attention_2("q", "k", "v", "out", 8, 16, 4));
  CHECK(*catalog::build("flash_attention_2", {{"tile_size", 2}, {"seq_len", 130}}) ==
        flash_attention_2("q", "k", "v", "out", 130, 16, 2));
  CHECK(*catalog::build("flash_attention_2_reference", {{"head_dim", 3}}) ==
        flash_attention_2_reference("q", "k", "v", "out", 8, 3));
}

TEST_CASE("an unknown name suggests the nearest known one") {
  const StatusOr<Program> near = catalog::build("flash_atention2", {});
  REQUIRE_FALSE(near.ok());
  CHECK(near.status().code() == absl::StatusCode::kNotFound);
  CHECK(message_of(near.status()) ==
        "no program named `flash_atention2` in the catalog. Fix: did you mean "
        "`flash_attention_2`? Known: flash_attention_2, flash_attention_2_reference.");
  const StatusOr<const catalog::Entry*> far = catalog::find("");
  CHECK(message_of(far.status()) ==
        "no program named `` in the catalog. Fix: use one of: flash_attention_2, "
        "flash_attention_2_reference.");
}

TEST_CASE("each unknown parameter is reported") {
  const StatusOr<Program> program =
      catalog::build("flash_attention_2", {{"seqlen", 4}, {"colour", 1}, {"head_dim", 2}});
  REQUIRE_FALSE(program.ok());
  CHECK(program.status().code() == absl::StatusCode::kInvalidArgument);
  CHECK(message_of(program.status()) ==
        "flash_attention_2 has no parameter `colour`. Fix: use one of: seq_len, head_dim, "
        "tile_size.\n"
        "flash_attention_2 has no parameter `seqlen`. Fix: did you mean `seq_len`? Known: seq_len, "
        "head_dim, tile_size.");
}

TEST_CASE("an oracle takes the entry's inputs") {
  const catalog::Entry& entry = **catalog::find("flash_attention_2");
  const std::vector<uint32_t> arguments =
      *catalog::arguments_for(entry, {{"seq_len", 1}, {"head_dim", 2}});
  CHECK(arguments == std::vector<uint32_t>{1, 2, 4});
  const std::vector<float> v{3.0F, -4.0F};
  const StatusOr<std::vector<double>> exact =
      entry.oracle(arguments, std::vector<std::vector<float>>{{1.0F, 2.0F}, {0.5F, 1.5F}, v});
  REQUIRE(exact.ok());
  CHECK(*exact == std::vector<double>{3.0, -4.0});
  CHECK_FALSE(entry.oracle(arguments, std::vector<std::vector<float>>{v, v}).ok());
  CHECK_FALSE(entry.oracle(arguments, std::vector<std::vector<float>>{v, v, {1.0F}}).ok());
}

}  // namespace
}  // namespace vyre
