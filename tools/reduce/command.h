// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A shell command that judges programs: it is given each one as a file of text, and its exit code
// says whether what one looks for still holds.
//
//   StatusOr<std::unique_ptr<ProgramCommand>> command =
//       ProgramCommand::create("vyre-eval {} | grep -q differs", options);
//   (*command)->holds(program);   // exit code 0
//
// The command runs in a process group of its own, without input and output. It and all it started
// are killed when it ends, when it runs longer than allowed, and when `stop` says so. The file lies
// in a temporary folder that goes away with the object.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "vyre/ir/program.h"
#include "vyre/ir/status.h"

namespace vyre::tools {

class ProgramCommand {
 public:
  struct Options {
    double timeout_seconds = 60;
    std::function<bool()> stop{};
  };

  // `{}` in the command stands for the file; without one, the file is added at the end. Errors: no
  // temporary folder.
  static StatusOr<std::unique_ptr<ProgramCommand>> create(const std::string& command,
                                                          Options options);
  ~ProgramCommand();
  ProgramCommand(const ProgramCommand&) = delete;
  ProgramCommand& operator=(const ProgramCommand&) = delete;

  // False for a program without a text, for what takes too long, and if status() is not ok.
  bool holds(const Program& program);
  // How the last run ended, for a message: "it ends with exit code 127".
  const std::string& outcome() const { return outcome_; }
  // What kept a command from being run, if anything did.
  const Status& status() const { return status_; }

 private:
  ProgramCommand(std::string folder, const std::string& command, Options options);
  bool write(const Program& program);
  bool run();

  std::string folder_;
  std::string file_;
  std::string command_;
  Options options_;
  std::string outcome_;
  Status status_;
};

}  // namespace vyre::tools
