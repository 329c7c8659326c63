// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/tools/tool_process.h"
#include "vyre/builders/catalog.h"
#include "vyre/interpreter/evaluate.h"
#include "vyre/tools/support/array_file.h"
#include "vyre/tools/support/engine_run.h"
#include "vyre/tools/support/npy.h"
#include "vyre/tools/support/random_inputs.h"

namespace vyre {
namespace {

using test::read_text;
using test::run_tool;
using test::ScratchDir;
using test::source_dir;
using test::ToolResult;
using test::write_text;

constexpr const char* kEval = "vyre-eval flash_attention_2 ";
constexpr const char* kFixture = "examples/fixtures/flash_attention_2_8x16_t4";

std::string fixture_folder() { return (source_dir() / kFixture).string(); }

// The last line is the tool's, holds `part`, and is the only one but for notes.
void check_error(const ToolResult& result, int exit_code, const std::string& part) {
  INFO(result.out << result.err);
  CHECK(result.exit_code == exit_code);
  std::string errors;
  for (size_t at = 0; at < result.err.size();) {
    const size_t end = result.err.find('\n', at);
    const std::string line = result.err.substr(at, end - at);
    CHECK(line.starts_with("vyre-eval: "));
    if (!line.starts_with("vyre-eval: note: ")) errors += line + '\n';
    at = end + 1;
  }
  CHECK(std::ranges::count(errors, '\n') == 1);
  CHECK(errors.find(part) != std::string::npos);
}

std::vector<std::byte> random_f32(uint64_t seed, uint64_t position, uint64_t count = 128) {
  return tools::generate({tools::Generator::Kind::kRandom, seed}, DataType::F32, count, position);
}

// A flash attention with the inputs that vyre-eval makes up.
std::vector<std::byte> expected_output(uint64_t seed = 1) {
  const Program program = catalog::build("flash_attention_2", {}).value();
  const std::vector<NamedInput> inputs = {
      {"q", random_f32(seed, 0)}, {"k", random_f32(seed, 1)}, {"v", random_f32(seed, 2)}};
  return evaluate(program, inputs)->bytes("out")->to_bytes();
}

void write_array(const ScratchDir& dir, const std::string& name,
                 const std::vector<std::byte>& bytes) {
  const tools::ArraySpec spec{DataType::F32, bytes.size() / 4, {}};
  write_text(dir.path() / name, tools::array_file_bytes(name, spec, bytes).value());
}

TEST_CASE("vyre-eval runs a program on made-up inputs and shows one row an engine") {
  const ScratchDir dir;
  const ToolResult result = run_tool(kEval, dir);
  CHECK(result.exit_code == 0);
  CHECK(result.err == "vyre-eval: note: random with seed 1, since not given: q, k, v\n");
  const std::string hash =
      tools::outputs_digest({{"out", DataType::F32, expected_output()}}).to_hex().substr(0, 16);
  INFO(result.out);
  CHECK(
      result.out.starts_with("flash_attention_2 seq_len=8 head_dim=16 tile_size=4\n"
                             "1 x 1 x 1 workgroups of 64 x 1 x 1 invocations, from the "
                             "program's extent\n"));
  CHECK(result.out.find("\ninterpreter  none      " + hash) != std::string::npos);
  CHECK(result.out.ends_with(" ok\n"));
  CHECK(dir.listing().empty());
}

TEST_CASE("vyre-eval reads and writes npy and raw arrays") {
  const ScratchDir dir;
  write_array(dir, "q.npy", random_f32(1, 0));
  write_array(dir, "k.f32", random_f32(1, 1));
  const ToolResult result = run_tool(std::string(kEval) +
                                         "--input q=q.npy --input=k=./k.f32 --input v=random:1 "
                                         "--output out=out.npy",
                                     dir);
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  const tools::ArraySpec spec{DataType::F32, 128, {8, 16}};
  CHECK(tools::read_array(dir.file("out.npy"), spec).value() == expected_output());
  CHECK(read_text(dir.path() / "out.npy").find("'shape': (8, 16)") != std::string::npos);
  CHECK(run_tool(std::string(kEval) + "--output out=out.f32", dir).exit_code == 0);
  CHECK(tools::read_array(dir.file("out.f32"), spec).value() == expected_output());
  CHECK(dir.listing() == "k.f32\nout.f32\nout.npy\nq.npy\n");
}

TEST_CASE("vyre-eval --expect compares by bits, or within a tolerance") {
  const ScratchDir dir;
  std::vector<std::byte> expected = expected_output();
  write_array(dir, "same.npy", expected);
  ToolResult result = run_tool(std::string(kEval) + "--expect out=same.npy", dir);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("out against same.npy: 128 elements equal\n") != std::string::npos);

