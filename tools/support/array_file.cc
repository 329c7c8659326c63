// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/tools/support/array_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "vyre/tools/support/cli.h"
#include "vyre/tools/support/npy.h"
#include "vyre/tools/support/safetensors.h"

namespace vyre::tools {
namespace {

using Bytes = std::vector<std::byte>;

Status about(std::string_view path, std::string_view message) {
  return absl::InvalidArgumentError(fmt::format("`{}`: {}", path, message));
}

Status cannot_read(std::string_view path, int error) {
  return absl::InvalidArgumentError(
      fmt::format("cannot read `{}`: {}. Fix: name a file that can be read.", path,
                  std::generic_category().message(error)));
}

// An open regular file of known size. Devices and pipes could go on for ever.
class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path) {}
  ~InputFile() {
    if (file_ >= 0) ::close(file_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  Status open() {
    // Opening a pipe would wait for its writer.
    file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) return cannot_read(path_, errno);
    struct stat info {};
    if (::fstat(file_, &info) != 0) return cannot_read(path_, errno);
    if (S_ISDIR(info.st_mode)) return cannot_read(path_, EISDIR);
    if (!S_ISREG(info.st_mode)) {
      return about(path_, "it is no regular file. Fix: copy the data to a file first.");
    }
    size_ = static_cast<uint64_t>(info.st_size);
    return absl::OkStatus();
  }
  uint64_t size() const { return size_; }

  Status read(uint64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
      const ssize_t got = ::pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return cannot_read(path_, errno);
      if (got == 0) return about(path_, "it became shorter while it was read. Fix: try again.");
      out = out.subspan(static_cast<size_t>(got));
      offset += static_cast<uint64_t>(got);
    }
    return absl::OkStatus();
  }

