// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/wire/blake3.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace vyre::wire {
namespace {

// The names and numbers of the BLAKE3 paper, section 2.
constexpr size_t kBlockBytes = 64;
constexpr size_t kChunkBytes = 1024;

using Words8 = std::array<uint32_t, 8>;
using Words16 = std::array<uint32_t, 16>;

constexpr Words8 kInitial = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                             0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
constexpr std::array<uint8_t, 16> kPermutation = {2, 6,  3,  10, 7, 0,  4,  13,
                                                  1, 11, 12, 5,  9, 14, 15, 8};
constexpr int kRounds = 7;

enum Flag : uint32_t { kChunkStart = 1, kChunkEnd = 2, kParent = 4, kRoot = 8 };

void mix(Words16& v, size_t a, size_t b, size_t c, size_t d, uint32_t x, uint32_t y) {
  v[a] += v[b] + x;
  v[d] = std::rotr(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = std::rotr(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = std::rotr(v[b] ^ v[c], 7);
}

// Columns, then diagonals.
void mix_round(Words16& v, const Words16& m) {
  for (size_t i = 0; i < 4; ++i) mix(v, i, i + 4, i + 8, i + 12, m[2 * i], m[2 * i + 1]);
  for (size_t i = 0; i < 4; ++i) {
    mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[2 * i + 8], m[2 * i + 9]);
  }
}

// What a compression takes; kept apart so that the last one can be made the root's.
struct Input {
  Words8 chaining = kInitial;
  Words16 block{};
  uint64_t counter = 0;
  uint32_t length = 0;
  uint32_t flags = 0;
};

Words8 compress(const Input& input) {
  Words16 v{};
  std::copy_n(input.chaining.begin(), 8, v.begin());
  std::copy_n(kInitial.begin(), 4, v.begin() + 8);
  v[12] = static_cast<uint32_t>(input.counter);
  v[13] = static_cast<uint32_t>(input.counter >> 32);
  v[14] = input.length;
  v[15] = input.flags;
  Words16 block = input.block;
  for (int round = 0; round < kRounds; ++round) {
    mix_round(v, block);
    Words16 permuted;
    for (size_t i = 0; i < 16; ++i) permuted[i] = block[kPermutation[i]];
    block = permuted;
  }
  Words8 result;
  for (size_t i = 0; i < 8; ++i) result[i] = v[i] ^ v[i + 8];
  return result;
}

// At most 64 bytes as little-endian words, the rest zero.
Words16 words_of(std::string_view bytes) {
  Words16 words{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    words[i / 4] |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])) << (8 * (i % 4));
  }
  return words;
}

// All but the last compression of a chunk; that one is returned.
Input chunk_input(std::string_view chunk, uint64_t counter) {
  Input input;
  input.counter = counter;
  uint32_t start = kChunkStart;
  while (true) {
    const std::string_view block = chunk.substr(0, kBlockBytes);
    chunk.remove_prefix(block.size());
    input.block = words_of(block);
    input.length = static_cast<uint32_t>(block.size());
    input.flags = start | (chunk.empty() ? kChunkEnd : 0U);
    if (chunk.empty()) return input;
    input.chaining = compress(input);
    start = 0;
  }
}

Input parent_input(const Words8& left, const Words8& right) {
  Input input;
  std::copy_n(left.begin(), 8, input.block.begin());
  std::copy_n(right.begin(), 8, input.block.begin() + 8);
  input.length = kBlockBytes;
  input.flags = kParent;
  return input;
}

}  // namespace

Blake3Digest blake3(std::string_view bytes) {
  // The roots of complete subtrees, from large to small: one a bit of the number of chunks.
  std::vector<Words8> subtrees;
  uint64_t chunks = 0;
  while (bytes.size() > kChunkBytes) {
    Words8 value = compress(chunk_input(bytes.substr(0, kChunkBytes), chunks));
    bytes.remove_prefix(kChunkBytes);
    ++chunks;
    for (uint64_t pairs = chunks; (pairs & 1) == 0; pairs >>= 1) {
      value = compress(parent_input(subtrees.back(), value));
      subtrees.pop_back();
    }
    subtrees.push_back(value);
  }
  Input last = chunk_input(bytes, chunks);
  for (; !subtrees.empty(); subtrees.pop_back()) {
    last = parent_input(subtrees.back(), compress(last));
  }
  last.flags |= kRoot;
  last.counter = 0;
  const Words8 words = compress(last);
  Blake3Digest digest;
  for (size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<uint8_t>(words[i / 4] >> (8 * (i % 4)));
  }
  return digest;
}

std::string to_hex(const Blake3Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace vyre::wire