  expected[5 * 4] ^= std::byte{1};
  expected[90 * 4] ^= std::byte{1};
  write_array(dir, "near.npy", expected);
  result = run_tool(std::string(kEval) + "--expect out=near.npy", dir);
  CHECK(result.exit_code == 1);
  CHECK(result.out.find("out against near.npy: 2 of 128 elements differ, first element 5: got ") !=
        std::string::npos);
  CHECK(result.out.find(" differs\n") != std::string::npos);
  CHECK(run_tool(std::string(kEval) + "--expect out=near.npy --atol=1e-6", dir).exit_code == 0);
  CHECK(run_tool(std::string(kEval) + "--expect out=near.npy --rtol=1e-6", dir).exit_code == 0);

  expected[7 * 4 + 3] = std::byte{0x7F};
  expected[7 * 4 + 2] = std::byte{0xC0};
  write_array(dir, "nan.npy", expected);
  result = run_tool(std::string(kEval) + "--expect out=nan.npy --atol=1e30 --rtol=1e30", dir);
  CHECK(result.exit_code == 1);
  CHECK(result.out.find("1 of 128 elements differ, first element 7: got ") != std::string::npos);
  CHECK(result.out.find("expected nan (0x7fc0") != std::string::npos);
}

TEST_CASE("vyre-eval compares engines and pipelines, a row each") {
  const ScratchDir dir;
  const ToolResult result = run_tool(
      std::string(kEval) + "--engine=interpreter,interpreter --passes=none --passes=exact", dir);
  CHECK(result.exit_code == 0);
  CHECK(std::ranges::count(result.out, '\n') == 7);
  CHECK(result.out.find("\ninterpreter  exact     ") != std::string::npos);
  CHECK(run_tool(std::string(kEval) + "--reversed --workgroups=2,1,1", dir)
            .out.find("2 x 1 x 1 workgroups of 64 x 1 x 1 invocations, from the caller\n") !=
        std::string::npos);
}

TEST_CASE("vyre-eval says what is wrong with its arguments, in one line, and ends with 2") {
  const ScratchDir dir;
  write_array(dir, "q.npy", random_f32(1, 0));
  write_array(dir, "short.npy", random_f32(1, 0, 127));
  write_array(dir, "long.f32", random_f32(1, 0, 129));
  const std::vector<uint64_t> turned = {16, 8};
  write_text(dir.path() / "turned.npy",
             tools::npy_header_bytes("<f4", turned) + std::string(512, '\0'));
  write_text(dir.path() / "wide.npy",
             tools::npy_header_bytes("<f8", turned) + std::string(1024, '\0'));
  write_text(dir.path() / "text.npy", "no array");
  const std::string before = dir.listing();
  const auto fails = [&dir, &before](const std::string& arguments, const std::string& part) {
    INFO(arguments);
    const ToolResult result = run_tool("vyre-eval " + arguments, dir);
    check_error(result, 2, part);
    CHECK(result.out.empty());
    CHECK(dir.listing() == before);
  };
  const std::string p = "flash_attention_2 ";
  fails("", "no PROGRAM is given");
  fails("flash", "no program named `flash`");
  fails("a.vyre", "cannot read `a.vyre`: No such file or directory");
  fails(p + "--inpt q=q.npy", "did you mean `--input`?");
  fails(p + "--input q", "--input is `q`. Fix: write --input NAME=VALUE.");
  fails(p + "--input q=", "write --input NAME=VALUE");
  fails(p + "--input =q.npy", "write --input NAME=VALUE");
  fails(p + "--input qq=q.npy", "the program has no input `qq`");
  fails(p + "--input out=q.npy", "`out` is an output, not an input");
  fails(p + "--input q_scratch=q.npy", "no input `q_scratch`");
  fails(p + "--input q=q.npy --input q=zeros", "--input names `q` twice");
  fails(p + "--input q=none.npy", "cannot read `none.npy`: No such file or directory");
  fails(p + "--input q=/", "does not say what it holds");
  fails(p + "--input q=short.npy", "it has 127 elements, and the buffer has 128");
  fails(p + "--input q=long.f32", "it has 129 elements, and the buffer has 128");
  fails(p + "--input q=turned.npy", "its shape is (16, 8), and the buffer's is (8, 16)");
  fails(p + "--input q=wide.npy", "it holds elements of f8, and the buffer holds f32");
  fails(p + "--input q=text.npy", "it is no npy file");
  fails(p + "--input q=randon", "did you mean `random`?");
  fails(p + "--input q=random:x", "the seed is `x`");
  fails(p + "--output ou=o.npy", "--output: the program has no output `ou`");
  fails(p + "--output q=o.npy", "has no output `q`");
  fails(p + "--output out=o.txt", "let it end in .npy or .safetensors, or in .f32");
  fails(p + "--output out=o.u32", "holds elements of u32 by its name");
  fails(p + "--expect out=short.npy", "it has 127 elements");
  fails(p + "--expect out=none.npy", "cannot read `none.npy`");
  fails(p + "--expect outt=q.npy", "did you mean `out`?");
  fails(p + "--atol=-1", "--atol is `-1`");
  fails(p + "--rtol=nan", "--rtol is `nan`");
  fails(p + "--engine=interpretr", "did you mean `interpreter`?");
  fails(p + "--engine=interpreter,", "there is no engine ``");
  fails(p + "--passes=exct", "exact");
  fails(p + "--workgroups=1,2,3,4", "one, two or three numbers");
  fails(p + "--workgroups=1,x", "--workgroups is `x`");
  fails(p + "--max-steps=many", "--max-steps is `many`");
  fails(p + "--max-seconds=soon", "--max-seconds is `soon`");
  fails(p + "--seq_len=many", "--seq_len is `many`");
  fails(p + "--fixture=x", "PROGRAM stands beside --fixture");
  fails("--fixture=x --input q=q.npy", "--input stands beside --fixture");
  fails("--conform=x --seq_len=8", "a dimension stands beside --conform");
  fails("--conform=. --output out=o.npy", "--output stands beside --conform");
  fails("--fixture=none", "cannot read `none/fixture.json`");
  fails("--conform=none", "cannot read the folder `none`");
  fails("--conform=.", "there is no fixture.json in `.` or below");
}

TEST_CASE("an output that cannot be written leaves nothing, and ends with 2") {
  const ScratchDir dir;
  write_text(dir.path() / "old.npy", "before");
  check_error(run_tool(std::string(kEval) + "--output out=none/o.npy", dir), 2,
              "cannot write `none/o.npy`");
  const ToolResult cut = run_tool(
      "trap '' XFSZ; ulimit -f 1; " + std::string(kEval) + "--seq_len=80 --output out=old.npy",
      dir);
  check_error(cut, 2, "cannot write `old.npy`: File too large");
  CHECK(read_text(dir.path() / "old.npy") == "before");
  CHECK(dir.listing() == "old.npy\n");
}

TEST_CASE("a trap or a limit ends vyre-eval with 3, and nothing is written") {
  const ScratchDir dir;
  const auto stops = [&dir](const std::string& arguments, const std::string& part) {
    INFO(arguments);
    check_error(run_tool(kEval + arguments + " --output out=o.npy", dir), 3, part);
    CHECK(dir.listing().empty());
  };
  for (const char* dimensions : {"--seq_len=0", "--head_dim=0", "--tile_size=0",
                                 "--seq_len=4294967295 --head_dim=4294967295"}) {
    stops(dimensions, "trap `Fix: ");
  }
  stops("--max-steps=10", "the limit of 10 steps was reached");
  stops("--max-seconds=1e-9 --seq_len=64", "Fix: ");
  stops("--max-memory=1000", "and 1000 are the limit");
  stops("--seq_len=60000 --head_dim=60000", "buffers need 57600000000 bytes");
}

TEST_CASE("vyre-eval runs fixtures") {
  const ScratchDir dir;
  const ToolResult result =
      run_tool("vyre-eval --fixture='" + fixture_folder() + "' --output out=o.npy", dir);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.find("out.npy: 128 elements equal within the tolerance\n") != std::string::npos);
  CHECK(dir.listing() == "o.npy\n");
}

