// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/safetensors.h"

#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/tools/support/array_file.h"

namespace vyre::tools {
namespace {

using Entries = std::vector<SafetensorsEntry>;

// A file of that header and as many bytes of data.
std::string file_of(const std::string& header, size_t data_bytes) {
  std::string file;
  for (size_t i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return file + header + std::string(data_bytes, '\1');
}

StatusOr<Entries> parse(const std::string& file) {
  return parse_safetensors_header(std::as_bytes(std::span<const char>(file)), file.size());
}

std::string error_of(const std::string& file) {
  const StatusOr<Entries> entries = parse(file);
  return entries.ok() ? "" : std::string(message_of(entries.status()));
}

TEST_CASE("a safetensors header names each tensor, in the order of the data") {
  const std::string file = file_of(
      R"( {"b": {"shape": [2, 3], "dtype": "F32", "data_offsets": [4, 28]}, "__metadata__": {"format": "pt"},
           "a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},
           "none": {"dtype": "F64", "shape": [0, 7], "data_offsets": [28, 28]}, "one": {"dtype": "BOOL", "shape": [], "data_offsets": [28, 29]}})",
      29);
  // The header starts with the brace.
  CHECK(error_of(file).find("does not start with {") != std::string::npos);
  const std::string trimmed = file_of(file.substr(9, file.size() - 9 - 29), 29);
  const StatusOr<Entries> entries = parse(trimmed);
  REQUIRE(entries.ok());
  REQUIRE(entries->size() == 4);
  const uint64_t data = trimmed.size() - 29;
  CHECK((*entries)[0].name == "a");
  CHECK((*entries)[0].data_offset == data);
  CHECK((*entries)[1].shape == std::vector<uint64_t>{2, 3});
  CHECK((*entries)[1].data_offset == data + 4);
  CHECK((*entries)[1].bytes == 24);
  CHECK((*entries)[2].elements == 0);
  CHECK((*entries)[3].name == "one");
  CHECK((*entries)[3].elements == 1);
}

TEST_CASE("a malformed safetensors header is refused with what is wrong") {
  const auto tensor = [](const std::string& fields) { return "{\"a\":{" + fields + "}}"; };
  const struct {
    std::string header;
    size_t data;
    const char* part;
  } cases[] = {
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"), 8, "4 bytes belong to no"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"), 3, "are cut off"},
      {tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,4])"), 4, "its shape needs 8"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[4,0])"), 4, "ends before it begins"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])"), 8, "do not start"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0])"), 4, "not two numbers"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,4,4])"), 4, "not two numbers"},
      {tensor(R"("dtype":"F4","shape":[9],"data_offsets":[0,8])"), 7, "are cut off"},
      {tensor(R"("dtype":"F4","shape":[9],"data_offsets":[1,8])"), 8, "do not start"},
      {tensor(R"("dtype":"F32","shape":[-1],"data_offsets":[0,4])"), 4, "negative"},
      {tensor(R"("dtype":"F32","shape":[1.5],"data_offsets":[0,4])"), 4, "not whole"},
      {tensor(R"("dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4])"), 4,
       "not whole"},
      {tensor(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0])"), 0,
       "64 bits"},
      {tensor(R"("dtype":"F32","shape":[1])"), 4, "needs dtype"},
      {tensor(R"("dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4])"), 4, "twice"},
      {tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1)"), 4, "has the key `x`"},
      {tensor(R"("dtype":["F32"],"shape":[1],"data_offsets":[0,4])"), 4, "a list stands"},
      {tensor(R"("dtype":"F32","shape":[[1]],"data_offsets":[0,4])"), 4, "a list stands"},
      {tensor(R"("dtype":"F32","shape":1,"data_offsets":[0,4])"), 4, "a number stands"},
      {tensor(R"("dtype":null,"shape":[1],"data_offsets":[0,4])"), 4, "a null"},
      {tensor(R"("dtype":true,"shape":[1],"data_offsets":[0,4])"), 4, "a bool"},
      {tensor(R"("dtype":{},"shape":[1],"data_offsets":[0,4])"), 4, "nested too deep"},
      {R"({"a":"F32"})", 0, "a string stands"},
      {R"({"a":[]})", 0, "a list stands"},
      {R"({"a":3})", 0, "a number stands"},
      {R"({"a":{},"a":{}})", 0, "needs dtype"},
      {R"({"__metadata__":{},"__metadata__":{}})", 0, "stands twice"},
      {R"({"__metadata__":{"a":{}}})", 0, "nested too deep"},
      {R"({"__metadata__":{"a":[1]}})", 0, "a list stands"},
      {R"({"__metadata__":{"a":1}})", 0, "a number stands"},
      {R"([])", 0, "does not start"},
      {R"({"a":)", 0, "no JSON"},
      {std::string(100000, '{'), 0, "no JSON"},
      {R"({"a":)" + std::string(100000, '['), 0, "a list stands"},
  };
  for (const auto& c : cases) {
    INFO(c.header.substr(0, 200));
    CHECK(error_of(file_of(c.header, c.data)).find(c.part) != std::string::npos);
  }
  CHECK(error_of(file_of("{}", 0)).empty());
  CHECK(error_of("1234567").find("fewer than 8") != std::string::npos);
  CHECK(error_of(std::string(8, '\xFF')).find("are the limit") != std::string::npos);
  CHECK(error_of(std::string("\x10\0\0\0\0\0\0\0{}", 10)).find("cut off") != std::string::npos);
  const std::string dims = "[1" + [] {
    std::string more;
    for (int i = 0; i < 32; ++i) more += ",1";
    return more;
  }() + "]";
  CHECK(error_of(file_of(tensor("\"shape\":" + dims), 0)).find("more than 32") !=
        std::string::npos);
}

