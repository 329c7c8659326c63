// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Measures the f64 functions against the exact mathematical result on random inputs, and says how
// far they are from it at most, in units of the last place of the result.
//
//   vyre-verify-f64 --sample 10000000 --seed 7
//   vyre-verify-f64 --function atan --from 0.4 --to 0.4375
//   vyre-verify-f64 --steps
//
// With --from and --to all inputs are spread evenly over that range. Otherwise a third of the
// inputs are random bits, a third are spread evenly over the range where the function changes, and
// a third crowd around a point of it. MPFR is the judge. The C library's long double functions only
// say which inputs are not worth asking it: those with an error that is clearly below the largest
// one so far.
#include <mpfr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cfloat>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "vyre/ir/derived_steps.h"

namespace {

using vyre::DataType;
using vyre::DerivedStep;
using vyre::Op;

struct Function {
  const char* name;
  Op op;
  long double (*estimate)(long double);
  int (*exact)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
  double low, high;  // where the function changes
  double center;     // where inputs crowd
};

// Wrapped because a library function's address is not portable and some MPFR names are macros.
#define VYRE_F64(name, op, estimate, exact, low, high, center)                                  \
  {                                                                                             \
    name, op, [](long double x) -> long double { return estimate; },                            \
        [](mpfr_t y, mpfr_srcptr x, mpfr_rnd_t r) { return exact(y, x, r); }, low, high, center \
  }
const Function kFunctions[] = {
    VYRE_F64("inverse_sqrt", Op::kInverseSqrt, 1 / std::sqrt(x), mpfr_rec_sqrt, 0.0, 4.0, 1.0),
    VYRE_F64("exp", Op::kExp, std::exp(x), mpfr_exp, -746.0, 710.0, 0.0),
    VYRE_F64("exp2", Op::kExp2, std::exp2(x), mpfr_exp2, -1076.0, 1025.0, 0.0),
    VYRE_F64("log", Op::kLog, std::log(x), mpfr_log, 0.0, 4.0, 1.0),
    VYRE_F64("log2", Op::kLog2, std::log2(x), mpfr_log2, 0.0, 4.0, 1.0),
    VYRE_F64("sin", Op::kSin, std::sin(x), mpfr_sin, -20.0, 20.0, 0.0),
    VYRE_F64("cos", Op::kCos, std::cos(x), mpfr_cos, -20.0, 20.0, M_PI_2),
    VYRE_F64("tan", Op::kTan, std::tan(x), mpfr_tan, -20.0, 20.0, M_PI_2),
    VYRE_F64("asin", Op::kAsin, std::asin(x), mpfr_asin, -1.0, 1.0, 0.0),
    VYRE_F64("acos", Op::kAcos, std::acos(x), mpfr_acos, -1.0, 1.0, 1.0),
    VYRE_F64("atan", Op::kAtan, std::atan(x), mpfr_atan, -4.0, 4.0, 0.0),
    VYRE_F64("sinh", Op::kSinh, std::sinh(x), mpfr_sinh, -3.0, 3.0, 0.0),
    VYRE_F64("cosh", Op::kCosh, std::cosh(x), mpfr_cosh, -3.0, 3.0, 0.0),
    VYRE_F64("tanh", Op::kTanh, std::tanh(x), mpfr_tanh, -3.0, 3.0, 0.0),
};
#undef VYRE_F64

// The steps of a derived function, run one after the other.
class Sequence {
 public:
  explicit Sequence(Op op)
      : steps_(vyre::derived_steps(op, DataType::F64)), values_(steps_.size()) {}

  double operator()(double x) {
    const uint64_t input = std::bit_cast<uint64_t>(x);
    vyre::scalar::ArithmeticTrap trap{};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const DerivedStep& step = steps_[i];
      if (step.kernel == nullptr) {
        values_[i] = step.constant;
        continue;
      }
      uint64_t operands[3];
      for (std::size_t j = 0; j < 3; ++j) {
        const int32_t number = step.operands[j];
        operands[j] = number < 0 ? input : values_[static_cast<std::size_t>(number)];
      }
      values_[i] = step.kernel(operands, trap);
    }
    return std::bit_cast<double>(values_.back());
  }

  std::size_t constants() const {
    return static_cast<std::size_t>(
        std::count_if(steps_.begin(), steps_.end(),
                      [](const DerivedStep& step) { return step.kernel == nullptr; }));
  }
  std::size_t operations() const { return steps_.size() - constants(); }

 private:
  std::vector<DerivedStep> steps_;
  std::vector<uint64_t> values_;
};

