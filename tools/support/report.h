// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// What every tool says the same way: exit codes, errors on stderr, tables on stdout, progress.
//
//   print_error("vyre-eval", "there is no file `q.npy`. Fix: ...");   // one line
//   return exit_code_of(status);
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace vyre::tools {

enum ExitCode : int {
  kGood = 0,     // done, and the answer is yes
  kNo = 1,       // done, and the answer is no: outputs differ, the program is invalid
  kUsage = 2,    // wrong flags, or an input or output that cannot be read or written
  kStopped = 3,  // the program trapped, diverged at a barrier, or a limit ended it
  kBug = 70,     // a bug in vyre
};

// What a failure to read, build or run means for the exit code.
ExitCode exit_code_of(const Status& status);
// The graver of two outcomes of one invocation: a bug, then usage, stopped, no, good.
ExitCode graver(ExitCode a, ExitCode b);

// The text on one line: line breaks become "; ", other control characters become '?'.
std::string one_line(std::string_view text);
// "vyre-eval: <message>" on stderr, on one line.
void print_error(std::string_view tool, std::string_view message);
// Writes to stdout. False, after an error on stderr, if it cannot be written.
bool print_result(std::string_view tool, std::string_view text);

// Columns as wide as their widest cell, two spaces between them, no space at the end of a line.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

// "1.25 ms": three digits of a time.
std::string duration_text(double seconds);

// Shows a percentage on stderr if that is a terminal, and removes it when destroyed. The function
// may be called from any thread, one call at a time.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  // Empty where there is nobody to see it.
  std::function<void(double)> callback();

 private:
  bool terminal_ = false;
  int shown_ = -1;
};

// Runs a tool's main function. A C++ exception is a bug (70), running out of memory a limit (3).
int guarded_main(std::string_view tool, int argc, char** argv, int (*body)(int, char**));

}  // namespace vyre::tools
