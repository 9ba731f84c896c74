// LRN: elements divided by a power of the sum of squares of their neighbours on the axis of channels. ONNX:
// onnx/defs/nn/defs.cc and old.cc.
#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "kernels/convolution/pool.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/formula.h"
#include "ops/row_tiles.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("alpha", FLOAT, 0.0001F), with_default("beta", FLOAT, 0.75F),
                                        with_default("bias", FLOAT, 1), required("size", INT)};
constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::floats}}, {13, &signature, {types::floats | types::added_13}}};

Status prepare(Call& call) {
  const Tensor& x = *call.inputs[0];
  const std::int64_t size = call.integer("size");
  if (size < 1) return impossible("attribute 'size' is {}, wanted 1 or more", size);
  if (x.is_ranked() && x.dims().size() < 2) return impossible("an image has {} ax{i}s, wanted [N, C, ...]", x.dims().size());
  return prepare_like_input(call);
}

Status compute(Call& call) {
  const Tensor& output = call.outputs[0];
  const auto count = in_memory(output.count());
  BROADLOOM_TRY(x, in_type(*call.inputs[0], accumulate_type_of(output.dtype).dtype));
  BROADLOOM_TRY(squares, make_tensor(x.dtype, x.dims()));
  BROADLOOM_TRY(sums, make_tensor(x.dtype, x.dims()));
  const auto operand = [&](Program& program, const Tensor& tensor) {
    return Formula(program, program.operand(tensor.dtype, tensor.data(), tensor.layout));
  };
  Program square;
  const Formula element = operand(square, x);
  BROADLOOM_CHECK(square.run((element * element).value(), squares.data(), count));

  // A pool along the channels, whose channels in turn are the elements of a plane.
  const std::span<const std::int64_t> dims = x.run_dims();
  const std::int64_t size = call.integer("size");
  const std::int64_t channels = dims[1];
  const std::int64_t plane = count_of(dims.subspan(2));
  const std::int64_t before = std::min((size - 1) / 2, channels);
  const std::int64_t after = std::min(size / 2, channels);
  LayoutRef images(SymbolicDims{dims[0], plane, channels});
  images.edit().strides = {channels * plane, 1, plane};
  SlidingAxes axes(1);
  axes[0] = {.size = channels, .kernel = before + 1 + after, .begin = before, .places = channels};
  const Pooling pool(Pooling::Kind::sum, x.dtype, std::move(axes), {}, images, false);
  BROADLOOM_TRY(workspace, Storage::allocate(pool.workspace_bytes()));
  BROADLOOM_CHECK(pool.run(sums.data(), squares.data(), workspace->data()));

  Program program;
  const double alpha = static_cast<double>(call.number("alpha")) / static_cast<double>(size);
  const Formula sum = operand(program, sums) * alpha + static_cast<double>(call.number("bias"));
  const float beta = call.number("beta");
  const Formula root = sum.apply(Operation::square_root);
  // The usual exponent: for 290,000 elements the power takes 27 ms, and two roots 1 ms.
  const Formula norm =
      beta == 0.75F ? root * root.apply(Operation::square_root) : sum.apply(Operation::power, static_cast<double>(beta));
  const Formula result = operand(program, x) / norm;
  return program.run(converted(program, result.value(), output.dtype), output.data(), count);
}

// About the number of elements of all windows.
double extra_work(const Call& call) {
  const Tensor& output = call.outputs[0];
  const auto most = static_cast<double>(output.run_dims()[1]);
  return static_cast<double>(output.count()) * std::min(static_cast<double>(call.integer("size")), most);
}

}  // namespace

BROADLOOM_OPERATOR(op, lrn){
    .name = "LRN",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = extra_work,
    .kernels = loops(Operation::add, Operation::multiply, Operation::divide, Operation::power, Operation::square_root),
};

}  // namespace broadloom
