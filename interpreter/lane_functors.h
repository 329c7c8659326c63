// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Part of lane_kernels_impl.h: what the loops compute for one lane, in terms that fit vector
// instructions. Each gives the bits of the scalar kernel that it stands for.
#pragma once

#include <type_traits>

#include "vyre/interpreter/lane_isa.h"

namespace vyre::interpreter::VYRE_LANE_ISA {
namespace {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <typename T>
inline constexpr Bits<T> kSign = Bits<T>{1} << (8 * sizeof(T) - 1);
template <typename T>
VYRE_INLINE Bits<T> bits_of(T x) {
  return __builtin_bit_cast(Bits<T>, x);
}
template <typename T>
VYRE_INLINE T of_bits(Bits<T> x) {
  return __builtin_bit_cast(T, x);
}

// Integers in the unsigned type of their width, where overflow is defined.
#define VYRE_ARITHMETIC(name, symbol)                                                  \
  struct name {                                                                        \
    template <typename T>                                                              \
    VYRE_INLINE static T of(T a, T b) {                                                \
      if constexpr (std::is_floating_point_v<T>) {                                     \
        return a symbol b;                                                             \
      } else {                                                                         \
        return static_cast<T>(static_cast<Bits<T>>(a) symbol static_cast<Bits<T>>(b)); \
      }                                                                                \
    }                                                                                  \
  };
VYRE_ARITHMETIC(Add, +)
VYRE_ARITHMETIC(Sub, -)
VYRE_ARITHMETIC(Mul, *)
VYRE_ARITHMETIC(BitAnd, &)
VYRE_ARITHMETIC(BitOr, |)
VYRE_ARITHMETIC(BitXor, ^)
#undef VYRE_ARITHMETIC

#define VYRE_COMPARISON(name, symbol)      \
  struct name {                            \
    template <typename T>                  \
    VYRE_INLINE static bool of(T a, T b) { \
      return a symbol b;                   \
    }                                      \
  };
VYRE_COMPARISON(Equal, ==)
VYRE_COMPARISON(NotEqual, !=)
VYRE_COMPARISON(Less, <)
VYRE_COMPARISON(Greater, >)
VYRE_COMPARISON(LessEqual, <=)
VYRE_COMPARISON(GreaterEqual, >=)
#undef VYRE_COMPARISON

struct FloatDivide {
  template <typename T>
  VYRE_INLINE static T of(T a, T b) {
    return a / b;
  }
};
struct UnsignedDivide {
  template <typename T>
  VYRE_INLINE static T of(T a, T b) {
    return b == 0 ? static_cast<T>(~T{0}) : a / b;
  }
};
struct UnsignedRemainder {
  template <typename T>
  VYRE_INLINE static T of(T a, T b) {
    return b == 0 ? T{0} : a % b;
  }
};

struct ShiftLeft {
  template <typename T>
  VYRE_INLINE static T of(T a, T amount) {
    return static_cast<T>(static_cast<Bits<T>>(a)
                          << (static_cast<Bits<T>>(amount) & (8 * sizeof(T) - 1)));
  }
};
struct ShiftRight {
  template <typename T>
  VYRE_INLINE static T of(T a, T amount) {
    return static_cast<T>(a >> (static_cast<Bits<T>>(amount) & (8 * sizeof(T) - 1)));
  }
};

// Floats: a number beats a NaN; equal ones have the same bits but for zeros, of which the negative
// one is the smaller.
struct Min {
  template <typename T>
  VYRE_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T ordered = a < b ? a : b;
      const T tied = a == b ? of_bits<T>(bits_of(a) | bits_of(b)) : ordered;
      const T left = b != b ? a : tied;
      return a != a ? b : left;
    } else {
      return b < a ? b : a;
    }
  }
};
struct Max {
  template <typename T>
  VYRE_INLINE static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T ordered = a > b ? a : b;
      const T tied = a == b ? of_bits<T>(bits_of(a) & bits_of(b)) : ordered;
      const T left = b != b ? a : tied;
      return a != a ? b : left;
    } else {
      return a < b ? b : a;
    }
  }
};

struct Both {
  template <typename T>
  VYRE_INLINE static bool of(T a, T b) {
    return (a != T{0}) & (b != T{0});
  }
};
struct Either {
  template <typename T>
  VYRE_INLINE static bool of(T a, T b) {
    return (a != T{0}) | (b != T{0});
  }
};
struct IsZero {
  template <typename T>
  VYRE_INLINE static bool of(T a) {
    return a == T{0};
  }
};

struct Negate {
  template <typename T>
  VYRE_INLINE static T of(T a) {
    if constexpr (std::is_floating_point_v<T>) {
      return of_bits<T>(bits_of(a) ^ kSign<T>);
    } else {
      return static_cast<T>(0 - static_cast<Bits<T>>(a));
    }
  }
};
struct BitNot {
  template <typename T>
  VYRE_INLINE static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct Abs {
  template <typename T>
  VYRE_INLINE static T of(T a) {
    return of_bits<T>(bits_of(a) & ~kSign<T>);
  }
};
struct Sqrt {
  template <typename T>
  VYRE_INLINE static T of(T a) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_sqrtf(a);
    } else {
      return __builtin_sqrt(a);
    }
  }
};

struct Select {
  template <typename T>
  VYRE_INLINE static T of(uint32_t condition, T if_true, T if_false) {
    return condition != 0 ? if_true : if_false;
  }
};

template <typename To>
struct Convert {
  template <typename From>
  VYRE_INLINE static To of(From a) {
    if constexpr (std::is_same_v<To, bool>) {
      return a != From{0};
    } else {
      return static_cast<To>(a);
    }
  }
};

#if defined(__FMA__)
struct FusedMultiplyAdd {
  template <typename T>
  VYRE_INLINE static T of(T a, T b, T c) {
    if constexpr (sizeof(T) == 4) {
      return __builtin_fmaf(a, b, c);
    } else {
      return __builtin_fma(a, b, c);
    }
  }
};
#endif
#if defined(__SSE4_1__)
#define VYRE_ROUNDING(name, function)      \
  struct name {                            \
    template <typename T>                  \
    VYRE_INLINE static T of(T a) {         \
      if constexpr (sizeof(T) == 4) {      \
        return __builtin_##function##f(a); \
      } else {                             \
        return __builtin_##function(a);    \
      }                                    \
    }                                      \
  };
VYRE_ROUNDING(Floor, floor)
VYRE_ROUNDING(Ceil, ceil)
VYRE_ROUNDING(Trunc, trunc)
#undef VYRE_ROUNDING
#endif

}  // namespace
}  // namespace vyre::interpreter::VYRE_LANE_ISA
