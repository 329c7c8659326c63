// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "vyre/tools/support/array_file.h"
#include "vyre/tools/support/cli.h"

namespace vyre::tools {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr uint64_t kMaxFixtureBytes = 1 << 20;
const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> kKeys = {"version",  "program", "dims", "inputs",
                                                 "expected", "atol",    "rtol"};
  return kKeys;
}

// Rejects what a JSON object would silently drop: a key that stands twice.
class DuplicateKeys {
 public:
  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end && !open_.empty()) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.empty()) {
      const std::string& key = parsed.get_ref<const std::string&>();
      if (!open_.back().insert(key).second && first_.empty()) first_ = key;
    }
    return true;
  }
  const std::string& first() const { return first_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string first_;
};

class Reader {
 public:
  Reader(std::string folder, const Json& json) : json_(json) {
    fixture_.folder = std::move(folder);
  }

  StatusOr<Fixture> read() {
    for (const auto& step : {&Reader::keys, &Reader::version, &Reader::program, &Reader::dimensions,
                             &Reader::arrays, &Reader::tolerance}) {
      if (Status status = (this->*step)(); !status.ok()) return status;
    }
    return fixture_;
  }

 private:
  static Status wrong(std::string_view key, std::string_view fix) {
    return absl::InvalidArgumentError(fmt::format("`{}` is wrong. Fix: {}", key, fix));
  }
  const Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  Status keys() {
    if (!json_.is_object()) return absl::InvalidArgumentError("it is no object. Fix: write {...}.");
    for (const auto& [key, value] : json_.items()) {
      if (std::ranges::find(known_keys(), key) != known_keys().end()) continue;
      return absl::InvalidArgumentError(
          fmt::format("it has the unknown key `{}`. Fix: {}", key, suggestion(key, known_keys())));
    }
    for (const char* key : {"version", "program", "inputs", "expected"}) {
      if (find(key) == nullptr) {
        return absl::InvalidArgumentError(fmt::format("it lacks the key `{}`. Fix: add it.", key));
      }
    }
    return absl::OkStatus();
  }

  Status version() {
    const Json& version = *find("version");
    if (version.is_number_integer() && version == 1) return absl::OkStatus();
    return wrong("version", "write 1, the only version there is.");
  }

  Status program() {
    const Json& program = *find("program");
    if (!program.is_string()) return wrong("program", "write the name of a catalog program.");
    fixture_.program = program.get<std::string>();
    return absl::OkStatus();
  }

  Status dimensions() {
    const Json* dims = find("dims");
    if (dims == nullptr) return absl::OkStatus();
    if (!dims->is_object()) return wrong("dims", "write an object of numbers.");
    for (const auto& [name, value] : dims->items()) {
      if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX) {
        return wrong("dims." + name, "write a whole number from 0 to 4294967295.");
      }
      fixture_.dimensions[name] = value.get<uint32_t>();
    }
    return absl::OkStatus();
  }

  Status arrays() {
    if (Status status = files("inputs", fixture_.inputs); !status.ok()) return status;
    if (Status status = files("expected", fixture_.expected); !status.ok()) return status;
    if (!fixture_.expected.empty()) return absl::OkStatus();
    return wrong("expected", "name at least one output and its file.");
  }

  Status files(const char* key, std::map<std::string, std::string>& out) {
    const Json& object = *find(key);
    if (!object.is_object()) return wrong(key, "write an object of buffer and file names.");
    for (const auto& [name, value] : object.items()) {
      const std::string where = fmt::format("{}.{}", key, name);
      if (!value.is_string()) return wrong(where, "write the name of a file.");
      const std::string& text = value.get_ref<const std::string&>();
      const fs::path file = text;
      // A NUL would end the name for the system and not for us.
      if (file.empty() || text.find('\0') != std::string::npos || file.is_absolute() ||
          std::ranges::find(file, "..") != file.end()) {
        return wrong(where, "name a file in the fixture's folder.");
      }
      out[name] = (fs::path(fixture_.folder) / file).string();
    }
    return absl::OkStatus();
  }

  Status tolerance() {
    const std::pair<const char*, double*> parts[] = {{"atol", &fixture_.tolerance.absolute},
                                                     {"rtol", &fixture_.tolerance.relative}};
    for (const auto& [key, target] : parts) {
      const Json* value = find(key);
      if (value == nullptr) continue;
      if (!value->is_number()) return wrong(key, "write a number that is not negative.");
      *target = value->get<double>();
      if (!std::isfinite(*target) || *target < 0) {
        return wrong(key, "write a number that is not negative.");
      }
    }
    return absl::OkStatus();
  }

  const Json& json_;
  Fixture fixture_;
};

Status cannot_search(const std::string& folder, const std::error_code& error) {
  return absl::InvalidArgumentError(
      fmt::format("cannot read the folder `{}`: {}. Fix: name a folder that can be read.", folder,
                  error.message()));
}

}  // namespace

StatusOr<Fixture> parse_fixture(const std::string& folder, const std::string& json) {
  DuplicateKeys duplicates;
  const Json parsed = Json::parse(json, std::ref(duplicates), /*allow_exceptions=*/false);
  if (parsed.is_discarded()) {
    return absl::InvalidArgumentError("it is no JSON. Fix: check its commas, quotes and braces.");
  }
  if (!duplicates.first().empty()) {
    return absl::InvalidArgumentError(
        fmt::format("the key `{}` stands twice. Fix: keep one.", duplicates.first()));
  }
  return Reader(folder, parsed).read();
}

StatusOr<Fixture> read_fixture(const std::string& folder) {
  const std::string path = (fs::path(folder) / kFixtureFile).string();
  const StatusOr<std::string> text = read_small_file(path, kMaxFixtureBytes);
  if (!text.ok()) return text.status();
  StatusOr<Fixture> fixture = parse_fixture(folder, *text);
  if (fixture.ok()) return fixture;
  return absl::InvalidArgumentError(fmt::format("`{}`: {}", path, message_of(fixture.status())));
}

StatusOr<std::vector<std::string>> find_fixtures(const std::string& folder) {
  std::error_code error;
  fs::recursive_directory_iterator files(folder, error);
  if (error) return cannot_search(folder, error);
  std::vector<std::string> folders;
  while (files != fs::recursive_directory_iterator()) {
    if (files->path().filename() == kFixtureFile) {
      folders.push_back(files->path().parent_path().string());
    }
    files.increment(error);
    if (error) return cannot_search(folder, error);
  }
  if (folders.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "there is no {} in `{}` or below. Fix: name a folder of fixtures.", kFixtureFile, folder));
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace vyre::tools
