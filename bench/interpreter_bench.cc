// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The interpreter on flash_attention_2, beside the same program as plain C++ in the same run.
//
//   vyre-bench-interpreter --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//
// gflops counts 4 * rows * rows * columns operations, the two products alone.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/seed_program.h"
#include "vyre/builders/flash_attention_2.h"
#include "vyre/interpreter/run_program.h"

namespace {

using vyre::bench::AttentionShape;

struct Arrays {
  std::vector<float> q, k, v, out;

  explicit Arrays(AttentionShape shape) {
    uint64_t state = 1;
    const auto fill = [&](std::vector<float>& values) {
      values.resize(size_t{shape.rows} * shape.columns);
      for (float& value : values) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = static_cast<float>(static_cast<int64_t>(state) >> 40) * 0x1p-23f;
      }
    };
    fill(q);
    fill(k);
    fill(v);
    out.resize(q.size());
  }
};

AttentionShape shape_of(const benchmark::State& state) {
  return {static_cast<uint32_t>(state.range(0)), static_cast<uint32_t>(state.range(1)),
          static_cast<uint32_t>(state.range(2))};
}

void count(benchmark::State& state, AttentionShape shape) {
  const double operations = 4.0 * static_cast<double>(shape.rows) * shape.rows * shape.columns;
  state.counters["gflops"] =
      benchmark::Counter(operations * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void plain_cxx(benchmark::State& state) {
  const AttentionShape shape = shape_of(state);
  Arrays arrays(shape);
  for (auto _ : state) {
    vyre::bench::seed_program(shape, arrays.q, arrays.k, arrays.v, arrays.out);
    benchmark::DoNotOptimize(arrays.out.data());
  }
  count(state, shape);
}

// The two must compute the same thing, or their times say nothing.
void check_results(AttentionShape shape, const Arrays& arrays) {
  std::vector<float> expected(arrays.out.size());
  vyre::bench::seed_program(shape, arrays.q, arrays.k, arrays.v, expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(expected[i] - arrays.out[i]) <= 1e-5f) continue;
    std::fprintf(stderr, "element %zu is %g here and %g in C++\n", i,
                 static_cast<double>(arrays.out[i]), static_cast<double>(expected[i]));
    std::exit(1);
  }
}

void run(benchmark::State& state, vyre::Checks checks) {
  const AttentionShape shape = shape_of(state);
  const vyre::Program program =
      vyre::flash_attention_2("q", "k", "v", "out", shape.rows, shape.columns, shape.tile);
  const vyre::StatusOr<vyre::interpreter::CompiledProgram> compiled =
      vyre::interpreter::CompiledProgram::create(vyre::resolve(program));
  Arrays arrays(shape);
  std::vector<std::span<std::byte>> bound;
  for (const vyre::BufferDecl& decl : program.buffers()) {
    std::vector<float>* array = decl.name() == "q"     ? &arrays.q
                                : decl.name() == "k"   ? &arrays.k
                                : decl.name() == "v"   ? &arrays.v
                                : decl.name() == "out" ? &arrays.out
                                                       : nullptr;
    bound.push_back(array == nullptr ? std::span<std::byte>()
                                     : std::as_writable_bytes(std::span(*array)));
  }
  vyre::RunOptions options;
  options.threads = static_cast<uint32_t>(state.range(3));
  options.checks = checks;
  for (auto _ : state) {
    const vyre::StatusOr<vyre::RunReport> report = compiled->run(bound, options);
    if (!report.ok() || report->trap || !report->checker_reports.empty()) {
      state.SkipWithError("the run failed");
      return;
    }
  }
  check_results(shape, arrays);
  count(state, shape);
}

void interpreter(benchmark::State& state) { run(state, {}); }

}  // namespace

BENCHMARK(plain_cxx)
    ->ArgNames({"rows", "columns", "tile"})
    ->Args({128, 64, 64})
    ->Args({1024, 64, 64})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(interpreter)
    ->ArgNames({"rows", "columns", "tile", "threads"})
    ->Args({128, 64, 64, 1})
    ->Args({128, 64, 64, 2})
    ->Args({1024, 64, 64, 1})
    ->Args({1024, 64, 64, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run, checked_for_races, vyre::Check::kRaces)
    ->ArgNames({"rows", "columns", "tile", "threads"})
    ->Args({128, 64, 64, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run, checked_for_bounds, vyre::Check::kBounds)
    ->ArgNames({"rows", "columns", "tile", "threads"})
    ->Args({128, 64, 64, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run, checked_for_wrapped_indices, vyre::Check::kWrap)
    ->ArgNames({"rows", "columns", "tile", "threads"})
    ->Args({128, 64, 64, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(run, checked_for_all, vyre::Checks::all())
    ->ArgNames({"rows", "columns", "tile", "threads"})
    ->Args({128, 64, 64, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_MAIN();
