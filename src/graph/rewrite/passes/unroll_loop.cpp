// Loops of few iterations.
#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "graph/rewrite/simplifier.h"
#include "graph/structure/control_flow.h"
#include "graph/structure/copier.h"
#include "ops/operators.h"

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

}  // namespace

// Before: y = Loop(n, true, x){body}, of few iterations.  After: y = body(body(... x))
Result<bool> unroll_loop(Rewriter& rewriter, Node& node) {
  if (node.op != &loop || !node.is_checked() || rewriter.options().most_iterations <= 0) return false;
  if (!rewriter.begin(Pass::unroll_loop)) return false;
  const Result<BodyParts> parts = parts_of_body(node);
  // Loops in it are the next round's: by then, the size of the file is known.
  if (!parts || node.inputs.size() < 2 || rewriter.scope().is_unrolling) return false;
  Graph& body = *node.graphs[0].graph;
  const Tensor* count = rewriter.constant(node.inputs[0]);
  if (count == nullptr || count->count() != 1 || count->dtype != Dtype::int64) return false;
  if (node.inputs[1] != nullptr && !is_true(rewriter.constant(node.inputs[1]))) return false;
  const std::int64_t iterations = std::max<std::int64_t>(*reinterpret_cast<const std::int64_t*>(count->data()), 0);
  if (iterations > rewriter.options().most_iterations || (iterations == 0 && parts->scan_outputs > 0)) return false;
  if (!can_join(node, parts->states)) return false;
  // It never ends early.
  auto inputs = body.inputs.begin();
  ++inputs;
  const Value* given = (*inputs).value;
  const Value* made = (*body.outputs.begin()).value;
  const Node* producer = rewriter.made_by(made, op::identity);
  const Tensor& condition = rewriter.facts(*made);
  const bool goes_on = made == given || (producer != nullptr && producer->inputs[0] == given) ||
                       (condition.has_elements() && condition.is_ranked() && is_true(&condition));
  if (!goes_on) return false;
  const auto bytes = static_cast<std::int64_t>(rewriter.model().records.others[body.record].message.size());
  if (iterations > 0 && bytes > rewriter.progress().growth_left / iterations) {
    ++rewriter.progress().too_large;
    return false;
  }
  rewriter.progress().work_left -= static_cast<double>(rewriter.model().frame_size);
  if (rewriter.progress().work_left < 0 || has_named(body)) return false;
  BROADLOOM_CHECK(require_memory(rewriter.model().frame_size, sizeof(void*)));
  rewriter.progress().growth_left -= bytes * iterations;
  rewriter.scope().is_unrolling = true;
  std::vector<Value*> states;
  BROADLOOM_CHECK(require_memory(node.inputs.size(), sizeof(void*)));
  const std::size_t holds = rewriter.scope().held.size();
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    // A state that is left out has no value to copy.
    if (node.inputs[i] == nullptr) return fail(Code::InvalidModel, "a Loop without a first value of a state");
    states.push_back(node.inputs[i]);
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
  std::vector<std::vector<Value*>> scanned(parts->scan_outputs);
  BROADLOOM_CHECK(require_memory(parts->scan_outputs, sizeof(std::vector<Value*>)));
  BROADLOOM_TRY(yes, make_tensor(Dtype::boolean, {}));
  *yes.data() = std::byte{1};
  Value& always = rewriter.new_constant(given->name, std::move(yes));
  for (std::int64_t i = 0; i < iterations; ++i) {
    BROADLOOM_TRY(number, make_tensor(Dtype::int64, {}));
    *reinterpret_cast<std::int64_t*>(number.data()) = i;
    auto input = body.inputs.begin();
    copier.set(*(*input).value, rewriter.new_constant((*input).value->name, std::move(number)));
    ++input;
    copier.set(*(*input).value, always);
    for (Value* state : states) {
      ++input;
      copier.set(*(*input).value, *state);
    }
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
    std::size_t position = 0;
    for (const GraphOutput& output : body.outputs) {
      const std::size_t at = position++;
      if (at == 0) continue;
      Value* result = &rewriter.resolved(*copier.copy_of(output.value));
      if (at <= states.size()) {
        states[at - 1] = result;
      } else {
        BROADLOOM_CHECK(require_memory(in_memory(i) + 1, 2 * sizeof(void*)));
        scanned[at - 1 - states.size()].push_back(result);
      }
    }
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Value* output = node.outputs[i];
    if (output == nullptr) continue;
    if (i < states.size()) {
      Value& last = rewriter.resolved(*states[i]);
      if (rewriter.replace(*output, last)) continue;
      Value* only[] = {&last};
      BROADLOOM_CHECK(rewriter.keep(rewriter.new_node(op::identity, only, *output, node.opset)));
      continue;
    }
    BROADLOOM_TRY(axes, rewriter.new_integers(output->name, {0}));
    std::vector<Value*>& items = scanned[i - states.size()];
    for (Value*& item : items) {
      BROADLOOM_CHECK(require_memory());
      Value& added = rewriter.new_value(output->name, item->dtype);
      Value* operands[] = {item, axes};
      const bool takes_input = node.opset >= 13;
      Node& unsqueeze = rewriter.new_node(op::unsqueeze, std::span(operands).first(takes_input ? 2 : 1), added, node.opset);
      if (!takes_input) set_attribute(unsqueeze, "axes", *rewriter.constant(axes));
      BROADLOOM_CHECK(rewriter.keep(unsqueeze));
      item = &added;
    }
    Node& join = rewriter.new_node(op::concat, items, *output, node.opset);
    set_attribute(join, "axis");  // 0
    BROADLOOM_CHECK(rewriter.keep(join));
  }
  rewriter.release_holds(holds);
  rewriter.scope().is_unrolling = false;
  rewriter.changed(Pass::unroll_loop);
  return true;
}

}  // namespace broadloom
