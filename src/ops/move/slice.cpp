// Slice: parts of axes, with steps, as a view. ONNX: onnx/defs/tensor/defs.cc and old.cc, Slice.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {{"axes", INTS}, required("ends", INTS), required("starts", INTS)};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr Parameter inputs_10[] = {{"data", T},
                                   Parameter::list("starts", Tind),
                                   Parameter::list("ends", Tind),
                                   Parameter::list("axes", Tind, Optional),
                                   Parameter::list("steps", Tind, Optional)};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs, {T}};
constexpr Signature signature_10{{}, inputs_10, outputs, {T, Tind}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::all_opset_1}},
    {10, &signature_10, {types::all_opset_1, types::indices}},
    {11, &signature_10, {types::all_opset_1, types::indices}},
    {13, &signature_10, {types::all_opset_13, types::indices}},
};

// A part of one axis: `length` indices with distance `step`, starting with `first`.
struct Part {
  std::int64_t first;
  std::int64_t length;
};

// More than the size of any axis: such a bound is the end of the axis.
constexpr std::int64_t far = max_count;

// ONNX: INT_MAX and INT_MIN mean the end of an axis of any size, for bounds of any type.
Size bound_of(Size bound) {
  if (bound == INT32_MAX) return INT64_MAX;
  return bound == INT32_MIN ? Size(INT64_MIN) : bound;
}

// ONNX: negative bounds count from the end, once; then start and end are clamped to the axis, for a negative step to where a
// walk backwards may start and stop.
Part part_of(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
  const bool goes_back = step < 0;
  if (size == 0) return {0, 0};
  const auto clamped = [&](std::int64_t bound, std::int64_t lowest) {
    if (bound < 0) bound += size;
    return std::clamp<std::int64_t>(bound, lowest, goes_back ? size - 1 : size);
  };
  // With a negative step, a start before the first item is the first item. NumPy selects none.
  const std::int64_t first = clamped(start, 0);
  const std::int64_t last = clamped(end, goes_back ? -1 : 0);
  // Unsigned, so that the absolute value of the least step is representable.
  const auto distance = static_cast<std::uint64_t>(goes_back ? first - last : last - first);
  if ((goes_back ? first - last : last - first) <= 0) return {0, 0};
  const std::uint64_t stride = goes_back ? -static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
  return {first, static_cast<std::int64_t>((distance - 1) / stride + 1)};
}

// The length before a run, where some values are symbolic.
Size length_of(const Sizes& sizes, Size size, Size start, Size end, std::int64_t step) {
  const auto is_at_least = [](Size bound, std::int64_t number) { return bound.is_number() && bound.number() >= number; };
  const auto is_at_most = [](Size bound, std::int64_t number) { return bound.is_number() && bound.number() <= number; };
  if (step < 0) {
    const bool is_whole = (start == -1 || is_at_least(start, far)) && is_at_most(end, -far);
    return is_whole ? sizes.ceil_divide(size, -std::max<std::int64_t>(step, -INT64_MAX)) : unknown_size;
  }
  const auto clamped = [&](Size bound) {
    if (is_at_least(bound, far)) return size;
    if (is_at_most(bound, -far)) return Size(0);
    if (bound.is_negative()) return sizes.maximum(sizes.add(size, bound), 0);
    return sizes.is_natural(bound) ? sizes.minimum(bound, size) : unknown_size;
  };
  const Size first = clamped(start);
  const Size last = clamped(end);
  const Size distance = sizes.subtract(last, first);
  return sizes.ceil_divide(sizes.is_natural(distance) ? distance : sizes.maximum(distance, 0), step);
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  BROADLOOM_TRY(starts, read_list(call, "starts"));
  BROADLOOM_TRY(ends, read_list(call, "ends"));
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  BROADLOOM_TRY(steps, read_list(call, "steps"));
  if (!data.is_ranked()) return {};
  const std::size_t rank = data.dims().size();
  for (const IntegerList* list : {&ends, &axes, &steps}) {
    if (!starts.has_length || !list->has_length || list->size() == starts.size()) continue;
    return fail(Code::InvalidArgument, "starts has {} entr{y}, but ends, axes or steps has {}", starts.size(), list->size());
  }
  const bool has_axes = starts.has_length && ends.has_length && (!axes.is_given || axes.are_numbers());
  if (!has_axes || (steps.is_given && !steps.are_numbers())) {
    call.outputs[0] = known_dims(data.dtype, SymbolicDims(rank, unknown_size));
    return {};
  }
  if (!axes.is_given && starts.size() > rank) {
    return fail(Code::InvalidArgument, "starts has {} entr{y}, but data has {} ax{i}s", starts.size(), rank);
  }
  if (axes.is_given) BROADLOOM_CHECK(resolve_axes("axes", axes.numbers(), rank));

  const Sizes sizes = call.sizes();
  LayoutRef layout(data.dims());
  Layout& view = layout.edit();
  view.strides = data.layout->strides;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = axes.is_given ? *resolve_axis("axes", axes[i].number(), rank) : i;
    const std::int64_t step = steps.is_given ? steps[i].number() : 1;
    if (step == 0) return fail(Code::InvalidArgument, "steps {}: entry {} is 0", steps.values.values(), i);
    const Size size = view.dims[axis];
    const Size start = bound_of(starts[i]);
    const Size end = bound_of(ends[i]);
    if (!size.is_number() || !start.is_number() || !end.is_number()) {
      view.dims[axis] = length_of(sizes, size, start, end, step);
      continue;
    }
    const auto [first, length] = part_of(size.number(), start.number(), end.number(), step);
    offset += first * view.strides[axis];
    view.dims[axis] = length;
    view.strides[axis] = length > 1 ? view.strides[axis] * step : 0;
  }
  if (!data.has_elements() || !are_numbers(view.dims)) {
    call.outputs[0] = known_dims(data.dtype, view.dims);
    return {};
  }
  BROADLOOM_TRY(slice, view_of(data, std::move(layout), view.count() == 0 ? 0 : offset));
  call.outputs[0] = std::move(slice);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, slice){
    .name = "Slice",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
