// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "vyre/ir/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "vyre/ir/resolve_declarations.h"
#include "vyre/ir/type_rules.h"

namespace vyre {

namespace {

using internal::NameMap;

class Resolver {
 public:
  Resolver(const Program& program, const ResolveLimits& limits)
      : out_{.program = program}, limits_(limits) {
    for (size_t i = 0; i < program.buffers().size(); ++i) {
      buffers_.emplace(program.buffers()[i].name(), static_cast<uint32_t>(i));
    }
  }

  Resolved run() {
    internal::check_declarations(out_.program, out_.diagnostics, out_.carried);
    resolve_bodies();
    out_.slot_count = slot_count_;
    return std::move(out_);
  }

 private:
  // A statement list that is being resolved.
  struct BodyFrame {
    std::span<const Node> nodes;
    size_t next = 0;
    StmtId parent = kNoId;
    uint8_t body = 0;
    size_t live_at_entry = 0;
    bool flattened = true;     // only blocks and regions around: grid barriers split here
    bool names_ended = false;  // by a grid barrier
  };
  // An expression whose operands are being resolved.
  struct ExprFrame {
    const Expr* expr;
    size_t next = 0;
  };
  struct LiveVariable {
    VariableId id;
    VariableId hidden;  // what the name meant before
  };

  void resolve_bodies() {
    std::vector<BodyFrame> stack;
    stack.push_back({out_.program.entry()});
    while (!stack.empty() && !stopped_) {
      BodyFrame& frame = stack.back();
      if (frame.next == frame.nodes.size()) {
        close_body(frame);
        const BodyFrame closed = frame;
        stack.pop_back();
        if (closed.parent == kNoId) continue;
        if (closed.names_ended) end_names(stack.back());
        open_next_body(stack, closed.parent, closed.body + 1);
        continue;
      }
      const Node& node = frame.nodes[frame.next];
      const StmtId id = add_statement(node, frame);
      ++frame.next;
      if (id == kNoId) return;
      resolve_statement(id);
      if (node.kind() == NodeKind::kBarrier) check_barrier(id, frame);
      if (!node.bodies().empty()) open_next_body(stack, id, 0);
    }
  }

  StmtId add_statement(const Node& node, const BodyFrame& frame) {
    if (out_.statements.size() >= limits_.max_statements) {
      stop(fmt::format("the program has more than {} statements, each occurrence counted",
                       limits_.max_statements),
           "Use a loop, or split the program.");
      return kNoId;
    }
    ResolvedStmt stmt;
    stmt.node = &node;
    stmt.parent = frame.parent;
    stmt.index = static_cast<uint32_t>(frame.next);
    stmt.body = frame.body;
    const auto id = static_cast<StmtId>(out_.statements.size());
    stmt.end = id + 1;
    stmt.else_begin = id + 1;
    out_.statements.push_back(stmt);
    return id;
  }

  void open_next_body(std::vector<BodyFrame>& stack, StmtId id, size_t body) {
    const Node& node = *out_.statements[id].node;
    const auto here = static_cast<StmtId>(out_.statements.size());
    if (body == 1) out_.statements[id].else_begin = here;
    if (body == node.bodies().size()) {
      out_.statements[id].end = here;
      if (body == 1) out_.statements[id].else_begin = here;
      return;
    }
    const size_t live = live_.size();
    if (node.kind() == NodeKind::kLoop) declare_loop_variable(id);
    const bool flattened =
        stack.back().flattened && node.kind() != NodeKind::kIf && node.kind() != NodeKind::kLoop;
    stack.push_back({node.body(body), 0, id, static_cast<uint8_t>(body), live, flattened});
  }

  void close_body(const BodyFrame& frame) {
    while (live_.size() > frame.live_at_entry) {
      const LiveVariable variable = live_.back();
      live_.pop_back();
      const auto name = names_.find(out_.variables[variable.id].name);
      if (variable.hidden == kNoId) {
        names_.erase(name);
      } else {
        name->second = variable.hidden;
      }
    }
  }

