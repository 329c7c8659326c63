// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The floating-point mode of a thread that executes IR: round to nearest even, subnormals kept
// (design rule E12). The caller's mode comes back when the object goes.
#pragma once

#include <cfenv>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace vyre::scalar {

class FloatEnvironment {
 public:
  FloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
#if defined(__SSE2__)
    // FE_DFL_ENV is documented for rounding and exceptions; flush-to-zero bits are cleared here.
    constexpr unsigned kFlushBits = 0x8040;
    _mm_setcsr(_mm_getcsr() & ~kFlushBits);
#endif
  }
  ~FloatEnvironment() { std::fesetenv(&saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace vyre::scalar
