// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// VIR0: the original's binary form of programs, both ways. docs/wire.md tells what it carries.
//
//   const wire::Encoded encoded = wire::encode(program);
//   if (!encoded.ok()) fmt::print("{}", to_string(encoded.diagnostics));   // W025: ...
//   for (const std::string& note : encoded.not_carried) ...   // "the extent (8, 1, 1)"
//   const wire::Decoded decoded = wire::decode(encoded.bytes);
//   *decoded.program == wire::vir0_view(program);             // true
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::wire {

struct Encoded {
  std::string bytes;
  // What of the program other readers of the bytes do not get, one phrase each.
  std::vector<std::string> not_carried;
  // Why there are no bytes: the first thing that VIR0 cannot say, with its place.
  std::vector<Diagnostic> diagnostics;

  bool ok() const { return diagnostics.empty(); }
};

// Literals keep their bits; the original's encoder writes -0 and subnormals as +0. For programs
// without such literals the bytes are the original's. What the original's decoder refuses is
// refused. Time and memory are linear in the bytes, of which there are at most 64 MiB, however
// large the tree of a program that shares expressions is.
Encoded encode(const Program& program);

struct DecodeOptions {
  // Statements and expressions. Each takes up to about 300 bytes of memory.
  uint64_t max_nodes = 10'000'000;
};

struct Decoded {
  std::optional<Program> program;
  // Why there is no program: one error, with the byte it is at.
  std::vector<Diagnostic> diagnostics;

  bool ok() const { return program.has_value(); }
};

// Accepts what the original writes, in its revisions 4 to 6, at any depth, and nothing that is
// another way to say the same: booleans are 0 or 1, numbers minimal, what stands twice is equal.
// A program of revision 6 therefore has one form: encoding what was decoded gives the same bytes,
// unless it is refused for its depth. The program need not be valid.
Decoded decode(std::string_view bytes, const DecodeOptions& options = {});

// The program as VIR0 carries it: decode(encode(p)) == vir0_view(p).
Program vir0_view(const Program& program);

// The original's fingerprint, 64 hexadecimal digits: BLAKE3 over the bytes of the canonical program
// (buffers sorted, operands of commutative operations in order, blocks without bindings dissolved,
// literals as the original writes them). For interchange; Program::hash() tells programs apart.
// InvalidArgument where encode() refuses, but for depth, which a fingerprint does not limit.
StatusOr<std::string> vir0_fingerprint(const Program& program);

// Whether the bytes start as VIR0 does.
bool looks_like_vir0(std::string_view bytes);

}  // namespace vyre::wire
