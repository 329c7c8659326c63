// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded programs about atomics, races, barriers, subgroups, segments, copies and
// collectives.
#include "tests/conformance/scenario_parts.h"
#include "tests/conformance/scenarios.h"

namespace vyre::test {

using namespace literals;
using namespace scenario_parts;

std::vector<Scenario> lanes_scenarios() {
  std::vector<Scenario> rows;
  const Expr expected = 0_u;
  rows.push_back({"atomic_or", lanes(4, {rw("x", 1, 1), out(4)},
                                     {Node::let_bind("l", Expr::gid_x()),
                                      Node::let_bind("old", Expr::atomic_or("x", 0u, v("l") + 1u)),
                                      Node::store("out", v("l"), v("old"))})});
  rows.push_back(
      {"atomic_and", lanes(4, {rw("x", 1, 1), out(4)},
                           {Node::let_bind("l", Expr::gid_x()),
                            Node::let_bind("old", Expr::atomic_and("x", 0u, v("l") + 1u)),
                            Node::store("out", v("l"), v("old"))})});
  rows.push_back(
      {"atomic_exchange", lanes(4, {rw("x", 1, 1), out(4)},
                                {Node::let_bind("l", Expr::gid_x()),
                                 Node::let_bind("old", Expr::atomic_exchange("x", 0u, v("l") + 1u)),
                                 Node::store("out", v("l"), v("old"))})});
  rows.push_back(
      {"atomic_lru", lanes(4, {rw("x", 1, 1), out(4)},
                           {Node::let_bind("l", Expr::gid_x()),
                            Node::let_bind("old", Expr::atomic_lru_update("x", 0u, v("l") + 1u)),
                            Node::store("out", v("l"), v("old"))})});
  rows.push_back(
      {"atomic_nand",
       lanes(4, {rw("x", 1, 1), out(4)},
             {Node::let_bind("l", Expr::gid_x()),
              Node::let_bind("old", raw_atomic(Op::kAtomicNand, "x", 0_u, nullptr, v("l") + 1u)),
              Node::store("out", v("l"), v("old"))})});
  rows.push_back(
      {"atomic_cas_weak", lanes(1, {rw("x", 1, 1), out(1)},
                                {Node::let_bind("old", raw_atomic(Op::kAtomicCompareExchangeWeak,
                                                                  "x", 0_u, &expected, 5_u)),
                                 Node::store("out", 0u, v("old"))})});
  rows.push_back(
      {"atomic_cas_missing_expected",
       lanes(1, {rw("x", 1, 1), out(1)},
             {Node::let_bind("old", raw_atomic(Op::kAtomicCompareExchange, "x", 0_u, nullptr, 5_u)),
              Node::store("out", 0u, v("old"))})});
  rows.push_back(
      {"atomic_add_with_expected",
       lanes(1, {rw("x", 1, 1), out(1)},
             {Node::let_bind("old", raw_atomic(Op::kAtomicAdd, "x", 0_u, &expected, 5_u)),
              Node::store("out", 0u, v("old"))})});
  rows.push_back(
      {"atomic_workgroup", lanes(4, {BufferDecl::workgroup("s", 1, DataType::U32), out(4)},
                                 {Node::let_bind("old", Expr::atomic_add("s", 0u, 1u)),
                                  Node::store("out", Expr::gid_x(), v("old"))})});
  rows.push_back({"atomic_i32_buffer",
                  lanes(1, {BufferDecl::read_write("x", 1, DataType::I32).with_count(1), out(1)},
                        {Node::let_bind("old", Expr::atomic_add("x", 0u, Expr::i32(-1))),
                         Node::store("out", 0u, 1u)})});
  rows.push_back(
      {"atomic_i32_buffer_u32val",
       lanes(1, {BufferDecl::read_write("x", 1, DataType::I32).with_count(1), out(1)},
             {Node::let_bind("old", Expr::atomic_add("x", 0u, 1u)), Node::store("out", 0u, 1u)})});
  rows.push_back(
      {"atomic_u64_buffer",
       lanes(1, {BufferDecl::read_write("x", 1, DataType::U64).with_count(1), out(1)},
             {Node::let_bind("old", Expr::atomic_add("x", 0u, 1u)), Node::store("out", 0u, 1u)})});
  rows.push_back(
      {"atomic_in_select_both_sides",
       lanes(1, {rw("x", 1, 2), out(1)},
             {Node::if_then(
                 Expr::eq(Expr::gid_x(), 0u),
                 {Node::store("out", 0u,
                              Expr::select(Expr::bool_(true), Expr::atomic_add("x", 0u, 1u),
                                           Expr::atomic_add("x", 1u, 1u)))})})});
  rows.push_back(
      {"race_lost_update",
       lanes(4, {BufferDecl::workgroup("s", 1, DataType::U32), out(4)},
             {Node::let_bind("x", Expr::load("s", 0u)), Node::store("s", 0u, v("x") + 1u),
              Node::barrier(), Node::store("out", Expr::gid_x(), Expr::load("s", 0u))})});
  rows.push_back({"race_single_statement",
                  lanes(4, {BufferDecl::workgroup("s", 1, DataType::U32), out(4)},
                        {Node::store("s", 0u, Expr::load("s", 0u) + 1u), Node::barrier(),
                         Node::store("out", Expr::gid_x(), Expr::load("s", 0u))})});
  rows.push_back(
      {"barrier_exchange",
       lanes(4, {BufferDecl::workgroup("s", 4, DataType::U32), in("a", 1, 4), out(4)},
             {Node::let_bind("l", Expr::gid_x()), Node::store("s", v("l"), Expr::load("a", v("l"))),
              Node::barrier(), Node::store("out", v("l"), Expr::load("s", 3_u - v("l")))})});
  rows.push_back(
      {"barrier_divergent_if", lanes(4, {out(4)},
                                     {Node::let_bind("l", Expr::gid_x()),
                                      Node::if_then(Expr::lt(v("l"), 2u), {Node::barrier()}),
                                      Node::store("out", v("l"), 1u)})});
  rows.push_back({"barrier_divergent_dynamic",
                  lanes(4, {in("a", 1, 4), out(4)},
                        {Node::let_bind("l", Expr::gid_x()),
                         Node::if_then(Expr::eq(Expr::load("a", v("l")), 1u), {Node::barrier()}),
                         Node::store("out", v("l"), 1u)})});
  rows.push_back(
      {"barrier_after_return", lanes(4, {BufferDecl::workgroup("s", 4, DataType::U32), out(4)},
                                     {Node::let_bind("l", Expr::gid_x()),
                                      Node::if_then(Expr::ge(v("l"), 2u), {Node::return_()}),
                                      Node::store("s", v("l"), v("l") + 1u), Node::barrier(),
                                      Node::store("out", v("l"), Expr::load("s", 1_u - v("l")))})});
  rows.push_back(
      {"barrier_in_uniform_loop",
       lanes(
           4, {BufferDecl::workgroup("s", 4, DataType::U32), out(4)},
           {Node::let_bind("l", Expr::gid_x()),
            Node::loop_for("i", 0u, 3u,
                           {Node::store("s", v("l"), Expr::load("s", (v("l") + 1u) % 4u) + v("l")),
                            Node::barrier()}),
            Node::store("out", v("l"), Expr::load("s", v("l")))})});
  rows.push_back(
      {"barrier_if_cond_changes_per_iteration",
       lanes(2, {out(2)},
             {Node::let_bind("l", Expr::gid_x()),
              Node::loop_for("i", 0u, 2u, {Node::if_then(Expr::eq(v("i"), 0u), {Node::barrier()})}),
              Node::store("out", v("l"), 1u)})});
  rows.push_back({"barrier_if_cond_changes_dynamic",
                  lanes(2, {in("a", 1, 1), out(2)},
                        {Node::let_bind("l", Expr::gid_x()),
                         Node::loop_for("i", 0u, 2u,
                                        {Node::if_then(Expr::eq(v("i"), Expr::load("a", 0u)),
                                                       {Node::barrier()})}),
                         Node::store("out", v("l"), 1u)})});
  rows.push_back(
      {"barrier_relaxed_ordering", lanes(2, {out(2)},
                                         {Node::barrier_with_ordering(MemoryOrdering::kRelaxed),
                                          Node::store("out", Expr::gid_x(), 1u)})});
  rows.push_back(
      {"grid_sync",
       lanes(2, {rw("t", 1, 4), out(4)},
             {Node::store("t", Expr::gid_x(), Expr::gid_x() + 1u), grid_sync(),
              Node::store("out", Expr::gid_x(), Expr::load("t", 3_u - Expr::gid_x()))})});
  rows.push_back(
      {"grid_sync_local_lost", lanes(2, {out(4)},
                                     {Node::let_bind("x", Expr::gid_x() + 1u), grid_sync(),
                                      Node::store("out", Expr::gid_x(), v("x"))})});
  rows.push_back({"grid_sync_workgroup_lost",
                  lanes(2, {BufferDecl::workgroup("s", 2, DataType::U32), out(4)},
                        {Node::store("s", Expr::local_x(), 5u), grid_sync(),
                         Node::store("out", Expr::gid_x(), Expr::load("s", Expr::local_x()))})});
  rows.push_back({"subgroup_and_u32",
                  lanes(40, {in("a", 1, 40), out(40)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_and(Expr::load("a", Expr::gid_x())))})});
  rows.push_back(
      {"subgroup_or_u32", lanes(40, {in("a", 1, 40), out(40)},
                                {Node::store("out", Expr::gid_x(),
                                             Expr::subgroup_or(Expr::load("a", Expr::gid_x())))})});
  rows.push_back({"subgroup_ballot",
                  lanes(40, {in("a", 1, 40), out(40)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_ballot(Expr::eq(Expr::gid_x() % 3u, 0u)))})});
  rows.push_back({"subgroup_shuffle_rev",
                  lanes(40, {in("a", 1, 40), out(40)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_shuffle(Expr::load("a", Expr::gid_x()),
                                                            31_u - Expr::subgroup_local_id()))})});
  rows.push_back(
      {"subgroup_shuffle_oob",
       lanes(40, {in("a", 1, 40), out(40)},
             {Node::store("out", Expr::gid_x(),
                          Expr::subgroup_shuffle(Expr::load("a", Expr::gid_x()), 40u))})});
  rows.push_back({"subgroup_ids",
                  lanes(40, {in("a", 1, 40), out(40)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_size() * 1000u + Expr::subgroup_local_id())})});
  rows.push_back({"subgroup_add_f32",
                  lanes(4,
                        {BufferDecl::read("a", 1, DataType::F32).with_count(4),
                         BufferDecl::output("out", 0, DataType::F32).with_count(4)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_add(Expr::load("a", Expr::gid_x())))})});
  rows.push_back({"subgroup_min_f32",
                  lanes(4,
                        {BufferDecl::read("a", 1, DataType::F32).with_count(4),
                         BufferDecl::output("out", 0, DataType::F32).with_count(4)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_min(Expr::load("a", Expr::gid_x())))})});
  rows.push_back({"subgroup_max_f32",
                  lanes(4,
                        {BufferDecl::read("a", 1, DataType::F32).with_count(4),
                         BufferDecl::output("out", 0, DataType::F32).with_count(4)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_max(Expr::load("a", Expr::gid_x())))})});
  rows.push_back(
      {"subgroup_shuffle_f32",
       lanes(4,
             {BufferDecl::read("a", 1, DataType::F32).with_count(4),
              BufferDecl::output("out", 0, DataType::F32).with_count(4)},
             {Node::store("out", Expr::gid_x(),
                          Expr::subgroup_shuffle(Expr::load("a", Expr::gid_x()), 2u))})});
  rows.push_back({"subgroup_add_i32",
                  lanes(4,
                        {BufferDecl::read("a", 1, DataType::I32).with_count(4),
                         BufferDecl::output("out", 0, DataType::I32).with_count(4)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_add(Expr::load("a", Expr::gid_x())))})});
  rows.push_back({"subgroup_add_in_if",
                  lanes(8, {out(8)},
                        {Node::let_bind("l", Expr::gid_x()),
                         Node::if_then(Expr::lt(v("l"), 3u),
                                       {Node::store("out", v("l"), Expr::subgroup_add(1u))})})});
  rows.push_back(
      {"subgroup_add_after_return", lanes(8, {out(8)},
                                          {Node::let_bind("l", Expr::gid_x()),
                                           Node::if_then(Expr::ge(v("l"), 3u), {Node::return_()}),
                                           Node::store("out", v("l"), Expr::subgroup_add(1u))})});
  rows.push_back(
      {"subgroup_var_divergent_scope",
       lanes(4, {out(4)},
             {Node::let_bind("l", Expr::gid_x()),
              Node::if_then_else(
                  Expr::lt(v("l"), 2u),
                  {Node::let_bind("t", 1u), Node::store("out", v("l"), Expr::subgroup_add(v("t")))},
                  {Node::store("out", v("l"), 77u)})})});
  rows.push_back({"subgroup_nested",
                  lanes(4, {out(4)},
                        {Node::store("out", Expr::gid_x(),
                                     Expr::subgroup_max(Expr::subgroup_add(Expr::gid_x())))})});
  rows.push_back({"binop_ballot_legacy",
                  lanes(1, {out(1)}, {Node::store("out", 0u, Expr::legacy_ballot(1u, 1u))})});
  rows.push_back({"broadcast_world", lanes(1, {rw("x", 0, 2)}, {Node::broadcast("x", 0, 0)})});
  rows.push_back({"allgather_world",
                  lanes(1, {in("x", 1, 2), rw("y", 0, 2)}, {Node::all_gather("x", "y", 0)})});
  rows.push_back(
      {"reducescatter_world", lanes(1, {in("x", 1, 2), rw("y", 0, 2)},
                                    {Node::reduce_scatter("x", "y", CollectiveOp::kSum, 0)})});
  rows.push_back(
      {"async_load_wait", lanes(1, {in("a", 1, 4), rw("s", 2, 4), out(2)},
                                {Node::async_load_ext("a", "s", 4u, 8u, "t"), Node::async_wait("t"),
                                 Node::store("out", 0u, Expr::load("s", 0u)),
                                 Node::store("out", 1u, Expr::load("s", 1u))})});
  rows.push_back({"async_load_workgroup",
                  lanes(1, {in("a", 1, 4), BufferDecl::workgroup("s", 4, DataType::U32), out(2)},
                        {Node::async_load_ext("a", "s", 4u, 8u, "t"), Node::async_wait("t"),
                         Node::store("out", 0u, Expr::load("s", 0u)),
                         Node::store("out", 1u, Expr::load("s", 1u))})});
  rows.push_back({"async_store", lanes(1, {in("a", 1, 2), rw("x", 2, 4), out(1)},
                                       {Node::async_store("a", "x", 4u, 8u, "t"),
                                        Node::async_wait("t"), Node::store("out", 0u, 1u)})});
  rows.push_back({"async_wait_without_start", lanes(1, {out(1)}, {Node::async_wait("t")})});
  rows.push_back({"async_duplicate_tag",
                  lanes(1, {in("a", 1, 2), rw("s", 2, 2), out(1)},
                        {Node::async_load_ext("a", "s", 0u, 4u, "t"),
                         Node::async_load_ext("a", "s", 0u, 4u, "t"), Node::async_wait("t")})});
  return rows;
}

}  // namespace vyre::test
