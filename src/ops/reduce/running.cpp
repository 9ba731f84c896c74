// CumSum and CumProd. ONNX: onnx/defs/math/defs.cc and old.cc.
#include "kernels/reduce/running.h"

#include "core/count.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("exclusive", INT, 0), with_default("reverse", INT, 0)};
constexpr Parameter inputs[] = {{"x", T}, {"axis", T2}};
constexpr Parameter outputs[] = {{"y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T, T2}};
constexpr TypeSet numbers_11 = types::float32 | types::float64 | types::int32 | types::int64 | types::uint32 | types::uint64;
constexpr TypeSet numbers = numbers_11 | types::float16 | types::added_13;
constexpr OperatorVersion sum_versions[] = {{11, &signature, {numbers_11, types::indices}},
                                            {14, &signature, {numbers, types::indices}}};
constexpr OperatorVersion product_versions[] = {{26, &signature, {numbers, types::indices}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(axis, read_integer(call, "axis"));
  if (!input.is_ranked()) return {};
  if (axis.are_numbers()) BROADLOOM_CHECK(resolve_axis("axis", axis[0].number(), input.dims().size()));
  call.outputs[0] = known_dims(input.dtype, input.dims());
  return {};
}

Status compute(Call& call, bool is_product) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  Tensor& output = call.outputs[0];
  BROADLOOM_TRY(list, read_integer(call, "axis"));
  BROADLOOM_TRY(axis, resolve_axis("axis", list[0].number(), input.dims().size()));
  const Dims dims = three_axes(input.run_dims(), axis, axis + 1);
  const RowsOf rows = rows_along(dims);
  const RunningForm running{is_product, call.integer("exclusive") != 0, call.integer("reverse") != 0};
  // Few types have a kernel: narrower ones are accumulated in a wider one.
  const Dtype wide_type = is_half(input.dtype) ? Dtype::float32 : info(input.dtype).bits >= 32 ? input.dtype : Dtype::int64;
  if (wide_type == input.dtype) {
    return run_along(running, wide_type, output.data(), input.data(), rows);
  }
  const auto count = in_memory(input.count());
  BROADLOOM_TRY(wide, make_tensor(wide_type, input.dims()));
  BROADLOOM_CHECK(convert_watched(wide.data(), wide_type, input.data(), input.dtype, count));
  BROADLOOM_CHECK(run_along(running, wide_type, wide.data(), wide.data(), rows));
  return convert_watched(output.data(), output.dtype, wide.data(), wide_type, count);
}

Status compute_product(Call& call) { return compute(call, true); }
Status compute_sum(Call& call) { return compute(call, false); }

}  // namespace

BROADLOOM_OPERATOR(op, cum_prod){
    .name = "CumProd",
    .versions = product_versions,
    .prepare = prepare,
    .compute = compute_product,
};
BROADLOOM_OPERATOR(op, cum_sum){
    .name = "CumSum",
    .versions = sum_versions,
    .prepare = prepare,
    .compute = compute_sum,
};

}  // namespace broadloom
