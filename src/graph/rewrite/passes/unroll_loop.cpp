// Loops of few iterations.
#include <algorithm>
#include <optional>

#include "core/count.h"
#include "core/memory.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "graph/rewrite/simplifier.h"
#include "graph/structure/control_flow.h"
#include "graph/structure/copier.h"
#include "ops/named_operators.h"

namespace broadloom {

namespace {

// Whether the operator of this opset takes first inputs of the type.
bool takes(const Operator& op, std::int64_t opset, Dtype dtype) {
  const Result<const OperatorVersion*> version = select_version(op, opset);
  return version && (*version)->types_of((*version)->inputs()[0]).contains(dtype);
}

// Whether results of iterations can be put together, and states handed on, by operators of the node's opset.
bool can_join(const Node& node, std::size_t states) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const Value* output = node.outputs[i];
    if (output == nullptr) continue;
    const bool fits = i < states
                          ? takes(op::identity, node.opset, output->dtype)
                          : takes(op::unsqueeze, node.opset, output->dtype) && takes(op::concat, node.opset, output->dtype);
    if (!fits) return false;
  }
  return true;
}

// Whether the file refers to values in the graph by their names: of copies, it would be unclear which one is meant.
bool has_named(const Graph& graph) {
  if (graph.named.size() + graph.annotations.size() > 0) return true;
  for (const Node* node : graph.order) {
    for (const Subgraph& subgraph : node->graphs) {
      if (has_named(*subgraph.graph)) return true;
    }
  }
  return false;
}

// Whether a one-element tensor is there and not 0.
bool is_true(const Tensor* tensor) { return tensor != nullptr && tensor->count() == 1 && *tensor->data() != std::byte{0}; }

// The body's input that tells whether the loop goes on.
const Value* condition_of(const Graph& body) { return (*++Chain<GraphInput>::Iterator(body.inputs.begin())).value; }

// Whether the condition that the body makes is the one that it gets, or true.
bool never_ends_early(Rewriter& rewriter, const Graph& body) {
  const Value* given = condition_of(body);
  const Value* made = (*body.outputs.begin()).value;
  const Node* producer = rewriter.made_by(made, op::identity);
  const Tensor& condition = rewriter.facts(*made);
  return made == given || (producer != nullptr && producer->inputs[0] == given) ||
         (condition.has_elements() && condition.is_ranked() && is_true(&condition));
}

// The number of iterations of a loop that can be unrolled; nullopt of others.
std::optional<std::int64_t> iterations_of(Rewriter& rewriter, const Node& node, const BodyParts& parts) {
  const Tensor* count = rewriter.constant(node.inputs[0]);
  if (count == nullptr || count->count() != 1 || count->dtype != Dtype::int64) return std::nullopt;
  if (node.inputs[1] != nullptr && !is_true(rewriter.constant(node.inputs[1]))) return std::nullopt;
  const std::int64_t iterations = std::max<std::int64_t>(*reinterpret_cast<const std::int64_t*>(count->data()), 0);
  const bool fits = iterations <= rewriter.options().most_iterations && (iterations > 0 || parts.scan_outputs == 0);
  if (!fits || !can_join(node, parts.states) || !never_ends_early(rewriter, *node.graphs[0].graph)) return std::nullopt;
  return iterations;
}

// Takes the copies' bytes and work from what is left, if there is as much.
bool can_grow(Rewriter& rewriter, const Graph& body, std::int64_t iterations) {
  const auto bytes = static_cast<std::int64_t>(rewriter.model().records.others[body.record].message.size());
  auto& progress = rewriter.progress();
  if (iterations > 0 && bytes > progress.growth_left / iterations) {
    ++progress.too_large;
    return false;
  }
  progress.work_left -= static_cast<double>(rewriter.model().frame_size);
  if (progress.work_left < 0 || has_named(body)) return false;
  progress.growth_left -= bytes * iterations;
  return true;
}

// The values that iterations have made so far.
struct Unrolled {
  std::vector<Value*> states;
  std::vector<std::vector<Value*>> scanned;
};

// Copies the body's nodes into the graph, as iteration `number`.
Status add_iteration(Rewriter& rewriter, const Graph& body, Copier& copier, std::int64_t number, Value& always,
                     Unrolled& made) {
  BROADLOOM_TRY(index, make_tensor(Dtype::int64, {}));
  *reinterpret_cast<std::int64_t*>(index.data()) = number;
  auto input = body.inputs.begin();
  copier.set(*(*input).value, rewriter.new_constant((*input).value->name, std::move(index)));
  copier.set(*(*++input).value, always);
  for (Value* state : made.states) copier.set(*(*++input).value, *state);
  std::vector<Node*> copies;
  BROADLOOM_CHECK(require_memory(body.order.size(), sizeof(void*)));
  for (const Node* one : body.order) {
    if (one->is_constant) continue;
    BROADLOOM_TRY(copied, copier.copy(*one, rewriter.graph()));
    copied->position = Rewriter::new_position;
    for (Value* output : copied->outputs) {
      if (output != nullptr) output->is_output = false;
    }
    copies.push_back(copied);
  }
  rewriter.add_new_values();
  for (const Node* one : copies) rewriter.add(*one);
  // The next iteration, or what puts the results together, will read these.
  for (const GraphOutput& output : body.outputs) rewriter.hold(*copier.copy_of(output.value));
  BROADLOOM_CHECK(rewrite(rewriter, copies));
  auto output = body.outputs.begin();
  const auto next = [&] { return &rewriter.resolved(*copier.copy_of((*++output).value)); };
  for (Value*& state : made.states) state = next();
  for (std::vector<Value*>& items : made.scanned) {
    BROADLOOM_CHECK(require_memory(items.size() + 1, 2 * sizeof(void*)));
    items.push_back(next());
  }
  return {};
}

