// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every truncation and changed byte of a file. Files of more than kWholeBytes are sampled, unless
// VYRE_ALL_MUTATIONS is set.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/conformance/scenarios.h"
#include "tests/support/conformance_dir.h"
#include "tests/support/every_construct.h"
#include "tests/wire/mutated_files.h"
#include "vyre/builders/catalog.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre {
namespace {

constexpr size_t kWholeBytes = 1200;

size_t stride_for(size_t bytes) {
  if (std::getenv("VYRE_ALL_MUTATIONS") != nullptr) return 1;
  return 1 + bytes / kWholeBytes * 7;
}

void add(test::MutationCounts& sum, const test::MutationCounts& counts) {
  sum.tried += counts.tried;
  sum.programs += counts.programs;
}

TEST_CASE("damaged files of our own give a diagnostic or a program") {
  test::MutationCounts sum;
  const auto mutate = [&sum](const Program& program) {
    const wire::Encoded encoded = wire::encode(program);
    if (!encoded.ok()) return;
    add(sum, test::check_mutations(encoded.bytes, stride_for(encoded.bytes.size())));
  };
  mutate(catalog::build("flash_attention_2", {}).value());
  for (auto* scenarios : {&test::memory_scenarios, &test::lanes_scenarios}) {
    const std::vector<test::Scenario> all = (*scenarios)();
    for (size_t i = 0; i < all.size(); i += 10) mutate(all[i].program);
  }
  for (const DataType& type : test::every_type()) {
    mutate(Program::wrapped({}, {1, 1, 1}, {Node::let_bind("a", Expr::cast(type, 0u))}));
  }
  for (const BufferDecl& decl : test::every_declaration()) {
    mutate(Program::wrapped({decl}, {1, 1, 1}, {}));
  }
  CHECK(sum.tried > 20'000);
  CHECK(sum.programs > 100);
}

TEST_CASE("damaged recorded files give a diagnostic or a program") {
  const auto dir = test::conformance_dir();
  if (!dir) return;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"vyre/wire", "vyre/scenarios"}) {
    for (const auto& entry : std::filesystem::directory_iterator(*dir / folder)) {
      if (entry.path().extension() == ".vir0") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  CHECK(files.size() > 150);
  const bool all = std::getenv("VYRE_ALL_MUTATIONS") != nullptr;
  if (!all) std::puts("one file in five; set VYRE_ALL_MUTATIONS=1 for every byte of all");
  test::MutationCounts sum;
  for (size_t i = 0; i < files.size(); i += all ? 1 : 5) {
    INFO(files[i]);
    const std::string file = test::read_file(files[i]);
    add(sum, test::check_mutations(file, stride_for(file.size())));
  }
  std::printf("%llu damaged files, %llu of them programs\n",
              static_cast<unsigned long long>(sum.tried),
              static_cast<unsigned long long>(sum.programs));
  CHECK(sum.programs > 1000);
}

}  // namespace
}  // namespace vyre
