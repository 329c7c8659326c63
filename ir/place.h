// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Place: where a statement, an expression or a builder call was written, for diagnostics.
//
//   void store(Expr value, Place place = Place::here());   // records the caller's file and line
//
// A place is no part of a program's value: equality, hashes and printed text ignore it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace vyre {

class Place {
 public:
  Place() = default;

  // The caller's file (relative to the source root) and line.
  static Place here(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
    Place place;
    place.file_ = file;
    place.line_ = line;
    return place;
  }

  // A position in a text that was read at run time. Lines and columns count from 1; line 0 is the
  // file as a whole.
  static Place in_text(std::shared_ptr<const std::string> file, uint32_t line, uint32_t column);

  // Another position in the same text, which shares the file's name with this one.
  Place at(uint32_t line, uint32_t column) const;

  // The same place with a pass added to the chain of passes that copied what stands there.
  Place copied_by(std::string_view pass) const;

  bool known() const { return file_ != nullptr; }
  // Whether a pass is noted: copied_by() made this place or one that it came from.
  bool copied() const;
  std::string_view file() const { return file_ == nullptr ? std::string_view() : file_; }
  uint32_t line() const { return line_; }
  uint32_t column() const { return column_; }

  // "examples/saxpy.cc:12", "kernel.vyre:3:7", "a.cc:4 (copied by unroll)", "kernel.vir0";
  // "unknown place" if none.
  std::string to_string() const;

 private:
  struct Origin;

  const char* file_ = nullptr;
  uint32_t line_ = 0;
  uint32_t column_ = 0;
  std::shared_ptr<const Origin> origin_;
};

}  // namespace vyre
