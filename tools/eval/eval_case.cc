// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/eval/eval_case.h"

#include <fmt/format.h>

#include "vyre/tools/support/program_report.h"
#include "vyre/tools/support/random_inputs.h"

namespace vyre::tools {
namespace {

// What a file has to be that is read into, or written from, a buffer.
StatusOr<ArraySpec> spec_of(const LoadedProgram& loaded, const BufferDecl& decl) {
  const DataType::Kind element = decl.element().kind();
  if (!value_type_of(element)) {
    return absl::InvalidArgumentError(
        fmt::format("buffer `{}` holds elements of {}, which no file holds. Fix: use a program "
                    "whose buffers hold numbers.",
                    decl.name(), decl.element().spelling()));
  }
  const std::string name(decl.name());
  ArraySpec spec{element, decl.count(), loaded.shape_of(name), name};
  if (const auto& range = decl.output_byte_range()) {
    spec = {element, (range->end - range->begin) / decl.element().stride_bytes(), {}, name};
  }
  return spec;
}

std::vector<std::string> names_of(const Program& program, bool (BufferDecl::*wanted)() const) {
  std::vector<std::string> names;
  for (const BufferDecl& decl : program.buffers()) {
    if ((decl.*wanted)()) names.push_back(decl.name());
  }
  return names;
}

// The program whose buffers options name. Impossible dimensions leave one with a single output.
Program named_program(const LoadedProgram& loaded) {
  if (!loaded.trap || loaded.entry == nullptr) return loaded.program;
  return catalog::build(loaded.entry->name, {}).value_or(loaded.program);
}

const BufferDecl* find(const Program& program, std::string_view name,
                       bool (BufferDecl::*wanted)() const) {
  for (const BufferDecl& decl : program.buffers()) {
    if (decl.name() == name && (decl.*wanted)()) return &decl;
  }
  return nullptr;
}

Status check_names(const LoadedProgram& loaded, const std::map<std::string, std::string>& inputs,
                   const std::map<std::string, std::string>& expected) {
  const Program program = named_program(loaded);
  for (const auto& [name, source] : inputs) {
    if (find(program, name, &BufferDecl::is_input) != nullptr) continue;
    if (find(program, name, &BufferDecl::is_returned) != nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "`{}` is an output, not an input. Fix: use --expect or --output for it.", name));
    }
    return absl::InvalidArgumentError(
        fmt::format("the program has no input `{}`. Fix: {}", name,
                    suggestion(name, names_of(program, &BufferDecl::is_input))));
  }
  for (const auto& [name, path] : expected) {
    const StatusOr<ArraySpec> spec = output_spec(loaded, "--expect", name);
    if (!spec.ok()) return spec.status();
  }
  return absl::OkStatus();
}

Status check_memory(const Program& program, uint64_t max_bytes) {
  const uint64_t bytes = bound_bytes(program);
  if (bytes <= max_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("the program's buffers need {} bytes, and {} are the limit. Fix: use smaller "
                  "dimensions, or raise it with --max-memory.",
                  bytes, max_bytes));
}

StatusOr<std::vector<std::byte>> input_bytes(const ArraySpec& spec, std::string_view name,
                                             const std::string& source, uint64_t position,
                                             uint64_t max_bytes) {
  const StatusOr<std::optional<Generator>> generator = parse_generator(source);
  if (!generator.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("--input {}: {}", name, message_of(generator.status())));
  }
  if (!*generator) {
    StatusOr<std::vector<std::byte>> bytes = read_array(source, spec, max_bytes);
    if (bytes.ok()) return bytes;
    return Status(bytes.status().code(),
                  fmt::format("input `{}`: {}", name, message_of(bytes.status())));
  }
  if (!spec.count) {
    return absl::InvalidArgumentError(
        fmt::format("input `{}` has no count, so nothing says how much to generate. Fix: give it a "
                    "file.",
                    name));
  }
  return generate(**generator, spec.element, *spec.count, position);
}

