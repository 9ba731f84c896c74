// com.microsoft: UnfoldTensor, a view of windows that slide over an axis. onnxruntime: docs/ContribOperators.md.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("dim", INT, -1), required("size", INT), with_default("step", INT, 1)};
constexpr Parameter inputs[] = {{"input", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::all_opset_13}}};

// The windows lie on the axis, and a last axis has the elements of each.
Status prepare(Call& call) {
  const std::int64_t size = call.integer("size");
  const std::int64_t step = call.integer("step");
  for (const std::int64_t number : {size, step}) {
    if (number >= 1 && number <= max_count) continue;
    return fail(Code::InvalidArgument, "size is {} and step is {}, wanted 1 to 2^53 - 1", size, step);
  }
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  const std::size_t rank = input.dims().size();
  BROADLOOM_TRY(axis, resolve_axis("dim", call.integer("dim"), rank));
  BROADLOOM_CHECK(check_rank(rank + 1));
  const Size length = input.dims()[axis];
  if (length.is_number() && length.number() < size) {
    return impossible("axis {} has {} elements, which are less than a window of {}", axis, length, size);
  }
  LayoutRef layout(SymbolicDims(rank + 1, size));
  Layout& view = layout.edit();
  for (std::size_t i = 0; i < rank; ++i) {
    view.dims[i] = input.dims()[i];
    view.strides[i] = input.layout->strides[i];
  }
  const Sizes sizes = call.sizes();
  view.dims[axis] = sizes.add(sizes.floor_divide(sizes.subtract(length, size), step), 1);
  view.strides[rank] = view.strides[axis];
  // A single window needs no stride, and the product would not fit for any step.
  view.strides[axis] = view.dims[axis] == 1 ? 0 : view.strides[axis] * step;
  BROADLOOM_TRY(windows, view_of(input, std::move(layout)));
  call.outputs[0] = std::move(windows);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, unfold_tensor){
    .name = "UnfoldTensor",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
