// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Text: a program that prints to a fixed point, or diagnostics with a place and a fix.
#include <algorithm>

#include "tests/fuzz/fuzz_target.h"
#include "vyre/ir/diagnostic_codes.h"
#include "vyre/ir/parse.h"
#include "vyre/ir/print.h"

namespace vyre::test {
namespace {

void check_diagnostic(const Diagnostic& diagnostic, uint64_t lines) {
  fuzz_check(find_diagnostic(diagnostic.code) != nullptr, "a code that is not in the table");
  fuzz_check(diagnostic.place.known(), "a diagnostic without a place");
  fuzz_check(diagnostic.place.line() >= 1 && diagnostic.place.line() <= lines,
             "a line outside of the text");
  fuzz_check(diagnostic.place.column() >= 1, "a column outside of the text");
  fuzz_check(!diagnostic.cause.empty() && !diagnostic.fix.empty(), "a diagnostic without a fix");
}

}  // namespace
}  // namespace vyre::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const std::string_view text = test::as_text(data, size);
  const ParseResult result = parse(text);
  const auto lines = static_cast<uint64_t>(std::ranges::count(text, '\n')) + 1;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    test::check_diagnostic(diagnostic, lines);
  }
  test::fuzz_check(result.program.has_value() == result.diagnostics.empty(),
                   "neither a program nor diagnostics, or both");
  test::fuzz_check(
      render(result.diagnostics, text).size() <= 4096 * (1 + result.diagnostics.size()),
      "a long report");
  if (!result.program) return 0;
  const StatusOr<std::string> printed = print(*result.program);
  test::fuzz_check(printed.ok(), "what was read cannot be printed");
  const ParseResult again = parse(*printed);
  test::fuzz_check(again.program.has_value(), "what was printed cannot be read");
  test::fuzz_check(*again.program == *result.program, "printing changes the program");
  test::fuzz_check(print(*again.program).value() == *printed, "printing is no fixed point");
  return 0;
}
