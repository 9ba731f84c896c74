// Nodes over constants, and Loops.
#include <algorithm>

#include "core/memory.h"
#include "graph/execute/execution.h"
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "ops/call/dense.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

// The most bytes that a node may make though they do not fit into the file: they may be operands of smaller results.
constexpr std::int64_t most_computed = std::int64_t{1} << 20;

// An operator that tells others in which type to compute stays where it is.
// Runtimes look for quantised weights in files. Plans do not, and want weights as they are computed with; of 4 bits, which they
// would make eight times as large, they stay.
bool stays_quantised(const Rewriter& rewriter, const Node& node) {
  if (node.op == nullptr || !node.op->traits.quantises || node.inputs.empty()) return false;
  const Dtype dtype = node.inputs[0] == nullptr ? Dtype::undefined : node.inputs[0]->dtype;
  return !rewriter.options().is_for_runs || (dtype != Dtype::undefined && is_packed(dtype));
}

// Whether input `i` is read by this node alone, and not at a place before it: its bytes go when the node goes.
bool goes_with(const Node& node, std::size_t i) {
  const Value& input = *node.inputs[i];
  const std::span<Value* const> before(node.inputs.data(), i);
  const auto reads = std::count(node.inputs.begin(), node.inputs.end(), &input);
  const bool is_first = std::find(before.begin(), before.end(), &input) == before.end();
  return is_first && static_cast<std::int64_t>(input.uses) == reads && input.captures == 0 && !input.is_read_outside();
}

// Asks for the elements that a computation needs, if what it makes will not be too large. Those that are loaded now are not
// kept for the next round: it asks for them again.
void want_elements(Rewriter& rewriter, const Node& node) {
  std::int64_t wanted = 0;
  std::int64_t freed = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Value* input = node.inputs[i];
    if (input == nullptr) continue;
    const Tensor* elements = rewriter.constant(input);
    const bool loads = rewriter.is_left(*input);
    if (loads) elements = &input->initializer->tensor;
    const std::int64_t bytes = file_bytes(elements != nullptr ? *elements : rewriter.facts(*input));
    if (loads) wanted += bytes;
    if (goes_with(node, i)) freed += bytes;
  }
  if (wanted > 2 * most_wanted || !rewriter.may_want(wanted)) return;
  for (const Value* output : node.outputs) {
    if (output == nullptr) continue;
    const Tensor& tensor = rewriter.facts(*output);
    const bool has_dims = tensor.is_ranked() && are_numbers(tensor.dims());
    if (!has_dims || tensor.dtype == Dtype::undefined) return;
    freed -= file_bytes({tensor.dtype, uniform_layout(tensor.dims())});
  }
  if (-freed > rewriter.progress().growth_left) return;
  for (const Value* input : node.inputs) {
    if (input != nullptr && rewriter.is_left(*input)) rewriter.want(*input);
  }
  // A node that reads these results asks for its other elements now, and is computed in the same round.
  for (const Value* output : node.outputs) {
    if (output != nullptr) rewriter.await(*output);
  }
}

// Sets in the frame what the node and its graphs read. False where that is not the same in every run, or where a node does not
// run here. `depth` is that of the graph around.
bool can_run(const Rewriter& rewriter, const Node& node, std::size_t depth, std::span<Tensor> frame) {
  if (!node.runs() || node.op->traits.is_random) return false;
  const auto is_given = [&](Value* value) {
    if (value == nullptr) return true;
    const bool is_inside = value->graph->depth > depth;
    const Tensor* elements = is_inside ? nullptr : rewriter.constant(&rewriter.resolved(*value));
    if (is_inside && value->initializer != nullptr) elements = &value->initializer->tensor;
    if (elements != nullptr) frame[value->place] = *elements;
    // Elements that are not written out yet, those of sparse ones, may be more than the file is worth.
    return elements != nullptr ? elements->has_elements() : is_inside;
  };
  bool can = std::all_of(node.inputs.begin(), node.inputs.end(), is_given);
  for (const Subgraph& subgraph : node.graphs) {
    for (const Node* inner : subgraph.graph->order)
      can = can && (inner->is_constant || can_run(rewriter, *inner, depth, frame));
    for (const GraphOutput& output : subgraph.graph->outputs) can = can && is_given(output.value);
  }
  return can;
}

// Computes a Loop or Scan that is the same in every run. Its iterations, which the file only names, have a limit of their own.
Status run_loop(Rewriter& rewriter, const Node& node) {
  constexpr double most_work = 1 << 22;
  if (node.op == &if_operator || !rewriter.reads_constants(node)) return {};
  rewriter.progress().loop_work_left -= static_cast<double>(rewriter.model().frame_size);
  if (rewriter.progress().loop_work_left < 0) return {};
  BROADLOOM_CHECK(require_memory(rewriter.model().frame_size, sizeof(Tensor)));
  std::vector<Tensor> frame(rewriter.constants().begin(), rewriter.constants().end());
  if (!can_run(rewriter, node, rewriter.graph().depth, frame)) return {};
  double work = std::min(rewriter.progress().loop_work_left, most_work);
  rewriter.progress().loop_work_left -= work;
  // A failure here is one in every run, unless the work was too much.
  const bool has_run = static_cast<bool>(Execution(frame, &work).run(node));
  rewriter.progress().loop_work_left += work;
  if (work < 0) ++rewriter.progress().too_large;
  if (!has_run) return {};
  for (Value* output : node.outputs) {
    if (output == nullptr || frame[output->place].dtype != output->dtype) continue;
    rewriter.set_constant(*output, std::move(frame[output->place]));
  }
  return {};
}

}  // namespace

