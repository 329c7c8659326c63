// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Checks that every f32 literal has the same bits after it was printed and read back, with the
// functions that the printer and the parser use.
//
//   vyre-verify-text            all 2^32 bit patterns, on two threads
//   vyre-verify-text 4099       every 4099th
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "vyre/ir/number_text.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/scalar/float_environment.h"
#include "vyre/ir/text_writer.h"

namespace {

using namespace vyre;

constexpr uint64_t kPatterns = uint64_t{1} << 32;
constexpr uint32_t kThreads = 2;
constexpr uint32_t kSlices = 64;

// The bits that a literal's text stands for; more than 32 bits where it is no f32.
uint64_t read_back(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(negative ? 1 : 0);
  if (magnitude[0] >= '0' && magnitude[0] <= '9') {
    const auto number = internal::read_number(magnitude, negative);
    const auto* literal = std::get_if<Literal>(&number);
    return literal != nullptr && literal->type == DataType::F32 ? literal->bits : kPatterns;
  }
  const StatusOr<Expr> expr = parse_expr(text);
  return expr.ok() && expr->op() == Op::kLitF32 ? expr->bits() : kPatterns;
}

// The number of patterns of first..last that change; prints the first few.
uint64_t check(uint64_t first, uint64_t last, uint64_t stride) {
  uint64_t differences = 0;
  for (uint64_t bits = (first + stride - 1) / stride * stride; bits < last; bits += stride) {
    const std::string text = internal::literal_text(DataType::F32, bits);
    const uint64_t found = read_back(text);
    if (found == bits) continue;
    if (++differences <= 5) {
      std::printf("%08llx is printed %s, which is read as %08llx\n",
                  static_cast<unsigned long long>(bits), text.c_str(),
                  static_cast<unsigned long long>(found));
    }
  }
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t stride = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  if (stride == 0) {
    std::fprintf(stderr, "usage: vyre-verify-text [STRIDE]\n");
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  uint64_t differences[kThreads] = {};
  const auto work = [&](uint32_t thread) {
    const scalar::FloatEnvironment environment;
    for (uint64_t slice = thread; slice < kSlices; slice += kThreads) {
      differences[thread] +=
          check(slice * (kPatterns / kSlices), (slice + 1) * (kPatterns / kSlices), stride);
      std::fprintf(stderr, "slice %2llu of %u done after %.1f s\n",
                   static_cast<unsigned long long>(slice + 1), kSlices, seconds());
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  uint64_t total = 0;
  for (const uint64_t count : differences) total += count;
  std::printf("f32 literals: every %llu of 2^32, %llu differences, %.1f s\n",
              static_cast<unsigned long long>(stride), static_cast<unsigned long long>(total),
              seconds());
  return total == 0 ? 0 : 1;
}