  // Nothing that is bound so far is live in this body: a grid barrier ended it.
  static void end_names(BodyFrame& frame) {
    frame.live_at_entry = 0;
    frame.names_ended = true;
  }

  void check_barrier(StmtId id, BodyFrame& frame) {
    const MemoryOrdering ordering = out_.statements[id].node->ordering();
    if (ordering == MemoryOrdering::kRelaxed) {
      error("V043", id, "", "a relaxed barrier orders nothing",
            "Use acquire, release, acq_rel or seq_cst.");
    }
    if (ordering != MemoryOrdering::kGridSync) return;
    if (!frame.flattened) {
      return error("V010", id, "",
                   "a grid barrier inside an if or a loop cannot split the program into segments",
                   "Move it out of all ifs and loops, into blocks and regions at most.");
    }
    for (const LiveVariable& live : live_) {
      ended_.insert_or_assign(out_.variables[live.id].name, id);
    }
    end_names(frame);
    close_body(frame);
  }

  void declare_loop_variable(StmtId id) {
    const Node& node = *out_.statements[id].node;
    out_.statements[id].variable = declare(node.name(), DataType::U32, id, true);
  }

  VariableId declare(std::string_view name, std::optional<DataType::Kind> type, StmtId id,
                     bool is_loop) {
    const auto variable = static_cast<VariableId>(out_.variables.size());
    const auto slot = static_cast<uint32_t>(live_.size());
    out_.variables.push_back({std::string(name), type, id, slot, is_loop});
    slot_count_ = std::max(slot_count_, slot + 1);
    const auto [entry, inserted] = names_.try_emplace(std::string(name), variable);
    const VariableId hidden = inserted ? kNoId : entry->second;
    if (!inserted) {
      report_redeclaration(id, hidden);
      // Expressions numbered so far may mean the hidden variable.
      reusable_from_ = static_cast<ExprId>(out_.expressions.size());
      entry->second = variable;
    }
    live_.push_back({variable, hidden});
    return variable;
  }

  void report_redeclaration(StmtId id, VariableId earlier) {
    const Variable& first = out_.variables[earlier];
    const ResolvedStmt& mine = out_.statements[id];
    const ResolvedStmt& theirs = out_.statements[first.declaration];
    const bool siblings = mine.parent == theirs.parent && mine.body == theirs.body &&
                          !first.is_loop && mine.node->kind() == NodeKind::kLet;
    error(siblings ? "V032" : "V008", id, "",
          fmt::format("`{}` is already bound at {} ({})", first.name, out_.path(first.declaration),
                      theirs.node->place().to_string()),
          internal::rebinding_fix(mine.node->kind(), first, out_.variables.back()));
  }

  void resolve_statement(StmtId id) {
    const Node& node = *out_.statements[id].node;
    current_ = id;
    std::vector<ExprId> ids;
    for (size_t i = 0; i < node.operands().size(); ++i) {
      operand_index_ = i;
      ids.push_back(resolve_expr(node.operand(i)));
      if (stopped_) return;
      if (node.operand(i).op() != Op::kBufferRef) continue;
      report_buffer_ref(node.operand(i), id, std::string(operand_name(node.kind(), i)));
    }
    out_.statements[id].operands = static_cast<uint32_t>(out_.operand_pool.size());
    out_.operand_pool.insert(out_.operand_pool.end(), ids.begin(), ids.end());
    check_statement(id, ids);
  }

  std::optional<DataType::Kind> type_of(ExprId id) const { return out_.expressions[id].type; }

