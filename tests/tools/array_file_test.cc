// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/array_file.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/tools/support/npy.h"
#include "vyre/tools/support/random_inputs.h"

namespace vyre::tools {
namespace {

using test::ScratchDir;
using test::write_text;

constexpr DataType::Kind kElements[] = {
    DataType::Bool, DataType::U8,  DataType::U16, DataType::U32,    DataType::U64,
    DataType::I8,   DataType::I16, DataType::I32, DataType::I64,    DataType::F16,
    DataType::BF16, DataType::F32, DataType::F64, DataType::F8E4M3, DataType::F8E5M2};

std::string error_of(const std::string& path, const ArraySpec& spec) {
  const auto bytes = read_array(path, spec);
  return bytes.ok() ? "" : std::string(message_of(bytes.status()));
}

TEST_CASE("arrays of every element type read back from npy, safetensors and raw files") {
  const ScratchDir dir;
  for (const DataType::Kind element : kElements) {
    const std::string spelling = DataType(element).spelling();
    const ArraySpec spec{element, 24, {4, 6}, "x"};
    const std::vector<std::byte> bytes = generate({}, element, 24, 0);
    for (const std::string& name : {std::string("x.npy"), std::string("x.safetensors"),
                                    std::string("x.safetensors:layers.0"), "x." + spelling}) {
      INFO(spelling << " in " << name);
      const StatusOr<std::string> file = array_file_bytes(name, spec, bytes);
      REQUIRE(file.ok());
      write_text(dir.path() / name.substr(0, name.find(':')), *file);
      CHECK(error_of(dir.file(name), spec) == "");
      CHECK(read_array(dir.file(name), spec).value() == bytes);
    }
  }
}

TEST_CASE("an npy file has the shape that is known, and is flat otherwise") {
  const std::vector<std::byte> bytes = generate({}, DataType::F32, 12, 0);
  const auto shape_of = [&bytes](const ArraySpec& spec) {
    const std::string file = array_file_bytes("x.npy", spec, bytes).value();
    return parse_npy_header(std::as_bytes(std::span<const char>(file)), file.size())->shape;
  };
  CHECK(shape_of({DataType::F32, 12, {3, 4}}) == std::vector<uint64_t>{3, 4});
  CHECK(shape_of({DataType::F32, 12, {}}) == std::vector<uint64_t>{12});
  CHECK(shape_of({DataType::F32, 12, {5, 5}}) == std::vector<uint64_t>{12});
}

TEST_CASE("an array that does not fit its buffer says what is wrong") {
  const ScratchDir dir;
  const ArraySpec spec{DataType::F32, 12, {3, 4}};
  const auto has = [](const std::string& error, const std::string& part) {
    INFO(error);
    CHECK(error.find(part) != std::string::npos);
    CHECK(error.find('\n') == std::string::npos);
  };
  const auto npy = [&dir](const std::string& descr, std::vector<uint64_t> shape, size_t bytes) {
    write_text(dir.path() / "x.npy", npy_header_bytes(descr, shape) + std::string(bytes, '\0'));
    return dir.file("x.npy");
  };
  CHECK(error_of(npy("<f4", {3, 4}, 48), spec) == "");
  CHECK(error_of(npy("<f4", {12}, 48), spec) == "");
  has(error_of(npy("<f4", {4, 3}, 48), spec), "its shape is (4, 3), and the buffer's is (3, 4)");
  has(error_of(npy("<f4", {3, 3}, 36), spec), "it has 9 elements, and the buffer has 12");
  has(error_of(npy("<f4", {3, 5}, 60), spec), "it has 15 elements, and the buffer has 12");
  has(error_of(npy("<f8", {3, 4}, 96), spec), "it holds elements of f8, and the buffer holds f32");
  has(error_of(npy("<i4", {3, 4}, 48), spec), "it holds elements of i4");
  has(error_of(npy("<f4", {3, 4}, 47), spec), "truncated");
  write_text(dir.path() / "x.f32", std::string(44, '\0'));
  has(error_of(dir.file("x.f32"), spec), "it has 11 elements");
  write_text(dir.path() / "x.f32", std::string(47, '\0'));
  has(error_of(dir.file("x.f32"), spec), "no whole number");
  write_text(dir.path() / "x.u32", std::string(48, '\0'));
  has(error_of(dir.file("x.u32"), spec), "elements of u32 by its name");
  has(error_of(dir.file("x.txt"), spec), "does not say what it holds");
  has(error_of(dir.file("none.npy"), spec), "No such file");
  has(error_of("/", {DataType::F32, {}, {}}), "does not say what it holds");
  std::filesystem::create_directory(dir.path() / "folder.npy");
  has(error_of(dir.file("folder.npy"), spec), "Is a directory");
  REQUIRE(::mkfifo(dir.file("pipe.npy").c_str(), 0600) == 0);
  has(error_of(dir.file("pipe.npy"), spec), "no regular file");
}

TEST_CASE("a huge file is refused before anything is allocated for it") {
  const ScratchDir dir;
  const std::string path = dir.file("huge.f32");
  write_text(path, "");
  std::filesystem::resize_file(path, uint64_t{1} << 40);
  const auto counted = read_array(path, {DataType::F32, 12, {}});
  CHECK(absl::IsInvalidArgument(counted.status()));
  const auto any = read_array(path, {DataType::F32, std::nullopt, {}});
  CHECK(absl::IsResourceExhausted(any.status()));
}

TEST_CASE("an npy bool is 0 or 1") {
  const ScratchDir dir;
  const std::vector<uint64_t> shape = {2};
  write_text(dir.path() / "x.npy", npy_header_bytes("|b1", shape) + std::string("\x01\x02", 2));
  CHECK(error_of(dir.file("x.npy"), {DataType::Bool, 2, {}}).find("element 1 is 2") !=
        std::string::npos);
}

}  // namespace
}  // namespace vyre::tools
