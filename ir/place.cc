// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/place.h"

#include <fmt/format.h>

namespace vyre {

struct Place::Origin {
  std::shared_ptr<const std::string> file;  // keeps file_ alive for text that was read
  std::string passes;                       // "unroll, peel": oldest first
};

Place Place::in_text(std::shared_ptr<const std::string> file, uint32_t line, uint32_t column) {
  Place place;
  place.file_ = file->c_str();
  place.line_ = line;
  place.column_ = column;
  place.origin_ = std::make_shared<const Origin>(Origin{std::move(file), {}});
  return place;
}

Place Place::at(uint32_t line, uint32_t column) const {
  Place place = *this;
  place.line_ = line;
  place.column_ = column;
  return place;
}

Place Place::copied_by(std::string_view pass) const {
  Origin origin = origin_ ? *origin_ : Origin{};
  if (!origin.passes.empty()) origin.passes += ", ";
  origin.passes += pass;
  Place place = *this;
  place.origin_ = std::make_shared<const Origin>(std::move(origin));
  return place;
}

bool Place::copied() const { return origin_ && !origin_->passes.empty(); }

std::string Place::to_string() const {
  std::string text = known() ? file_ : "unknown place";
  if (line_ != 0) text += fmt::format(":{}", line_);
  if (column_ != 0) text += fmt::format(":{}", column_);
  if (copied()) text += fmt::format(" (copied by {})", origin_->passes);
  return text;
}

}  // namespace vyre
