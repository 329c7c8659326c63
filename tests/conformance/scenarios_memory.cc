// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The recorded programs about buffers, elements, inputs and outputs.
#include "tests/conformance/scenario_parts.h"
#include "tests/conformance/scenarios.h"

namespace vyre::test {

using namespace literals;
using namespace scenario_parts;

std::vector<Scenario> memory_scenarios() {
  std::vector<Scenario> rows;
  rows.push_back({"oob_load_u32_end", lanes(1, {in("a", 1, 4), out(1)},
                                            {Node::store("out", 0u, Expr::load("a", 4u))})});
  rows.push_back(
      {"oob_load_u32_max",
       lanes(1, {in("a", 1, 4), out(1)}, {Node::store("out", 0u, Expr::load("a", 0xFFFFFFFFu))})});
  rows.push_back({"oob_load_i32", lanes(1,
                                        {BufferDecl::read("a", 1, DataType::I32).with_count(1),
                                         BufferDecl::output("out", 0, DataType::I32).with_count(1)},
                                        {Node::store("out", 0u, Expr::load("a", 9u))})});
  rows.push_back(
      {"oob_negative_wrap_index",
       lanes(1, {in("a", 1, 4), out(1)}, {Node::store("out", 0u, Expr::load("a", 0_u - 1_u))})});
  rows.push_back({"oob_rw_longer_than_declared",
                  lanes(1, {rw("x", 0, 2)}, {Node::store("x", Expr::gid_x() + 2u, 7u)})});
  rows.push_back(
      {"oob_store_dropped", lanes(1, {out(3)},
                                  {Node::store("out", 3u, 9u), Node::store("out", 0xFFFFFFFFu, 8u),
                                   Node::store("out", 0u, 1u)})});
  rows.push_back(
      {"select_evaluates_both",
       lanes(
           1, {in("a", 1, 4), out(1)},
           {Node::store("out", 0u, Expr::select(Expr::bool_(true), 5u, Expr::load("a", 100u)))})});
  rows.push_back({"output_zero_init", lanes(1, {out(3)}, {Node::store("out", 0u, 5u)})});
  rows.push_back({"rw_passthrough", lanes(1, {rw("x", 0, 3)}, {Node::store("x", 1u, 5u)})});
  rows.push_back({"undeclared_buffer_load",
                  lanes(1, {out(1)}, {Node::store("out", 0u, Expr::load("nope", 0u))})});
  rows.push_back({"store_f32_into_u32", lanes(1, {out(1)}, {Node::store("out", 0u, 1.0f)})});
  rows.push_back(
      {"store_i32_into_u32", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::i32(-1))})});
  rows.push_back(
      {"store_i32_into_f32", lanes(1, {BufferDecl::output("out", 0, DataType::F32).with_count(1)},
                                   {Node::store("out", 0u, Expr::i32(5))})});
  rows.push_back(
      {"store_bool_into_u32", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::bool_(true))})});
  rows.push_back(
      {"load_bool_buffer",
       lanes(1, {BufferDecl::read("a", 1, DataType::Bool).with_count(3), out(3)},
             {Node::loop_for(
                 "i", 0u, 3u,
                 {Node::store("out", v("i"), Expr::select(Expr::load("a", v("i")), 1u, 0u))})})});
  rows.push_back({"load_bool_buffer_raw",
                  lanes(1, {BufferDecl::read("a", 1, DataType::Bool).with_count(3), out(3)},
                        {Node::loop_for("i", 0u, 3u,
                                        {Node::store("out", v("i"), Expr::load("a", v("i")))})})});
  rows.push_back({"store_u64_into_u32",
                  lanes(1, {BufferDecl::read("a", 1, DataType::U64).with_count(1), out(1)},
                        {Node::store("out", 0u, Expr::load("a", 0u))})});
  rows.push_back(
      {"store_u32_into_u64",
       lanes(1, {in("a", 1, 1), BufferDecl::output("out", 0, DataType::U64).with_count(1)},
             {Node::store("out", 0u, Expr::load("a", 0u))})});
  rows.push_back({"store_index_i32_negative",
                  lanes(1, {BufferDecl::read("b", 2, DataType::I32).with_count(1), out(1)},
                        {Node::store("out", Expr::load("b", 0u), 3u)})});
  rows.push_back(
      {"index_bool", lanes(1, {in("a", 1, 2), out(1)},
                           {Node::store("out", 0u, Expr::load("a", Expr::bool_(true)))})});
  rows.push_back(
      {"index_u64",
       lanes(1, {in("a", 1, 2), BufferDecl::read("b", 2, DataType::U64).with_count(1), out(1)},
             {Node::store("out", 0u, Expr::load("a", Expr::load("b", 0u)))})});
  rows.push_back(
      {"select_cond_u32", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::select(2u, 1u, 0u))})});
  rows.push_back(
      {"select_mixed_types",
       lanes(1, {out(1)}, {Node::store("out", 0u, Expr::select(Expr::bool_(true), 1u, 2.0f))})});
  rows.push_back(
      {"and_u32_values", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::and_(2u, 4u))})});
  rows.push_back({"store_to_uniform",
                  lanes(1, {BufferDecl::uniform("a", 1, DataType::U32).with_count(1), out(1)},
                        {Node::store("a", 0u, 1u)})});
  rows.push_back({"axis3", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::invocation_id(3))})});
  rows.push_back(
      {"u8_buffer_load_cast",
       lanes(1, {BufferDecl::read("a", 1, DataType::U8).with_count(4), out(4)},
             {Node::loop_for("i", 0u, 4u,
                             {Node::store("out", v("i"),
                                          Expr::cast(DataType::U32, Expr::load("a", v("i"))))})})});
  rows.push_back(
      {"buf_len_kinds",
       lanes(
           1,
           {in("a", 1, 4), BufferDecl::read("b", 2, DataType::F32).with_count(3),
            BufferDecl::read("c", 3, DataType::U64).with_count(2),
            BufferDecl::workgroup("s", 5, DataType::U32), out(5)},
           {Node::store("out", 0u, Expr::buf_len("a")), Node::store("out", 1u, Expr::buf_len("b")),
            Node::store("out", 2u, Expr::buf_len("c")), Node::store("out", 3u, Expr::buf_len("s")),
            Node::store("out", 4u, Expr::buf_len("out"))})});
  rows.push_back({"buf_len_longer_input", lanes(1, {in("a", 1, 2), out(2)},
                                                {Node::store("out", 0u, Expr::buf_len("a")),
                                                 Node::store("out", 1u, Expr::load("a", 4u))})});
  rows.push_back(
      {"input_partial_element", lanes(1, {BufferDecl::read("a", 1, DataType::U32), out(2)},
                                      {Node::store("out", 0u, Expr::buf_len("a")),
                                       Node::store("out", 1u, Expr::load("a", 1u))})});
  rows.push_back({"input_too_short", lanes(1, {in("a", 1, 4), out(1)},
                                           {Node::store("out", 0u, Expr::load("a", 0u))})});
  rows.push_back({"input_missing", lanes(1, {in("a", 1, 4), out(1)},
                                         {Node::store("out", 0u, Expr::load("a", 0u))})});
  rows.push_back({"input_extra", lanes(1, {in("a", 1, 1), out(1)},
                                       {Node::store("out", 0u, Expr::load("a", 0u))})});
  rows.push_back(
      {"input_order_is_decl_order", lanes(1, {in("a", 5, 1), in("b", 1, 1), out(2)},
                                          {Node::store("out", 0u, Expr::load("a", 0u)),
                                           Node::store("out", 1u, Expr::load("b", 0u))})});
  rows.push_back({"output_order",
                  lanes(1, {rw("x", 2, 1), out(1), rw("y", 1, 1)}, {Node::store("out", 0u, 1u)})});
  rows.push_back({"two_outputs", lanes(1,
                                       {BufferDecl::output("o1", 0, DataType::U32).with_count(1),
                                        BufferDecl::output("o2", 1, DataType::U32).with_count(1)},
                                       {Node::store("o1", 0u, 1u), Node::store("o2", 0u, 2u)})});
  rows.push_back(
      {"no_outputs", lanes(1, {in("a", 0, 1)}, {Node::let_bind("x", Expr::load("a", 0u))})});
  rows.push_back({"output_byte_range",
                  lanes(1,
                        {BufferDecl::output("out", 0, DataType::U32)
                             .with_count(4)
                             .with_output_byte_range({4, 12})},
                        {Node::loop_for("i", 0u, 4u, {Node::store("out", v("i"), v("i") + 1u)})})});
  rows.push_back(
      {"duplicate_buffer_name", lanes(1, {in("out", 1, 1), out(1)}, {Node::store("out", 0u, 1u)})});
  rows.push_back({"call_unknown",
                  lanes(1, {out(1)}, {Node::store("out", 0u, Expr::call("no.such.op", {1_u}))})});
  rows.push_back(
      {"buffer_ref_value", lanes(1, {out(1)}, {Node::store("out", 0u, Expr::buffer_ref("out"))})});
  rows.push_back(
      {"wide_u64_literal", lanes(1, {BufferDecl::output("out", 0, DataType::U64).with_count(1)},
                                 {Node::store("out", 0u, Expr::u64(5))})});
  rows.push_back(
      {"wide_i64_literal", lanes(1, {BufferDecl::output("out", 0, DataType::I64).with_count(1)},
                                 {Node::store("out", 0u, Expr::i64(-5))})});
  rows.push_back({"denormal_rw_passthrough",
                  lanes(1, {BufferDecl::read_write("x", 0, DataType::F32).with_count(4)},
                        {Node::store("x", 3u, Expr::load("x", 1u))})});
  rows.push_back({"f32_is_f32_precision",
                  lanes(1, {BufferDecl::output("out", 0, DataType::F32).with_count(2)},
                        {Node::store("out", 0u, Expr::f32(16777216.0f) + Expr::f32(1.0f)),
                         Node::store("out", 1u, Expr::f32(0.1f) + Expr::f32(0.2f))})});
  rows.push_back(
      {"div_u32_zero_literal",
       lanes(1, {out(2)}, {Node::store("out", 0u, 5_u / 0_u), Node::store("out", 1u, 5_u % 0_u)})});
  rows.push_back(
      {"workgroup_count_zero", lanes(1, {BufferDecl::workgroup("s", 0, DataType::U32), out(1)},
                                     {Node::store("out", 0u, 1u)})});
  return rows;
}

}  // namespace vyre::test
