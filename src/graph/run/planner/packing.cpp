#include "graph/run/planner/packing.h"

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
  if (ready->substitute == nullptr) return bring_back(inputs);
  if (lets_go_ && !seen[0].has_elements()) let_go(*node.inputs[1], std::move(ready->substitute));
  return {};
}

// A constant was packed for one of its readers. After the last one, its bytes are no longer needed.
void Packing::let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute) {
  Known& constant = values_[value];
  const bool is_last = ++constant.packed_reads == value.uses && !value.is_output;
  if (is_last && constant.is_alone) constant.tensor.storage->let_go(std::move(substitute));
}

}  // namespace broadloom
