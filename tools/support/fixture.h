// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Fixtures: folders that hold a program's name, its inputs and the outputs it must give.
//
//   {"version": 1, "program": "flash_attention_2",
//    "dims": {"seq_len": 8, "head_dim": 16, "tile_size": 4},
//    "inputs": {"q": "q.npy", "k": "k.npy", "v": "v.npy"},
//    "expected": {"out": "out.npy"}, "atol": 1e-5, "rtol": 0}
//
//   StatusOr<Fixture> fixture = read_fixture("examples/fixtures/flash_attention_2_8x16_t4");
//
// This is fixture.json, in the folder. dims, atol and rtol may be left out: defaults of the
// catalog, and bits compared. Files are named relative to the folder and lie in it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vyre/ir/status.h"
#include "vyre/tools/support/compare.h"

namespace vyre::tools {

struct Fixture {
  std::string folder;
  std::string program;
  std::map<std::string, uint32_t> dimensions;
  std::map<std::string, std::string> inputs;    // buffer to path
  std::map<std::string, std::string> expected;  // buffer to path
  Tolerance tolerance;
};

inline constexpr const char* kFixtureFile = "fixture.json";

// InvalidArgument, naming the file and the key: it cannot be read, is no JSON, or has a key that is
// unknown, missing, given twice, or of the wrong kind.
StatusOr<Fixture> read_fixture(const std::string& folder);

// The same from text; `folder` stands before the paths.
StatusOr<Fixture> parse_fixture(const std::string& folder, const std::string& json);

// The folders with a fixture.json in a folder or anywhere below it, sorted by path. Links to
// folders are not followed. InvalidArgument if there is none, or a folder cannot be read.
StatusOr<std::vector<std::string>> find_fixtures(const std::string& folder);

}  // namespace vyre::tools