// The last value of a state is the loop's.
Status set_state(Rewriter& rewriter, const Node& node, Value& output, Value& last) {
  if (rewriter.replace(output, last)) return {};
  Value* only[] = {&last};
  return rewriter.keep(rewriter.new_node(op::identity, only, output, node.opset));
}

// Puts the values of iterations together along a new first axis.
Status concatenate(Rewriter& rewriter, const Node& node, Value& output, std::vector<Value*>& items) {
  BROADLOOM_TRY(axes, rewriter.new_integers(output.name, {0}));
  for (Value*& item : items) {
    BROADLOOM_CHECK(require_memory());
    Value& added = rewriter.new_value(output.name, item->dtype);
    Value* operands[] = {item, axes};
    const bool takes_input = node.opset >= 13;
    Node& unsqueeze = rewriter.new_node(op::unsqueeze, std::span(operands).first(takes_input ? 2 : 1), added, node.opset);
    if (!takes_input) set_attribute(unsqueeze, "axes", *rewriter.constant(axes));
    BROADLOOM_CHECK(rewriter.keep(unsqueeze));
    item = &added;
  }
  Node& join = rewriter.new_node(op::concat, items, output, node.opset);
  set_attribute(join, "axis");  // 0
  return rewriter.keep(join);
}

}  // namespace

// Before: y = Loop(n, true, x){body}, of few iterations.  After: y = body(body(... x))
Result<bool> unroll_loop(Rewriter& rewriter, Node& node) {
  if (node.op != &loop || !node.is_checked() || rewriter.options().most_iterations <= 0) return false;
  if (!rewriter.begin(Pass::unroll_loop)) return false;
  const Result<BodyParts> parts = parts_of_body(node);
  // Loops in it are the next round's: by then, the size of the file is known.
  if (!parts || node.inputs.size() < 2 || rewriter.scope().is_unrolling) return false;
  Graph& body = *node.graphs[0].graph;
  const std::optional<std::int64_t> iterations = iterations_of(rewriter, node, *parts);
  if (!iterations || !can_grow(rewriter, body, *iterations)) return false;
  BROADLOOM_CHECK(require_memory(rewriter.model().frame_size, sizeof(void*)));
  rewriter.scope().is_unrolling = true;
  BROADLOOM_CHECK(require_memory(node.inputs.size(), sizeof(void*)));
  Unrolled made;
  const std::size_t holds = rewriter.scope().held.size();
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    // A state that is left out has no value to copy.
    if (node.inputs[i] == nullptr) return fail(Code::InvalidModel, "a Loop without a first value of a state");
    made.states.push_back(node.inputs[i]);
    rewriter.hold(*node.inputs[i]);
  }
  rewriter.remove(node);
  // Constants of the body are the graph's.
  rewriter.add_constants(body);
  rewriter.take_initializers(body);
  for (Node* one : body.order) {
    if (one->is_constant) BROADLOOM_CHECK(rewrite(rewriter, *one));
  }
  Copier copier(rewriter.model(), rewriter.model().frame_size);
  BROADLOOM_CHECK(require_memory(parts->scan_outputs, sizeof(std::vector<Value*>)));
  made.scanned.resize(parts->scan_outputs);
  BROADLOOM_TRY(yes, make_tensor(Dtype::boolean, {}));
  *yes.data() = std::byte{1};
  Value& always = rewriter.new_constant(condition_of(body)->name, std::move(yes));
  for (std::int64_t i = 0; i < *iterations; ++i) {
    BROADLOOM_CHECK(add_iteration(rewriter, body, copier, i, always, made));
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Value* output = node.outputs[i];
    if (output == nullptr) continue;
    const bool is_state = i < made.states.size();
    BROADLOOM_CHECK(is_state ? set_state(rewriter, node, *output, rewriter.resolved(*made.states[i]))
                             : concatenate(rewriter, node, *output, made.scanned[i - made.states.size()]));
  }
  rewriter.release_holds(holds);
  rewriter.scope().is_unrolling = false;
  rewriter.changed(Pass::unroll_loop);
  return true;
}

}  // namespace broadloom
