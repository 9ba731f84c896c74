// MeanVarianceNormalization and LpNormalization, over given axes. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include <limits>

#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/normalise/normalize.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec variance_attributes[] = {{"axes", INTS}};
constexpr Parameter variance_inputs[] = {{"X", T}};
constexpr Parameter variance_outputs[] = {{"Y", T}};
constexpr Signature variance_signature{variance_attributes, variance_inputs, variance_outputs, {T}};
constexpr OperatorVersion variance_versions[] = {{9, &variance_signature, {types::floats}},
                                                 {13, &variance_signature, {types::floats_13}}};
constexpr AttributeSpec norm_attributes[] = {with_default("axis", INT, -1), with_default("p", INT, 2)};
constexpr Parameter norm_inputs[] = {{"input", T}};
constexpr Parameter norm_outputs[] = {{"output", T}};
constexpr Signature norm_signature{norm_attributes, norm_inputs, norm_outputs, {T}};
constexpr OperatorVersion norm_versions[] = {{1, &norm_signature, {types::floats}}, {22, &norm_signature, {types::floats_13}}};

// An empty list of axes means all, as in ReduceMean, by which the text defines it.
Result<AxisSet> variance_axes(const Call& call, std::size_t rank) {
  constexpr std::int64_t usual[] = {0, 2, 3};
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (!axes.is_given) return resolve_axes("axes", usual, rank);
  Result<AxisSet> result = resolve_axes("axes", axes.numbers(), rank);
  for (std::size_t i = 0; axes.size() == 0 && i < rank; ++i) result->set(i);
  return result;
}

Status prepare_variance(Call& call) {
  if (call.inputs[0]->is_ranked()) BROADLOOM_CHECK(variance_axes(call, call.inputs[0]->dims().size()));
  return prepare_like_input(call);
}

Status compute_variance(Call& call) {
  const Dims dims(call.inputs[0]->run_dims());
  BROADLOOM_TRY(axes, variance_axes(call, dims.size()));
  Normalization how;
  how.is_root_first = true;
  how.epsilon = 1e-9;
  return normalize(call, dims.empty() ? Dims{1} : dims, axes, how);
}

Status prepare_norm(Call& call) {
  const std::int64_t p = call.integer("p");
  if (p != 1 && p != 2) return fail(Code::InvalidArgument, "'p' is {}, wanted 1 or 2", p);
  const Tensor& input = *call.inputs[0];
  if (input.is_ranked()) BROADLOOM_CHECK(resolve_axis("axis", call.integer("axis"), input.dims().size()));
  return prepare_like_input(call);
}

Status compute_norm(Call& call) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const auto axis = *resolve_axis("axis", call.integer("axis"), dims.size());
  Normalization how;
  how.has_mean = false;
  how.has_root = call.integer("p") == 2;
  how.is_root_first = true;
  how.norm = {Operation::add, how.has_root ? Reduction::Before::square : Reduction::Before::absolute};
  // A group of zeros stays zero, as in onnxruntime. The bound is too small to change other norms.
  const bool is_wide = call.inputs[0]->dtype == Dtype::float64;
  how.epsilon = is_wide ? std::numeric_limits<double>::min() : static_cast<double>(std::numeric_limits<float>::min());
  return normalize(call, three_axes(dims, axis, axis + 1), AxisSet(2), how);
}

}  // namespace

BROADLOOM_OPERATOR(op, lp_normalization){
    .name = "LpNormalization",
    .versions = norm_versions,
    .prepare = prepare_norm,
    .compute = compute_norm,
    .kernels = normalize_kernels | loops(Operation::absolute),
};
BROADLOOM_OPERATOR(op, mean_variance_normalization){
    .name = "MeanVarianceNormalization",
    .versions = variance_versions,
    .prepare = prepare_variance,
    .compute = compute_variance,
    .kernels = normalize_kernels,
};

}  // namespace broadloom