TEST_CASE("every truncation and changed byte of a safetensors file is refused or read") {
  const std::vector<uint64_t> shape = {2, 3};
  const std::string file = safetensors_header_bytes("q", "F32", shape, 24) + std::string(24, 'x');
  REQUIRE(error_of(file).empty());
  for (size_t size = 0; size < file.size(); ++size) {
    CHECK(!error_of(file.substr(0, size)).empty());
  }
  for (size_t i = 0; i < file.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = file;
      changed[i] = static_cast<char>(byte);
      const std::string error = error_of(changed);
      CHECK((error.empty() || error.find("Fix: ") != std::string::npos));
    }
  }
}

TEST_CASE("an array of a safetensors file is the tensor of the buffer's name, or the one named") {
  const test::ScratchDir dir;
  const auto header = file_of(
      R"({"q":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"keys":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
      0);
  const std::string path = dir.file("m.safetensors");
  test::write_text(path, header + "abcd");
  const auto read = [](const std::string& file, const std::string& name) -> std::string {
    const auto bytes = read_array(file, {DataType::U8, 2, {}, name});
    if (!bytes.ok()) return std::string(message_of(bytes.status()));
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
  };
  CHECK(read(path, "q") == "ab");
  CHECK(read(path, "keys") == "cd");
  CHECK(read(path + ":keys", "q") == "cd");
  CHECK(read(path, "v").find("it has no tensor `v`") != std::string::npos);
  CHECK(read(path + ":kezs", "q").find("did you mean `keys`?") != std::string::npos);
  const auto wrong = read_array(path, {DataType::F32, 2, {}, "q"});
  CHECK(message_of(wrong.status()).find("elements of U8, and the buffer holds f32") !=
        std::string::npos);
}

TEST_CASE("a tensor of an unknown dtype is in nobody's way unless it is asked for") {
  const test::ScratchDir dir;
  const std::string path = dir.file("m.safetensors");
  const auto read = [&path](const std::string& name) -> std::string {
    const auto bytes = read_array(path, {DataType::U8, 2, {}, name});
    return bytes.ok() ? std::string(reinterpret_cast<const char*>(bytes->data()), 2)
                      : std::string(message_of(bytes.status()));
  };
  for (const std::string dtype : {"C64", "F4", "F6_E2M3", "F8_E8M0", "U128"}) {
    INFO(dtype);
    const std::string header = file_of(R"({"z":{"dtype":")" + dtype + R"(","shape":[2],)" +
                                           R"("data_offsets":[0,3]},"q":{"dtype":"U8",)" +
                                           R"("shape":[2],"data_offsets":[3,5]}})",
                                       0);
    test::write_text(path, header + "abcde");
    CHECK(read("q") == "de");
    CHECK(read("z").find("elements of " + dtype + ", and the buffer holds u8") !=
          std::string::npos);
  }
}

}  // namespace
}  // namespace vyre::tools
