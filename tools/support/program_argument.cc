// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/program_argument.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/builders/trap.h"
#include "vyre/tools/support/program_file.h"

namespace vyre::tools {
namespace {

std::string with_hyphens(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

StatusOr<LoadedProgram> load_file(const std::string& path,
                                  const std::map<std::string, uint32_t>& dimensions) {
  if (!dimensions.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("`{}` is a file, and `{}` is a dimension of programs of the catalog. Fix: "
                    "leave one of them out.",
                    path, dimensions.begin()->first));
  }
  StatusOr<ProgramFile> file = read_program_file(path);
  if (!file.ok()) return file.status();
  std::optional<std::string> trap = trap_program_message(file->program);
  return LoadedProgram{std::move(file->program),
                       nullptr,
                       {},
                       path == "-" ? "<stdin>" : path,
                       std::move(file->text),
                       std::move(trap),
                       std::move(file->warnings)};
}

}  // namespace

bool names_a_file(std::string_view argument) {
  return argument == "-" || argument.find_first_of("./") != std::string_view::npos;
}

std::vector<uint64_t> LoadedProgram::shape_of(std::string_view buffer) const {
  if (trap || entry == nullptr || entry->shape == nullptr) return {};
  const std::vector<uint32_t> shape = entry->shape(arguments, buffer);
  return {shape.begin(), shape.end()};
}

StatusOr<LoadedProgram> load_program(std::string_view name,
                                     const std::map<std::string, uint32_t>& dimensions) {
  if (names_a_file(name)) return load_file(std::string(name), dimensions);
  const StatusOr<const catalog::Entry*> entry = catalog::find(name);
  if (!entry.ok()) return entry.status();
  StatusOr<std::vector<uint32_t>> arguments = catalog::arguments_for(**entry, dimensions);
  if (!arguments.ok()) return arguments.status();
  Program program = (*entry)->build(*arguments);
  std::string title(name);
  for (size_t i = 0; i < arguments->size(); ++i) {
    title += fmt::format(" {}={}", (*entry)->parameters[i].name, (*arguments)[i]);
  }
  std::optional<std::string> trap = trap_program_message(program);
  return LoadedProgram{std::move(program), *entry, *std::move(arguments),
                       std::move(title),   "",     std::move(trap)};
}

void ProgramArgument::add_to(CommandLine& cli) {
  cli.positional("PROGRAM", "a name that `vyre-dump --list` shows, a file (text or VIR0), or -",
                 name_);
  cli.group("Dimensions");
  for (const catalog::Entry& entry : catalog::entries()) {
    for (const catalog::Parameter& parameter : entry.parameters) {
      const std::string name(parameter.name);
      const auto [place, added] = dimensions_.try_emplace(name);
      if (!added) continue;
      const std::string alias = with_hyphens(name);
      const std::string names = alias == name ? "--" + name : fmt::format("--{},--{}", name, alias);
      cli.option(names, "N", fmt::format("{} (default {})", parameter.doc, parameter.default_value),
                 place->second);
    }
  }
  cli.group("Options");
}

bool ProgramArgument::has_dimensions() const {
  return std::ranges::any_of(dimensions_,
                             [](const auto& entry) { return entry.second.has_value(); });
}

StatusOr<std::map<std::string, uint32_t>> ProgramArgument::dimensions() const {
  std::map<std::string, uint32_t> dimensions;
  for (const auto& [name, text] : dimensions_) {
    if (!text) continue;
    const StatusOr<uint64_t> value = parse_unsigned("--" + name, *text, UINT32_MAX);
    if (!value.ok()) return value.status();
    dimensions[name] = static_cast<uint32_t>(*value);
  }
  return dimensions;
}

StatusOr<LoadedProgram> ProgramArgument::load() const {
  if (!name_) {
    return absl::InvalidArgumentError(
        "no PROGRAM is given. Fix: name one that `vyre-dump --list` shows.");
  }
  const StatusOr<std::map<std::string, uint32_t>> given = dimensions();
  if (!given.ok()) return given.status();
  return load_program(*name_, *given);
}

}  // namespace vyre::tools
