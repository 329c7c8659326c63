// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/derived_ops.h"

#include "vyre/ir/check.h"

namespace vyre {
namespace {

using Kind = DataType::Kind;
using Operands = std::span<const Expr>;

bool is_64_bit(Kind type) {
  return type == DataType::U64 || type == DataType::I64 || type == DataType::F64;
}
uint64_t sign_bit(Kind type) { return uint64_t{1} << (is_64_bit(type) ? 63 : 31); }
uint64_t all_ones(Kind type) { return sign_bit(type) | (sign_bit(type) - 1); }

Expr zero(Kind type) { return Expr::literal(type, 0); }
// Of an integer type.
Expr number(Kind type, uint64_t value) { return Expr::literal(type, value); }
Expr smallest(Kind type) {
  return Expr::literal(type, is_signed_integer(type) ? sign_bit(type) : 0);
}
Expr largest(Kind type) {
  return Expr::literal(type, is_signed_integer(type) ? sign_bit(type) - 1 : all_ones(type));
}
Expr one(Kind type) {
  return Expr::literal(type, is_64_bit(type) ? uint64_t{0x3FF} << 52 : 0x3F800000);
}
Expr infinity(Kind type) {
  return Expr::literal(type, is_64_bit(type) ? uint64_t{0x7FF} << 52 : 0x7F800000);
}

Kind unsigned_of(Kind integer) { return is_64_bit(integer) ? DataType::U64 : DataType::U32; }
Expr as_unsigned(Kind type, const Expr& value) {
  return is_signed_integer(type) ? Expr::cast(unsigned_of(type), value) : value;
}
Expr from_unsigned(Kind type, const Expr& value) {
  return is_signed_integer(type) ? Expr::cast(type, value) : value;
}

// The end of the range that lies in the direction of a signed number.
Expr end_toward(Kind type, const Expr& direction) {
  return Expr::select(Expr::lt(direction, zero(type)), smallest(type), largest(type));
}

}  // namespace

Expr abs_diff_meaning(Kind type, Operands operands) {
  // The difference fits the unsigned type, and the casts keep it modulo 2^n.
  const Expr a = as_unsigned(type, operands[0]);
  const Expr b = as_unsigned(type, operands[1]);
  return Expr::select(Expr::lt(operands[0], operands[1]), b - a, a - b);
}

Expr saturating_add_meaning(Kind type, Operands operands) {
  const Expr& a = operands[0];
  const Expr& b = operands[1];
  const Expr sum = a + b;
  if (is_unsigned_integer(type)) return Expr::select(Expr::lt(sum, a), largest(type), sum);
  // It overflowed if the sum's sign is neither operand's.
  const Expr overflowed = Expr::lt((a ^ sum) & (b ^ sum), zero(type));
  return Expr::select(overflowed, end_toward(type, a), sum);
}

Expr saturating_sub_meaning(Kind type, Operands operands) {
  const Expr& a = operands[0];
  const Expr& b = operands[1];
  const Expr difference = a - b;
  if (is_unsigned_integer(type)) return Expr::select(Expr::lt(a, b), zero(type), difference);
  // It overflowed if the operands' signs differ and the difference has not the first one's.
  const Expr overflowed = Expr::lt((a ^ b) & (a ^ difference), zero(type));
  return Expr::select(overflowed, end_toward(type, a), difference);
}

Expr saturating_mul_meaning(Kind type, Operands operands) {
  const Expr& a = operands[0];
  const Expr& b = operands[1];
  const Expr high = Expr::mulhi(a, b);
  const Expr low = a * b;
  if (is_unsigned_integer(type)) {
    return Expr::select(Expr::ne(high, zero(type)), largest(type), low);
  }
  // It fits if the high half holds nothing but copies of the low half's sign.
  const Expr sign_copies = low >> number(type, is_64_bit(type) ? 63 : 31);
  return Expr::select(Expr::ne(high, sign_copies), end_toward(type, a ^ b), low);
}

Expr wrapping_add_meaning(Kind, Operands operands) { return operands[0] + operands[1]; }
Expr wrapping_sub_meaning(Kind, Operands operands) { return operands[0] - operands[1]; }

// Amounts count modulo the width, so 0 - n is width - n, and n = 0 gives the value twice.
Expr rotate_left_meaning(Kind type, Operands operands) {
  const Expr value = as_unsigned(type, operands[0]);
  const Expr amount = as_unsigned(type, operands[1]);
  const Expr back = zero(unsigned_of(type)) - amount;
  return from_unsigned(type, (value << amount) | (value >> back));
}

Expr rotate_right_meaning(Kind type, Operands operands) {
  const Expr value = as_unsigned(type, operands[0]);
  const Expr amount = as_unsigned(type, operands[1]);
  const Expr back = zero(unsigned_of(type)) - amount;
  return from_unsigned(type, (value >> amount) | (value << back));
}

Expr unpack4_low_meaning(Kind type, Operands operands) {
  return as_unsigned(type, operands[0]) & 15u;
}
Expr unpack4_high_meaning(Kind type, Operands operands) {
  return (as_unsigned(type, operands[0]) >> 4u) & 15u;
}
Expr unpack8_low_meaning(Kind type, Operands operands) {
  return as_unsigned(type, operands[0]) & 255u;
}
Expr unpack8_high_meaning(Kind type, Operands operands) {
  return as_unsigned(type, operands[0]) >> 24u;
}

Expr sign_meaning(Kind type, Operands operands) {
  const Expr& x = operands[0];
  // What is neither above, below nor equal to zero is the NaN itself.
  const Expr zero_or_nan = Expr::select(Expr::eq(x, zero(type)), zero(type), x);
  const Expr minus_one = Expr::literal(type, one(type).bits() | sign_bit(type));
  return Expr::select(Expr::gt(x, zero(type)), one(type),
                      Expr::select(Expr::lt(x, zero(type)), minus_one, zero_or_nan));
}

Expr is_nan_meaning(Kind, Operands operands) { return Expr::ne(operands[0], operands[0]); }
Expr is_inf_meaning(Kind type, Operands operands) {
  return Expr::eq(Expr::abs(operands[0]), infinity(type));
}
Expr is_finite_meaning(Kind type, Operands operands) {
  return Expr::lt(Expr::abs(operands[0]), infinity(type));
}
Expr reciprocal_meaning(Kind type, Operands operands) { return one(type) / operands[0]; }

namespace {

// What the meaning column says of core operations.
Expr core(Kind, Operands) { VYRE_UNREACHABLE("a core operation has no meaning in other ones"); }

}  // namespace

Expr derived_meaning(Op op, DataType::Kind type, std::span<const Expr> operands) {
  switch (op) {
#define VYRE_OP(enumerator, builder, mnemonic, format, rule, flags, group, tag, meaning, doc) \
  case Op::enumerator:                                                                        \
    return meaning(type, operands);
#include "vyre/ir/ops.def"
  }
  VYRE_UNREACHABLE("an operation without a row");
}

}  // namespace vyre