  void check_statement(StmtId id, const std::vector<ExprId>& ids) {
    const Node& node = *out_.statements[id].node;
    switch (node.kind()) {
      case NodeKind::kLet:
        out_.statements[id].variable = declare(node.name(), type_of(ids[0]), id, false);
        return;
      case NodeKind::kAssign:
        return check_assign(id, type_of(ids[0]));
      case NodeKind::kStore:
        return check_store(id, ids[0], ids[1]);
      case NodeKind::kIf:
        return check(&check_condition, ids[0], id, ".cond");
      case NodeKind::kLoop:
        check(std::bind_front(&check_loop_bound, LoopBound::kFrom), ids[0], id, ".from");
        return check(std::bind_front(&check_loop_bound, LoopBound::kTo), ids[1], id, ".to");
      case NodeKind::kTrap:
        return check(&check_trap_address, ids[0], id, ".address");
      case NodeKind::kAsyncLoad:
      case NodeKind::kAsyncStore:
        check(std::bind_front(&check_async_operand, "offset"), ids[0], id, ".offset");
        check(std::bind_front(&check_async_operand, "size"), ids[1], id, ".size");
        return check_async_buffers(id);
      case NodeKind::kIndirectDispatch:
      case NodeKind::kResume:
      case NodeKind::kAllReduce:
      case NodeKind::kAllGather:
      case NodeKind::kReduceScatter:
      case NodeKind::kBroadcast:
      case NodeKind::kOpaque:
        return carried(node.kind() == NodeKind::kOpaque ? "V031" : "V046", id, "",
                       fmt::format("`{}` is carried, not executed", node.info().keyword));
      case NodeKind::kReturn:
      case NodeKind::kBarrier:
      case NodeKind::kBlock:
      case NodeKind::kAsyncWait:
      case NodeKind::kRegion:
        return;
    }
  }

  void check_assign(StmtId id, std::optional<DataType::Kind> value) {
    const Node& node = *out_.statements[id].node;
    const VariableId variable = find_variable(node.name());
    if (variable == kNoId) {
      if (buffers_.contains(node.name())) {
        return error(
            "V119", id, "",
            fmt::format("`{}` is a buffer, and an assignment names a variable", node.name()),
            "Store to an element of it instead.");
      }
      return error("V120", id, "",
                   fmt::format("`{}` is assigned but not bound", node.name()) + ending(node.name()),
                   suggest_name(node.name(), "Bind it with let before the assignment."));
    }
    out_.statements[id].variable = variable;
    const Variable& target = out_.variables[variable];
    if (target.is_loop) {
      return error(
          "V011", id, "", fmt::format("`{}` is a loop variable", node.name()),
          "Bind a variable of another name with let before the loop, and assign that one.");
    }
    if (value && target.type && *value != *target.type) {
      error("V045", id, ".value",
            fmt::format("`{}` holds {}, and the assigned value is {}", node.name(),
                        DataType(*target.type).spelling(), DataType(*value).spelling()),
            "Cast the value, or bind another variable.");
    }
  }

  void check_store(StmtId id, ExprId index, ExprId value) {
    const Node& node = *out_.statements[id].node;
    check(std::bind_front(&check_index, IndexUse::kStore), index, id, ".index");
    const uint32_t buffer = find_buffer(node.buffer());
    if (buffer == kNoId) {
      return error("V064", id, "",
                   fmt::format("there is no buffer `{}` to store to", node.buffer()),
                   suggest_buffer(node.buffer()));
    }
    out_.statements[id].buffer = buffer;
    const BufferDecl& decl = out_.program.buffers()[buffer];
    if (!check_writable(id, decl)) return;
    if (decl.element().role() == DataType::Role::kCarried) return;
    check(std::bind_front(&check_store_value, decl.element().kind()), value, id, ".value");
  }

  bool check_writable(StmtId id, const BufferDecl& decl) {
    if (decl.is_writable()) return true;
    error("V063", id, "",
          fmt::format("buffer `{}` is declared {}, so it cannot be stored to", decl.name(),
                      spelling(decl.access())),
          "Declare it read_write or output.");
    return false;
  }

  void check_async_buffers(StmtId id) {
    const Node& node = *out_.statements[id].node;
    const uint32_t destination = find_buffer(node.destination());
    out_.statements[id].buffer = find_buffer(node.source());
    out_.statements[id].destination = destination;
    for (const std::string_view name : {node.source(), node.destination()}) {
      if (find_buffer(name) != kNoId) continue;
      error("V065", id, "", fmt::format("there is no buffer `{}` to copy", name),
            suggest_buffer(name));
    }
    if (destination != kNoId) check_writable(id, out_.program.buffers()[destination]);
  }

