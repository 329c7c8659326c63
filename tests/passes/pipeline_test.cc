// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/passes/pipeline.h"

#include "tests/passes/bodies.h"

namespace vyre {
namespace {

using namespace literals;

const Expr kI = Expr::gid_x();

Program small_program() {
  return test::program_of(
      {Node::let_bind("a", (kI ^ kI) + 3u),
       Node::if_then(Expr::eq(Expr(1_u) * 0_u, 0u), {Node::store("w", kI, Expr::var("a") + 0u)})});
}

// Passes that go wrong, each in its own way.
StatusOr<PassResult> same(const Program& p) { return PassResult{p, false}; }
StatusOr<PassResult> refuses(const Program&) {
  return absl::UnimplementedError("no pass for that");
}
StatusOr<PassResult> boasts(const Program& p) { return PassResult{p, true}; }
StatusOr<PassResult> hides(const Program& p) {
  return PassResult{p.with_workgroup_size({1, 1, 1}), false};
}
StatusOr<PassResult> breaks(const Program& p) {
  return PassResult{
      p.with_entry(Node::region("r", std::nullopt, {Node::store("w", kI, Expr::var("gone"))})),
      true};
}
StatusOr<PassResult> parts(const Program& p) {
  return PassResult{p.with_workgroup_size({64, 1, 1})
                        .with_entry(Node::region(
                            "r", std::nullopt,
                            {Node::if_then(Expr::eq(Expr::local_id(0), 3u), {Node::barrier()})})),
                    true};
}
StatusOr<PassResult> alternates(const Program& p) {
  const uint32_t x = p.workgroup_size().x;
  return PassResult{p.with_workgroup_size({x ^ 1, 1, 1}), true};
}

Pass planted(PassFunction function) { return {"planted", "", Exactness::kExact, function}; }
Pipeline once(PassFunction function) { return {{"planted", {planted(function)}, 1}}; }

std::string error_of(const Pipeline& pipeline, bool verify_each = true) {
  PipelineOptions options;
  options.verify_each = verify_each;
  const StatusOr<PipelineResult> result = run_pipeline(small_program(), pipeline, options);
  return result.ok() ? std::string() : std::string(message_of(result.status()));
}

TEST_CASE("the exact pipeline repeats its passes until nothing changes") {
  PipelineOptions options;
  options.verify_each = true;
  const StatusOr<PipelineResult> result =
      run_pipeline(small_program(), parse_pipeline("exact").value(), options);
  REQUIRE(result.ok());
  CHECK(result->changed);
  CHECK(test::text_of(result->program) == "let a = 3u\nblock {\n  w[invocation_id.x] = a\n}\n");
  CHECK(result->runs.size() % 3 == 0);
  CHECK_FALSE(result->runs.back().changed);
  const StatusOr<PipelineResult> again =
      run_pipeline(result->program, parse_pipeline("exact").value());
  CHECK_FALSE(again->changed);
  CHECK(again->runs.size() == 3);
}

TEST_CASE("programs that alternate between two passes settle within the bound") {
  Expr e = kI;
  for (int i = 0; i < 500; ++i) e = (e * 0u + 5u) * (Expr(3_u) - 3_u) + (kI + 0u);
  const StatusOr<PipelineResult> result =
      run_pipeline(test::program_of({Node::store("w", kI, e)}), parse_pipeline("exact").value());
  REQUIRE(result.ok());
  CHECK(test::text_of(result->program) == "w[invocation_id.x] = invocation_id.x\n");
  CHECK(result->runs.back().round <= 4);
}

TEST_CASE("a list of passes runs in order, and the caller sees the program after each") {
  std::vector<std::string> seen;
  PipelineOptions options;
  options.after_pass = [&](const PassRun& run, const Program& program) {
    seen.push_back(std::string(run.pass.name) + (run.changed ? " changed\n" : "\n") +
                   test::text_of(program));
  };
  const Pipeline pipeline = parse_pipeline("simplify, const_fold,dce").value();
  REQUIRE(run_pipeline(small_program(), pipeline, options).ok());
  REQUIRE(seen.size() == 3);
  CHECK_THAT(seen[0], Catch::StartsWith("simplify changed\nlet a = 3u"));
  CHECK_THAT(seen[1], Catch::StartsWith("const_fold changed") && Catch::Contains("block"));
  CHECK_THAT(seen[2], Catch::StartsWith("dce\n"));
}

TEST_CASE("unknown and empty names are refused with help") {
  const auto error = [](std::string_view text) {
    return std::string(message_of(parse_pipeline(text).status()));
  };
  CHECK_THAT(error("const_fodl"), Catch::Contains("did you mean `const_fold`?"));
  CHECK_THAT(error("dce,exakt"), Catch::Contains("did you mean `exact`?"));
  CHECK_THAT(error("unroll_everything"),
             Catch::Contains("const_fold, simplify, dce, bind_shared, exact"));
  CHECK_THAT(error(""), Catch::Contains("empty name"));
  CHECK_THAT(error("dce,,simplify"), Catch::Contains("empty name"));
  CHECK(parse_pipeline("dce,").status().code() == absl::StatusCode::kInvalidArgument);
  CHECK_THAT(std::string(message_of(find_pass("dc").status())), Catch::Contains("`dce`"));
  CHECK(find_pass("dce").value()->exactness == Exactness::kExact);
}

TEST_CASE("each pass is listed once, under the name of its function") {
  for (const Pass& pass : all_passes()) {
    CHECK(find_pass(pass.name).value()->function == pass.function);
    CHECK_FALSE(pass.summary.empty());
  }
  for (const NamedPipeline& named : named_pipelines()) {
    CHECK(parse_pipeline(named.name).ok());
    CHECK_FALSE(find_pass(named.name).ok());
  }
}

TEST_CASE("every failure names the pass") {
  CHECK(error_of(once(&same)).empty());
  CHECK(error_of(once(&refuses)) == "pass `planted`: no pass for that");
  CHECK_THAT(error_of(once(&boasts), false),
             Catch::Contains("pass `planted`: it says that it changed the program and did not"));
  CHECK_THAT(error_of(once(&hides), false),
             Catch::Contains("pass `planted`: it changed the program and says that it did not"));
  const std::string limit = error_of({{"loop", {planted(&alternates)}, 5}});
  CHECK_THAT(limit, Catch::Contains("pass `planted`: it still changes the program in round 5"));
  CHECK_THAT(limit, Catch::Contains("Fix: "));
  for (const Pass& pass : all_passes()) {
    const StatusOr<PipelineResult> result =
        run_pipeline(test::program_of({Node::assign("a", 1u)}), parse_pipeline(pass.name).value());
    CHECK_THAT(std::string(message_of(result.status())),
               Catch::StartsWith("pass `" + std::string(pass.name) + "`: ") &&
                   Catch::Contains("V120") && Catch::Contains("entry[0].body[0]"));
  }
}

TEST_CASE("verify-each catches a pass that breaks a program, with place and cause") {
  CHECK(error_of(once(&breaks), false).empty());
  const std::string error = error_of(once(&breaks));
  CHECK_THAT(error, Catch::Contains("pass `planted`: it broke the program"));
  CHECK_THAT(error, Catch::Contains("V066"));
  CHECK_THAT(error, Catch::Contains("entry[0].body[0].value"));
  CHECK_THAT(error, Catch::Contains("`gone` is not bound"));
}

TEST_CASE(
    "D19: verify-each catches a pass that parts invocations at a barrier, and is no source rule") {
  CHECK_THAT(error_of(once(&parts)), Catch::Contains("V010"));
  const PassFunction divides_by_zero = [](const Program& p) -> StatusOr<PassResult> {
    return PassResult{
        p.with_entry(Node::region("r", std::nullopt, {Node::store("w", kI, kI / Expr::u32(0))})),
        true};
  };
  CHECK(error_of(once(divides_by_zero)).empty());
}

TEST_CASE("verify-each blames no pass for errors that were there before") {
  PipelineOptions options;
  options.verify_each = true;
  const Program broken = test::program_of({Node::assign("a", 1u)});
  CHECK(run_pipeline(broken, once(&breaks), options).ok());
  CHECK(run_pipeline(broken, once(&same), options).ok());
}

}  // namespace
}  // namespace vyre
