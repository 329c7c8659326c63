// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/fixture.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/tools/tool_process.h"

namespace vyre::tools {
namespace {

constexpr const char* kGood = R"({"version": 1, "program": "flash_attention_2",
  "dims": {"seq_len": 8, "head_dim": 16}, "inputs": {"q": "q.npy", "k": "sub/k.f32"},
  "expected": {"out": "out.npy"}, "atol": 1e-5})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& json) {
  const StatusOr<Fixture> fixture = parse_fixture("dir", json);
  return fixture.ok() ? "" : std::string(message_of(fixture.status()));
}

TEST_CASE("a fixture has a program, its dimensions, files and a tolerance") {
  const StatusOr<Fixture> fixture = parse_fixture("dir", kGood);
  REQUIRE(fixture.ok());
  CHECK(fixture->program == "flash_attention_2");
  CHECK(fixture->dimensions == std::map<std::string, uint32_t>{{"head_dim", 16}, {"seq_len", 8}});
  CHECK(fixture->inputs ==
        std::map<std::string, std::string>{{"k", "dir/sub/k.f32"}, {"q", "dir/q.npy"}});
  CHECK(fixture->expected == std::map<std::string, std::string>{{"out", "dir/out.npy"}});
  CHECK(fixture->tolerance.absolute == 1e-5);
  CHECK(fixture->tolerance.relative == 0);
}

TEST_CASE("what is wrong with a fixture is named") {
  const auto has = [](const std::string& error, const std::string& part) {
    INFO(error);
    CHECK(error.find(part) != std::string::npos);
    CHECK(error.find('\n') == std::string::npos);
  };
  has(error_of(""), "no JSON");
  has(error_of("{"), "no JSON");
  has(error_of("[]"), "no object");
  has(error_of(replaced(kGood, "\"atol\"", "\"attol\"")), "did you mean `atol`?");
  has(error_of(replaced(kGood, "\"version\": 1,", "")), "lacks the key `version`");
  has(error_of(replaced(kGood, "\"version\": 1", "\"version\": 2")), "`version` is wrong");
  has(error_of(replaced(kGood, "\"version\": 1", "\"version\": 1, \"version\": 1")), "twice");
  has(error_of(replaced(kGood, "\"q\": \"q.npy\"", "\"q\": \"q.npy\", \"q\": \"r.npy\"")),
      "`q` stands twice");
  has(error_of(replaced(kGood, "\"flash_attention_2\"", "7")), "`program` is wrong");
  has(error_of(replaced(kGood, "\"seq_len\": 8", "\"seq_len\": -8")), "`dims.seq_len` is wrong");
  has(error_of(replaced(kGood, "\"seq_len\": 8", "\"seq_len\": 8.5")), "`dims.seq_len` is wrong");
  has(error_of(replaced(kGood, "\"seq_len\": 8", "\"seq_len\": 4294967296")),
      "`dims.seq_len` is wrong");
  has(error_of(replaced(kGood, "\"q.npy\"", "\"/q.npy\"")), "in the fixture's folder");
  has(error_of(replaced(kGood, "\"q.npy\"", "\"../q.npy\"")), "in the fixture's folder");
  has(error_of(replaced(kGood, "\"q.npy\"", "7")), "`inputs.q` is wrong");
  has(error_of(replaced(kGood, "{\"out\": \"out.npy\"}", "{}")), "at least one output");
  has(error_of(replaced(kGood, "1e-5", "-1")), "`atol` is wrong");
  has(error_of(replaced(kGood, "1e-5", "1e999")), "");
  has(error_of(replaced(kGood, "1e-5", "\"small\"")), "`atol` is wrong");
}

TEST_CASE("a deeply nested or damaged fixture is refused without a crash") {
  CHECK_FALSE(error_of(std::string(200000, '[')).empty());
  CHECK_FALSE(error_of(std::string(200000, '[') + std::string(200000, ']')).empty());
  const unsigned seed = 7;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 5000; ++i) {
    std::string bad = kGood;
    bad[random() % bad.size()] = static_cast<char>(random());
    (void)parse_fixture("dir", bad);
  }
}

TEST_CASE("fixtures are found below a folder, sorted") {
  const test::ScratchDir dir;
  for (const char* name : {"b", "a/nested", "c"}) {
    std::filesystem::create_directories(dir.path() / name);
  }
  CHECK_FALSE(find_fixtures(dir.path().string()).ok());
  for (const char* name : {"b", "a/nested"}) {
    test::write_text(dir.path() / name / kFixtureFile, kGood);
  }
  CHECK(find_fixtures(dir.path().string()).value() ==
        std::vector<std::string>{dir.file("a/nested"), dir.file("b")});
  CHECK_FALSE(find_fixtures(dir.file("none")).ok());
}

}  // namespace
}  // namespace vyre::tools
