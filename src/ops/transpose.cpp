// Transpose: axes in another order, as a view. ONNX: onnx/defs/tensor/defs.cc and old.cc, Transpose.
#include "ops/arguments.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {{"perm", INTS}};
constexpr Parameter inputs[] = {{"data", T}};
constexpr Parameter outputs[] = {{"transposed", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature, {types::all_opset_1}},   {13, &signature, {types::all_opset_13}}, {21, &signature, {types::all_opset_21}},
    {23, &signature, {types::all_opset_23}}, {24, &signature, {types::all_opset_24}}, {25, &signature, {types::all_opset_25}},
};

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  BROADLOOM_TRY(perm, read_list(call, "perm"));
  if (!data.is_ranked()) {
    if (perm.is_given) call.outputs[0] = known_dims(data.dtype, Dims(perm.size(), unknown_size));
    return {};
  }
  const Layout& from = data.layout;
  const std::size_t rank = from.dims.size();
  if (perm.is_given && perm.size() != rank) {
    return fail(Code::InvalidArgument, "perm {} has {} axes, but data has {}", perm.values.values(), perm.size(), rank);
  }
  for (std::size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] < 0) return fail(Code::InvalidArgument, "perm {} has a negative axis", perm.values.values());
  }
  if (perm.is_given) BROADLOOM_CHECK(resolve_axes("perm", perm.values, rank));
  LayoutRef layout{Dims(rank)};
  Layout& view = layout.edit();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = perm.is_given ? static_cast<std::size_t>(perm[i]) : rank - 1 - i;
    view.dims[i] = from.dims[axis];
    view.strides[i] = from.strides[axis];
  }
  BROADLOOM_TRY(transposed, view_of(data, std::move(layout)));
  call.outputs[0] = std::move(transposed);
  return {};
}

}  // namespace

constinit const Operator op::transpose{"Transpose", versions, nullptr, prepare};

}  // namespace broadloom