 private:
  const std::string path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

std::string_view extension(std::string_view path) {
  const size_t dot = path.rfind('.');
  const size_t slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return "";
  return path.substr(dot + 1);
}

constexpr std::string_view kSafetensors = "safetensors";

// "model.safetensors:q" is a file and the name of a tensor in it; other paths name only a file.
struct ArrayPath {
  std::string file;
  std::optional<std::string> tensor;
};

ArrayPath split_path(std::string_view path) {
  constexpr std::string_view kMark = ".safetensors:";
  const size_t at = path.find(kMark);
  if (at == std::string_view::npos) return {std::string(path), std::nullopt};
  const size_t colon = at + kMark.size() - 1;
  return {std::string(path.substr(0, colon)), std::string(path.substr(colon + 1))};
}

// The element type that a raw file's extension names.
std::optional<DataType::Kind> raw_type(std::string_view path) {
  const std::optional<DataType::Kind> type = data_type_from_spelling(extension(path));
  if (!type || !value_type_of(*type)) return std::nullopt;
  return type;
}

// "f4" for f32: how an npy file holds elements of that type.
std::string npy_dtype(DataType::Kind element) {
  const std::string spelling = DataType(element).spelling();
  const uint32_t bytes = DataType(element).stride_bytes();
  if (element == DataType::Bool) return "b1";
  if (element == DataType::BF16 || element == DataType::F8E4M3 || element == DataType::F8E5M2) {
    return fmt::format("u{}", bytes);
  }
  return fmt::format("{}{}", spelling[0], bytes);
}

// "F32", "F8_E4M3": how a safetensors file names that type.
std::string safetensors_dtype(DataType::Kind element) {
  if (element == DataType::F8E4M3) return "F8_E4M3";
  if (element == DataType::F8E5M2) return "F8_E5M2";
  std::string dtype = DataType(element).spelling();
  for (char& c : dtype) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return dtype;
}

Status wrong_count(std::string_view path, uint64_t found, const ArraySpec& spec) {
  return about(path, fmt::format("it has {} elements, and the buffer has {}. Fix: give exactly as "
                                 "many{}.",
                                 found, *spec.count,
                                 spec.shape.empty() ? "" : ", " + shape_text(spec.shape)));
}

// The type, number of elements and shape of an array that is in a file, against what it has to be.
Status check_array(std::string_view path, const std::string& dtype, const std::string& wanted,
                   uint64_t elements, const std::vector<uint64_t>& shape, const ArraySpec& spec) {
  if (dtype != wanted) {
    return about(path, fmt::format("it holds elements of {}, and the buffer holds {}. Fix: save it "
                                   "with dtype {}.",
                                   dtype, DataType(spec.element).spelling(), wanted));
  }
  if (spec.count && elements != *spec.count) return wrong_count(path, elements, spec);
  if (!spec.shape.empty() && shape.size() != 1 && shape != spec.shape) {
    return about(path, fmt::format("its shape is {}, and the buffer's is {}. Fix: reshape or "
                                   "transpose it.",
                                   shape_text(shape), shape_text(spec.shape)));
  }
  return absl::OkStatus();
}

Status check_limit(std::string_view path, uint64_t bytes, uint64_t max_bytes) {
  if (bytes <= max_bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("`{}` has {} bytes, and {} are the limit. Fix: raise it with --max-memory.", path,
                  bytes, max_bytes));
}

// Bools are bytes in npy and safetensors files, and words in a buffer.
StatusOr<Bytes> widen_bools(std::string_view path, const Bytes& bools) {
  Bytes words(bools.size() * 4);
  for (size_t i = 0; i < bools.size(); ++i) {
    if (std::to_integer<int>(bools[i]) > 1) {
      return about(path, fmt::format("element {} is {}, no bool. Fix: save it as bools.", i,
                                     std::to_integer<int>(bools[i])));
    }
    words[i * 4] = bools[i];
  }
  return words;
}

StatusOr<Bytes> read_data(const std::string& path, const InputFile& file, uint64_t offset,
                          uint64_t bytes, const ArraySpec& spec, uint64_t max_bytes) {
  if (Status status = check_limit(path, bytes, max_bytes); !status.ok()) return status;
  Bytes data(static_cast<size_t>(bytes));
  if (Status status = file.read(offset, data); !status.ok()) return status;
  if (spec.element == DataType::Bool) return widen_bools(path, data);
  return data;
}

StatusOr<Bytes> read_npy(const std::string& path, const InputFile& file, const ArraySpec& spec,
                         uint64_t max_bytes) {
  Bytes first(static_cast<size_t>(std::min<uint64_t>(file.size(), kMaxNpyHeader)));
  if (Status status = file.read(0, first); !status.ok()) return status;
  const StatusOr<NpyHeader> header = parse_npy_header(first, file.size());
  if (!header.ok()) return about(path, message_of(header.status()));
  if (Status status = check_array(path, header->dtype(), npy_dtype(spec.element), header->elements,
                                  header->shape, spec);
      !status.ok()) {
    return status;
  }
  return read_data(path, file, header->data_offset, file.size() - header->data_offset, spec,
                   max_bytes);
}

StatusOr<SafetensorsEntry> find_tensor(std::string_view path,
                                       const std::vector<SafetensorsEntry>& entries,
                                       const std::string& name) {
  const auto found = std::ranges::find(entries, name, &SafetensorsEntry::name);
  if (found != entries.end()) return *found;
  std::vector<std::string> known;
  for (const SafetensorsEntry& entry : entries) known.push_back(entry.name);
  return about(path, fmt::format("it has no tensor `{}`. Fix: write FILE.safetensors:TENSOR; {}",
                                 name, suggestion(name, known)));
}

StatusOr<Bytes> read_safetensors(const std::string& path, const InputFile& file,
                                 const std::string& tensor, const ArraySpec& spec,
                                 uint64_t max_bytes) {
  Bytes first(static_cast<size_t>(std::min<uint64_t>(file.size(), sizeof(uint64_t))));
  if (Status status = file.read(0, first); !status.ok()) return status;
  const StatusOr<uint64_t> size = safetensors_header_size(first, file.size());
  if (!size.ok()) return about(path, message_of(size.status()));
  first.resize(static_cast<size_t>(*size));
  if (Status status = file.read(0, first); !status.ok()) return status;
  const auto entries = parse_safetensors_header(first, file.size());
  if (!entries.ok()) return about(path, message_of(entries.status()));
  const StatusOr<SafetensorsEntry> entry = find_tensor(path, *entries, tensor);
  if (!entry.ok()) return entry.status();
  if (Status status = check_array(path, entry->dtype, safetensors_dtype(spec.element),
                                  entry->elements, entry->shape, spec);
      !status.ok()) {
    return status;
  }
  return read_data(path, file, entry->data_offset, entry->bytes, spec, max_bytes);
}

StatusOr<Bytes> read_raw(const std::string& path, const InputFile& file, const ArraySpec& spec,
                         uint64_t max_bytes) {
  const uint32_t stride = DataType(spec.element).stride_bytes();
  if (file.size() % stride != 0) {
    return about(path, fmt::format("its {} bytes are no whole number of {} elements. Fix: write {} "
                                   "bytes each.",
                                   file.size(), DataType(spec.element).spelling(), stride));
  }
  if (spec.count && file.size() / stride != *spec.count) {
    return wrong_count(path, file.size() / stride, spec);
  }
  if (Status status = check_limit(path, file.size(), max_bytes); !status.ok()) return status;
  Bytes data(static_cast<size_t>(file.size()));
  if (Status status = file.read(0, data); !status.ok()) return status;
  return data;
}

}  // namespace

