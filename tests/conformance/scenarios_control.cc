// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded programs about loops, scopes, entries, returns, traps and dispatches.
#include <fmt/format.h>

#include "tests/conformance/scenario_parts.h"
#include "tests/conformance/scenarios.h"

namespace vyre::test {

using namespace literals;
using namespace scenario_parts;

std::vector<Scenario> control_scenarios() {
  std::vector<Scenario> rows;
  rows.push_back(
      {"loop_from_eq_to", lanes(1, {out(1)},
                                {Node::let_bind("c", 0u),
                                 Node::loop_for("i", 3u, 3u, {Node::assign("c", v("c") + 1u)}),
                                 Node::store("out", 0u, v("c"))})});
  rows.push_back(
      {"loop_near_umax",
       lanes(1, {out(2)},
             {Node::let_bind("c", 0u), Node::let_bind("last", 0u),
              Node::loop_for("i", 0xFFFFFFFDu, 0xFFFFFFFFu,
                             {Node::assign("c", v("c") + 1u), Node::assign("last", v("i"))}),
              Node::store("out", 0u, v("c")), Node::store("out", 1u, v("last"))})});
  rows.push_back(
      {"loop_var_after", lanes(1, {out(1)},
                               {Node::loop_for("i", 0u, 3u, {Node::store("out", 0u, v("i"))}),
                                Node::store("out", 0u, v("i"))})});
  rows.push_back({"loop_var_reuse_sequential",
                  lanes(1, {out(2)},
                        {Node::loop_for("i", 0u, 3u, {Node::store("out", 0u, v("i"))}),
                         Node::loop_for("i", 0u, 5u, {Node::store("out", 1u, v("i"))})})});
  rows.push_back(
      {"loop_nested_same_var",
       lanes(1, {out(1)},
             {Node::loop_for("i", 0u, 3u,
                             {Node::loop_for("i", 0u, 2u, {Node::store("out", 0u, v("i"))})})})});
  rows.push_back({"loop_let_in_body", lanes(1, {out(1)},
                                            {Node::let_bind("c", 0u),
                                             Node::loop_for("i", 0u, 4u,
                                                            {Node::let_bind("t", v("i") * 2u),
                                                             Node::assign("c", v("c") + v("t"))}),
                                             Node::store("out", 0u, v("c"))})});
  rows.push_back(
      {"loop_bound_f32",
       lanes(1, {out(1)}, {Node::loop_for("i", 0u, 3.0f, {Node::store("out", 0u, v("i"))})})});
  rows.push_back(
      {"loop_bound_i32_negative", lanes(1, {out(1)},
                                        {Node::loop_for("i", Expr::i32(-1), Expr::i32(2),
                                                        {Node::store("out", 0u, v("i"))})})});
  rows.push_back({"loop_bound_i32", lanes(1, {out(1)},
                                          {Node::loop_for("i", Expr::i32(0), Expr::i32(2),
                                                          {Node::store("out", 0u, v("i"))})})});
  rows.push_back({"shadow_same_scope", lanes(1, {out(1)},
                                             {Node::let_bind("x", 1u), Node::let_bind("x", 2u),
                                              Node::store("out", 0u, v("x"))})});
  rows.push_back(
      {"let_after_inner_scope", lanes(1, {out(1)},
                                      {Node::if_then(Expr::bool_(true), {Node::let_bind("t", 1u)}),
                                       Node::let_bind("t", 3u), Node::store("out", 0u, v("t"))})});
  rows.push_back(
      {"assign_outer_from_inner",
       lanes(1, {out(1)},
             {Node::let_bind("x", 1u), Node::if_then(Expr::bool_(true), {Node::assign("x", 2u)}),
              Node::block({Node::assign("x", v("x") + 10u)}), Node::store("out", 0u, v("x"))})});
  rows.push_back(
      {"if_cond_i32_neg",
       lanes(1, {out(1)}, {Node::if_then(Expr::i32(-1), {Node::store("out", 0u, 1u)})})});
  rows.push_back({"empty_entry", lanes(1, {out(1)}, {})});
  rows.push_back({"raw_entry_store",
                  Program::from_raw_parts({out(1)}, {1, 1, 1}, {Node::store("out", 0u, 1u)})});
  rows.push_back(
      {"raw_entry_let_first",
       Program::from_raw_parts({out(1)}, {1, 1, 1},
                               {Node::let_bind("x", 4u), Node::store("out", 0u, v("x"))})});
  rows.push_back({"raw_entry_empty", Program::from_raw_parts({out(1)}, {1, 1, 1}, {})});
  rows.push_back(
      {"raw_entry_two_regions",
       Program::from_raw_parts(
           {out(1)}, {1, 1, 1},
           {Node::region("a", {}, {Node::let_bind("x", 4u), Node::store("out", 0u, v("x"))}),
            Node::region("b", {},
                         {Node::let_bind("x", 5u),
                          Node::store("out", 0u, v("x") + Expr::load("out", 0u))})})});
  rows.push_back(
      {"trap_one_lane", lanes(4, {out(4)},
                              {Node::let_bind("l", Expr::gid_x()),
                               Node::if_then(Expr::eq(v("l"), 2u), {Node::trap(v("l"), "lane2")}),
                               Node::store("out", v("l"), 1u)})});
  rows.push_back(
      {"trap_unreached", lanes(1, {out(1)},
                               {Node::if_then(Expr::bool_(false), {Node::trap(0u, "never")}),
                                Node::store("out", 0u, 3u)})});
  rows.push_back(
      {"trap_after_return",
       lanes(1, {out(1)}, {Node::store("out", 0u, 3u), Node::return_(), Node::trap(0u, "never")})});
  rows.push_back({"trap_address_f32", lanes(1, {out(1)}, {Node::trap(1.5f, "t")})});
  rows.push_back({"trap_two_lanes_first_wins",
                  lanes(4, {out(4)},
                        {Node::let_bind("l", Expr::gid_x()),
                         Node::if_then(Expr::eq(v("l"), 3u), {Node::trap(v("l"), "lane3")}),
                         Node::if_then(Expr::eq(v("l"), 1u), {Node::trap(v("l"), "lane1")})})});
  rows.push_back(
      {"return_middle", lanes(4, {out(4)},
                              {Node::let_bind("l", Expr::gid_x()), Node::store("out", v("l"), 1u),
                               Node::if_then(Expr::eq(v("l") % 2u, 1u), {Node::return_()}),
                               Node::store("out", v("l"), 2u)})});
  rows.push_back({"return_in_loop",
                  lanes(1, {out(1)},
                        {Node::loop_for("i", 0u, 10u,
                                        {Node::store("out", 0u, v("i")),
                                         Node::if_then(Expr::eq(v("i"), 2u), {Node::return_()})}),
                         Node::store("out", 0u, 99u)})});
  rows.push_back({"return_in_region",
                  lanes(1, {out(1)},
                        {Node::store("out", 0u, 1u), Node::region("g", {}, {Node::return_()}),
                         Node::store("out", 0u, 2u)})});
  rows.push_back({"resume", lanes(1, {out(1)}, {Node::resume("t")})});
  rows.push_back(
      {"grid_out10_wg1", lanes(1, {out(10), rw("cnt", 7, 4)},
                               {Node::let_bind("a", Expr::atomic_add("cnt", 0u, 1u)),
                                Node::let_bind("b", Expr::atomic_max("cnt", 1u, Expr::gid_x())),
                                Node::let_bind("c", Expr::atomic_max("cnt", 2u, Expr::gid_y())),
                                Node::let_bind("d", Expr::atomic_max("cnt", 3u, Expr::gid_z()))})});
  rows.push_back(
      {"grid_in100_out2_plain",
       lanes(8, {in("a", 1, 100), out(2)}, {Node::store("out", 0u, Expr::load("out", 0u) + 1u)})});
  rows.push_back({"grid_in100_out2_wgmem",
                  lanes(8, {in("a", 1, 100), BufferDecl::workgroup("s", 1, DataType::U32), out(2)},
                        {Node::store("out", 0u, Expr::load("out", 0u) + 1u)})});
  for (const uint32_t depth : {60u, 63u, 64u, 65u}) {
    Node nested = Node::store("out", 0u, 1u);
    for (uint32_t i = 0; i < depth; ++i) nested = Node::block({nested});
    rows.push_back({fmt::format("nest_depth_{}", depth), lanes(1, {out(1)}, {nested})});
  }
  for (const uint32_t depth : {127u, 128u, 129u}) {
    Expr sum = 1_u;
    for (uint32_t i = 0; i < depth; ++i) sum = sum + 1u;
    rows.push_back(
        {fmt::format("expr_depth_{}", depth), lanes(1, {out(1)}, {Node::store("out", 0u, sum)})});
  }
  return rows;
}

}  // namespace vyre::test
