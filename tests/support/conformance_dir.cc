// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/support/conformance_dir.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace vyre::test {

std::optional<std::filesystem::path> conformance_dir() {
  std::string dir = VYRE_CONFORMANCE_DIR;
  if (const char* overridden = std::getenv("VYRE_CONFORMANCE_DIR")) dir = overridden;
  if (dir.empty()) {
    std::printf("SKIPPED: VYRE_CONFORMANCE_DIR is not set, so there is no recorded data\n");
    return std::nullopt;
  }
  return std::filesystem::path(dir);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(read_file(path));
}

}  // namespace vyre::test
