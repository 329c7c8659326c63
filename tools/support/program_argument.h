// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The PROGRAM argument of every tool and the options that dimension it.
//
//   ProgramArgument argument;
//   argument.add_to(cli);
//   ...
//   StatusOr<LoadedProgram> loaded = argument.load();
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/builders/catalog.h"
#include "vyre/ir/diagnostic.h"
#include "vyre/ir/program.h"
#include "vyre/ir/status.h"
#include "vyre/tools/support/cli.h"

namespace vyre::tools {

struct LoadedProgram {
  Program program;
  const catalog::Entry* entry = nullptr;  // null for a file
  std::vector<uint32_t> arguments;        // in the order of entry->parameters
  std::string title;  // "flash_attention_2 seq_len=8 head_dim=16 tile_size=4", or the file
  std::string text;   // of a text file, for carets below diagnostics
  // The message, if the dimensions are impossible and the program does nothing but trap.
  std::optional<std::string> trap;
  std::vector<Diagnostic> warnings = {};  // of reading a text file

  // The shape of a bound buffer, if the catalog knows it.
  std::vector<uint64_t> shape_of(std::string_view buffer) const;
};

// Whether a PROGRAM is a file: it is "-", or has a dot or a slash in it.
bool names_a_file(std::string_view argument);

// A file (text or VIR0, by content; "-": standard input), or a program of the catalog. Errors: an
// unknown name or dimension, with the nearest known one; those of read_program_file; dimensions
// given to a file.
StatusOr<LoadedProgram> load_program(std::string_view name,
                                     const std::map<std::string, uint32_t>& dimensions);

class ProgramArgument {
 public:
  // PROGRAM, and one option for each dimension of the catalog.
  void add_to(CommandLine& cli);
  bool given() const { return name_.has_value(); }
  bool has_dimensions() const;
  const std::optional<std::string>& name() const { return name_; }
  // Those that are given. InvalidArgument for what is no number.
  StatusOr<std::map<std::string, uint32_t>> dimensions() const;
  StatusOr<LoadedProgram> load() const;

 private:
  std::optional<std::string> name_;
  std::map<std::string, std::optional<std::string>> dimensions_;
};

}  // namespace vyre::tools
