// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/parse_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vyre/ir/foreign_words.h"
#include "vyre/ir/number_text.h"

namespace vyre::internal {
namespace {

using Quantization = DataType::Quantization;
using Granularity = DataType::Granularity;

// Types whose first parameter is a type, in the order of the rows of data_types.def.
constexpr DataType::Kind kNesting[] = {DataType::Vec,       DataType::TensorShaped,
                                       DataType::SparseCsr, DataType::SparseCoo,
                                       DataType::SparseBsr, DataType::Quantized};
constexpr DataType::Kind kNumbered[] = {DataType::Array, DataType::Handle, DataType::DeviceMesh,
                                        DataType::Opaque};

constexpr std::string_view kDocumented = "docs/text.md lists the types";

template <size_t N>
std::optional<DataType::Kind> find_base(const DataType::Kind (&kinds)[N], std::string_view word) {
  for (const DataType::Kind kind : kinds) {
    // Without its payload a type is spelled word<>.
    const std::string spelling = DataType(kind).spelling();
    if (std::string_view(spelling).substr(0, spelling.find('<')) == word) return kind;
  }
  return std::nullopt;
}

class TypeReader {
 public:
  explicit TypeReader(TextReader& reader) : reader_(reader) {}

  std::optional<DataType> read() {
    while (true) {
      std::optional<DataType> type;
      if (!read_innermost(type)) return std::nullopt;
      if (!type) continue;
      while (!nesting_.empty()) {
        type = close(nesting_.back(), *std::move(type));
        if (!type) return std::nullopt;
        nesting_.pop_back();
      }
      return type;
    }
  }

 private:
  // Reads a type that contains none, or opens one that does and leaves `type` empty. False after an
  // error.
  bool read_innermost(std::optional<DataType>& type) {
    const Token word = reader_.token();
    if (word.kind != TokenKind::kWord) {
      reader_.unexpected("a type", "write a type, such as f32.");
      return false;
    }
    reader_.advance();
    if (!reader_.at("<")) {
      const std::optional<DataType::Kind> kind = data_type_from_spelling(word.text);
      // `vec` alone names no type, though a row has that spelling.
      const bool complete = kind && DataType(*kind).spelling() == word.text;
      if (complete) type = DataType(*kind);
      return complete || unknown(word);
    }
    reader_.advance();
    if (word.text == "vec2" || word.text == "vec4") {
      type = DataType(word.text == "vec2" ? DataType::Vec2U32 : DataType::Vec4U32);
      return reader_.expect("u32", "in this type") && expect_end();
    }
    if (const auto kind = find_base(kNesting, word.text)) return open(*kind, type);
    if (const auto kind = find_base(kNumbered, word.text)) return numbered(*kind, type);
    return unknown(word);
  }

  bool open(DataType::Kind kind, std::optional<DataType>& type) {
    if (reader_.at(">")) {
      type = DataType(kind);
      return expect_end();
    }
    nesting_.push_back(kind);
    return reader_.count_node();
  }

  bool numbered(DataType::Kind kind, std::optional<DataType>& type) {
    if (reader_.at(">")) {
      type = DataType(kind);
      return expect_end();
    }
    if (kind == DataType::DeviceMesh) {
      std::optional<std::vector<uint32_t>> axes = shape();
      if (axes) type = DataType::device_mesh(*std::move(axes));
    } else if (kind == DataType::Array) {
      const std::optional<uint32_t> size = byte_count();
      if (size) type = DataType::array(*size);
    } else if (const std::optional<uint32_t> id = reader_.id("a number")) {
      type = kind == DataType::Handle ? DataType::handle(*id) : DataType::opaque(*id);
    }
    return type && expect_end();
  }

  // Reads what follows the element type.
  std::optional<DataType> close(DataType::Kind kind, DataType element) {
    if (kind == DataType::SparseCsr || kind == DataType::SparseCoo) {
      if (!expect_end()) return std::nullopt;
      return kind == DataType::SparseCsr ? DataType::sparse_csr(std::move(element))
                                         : DataType::sparse_coo(std::move(element));
    }
    if (kind == DataType::Quantized) return close_quantized(std::move(element));
    if (!reader_.expect(";", "after the element type")) return std::nullopt;
    const Position position = reader_.token().position;
    std::optional<std::vector<uint32_t>> sizes = shape();
    if (!sizes || !expect_end()) return std::nullopt;
    if (kind == DataType::TensorShaped) {
      return DataType::tensor(std::move(element), *std::move(sizes));
    }
    const size_t count = kind == DataType::Vec ? 1 : 2;
    const bool fits = kind != DataType::Vec || (sizes->size() == 1 && sizes->front() <= 255);
    if (sizes->size() != count || !fits) {
      bad_number(position, kind == DataType::Vec ? "the length of a vector, one number up to 255"
                                                 : "the two sizes of a block");
      return std::nullopt;
    }
    if (kind == DataType::Vec) {
      return DataType::vec(std::move(element), static_cast<uint8_t>(sizes->front()));
    }
    return DataType::sparse_bsr(std::move(element), (*sizes)[0], (*sizes)[1]);
  }

