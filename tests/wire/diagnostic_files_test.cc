// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// tests/diagnostics has two files a code: one that breaks the rule, and one that just does not.
// Those of the binary form are made here; with VYRE_BLESS set, they are written anew.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/support/conformance_dir.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/wire/blake3.h"
#include "vyre/ir/wire/limits.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(VYRE_SOURCE_DIR) / "tests/diagnostics"; }

std::string file_of(const Program& program) {
  const wire::Encoded encoded = wire::encode(program);
  INFO(to_string(encoded.diagnostics));
  REQUIRE(encoded.ok());
  return encoded.bytes;
}

BufferDecl output() { return BufferDecl::output("y", 0, DataType::U32).with_count(4); }

Program storing(Expr value, BufferDecl decl = output()) {
  return Program::wrapped({std::move(decl)}, {4, 1, 1},
                          {Node::store("y", Expr::gid_x(), std::move(value))});
}

// A file and one that a change of it gives, sealed again where the change is behind the header.
struct Pair {
  std::string near;
  std::string broken;
};

Pair changed(const Program& program, void (*change)(std::string& file)) {
  Pair pair{file_of(program), file_of(program)};
  change(pair.broken);
  REQUIRE(pair.broken != pair.near);
  return pair;
}

Pair changed_body(const Program& program, void (*change)(std::string& body)) {
  Pair pair{file_of(program), ""};
  std::string body = pair.near.substr(wire::kHeaderBytes);
  change(body);
  const auto digest = wire::blake3(body);
  pair.broken =
      pair.near.substr(0, wire::kDigestOffset) + std::string(digest.begin(), digest.end()) + body;
  REQUIRE(pair.broken != pair.near);
  return pair;
}

// The place behind a text that occurs in the bytes.
size_t behind(const std::string& bytes, std::string_view text) {
  const size_t at = bytes.find(text);
  REQUIRE(at != std::string::npos);
  return at + text.size();
}

// Behind the name of the buffer in the metadata: binding, count, then booleans.
size_t behind_name(const std::string& body) {
  return behind(body, std::string_view("\x01\0\0\0y", 5));
}

