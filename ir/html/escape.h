// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Text as HTML, in elements and in quoted attributes.
//
//   html_text("a < b");   // "a &lt; b"
#pragma once

#include <string>
#include <string_view>

namespace vyre::internal {

// Bytes that are not UTF-8, and control characters, become U+FFFD; line breaks stay.
std::string html_text(std::string_view text);

}  // namespace vyre::internal
