// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/program_report.h"

#include <fmt/format.h>

#include <cstdio>

#include "vyre/ir/resolve.h"
#include "vyre/tools/support/output_file.h"

namespace vyre::tools {

ExitCode report_problems(std::string_view tool, const LoadedProgram& loaded) {
  const Resolved resolved = resolve(loaded.program);
  if (!resolved.ok()) std::fputs(to_string(resolved.diagnostics).c_str(), stderr);
  if (loaded.trap) print_error(tool, fmt::format("the program only traps: {}", *loaded.trap));
  return resolved.ok() && !loaded.trap ? kGood : kNo;
}

ExitCode write_text(std::string_view tool, const std::optional<std::string>& path,
                    std::string_view text) {
  if (!path || *path == "-") return print_result(tool, text) ? kGood : kUsage;
  OutputFiles files;
  Status status = files.stage(*path, text);
  if (status.ok()) status = files.commit();
  return status.ok() ? kGood : fail(tool, status);
}

ExitCode fail(std::string_view tool, const Status& status) {
  print_error(tool, message_of(status));
  return exit_code_of(status);
}

}  // namespace vyre::tools
