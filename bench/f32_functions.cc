// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "bench/f32_functions.h"

#include <cmath>

#include "bench/exact_roots.h"
#include "vyre/ir/scalar/f32_math.h"

#ifdef VYRE_HAVE_LLVM_LIBC
// The build gives LLVM's functions these names, so that they replace none of the C library's.
extern "C" {
float vyre_llvm_expf(float);
float vyre_llvm_logf(float);
float vyre_llvm_sinf(float);
float vyre_llvm_cosf(float);
float vyre_llvm_tanhf(float);
float vyre_llvm_exp2f(float);
float vyre_llvm_log2f(float);
float vyre_llvm_tanf(float);
float vyre_llvm_sinhf(float);
float vyre_llvm_coshf(float);
float vyre_llvm_asinf(float);
float vyre_llvm_acosf(float);
float vyre_llvm_atanf(float);
}
#define VYRE_LLVM(name) vyre_llvm_##name##f
#else
#define VYRE_LLVM(name) nullptr
#endif

namespace vyre::bench {

namespace {

// Wrapped because a library function's address is not portable and some MPFR names are macros.
#define VYRE_JUDGED(name, judge)  \
  [](double x) { return judge; }, \
      [](mpfr_t y, mpfr_srcptr x, mpfr_rnd_t r) { return name(y, x, r); }
#define VYRE_PATHS(name) scalar::detail::estimate_##name, scalar::detail::precise_##name
// A function that MPFR, the C library and LLVM's call by the same name.
#define VYRE_FUNCTION(name)                                                             \
  {                                                                                     \
#name, scalar::f32_##name, VYRE_JUDGED(mpfr_##name, std::name(x)), VYRE_LLVM(name), \
        VYRE_PATHS(name)                                                                \
  }

constexpr Function kFunctions[] = {
    VYRE_FUNCTION(exp),
    VYRE_FUNCTION(log),
    VYRE_FUNCTION(sin),
    VYRE_FUNCTION(cos),
    VYRE_FUNCTION(tanh),
    VYRE_FUNCTION(exp2),
    VYRE_FUNCTION(log2),
    VYRE_FUNCTION(tan),
    {"inverse_sqrt", scalar::f32_inverse_sqrt, VYRE_JUDGED(mpfr_rec_sqrt, 1.0 / std::sqrt(x)),
     exact_inverse_sqrt, VYRE_PATHS(inverse_sqrt)},
    {"reciprocal", scalar::f32_reciprocal, [](double x) { return 1.0 / x; },
     [](mpfr_t y, mpfr_srcptr x, mpfr_rnd_t r) { return mpfr_ui_div(y, 1, x, r); },
     exact_reciprocal, nullptr, nullptr},
    {"sqrt", scalar::f32_sqrt, VYRE_JUDGED(mpfr_sqrt, std::sqrt(x)), exact_sqrt, nullptr, nullptr},
    VYRE_FUNCTION(sinh),
    VYRE_FUNCTION(cosh),
    VYRE_FUNCTION(asin),
    VYRE_FUNCTION(acos),
    VYRE_FUNCTION(atan),
};

#undef VYRE_FUNCTION
#undef VYRE_PATHS
#undef VYRE_JUDGED

}  // namespace

std::span<const Function> functions() { return kFunctions; }

bool has_llvm_libc() {
#ifdef VYRE_HAVE_LLVM_LIBC
  return true;
#else
  return false;
#endif
}

}  // namespace vyre::bench
