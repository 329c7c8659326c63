// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace vyre::tools {
namespace {

Status cannot_write(std::string_view path, int error) {
  return absl::InvalidArgumentError(
      fmt::format("cannot write `{}`: {}. Fix: name a file in a folder that can be written.", path,
                  std::generic_category().message(error)));
}

Status write_all(int file, std::string_view path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return cannot_write(path, written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Permissions that a new file gets.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

Status write_directly(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  Status status = write_all(file, path, bytes);
  if (::close(file) != 0 && status.ok()) status = cannot_write(path, errno);
  return status;
}

// Puts the bytes, and the rename that will follow, on the disk.
Status fill(int file, const std::string& path, std::string_view bytes, mode_t mode) {
  if (Status status = write_all(file, path, bytes); !status.ok()) return status;
  if (::fchmod(file, mode) != 0 || ::fsync(file) != 0) return cannot_write(path, errno);
  return absl::OkStatus();
}

// The file that a path means: a link is written through, not replaced, and made where it leads if
// nothing is there. Links in a circle are none of those, as stat() said before.
std::string link_target(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  std::filesystem::path target = path;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(target, error); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  }
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(target, error);
  return error ? target.string() : canonical.string();
}

}  // namespace

OutputFiles::~OutputFiles() {
  for (const Staged& staged : staged_) {
    if (!staged.temporary.empty()) ::unlink(staged.temporary.c_str());
  }
}

Status OutputFiles::stage(const std::string& path, std::string_view bytes) {
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (!exists && errno == ELOOP) return cannot_write(path, errno);
  if (exists && S_ISDIR(existing.st_mode)) return cannot_write(path, EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) {
    staged_.push_back({path, "", std::string(bytes)});
    return absl::OkStatus();
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
  const std::string target = link_target(path);
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  std::string temporary = (folder / ".vyre-XXXXXX").string();
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  staged_.push_back({target, temporary, ""});
  Status status = fill(file, path, bytes, exists ? existing.st_mode & 07777 : new_file_mode());
  if (::close(file) != 0 && status.ok()) status = cannot_write(path, errno);
  return status;
}

Status OutputFiles::commit() {
  for (Staged& staged : staged_) {
    if (staged.temporary.empty()) {
      if (Status status = write_directly(staged.path, staged.bytes); !status.ok()) return status;
      continue;
    }
    if (::rename(staged.temporary.c_str(), staged.path.c_str()) != 0) {
      return cannot_write(staged.path, errno);
    }
    staged.temporary.clear();
  }
  staged_.clear();
  return absl::OkStatus();
}

}  // namespace vyre::tools