  std::optional<DataType> close_quantized(DataType storage) {
    if (!reader_.expect(";", "after the storage type")) return std::nullopt;
    const std::optional<Quantization> scale = quantization();
    if (!scale || !reader_.expect(";", "after the scale")) return std::nullopt;
    const std::optional<Quantization> zero_point = quantization();
    if (!zero_point || !expect_end()) return std::nullopt;
    return DataType::quantized(std::move(storage), *scale, *zero_point);
  }

  std::optional<Quantization> quantization() {
    static constexpr std::string_view kWords[] = {"none", "per_tensor", "per_channel", "per_group"};
    const std::optional<size_t> which = reader_.one_of("how values are quantised", kWords);
    if (!which) return std::nullopt;
    const auto granularity = static_cast<Granularity>(*which);
    if (granularity == Granularity::kNone || granularity == Granularity::kPerTensor) {
      return Quantization{granularity, 0};
    }
    if (!reader_.expect("(", "before its number")) return std::nullopt;
    const std::optional<uint32_t> parameter = reader_.u32("an axis or a group size");
    if (!parameter || !reader_.expect(")", "after the number")) return std::nullopt;
    return Quantization{granularity, *parameter};
  }

  // 2x3x4, or nothing where it has no dimension.
  std::optional<std::vector<uint32_t>> shape() {
    std::vector<uint32_t> sizes;
    if (reader_.at(">")) return sizes;
    if (reader_.accept("none")) return sizes;
    const Token token = reader_.token();
    std::string_view rest = token.text;
    while (token.kind == TokenKind::kNumber) {
      const size_t end = std::min(rest.find('x'), rest.size());
      const std::optional<uint64_t> size = read_digits(rest.substr(0, end));
      if (!size || *size > std::numeric_limits<uint32_t>::max()) break;
      sizes.push_back(static_cast<uint32_t>(*size));
      if (end == rest.size()) {
        reader_.advance();
        return sizes;
      }
      rest.remove_prefix(end + 1);
    }
    bad_number(token.position, "sizes with x between them, as in 2x3");
    return std::nullopt;
  }

  // 16B
  std::optional<uint32_t> byte_count() {
    const Token token = reader_.token();
    if (token.kind == TokenKind::kNumber && token.text.ends_with('B')) {
      const auto size = read_digits(token.text.substr(0, token.text.size() - 1));
      if (size && *size <= std::numeric_limits<uint32_t>::max()) {
        reader_.advance();
        return static_cast<uint32_t>(*size);
      }
    }
    bad_number(token.position, "a number of bytes, as in 16B");
    return std::nullopt;
  }

  void bad_number(Position position, std::string_view what) {
    reader_.fail(position, {"P023", fmt::format("this type takes {}", what),
                            fmt::format("write numbers below 2^32; {}.", kDocumented)});
  }

  bool expect_end() { return reader_.expect(">", "at the end of the type"); }

  bool unknown(const Token& word) {
    std::vector<std::string> names;
    const auto add = [&names](DataType::Kind kind) { names.push_back(DataType(kind).spelling()); };
#define VYRE_DATA_TYPE(name, ...) add(DataType::name);
#include "vyre/ir/data_types.def"
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view ours = foreign_type(word.text);
    reader_.fail(word.position,
                 {"P023", fmt::format("{} is no type", quoted(word.text)),
                  !ours.empty()
                      ? fmt::format("write `{}`.", ours)
                      : write_nearest(word.text, known,
                                      fmt::format("write a type, such as f32; {}.", kDocumented))});
    return false;
  }

  TextReader& reader_;
  std::vector<DataType::Kind> nesting_;
};

}  // namespace

std::optional<DataType> read_type(TextReader& reader, std::string_view mark,
                                  std::string_view where) {
  // The mode holds for the token behind the mark already.
  const LexerMode outer = reader.set_mode(LexerMode::kTypes);
  std::optional<DataType> type;
  if (reader.expect(mark, where)) type = TypeReader(reader).read();
  reader.set_mode(outer);
  return type;
}

}  // namespace vyre::internal