class Oracle {
 public:
  Oracle() {
    mpfr_init2(input_, 53);
    mpfr_init2(exact_, 200);
    mpfr_init2(difference_, 200);
  }
  ~Oracle() {
    mpfr_clear(input_);
    mpfr_clear(exact_);
    mpfr_clear(difference_);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // |y - f(x)| in units of the last place of f(x); infinite where only one of them is a number.
  double error(const Function& function, double x, double y) {
    mpfr_set_d(input_, x, MPFR_RNDN);
    function.exact(exact_, input_, MPFR_RNDN);
    if (mpfr_nan_p(exact_)) return y != y ? 0.0 : INFINITY;
    if (mpfr_inf_p(exact_) || mpfr_zero_p(exact_)) {
      return y == mpfr_get_d(exact_, MPFR_RNDN) ? 0.0 : INFINITY;
    }
    if (y != y) return INFINITY;
    if (std::isinf(y)) {
      if (mpfr_get_exp(exact_) > 1024) return (mpfr_sgn(exact_) > 0) == (y > 0) ? 0.0 : INFINITY;
      // What overflows is rounded as if there were a next number.
      mpfr_set_si_2exp(difference_, y > 0 ? 1 : -1, 1024, MPFR_RNDN);
    } else {
      mpfr_set_d(difference_, y, MPFR_RNDN);
    }
    mpfr_sub(difference_, difference_, exact_, MPFR_RNDN);
    const mpfr_exp_t exponent = std::clamp<mpfr_exp_t>(mpfr_get_exp(exact_), -1021, 1024);
    mpfr_mul_2si(difference_, difference_, 53 - exponent, MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference_, MPFR_RNDN));
  }

 private:
  mpfr_t input_, exact_, difference_;
};

// A guess of the error that is off by less than kMargin; negative where it says nothing.
constexpr double kMargin = 0.01;
double estimated_error(const Function& function, double x, double y) {
  const long double exact = function.estimate(x);
  if (LDBL_MANT_DIG < 64 || !std::isfinite(exact) || !std::isfinite(y) || exact == 0) return -1.0;
  int exponent = 0;
  std::frexp(exact, &exponent);
  return static_cast<double>(
      std::fabs(std::ldexp(y - exact, 53 - std::clamp(exponent, -1021, 1024))));
}

struct Range {
  double low, high;  // equal: not given
};

class Inputs {
 public:
  Inputs(const Function& function, uint64_t seed, Range range)
      : function_(function), range_(range), random_(seed) {}

  double next() {
    if (range_.low != range_.high) return range_.low + (range_.high - range_.low) * unit();
    switch (++count_ % 3) {
      case 0:
        return std::bit_cast<double>(random_());
      case 1:
        return function_.low + (function_.high - function_.low) * unit();
      default: {
        const double offset = std::ldexp(unit() * (function_.high - function_.low),
                                         -static_cast<int>(random_() % 60));
        return function_.center + ((random_() & 1) != 0 ? offset : -offset);
      }
    }
  }

 private:
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  const Function& function_;
  Range range_;
  std::mt19937_64 random_;
  uint64_t count_ = 0;
};

struct Worst {
  double error = 0.0;
  double input = 0.0;
  uint64_t not_nearest = 0;  // results with an error of more than half a unit, as estimated
};

Worst measure(const Function& function, uint64_t sample, uint64_t seed, Range range) {
  Sequence sequence(function.op);
  Inputs inputs(function, seed, range);
  Oracle oracle;
  Worst worst;
  for (uint64_t i = 0; i < sample; ++i) {
    const double x = inputs.next();
    const double y = sequence(x);
    const double estimate = estimated_error(function, x, y);
    worst.not_nearest += estimate > 0.5 ? 1 : 0;
    if (estimate >= 0.0 && estimate < worst.error - kMargin) continue;
    const double error = oracle.error(function, x, y);
    if (error > worst.error) {
      worst.error = error;
      worst.input = x;
    }
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> chosen;
  uint64_t sample = 1'000'000;
  uint64_t seed = 1;
  Range range{0.0, 0.0};
  bool steps_only = false;
  CLI::App app("Measures the errors of vyre's f64 functions");
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  app.add_option("--function", chosen, "Only this function; may be repeated")
      ->check(CLI::IsMember(names));
  app.add_option("--sample", sample, "Number of inputs of each function");
  app.add_option("--seed", seed, "Seed of the inputs");
  app.add_option("--from", range.low, "The least input");
  app.add_option("--to", range.high, "The largest input");
  app.add_flag("--steps", steps_only, "Print the lengths of the sequences only");
  CLI11_PARSE(app, argc, argv);

  std::printf("%-13s %10s %10s", "function", "operations", "constants");
  if (!steps_only) {
    std::printf(" %11s %9s %24s %12s %8s", "inputs", "max ulp", "at", "not nearest", "seconds");
  }
  std::printf("\n");
  bool all_right = true;
  for (const Function& function : kFunctions) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), function.name) == chosen.end()) {
      continue;
    }
    const Sequence sequence(function.op);
    std::printf("%-13s %10zu %10zu", function.name, sequence.operations(), sequence.constants());
    if (!steps_only) {
      const auto start = std::chrono::steady_clock::now();
      const Worst worst = measure(function, sample, seed, range);
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::printf(" %11" PRIu64 " %9.4f %24a %11.3f%% %8.1f", sample, worst.error, worst.input,
                  100.0 * static_cast<double>(worst.not_nearest) / static_cast<double>(sample),
                  seconds);
      all_right = all_right && worst.error < 1.0;
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  return all_right ? 0 : 1;
}
