// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse_declaration.h"

#include <fmt/format.h>

#include <algorithm>

#include "vyre/ir/check.h"
#include "vyre/ir/parse_type.h"
#include "vyre/ir/parse_words.h"

namespace vyre::internal {
namespace {

constexpr std::string_view kWords[] = {"buffer", "output", "workgroup", "local", "transient"};
constexpr std::string_view kAttributes[] = {"binding", "kind",       "live_out", "bytes",
                                            "hints",   "extraction", "linear",   "where"};

class DeclarationReader {
 public:
  DeclarationReader(TextReader& reader, Bindings& bindings)
      : reader_(reader), bindings_(bindings) {}

  std::optional<BufferDecl> read() {
    const Token word = reader_.token();
    reader_.advance();
    std::optional<std::string> name = reader_.name("a buffer");
    if (!name) return std::nullopt;
    const std::string where = fmt::format("and a type after the buffer of `{}`", word.text);
    const std::optional<DataType> type = read_type(reader_, ":", where);
    if (!type || !read_count()) return std::nullopt;
    if (!read_access(word) || !read_attributes()) return std::nullopt;
    const bool bound = word.text == "buffer" || word.text == "output";
    if (bound && !given("binding")) {
      bindings_.add_missing(word);
      return std::nullopt;
    }
    return build(word.text, *name, *type, reader_.place(word.position));
  }

 private:
  bool read_count() {
    if (!reader_.expect("[", "after the type")) return false;
    if (!reader_.at("]")) {
      count_ = reader_.u32("a number of elements");
      if (!count_) return false;
    }
    return reader_.expect("]", "after the number of elements");
  }

  // Words of the same line only: `workgroup` starts a declaration on the next one.
  bool read_access(const Token& word) {
    const bool scratch = word.text == "workgroup" || word.text == "local";
    if (scratch) access_ = BufferAccess::kWorkgroup;
    const Token& token = reader_.token();
    const bool has_word = token.kind == TokenKind::kWord && !token.starts_line;
    const bool is_attribute = std::ranges::find(kAttributes, token.text) != std::end(kAttributes);
    if (word.text == "buffer") {
      if (has_word && !is_attribute) return take_access();
      reader_.fail(word.position,
                   {"P029", "this `buffer` has no access",
                    "write read, read_write, uniform or write behind the brackets."});
      return false;
    }
    if (!has_word || !is_access(token.text)) return true;
    if (word.text == "output") return take_access();
    reader_.fail({"P029",
                  fmt::format("{} stands behind `{}`, which says the access itself",
                              quoted(token.text), word.text),
                  "leave it out, or start the declaration with buffer."});
    return false;
  }

  bool take_access() {
    const std::optional<BufferAccess> access = internal::read_access(reader_);
    if (access) access_ = *access;
    return access.has_value();
  }

  bool given(std::string_view attribute) const {
    return std::ranges::find(given_, attribute) != given_.end();
  }

  bool read_attributes() {
    while (!reader_.token().starts_line && reader_.token().kind == TokenKind::kWord) {
      const Token word = reader_.token();
      const auto* found = std::ranges::find(kAttributes, word.text);
      if (found == std::end(kAttributes)) {
        reader_.fail(
            {"P024", fmt::format("{} is no attribute of a buffer", quoted(word.text)),
             write_nearest(word.text, kAttributes,
                           fmt::format("write {}, or leave it out.", alternatives(kAttributes)))});
        return false;
      }
      if (given(*found)) {
        reader_.fail(
            {"P025", fmt::format("`{}` is given twice", word.text), "leave one of the two out."});
        return false;
      }
      given_.push_back(*found);
      reader_.advance();
      if (word.text == "extraction") continue;
      if (!reader_.expect("(", fmt::format("after `{}`", word.text)) || !read_value(word.text) ||
          !reader_.expect(")", fmt::format("at the end of `{}`", word.text))) {
        return false;
      }
    }
    return true;
  }

  bool read_value(std::string_view attribute) {
    if (attribute == "binding") return read_binding();
    if (attribute == "kind") return (kind_ = read_memory_kind(reader_)).has_value();
    if (attribute == "live_out") return read_live_out();
    if (attribute == "bytes") return read_bytes();
    if (attribute == "hints") return read_hints();
    if (attribute == "linear") return (linear_ = read_linear_type(reader_)).has_value();
    return (predicate_ = read_predicate(reader_)).has_value();
  }