std::map<std::string, Pair> pairs() {
  const Program plain = storing(Expr::u32(7));
  const Program extension = storing(Expr::opaque_binary(0x80000001, Expr::u32(1), Expr::u32(2)));
  const Program ranged = storing(Expr::u32(7), output().with_output_byte_range({0, 16}));
  ShapePredicate deep = ShapePredicate::at_least(1);
  for (uint32_t i = 1; i < wire::kMaxPredicateDepth; ++i) deep = ShapePredicate::negated(deep);
  const Program shaped = storing(Expr::u32(7), output().with_shape_predicate(deep));
  std::map<std::string, Pair> all;
  all["W001"] = changed(plain, [](std::string& file) { file[3] = 'F'; });
  all["W002"] = changed(plain, [](std::string& file) { file[4] = 7; });
  all["W003"] = changed(plain, [](std::string& file) { file[6] = 5; });
  all["W004"] = changed(plain, [](std::string& file) { file.back() = 1; });
  all["W005"] = changed_body(plain, [](std::string& body) { body.replace(0, 1, "\x80\x89\x7A"); });
  all["W006"] = changed_body(plain, [](std::string& body) { body.pop_back(); });
  all["W007"] = changed_body(plain, [](std::string& body) { body += '\0'; });
  all["W008"] =
      changed_body(plain, [](std::string& body) { body.replace(0, 1, std::string("\x82\0", 2)); });
  all["W009"] =
      changed_body(plain, [](std::string& body) { body[behind_name(body) - 1] = '\xFF'; });
  all["W010"] = changed_body(plain, [](std::string& body) { body[behind_name(body) + 8] = 2; });
  all["W011"] = changed_body(
      plain, [](std::string& body) { body[behind(body, "vyre.node.region") + 1] = 0x7E; });
  all["W012"] = changed_body(extension, [](std::string& body) {
    body[behind(body, std::string_view("\x09\x80\x01\0\0", 5))] = 0;
  });
  all["W013"] = changed_body(
      plain, [](std::string& body) { body[behind(body, "vyre.node.region") - 1] = 'm'; });
  // The last record's operand count stands before the number of regions, which is 1.
  all["W014"] = changed_body(plain, [](std::string& body) {
    const size_t payload = behind(body, "vyre.node.region");
    const size_t count = payload + 1 + static_cast<unsigned char>(body[payload]);
    body.replace(count, 1, std::string("\x01\0", 2));
  });
  all["W015"] =
      changed_body(plain, [](std::string& body) { body[behind(body, "VYRE-META") - 1] = 'B'; });
  all["W016"] =
      changed_body(plain, [](std::string& body) { body[behind(body, "VYRE-META") + 1] = 0; });
  // Of the last region: id, kind, access, element, shape tag, shape length, count; then the hints'
  // length and 6 bytes, then the output set, 1 and 0.
  all["W017"] = changed_body(plain, [](std::string& body) {
    body[behind_name(body) + 4] = 0;
    body[body.size() - 10] = 0;
  });
  // present, start, end
  all["W018"] = changed_body(ranged, [](std::string& body) { body[behind_name(body) + 12] = 17; });
  all["W019"] = changed_body(plain, [](std::string& body) { body[body.size() - 10] = 5; });
  all["W020"] = changed_body(plain, [](std::string& body) { body[body.size() - 13] = 0x1E; });
  // One level more, in a record that is one byte longer.
  all["W021"] = changed_body(shaped, [](std::string& body) {
    body.insert(behind(body, "\x09\x09"), 1, '\x09');
    ++body[behind(body, wire::kMetadataRecord)];
  });
  all["W022"] = changed_body(plain, [](std::string& body) {
    body.resize(body.size() - 2);
    body += '\0';
  });
  return all;
}

std::string code_of(const std::vector<Diagnostic>& diagnostics) {
  return diagnostics.empty() ? "" : diagnostics.front().code;
}

TEST_CASE("each code of the decoder has a file that has it and one that just has it not") {
  for (const auto& [code, pair] : pairs()) {
    for (const auto& [name, bytes] :
         {std::pair(code + ".vir0", pair.broken), std::pair(code + ".near.vir0", pair.near)}) {
      INFO(name << "; set VYRE_BLESS=1 to write it");
      const bool near = name.find("near") != std::string::npos;
      const wire::Decoded decoded = wire::decode(bytes);
      INFO(to_string(decoded.diagnostics));
      CHECK(code_of(decoded.diagnostics) == (near ? "" : code));
      if (std::getenv("VYRE_BLESS") != nullptr) {
        std::ofstream(folder() / name, std::ios::binary) << bytes;
      }
      CHECK((test::read_file(folder() / name) == bytes));
    }
  }
}

TEST_CASE("each code of the encoder has a text that has it and one that just has it not") {
  for (const std::string code : {"W023", "W024", "W025"}) {
    for (const std::string& name : {code + ".vyre", code + ".near.vyre"}) {
      INFO(name);
      const StatusOr<Program> program = parse_program(test::read_file(folder() / name), name);
      REQUIRE(program.ok());
      CHECK(code_of(wire::encode(*program).diagnostics) ==
            (name.find("near") == std::string::npos ? code : ""));
    }
  }
}

TEST_CASE("every code of the binary form has its files") {
  int codes = 0;
  for (const DiagnosticInfo& info : all_diagnostics()) {
    if (info.which != DiagnosticClass::kWire) continue;
    INFO(info.code);
    ++codes;
    const std::string code(info.code);
    const char* extension = fs::exists(folder() / (code + ".vir0")) ? ".vir0" : ".vyre";
    CHECK(fs::exists(folder() / (code + extension)));
    CHECK(fs::exists(folder() / (code + ".near" + extension)));
  }
  CHECK(codes == 25);
}

}  // namespace
}  // namespace vyre
