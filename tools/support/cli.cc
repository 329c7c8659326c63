// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/cli.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <system_error>

#include "vyre/ir/nearest_name.h"
#include "vyre/tools/support/report.h"

namespace vyre::tools {
namespace {

// "--seq_len=8" -> "seq_len"
std::string_view bare_name(std::string_view argument) {
  argument = argument.substr(0, argument.find('='));
  while (argument.starts_with('-')) argument.remove_prefix(1);
  return argument;
}

bool looks_like_option(std::string_view argument) {
  return argument.size() > 1 && argument.starts_with('-');
}

// What CLI11 says about an option's values, said as an error with a fix.
std::string problem_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) {
    return fmt::format("{}. Fix: --help shows the usage.", text);
  }
  if (text.find("missing") != std::string::npos) {
    return fmt::format("{} has no value. Fix: write {}=VALUE.", option, option);
  }
  return fmt::format("{} is given more than once. Fix: give it once.", option);
}

// CLI11 puts two empty lines before a group.
std::string without_double_blanks(std::string text) {
  for (size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

CommandLine::CommandLine(std::string tool, const std::string& summary)
    : tool_(std::move(tool)), app_(std::make_unique<CLI::App>(summary, tool_)) {
  app_->allow_extras();
  app_->set_help_flag("-h,--help", "print this and exit");
  app_->set_version_flag("--version", fmt::format("{} {}", tool_, VYRE_VERSION),
                         "print the version and exit");
  app_->get_formatter()->column_width(34);
}

CommandLine::~CommandLine() = default;

void CommandLine::group(const std::string& heading) { group_ = heading; }

void CommandLine::place(CLI::Option* option, const std::string& value) {
  option->type_name(value)->group(group_);
}

void CommandLine::positional(const std::string& name, const std::string& doc,
                             std::optional<std::string>& target) {
  app_->add_option(name, target, doc)->type_name("");
}

void CommandLine::option(const std::string& names, const std::string& value, const std::string& doc,
                         std::optional<std::string>& target) {
  place(app_->add_option(names, target, doc), value);
}

void CommandLine::repeated(const std::string& names, const std::string& value,
                           const std::string& doc, std::vector<std::string>& target) {
  // One value each time: a list would swallow the arguments that follow.
  place(app_->add_option(names, target, doc)->allow_extra_args(false), value);
}

void CommandLine::flag(const std::string& names, const std::string& doc, bool& target) {
  app_->add_flag(names, target, doc)->group(group_);
}

void CommandLine::footer(const std::string& text) { app_->footer(text); }

std::optional<std::string> CommandLine::unknown_argument() const {
  std::vector<std::string> left = app_->remaining();
  // What stands behind the end of options is none, whatever it looks like.
  const auto end = std::ranges::find(left, "--");
  for (const std::string& argument : std::span(left.begin(), end)) {
    if (!looks_like_option(argument)) continue;
    std::vector<std::string> known;
    for (const CLI::Option* option : app_->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back(name);
    }
    const auto nearest = nearest_name(bare_name(argument), known);
    return fmt::format(
        "there is no option `{}`. Fix: {}", argument.substr(0, argument.find('=')),
        nearest ? fmt::format("did you mean `--{}`?", *nearest) : "--help lists the options.");
  }
  if (end != left.end()) left.erase(end);
  if (left.empty()) return std::nullopt;
  return fmt::format("`{}` is one argument too many. Fix: leave it out; --help shows the usage.",
                     left.front());
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  std::optional<std::string> problem;
  try {
    app_->parse(argc, argv);
    problem = unknown_argument();
    if (!problem) return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return print_result(tool_, without_double_blanks(app_->help())) ? kGood : kUsage;
  } catch (const CLI::CallForVersion& version) {
    return print_result(tool_, fmt::format("{}\n", version.what())) ? kGood : kUsage;
  } catch (const CLI::ParseError& error) {
    problem = problem_text(error);
  }
  print_error(tool_, *problem);
  return kUsage;
}

StatusOr<uint64_t> parse_unsigned(std::string_view what, std::string_view text, uint64_t limit) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > limit) {
    return absl::InvalidArgumentError(
        fmt::format("{} is `{}`. Fix: give a whole number from 0 to {}.", what, text, limit));
  }
  return value;
}

StatusOr<double> parse_amount(std::string_view what, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0) {
    return absl::InvalidArgumentError(
        fmt::format("{} is `{}`. Fix: give a number that is not negative.", what, text));
  }
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  if (const auto nearest = nearest_name(name, known)) {
    return fmt::format("did you mean `{}`?", *nearest);
  }
  if (known.empty()) return "there is none to choose from.";
  std::string list;
  for (size_t i = 0; i < known.size(); ++i) {
    if (i > 0) list += i + 1 == known.size() ? " or " : ", ";
    list += known[i];
  }
  return fmt::format("use {}.", list);
}

}  // namespace vyre::tools