Status evaluate(Rewriter& rewriter, Node& node) {
  if (!node.runs() || !node.graphs.empty() || node.inputs.empty()) return {};
  if (stays_quantised(rewriter, node)) return {};
  bool lacks_elements = false;
  for (const Value* input : node.inputs) {
    if (input == nullptr || rewriter.constant(input) != nullptr) continue;
    if (!rewriter.can_load(*input) && !rewriter.is_awaited(*input)) return {};
    lacks_elements = true;
  }
  if (lacks_elements) {
    want_elements(rewriter, node);
    return {};
  }
  BROADLOOM_CHECK(require_memory(node.inputs.size(), most_layout_bytes + sizeof(Tensor)));
  BROADLOOM_CHECK(require_outputs(node.outputs.size()));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  std::int64_t freed = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    inputs[i] = rewriter.constant(node.inputs[i]);
    // How long the strings of results are is known after the computation only: those of operands give no room.
    if (goes_with(node, i) && inputs[i]->dtype != Dtype::string) freed += file_bytes(*inputs[i]);
  }
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs};
  // A failure here is one in every run: the model reports it when it runs.
  if (!node.op->prepare(call)) return {};
  const std::int64_t limit = std::max(most_computed, rewriter.progress().growth_left + freed);
  for (const Tensor& output : outputs) {
    const bool fits = output.is_ranked() && (output.has_elements() || file_bytes(output) <= limit);
    if (!fits) {
      ++rewriter.progress().too_large;
      return {};
    }
  }
  rewriter.progress().work_left -= work_of(*node.op, call);
  if (rewriter.progress().work_left < 0) {
    ++rewriter.progress().too_large;
    return {};
  }
  if (!is_finished(call) && (!node.op->computes() || !complete(*node.op, call) || !is_finished(call))) return {};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != nullptr && outputs[i].dtype == node.outputs[i]->dtype) {
      rewriter.set_constant(*node.outputs[i], std::move(outputs[i]));
    }
  }
  return {};
}

// Before: y = Op(constants), or any node whose results inference knows.  After: y is an initializer (by materialise)
Status fold_constants(Rewriter& rewriter, Node& node) {
  if (!rewriter.begin(Pass::fold_constants)) return {};
  bool is_known_node = !node.outputs.empty() && node.runs();
  for (const Value* output : node.outputs) {
    if (output == nullptr || !is_known_node) continue;
    const Tensor& tensor = rewriter.facts(*output);
    is_known_node = tensor.dtype == output->dtype && is_known(tensor);
  }
  if (is_known_node && !stays_quantised(rewriter, node)) {
    for (Value* output : node.outputs) {
      if (output != nullptr) rewriter.set_constant(*output, rewriter.facts(*output));
    }
    return {};
  }
  if (!node.outputs.empty() && rewriter.are_constants(node)) return {};
  return node.graphs.empty() ? evaluate(rewriter, node) : run_loop(rewriter, node);
}

Result<bool> materialise(Rewriter& rewriter, Node& node, const std::vector<bool>& needed) {
  const std::size_t bytes = rewriter.model().records.nodes[node.record].bytes;
  std::int64_t cost = node.caller == nullptr ? -static_cast<std::int64_t>(bytes) : 0;
  for (const Value* output : node.outputs) {
    if (output == nullptr || !needed[output->place]) continue;
    cost += file_bytes(*rewriter.constant(output)) + static_cast<std::int64_t>(output->name.size());
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Value* input = node.inputs[i];
    // The model that a run's copy was made of keeps what it has.
    const bool is_freed = rewriter.options().keeps != Keeps::all && input != nullptr && goes_with(node, i) &&
                          !needed[input->place] && input->initializer != nullptr;
    if (is_freed) cost -= file_bytes(input->initializer->tensor);
  }
  // By this the node makes more of what it reads. A node that reads large results let these be computed for something.
  std::int64_t added = rewriter.options().grows ? 0 : cost;
  for (const Value* input : node.inputs) {
    const Tensor* read = rewriter.constant(input);
    if (read != nullptr && added > 0) added -= file_bytes(*read);
  }
  if ((cost > 0 && cost > rewriter.progress().growth_left) || (added > 0 && added > rewriter.progress().unasked_left)) {
    ++rewriter.progress().too_large;
    return false;
  }
  rewriter.progress().growth_left -= cost;
  if (added > 0) rewriter.progress().unasked_left -= added;
  for (Value* output : node.outputs) {
    if (output == nullptr || !needed[output->place]) continue;
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(dense, densify(*rewriter.constant(output)));
    release_excess(dense);
    if (output->is_output) {
      rewriter.become(node, op::constant, {});
      set_attribute(node, "value", std::move(dense));
      return false;
    }
    rewriter.make_initializer(*output, std::move(dense));
  }
  return true;
}

// Before: y = Constant().  After: y is an initializer.
bool extract_constant(Rewriter& rewriter, const Node& node) {
  Value* value = node.outputs.empty() ? nullptr : node.outputs[0];
  // Outputs are made by nodes; sparse tensors stay where every runtime knows them.
  if (value == nullptr || value->is_output || value->initializer->sparse != nullptr) return false;
  if (!rewriter.begin(Pass::extract_constant_to_initializer)) return false;
  value->producer = nullptr;
  rewriter.changed();
  return true;
}

}  // namespace broadloom
