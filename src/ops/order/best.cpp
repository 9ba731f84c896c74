// ArgMax and ArgMin. ONNX: onnx/defs/reduction/defs.cc and old.cc.
#include "ops/order/best.h"

#include "core/text.h"
#include "kernels/order/find.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {

Status find_best(Tensor& to, const Tensor& input, const Dims& dims, Best best) {
  if (to.count() == 0) return {};
  RowTiles tiles(input, dims, AxisSet(2));
  BROADLOOM_CHECK(tiles.allocate(1));
  Tensor marks;
  while (tiles.next()) {
    if (!marks.has_elements()) {
      // The first tile is the largest.
      BROADLOOM_TRY(bools, make_tensor(Dtype::boolean, {tiles.layout().count()}));
      marks = std::move(bools);
    }
    BROADLOOM_CHECK(tiles.reduce(0, {.operation = best.is_least ? Operation::minimum : Operation::maximum}));
    auto* const found = reinterpret_cast<std::int64_t*>(to.data()) + tiles.groups_before();
    for (const bool may_be_nan : {false, true}) {
      Program program;
      const Program::Value x = tiles.elements(program, input.dtype);
      Program::Value mark = program.apply(Operation::equal, x, tiles.statistic(program, 0, input.dtype));
      if (may_be_nan) {
        // A NaN extreme equals no element, so NaNs are marked separately.
        const Program::Value is_nan = program.apply(Operation::logical_not, program.apply(Operation::equal, x, x));
        mark = program.apply(Operation::bit_or, mark, is_nan);
      }
      BROADLOOM_CHECK(program.run(mark, marks.data(), tiles.count()));
      if (find_marks(found, marks.data(), rows_along(tiles.layout().run_dims()), best.is_last)) break;
    }
  }
  return {};
}

namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes_12[] = {with_default("axis", INT, 0), with_default("keepdims", INT, 1),
                                           with_default("select_last_index", INT, 0)};
constexpr Parameter inputs[] = {{"data", T}};
constexpr Parameter outputs[] = {{"reduced", Dtype::int64}};
constexpr Signature signature_1{std::span(attributes_12).first(2), inputs, outputs, {T}};
constexpr Signature signature_12{attributes_12, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature_1, {types::numbers}},
                                        {11, &signature_1, {types::numbers}},
                                        {12, &signature_12, {types::numbers}},
                                        {13, &signature_12, {types::numbers | types::added_13}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  const std::span<const Size> given = input.dims().values();
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), given.size()));
  if (given[axis] == 0) return fail(Code::InvalidArgument, "data has dims {}: axis {} has no element to choose", given, axis);
  const bool keeps = call.integer("keepdims") != 0;
  SymbolicDims dims(given.size() - (keeps ? 0 : 1), 1);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i != axis) dims[i - (i > axis && !keeps ? 1 : 0)] = given[i];
  }
  call.outputs[0] = known_dims(Dtype::int64, dims);
  return {};
}

Status compute(Call& call, bool is_least) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  const std::span<const std::int64_t> dims = input.run_dims();
  const auto axis = *resolve_axis("axis", call.integer("axis"), dims.size());
  return find_best(call.outputs[0], input, three_axes(dims, axis, axis + 1),
                   {is_least, call.integer("select_last_index") != 0});
}
Status compute_greatest(Call& call) { return compute(call, false); }
Status compute_least(Call& call) { return compute(call, true); }

}  // namespace

BROADLOOM_OPERATOR(op, arg_max){
    .name = "ArgMax",
    .versions = versions,
    .prepare = prepare,
    .compute = compute_greatest,
    .kernels = find_best_kernels,
};
BROADLOOM_OPERATOR(op, arg_min){
    .name = "ArgMin",
    .versions = versions,
    .prepare = prepare,
    .compute = compute_least,
    .kernels = find_best_kernels,
};

}  // namespace broadloom
