// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/builders/tiled_online_softmax.h"

#include <catch2/catch.hpp>

#include "vyre/builders/stability.h"

namespace vyre {
namespace {

const TiledOnlineSoftmaxSpec kSpec{.q = "query",
                                   .out = "result",
                                   .item_var = "head",
                                   .item_count = 3,
                                   .seq_len = 10,
                                   .head_dim = 5,
                                   .tile_size = 4,
                                   .tile_count = 3};

// The statements of the guarded part and of the tile loop in it.
std::vector<Node> guarded(const std::vector<Node>& body) {
  const auto nodes = body.at(2).body(0);
  return {nodes.begin(), nodes.end()};
}
std::vector<Node> tile_loop(const std::vector<Node>& body) {
  const auto nodes = guarded(body).at(4).body();
  return {nodes.begin(), nodes.end()};
}

TEST_CASE("the item is the invocation, and invocations beyond the items do nothing") {
  const std::vector<Node> body = tiled_online_softmax_body(kSpec, {}, {});
  REQUIRE(body.size() == 3);
  CHECK(body[0] == Node::let_bind("head", Expr::invocation_id(0)));
  CHECK(body[1] == Node::let_bind("local", Expr::local_id(0)));
  CHECK(body[2].kind() == NodeKind::kIf);
  CHECK(body[2].operand(0) == Expr::lt(Expr::var("head"), Expr::u32(3)));
  CHECK(body[2].body(1).empty());
}

TEST_CASE("the query is loaded by item and kept by lane") {
  const Node load = guarded(tiled_online_softmax_body(kSpec, {}, {})).at(0);
  const Expr d = Expr::var("load_d");
  CHECK(load == Node::loop_for("load_d", 0U, 5U,
                               {Node::store("q_scratch", Expr::var("local") * 5U + d,
                                            Expr::load("query", Expr::var("head") * 5U + d))}));
}

TEST_CASE("the caller's bodies stand between the bounds, the softmax update and the new maximum") {
  const Node scores = Node::store("score_tile", Expr::var("local") * 4U, 1.0F);
  const Node first = Node::store("o_acc", 0U, Expr::var("rescale"));
  const Node second = Node::store("o_acc", 1U, Expr::var("m_new"));
  const std::vector<Node> tile =
      tile_loop(tiled_online_softmax_body(kSpec, scores, {first, second}));
  REQUIRE(tile.size() == 14);
  CHECK(tile[0] == Node::let_bind("tile_start", Expr::var("tile_idx") * 4U));
  CHECK(tile[1] ==
        Node::let_bind("tile_end", Expr::min(Expr::var("tile_start") + 4U, Expr::u32(10))));
  CHECK(tile[2] == Node::let_bind("tile_len", Expr::var("tile_end") - Expr::var("tile_start")));
  CHECK(tile[3] == scores);
  CHECK(tile[4] == Node::let_bind("tile_max", kMaxSentinel));
  CHECK(tile[6].name() == "m_new");
  CHECK(tile[7] ==
        Node::let_bind("rescale", Expr::exp(bounded_exp_arg(Expr::var("m") - Expr::var("m_new")))));
  CHECK(tile[8] == Node::let_bind("tile_sum", 0.0F));
  CHECK(tile[10].name() == "l");
  CHECK(tile[11] == first);
  CHECK(tile[12] == second);
  CHECK(tile[13] == Node::assign("m", Expr::var("m_new")));
}

TEST_CASE("the output of an item is its flushed quotient") {
  const std::vector<Node> nodes = guarded(tiled_online_softmax_body(kSpec, {}, {}));
  REQUIRE(nodes.size() == 7);
  const Expr d = Expr::var("final_d");
  const Expr quotient = Expr::load("o_acc", Expr::var("local") * 5U + d) / Expr::var("denom");
  CHECK(nodes[5] == Node::let_bind("denom", positive_denominator(Expr::var("l"))));
  CHECK(nodes[6] ==
        Node::loop_for("final_d", 0U, 5U,
                       {Node::store("result", Expr::var("head") * 5U + d, flush_tiny(quotient))}));
}

// The example of the header.
TEST_CASE("a score body of one's own makes a causal mask") {
  const uint32_t head_dim = 5;
  const uint32_t tile_size = 4;
  const float scale = 0.5F;
  const Expr key = Expr::var("tile_start") + Expr::var("tile_j");
  const Node scores = Node::loop_for(
      "tile_j", 0U, Expr::var("tile_len"),
      {Node::let_bind("dot_val", 0.0F),
       Node::loop_for(
           "score_d", 0U, head_dim,
           {Node::assign(
               "dot_val",
               Expr::var("dot_val") +
                   Expr::load("q_scratch", Expr::var("local") * head_dim + Expr::var("score_d")) *
                       Expr::load("k", key * head_dim + Expr::var("score_d")))}),
       Node::store("score_tile", Expr::var("local") * tile_size + Expr::var("tile_j"),
                   Expr::select(Expr::le(key, Expr::var("head")),
                                bounded_score(Expr::var("dot_val") * scale), kMaxSentinel))});
  const std::vector<Node> tile = tile_loop(tiled_online_softmax_body(kSpec, scores, {}));
  REQUIRE(tile.size() == 12);
  CHECK(tile[3] == scores);
  CHECK(tile[3].body().back().operand(1).op() == Op::kSelect);
}

}  // namespace
}  // namespace vyre