  // ---- expressions ----

  ExprId resolve_expr(const Expr& root) {
    frames_.clear();
    frames_.push_back({&root, 0});
    std::vector<ExprId> results;
    while (!frames_.empty()) {
      ExprFrame& frame = frames_.back();
      const std::span<const Expr> operands = frame.expr->operands();
      if (frame.next == 0) {
        const ExprId known = find_numbered(*frame.expr);
        if (known != kNoId) {
          results.push_back(known);
          frames_.pop_back();
          continue;
        }
      }
      if (frame.next < operands.size()) {
        frames_.push_back({&operands[frame.next++], 0});
        continue;
      }
      const size_t first = results.size() - operands.size();
      const ExprId id = number_expr(*frame.expr, std::span(results).subspan(first));
      if (stopped_) return kNoId;
      results.resize(first);
      results.push_back(id);
      frames_.pop_back();
    }
    return results.back();
  }

  // The number this object has already, if its free names still mean the same: they were all live
  // together, scopes nest, so the one bound last decides.
  ExprId find_numbered(const Expr& expr) const {
    const auto found = memo_.find(expr.identity());
    if (found == memo_.end() || found->second < reusable_from_) return kNoId;
    const VariableId last = last_bound_[found->second];
    if (last == kNoId) return found->second;
    const uint32_t slot = out_.variables[last].slot;
    return slot < live_.size() && live_[slot].id == last ? found->second : kNoId;
  }

  ExprId number_expr(const Expr& expr, std::span<const ExprId> operands) {
    if (out_.expressions.size() >= limits_.max_expressions) {
      stop(fmt::format("the program has more than {} expressions, counted by object and binding",
                       limits_.max_expressions),
           "Bind shared operands with let, as the pass bind_shared does.");
      return kNoId;
    }
    ResolvedExpr record;
    record.expr = &expr;
    record.operands = static_cast<uint32_t>(out_.operand_pool.size());
    out_.operand_pool.insert(out_.operand_pool.end(), operands.begin(), operands.end());
    VariableId last = kNoId;
    bool reusable = true;
    for (const ExprId operand : operands) last = later(last, last_bound_[operand]);
    for (const ExprId operand : operands) reusable = reusable && !unbound_[operand];

    record.type = type_expr(expr, operands, record);
    if (expr.op() == Op::kVar) {
      last = record.reference;
      reusable = record.reference != kNoId;
    }
    const auto id = static_cast<ExprId>(out_.expressions.size());
    out_.expressions.push_back(record);
    last_bound_.push_back(last);
    unbound_.push_back(!reusable);
    if (reusable) memo_.insert_or_assign(expr.identity(), id);
    return id;
  }

  VariableId later(VariableId a, VariableId b) const {
    if (a == kNoId) return b;
    if (b == kNoId) return a;
    return out_.variables[a].slot >= out_.variables[b].slot ? a : b;
  }

  std::optional<DataType::Kind> type_expr(const Expr& expr, std::span<const ExprId> operands,
                                          ResolvedExpr& record) {
    const OpInfo& info = expr.info();
    if (info.rule != TypeRule::kCall) {
      for (size_t i = 0; i < operands.size(); ++i) {
        if (expr.operand(i).op() != Op::kBufferRef) continue;
        report_buffer_ref(expr.operand(i), current_, expr_path() + operand_name(expr, i));
      }
    }
    std::optional<DataType::Kind> known;
    if (info.rule == TypeRule::kVariable) return type_variable(expr, record);
    if (info.format == OpFormat::kBuffer) return type_buffer_name(expr, record);
    if (info.format == OpFormat::kLoad) known = type_load(expr, record);
    if (info.format == OpFormat::kAtomic) check_atomic_buffer(expr, record);
    if (info.format == OpFormat::kAxis && expr.bits() > 2) {
      expr_error("V068", fmt::format("axis {} does not exist", expr.bits()),
                 "Use axis 0, 1 or 2, in text `.x`, `.y` or `.z`.");
    }
    if (info.has(OpFlags::kOpaque)) {
      expr_carried(info.rule == TypeRule::kCall ? "V016" : "V030",
                   fmt::format("`{}` is carried, not executed", info.mnemonic));
    }
    std::vector<std::optional<DataType::Kind>> types;
    for (const ExprId operand : operands) types.push_back(type_of(operand));
    TypeResult result = check_types(expr, types);
    for (TypeError& e : result.errors) {
      expr_error(e.code, std::move(e.cause), std::move(e.fix));
    }
    return known ? known : result.type;
  }

