// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "tests/wire/mutated_files.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::test {
namespace {

void reseal(std::string& file) {
  if (file.size() < wire::kHeaderBytes) return;
  const auto digest = wire::blake3(std::string_view(file).substr(wire::kHeaderBytes));
  std::memcpy(file.data() + wire::kDigestOffset, digest.data(), digest.size());
}

// Whether it is a program.
bool check_decoded(const std::string& file) {
  const wire::Decoded decoded = wire::decode(file);
  if (!decoded.program) {
    REQUIRE(decoded.diagnostics.size() == 1);
    const Diagnostic& error = decoded.diagnostics.front();
    const DiagnosticInfo* info = find_diagnostic(error.code);
    REQUIRE(info != nullptr);
    REQUIRE(info->which == DiagnosticClass::kWire);
    REQUIRE(!error.cause.empty());
    REQUIRE(error.fix.ends_with('.'));
    return false;
  }
  REQUIRE(decoded.diagnostics.empty());
  const wire::Encoded encoded = wire::encode(*decoded.program);
  // A file of revision 6 has one form.
  if (encoded.ok() && file[4] == 6) REQUIRE(encoded.bytes == file);
  return true;
}

void try_both(std::string file, MutationCounts& counts) {
  counts.tried += 2;
  counts.programs += check_decoded(file) ? 1 : 0;
  reseal(file);
  counts.programs += check_decoded(file) ? 1 : 0;
}

}  // namespace

MutationCounts check_mutations(const std::string& file, size_t stride) {
  MutationCounts counts;
  for (size_t i = 0; i < file.size(); i += stride) try_both(file.substr(0, i), counts);
  for (size_t i = 0; i < file.size(); i += stride) {
    const auto value = static_cast<uint8_t>(file[i]);
    for (const int changed : {0x00, 0x7F, 0x80, 0xFF, value + 1, value - 1}) {
      if (static_cast<uint8_t>(changed) == value) continue;
      std::string damaged = file;
      damaged[i] = static_cast<char>(changed);
      try_both(std::move(damaged), counts);
    }
  }
  return counts;
}

}  // namespace vyre::test