  bool read_binding() {
    binding_ = reader_.u32("a binding");
    if (binding_) bindings_.add(*binding_);
    return binding_.has_value();
  }

  bool read_live_out() {
    static constexpr std::string_view kBools[] = {"false", "true"};
    const std::optional<size_t> which = reader_.one_of("true or false", kBools);
    if (which) live_out_ = *which == 1;
    return which.has_value();
  }

  bool read_bytes() {
    const std::optional<uint64_t> begin = reader_.u64("the first byte");
    if (!begin || !reader_.expect("..", "between the first byte and the end")) return false;
    const std::optional<uint64_t> end = reader_.u64("the end");
    if (end) range_ = ByteRange{*begin, *end};
    return end.has_value();
  }

  bool read_hints() {
    static constexpr std::string_view kHints[] = {"axis", "align", "streaming", "random"};
    std::vector<size_t> seen;
    do {
      const Token word = reader_.token();
      const std::optional<size_t> which = reader_.one_of("a hint", kHints);
      if (!which) return false;
      // The last two are one hint.
      const size_t hint = std::min<size_t>(*which, 2);
      if (std::ranges::find(seen, hint) != seen.end()) {
        reader_.fail(word.position, {"P025", fmt::format("{} repeats a hint", quoted(word.text)),
                                     "leave one of the two out."});
        return false;
      }
      seen.push_back(hint);
      if (!read_hint(*which)) return false;
    } while (reader_.accept(","));
    return true;
  }

  bool read_hint(size_t which) {
    if (which >= 2) {
      hints_.cache_locality = which == 2 ? CacheLocality::kStreaming : CacheLocality::kRandom;
      return true;
    }
    if (!reader_.expect("=", "and a number after the hint")) return false;
    const bool axis = which == 0;
    const std::optional<uint64_t> number =
        reader_.u64(axis ? "an axis" : "an alignment", axis ? 255 : 0xFFFFFFFF);
    if (!number) return false;
    if (axis) {
      hints_.coalesce_axis = static_cast<uint8_t>(*number);
    } else {
      hints_.preferred_alignment = static_cast<uint32_t>(*number);
    }
    return true;
  }

  BufferDecl build(std::string_view word, const std::string& name, const DataType& type,
                   Place place) {
    BufferDecl decl =
        BufferDecl::storage(name, binding_.value_or(0), access_, type, std::move(place));
    if (count_) decl = decl.with_count(*count_);
    if (word == "local") decl = decl.with_kind(MemoryKind::kLocal);
    if (word == "transient") decl = decl.with_kind(MemoryKind::kPersistent);
    if (kind_) decl = decl.with_kind(*kind_);
    const bool output = word == "output";
    decl = decl.with_output(output).with_pipeline_live_out(live_out_.value_or(output));
    if (range_) decl = decl.with_output_byte_range(*range_);
    decl = decl.with_hints(hints_).with_bytes_extraction(given("extraction"));
    if (linear_) decl = decl.with_linear_type(*linear_);
    if (predicate_) decl = decl.with_shape_predicate(*std::move(predicate_));
    return decl;
  }

  TextReader& reader_;
  Bindings& bindings_;
  BufferAccess access_ = BufferAccess::kReadWrite;
  std::optional<uint32_t> count_;
  std::optional<uint32_t> binding_;
  std::optional<MemoryKind> kind_;
  std::optional<bool> live_out_;
  std::optional<ByteRange> range_;
  std::optional<LinearType> linear_;
  std::optional<ShapePredicate> predicate_;
  MemoryHints hints_;
  std::vector<std::string_view> given_;
};

}  // namespace

std::span<const std::string_view> declaration_words() { return kWords; }

bool is_declaration_word(std::string_view word) {
  return std::ranges::find(kWords, word) != std::end(kWords);
}

std::optional<BufferDecl> read_declaration(TextReader& reader, Bindings& bindings) {
  return DeclarationReader(reader, bindings).read();
}

void Bindings::report_missing(TextReader& reader) const {
  uint32_t next = 0;
  for (const Token& word : missing_) {
    while (taken_.contains(next)) ++next;
    reader.fail(word.position, {"P029", fmt::format("this `{}` has no binding", word.text),
                                fmt::format("write binding({}).", next)});
    ++next;
  }
}

}  // namespace vyre::internal
