// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The statements of a program as HTML: a line each, in <details> that fold, with diagnostics after
// the lines that they are about. For ir/html.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vyre/ir/diagnostic.h"
#include "vyre/ir/html.h"
#include "vyre/ir/listing.h"
#include "vyre/ir/resolve.h"

namespace vyre::internal {

struct HtmlCode {
  std::string html;
  std::vector<bool> placed;  // by diagnostic: whether it stands at a line
};

// `first_line` is the number of the listing's first line. Diagnostic i of the options has the id
// "d<i>" where it stands.
StatusOr<HtmlCode> html_code(const Listing& listing, const Resolved& resolved, uint64_t first_line,
                             const HtmlOptions& options);

// "error V066: cause. Fix: fix" and the place, as the contents of an element.
std::string html_diagnostic(const Diagnostic& diagnostic);

}  // namespace vyre::internal
