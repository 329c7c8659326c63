// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The command line of a tool: one grammar for all of them.
//
//   std::optional<std::string> format;
//   CommandLine cli("vyre-dump", "Prints a program.");
//   cli.option("--format", "FORMAT", "what to print", format);
//   if (const auto exit_code = cli.parse(argc, argv)) return *exit_code;
//
// --help and --version are always there. What is wrong with the arguments is one line on stderr,
// with the option that was probably meant, and exit code 2.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/ir/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vyre::tools {

class CommandLine {
 public:
  CommandLine(std::string tool, const std::string& summary);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Options that follow are listed under this heading by --help.
  void group(const std::string& heading);
  void positional(const std::string& name, const std::string& doc,
                  std::optional<std::string>& target);
  // `names` has all spellings, separated by commas; `value` is what --help calls the value.
  void option(const std::string& names, const std::string& value, const std::string& doc,
              std::optional<std::string>& target);
  // An option that may be given several times.
  void repeated(const std::string& names, const std::string& value, const std::string& doc,
                std::vector<std::string>& target);
  void flag(const std::string& names, const std::string& doc, bool& target);
  // The end of --help.
  void footer(const std::string& text);

  // None if the tool is to go on; otherwise the exit code to end with.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  // What is left over, as one error; none if nothing is.
  std::optional<std::string> unknown_argument() const;
  void place(CLI::Option* option, const std::string& value);

  std::string tool_;
  std::string group_ = "Options";
  std::unique_ptr<CLI::App> app_;
};

// Decimal digits only. InvalidArgument, naming `what`, if it is no number or above the limit.
StatusOr<uint64_t> parse_unsigned(std::string_view what, std::string_view text, uint64_t limit);
// A finite number that is not negative.
StatusOr<double> parse_amount(std::string_view what, std::string_view text);
// Texts between separators; an empty text has one empty part.
std::vector<std::string> split(std::string_view text, char separator);
// "did you mean `x`?", or "use x, y or z." if nothing is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace vyre::tools
