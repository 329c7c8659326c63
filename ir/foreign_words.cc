// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/foreign_words.h"

namespace vyre::internal {
namespace {

struct ForeignWord {
  ForeignUse use;
  std::string_view spelling;
  const char* fix;
};

constexpr const char* kLet =
    "bind a name with `let x = 1u`, which takes the type of the value; `x = 2u` assigns to it.";
constexpr const char* kWhile =
    "write `for i in 0u..n { if condition { ... } }` with a bound n that is enough, or "
    "`forever { ... }`, which only return and trap end.";
constexpr const char* kElseIf = "write `else if` behind the `}`.";
constexpr const char* kSwitch = "write `if x == 0u { ... } else if x == 1u { ... } else { ... }`.";
constexpr const char* kBarrier = "write `barrier seq_cst`.";
constexpr const char* kFunction =
    "write the statements where they are needed: there are no functions, and "
    "`region \"name\" { ... }` gives statements a name.";
constexpr const char* kPrint = "store the value to an output: nothing prints.";
constexpr const char* kReturn = "write `return`, which ends the invocation.";
constexpr const char* kStep =
    "count in steps of one, and compute the index in the body with `let`.";
constexpr const char* kSelect = "write select(condition, if_true, if_false).";
constexpr const char* kLength = "write len(buffer).";
constexpr const char* kInvocation = "write invocation_id.x.";
constexpr const char* kWorkgroup = "write workgroup_id.x.";
constexpr const char* kLocal = "write local_id.x.";
constexpr const char* kSize =
    "write the number, such as 64u: the workgroup size stands on the line of `program`.";

constexpr ForeignWord kWords[] = {
    {ForeignUse::kMark, "&&", "write `and`; both sides are evaluated."},
    {ForeignUse::kMark, "||", "write `or`; both sides are evaluated."},
    {ForeignUse::kMark, "!", "write `not`."},
    {ForeignUse::kMark, "?", kSelect},
    {ForeignUse::kMark, "+=", "write `x = x + ...`."},
    {ForeignUse::kMark, "-=", "write `x = x - ...`."},
    {ForeignUse::kMark, "*=", "write `x = x * ...`."},
    {ForeignUse::kMark, "/=", "write `x = x / ...`."},
    {ForeignUse::kMark, "%=", "write `x = x % ...`."},
    {ForeignUse::kMark, "&=", "write `x = x & ...`."},
    {ForeignUse::kMark, "|=", "write `x = x | ...`."},
    {ForeignUse::kMark, "^=", "write `x = x ^ ...`."},
    {ForeignUse::kMark, "++", "write `x = x + 1u`."},
    {ForeignUse::kMark, "//", "write `;` before a comment."},
    {ForeignUse::kMark, "/*", "write `;` before each line of a comment."},
    {ForeignUse::kStatement, "var", kLet},
    {ForeignUse::kStatement, "const", kLet},
    {ForeignUse::kStatement, "auto", kLet},
    {ForeignUse::kStatement, "mut", kLet},
    {ForeignUse::kStatement, "while", kWhile},
    {ForeignUse::kStatement, "loop", kWhile},
    {ForeignUse::kStatement, "do", kWhile},
    {ForeignUse::kStatement, "repeat", kWhile},
    {ForeignUse::kStatement, "break",
     "let a bool say that the loop is done, and put the body under `if not done { ... }`; `return` "
     "ends the whole invocation."},
    {ForeignUse::kStatement, "continue", "put what it would skip under an `if`."},
    {ForeignUse::kStatement, "else", "write it behind the `}` of an `if`."},
    {ForeignUse::kStatement, "elif", kElseIf},
    {ForeignUse::kStatement, "elsif", kElseIf},
    {ForeignUse::kStatement, "elseif", kElseIf},
    {ForeignUse::kStatement, "unless", "write `if not condition { ... }`."},
    {ForeignUse::kStatement, "switch", kSwitch},
    {ForeignUse::kStatement, "match", kSwitch},
    {ForeignUse::kStatement, "assert", "write `if not condition { trap \"why\" at 0u }`."},
    {ForeignUse::kStatement, "print", kPrint},
    {ForeignUse::kStatement, "printf", kPrint},
    {ForeignUse::kStatement, "fn", kFunction},
    {ForeignUse::kStatement, "func", kFunction},
    {ForeignUse::kStatement, "def", kFunction},
    {ForeignUse::kStatement, "void", kFunction},
    {ForeignUse::kStatement, "exit", kReturn},
    {ForeignUse::kStatement, "discard", kReturn},
    {ForeignUse::kStatement, "pass", "leave it out: an empty body is `{}`."},
    {ForeignUse::kStatement, "sync", kBarrier},
    {ForeignUse::kStatement, "__syncthreads", kBarrier},
    {ForeignUse::kStatement, "workgroupBarrier", kBarrier},
    {ForeignUse::kStatement, "workgroup_barrier", kBarrier},
    {ForeignUse::kStatement, "store", "write `buffer[index] = value`."},
    {ForeignUse::kBehind, "elif", kElseIf},
    {ForeignUse::kBehind, "elsif", kElseIf},
    {ForeignUse::kBehind, "elseif", kElseIf},
    {ForeignUse::kBehind, "then", "leave it out: `{` follows the condition."},
    {ForeignUse::kBehind, "step", kStep},
    {ForeignUse::kBehind, "by", kStep},
    {ForeignUse::kBehind, "as", "write cast<f32>(x)."},
    {ForeignUse::kBehind, "if", kSelect},
    {ForeignUse::kBehind, "xor", "write `^`, or `!=` between bools."},
    {ForeignUse::kBehind, "mod", "write `%`."},
    {ForeignUse::kBehind, "=", "write `==` to compare."},
    {ForeignUse::kCall, "range", "write `0u..n`: the bounds of a loop have `..` between them."},
    {ForeignUse::kCall, "mod", "write `a % b`."},
    {ForeignUse::kCall, "rsqrt", "write inverse_sqrt(x)."},
    {ForeignUse::kCall, "pow", "write exp2(y * log2(x)) for a positive x."},
    {ForeignUse::kCall, "clamp", "write min(max(x, low), high)."},
    {ForeignUse::kCall, "length", kLength},
    {ForeignUse::kCall, "size", kLength},
    {ForeignUse::kCall, "get_global_id", kInvocation},
    {ForeignUse::kCall, "get_local_id", kLocal},
    {ForeignUse::kCall, "get_group_id", kWorkgroup},
    {ForeignUse::kAxis, "global_id", kInvocation},
    {ForeignUse::kAxis, "thread_id", kInvocation},
    {ForeignUse::kAxis, "global_invocation_id", kInvocation},
    {ForeignUse::kAxis, "gl_GlobalInvocationID", kInvocation},
    {ForeignUse::kAxis, "local_invocation_id", kLocal},
    {ForeignUse::kAxis, "gl_LocalInvocationID", kLocal},
    {ForeignUse::kAxis, "threadIdx", kLocal},
    {ForeignUse::kAxis, "gl_WorkGroupID", kWorkgroup},
    {ForeignUse::kAxis, "blockIdx", kWorkgroup},
    {ForeignUse::kAxis, "blockDim", kSize},
    {ForeignUse::kAxis, "gl_WorkGroupSize", kSize},
};

struct ForeignType {
  std::string_view name;
  std::string_view ours;
};
constexpr ForeignType kTypes[] = {
    {"float", "f32"},     {"float32", "f32"},  {"fp32", "f32"},    {"double", "f64"},
    {"float64", "f64"},   {"half", "f16"},     {"float16", "f16"}, {"fp16", "f16"},
    {"bfloat16", "bf16"}, {"int", "i32"},      {"int32", "i32"},   {"int32_t", "i32"},
    {"uint", "u32"},      {"unsigned", "u32"}, {"uint32", "u32"},  {"uint32_t", "u32"},
    {"long", "i64"},      {"int64", "i64"},    {"int64_t", "i64"}, {"ulong", "u64"},
    {"uint64", "u64"},    {"uint64_t", "u64"}, {"size_t", "u64"},  {"usize", "u64"},
    {"short", "i16"},     {"int16", "i16"},    {"int16_t", "i16"}, {"ushort", "u16"},
    {"uint16", "u16"},    {"uint16_t", "u16"}, {"char", "i8"},     {"int8", "i8"},
    {"int8_t", "i8"},     {"byte", "u8"},      {"uint8", "u8"},    {"uint8_t", "u8"},
    {"boolean", "bool"},
};

}  // namespace

const char* foreign_fix(ForeignUse use, std::string_view spelling) {
  for (const ForeignWord& row : kWords) {
    if (row.use == use && row.spelling == spelling) return row.fix;
  }
  // A declaration of a variable.
  return use == ForeignUse::kStatement && !foreign_type(spelling).empty() ? kLet : nullptr;
}

std::string_view foreign_type(std::string_view name) {
  for (const ForeignType& row : kTypes) {
    if (row.name == name) return row.ours;
  }
  return "";
}

}  // namespace vyre::internal
