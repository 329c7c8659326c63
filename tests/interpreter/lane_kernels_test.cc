// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Every lane kernel, for every instruction set of this machine and with every set of operands that
// are scalars, against the scalar kernel: the same bits, but for the payloads of NaNs.
#include "vyre/interpreter/lane_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstring>

#include "tests/support/edge_values.h"
#include "tests/support/evaluable.h"
#include "tests/support/random.h"
#include "tests/support/test_size.h"
#include "vyre/ir/scalar/f32_math.h"

namespace vyre {
namespace {

using interpreter::Bank;
using interpreter::InstructionSet;
using interpreter::kBlockLanes;
using interpreter::kMaxStripLanes;
using interpreter::LaneContext;
using interpreter::LaneForms;
using interpreter::LaneFunction;
using interpreter::LaneInstruction;
using interpreter::Slot;
using test::Kind;

constexpr size_t kOperands = 3;
constexpr uint32_t kLanes = kMaxStripLanes;

bool is_wide(Kind type) {
  return type == DataType::U64 || type == DataType::I64 || type == DataType::F64;
}

bool is_nan(Kind type, uint64_t bits) {
  if (type == DataType::F32) return (bits & 0x7FFFFFFF) > 0x7F800000;
  return type == DataType::F64 && (bits & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
}

uint64_t random_value(test::Random& random, Kind type) {
  if (type == DataType::Bool) return random.next() & 1;
  // Few bits, now and then, so that values meet.
  const uint64_t bits = random.next() >> (random.percent(30) ? 24 + random.below(36) : 0);
  return is_wide(type) ? bits : bits & 0xFFFFFFFF;
}

// A kernel with the types that it takes and gives.
struct Subject {
  std::string name;
  scalar::Kernel kernel = nullptr;
  std::vector<Kind> operands;
  Kind result = DataType::U32;
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const test::Operation& operation : test::operations()) {
    Subject subject;
    subject.name =
        fmt::format("{} on {}", op_info(operation.op).name, DataType(operation.operand).spelling());
    subject.kernel = scalar::find_kernel(operation.op, operation.operand);
    subject.operands.assign(operation.arity, operation.operand);
    subject.result = operation.result;
    // Derived operations run as their parts.
    if (subject.kernel == nullptr) continue;
    if (operation.op != Op::kSelect) {
      all.push_back(subject);
      continue;
    }
    for (const Kind condition : {DataType::Bool, DataType::U32}) {
      subject.operands[0] = condition;
      all.push_back(subject);
    }
  }
  const auto add = [&](const char* what, Kind from, Kind to, scalar::Kernel kernel) {
    all.push_back(
        {fmt::format("{} from {} to {}", what, DataType(from).spelling(), DataType(to).spelling()),
         kernel,
         {from},
         to});
  };
  for (const auto& [from, to] : test::casts()) {
    add("cast", from, to, scalar::find_cast_kernel(from, to));
  }
  for (const auto& [from, to] : test::bitcasts()) {
    add("bitcast", from, to, scalar::find_bitcast_kernel(from, to));
  }
  return all;
}

using Values = std::array<uint64_t, kOperands>;

// Runs one form of one kernel on lists of operands.
class Runner {
 public:
  Runner(const Subject& subject, LaneFunction function, uint32_t scalars)
      : subject_(subject), scalars_(scalars), scalar_words_(8), lane_words_(4 * kLanes) {
    context_.banks[static_cast<size_t>(Bank::kScalars)] = bytes_of(scalar_words_);
    context_.banks[static_cast<size_t>(Bank::kTemporaries)] = bytes_of(lane_words_);
    instruction_.run = function;
    instruction_.kernel = subject.kernel;
    instruction_.arity = static_cast<uint8_t>(subject.operands.size());
    instruction_.scalars = static_cast<uint8_t>(scalars);
    for (uint32_t i = 0; i < subject.operands.size(); ++i) {
      instruction_.operands[i] = is_scalar(i) ? Slot(Bank::kScalars, 1 + i) : lanes_of(i);
    }
  }

  bool gives_scalar() const { return scalars_ == (1U << subject_.operands.size()) - 1; }
  bool is_scalar(size_t operand) const { return (scalars_ >> operand & 1) != 0; }

  // The lists have one scalar operand in common, if there is one. Empty if all results are right.
  std::string check(std::span<const Values> lists) {
    const size_t room = kLanes - kBlockLanes - 3;
    while (!lists.empty()) {
      const size_t count = gives_scalar() ? 1 : std::min(lists.size(), room);
      const std::string problem = check_strip(lists.first(count));
      if (!problem.empty()) return problem;
      lists = lists.subspan(count);
    }
    return {};
  }

 private:
  static std::byte* bytes_of(std::vector<uint64_t>& words) {
    return reinterpret_cast<std::byte*>(words.data());
  }
  static Slot lanes_of(uint32_t array) { return {Bank::kTemporaries, array * kLanes}; }

