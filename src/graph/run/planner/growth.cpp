#include "graph/run/planner/growth.h"

#include <algorithm>

#include "ops/named_operators.h"

namespace broadloom {
namespace {

// Whether the layout has no gaps except behind the elements of the axis.
bool has_one_gap(const Layout& layout, std::size_t axis) {
  const std::span<const std::int64_t> dims = layout.run_dims();
  std::int64_t stride = 1;
  bool is_outer = false;
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (dims[i] == 1) continue;
    if (i < axis && !is_outer) {
      if (layout.strides[i] < stride) return false;
      stride = layout.strides[i];
      is_outer = true;
    }
    if (layout.strides[i] != stride) return false;
    stride *= dims[i];
  }
  return true;
}

}  // namespace

std::optional<Tensor> appended(const Plan& plan, const Node& node, const Tensor& first, const Tensor& output) {
  if (node.op != &op::concat) return {};
  const auto key =
      std::find_if(plan.keys.begin(), plan.keys.end(), [&](const Plan::Key& one) { return one.value == node.inputs[0]; });
  if (key == plan.keys.end() || key->room == 0) return {};
  Tensor longer = first;
  longer.layout = Layout{output.dims(), first.layout->strides};
  const auto changed = std::mismatch(first.dims().begin(), first.dims().end(), output.dims().begin()).first;
  const std::size_t axis = in_memory(changed - first.dims().begin());
  const auto end = Count(span_of(longer.layout).highest + 1) * Count(item_size(longer.dtype));
  if (!has_one_gap(longer.layout, axis) || end > Count(key->room)) return {};
  return longer;
}

}  // namespace broadloom
