#include "graph/run/planner/packing.h"

#include <algorithm>

#include "core/memory.h"
#include "graph/run/planner/constants.h"

namespace broadloom {

Status Packing::make_ready(const Node& node, PlannedCall& planned) {
  if (node.op->ready == nullptr) return {};
  constexpr std::size_t most_ready_bytes = std::size_t{16} * 1024;
  BROADLOOM_CHECK(require_memory(most_ready_bytes));
  // Only what does not change has elements for `ready`.
  std::vector<Tensor> seen = planned.inputs;
  std::vector<const Tensor*> inputs(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    if (!values_[*node.inputs[i]].is_constant()) seen[i].storage = {};
    inputs[i] = &seen[i];
  }
  const Call call{*node.version, inputs, node.attributes, node.output_types, planned.made};
  [[maybe_unused]] const Running running(*node.op, call);
  Result<Ready> ready = node.op->ready(call, &packed_);
  if (!ready) {
    Error::forget();  // there is no memory: each run does it
    return bring_back(inputs);
  }
  planned.packed = std::move(ready->packed);
  planned.call.packed = planned.packed ? planned.packed->data() : nullptr;
  planned.ready = std::move(ready->call);
  if (ready->substitute != nullptr) {
    inputs[ready->replaced] = nullptr;
    if (!seen[0].has_elements()) let_go(*node.inputs[ready->replaced], std::move(ready->substitute));
  }
  return bring_back(inputs);
}

namespace {

// How often nodes and outputs of a graph read a value.
std::uint32_t reads_in(const Graph& graph, const Value& value) {
  if (value.graph == &graph) return value.is_output ? UINT32_MAX : value.uses;
  std::uint32_t count = 0;
  for (const Node* node : graph.order)
    count += static_cast<std::uint32_t>(std::count(node->inputs.begin(), node->inputs.end(), &value));
  for (const GraphOutput& output : graph.outputs) count += output.value == &value ? 1 : 0;
  return count;
}

}  // namespace

// A constant was packed for one of its readers. After the last one of the graph, its bytes are no longer needed.
void Packing::let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute) {
  Known& constant = values_[value];
  ++constant.packed_reads;
  if (constant.is_alone && constant.packed_reads == reads_in(graph_, value))
    constant.tensor.storage->let_go(std::move(substitute));
}

}  // namespace broadloom
