// Shape inference of If, Loop and Scan.
#include <algorithm>

#include "core/memory.h"
#include "graph/infer/shape_inference.h"

namespace broadloom {
namespace {

// The facts that hold for both tensors.
Tensor common(const Tensor& a, const Tensor& b, Dtype dtype) {
  if (!a.is_ranked() || !b.is_ranked() || a.dims().size() != b.dims().size()) return unranked(dtype);
  SymbolicDims dims(a.dims().size());
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = a.dims()[i] == b.dims()[i] ? a.dims()[i] : unknown_size;
  return known_dims(dtype, dims);
}

// Keeps the facts of a state that hold before and after an iteration. Returns false if there are fewer than before.
bool still_holds(Tensor& state, const Tensor& after) {
  if (!state.is_ranked()) return true;
  if (!after.is_ranked() || after.dims().size() != state.dims().size()) {
    state = unranked(state.dtype);
    return false;
  }
  SymbolicDims dims = state.dims();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != after.dims()[i]) dims[i] = unknown_size;
  }
  if (dims == state.dims()) return true;
  state = known_dims(state.dtype, dims);
  return false;
}

}  // namespace

Status ShapeInference::infer_if(const Node& node) {
  const Tensor& condition = at(node.inputs[0]);
  const Graph* branches[] = {node.graph("then_branch"), node.graph("else_branch")};
  const bool is_decided =
      condition.has_elements() && condition.is_ranked() && are_numbers(condition.dims()) && condition.count() == 1;
  const std::size_t taken = !is_decided ? 2 : *condition.data() != std::byte{0} ? 0 : 1;
  for (std::size_t i = 0; i < 2; ++i) {
    // If the taken branch fails, the If fails.
    conditions_ += i == taken ? 0 : 1;
    BROADLOOM_CHECK(infer(*branches[i]));
    conditions_ -= i == taken ? 0 : 1;
  }
  if (is_decided) branches[0] = branches[1] = branches[taken];
  BROADLOOM_CHECK(require_memory(node.outputs.size(), sizeof(Tensor)));
  std::vector<Tensor> outputs(node.outputs.size());
  auto other = branches[1]->outputs.begin();
  std::size_t i = 0;
  for (const GraphOutput& output : branches[0]->outputs) {
    BROADLOOM_CHECK(require_memory());
    const Tensor& tensor = at(output.value);
    outputs[i] = is_decided ? tensor : common(tensor, at((*other).value), node.output_types[i]);
    ++other;
    ++i;
  }
  set_outputs(node, outputs);
  return {};
}

// States have their initial dims, as long as an iteration keeps them. Changed sizes become unknown, and then
// the body is inferred again. Nested loops would multiply these repetitions, so there is a common limit.
Status ShapeInference::infer_loop(const Node& node) {
  const Result<BodyParts> parts = parts_of_body(node);
  if (!parts) return {};
  const Graph& body = *node.graph("body");
  BROADLOOM_CHECK(require_memory(parts->states, most_layout_bytes + sizeof(Tensor)));
  std::vector<Tensor> states(parts->states);
  // Scan-8 has a batch axis.
  const bool has_batches = node.op == &scan && node.version->since_version == 8;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Value* start = node.inputs[parts->first_state + i];
    states[i] = start == nullptr || has_batches || !at(start).is_ranked() ? unranked(Dtype::undefined)
                                                                          : known_dims(Dtype::undefined, at(start).dims());
  }
  bool holds = false;
  while (!holds) {
    holds = repeated_left_ == 0;
    if (holds) std::fill(states.begin(), states.end(), unranked(Dtype::undefined));
    set_inputs_of_body(node, *parts, states);
    ++conditions_;
    BROADLOOM_CHECK(infer(body));
    --conditions_;
    if (holds) break;
    holds = true;
    auto after = body.outputs.begin();
    for (std::size_t i = 0; i < parts->extra_outputs; ++i) ++after;
    for (Tensor& state : states) {
      holds = still_holds(state, at((*after).value)) && holds;
      ++after;
    }
  }
  infer_outputs_of_loop(node, *parts, states);
  return {};
}

void ShapeInference::set_inputs_of_body(const Node& node, const BodyParts& parts, std::span<const Tensor> states) {
  const bool has_axes = node.attributes.find("scan_input_axes") != nullptr;
  // The batch axis comes before the scanned axis.
  const std::size_t dropped = parts.first_state + 1;
  std::size_t i = 0;
  for (const GraphInput& input : node.graph("body")->inputs) {
    const std::size_t number = i++;
    Tensor& tensor = at(input.value);
    tensor = unranked(input.value->dtype);
    if (number < parts.extra_inputs) {
      tensor = known_dims(input.value->dtype, {});
    } else if (number - parts.extra_inputs < states.size()) {
      tensor.layout = states[number - parts.extra_inputs].layout;
    } else {
      const Value* scanned = node.inputs[parts.first_state + number];
      if (scanned == nullptr || !at(scanned).is_ranked() || at(scanned).dims().size() < dropped) continue;
      const SymbolicDims& dims = at(scanned).dims();
      tensor.layout = uniform_layout(has_axes ? SymbolicDims(dims.size() - dropped, unknown_size)
                                              : SymbolicDims(dims.values().subspan(dropped)));
    }
    if (!needs_proof_ && !tensor.is_ranked()) tensor = declared(*input.value, input.info);
    name_unknown_sizes(*input.value, tensor);
  }
}

// Scan outputs have the dims of one iteration and an axis for the iterations.
void ShapeInference::infer_outputs_of_loop(const Node& node, const BodyParts& parts, std::span<const Tensor> states) {
  if (!require_memory(node.outputs.size(), sizeof(Tensor))) return;
  std::vector<Tensor> outputs(node.outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = unranked(node.output_types[i]);
  std::size_t i = 0;
  for (const GraphOutput& output : node.graph("body")->outputs) {
    const std::size_t number = i++;
    if (number < parts.extra_outputs || number - parts.extra_outputs >= outputs.size()) continue;
    const std::size_t place = number - parts.extra_outputs;
    if (place < states.size()) {
      outputs[place].layout = states[place].layout;
      continue;
    }
    const Tensor& item = at(output.value);
    // Scan-8 has a batch axis before it.
    const std::size_t added = parts.first_state + 1 - (node.op == &loop ? 2 : 0);
    const std::size_t item_rank = item.is_ranked() ? item.dims().size() : most_axes;
    // Without iterations, only the declaration gives the rank in a run.
    const std::size_t declared_rank = output.info.has_shape ? output.info.dims.size() : 0;
    const bool has_rank = !needs_proof_ || declared_rank == item_rank;
    if (!has_rank || item_rank + added > most_axes || !require_memory()) continue;
    outputs[place].layout = uniform_layout(SymbolicDims(item_rank + added, unknown_size));
  }
  set_outputs(node, outputs);
}

}  // namespace broadloom
