// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Status and StatusOr under vyre's name, and their message as a standard string view.
//
//   StatusOr<Program> p = catalog::build("flash_attention_2", {});
//   if (!p.ok()) std::cerr << message_of(p.status()) << '\n';
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <string_view>

namespace vyre {

using absl::Status;
using absl::StatusOr;

// absl::string_view is a type of its own where Abseil was built that way.
inline std::string_view message_of(const Status& status) {
  return {status.message().data(), status.message().size()};
}

}  // namespace vyre