  std::optional<DataType::Kind> type_variable(const Expr& expr, ResolvedExpr& record) {
    record.reference = find_variable(expr.name());
    if (record.reference != kNoId) return out_.variables[record.reference].type;
    expr_error("V066",
               fmt::format("variable `{}` is not bound here", expr.name()) + ending(expr.name()),
               buffers_.contains(expr.name())
                   ? fmt::format("`{}` is a buffer: load an element of it.", expr.name())
                   : suggest_name(expr.name(), "Bind it with let before this statement."));
    return std::nullopt;
  }

  std::optional<DataType::Kind> type_buffer_name(const Expr& expr, ResolvedExpr& record) {
    record.reference = find_buffer(expr.name());
    if (record.reference == kNoId) {
      expr_error("V067", fmt::format("there is no buffer `{}`", expr.name()),
                 suggest_buffer(expr.name()));
    }
    if (expr.op() == Op::kBufLen) return DataType::U32;
    return std::nullopt;
  }

  std::optional<DataType::Kind> type_load(const Expr& expr, ResolvedExpr& record) {
    record.reference = find_buffer(expr.name());
    if (record.reference == kNoId) {
      expr_error("V065", fmt::format("there is no buffer `{}` to load from", expr.name()),
                 suggest_buffer(expr.name()));
      return std::nullopt;
    }
    const BufferDecl& decl = out_.program.buffers()[record.reference];
    if (decl.element().kind() == DataType::Bytes && !decl.bytes_extraction()) {
      expr_error(
          "V013",
          fmt::format("buffer `{}` holds bytes and is not declared for extraction", decl.name()),
          "Write `extraction` at the end of its declaration (in C++ with_bytes_extraction(true)), "
          "or declare it with an element type such as u32.");
    }
    return value_type_of(decl.element().kind());
  }

  void check_atomic_buffer(const Expr& expr, ResolvedExpr& record) {
    record.reference = find_buffer(expr.name());
    if (record.reference == kNoId) {
      return expr_error("V061", fmt::format("there is no buffer `{}`", expr.name()),
                        suggest_buffer(expr.name()));
    }
    std::optional<TypeError> e =
        internal::check_atomic_buffer(out_.program.buffers()[record.reference]);
    if (e) expr_error(e->code, std::move(e->cause), std::move(e->fix));
  }

  void report_buffer_ref(const Expr& expr, StmtId id, std::string path) {
    error("V051", id, std::move(path),
          fmt::format("`&{}` names a buffer where a value is needed", expr.name()),
          "A buffer reference is legal only as an argument of a call; load an element.");
  }

  // ---- names and reports ----

  VariableId find_variable(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? kNoId : found->second;
  }
  uint32_t find_buffer(std::string_view name) const {
    const auto found = buffers_.find(name);
    return found == buffers_.end() ? kNoId : found->second;
  }

  // Which grid barrier ended the name, to follow "is not bound here"; or nothing.
  std::string ending(std::string_view name) const {
    const auto found = ended_.find(name);
    if (found == ended_.end()) return "";
    return fmt::format(": the grid barrier at {} ({}) ended it", out_.path(found->second),
                       out_.statements[found->second].node->place().to_string());
  }
  std::string suggest_name(std::string_view name, std::string otherwise) {
    if (ended_.contains(name)) {
      return "Bind it again after the grid barrier, or pass its value through a buffer.";
    }
    const auto live = [this](size_t i) -> const std::string& {
      return out_.variables[live_[live_.size() - 1 - i].id].name;
    };
    return help_.suggest(name, live_.size(), live, std::move(otherwise));
  }
  std::string suggest_buffer(std::string_view name) {
    const std::vector<BufferDecl>& buffers = out_.program.buffers();
    const auto declared = [&](size_t i) -> const std::string& { return buffers[i].name(); };
    return help_.suggest(name, buffers.size(), declared, "Declare it among the program's buffers.");
  }

