// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Prints, for each catalog program, its hash, its text and its outputs on each engine, so that two
// processes can be compared byte for byte (same_in_every_process).
#include <fmt/format.h>

#include <clocale>
#include <cstdio>
#include <string>

#include "tests/support/catalog_inputs.h"
#include "vyre/backends/engine.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/ir/dot.h"
#include "vyre/ir/html.h"
#include "vyre/ir/json.h"
#include "vyre/ir/print.h"
#include "vyre/ir/resolve.h"

namespace vyre {
namespace {

std::string hex(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

// A run on the engine, with all buffers allocated there.
StatusOr<std::string> outputs_on(Engine& engine, const Program& program) {
  auto executable = engine.compile(program, {});
  if (!executable.ok()) return executable.status();
  const std::vector<Value> inputs = test::catalog_inputs(program);
  std::vector<Binding> bindings;
  size_t next = 0;
  for (const BindingInfo& info : (*executable)->bindings()) {
    const std::vector<std::byte> bytes =
        info.is_input ? inputs[next++].to_bytes()
                      : std::vector<std::byte>(size_t{info.count.value_or(0)} *
                                               info.element.size_bytes().value_or(0));
    auto buffer = engine.allocate(bytes.size());
    if (!buffer.ok()) return buffer.status();
    if (Status status = (*buffer)->upload(0, bytes); !status.ok()) return status;
    bindings.push_back({info.name, *std::move(buffer)});
  }
  auto run = (*executable)->launch(bindings, std::nullopt, {});
  if (!run.ok()) return run.status();
  if (auto report = (*run)->wait(); !report.ok()) return report.status();
  std::string text;
  for (size_t i = 0; i < bindings.size(); ++i) {
    if (!(*executable)->bindings()[i].is_returned) continue;
    std::vector<std::byte> bytes(bindings[i].buffer->size());
    if (Status status = bindings[i].buffer->download(0, bytes); !status.ok()) return status;
    text += fmt::format("  {} = {}\n", bindings[i].name, hex(bytes));
  }
  return text;
}

Status print_entry(const catalog::Entry& entry) {
  StatusOr<Program> program = catalog::build(entry.name, {});
  if (!program.ok()) return program.status();
  StatusOr<std::string> text = print(*program);
  if (!text.ok()) return text.status();
  fmt::print("{} {}\n{}", entry.name, program->hash().to_hex(), *text);
  const StatusOr<std::string> json = to_json(*program, {.types = true, .places = true});
  if (!json.ok()) return json.status();
  const StatusOr<std::string> page = to_html(*program);
  if (!page.ok()) return page.status();
  fmt::print("{}{}", *json, *page);
  for (const std::shared_ptr<Engine>& engine : engines()) {
    StatusOr<std::string> outputs = outputs_on(*engine, *program);
    if (!outputs.ok()) return outputs.status();
    fmt::print("{}\n{}", engine->name(), *outputs);
  }
  return absl::OkStatus();
}

int print_everything() {
  // The caller's locale, as an application would set it.
  std::setlocale(LC_ALL, "");
  for (const catalog::Entry& entry : catalog::entries()) {
    if (Status status = print_entry(entry); !status.ok()) {
      fmt::print(stderr, "{}: {}\n", entry.name, message_of(status));
      return 1;
    }
  }
  // Diagnostics, too, with names that have near misses.
  const Program broken = Program::wrapped({}, {}, {Node::store("y", Expr::var("row"), 0.1F)});
  fmt::print("{}", to_string(resolve(broken).diagnostics));
  return 0;
}

}  // namespace
}  // namespace vyre

int main() { return vyre::print_everything(); }
