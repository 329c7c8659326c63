// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The kernels of docs/recorder.md, between "// page:" and "// end of page". The tests see that
// the page has them word for word, no others, and shows what they really give.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/kernel.h"
#include "vyre/ir/print.h"

namespace vyre {
namespace {

// page:
StatusOr<Program> saxpy(uint32_t n, float a) {
  Kernel k("saxpy", {256, 1, 1});  // name, workgroup size
  auto x = k.read<f32>("x", n);
  auto y = k.read_write<f32>("y", n);
  auto i = k.let("i", k.invocation_id());
  k.if_(i < n, [&] { y[i] = a * x[i] + y[i]; });
  return k.finish({n});  // extent: the invocations a run needs
}
// end of page

// page:
StatusOr<Program> row_softmax(uint32_t rows, uint32_t columns) {
  Kernel k("row_softmax", {64, 1, 1});
  auto x = k.read<f16>("x", rows * columns);
  auto y = k.output<f16>("y", rows * columns);
  auto row = k.let("row", k.invocation_id());
  k.if_(row < rows, [&] {
    auto base = k.let("base", row * columns);
    auto top = k.var("top", -std::numeric_limits<float>::infinity());
    k.for_("c", 0, columns, [&](auto c) { top = max(top, x[base + c]); });
    auto sum = k.var("sum", 0.0f);
    k.for_("c", 0, columns, [&](auto c) { sum += exp(x[base + c] - top); });
    k.for_("c", 0, columns, [&](auto c) { y[base + c] = exp(x[base + c] - top) / sum; });
  });
  return k.finish({rows});
}
// end of page

// page:
StatusOr<Program> block_sums(uint32_t n) {
  Kernel k("block_sums", {256, 1, 1});
  auto x = k.read<f32>("x", n);
  auto sums = k.output<f32>("sums", n / 256 + 1);
  auto tile = k.workgroup<f32>("tile", 256);
  auto lane = k.let("lane", k.local_id());
  auto i = k.let("i", k.invocation_id());
  k.if_(i < n, [&] { tile[lane] = x[i]; }).else_([&] { tile[lane] = 0; });
  k.barrier();
  k.if_(lane == 0, [&] {
    auto sum = k.var("sum", 0.0f);
    k.for_("j", 0, 256, [&](auto j) { sum += tile[j]; });
    sums[k.workgroup_id()] = sum;
  });
  return k.finish({n});
}
// end of page

// page:
StatusOr<Program> first_zeros(uint32_t rows, uint32_t columns) {
  Kernel k("first_zeros", {64, 1, 1});
  auto x = k.read<f32>("x", rows * columns);
  auto where = k.output<u32>("where", rows);
  auto row = k.let("row", k.invocation_id());
  k.if_(row >= rows, [&] { k.return_(); });  // an early return
  auto found = k.var<bool>("found", false);
  k.for_("step", 0, columns / 2, [&](auto step) {  // every second column
    auto c = k.let("c", step * 2);
    k.if_(!found, [&] {  // until it is found: while, break
      found = x[row * columns + c] == 0;
      where[row] = c;
    });
  });
  return k.finish({rows});
}
// end of page

// page:
StatusOr<Program> float_sum(uint32_t n) {
  Kernel k("float_sum", {64, 1, 1});
  auto x = k.read<f32>("x", n);
  auto sum = k.read_write<u32>("sum", 1);  // the bits of an f32
  auto i = k.let("i", k.invocation_id());
  k.if_(i >= n, [&] { k.return_(); });
  auto seen = k.var("seen", 0u);
  k.forever([&] {
    auto wanted = k.let("wanted", bitcast<u32>(bitcast<f32>(seen) + x[i]));
    auto old = k.let("old", sum.atomic_compare_exchange(0, seen, wanted));
    k.if_(old == seen, [&] { k.return_(); });
    seen = old;
  });
  return k.finish({n});
}
// end of page

// page:
StatusOr<Program> scaled_by_first(uint32_t n) {
  Kernel k("scaled_by_first", {64, 1, 1});
  auto x = k.read<f32>("x", n);
  auto y = k.output<f32>("y", n);
  auto shared = k.workgroup<f32>("shared", 1);
  auto i = k.let("i", k.invocation_id());
  k.if_(k.local_id() == 0, [&] { shared[0] = x[i]; });  // one stores
  k.barrier();
  auto first = k.let("first", shared[0]);  // all load
  k.barrier();                             // before the next value is stored
  k.if_(i < n, [&] { y[i] = x[i] * first; });
  return k.finish({n});
}
// end of page

constexpr int kLineBeforeMean = __LINE__ + 1;
// page:
StatusOr<Program> running_mean(uint32_t n) {
  Kernel k("running_mean", {1, 1, 1});
  auto x = k.read<f32>("x", n);
  auto y = k.output<f32>("y", n);
  auto sum = k.var("sum", 0.0f);
  k.for_("i", 0, n, [&](auto i) {
    Val<f32> before = sum / max(cast<f32>(i), 1);
    sum += x[i];
    y[i] = x[i] - before;
  });
  return k.finish({1});
}
// end of page

std::string read_source(const std::string& path) {
  std::ifstream file(fmt::format("{}/{}", VYRE_SOURCE_DIR, path), std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The texts between each line `begin` and the next line `end`.
std::vector<std::string> between(const std::string& text, std::string_view begin,
                                 std::string_view end) {
  std::vector<std::string> found;
  const std::string from = fmt::format("\n{}\n", begin);
  const std::string to = fmt::format("\n{}\n", end);
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    at += from.size();
    found.push_back(text.substr(at, text.find(to, at) - at));
  }
  return found;
}

TEST_CASE("the recorder's page shows kernels that compile") {
  const auto compiled =
      between(read_source("tests/ir/recorder_doc_test.cc"), "// page:", "// end of page");
  CHECK(compiled.size() == 7);
  CHECK(compiled == between(read_source("docs/recorder.md"), "```cpp", "```"));
  CHECK(row_softmax(8, 16).ok());
  CHECK(block_sums(1000).ok());
  CHECK(message_of(first_zeros(8, 16).status()) == "");
  CHECK(message_of(float_sum(100).status()) == "");
  CHECK(message_of(scaled_by_first(100).status()) == "");
}

TEST_CASE("the recorder's page shows what the first kernel prints") {
  const StatusOr<std::string> text = print(*saxpy(1000, 2));
  REQUIRE(text.ok());
  CHECK_THAT(read_source("docs/recorder.md"),
             Catch::Contains(fmt::format("\n```\n{}```\n", *text)));
}

TEST_CASE("the recorder's page shows the error of a stale value") {
  const std::string message(message_of(running_mean(4).status()));
  const std::string file = "tests/ir/recorder_doc_test.cc:";
  std::string shown;
  size_t done = 0;
  for (size_t at = message.find(file); at != std::string::npos; at = message.find(file, done)) {
    const size_t number = at + file.size();
    shown += message.substr(done, at - done);
    done = message.find_first_not_of("0123456789", number);
    const int line = std::stoi(message.substr(number, done - number)) - kLineBeforeMean;
    shown += fmt::format("mean.cc:{}", line);
  }
  shown += message.substr(done);
  CHECK_THAT(read_source("docs/recorder.md"),
             Catch::Contains(fmt::format("\n```\n{}\n```\n", shown)));
}

}  // namespace
}  // namespace vyre
