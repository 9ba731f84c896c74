#include "graph/run/growth.h"

#include <algorithm>

#include "kernels/movement/copy.h"
#include "ops/call/dense.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

// The axis on which one tensor is longer than another, if all others are the same.
std::optional<std::size_t> longer_axis(const Tensor& tensor, const Tensor& before) {
  const auto dims = tensor.run_dims();
  const auto [now, old] = std::mismatch(dims.begin(), dims.end(), before.run_dims().begin());
  if (now == dims.end() || *now < *old || !std::equal(now + 1, dims.end(), old + 1)) return {};
  return in_memory(now - dims.begin());
}

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

std::optional<Tensor> with_room(const Tensor& tensor, const Tensor& before) {
  const std::optional<std::size_t> axis = tensor.count() == 0 ? std::nullopt : longer_axis(tensor, before);
  if (!axis) return {};
  const auto dims = tensor.run_dims();
  SymbolicDims all = tensor.dims();
  all[*axis] = Size(dims[*axis] + dims[*axis] / 2 + 1);
  if (!checked_count(all.values())) return Error::forget(), std::nullopt;
  const LayoutRef whole = dense_layout(all);
  Result<StorageRef> storage = Storage::allocate(Count(whole->count()) * Count(item_size(tensor.dtype)));
  Result<Tensor> dense = densify(tensor);
  if (!storage || !dense) return Error::forget(), std::nullopt;
  const std::size_t rows = in_memory(count_of(dims.first(*axis)));
  const std::size_t bytes = dense_size(tensor) / rows;
  copy_rows((*storage)->data(), (*storage)->size() / rows, dense->data(), bytes, bytes, rows);
  (*storage)->grows = true;
  return Tensor{tensor.dtype, Layout{tensor.dims(), whole->strides}, std::move(*storage)};
}

void append(const Plan& plan, const Node& node, KnownValues& values, Tensor& output) {
  if (node.op != &op::concat) return;
  const Known& first = values[*node.inputs[0]];
  // A second Concat would write to the same places.
  if (first.root == nullptr || first.root->kind != PlanRoot::Kind::given || first.root->is_appended) return;
  const auto key =
      std::find_if(plan.keys.begin(), plan.keys.end(), [&](const Plan::Key& one) { return one.value == node.inputs[0]; });
  if (key == plan.keys.end() || key->room == 0) return;
  const std::optional<std::size_t> axis = longer_axis(output, first.tensor);
  if (!axis) return;
  Tensor longer = first.tensor;
  longer.layout = Layout{output.dims(), first.tensor.layout->strides};
  const auto end = Count(span_of(longer.layout).highest + 1) * Count(item_size(longer.dtype));
  if (!has_one_gap(longer.layout, *axis) || end > Count(key->room)) return;
  output = std::move(longer);
  first.root->is_appended = true;
  first.root->first_step = plan.steps.size();
}

}  // namespace broadloom
