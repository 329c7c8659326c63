// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The approximated f32 functions, each with the judges that say what its result must be.
//
//   for (const bench::Function& function : bench::functions()) check(function.tested(x), ...);
#pragma once

#include <mpfr.h>

#include <bit>
#include <cstdint>
#include <span>

#include "vyre/ir/scalar/f32_paths.h"

namespace vyre::bench {

struct Function {
  const char* name;
  float (*tested)(float);
  double (*judge)(double);  // the C library's, in double precision
  int (*exact)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
  float (*second_judge)(float);                 // correctly rounded; null where there is none
  scalar::detail::Estimate (*estimate)(float);  // null for functions that have one path only
  float (*precise)(float);
};

std::span<const Function> functions();

// Whether this build has LLVM's libc, the second judge of most functions.
bool has_llvm_libc();

inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline bool same(float a, float b) { return bits_of(a) == bits_of(b); }
inline float canonical(float x) { return x == x ? x : float_of(scalar::kF32NanBits); }

}  // namespace vyre::bench
