// Squeeze, Unsqueeze and com.microsoft's ExpandDims: drop and insert axes of size 1. ONNX: onnx/defs/tensor/defs.cc and old.cc;
// onnxruntime: docs/ContribOperators.md.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec squeeze_attributes[] = {{"axes", INTS}};
constexpr AttributeSpec unsqueeze_attributes[] = {required("axes", INTS)};
constexpr Parameter data[] = {{"data", T}};
constexpr Parameter squeeze_inputs[] = {{"data", T}, {"axes", Dtype::int64, Optional}};
constexpr Parameter unsqueeze_inputs[] = {{"data", T}, {"axes", Dtype::int64}};
constexpr Parameter squeezed[] = {{"squeezed", T}};
constexpr Parameter expanded[] = {{"expanded", T}};
constexpr Signature squeeze_1{squeeze_attributes, data, squeezed, {T}};
constexpr Signature squeeze_13{{}, squeeze_inputs, squeezed, {T}};
constexpr Signature unsqueeze_1{unsqueeze_attributes, data, expanded, {T}};
constexpr Signature unsqueeze_13{{}, unsqueeze_inputs, expanded, {T}};

constexpr OperatorVersion squeeze_versions[] = {
    {1, &squeeze_1, {types::all_opset_1}},    {11, &squeeze_1, {types::all_opset_1}},
    {13, &squeeze_13, {types::all_opset_13}}, {21, &squeeze_13, {types::all_opset_21}},
    {23, &squeeze_13, {types::all_opset_23}}, {24, &squeeze_13, {types::all_opset_24}},
    {25, &squeeze_13, {types::all_opset_25}},
};

constexpr OperatorVersion unsqueeze_versions[] = {
    {1, &unsqueeze_1, {types::all_opset_1}},    {11, &unsqueeze_1, {types::all_opset_1}},
    {13, &unsqueeze_13, {types::all_opset_13}}, {21, &unsqueeze_13, {types::all_opset_21}},
    {23, &unsqueeze_13, {types::all_opset_23}}, {24, &unsqueeze_13, {types::all_opset_24}},
    {25, &unsqueeze_13, {types::all_opset_25}},
};

constexpr Parameter expand_inputs[] = {{"X", T}, Parameter::scalar("axis", Dtype::int32)};
constexpr Parameter expand_outputs[] = {{"Y", T}};
constexpr Signature expand_signature{{}, expand_inputs, expand_outputs, {T}};
constexpr OperatorVersion expand_versions[] = {{1, &expand_signature, {types::all_opset_13}}};

// Sets a view of `rank` axes: those in `ones` have size 1, and the others are the input's axes that are not in `dropped`.
Status set_axes(Call& call, const AxisSet& dropped, const AxisSet& ones, std::size_t rank) {
  const Tensor& input = *call.inputs[0];
  const Layout& from = input.layout;
  LayoutRef layout(SymbolicDims(rank, 1));
  Layout& view = layout.edit();
  std::size_t next = 0;
  for (std::size_t i = 0; i < from.dims.size(); ++i) {
    if (dropped.test(i)) continue;
    while (ones.test(next)) ++next;
    view.dims[next] = from.dims[i];
    view.strides[next++] = from.strides[i];
  }
  BROADLOOM_TRY(view_tensor, view_of(input, std::move(layout)));
  call.outputs[0] = std::move(view_tensor);
  return {};
}

Status prepare_squeeze(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  AxisSet dropped;
  if (!axes.is_given) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (!dims[i].is_number()) return {};
      dropped.set(i, dims[i] == 1);
    }
  } else {
    if (axes.has_length && !axes.are_numbers() && axes.size() <= dims.size()) {
      call.outputs[0] = known_dims(input.dtype, SymbolicDims(dims.size() - axes.size(), unknown_size));
    }
    if (!axes.are_numbers()) return {};
    BROADLOOM_TRY(given, resolve_axes("axes", axes.numbers(), dims.size()));
    dropped = given;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (!dropped.test(i) || !differ(dims[i], 1)) continue;
      return impossible("cannot squeeze {}: axis {} is {}, wanted 1", dims.values(), i, dims[i]);
    }
  }
  return set_axes(call, dropped, {}, dims.size() - dropped.count());
}

Status insert(Call& call, std::string_view name, const IntegerList& axes) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked() || !axes.has_length) return {};
  const std::size_t rank = input.dims().size() + axes.size();
  BROADLOOM_CHECK(check_rank(rank));
  if (!axes.are_numbers()) {
    call.outputs[0] = known_dims(input.dtype, SymbolicDims(rank, unknown_size));
    return {};
  }
  BROADLOOM_TRY(ones, resolve_axes(name, axes.numbers(), rank));
  return set_axes(call, {}, ones, rank);
}

Status prepare_unsqueeze(Call& call) {
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  return insert(call, "axes", axes);
}

Status prepare_expand(Call& call) {
  BROADLOOM_TRY(axis, read_integer(call, "axis"));
  return insert(call, "axis", axis);
}

}  // namespace

BROADLOOM_OPERATOR(op, squeeze){
    .name = "Squeeze",
    .versions = squeeze_versions,
    .prepare = prepare_squeeze,
    .compute = finished_by_prepare,
    .traits = {.is_reshape = true},
};
BROADLOOM_OPERATOR(op, unsqueeze){
    .name = "Unsqueeze",
    .versions = unsqueeze_versions,
    .prepare = prepare_unsqueeze,
    .compute = finished_by_prepare,
    .traits = {.is_reshape = true},
};
BROADLOOM_OPERATOR(op::microsoft, expand_dims){
    .name = "ExpandDims",
    .domain = "com.microsoft",
    .versions = expand_versions,
    .prepare = prepare_expand,
    .compute = finished_by_prepare,
    .traits = {.is_reshape = true},
};

}  // namespace broadloom
