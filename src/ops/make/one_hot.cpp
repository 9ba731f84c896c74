// OneHot: one value at each index, and another one elsewhere. ONNX: onnx/defs/tensor/defs.cc and old.cc, OneHot.
#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/number.h"
#include "core/text.h"
#include "kernels/movement/blocks.h"
#include "kernels/movement/fill.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("axis", INT, -1)};
constexpr Parameter inputs[] = {{"indices", T1}, {"depth", T2}, {"values", T3}};
constexpr Parameter outputs[] = {{"output", T3}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2, T3}};

constexpr OperatorVersion versions[] = {
    {9, &signature, {types::numbers, types::numbers, types::all_opset_1}},
    {11, &signature, {types::numbers, types::numbers, types::all_opset_1}},
};

// Clamps a number to int64, which contains all valid indices. A NaN becomes the least number.
std::int64_t to_integer(double number) {
  constexpr double limit = 0x1p63;
  if (number >= limit) return INT64_MAX;
  return number > -limit ? static_cast<std::int64_t>(number) : INT64_MIN;
}

// Converts dense elements of any numeric type to integers, without their fractions.
void read_numbers(Dtype dtype, const std::byte* from, std::size_t count, std::int64_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* element = from + i * item_size(dtype);
    if (dtype == Dtype::int64 || dtype == Dtype::uint64) {
      to[i] = *reinterpret_cast<const std::int64_t*>(element);
      if (dtype == Dtype::uint64 && to[i] < 0) to[i] = INT64_MAX;
    } else {
      double number = 0;
      decode(dtype, element, 1, &number);
      to[i] = to_integer(number);
    }
  }
}

// The depth; unknown_size if it has no elements yet.
Result<Size> read_depth(const Call& call) {
  const Tensor& depth = *call.inputs[1];
  if (!depth.is_ranked()) return unknown_size;
  if (depth.dims().size() > 1 || (depth.dims().size() == 1 && differ(depth.dims()[0], 1))) {
    return fail(Code::InvalidArgument, "depth has dims {}, wanted one number", depth.dims().values());
  }
  if (!depth.has_elements()) return unknown_size;
  std::int64_t number = 0;
  read_numbers(depth.dtype, depth.data(), 1, &number);
  const Size size = call.is_run()              ? nearest_number(number)
                    : has_size_elements(depth) ? size_at(depth, 0)
                                               : number_or_unknown(number);
  if (!size.is_number()) return call.sizes().is_natural(size) ? size : unknown_size;
  if (size.is_negative()) return fail(Code::InvalidArgument, "depth is {}, wanted 0 or more", size);
  return size;
}

Result<std::size_t> resolve_place(const Call& call, std::size_t rank) {
  return resolve_axis("axis", call.integer("axis"), rank + 1);
}

Status prepare(Call& call) {
  const Tensor& indices = *call.inputs[0];
  const Tensor& values = *call.inputs[2];
  if (values.is_ranked() && (values.dims().size() != 1 || differ(values.dims()[0], 2))) {
    return fail(Code::InvalidArgument, "values has dims {}, wanted [2]", values.dims().values());
  }
  BROADLOOM_TRY(depth, read_depth(call));
  if (!indices.is_ranked()) return {};
  const SymbolicDims& from = indices.dims();
  BROADLOOM_CHECK(check_rank(from.size() + 1));
  BROADLOOM_TRY(axis, resolve_place(call, from.size()));
  SymbolicDims dims(from.size() + 1, depth);
  for (std::size_t i = 0; i < from.size(); ++i) dims[i < axis ? i : i + 1] = from[i];
  call.outputs[0] = known_dims(values.dtype, dims);
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(indices, densify(*call.inputs[0]));
  BROADLOOM_TRY(values, densify(*call.inputs[2]));
  BROADLOOM_TRY(axis, resolve_place(call, indices.dims().size()));
  const std::size_t item = item_size(output.dtype);
  fill(output.data(), values.data(), item, in_memory(output.count()));
  const std::int64_t depth = output.run_dims()[axis];
  const std::int64_t inner = count_of(output.run_dims().subspan(axis + 1));
  const std::int64_t count = indices.count();
  const bool counts_back = call.version.since_version >= 11;
  constexpr std::int64_t most = 256;
  for (std::int64_t first = 0; first < count; first += most) {
    BROADLOOM_CHECK(Watch::check(8 * most));
    std::int64_t list[most];
    std::ptrdiff_t offsets[most];
    const std::int64_t part = std::min(most, count - first);
    const std::byte* from = indices.data() + first * static_cast<std::int64_t>(item_size(indices.dtype));
    read_numbers(indices.dtype, from, in_memory(part), list);
    std::size_t found = 0;
    for (std::int64_t i = 0; i < part; ++i) {
      const std::int64_t index = list[i] < 0 && counts_back ? list[i] + depth : list[i];
      if (index < 0 || index >= depth) continue;  // then no element of its row is the other value
      const std::int64_t place = ((first + i) / inner * depth + index) * inner + (first + i) % inner;
      offsets[found++] = static_cast<std::ptrdiff_t>(place) * static_cast<std::ptrdiff_t>(item);
    }
    scatter_blocks(output.data(), {offsets, found}, values.data() + item, 0, item);
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, one_hot){
    .name = "OneHot",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({2}),
};

}  // namespace broadloom
