// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Where the recorded conformance data is, for the tests that need it.
//
//   const auto dir = test::conformance_dir();
//   if (!dir) return;   // a message has been printed
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace vyre::test {

// The folder, or none, after saying on stdout that the test is skipped and why.
std::optional<std::filesystem::path> conformance_dir();

std::string read_file(const std::filesystem::path& path);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace vyre::test
