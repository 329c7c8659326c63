// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/program_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "vyre/ir/parse.h"
#include "vyre/ir/validate/validate.h"
#include "vyre/ir/wire/vir0.h"

namespace vyre::tools {
namespace {

// What the text form allows; VIR0 allows less.
constexpr size_t kMaxBytes = size_t{256} << 20;
constexpr size_t kChunk = size_t{1} << 20;
// Where a status keeps diagnostics as JSON.
constexpr char kDiagnostics[] = "vyre/diagnostics";
// What marks the status of a program that breaks rules.
constexpr char kInvalid[] = "vyre/invalid";

Status cannot_read(const std::string& path, int error) {
  return absl::InvalidArgumentError(
      fmt::format("cannot read `{}`: {}. Fix: name a file that can be read, or a program that "
                  "`vyre-dump --list` shows.",
                  path, std::generic_category().message(error)));
}

// All that comes out of an open file, without asking for its size: pipes have none.
StatusOr<std::string> read_all(const std::string& path, int file) {
  std::string bytes;
  while (true) {
    const size_t size = bytes.size();
    bytes.resize(size + kChunk);
    const ssize_t got = ::read(file, bytes.data() + size, kChunk);
    const int error = errno;
    bytes.resize(size + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got < 0 && error == EINTR) continue;
    if (got < 0) return cannot_read(path, error);
    if (got == 0) return bytes;
    if (bytes.size() > kMaxBytes) {
      return absl::InvalidArgumentError(fmt::format(
          "`{}` has more than {} bytes. Fix: name a program that is smaller.", path, kMaxBytes));
    }
  }
}

StatusOr<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all("standard input", STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot_read(path, errno);
  StatusOr<std::string> bytes = read_all(path, file);
  ::close(file);
  return bytes;
}

}  // namespace

Status malformed_program(const std::string& text, std::span<const Diagnostic> diagnostics) {
  Status status(absl::StatusCode::kDataLoss, text);
  ValidationReport report;
  report.diagnostics.assign(diagnostics.begin(), diagnostics.end());
  status.SetPayload(kDiagnostics, absl::Cord(report.to_json()));
  return status;
}

bool is_malformed_program(const Status& status) { return absl::IsDataLoss(status); }

std::string malformed_program_json(const Status& status) {
  return std::string(status.GetPayload(kDiagnostics).value_or(absl::Cord()));
}

Status invalid_program(const std::string& text) {
  Status status = absl::InvalidArgumentError(text);
  status.SetPayload(kInvalid, absl::Cord());
  return status;
}

bool is_invalid_program(const Status& status) { return status.GetPayload(kInvalid).has_value(); }

Status with_prefix(std::string_view prefix, const Status& status) {
  Status longer(status.code(), fmt::format("{}{}", prefix, message_of(status)));
  status.ForEachPayload([&longer](absl::string_view url, const absl::Cord& payload) {
    longer.SetPayload(url, payload);
  });
  return longer;
}

void place_in_file(const std::string& name, std::vector<Diagnostic>& diagnostics) {
  const Place file = Place::in_text(std::make_shared<const std::string>(name), 0, 0);
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.place.known()) diagnostic.place = file;
  }
}

StatusOr<ProgramFile> program_of_bytes(const std::string& name, std::string bytes) {
  if (wire::looks_like_vir0(bytes)) {
    wire::Decoded decoded = wire::decode(bytes);
    if (decoded.program) return ProgramFile{*std::move(decoded.program), ""};
    place_in_file(name, decoded.diagnostics);
    return malformed_program(to_string(decoded.diagnostics), decoded.diagnostics);
  }
  ParseResult parsed = parse(bytes, {.file = name});
  if (parsed.program) {
    return ProgramFile{*std::move(parsed.program), std::move(bytes), std::move(parsed.diagnostics)};
  }
  return malformed_program(render(parsed.diagnostics, bytes), parsed.diagnostics);
}

StatusOr<ProgramFile> read_program_file(const std::string& path) {
  StatusOr<std::string> bytes = read_file(path);
  if (!bytes.ok()) return bytes.status();
  return program_of_bytes(path == "-" ? "<stdin>" : path, *std::move(bytes));
}

}  // namespace vyre::tools
