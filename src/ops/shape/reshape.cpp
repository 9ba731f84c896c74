// Reshape and Flatten: the same elements with other dims. ONNX: onnx/defs/tensor/defs.cc, onnx/defs/nn/defs.cc and old.cc.
#include "core/count.h"
#include "core/text.h"
#include "kernels/movement/strided.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {{"consumed_inputs", INTS}, {"shape", INTS}};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr AttributeSpec attributes_14[] = {with_default("allowzero", INT, 0)};
constexpr Parameter inputs[] = {{"data", T}, {"shape", Dtype::int64}};
constexpr Parameter outputs[] = {{"reshaped", T}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs, {T}};
constexpr Signature signature_5{{}, inputs, outputs, {T}};
constexpr Signature signature_14{attributes_14, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},         {5, &signature_5, {types::all_opset_1}},
    {13, &signature_5, {types::all_opset_13}},  {14, &signature_14, {types::all_opset_13}},
    {19, &signature_14, {types::all_opset_19}}, {21, &signature_14, {types::all_opset_21}},
    {23, &signature_14, {types::all_opset_23}}, {24, &signature_14, {types::all_opset_24}},
    {25, &signature_14, {types::all_opset_25}},
};

constexpr AttributeSpec flatten_attributes[] = {with_default("axis", INT, 1)};
constexpr Parameter flatten_inputs[] = {{"input", T}};
constexpr Parameter flatten_outputs[] = {{"output", T}};
constexpr Signature flatten_signature{flatten_attributes, flatten_inputs, flatten_outputs, {T}};

constexpr OperatorVersion flatten_versions[] = {
    {1, &flatten_signature, {types::floats}},        {9, &flatten_signature, {types::all_opset_1}},
    {11, &flatten_signature, {types::all_opset_1}},  {13, &flatten_signature, {types::all_opset_13}},
    {21, &flatten_signature, {types::all_opset_21}}, {23, &flatten_signature, {types::all_opset_23}},
    {24, &flatten_signature, {types::all_opset_24}}, {25, &flatten_signature, {types::all_opset_25}},
};

// Sets the output to the input's elements with `dims`: a view if strides allow it.
Status set_dims(Call& call, const SymbolicDims& dims) {
  BROADLOOM_CHECK(check_sizes(dims));
  const Tensor& data = *call.inputs[0];
  call.outputs[0] = known_dims(data.dtype, dims);
  if (!data.has_elements() || !are_numbers(dims)) return {};
  std::optional<LayoutRef> layout = reshape(data.layout, dims);
  if (!layout) return {};
  BROADLOOM_TRY(view, view_of(data, *std::move(layout)));
  call.outputs[0] = std::move(view);
  return {};
}

Status compute(Call& call) {
  const Tensor& data = *call.inputs[0];
  return materialize_watched(call.outputs[0].data(), data.data(), data.layout, item_size(data.dtype));
}

// The target's entries as dims. One stays -1 if the other dims and the number of elements determine it: its axis is
// `inferred`, which otherwise is the rank.
struct Target {
  SymbolicDims dims;
  std::size_t inferred;
};

Result<Target> read_target(const Call& call, const IntegerList& shape) {
  const Sizes sizes = call.sizes();
  const Tensor& data = *call.inputs[0];
  const bool keeps_zeros = call.integer("allowzero") != 0;
  Target target{shape.values, shape.size()};
  bool has_zero = false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Size entry = shape[i];
    const bool has_axis = data.is_ranked() && i < data.dims().size();
    if (!entry.is_number()) {
      // In a run, the entry may be 0, which means the input's size, or -1.
      const bool is_size = sizes.is_natural(entry) && (keeps_zeros || (has_axis && data.dims()[i] == entry));
      if (!is_size) target.dims[i] = unknown_size;
    } else if (entry == -1) {
      if (target.inferred < shape.size()) {
        return fail(Code::InvalidArgument, "shape is {}: only one size can be -1", shape.values.values());
      }
      target.inferred = i;
    } else if (entry == 0 && !keeps_zeros) {
      if (data.is_ranked() && !has_axis) {
        return fail(Code::InvalidArgument, "shape is {}: entry {} is 0, but there is no such axis in {}", shape.values.values(),
                    i, data.dims().values());
      }
      target.dims[i] = has_axis ? data.dims()[i] : unknown_size;
    } else if (entry.is_negative()) {
      return fail(Code::InvalidArgument, "shape is {}: entry {} is {}, wanted a size, or -1 for what is left",
                  shape.values.values(), i, entry);
    }
    has_zero = has_zero || entry == 0;
  }
  if (keeps_zeros && has_zero && target.inferred < shape.size()) {
    return fail(Code::InvalidArgument, "shape is {}: with allowzero, 0 and -1 exclude each other", shape.values.values());
  }
  return target;
}

bool divides(std::int64_t a, std::int64_t b) { return a > 0 && b % a == 0; }

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  BROADLOOM_TRY(shape, read_list(call, "shape"));
  if (!shape.is_given) return fail(Code::InvalidArgument, "attribute 'shape' is missing");
  if (!shape.has_length) return {};
  BROADLOOM_TRY(target, read_target(call, shape));
  auto& [dims, inferred] = target;
  const Sizes sizes = call.sizes();
  const Size count = data.is_ranked() ? sizes.product(data.dims()) : unknown_size;
  if (inferred < dims.size()) dims[inferred] = 1;
  const Size others = sizes.product(dims);
  // In a run the other sizes are numbers, unless their product overflows.
  const bool fits = !count.is_number() || !others.is_number() ? !call.is_run()
                    : inferred == dims.size()                 ? others == count
                                                              : divides(others.number(), count.number());
  if (!fits) {
    return impossible("cannot reshape {}, of {} element{s}, to {}", data.dims().values(), count, shape.values.values());
  }
  if (inferred < dims.size()) dims[inferred] = sizes.floor_divide(count, others);
  return set_dims(call, dims);
}

Status prepare_flatten(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) {
    call.outputs[0] = known_dims(input.dtype, SymbolicDims(2, unknown_size));
    return {};
  }
  const std::span<const Size> dims = input.dims();
  const std::int64_t given = call.integer("axis");
  const auto rank = static_cast<std::int64_t>(dims.size());
  if (given < -rank || given > rank) {
    return fail(Code::InvalidArgument, "'axis' is {}, wanted {} to {}", given, -rank, rank);
  }
  const auto axis = in_memory(given < 0 ? given + rank : given);
  const Sizes sizes = call.sizes();
  return set_dims(call, SymbolicDims{sizes.product(dims.first(axis)), sizes.product(dims.subspan(axis))});
}

}  // namespace

BROADLOOM_OPERATOR(op, reshape){
    .name = "Reshape",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({0}),
    .traits = {.is_reshape = true},
};
BROADLOOM_OPERATOR(op, flatten){
    .name = "Flatten",
    .versions = flatten_versions,
    .prepare = prepare_flatten,
    .compute = compute,
    .data_movement_inputs = inputs_at({0}),
    .traits = {.is_reshape = true},
};

}  // namespace broadloom
