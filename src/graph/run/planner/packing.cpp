#include "graph/run/planner/packing.h"

#include <algorithm>

#include "core/memory.h"
#include "graph/run/planner/constants.h"

namespace broadloom {

bool Packing::waits_for(const Node& node, std::size_t input, const Tensor& tensor) {
  const Operator& op = *node.op;
  if (!tensor.is_ranked() || tensor.dims().size() < 2 || op.asks_for(input)) return false;
  return op.ready == nullptr ? input == 0 && !op.computes() : input > 0 || op.moves(input);
}

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
  if (ready->may_read_rows) {
    row_readers_.push_back({&constant_of(*node.inputs[0]), &planned});
    inputs[0] = nullptr;
  }
  if (ready->substitute != nullptr) {
    std::size_t number = ready->replaced;
    for (auto* substitute : {&ready->substitute, &ready->next}) {
      if (*substitute == nullptr) break;
      const Value& value = *node.inputs[number];
      inputs[number++] = nullptr;
      if (!seen[0].has_elements()) let_go(value, std::move(*substitute), {planned.packed, ready->row_step});
    }
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

// The entry of the constant whose storage the value has.
Known& Packing::constant_of(const Value& value) {
  Known& known = values_[value];
  if (known.base != nullptr) return values_[*known.base];
  if (known.reads < 0) known.reads = reads_in(graph_, value);
  return known;
}

void Packing::add_views(const Node& node) {
  if (node.inputs.empty() || node.inputs[0] == nullptr) return;
  const Value& value = *node.inputs[0];
  if (!values_[value].is_constant()) return;
  const Value* const base = values_[value].base == nullptr ? &value : values_[value].base;
  const Storage* const storage = &*values_[value].tensor.storage;
  bool is_first = true;
  for (const Value* output : node.outputs) {
    if (output == nullptr) continue;
    Known& view = values_[*output];
    if (!view.is_constant() || &*view.tensor.storage != storage) continue;
    view.base = base;
    Known& constant = constant_of(value);
    constant.reads += static_cast<std::int64_t>(reads_in(graph_, *output)) - (is_first ? 1 : 0);
    is_first = false;
  }
}

// A constant was packed for one of its readers. After the last one of the graph, its bytes are no longer needed: what reads it
// row by row gets the packed ones, if each row is a column of them.
void Packing::let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute, const Rows& rows) {
  Known& constant = constant_of(value);
  --constant.reads;
  const auto reads_rows = [&](const RowReader& reader) {
    return reader.constant == &constant && reader.call->inputs[0].layout->strides[0] == rows.step;
  };
  if (constant.reads != std::count_if(row_readers_.begin(), row_readers_.end(), reads_rows)) return;
  Storage& storage = *constant.tensor.storage;
  if (constant.is_alone) storage.let_go(std::move(substitute));
  if (storage.substitute() == nullptr) return;
  for (const RowReader& reader : row_readers_) {
    if (!reads_rows(reader)) continue;
    reader.call->packed = rows.packed;
    reader.call->call.packed = rows.packed->data();
  }
  std::erase_if(row_readers_, reads_rows);
}

Status Packing::finish() {
  for (const RowReader& reader : row_readers_) BROADLOOM_CHECK(reader.constant->tensor.storage->bring_back());
  return {};
}

}  // namespace broadloom
