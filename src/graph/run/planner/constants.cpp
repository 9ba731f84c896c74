#include "graph/run/planner/constants.h"

#include <algorithm>

#include "core/memory.h"
#include "graph/run/planner/known_values.h"
#include "ops/call/dense.h"

namespace broadloom {

std::uint64_t bytes_to_make(const Tensor& tensor) {
  const Result<std::int64_t> count = checked_count(tensor.dims());
  if (count) {
    const Result<std::int64_t> bytes = bytes_to_make(tensor.dtype, *count);
    const std::uint64_t size = bytes ? static_cast<std::uint64_t>(*bytes) : 0;
    if (bytes) return size <= SIZE_MAX ? size : too_many;
  }
  Error::forget();
  return too_many;
}

Status bring_back(std::span<const Tensor* const> tensors) {
  for (const Tensor* tensor : tensors) {
    if (tensor != nullptr && tensor->has_elements()) BROADLOOM_CHECK(tensor->storage->bring_back());
  }
  return {};
}

Known& KnownValues::operator[](const Value& value) {
  Known& known = entry(value);
  if (!known.is_defined && value.is_constant()) {
    known.tensor = value.initializer->tensor;
    known.is_defined = known.is_fixed = true;
    const std::uint32_t owners = 2U + (value.initializer->is_copy ? 1 : 0) + (has_frame_ && value.input == nullptr ? 1 : 0);
    known.is_alone = known.tensor.has_elements() && known.tensor.storage->references() == owners;
  }
  return known;
}

ComputedConstants::Outcome ComputedConstants::compute(const Node& node, Call& call, bool are_fixed) {
  if (are_fixed && find(node, call.outputs)) return Outcome::found;
  if (!bring_back(call.inputs) || !complete(*node.op, call) || !is_finished(call)) {
    Error::forget();
    return Outcome::none;
  }
  if (are_fixed) add(node, call.outputs);
  return Outcome::made;
}

bool ComputedConstants::may_keep(const Call& call) {
  constexpr double always = 64 * 1024;
  constexpr double factor = 4;
  double from = 0;
  double to = 0;
  for (const Tensor* input : call.inputs) from += input == nullptr ? 0 : static_cast<double>(input->storage->size());
  for (const Tensor& output : call.outputs) to += output.has_elements() ? 0 : static_cast<double>(bytes_to_make(output));
  return to <= always || to <= factor * from;
}

bool ComputedConstants::find(const Node& node, std::span<Tensor> outputs) const {
  for (const Entry& entry : entries_) {
    if (entry.node != &node) continue;
    std::copy(entry.outputs.begin(), entry.outputs.end(), outputs.begin());
    return true;
  }
  return false;
}

// Keeps the outputs, if they are large and there is memory for their records.
void ComputedConstants::add(const Node& node, std::span<const Tensor> outputs) {
  constexpr std::size_t least_bytes = std::size_t{64} * 1024;
  std::size_t bytes = 0;
  for (const Tensor& output : outputs) bytes += output.storage->size();
  if (bytes < least_bytes) return;
  if (require_memory(2 * entries_.size() + outputs.size() + 1, sizeof(Entry) + sizeof(Tensor))) {
    entries_.push_back({&node, {outputs.begin(), outputs.end()}});
  } else {
    Error::forget();
  }
}

void ComputedConstants::release_unused() {
  std::erase_if(entries_, [](const Entry& entry) {
    return std::none_of(entry.outputs.begin(), entry.outputs.end(),
                        [](const Tensor& output) { return output.storage->is_shared(); });
  });
}

}  // namespace broadloom