TEST_CASE("vyre-eval --conform runs every fixture below a folder and ends with the gravest") {
  namespace fs = std::filesystem;
  const ScratchDir dir;
  for (const char* name : {"a", "b/c", "d"}) {
    fs::create_directories(dir.path() / name);
    fs::copy(fixture_folder(), dir.path() / name);
  }
  ToolResult result = run_tool("vyre-eval --conform=.", dir);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(std::ranges::count(result.out, '\n') == 7);
  CHECK(result.out.find("\n./b/c  interpreter  none") != std::string::npos);

  std::string expected = read_text(dir.path() / "a/out.npy");
  expected[203] = '\x7F';
  write_text(dir.path() / "a/out.npy", expected);
  result = run_tool("vyre-eval --conform=.", dir);
  CHECK(result.exit_code == 1);
  CHECK(result.out.find("./a: out against ./a/out.npy: 1 of 128 elements differ") !=
        std::string::npos);
  CHECK(result.out.find("./d: out against ./d/out.npy: 128 elements equal") != std::string::npos);

  fs::remove(dir.path() / "d/v.npy");
  result = run_tool("vyre-eval --conform=.", dir);
  check_error(result, 2, "fixture `./d`: input `v`: cannot read `./d/v.npy`");
  CHECK(result.out.find("./b/c: out against") != std::string::npos);
}