  void put(Slot slot, uint32_t lane, bool wide, uint64_t bits) {
    if (wide) {
      context_.lanes<uint64_t>(slot)[lane] = bits;
    } else {
      context_.lanes<uint32_t>(slot)[lane] = static_cast<uint32_t>(bits);
    }
  }
  uint64_t get(Slot slot, uint32_t lane, bool wide) const {
    return wide ? context_.lanes<uint64_t>(slot)[lane] : context_.lanes<uint32_t>(slot)[lane];
  }

  // The target is an array of its own, or that of an operand of the same width.
  Slot target() const {
    if (gives_scalar()) return {Bank::kScalars, 5};
    for (uint32_t i = 0; turn_ % 2 == 1 && i < subject_.operands.size(); ++i) {
      const bool same_width = is_wide(subject_.operands[i]) == is_wide(subject_.result);
      if (!is_scalar(i) && same_width) return lanes_of(i);
    }
    return lanes_of(kOperands);
  }

  std::string check_strip(std::span<const Values> lists) {
    ++turn_;
    // Ranges that start and end inside of blocks.
    context_.first = gives_scalar() ? 0 : turn_ * 5 % (kBlockLanes + 3);
    context_.last = context_.first + static_cast<uint32_t>(lists.size());
    // Whatever stands in the lanes that are not active.
    for (uint64_t& word : lane_words_) word = garbage_.next();
    for (uint32_t i = 0; i < subject_.operands.size(); ++i) {
      const Slot slot = instruction_.operands[i];
      if (is_scalar(i)) context_.scalar(slot) = lists[0][i];
      for (uint32_t lane = 0; !is_scalar(i) && lane < lists.size(); ++lane) {
        put(slot, context_.first + lane, is_wide(subject_.operands[i]), lists[lane][i]);
      }
    }
    instruction_.target = target();
    const std::vector<uint64_t> before = lane_words_;
    instruction_.run(instruction_, context_);
    for (uint32_t lane = 0; lane < lists.size(); ++lane) {
      const uint64_t got = gives_scalar() ? context_.scalar(instruction_.target)
                                          : get(instruction_.target, context_.first + lane,
                                                is_wide(subject_.result));
      scalar::ArithmeticTrap trap = scalar::ArithmeticTrap::kNone;
      const uint64_t expected = subject_.kernel(lists[lane].data(), trap);
      const bool same =
          got == expected || (is_nan(subject_.result, expected) && is_nan(subject_.result, got));
      if (!same || trap != scalar::ArithmeticTrap::kNone) {
        return fmt::format("of {:#x}, {:#x}, {:#x} it gives {:#x}, not {:#x}", lists[lane][0],
                           lists[lane][1], lists[lane][2], got, expected);
      }
    }
    return other_words_stay(before) ? std::string() : "it writes outside of its lanes' blocks";
  }

  bool other_words_stay(const std::vector<uint64_t>& before) const {
    if (gives_scalar()) return lane_words_ == before;
    const size_t lane_bytes = is_wide(subject_.result) ? 8 : 4;
    const size_t array = size_t{instruction_.target.offset()} * sizeof(uint64_t);
    const size_t begin = array + context_.first / kBlockLanes * kBlockLanes * lane_bytes;
    const size_t end =
        array + (context_.last + kBlockLanes - 1) / kBlockLanes * kBlockLanes * lane_bytes;
    const auto* was = reinterpret_cast<const char*>(before.data());
    const auto* is = reinterpret_cast<const char*>(lane_words_.data());
    const size_t size = lane_words_.size() * sizeof(uint64_t);
    return std::memcmp(was, is, begin) == 0 && std::memcmp(was + end, is + end, size - end) == 0;
  }

