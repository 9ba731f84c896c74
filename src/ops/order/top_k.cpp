// TopK: the greatest or least elements of an axis, and their indices. ONNX: onnx/defs/math/defs.cc and old.cc, TopK.
#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/movement/copy.h"
#include "kernels/order/order.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec axis = with_default("axis", INT, -1);
constexpr AttributeSpec attributes_1[] = {axis, required("k", INT)};
constexpr AttributeSpec attributes_10[] = {axis};
constexpr AttributeSpec attributes_11[] = {axis, with_default("largest", INT, 1), with_default("sorted", INT, 1)};
constexpr Parameter inputs_1[] = {{"X", T}};
constexpr Parameter inputs_10[] = {{"X", T}, {"K", Dtype::int64}};
constexpr Parameter outputs[] = {{"Values", T}, {"Indices", I}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs, {T, I}};
constexpr Signature signature_10{attributes_10, inputs_10, outputs, {T, I}};
constexpr Signature signature_11{attributes_11, inputs_10, outputs, {T, I}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats, Dtype::int64}},
    {10, &signature_10, {types::floats, Dtype::int64}},
    {11, &signature_11, {types::numbers, Dtype::int64}},
    {24, &signature_11, {types::numbers | types::added_13, Dtype::int64}},
};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  const bool is_attribute = call.version.since_version == 1;
  BROADLOOM_TRY(list, read_integer(call, is_attribute ? "k" : "K"));
  if (!input.is_ranked()) return {};
  BROADLOOM_TRY(axis_number, resolve_axis("axis", call.integer("axis"), input.dims().size()));
  const Size size = input.dims()[axis_number];
  Size k = list.has_length ? list[0] : unknown_size;
  if (!k.is_number()) {
    if (!call.sizes().is_natural(k)) k = unknown_size;
  } else if (k.is_negative() || (size.is_number() && k.number() > size.number())) {
    return fail(Code::InvalidArgument, "k is {}, wanted 0 to the size of axis {} of {}", k, axis_number, input.dims().values());
  }
  SymbolicDims dims = input.dims();
  dims[axis_number] = k;
  call.outputs[0] = known_dims(input.dtype, dims);
  call.outputs[1] = known_dims(Dtype::int64, dims);
  return {};
}

Status compute(Call& call) {
  Tensor& values = call.outputs[0];
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  const std::span<const std::int64_t> dims = input.run_dims();
  BROADLOOM_TRY(axis_number, resolve_axis("axis", call.integer("axis"), dims.size()));
  const auto size = in_memory(dims[axis_number]);
  const auto k = in_memory(values.run_dims()[axis_number]);
  const auto inner = in_memory(count_of(dims.subspan(axis_number + 1)));
  const auto rows = in_memory(input.count()) / size;
  const std::size_t item = item_size(input.dtype);
  const bool is_lowest = call.version.since_version >= 11 && call.integer("largest") == 0;
  const std::size_t room = room_of_highest(k, size);
  BROADLOOM_TRY(scratch, make_tensor(Dtype::uint8, {static_cast<std::int64_t>(room), sizeof(Ranked)}));
  auto* const found = reinterpret_cast<Ranked*>(scratch.data());
  auto* indices = reinterpret_cast<std::int64_t*>(call.outputs[1].data());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t first = row / inner;
    const std::size_t last = row - first * inner;
    const std::byte* from = input.data() + (first * size * inner + last) * item;
    const NumberRow list{from, static_cast<std::ptrdiff_t>(inner * item), size, input.dtype};
    BROADLOOM_CHECK(find_highest(found, k, list, is_lowest));
    BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(k)));
    std::size_t place = first * k * inner + last;
    for (std::size_t i = 0; i < k; ++i, place += inner) {
      const auto number = in_memory(found[i].index);
      copy_bytes(values.data() + place * item, from + number * inner * item, item);
      indices[place] = found[i].index;
    }
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, top_k){
    .name = "TopK",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
