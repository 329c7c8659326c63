// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// JsonWriter: strict JSON, piece by piece, with commas where they belong. For ir/json.cc and
// diagnostics.
//
//   JsonWriter out(max_bytes);
//   out.begin_object().key("name").string("q").key("shape").begin_array().number(8).end_array();
//   StatusOr<std::string> text = std::move(out.end_object()).finish();   // {"name": "q", "shape":
//   [8]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre::internal {

// Errors are sticky: the first one is kept, and ok() tells when to stop.
class JsonWriter {
 public:
  explicit JsonWriter(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  bool ok() const { return status_.ok(); }
  // With a newline at the end.
  StatusOr<std::string> finish() &&;

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view key);
  JsonWriter& string(std::string_view text);
  JsonWriter& string_or_null(const std::optional<std::string>& text);
  JsonWriter& number(uint64_t value);
  // A number that may need more than the 53 bits that readers keep, as a string.
  JsonWriter& decimal(uint64_t value);
  JsonWriter& decimal(int64_t value);
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  // The next key or element starts a line; then the bracket that closes stands on one, too.
  JsonWriter& next_line();

 private:
  struct Open {
    bool has_parts = false;
    bool has_lines = false;
  };

  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  JsonWriter& value(std::string_view text);
  void separate();
  void start_line();
  void append(std::string_view text);
  void append_quoted(std::string_view text);

  uint64_t max_bytes_;
  std::string out_;
  std::vector<Open> open_;
  bool after_key_ = false;
  bool starts_line_ = false;
  Status status_;
};

}  // namespace vyre::internal