TEST_CASE("a fixture that misses an input or misspells a name is unreadable") {
  const ScratchDir dir;
  const auto check = [&dir](const std::string& json, const std::string& part) {
    write_text(dir.path() / "fixture.json", json);
    check_error(run_tool("vyre-eval --fixture=.", dir), 2, part);
  };
  const std::string head = R"({"version": 1, "program": "flash_attention_2", )";
  write_array(dir, "x.npy", random_f32(1, 0));
  check(head + R"("inputs": {"q": "x.npy"}, "expected": {"out": "x.npy"}})",
        "it gives no input `k`");
  check(head + R"("inputs": {"Q": "x.npy"}, "expected": {"out": "x.npy"}})", "no input `Q`");
  check(head + R"("inputs": {"q": "x.npy"}, "expected": {"o": "x.npy"}})", "no output `o`");
  check(head + R"("dims": {"seqlen": 8}, "inputs": {}, "expected": {"out": "x.npy"}})",
        "did you mean `seq_len`?");
  check(R"({"version": 1, "program": "flash", "inputs": {}, "expected": {"out": "x.npy"}})",
        "no program named `flash`");
  check(head + R"("input": {}, "expected": {"out": "x.npy"}})", "did you mean `inputs`?");
}

std::string program_text(const std::string& body) {
  return "vyre 1\nprogram workgroup(64, 1, 1) extent(64, 1, 1) {\n"
         "  buffer x: f32[64] read binding(0)\n  output y: f32[64] binding(1)\n" +
         body + "}\n";
}

TEST_CASE("vyre-eval and vyre-opt refuse a program that breaks rules, with all that is wrong") {
  const ScratchDir dir;
  write_text(
      dir.path() / "source.vyre",
      program_text("  region \"r\" {\n    y[64u] = 1.0\n    return\n    y[0u] = 1.0\n  }\n"));
  write_text(dir.path() / "structure.vyre",
             program_text("  region \"r\" {\n    y[0u] = smu\n    y[1u] = 1u\n  }\n"));
  write_text(dir.path() / "carried.vyre",
             program_text("  region \"r\" {\n    opaque \"k\" x\"00\"\n  }\n"));
  CHECK(run_tool("vyre-dump source.vyre --format=vir0 -o source.vir0", dir).exit_code == 1);
  const auto refuses = [&dir](const std::string& command, const std::string& file) {
    INFO(command << ' ' << file);
    const ToolResult result = run_tool(command + ' ' + file, dir);
    CHECK(result.exit_code == 1);
    CHECK(result.out.empty());
    CHECK(result.err == run_tool("vyre-dump --check " + file, dir).err);
    return result.err;
  };
  for (const std::string command : {"vyre-eval", "vyre-opt --passes=exact"}) {
    const std::string source = refuses(command, "source.vyre");
    CHECK(source.find("error[V036] source.vyre:6:5: ") != std::string::npos);
    CHECK(source.find(" 6 |     y[64u] = 1.0\n") != std::string::npos);
    CHECK(source.find("error[V112] ") != std::string::npos);
    CHECK(refuses(command, "source.vir0").find("error[V036] ") != std::string::npos);
    const std::string structure = refuses(command, "structure.vyre");
    CHECK(structure.find("error[V066] ") != std::string::npos);
    CHECK(structure.find("error[V121] ") != std::string::npos);
  }
  CHECK(refuses("vyre-eval", "carried.vyre").find("error[V031] ") != std::string::npos);
  CHECK(run_tool("vyre-opt --passes=exact carried.vyre", dir).exit_code == 0);
  // A name that no option may have is told before what is wrong with the program.
  check_error(run_tool("vyre-eval source.vyre --input z=ones", dir), 2, "no input `z`");
}