Status check_array_name(std::string_view path, DataType::Kind element) {
  const std::string file = split_path(path).file;
  if (extension(file) == "npy" || extension(file) == kSafetensors) return absl::OkStatus();
  const std::optional<DataType::Kind> type = raw_type(file);
  const std::string wanted = DataType(element).spelling();
  if (!type) {
    return about(path, fmt::format("its name does not say what it holds. Fix: let it end in .npy "
                                   "or .safetensors, or in .{} for raw bytes.",
                                   wanted));
  }
  if (*type == element) return absl::OkStatus();
  return about(path, fmt::format("it holds elements of {} by its name, and the buffer holds {}. "
                                 "Fix: use a .npy, .safetensors or .{} file.",
                                 DataType(*type).spelling(), wanted, wanted));
}

StatusOr<Bytes> read_array(const std::string& path, const ArraySpec& spec, uint64_t max_bytes) {
  if (Status status = check_array_name(path, spec.element); !status.ok()) return status;
  const ArrayPath parts = split_path(path);
  InputFile file(parts.file);
  if (Status status = file.open(); !status.ok()) return status;
  if (extension(parts.file) == "npy") return read_npy(path, file, spec, max_bytes);
  if (extension(parts.file) != kSafetensors) return read_raw(path, file, spec, max_bytes);
  return read_safetensors(path, file, parts.tensor.value_or(spec.name), spec, max_bytes);
}

StatusOr<std::string> array_file_bytes(std::string_view path, const ArraySpec& spec,
                                       std::span<const std::byte> buffer) {
  if (Status status = check_array_name(path, spec.element); !status.ok()) return status;
  const ArrayPath parts = split_path(path);
  const std::string_view bytes(reinterpret_cast<const char*>(buffer.data()), buffer.size());
  const bool safetensors = extension(parts.file) == kSafetensors;
  if (!safetensors && extension(parts.file) != "npy") return std::string(bytes);
  const uint64_t count = buffer.size() / DataType(spec.element).stride_bytes();
  uint64_t in_shape = 1;
  for (const uint64_t extent : spec.shape) in_shape *= extent;
  const std::vector<uint64_t> flat = {count};
  const std::vector<uint64_t>& shape = spec.shape.empty() || in_shape != count ? flat : spec.shape;
  const bool bools = spec.element == DataType::Bool;
  const std::string dtype = npy_dtype(spec.element);
  std::string out = safetensors ? safetensors_header_bytes(parts.tensor.value_or(spec.name),
                                                           safetensors_dtype(spec.element), shape,
                                                           bools ? count : bytes.size())
                                : npy_header_bytes((dtype[1] == '1' ? "|" : "<") + dtype, shape);
  if (!bools) return out.append(bytes);
  for (size_t i = 0; i < bytes.size(); i += 4) {
    out += bytes.substr(i, 4) == std::string_view("\0\0\0\0", 4) ? '\0' : '\1';
  }
  return out;
}

StatusOr<std::string> read_small_file(const std::string& path, uint64_t max_bytes) {
  InputFile file(path);
  if (Status status = file.open(); !status.ok()) return status;
  if (file.size() > max_bytes) {
    return about(path, fmt::format("it has {} bytes, and {} are the limit. Fix: name another file.",
                                   file.size(), max_bytes));
  }
  Bytes bytes(static_cast<size_t>(file.size()));
  if (Status status = file.read(0, bytes); !status.ok()) return status;
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace vyre::tools