  // Where the expression on top of frames_ stands in its statement.
  std::string expr_path() const {
    const Node& node = *out_.statements[current_].node;
    std::string path(operand_name(node.kind(), operand_index_));
    constexpr size_t kMaxSteps = 32;
    for (size_t i = 0; i + 1 < frames_.size(); ++i) {
      if (i == kMaxSteps && frames_.size() > 2 * kMaxSteps) {
        path += "...";
        i = frames_.size() - kMaxSteps;
      }
      path += operand_name(*frames_[i].expr, frames_[i].next - 1);
    }
    return path;
  }

  void error(std::string code, StmtId id, std::string path, std::string cause, std::string fix) {
    report(out_.diagnostics, std::move(code), id, path, out_.statements[id].node->place(),
           std::move(cause), std::move(fix));
  }
  void carried(std::string code, StmtId id, std::string path, std::string cause) {
    report(out_.carried, std::move(code), id, path, out_.statements[id].node->place(),
           std::move(cause), "Remove it, or rewrite it in terms of operations that are executed.");
  }
  void expr_error(std::string code, std::string cause, std::string fix) {
    report(out_.diagnostics, std::move(code), current_, expr_path(), expr_place(), std::move(cause),
           std::move(fix));
  }
  void expr_carried(std::string code, std::string cause) {
    report(out_.carried, std::move(code), current_, expr_path(), expr_place(), std::move(cause),
           "Remove it, or rewrite it in terms of operations that are executed.");
  }
  // Applies a rule to an operand whose type is known; an error in it has been reported already.
  template <typename Rule>
  void check(Rule rule, ExprId operand, StmtId id, std::string path) {
    const std::optional<DataType::Kind> type = type_of(operand);
    if (!type) return;
    std::optional<TypeError> e = rule(*type);
    if (e) error(e->code, id, std::move(path), std::move(e->cause), std::move(e->fix));
  }

  const Place& expr_place() const {
    const Place& place = frames_.back().expr->place();
    return place.known() ? place : out_.statements[current_].node->place();
  }

  void report(std::vector<Diagnostic>& list, std::string code, StmtId id, const std::string& path,
              const Place& place, std::string cause, std::string fix) {
    if (list.size() >= limits_.max_diagnostics) {
      ++out_.omitted_diagnostics;
      return;
    }
    list.push_back({std::move(code), Severity::kError, out_.path(id) + path, place,
                    std::move(cause), internal::sentence(std::move(fix))});
  }

  void stop(std::string cause, std::string fix) {
    stopped_ = true;
    out_.complete = false;
    out_.diagnostics.push_back(
        {"V019", Severity::kError, "", Place(), std::move(cause), std::move(fix)});
  }

  Resolved out_;
  ResolveLimits limits_;
  NameMap<uint32_t> buffers_;
  NameMap<VariableId> names_;
  std::vector<LiveVariable> live_;
  internal::SpellingHelp help_;
  NameMap<StmtId> ended_;  // by name: the last grid barrier that ended it
  uint32_t slot_count_ = 0;

  std::unordered_map<const void*, ExprId> memo_;
  ExprId reusable_from_ = 0;            // earlier numbers in memo_ are not to be used again
  std::vector<VariableId> last_bound_;  // by ExprId: of its free variables the one bound last
  std::vector<bool> unbound_;           // by ExprId: mentions a name that is not bound
  std::vector<ExprFrame> frames_;
  StmtId current_ = kNoId;
  size_t operand_index_ = 0;
  bool stopped_ = false;
};

}  // namespace

Resolved resolve(const Program& program, const ResolveLimits& limits) {
  return Resolver(program, limits).run();
}

}  // namespace vyre
