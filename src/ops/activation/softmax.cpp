// Softmax, LogSoftmax and Hardmax. ONNX: onnx/defs/math/defs.cc and old.cc. Before version 13, the axes from `axis` on form
// a row; since then, only that axis does.
#include "kernels/reduce/softmax.h"

#include "core/count.h"
#include "kernels/order/find.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/order/best.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;
using Value = Program::Value;
using Before = Reduction::Before;
using After = Reduction::After;

constexpr AttributeSpec attributes_1[] = {with_default("axis", AttributeType::INT, 1)};
constexpr AttributeSpec attributes_13[] = {with_default("axis", AttributeType::INT, -1)};
constexpr Parameter inputs[] = {{"input", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{attributes_1, inputs, outputs, {T}};
constexpr Signature signature_13{attributes_13, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature_1, {types::floats}},
                                        {11, &signature_1, {types::floats}},
                                        {13, &signature_13, {types::floats | types::added_13}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  BROADLOOM_CHECK(resolve_axis("axis", call.integer("axis"), input.dims().size()));
  call.outputs[0] = known_dims(input.dtype, input.dims());
  return {};
}

// The dims as three axes; rows lie along the middle one.
Dims rows_of(const Call& call) {
  const std::span<const std::int64_t> dims = call.outputs[0].run_dims();
  const auto axis = *resolve_axis("axis", call.integer("axis"), dims.size());
  return three_axes(dims, axis, call.version.since_version < 13 ? dims.size() : axis + 1);
}

constexpr std::size_t largest = 0;
constexpr std::size_t sum = 1;

// Replaces the sums by their reciprocals, to multiply elements: for 64 rows of 1000, dividing takes 15 us longer.
void invert_sums(const RowTiles& tiles) {
  tiles.change(sum, [](auto x) { return 1 / x; });
}

Status compute_tile(const RowTiles& tiles, Tensor& output, bool is_log) {
  const Dtype wide = tiles.statistics_type();
  std::byte* to = tiles.place_in(output);
  BROADLOOM_CHECK(tiles.reduce(largest, {.operation = Operation::maximum}));
  Program program;
  const Value shifted =
      program.apply(Operation::subtract, tiles.elements(program, wide), tiles.statistic(program, largest, wide));
  Reduction exponentials{Operation::add, Before::exp, is_log ? After::log : After::nothing, tiles.statistic(largest)};
  if (is_log) {
    BROADLOOM_CHECK(tiles.reduce(sum, exponentials));
    const Value result = program.apply(Operation::subtract, shifted, tiles.statistic(program, sum, wide));
    return program.run(converted(program, result, output.dtype), to, tiles.count());
  }
  const Value exponential = program.apply(Operation::exp, shifted);
  if (wide != output.dtype) {
    // Unrounded elements are not stored, so exponentials are computed twice.
    BROADLOOM_CHECK(tiles.reduce(sum, exponentials));
    invert_sums(tiles);
    const Value result = program.apply(Operation::multiply, exponential, tiles.statistic(program, sum, wide));
    return program.run(converted(program, result, output.dtype), to, tiles.count());
  }
  BROADLOOM_CHECK(program.run(exponential, to, tiles.count()));
  BROADLOOM_CHECK(tiles.reduce(sum, {.operation = Operation::add}, to));
  invert_sums(tiles);
  Program product;
  const Value x = product.operand(wide, to, LayoutRef(tiles.layout()));
  return product.run(product.apply(Operation::multiply, x, tiles.statistic(product, sum, wide)), to, tiles.count());
}

Status compute(Call& call, bool is_log) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  RowTiles tiles(input, rows_of(call), AxisSet(2));
  BROADLOOM_CHECK(tiles.allocate(2));
  while (tiles.next()) BROADLOOM_CHECK(compute_tile(tiles, call.outputs[0], is_log));
  return {};
}
Status compute_softmax(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Dims dims = rows_of(call);
  if (input.dtype != Dtype::float32 || dims[2] != 1 || dims[1] > static_cast<std::int64_t>(most_softmax_length)) {
    return compute(call, false);
  }
  BROADLOOM_TRY(dense, densify(input));
  return softmax_rows(call.outputs[0].data(), dense.data(), in_memory(dims[0]), in_memory(dims[1]));
}
Status compute_log_softmax(Call& call) { return compute(call, true); }

Status compute_hardmax(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  const Dims dims = rows_of(call);
  BROADLOOM_TRY(found, make_tensor(Dtype::int64, {dims[0], dims[2]}));
  BROADLOOM_CHECK(find_best(found, input, dims, {}));
  write_marks(output.data(), output.dtype, reinterpret_cast<const std::int64_t*>(found.data()), rows_along(dims));
  return {};
}

constexpr Kernels softmax_kernels =
    loops(Operation::add, Operation::subtract, Operation::multiply, Operation::maximum, Operation::exp, Operation::log) |
    folds(Operation::add, Operation::maximum);

}  // namespace

BROADLOOM_OPERATOR(op, hardmax){
    .name = "Hardmax",
    .versions = versions,
    .prepare = prepare,
    .compute = compute_hardmax,
    .kernels = find_best_kernels,
};
BROADLOOM_OPERATOR(op, log_softmax){
    .name = "LogSoftmax",
    .versions = versions,
    .prepare = prepare,
    .compute = compute_log_softmax,
    .kernels = softmax_kernels,
};
BROADLOOM_OPERATOR(op, softmax){
    .name = "Softmax",
    .versions = versions,
    .prepare = prepare,
    .compute = compute_softmax,
    .kernels = softmax_kernels,
};

}  // namespace broadloom
