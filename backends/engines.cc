// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <fmt/format.h>

#include "vyre/backends/engine.h"
#include "vyre/ir/nearest_name.h"

namespace vyre {

std::vector<std::shared_ptr<Engine>> engines() { return {make_interpreter_engine()}; }

StatusOr<std::shared_ptr<Engine>> find_engine(std::string_view name) {
  std::vector<std::string> names;
  for (const std::shared_ptr<Engine>& engine : engines()) {
    if (engine->name() == name) return engine;
    names.push_back(engine->name());
  }
  const std::optional<std::string> nearest = nearest_name(name, names);
  return absl::NotFoundError(
      fmt::format("there is no engine `{}` here. Fix: {}", name,
                  nearest ? fmt::format("did you mean `{}`?", *nearest)
                          : fmt::format("the engines are {}.", fmt::join(names, ", "))));
}

}  // namespace vyre