  const Subject& subject_;
  uint32_t scalars_;
  uint32_t turn_ = 0;
  test::Random garbage_{99};
  std::vector<uint64_t> scalar_words_;
  std::vector<uint64_t> lane_words_;  // three operands and a target
  LaneInstruction instruction_;
  LaneContext context_;
};

// Edge values and a few others.
std::vector<uint64_t> values_of(Kind type, size_t others) {
  std::vector<uint64_t> values = test::edge_values(type);
  test::Random random(static_cast<uint64_t>(type) + 7);
  for (size_t i = 0; i < others; ++i) values.push_back(random_value(random, type));
  return values;
}

// All lists of those values, with the scalar operands changing last.
std::vector<std::vector<Values>> lists_of(const Subject& subject, uint32_t scalars) {
  const size_t arity = subject.operands.size();
  std::vector<std::vector<Values>> batches{{Values{}}};
  for (size_t i = 0; i < arity; ++i) {
    if ((scalars >> i & 1) == 0) continue;
    std::vector<std::vector<Values>> more;
    for (const std::vector<Values>& batch : batches) {
      for (const uint64_t value : values_of(subject.operands[i], arity == 3 ? 2 : 6)) {
        more.push_back(batch);
        more.back()[0][i] = value;
      }
    }
    batches = std::move(more);
  }
  for (size_t i = 0; i < arity; ++i) {
    if ((scalars >> i & 1) != 0) continue;
    const size_t others = arity == 1 ? 2000 : arity == 2 ? 10 : 2;
    const std::vector<uint64_t> values = values_of(subject.operands[i], others);
    for (std::vector<Values>& batch : batches) {
      std::vector<Values> more;
      for (const Values& list : batch) {
        for (const uint64_t value : values) {
          more.push_back(list);
          more.back()[i] = value;
        }
      }
      batch = std::move(more);
    }
  }
  return batches;
}

// Random lists, apart from those of edge values.
std::vector<Values> random_lists(const Subject& subject, uint32_t scalars, size_t count) {
  test::Random random(scalars + 1);
  std::vector<Values> lists(count);
  for (Values& list : lists) {
    for (size_t i = 0; i < subject.operands.size(); ++i) {
      const bool common = (scalars >> i & 1) != 0;
      list[i] =
          common && &list != lists.data() ? lists[0][i] : random_value(random, subject.operands[i]);
    }
  }
  return lists;
}

std::string check_forms(const Subject& subject, const LaneForms& forms, int& checked) {
  for (uint32_t scalars = 0; scalars < forms.by_scalars.size(); ++scalars) {
    const LaneFunction function = forms.by_scalars[scalars];
    if (function == nullptr) continue;
    if (scalars >> subject.operands.size() != 0) return "a form for more operands than it has";
    ++checked;
    Runner runner(subject, function, scalars);
    std::vector<std::vector<Values>> batches = lists_of(subject, scalars);
    for (int i = 0; i < 3; ++i) batches.push_back(random_lists(subject, scalars, 200));
    for (const std::vector<Values>& batch : batches) {
      const std::string problem = runner.check(batch);
      if (!problem.empty()) return fmt::format("with scalars {:#b}, {}", scalars, problem);
    }
  }
  return {};
}

TEST_CASE("lane kernels give the scalar kernels' bits in every form and instruction set") {
  const std::vector<Subject> all = subjects();
  REQUIRE(all.size() > 200);
  for (const InstructionSet set : interpreter::instruction_sets()) {
    int kernels = 0;
    int forms = 0;
    int conversions = 0;
    std::string without;
    for (const Subject& subject : all) {
      const bool selects = subject.operands.size() == 3;
      const LaneForms* found = interpreter::lane_kernels(set).find(
          subject.kernel, is_wide(subject.operands[selects ? 1 : 0]));
      if (found == nullptr) {
        const bool casts = subject.name.find("cast from") != std::string::npos;
        conversions += casts ? 1 : 0;
        if (!casts) without += subject.name + ", ";
        continue;
      }
      ++kernels;
      INFO(spelling(set) << ": " << subject.name);
      CHECK(check_forms(subject, *found, forms) == "");
    }
    std::printf("%s: %d kernels in %d forms; one lane after the other: %s%d conversions\n",
                spelling(set), kernels, forms, without.c_str(), conversions);
    CHECK(kernels > 100);
  }
}

// ---- exp, which is computed in another way than by the scalar kernel ----

struct HardCases {
  const char* name;
  float (*function)(float);
  std::vector<std::pair<uint32_t, uint32_t>> input_and_result;
};

std::vector<uint32_t> hard_exp_inputs() {
  const HardCases table[] = {
#include "../scalar/f32_cases.inc"
  };
  std::vector<uint32_t> inputs;
  for (const HardCases& cases : table) {
    if (std::strcmp(cases.name, "exp") != 0) continue;
    for (const auto& [input, result] : cases.input_and_result) {
      CHECK(std::bit_cast<uint32_t>(cases.function(std::bit_cast<float>(input))) == result);
      inputs.push_back(input);
    }
  }
  return inputs;
}

TEST_CASE("lane kernels of exp are right on a million inputs and the hard ones") {
  const Subject subject{
      "exp", scalar::find_kernel(Op::kExp, DataType::F32), {DataType::F32}, DataType::F32};
  std::vector<Values> lists;
  const std::vector<uint32_t> hard = hard_exp_inputs();
  REQUIRE(hard.size() > 40);
  for (const uint32_t bits : hard) lists.push_back({bits, 0, 0});
  const auto count = static_cast<uint64_t>(test::sized_for_build("inputs of exp", 1'000'000));
  const uint64_t stride = (uint64_t{1} << 32) / count;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += stride) lists.push_back({bits, 0, 0});
  // Where results are neither 0 nor infinite nor 1, more closely.
  for (float x = -104; x < 89; x += 0.0037F) lists.push_back({std::bit_cast<uint32_t>(x), 0, 0});
  for (const InstructionSet set : interpreter::instruction_sets()) {
    INFO(spelling(set));
    const LaneForms* forms = interpreter::lane_kernels(set).find(subject.kernel, false);
    REQUIRE(forms != nullptr);
    REQUIRE(forms->by_scalars[0] != nullptr);
    Runner runner(subject, forms->by_scalars[0], 0);
    CHECK(runner.check(lists) == "");
  }
}

}  // namespace
}  // namespace vyre
