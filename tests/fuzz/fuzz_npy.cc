// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The header of an npy file: read, or refused with a fix.
#include "tests/fuzz/fuzz_target.h"
#include "vyre/tools/support/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace vyre;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const StatusOr<tools::NpyHeader> header = tools::parse_npy_header(bytes, size);
  if (!header.ok()) {
    test::fuzz_check(message_of(header.status()).find("Fix: ") != std::string_view::npos,
                     "an error without a fix");
    return 0;
  }
  test::fuzz_check(header->data_offset + header->elements * header->item_size == size,
                   "the data are not the rest of the file");
  // What was read can be written and gives the same array.
  const char order = header->item_size == 1 ? '|' : '<';
  const std::string again = tools::npy_header_bytes(order + header->dtype(), header->shape);
  const auto reread = tools::parse_npy_header(std::as_bytes(std::span<const char>(again)),
                                              again.size() + header->elements * header->item_size);
  test::fuzz_check(
      reread.ok() && reread->shape == header->shape && reread->dtype() == header->dtype(),
      "a header does not survive writing");
  return 0;
}
