// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse.h"

#include <fmt/format.h>

#include <memory>

#include "vyre/ir/hidden_code.h"
#include "vyre/ir/names.h"
#include "vyre/ir/parse_declaration.h"
#include "vyre/ir/parse_expr.h"
#include "vyre/ir/parse_statement.h"
#include "vyre/ir/scalar/float_environment.h"
#include "vyre/ir/text_characters.h"

namespace vyre {
namespace {

using internal::ExprParser;
using internal::Position;
using internal::quoted;
using internal::SyntaxErrors;
using internal::TextReader;
using internal::TokenKind;

Place place_of(const std::string& file) {
  return Place::in_text(std::make_shared<const std::string>(file), 1, 1);
}

Position position_at(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
  const auto lines = std::ranges::count(before, '\n');
  return {static_cast<uint32_t>(lines + 1),
          static_cast<uint32_t>(internal::count_characters(before.substr(line_start)) + 1)};
}

// Whether tokens can be cut at all.
bool is_readable(std::string_view text, const ParseOptions& options, SyntaxErrors& errors) {
  if (text.size() > options.max_bytes) {
    errors.add({}, {"P004", fmt::format("the text has more than {} bytes", options.max_bytes),
                    "split the program; in C++, ParseOptions::max_bytes raises the limit."});
    return false;
  }
  const size_t valid = valid_utf8_prefix(text);
  if (valid == text.size()) return true;
  errors.add(
      position_at(text, valid),
      {"P003", fmt::format("the byte {:#04x} is not UTF-8", static_cast<uint8_t>(text[valid])),
       "save the text as UTF-8; the bytes of an opaque payload are written x\"0a1b\"."});
  return false;
}

class ProgramParser {
 public:
  explicit ProgramParser(TextReader& reader) : reader_(reader), statements_(reader, bindings_) {}

  // What could be read; worth something only where there were no errors.
  std::optional<Program> parse() {
    if (!version()) return std::nullopt;
    if (!header() && !skip_to_brace()) return std::nullopt;
    const Position brace = reader_.token().position;
    if (!reader_.expect("{", "before the body of the program")) return std::nullopt;
    std::vector<BufferDecl> buffers = declarations();
    std::vector<Node> entry = statements_.read_body(brace);
    bindings_.report_missing(reader_);
    if (!reader_.at_end() && !reader_.gives_up()) {
      reader_.fail(
          {"P031",
           fmt::format("{} stands behind the end of the program", quoted(reader_.token().text)),
           "remove it, or a `}` that closes the program too early."});
    }
    return finish(std::move(buffers), std::move(entry));
  }

 private:
  // vyre 1
  bool version() {
    if (reader_.at("program")) {
      reader_.fail({"P001", "the text does not start with its version",
                    "write a line `vyre 1` before `program`."});
      return true;
    }
    if (!reader_.accept("vyre")) {
      reader_.fail({"P001", "this is not the text of a program: it does not start with `vyre 1`",
                    "write `vyre 1` on the first line and `program` on the second."});
      return false;
    }
    const internal::Token& token = reader_.token();
    if (token.is("program")) {
      reader_.fail({"P001", "`vyre` has no version behind it", "write `vyre 1`."});
      return true;
    }
    if (token.kind != TokenKind::kNumber || token.text != "1") {
      reader_.fail({"P002",
                    fmt::format("version {} of the text form is not known", describe(token)),
                    "write `vyre 1`, or use a release of vyre that reads this version."});
      return false;
    }
    reader_.advance();
    return true;
  }

  // program entry "id" self_exclusive workgroup(64, 1, 1) extent(8, 1, 1)
  bool header() {
    if (!reader_.expect("program", "after the version")) return false;
    if (reader_.accept("entry")) {
      entry_op_id_ = reader_.string("the id of the operation");
      if (!entry_op_id_) return false;
    }
    self_exclusive_ = reader_.accept("self_exclusive");
    if (!reader_.expect("workgroup", "and its size on the line of `program`")) return false;
    const std::optional<Dim3> workgroup = sizes();
    if (!workgroup) return false;
    workgroup_ = *workgroup;
    if (!reader_.accept("extent")) return true;
    extent_ = sizes();
    return extent_.has_value();
  }

  std::optional<Dim3> sizes() {
    uint32_t size[3];
    for (int axis = 0; axis < 3; ++axis) {
      if (!reader_.expect(axis == 0 ? "(" : ",", "before one of three sizes")) return std::nullopt;
      const std::optional<uint32_t> number = reader_.u32("a size");
      if (!number) return std::nullopt;
      size[axis] = *number;
    }
    if (!reader_.expect(")", "after three sizes")) return std::nullopt;
    return Dim3{size[0], size[1], size[2]};
  }

  bool skip_to_brace() {
    while (!reader_.at_end() && !reader_.at("{")) reader_.advance();
    return !reader_.at_end();
  }

  std::vector<BufferDecl> declarations() {
    std::vector<BufferDecl> buffers;
    while (internal::is_declaration_word(reader_.token().text) && !reader_.gives_up()) {
      std::optional<BufferDecl> buffer = internal::read_declaration(reader_, bindings_);
      if (buffer) {
        buffers.push_back(*std::move(buffer));
        statements_.end_line();
      } else {
        statements_.recover();
      }
    }
    return buffers;
  }

  Program finish(std::vector<BufferDecl> buffers, std::vector<Node> entry) {
    Program program = Program::from_raw_parts(std::move(buffers), workgroup_, std::move(entry));
    if (extent_) program = program.with_extent(*extent_);
    if (entry_op_id_) program = program.with_entry_op_id(std::move(entry_op_id_));
    return self_exclusive_ ? program.with_non_composable_with_self(true) : program;
  }

  TextReader& reader_;
  internal::Bindings bindings_;
  internal::StatementParser statements_;
  std::optional<std::string> entry_op_id_;
  bool self_exclusive_ = false;
  Dim3 workgroup_;
  std::optional<Dim3> extent_;
};

Status invalid(std::span<const Diagnostic> diagnostics, std::string_view text) {
  return absl::InvalidArgumentError(render(diagnostics, text));
}

}  // namespace

ParseResult parse(std::string_view text, const ParseOptions& options) {
  const scalar::FloatEnvironment environment;  // for the literals
  SyntaxErrors errors(place_of(options.file), options.max_diagnostics);
  ParseResult result;
  if (is_readable(text, options, errors)) {
    TextReader reader(text, errors, options.max_nodes);
    result.program = ProgramParser(reader).parse();
    internal::warn_of_hidden_code(reader.comments(), errors);
  }
  if (!errors.none()) result.program.reset();
  result.diagnostics = std::move(errors).take();
  return result;
}

StatusOr<Program> parse_program(std::string_view text, std::string_view file) {
  ParseResult result = parse(text, {.file = std::string(file)});
  if (!result.ok()) return invalid(result.diagnostics, text);
  return *std::move(result.program);
}

StatusOr<Expr> parse_expr(std::string_view text, std::string_view file) {
  const ParseOptions options;
  const scalar::FloatEnvironment environment;  // for the literals
  SyntaxErrors errors(place_of(std::string(file)), options.max_diagnostics);
  std::optional<Expr> expr;
  if (is_readable(text, options, errors)) {
    TextReader reader(text, errors, options.max_nodes);
    expr = ExprParser(reader).parse();
    if (expr && !reader.at_end()) {
      reader.unexpected("the end of the expression", "remove it, or write an operator before it.");
    }
  }
  if (!errors.none()) return invalid(std::move(errors).take(), text);
  return *std::move(expr);
}

}  // namespace vyre
