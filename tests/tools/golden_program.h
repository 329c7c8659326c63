// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Programs that say in their comments what the tools make of them.
//
//   ; run: vyre-opt %s --passes=exact | grep store
//   ; expect:   y[0u] = 3u
//   ; run: vyre-dump --check %s
//   ; exit: 1
//   ; error: golden.vyre:9:5: error[V066] ...
//   vyre 1
//   ...
//
// A command runs in the file's folder, by the shell, with %s as the file's name and the tools on
// PATH. `expect` is a line of stdout, `error` one of stderr, `exit` an exit code other than 0; all
// stand below their command.
#pragma once

#include <filesystem>
#include <string>

namespace vyre::test {

// The text of the file with what each command prints now; equal to `text` if nothing has changed.
// Throws std::runtime_error for a directive that stands where it has no meaning.
std::string run_golden_program(const std::filesystem::path& path, const std::string& text);

}  // namespace vyre::test
