// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/reduce/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "vyre/ir/print.h"

extern char** environ;

namespace vyre::tools {
namespace {

using Clock = std::chrono::steady_clock;

std::string system_message(int error) { return std::generic_category().message(error); }

// In single quotes, for the shell.
std::string quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string with_file(const std::string& command, const std::string& file) {
  constexpr std::string_view kPlace = "{}";
  std::string text;
  size_t at = 0;
  for (size_t next = 0; (next = command.find(kPlace, at)) != std::string::npos;) {
    text += command.substr(at, next - at) + quoted(file);
    at = next + kPlace.size();
  }
  text += command.substr(at);
  return at == 0 ? text + " " + quoted(file) : text;
}

// A shell in a process group of its own.
class Shell {
 public:
  // The error, or 0.
  int start(const std::string& command) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string text = command;
    std::string name = "sh";
    std::string option = "-c";
    char* arguments[] = {name.data(), option.data(), text.data(), nullptr};
    const int error = posix_spawn(&process_, "/bin/sh", &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
  }

  // Whether it has ended. It stays known to the system, so that its number is not used again.
  bool ended() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == process_;
  }

  // Kills what is left of the group; gives the status of the shell.
  int finish() const {
    kill(-process_, SIGKILL);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

 private:
  pid_t process_ = -1;
};

}  // namespace

StatusOr<std::unique_ptr<ProgramCommand>> ProgramCommand::create(const std::string& command,
                                                                 Options options) {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string folder = ((error ? "/tmp" : base) / "vyre-reduce-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("cannot make the folder `{}`: {}. Fix: name a folder that can be written with "
                    "TMPDIR.",
                    folder, system_message(errno)));
  }
  return std::unique_ptr<ProgramCommand>(
      new ProgramCommand(std::move(folder), command, std::move(options)));
}

ProgramCommand::ProgramCommand(std::string folder, const std::string& command, Options options)
    : folder_(std::move(folder)),
      file_(folder_ + "/candidate.vyre"),
      command_(with_file(command, file_)),
      options_(std::move(options)) {}

ProgramCommand::~ProgramCommand() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

bool ProgramCommand::write(const Program& program) {
  const StatusOr<std::string> text = print(program);
  if (!text.ok()) {
    outcome_ = fmt::format("it has no text: {}", message_of(text.status()));
    return false;
  }
  errno = 0;
  std::ofstream file(file_, std::ios::binary | std::ios::trunc);
  file << *text;
  file.close();
  if (file) return true;
  const std::string reason = system_message(errno);
  std::error_code ignored;
  const bool removed = !std::filesystem::is_directory(folder_, ignored);
  const bool replaced = std::filesystem::is_directory(file_, ignored);
  status_ = absl::InvalidArgumentError(
      removed || replaced
          ? fmt::format("the command {} `{}`. Fix: let it leave the folder of its file alone.",
                        removed ? "removed" : "put a folder in the place of",
                        removed ? folder_ : file_)
          : fmt::format("cannot write `{}`: {}. Fix: name a folder with enough room with TMPDIR.",
                        file_, reason));
  return false;
}

bool ProgramCommand::run() {
  Shell shell;
  if (const int error = shell.start(command_); error != 0) {
    status_ = absl::InvalidArgumentError(
        fmt::format("cannot run /bin/sh: {}. Fix: let there be one.", system_message(error)));
    return false;
  }
  const auto deadline = Clock::now() + std::chrono::duration<double>(options_.timeout_seconds);
  // Short commands are looked at often, long ones seldom.
  auto pause = std::chrono::microseconds(100);
  bool in_time = true;
  while (!shell.ended() && in_time && !(options_.stop && options_.stop())) {
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 5 / 4, std::chrono::microseconds(10'000));
    in_time = Clock::now() < deadline;
  }
  const bool ended = shell.ended();
  const int status = shell.finish();
  if (!ended) {
    outcome_ = fmt::format("it runs longer than {} s", options_.timeout_seconds);
    return false;
  }
  outcome_ = WIFEXITED(status) ? fmt::format("it ends with exit code {}", WEXITSTATUS(status))
                               : fmt::format("signal {} ends it", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool ProgramCommand::holds(const Program& program) {
  return status_.ok() && write(program) && run();
}

}  // namespace vyre::tools
