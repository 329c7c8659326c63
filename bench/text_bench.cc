// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The text form of large programs: printing, parsing, resolving and validating, and the memory
// that it takes.
//
//   vyre-bench-text
//
// peak_mib is the largest resident size of the process so far; bytes_per_second counts text.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "vyre/ir/parse.h"
#include "vyre/ir/print.h"
#include "vyre/ir/resolve.h"
#include "vyre/ir/validate/validate.h"

namespace {

using namespace vyre;

// That many statements: loops of a let, a condition and a store, about 8 expressions each.
Program large_program(int64_t statements) {
  std::vector<Node> nodes;
  for (int64_t i = 0; i < statements; i += 4) {
    const Expr index = Expr::var("i") * 4u + static_cast<uint32_t>(i);
    nodes.push_back(Node::loop_for(
        "i", 0u, 16u,
        {Node::let_bind("value", Expr::load("x", index) * 1.5f + 0.1f),
         Node::if_then(Expr::lt(Expr::var("value"), 3.4028235e+38f),
                       {Node::store("y", index, Expr::max(Expr::var("value"), -0.0f))})}));
  }
  return Program::wrapped({BufferDecl::read("x", 0, DataType::F32),
                           BufferDecl::output("y", 1, DataType::F32).with_count(1 << 20)},
                          {64}, std::move(nodes));
}

void count(benchmark::State& state, const std::string& text) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.counters["text_mib"] = static_cast<double>(text.size()) / (1 << 20);
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) *
                          static_cast<int64_t>(state.iterations()));
}

void print_text(benchmark::State& state) {
  const Program program = large_program(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(print(program));
  count(state, *print(program));
}

void parse_text(benchmark::State& state) {
  const std::string text = *print(large_program(state.range(0)));
  for (auto _ : state) {
    const ParseResult result = parse(text);
    if (!result.ok()) state.SkipWithError("the text does not parse");
  }
  count(state, text);
}

// What every engine does first: names bound, types found, shapes checked.
void resolve_text(benchmark::State& state) {
  const std::string text = *print(large_program(state.range(0)));
  const Program program = std::move(*parse(text).program);
  for (auto _ : state) {
    if (!resolve(program).ok()) state.SkipWithError("the program does not resolve");
  }
  count(state, text);
}

// All rules: resolve's, and those of docs/diagnostics.md.
void validate_text(benchmark::State& state) {
  const std::string text = *print(large_program(state.range(0)));
  const Program program = std::move(*parse(text).program);
  for (auto _ : state) {
    if (!validate(program).ok()) state.SkipWithError("the program is not valid");
  }
  count(state, text);
}

// One expression: 200,000 selects in each other.
void parse_deep_text(benchmark::State& state) {
  Expr expr = Expr::var("x");
  for (int64_t i = 0; i < state.range(0); ++i) expr = Expr::select(Expr::var("c"), expr, 1.0f);
  const std::string text = *print_expr(expr);
  for (auto _ : state) {
    if (!parse_expr(text).ok()) state.SkipWithError("the text does not parse");
  }
  count(state, text);
}

}  // namespace

BENCHMARK(print_text)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_text)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(resolve_text)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(validate_text)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_deep_text)->Arg(20'000)->Arg(200'000)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
