// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Runs a fuzz target without libFuzzer: on each file of a corpus, and then on mutations of them
// that a seed decides, so that the same command does the same everywhere.
//
//   fuzz_text_driver tests/fuzz/corpus/text --runs=2000 --seed=1
//   fuzz_text_driver tests/fuzz/corpus/text --seed=1 --only=1234     # that mutation alone
//
// On a crash it says which mutation it was, and leaves it in crash.bin.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/support/random.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace vyre::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMaxSize = 1 << 16;

struct Options {
  std::vector<std::filesystem::path> folders;
  uint64_t runs = 1000;
  uint64_t seed = 1;
  std::optional<uint64_t> only;
};

// What is running, for the report of a crash.
struct Current {
  uint64_t run = 0;
  bool mutated = false;
  const Bytes* input = nullptr;
};
Current current;
Random* mutations = nullptr;

void report_crash() {
  if (current.input == nullptr) return;
  std::fprintf(stderr, "fuzz driver: %s %llu, the input is in crash.bin\n",
               current.mutated ? "mutation --only=" : "corpus file number",
               static_cast<unsigned long long>(current.run));
  if (std::FILE* file = std::fopen("crash.bin", "wb")) {
    std::fwrite(current.input->data(), 1, current.input->size(), file);
    std::fclose(file);
  }
  current.input = nullptr;
}

void on_signal(int signal) {
  report_crash();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run_target(const Bytes& input, uint64_t run, bool mutated) {
  current = {run, mutated, &input};
  // A copy of the exact size, so that a read past the end is seen.
  const Bytes exact(input);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  current.input = nullptr;
}

// Bytes that formats treat in ways of their own.
constexpr uint8_t kSpecial[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, '"', '`', '(', '{', '[',
                                ';',  '\n', '\\', '0',  '9',  '-', 'x', '.', ' '};

void change_byte(Bytes& bytes, Random& random) {
  uint8_t& byte = bytes[random.below(static_cast<uint32_t>(bytes.size()))];
  switch (random.below(4)) {
    case 0:
      byte = static_cast<uint8_t>(byte ^ (1U << random.below(8)));
      break;
    case 1:
      byte = static_cast<uint8_t>(random.below(256));
      break;
    case 2:
      byte = kSpecial[random.below(std::size(kSpecial))];
      break;
    default:
      byte = static_cast<uint8_t>(byte + (random.percent(50) ? 1 : 255));
  }
}

// A range of the bytes, short more often than long.
std::pair<size_t, size_t> random_range(const Bytes& bytes, Random& random) {
  const auto begin = random.below(static_cast<uint32_t>(bytes.size()));
  const uint32_t longest = random.percent(80) ? 16 : 4096;
  const size_t length = 1 + random.below(longest);
  return {begin, std::min(bytes.size(), begin + length)};
}

void mutate_once(Bytes& bytes, Random& random) {
  const auto at = [&bytes](size_t i) { return bytes.begin() + static_cast<std::ptrdiff_t>(i); };
  if (bytes.empty()) {
    bytes.push_back(static_cast<uint8_t>(random.below(256)));
    return;
  }
  const auto [begin, end] = random_range(bytes, random);
  switch (random.below(6)) {
    case 0:
    case 1:
      return change_byte(bytes, random);
    case 2:
      bytes.erase(at(begin), at(end));
      return;
    case 3: {  // a copy of a part somewhere else
      const Bytes part(at(begin), at(end));
      const size_t to = random.below(static_cast<uint32_t>(bytes.size() + 1));
      bytes.insert(at(to), part.begin(), part.end());
      return;
    }
    case 4: {  // a byte many times
      const size_t count = 1 + random.below(random.percent(90) ? 8 : 3000);
      bytes.insert(at(begin), count, kSpecial[random.below(std::size(kSpecial))]);
      return;
    }
    default:
      bytes.resize(begin);
  }
}

void mutate(Bytes& bytes, Random& random) {
  const uint32_t steps = 1 + random.below(4);
  for (uint32_t i = 0; i < steps; ++i) mutate_once(bytes, random);
  if (bytes.size() > kMaxSize) bytes.resize(kMaxSize);
}

// The start of one input and the end of another.
Bytes splice(const Bytes& a, const Bytes& b, Random& random) {
  const size_t head = random.below(static_cast<uint32_t>(a.size() + 1));
  const size_t tail = random.below(static_cast<uint32_t>(b.size() + 1));
  Bytes bytes(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(head));
  bytes.insert(bytes.end(), b.begin() + static_cast<std::ptrdiff_t>(tail), b.end());
  return bytes;
}

Bytes mutation(const std::vector<Bytes>& corpus, Random& random) {
  Bytes bytes = random.pick(corpus);
  if (random.percent(10)) bytes = splice(bytes, random.pick(corpus), random);
  mutations = &random;
  if (LLVMFuzzerCustomMutator != nullptr && random.percent(75)) {
    const size_t size = bytes.size();
    bytes.resize(std::max(kMaxSize, size));
    const auto seed = static_cast<unsigned int>(random.next());
    bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, bytes.size(), seed));
  } else {
    mutate(bytes, random);
  }
  mutations = nullptr;
  return bytes;
}

std::vector<Bytes> read_corpus(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::path& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::ranges::sort(paths);
  std::vector<Bytes> corpus;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

std::optional<uint64_t> number_after(std::string_view argument, std::string_view option) {
  if (!argument.starts_with(option)) return std::nullopt;
  uint64_t value = 0;
  const char* end = argument.data() + argument.size();
  const auto result = std::from_chars(argument.data() + option.size(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (const auto runs = number_after(argv[i], "--runs=")) {
      options.runs = *runs;
    } else if (const auto seed = number_after(argv[i], "--seed=")) {
      options.seed = *seed;
    } else if (const auto only = number_after(argv[i], "--only=")) {
      options.only = *only;
    } else if (std::filesystem::is_directory(argv[i])) {
      options.folders.emplace_back(argv[i]);
    } else {
      return std::nullopt;
    }
  }
  if (options.folders.empty()) return std::nullopt;
  return options;
}

int drive(const Options& options) {
  const std::vector<Bytes> corpus = read_corpus(options.folders);
  if (corpus.empty()) {
    std::fprintf(stderr, "fuzz driver: the corpus is empty\n");
    return 1;
  }
  std::printf("%zu files, %llu mutations with seed %llu\n", corpus.size(),
              static_cast<unsigned long long>(options.runs),
              static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  for (size_t i = 0; !options.only && i < corpus.size(); ++i) run_target(corpus[i], i, false);
  const uint64_t first = options.only.value_or(0);
  const uint64_t end = options.only ? first + 1 : options.runs;
  for (uint64_t run = first; run < end; ++run) {
    Random random(options.seed * 0x100000001B3U + run);
    run_target(mutation(corpus, random), run, true);
  }
  return 0;
}

}  // namespace
}  // namespace vyre::test

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size) {
  std::vector<uint8_t> bytes(data, data + size);
  vyre::test::mutate(bytes, *vyre::test::mutations);
  bytes.resize(std::min(bytes.size(), max_size));
  if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

int main(int argc, char** argv) {
  const auto options = vyre::test::parse_options(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER... [--runs=N] [--seed=S] [--only=RUN]\n",
                 argv[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) {
    std::signal(signal, vyre::test::on_signal);
  }
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(vyre::test::report_crash);
  }
  return vyre::test::drive(*options);
}
