// GlobalAveragePool and GlobalMaxPool: each channel of an image becomes one element. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/reduce/reduced.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;
using Before = Reduction::Before;
using After = Reduction::After;

constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{{}, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::floats}}, {22, &signature, {types::floats_13}}};

constexpr Reduction mean_of{Operation::add, Before::nothing, After::mean};
constexpr Reduction greatest{Operation::maximum};

Status prepare(Call& call) {
  const Tensor& image = *call.inputs[0];
  if (!image.is_ranked()) return {};
  const std::span<const Size> x = image.dims().values();
  if (x.size() < 2) return impossible("an image has {} ax{i}s, wanted [N, C, ...]", x.size());
  SymbolicDims dims(x.size(), 1);
  dims[0] = x[0];
  dims[1] = x[1];
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

AxisSet axes_of(const Call& call) {
  AxisSet axes;
  for (std::size_t i = 2; i < call.inputs[0]->dims().size(); ++i) axes.set(i);
  return axes;
}

template <const Reduction& reduction>
Status compute(Call& call) {
  return reduce_axes(call.outputs[0], *call.inputs[0], reduction, axes_of(call));
}
template <const Reduction& reduction>
Result<Ready> ready(const Call& call, PackedOperands*) {
  return ready_reduction(call, reduction, axes_of(call));
}

}  // namespace

BROADLOOM_OPERATOR(op, global_average_pool){
    .name = "GlobalAveragePool",
    .versions = versions,
    .prepare = prepare,
    .compute = compute<mean_of>,
    .ready = ready<mean_of>,
    .kernels = kernels_of(mean_of),
};
BROADLOOM_OPERATOR(op, global_max_pool){
    .name = "GlobalMaxPool",
    .versions = versions,
    .prepare = prepare,
    .compute = compute<greatest>,
    .ready = ready<greatest>,
    .kernels = kernels_of(greatest),
};

}  // namespace broadloom
