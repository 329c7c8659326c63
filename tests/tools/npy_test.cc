// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/npy.h"

#include <catch2/catch.hpp>
#include <random>

namespace vyre::tools {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span<const char>(text));
}

// A file of version 1.0 with that dictionary and so many bytes of data.
std::string file_with(std::string dictionary, size_t data_bytes) {
  dictionary += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size() & 0xFF);
  file += static_cast<char>(dictionary.size() >> 8);
  return file + dictionary + std::string(data_bytes, '\0');
}

StatusOr<NpyHeader> parse(const std::string& file) {
  return parse_npy_header(bytes_of(file), file.size());
}

std::string error_of(const std::string& file) {
  const StatusOr<NpyHeader> header = parse(file);
  return header.ok() ? "" : std::string(message_of(header.status()));
}

TEST_CASE("npy headers read back as they were written") {
  for (const std::vector<uint64_t>& shape :
       {std::vector<uint64_t>{}, {128}, {8, 16}, {2, 3, 4}, {0}, {5, 0}}) {
    uint64_t elements = 1;
    for (const uint64_t extent : shape) elements *= extent;
    const std::string file = npy_header_bytes("<f4", shape) + std::string(elements * 4, '\0');
    const StatusOr<NpyHeader> header = parse(file);
    INFO(shape_text(shape) << ": " << error_of(file));
    REQUIRE(header.ok());
    CHECK(header->shape == shape);
    CHECK(header->elements == elements);
    CHECK(header->dtype() == "f4");
    CHECK(header->data_offset % 64 == 0);
  }
}

TEST_CASE("npy headers are read in the forms that NumPy and others write") {
  CHECK(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24)) ==
        "");
  CHECK(error_of(file_with("{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}", 24)) ==
        "");
  CHECK(error_of(file_with("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", 3)) == "");
  std::string version_2("\x93NUMPY\x02\x00", 8);
  const std::string text = "{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}\n";
  version_2 += static_cast<char>(text.size());
  version_2 += std::string("\0\0\0", 3) + text + std::string(8, '\0');
  CHECK(error_of(version_2) == "");
}

TEST_CASE("what npy files cannot be read says why") {
  const std::string shape = "'fortran_order': False, 'shape': (2,)}";
  const auto has = [](const std::string& error, const std::string& part) {
    INFO(error);
    CHECK(error.find(part) != std::string::npos);
    CHECK(error.find("Fix: ") != std::string::npos);
  };
  has(error_of(""), "no npy file");
  has(error_of("PK\x03\x04"), "no npy file");
  has(error_of("\x93NUMPY"), "cut off");
  has(error_of(std::string("\x93NUMPY\x03\x00\x10\x00\x00\x00", 12)), "version 3.0");
  has(error_of(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12)), "too long");
  has(error_of(std::string("\x93NUMPY\x01\x00\x40\x00{'", 12)), "cut off");
  has(error_of(file_with("{'descr': '>f4', " + shape, 8)), "`>f4`");
  has(error_of(file_with("{'descr': '|f4', " + shape, 8)), "`|f4`");
  has(error_of(file_with("{'descr': '<, ', " + shape, 8)), "`<, `");
  has(error_of(file_with("{'descr': '<c8', " + shape, 16)), "`<c8`");
  has(error_of(file_with("{'descr': '|O', " + shape, 16)), "`|O`");
  has(error_of(file_with("{'descr': [('a', '<f4')], " + shape, 8)), "descr is no string");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}", 16)),
      "column-major");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': False}", 8)), "needs the keys");
  has(error_of(file_with("{'descr': '<f4', 'descr': '<f4', " + shape, 8)), "twice");
  has(error_of(file_with("{'descr': '<f4', 'extra': 1, " + shape, 8)), "beyond");
  has(error_of(file_with("{'descr': '<f4', " + shape + " x", 8)), "follows");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}", 8)),
      "other than numbers");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", 8)), "no tuple");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': 2}", 8)), "no tuple");
  has(error_of(file_with("{'descr': '<f4', 'fortran_order': False, "
                         "'shape': (4294967296, 4294967296)}",
                         8)),
      "2^64");
  has(error_of(file_with("{'descr': '<f8', 'fortran_order': False, "
                         "'shape': (4611686018427387904,)}",
                         0)),
      "truncated");
  has(error_of(file_with("{'descr': '<f4', " + shape, 7)), "truncated");
  has(error_of(file_with("{'descr': '<f4', " + shape, 9)), "longer");
}

TEST_CASE("no damaged npy header crashes the reader") {
  const std::string good =
      file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24);
  for (size_t length = 0; length < good.size(); ++length) {
    CHECK_FALSE(parse(good.substr(0, length)).ok());
  }
  const unsigned seed = 20240601;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  size_t accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (int changes = 0; changes < 3; ++changes) {
      bad[random() % bad.size()] = static_cast<char>(random());
    }
    const StatusOr<NpyHeader> header = parse(bad);
    if (!header.ok()) continue;
    ++accepted;
    REQUIRE(header->elements * header->item_size == bad.size() - header->data_offset);
  }
  CHECK(accepted > 0);
}

}  // namespace
}  // namespace vyre::tools
