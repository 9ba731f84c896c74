// Transpose: permuted axes, as a view. ONNX: onnx/defs/tensor/defs.cc and old.cc, Transpose.
#include "ops/shape/transpose.h"

#include "ops/call/arguments.h"
#include "ops/call/operator.h"
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
  if (!data.is_ranked()) {
    BROADLOOM_TRY(perm, read_list(call, "perm"));
    if (perm.is_given) call.outputs[0] = known_dims(data.dtype, SymbolicDims(perm.size(), unknown_size));
    return {};
  }
  BROADLOOM_TRY(order, read_order(call, data.dims().size()));
  BROADLOOM_TRY(transposed, view_of(data, transposed_layout(data.layout, order)));
  call.outputs[0] = std::move(transposed);
  return {};
}

}  // namespace

Result<Dims> read_order(const Call& call, std::size_t rank) {
  BROADLOOM_TRY(perm, read_list(call, "perm"));
  if (!perm.is_given) {
    Dims order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(rank - 1 - i);
    return order;
  }
  if (perm.size() != rank) {
    return impossible("perm {} has {} ax{i}s, but data has {}", perm.values.values(), perm.size(), rank);
  }
  for (std::size_t i = 0; i < perm.size(); ++i) {
    if (perm[i].is_negative()) return fail(Code::InvalidArgument, "perm {} has a negative axis", perm.values.values());
  }
  BROADLOOM_CHECK(resolve_axes("perm", perm.numbers(), rank));
  return Dims(perm.numbers());
}

LayoutRef layout_before_transpose(const SymbolicDims& dims, std::span<const std::int64_t> order) {
  SymbolicDims written(order.size());
  Dims back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto axis = in_memory(order[i]);
    written[i] = dims[axis];
    back[axis] = static_cast<std::int64_t>(i);
  }
  return transposed_layout(dense_layout(written), back.values());
}

std::optional<Dims> find_order(const OperatorVersion& version, const Attributes& given, std::size_t rank) {
  Result<Dims> order = read_order({version, {}, given, {}, {}}, rank);
  if (order) return std::move(*order);
  Error::forget();
  return std::nullopt;
}

BROADLOOM_OPERATOR(op, transpose){
    .name = "Transpose",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