TEST_CASE("vyre-eval runs what passes make of a program, whatever the rules for people say") {
  const ScratchDir dir;
  // const_fold leaves the divisor 0 (V044) and the index 64 (V036).
  write_text(dir.path() / "a.vyre",
             program_text("  region \"r\" {\n    y[60u + 4u] = cast<f32>(3u / (2u - 2u))\n  }\n"));
  const ToolResult result =
      run_tool("vyre-eval a.vyre --passes=none --passes=const_fold --input x=ones", dir);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
}

TEST_CASE("a fixture whose program breaks rules is told by its folder") {
  const ScratchDir dir;
  write_text(dir.path() / "p.vyre", program_text("  region \"r\" {\n    y[64u] = 1.0\n  }\n"));
  write_array(dir, "x.npy", random_f32(1, 0, 64));
  write_text(dir.path() / "fixture.json",
             R"({"version": 1, "program": "./p.vyre", "inputs": {"x": "x.npy"},
                 "expected": {"y": "x.npy"}})");
  const ToolResult result = run_tool("vyre-eval --fixture=.", dir);
  INFO(result.err);
  CHECK(result.exit_code == 1);
  CHECK(result.err.starts_with("fixture `.`: error[V036] "));
  CHECK(result.err.find(" 6 |     y[64u] = 1.0\n") != std::string::npos);
}

TEST_CASE("options of a program that only traps are checked before it does") {
  const ScratchDir dir;
  write_text(dir.path() / "t.vyre", program_text("  region \"r\" {\n    trap \"t\" at 0u\n  }\n"));
  for (const std::string program : {"t.vyre", "flash_attention_2 --seq_len=0"}) {
    const auto fails = [&](const std::string& arguments, const std::string& part) {
      INFO(arguments);
      check_error(run_tool("vyre-eval " + program + ' ' + arguments, dir), 2, part);
    };
    fails("--input zz=ones", "no input `zz`");
    fails("--output zz=o.npy", "no output `zz`");
    fails("--expect zz=o.npy", "no output `zz`");
  }
  check_error(run_tool("vyre-eval t.vyre --output y=o.txt", dir), 2, "let it end in .npy");
  check_error(run_tool("vyre-eval t.vyre --output y=o.npy --input x=ones", dir), 3, "trap `t`");
  check_error(run_tool("vyre-eval flash_attention_2 --seq_len=0 --input q=ones", dir), 3, "trap");
}

TEST_CASE("vyre-eval says so when a program has no extent, as none that VIR0 held has") {
  const ScratchDir dir;
  const std::string note =
      "vyre-eval: note: the program has no extent, so its dispatch is inferred from the buffers' "
      "sizes; --workgroups=X,Y,Z sets it\n";
  write_text(dir.path() / "a.vyre", program_text("  region \"r\" {\n    y[0u] = x[0u]\n  }\n"));
  run_tool("vyre-dump a.vyre --format=vir0 -o a.vir0", dir);
  CHECK(run_tool("vyre-eval a.vyre --input x=ones", dir).err.empty());
  const ToolResult inferred = run_tool("vyre-eval a.vir0 --input x=ones", dir);
  CHECK(inferred.exit_code == 0);
  CHECK(inferred.err == note);
  CHECK(run_tool("vyre-eval a.vir0 --input x=ones --workgroups=1", dir).err.empty());
  write_array(dir, "x.npy", random_f32(1, 0, 64));
  write_text(dir.path() / "fixture.json",
             R"({"version": 1, "program": "./a.vir0", "inputs": {"x": "x.npy"},
                 "expected": {"y": "x.npy"}})");
  CHECK(run_tool("vyre-eval --fixture=.", dir).err == note);
  CHECK(run_tool("vyre-eval --conform=.", dir)
            .err.starts_with("vyre-eval: note: .: the program has no extent, "));
}

TEST_CASE("vyre-eval's help and version") {
  const ScratchDir dir;
  const ToolResult help = run_tool("vyre-eval --help", dir);
  CHECK(help.exit_code == 0);
  test::check_golden("golden/vyre-eval.help.txt", help.out);
  CHECK(run_tool("vyre-eval --version", dir).out.starts_with("vyre-eval "));
}

}  // namespace
}  // namespace vyre