Status add_inputs(EvalCase& out, const std::map<std::string, std::string>& sources,
                  uint64_t max_bytes) {
  uint64_t position = 0;
  for (const BufferDecl& decl : out.loaded.program.buffers()) {
    if (!decl.is_input()) continue;
    const StatusOr<ArraySpec> spec = spec_of(out.loaded, decl);
    if (!spec.ok()) return spec.status();
    const auto given = sources.find(decl.name());
    if (given == sources.end()) out.random_inputs.push_back(decl.name());
    StatusOr<std::vector<std::byte>> bytes =
        input_bytes(*spec, decl.name(), given == sources.end() ? "random" : given->second,
                    position++, max_bytes);
    if (!bytes.ok()) return bytes.status();
    out.inputs.push_back({decl.name(), spec->element, *std::move(bytes)});
  }
  return absl::OkStatus();
}

Status add_expected(EvalCase& out, const std::map<std::string, std::string>& files,
                    uint64_t max_bytes) {
  for (const auto& [name, path] : files) {
    const StatusOr<ArraySpec> spec = output_spec(out.loaded, "--expect", name);
    if (!spec.ok()) return spec.status();
    StatusOr<std::vector<std::byte>> bytes = read_array(path, *spec, max_bytes);
    if (!bytes.ok()) {
      return Status(bytes.status().code(),
                    fmt::format("expected `{}`: {}", name, message_of(bytes.status())));
    }
    out.expected.push_back({path, {name, spec->element, *std::move(bytes)}});
  }
  return absl::OkStatus();
}

}  // namespace

StatusOr<std::map<std::string, std::string>> parse_assignments(
    std::string_view option, const std::vector<std::string>& texts) {
  std::map<std::string, std::string> assignments;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return absl::InvalidArgumentError(
          fmt::format("{} is `{}`. Fix: write {} NAME=VALUE.", option, text, option));
    }
    const std::string name = text.substr(0, equals);
    if (!assignments.emplace(name, text.substr(equals + 1)).second) {
      return absl::InvalidArgumentError(
          fmt::format("{} names `{}` twice. Fix: give it once.", option, name));
    }
  }
  return assignments;
}

StatusOr<ArraySpec> output_spec(const LoadedProgram& loaded, std::string_view option,
                                std::string_view name) {
  const Program program = named_program(loaded);
  const BufferDecl* decl = find(program, name, &BufferDecl::is_returned);
  if (decl != nullptr) return spec_of(loaded, *decl);
  return absl::InvalidArgumentError(
      fmt::format("{}: the program has no output `{}`. Fix: {}", option, name,
                  suggestion(name, names_of(program, &BufferDecl::is_returned))));
}

StatusOr<EvalCase> case_of(const LoadedProgram& loaded,
                           const std::map<std::string, std::string>& inputs,
                           const std::map<std::string, std::string>& expected, uint64_t max_bytes) {
  EvalCase out{loaded, {}, {}, {}, {}};
  if (Status status = check_names(loaded, inputs, expected); !status.ok()) return status;
  if (Status status = check_program(loaded); !status.ok()) return status;
  if (loaded.trap) return out;
  if (Status status = check_memory(loaded.program, max_bytes); !status.ok()) return status;
  if (Status status = add_inputs(out, inputs, max_bytes); !status.ok()) return status;
  if (Status status = add_expected(out, expected, max_bytes); !status.ok()) return status;
  return out;
}

StatusOr<EvalCase> case_of(const Fixture& fixture, uint64_t max_bytes) {
  const StatusOr<LoadedProgram> loaded = load_program(fixture.program, fixture.dimensions);
  if (!loaded.ok()) return loaded.status();
  StatusOr<EvalCase> out = case_of(*loaded, fixture.inputs, fixture.expected, max_bytes);
  if (!out.ok()) return out.status();
  if (!out->random_inputs.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("it gives no input `{}`. Fix: name its file.", out->random_inputs.front()));
  }
  out->tolerance = fixture.tolerance;
  return out;
}

}  // namespace vyre::tools
