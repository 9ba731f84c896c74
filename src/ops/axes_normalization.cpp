// MeanVarianceNormalization and LpNormalization: over axes that are told. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include "core/text.h"
#include "ops/dense.h"
#include "ops/normalize.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;
using Value = Program::Value;
using Before = Reduction::Before;
using After = Reduction::After;

constexpr AttributeSpec variance_attributes[] = {{"axes", INTS}};
constexpr Parameter variance_inputs[] = {{"X", T}};
constexpr Parameter variance_outputs[] = {{"Y", T}};
constexpr Signature variance_signature{variance_attributes, variance_inputs, variance_outputs, {T}};
constexpr OperatorVersion variance_versions[] = {{9, &variance_signature, {types::floats}},
                                                 {13, &variance_signature, {normalized_types}}};
constexpr AttributeSpec norm_attributes[] = {with_default("axis", INT, -1), with_default("p", INT, 2)};
constexpr Parameter norm_inputs[] = {{"input", T}};
constexpr Parameter norm_outputs[] = {{"output", T}};
constexpr Signature norm_signature{norm_attributes, norm_inputs, norm_outputs, {T}};
constexpr OperatorVersion norm_versions[] = {{1, &norm_signature, {types::floats}}, {22, &norm_signature, {normalized_types}}};

// An empty list of axes stands for all of them, as in ReduceMean, of which the text makes it.
Result<AxisSet> variance_axes(const Call& call, std::size_t rank) {
  constexpr std::int64_t usual[] = {0, 2, 3};
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (!axes.is_given) return resolve_axes("axes", usual, rank);
  Result<AxisSet> result = resolve_axes("axes", axes.values, rank);
  for (std::size_t i = 0; axes.size() == 0 && i < rank; ++i) result->set(i);
  return result;
}

Status prepare_variance(Call& call) {
  if (call.inputs[0]->is_ranked()) BROADLOOM_CHECK(variance_axes(call, call.inputs[0]->dims().size()));
  return prepare_like_input(call);
}

Status compute_variance(Call& call) {
  const Dims& given = call.inputs[0]->dims();
  BROADLOOM_TRY(axes, variance_axes(call, given.size()));
  Dims dims(given.size() + 1, 1);
  std::copy(given.begin(), given.end(), dims.begin() + 1);
  return normalize(call, dims, axes << 1, {true, true, 1e-9});
}

Status prepare_norm(Call& call) {
  const std::int64_t p = call.integer("p");
  if (p != 1 && p != 2) return fail(Code::InvalidArgument, "'p' is {}, wanted 1 or 2", p);
  const Tensor& input = *call.inputs[0];
  if (input.is_ranked()) BROADLOOM_CHECK(resolve_axis("axis", call.integer("axis"), input.dims().size()));
  return prepare_like_input(call);
}

Status compute_norm(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  Tensor& output = call.outputs[0];
  const std::span<const std::int64_t> given = input.dims().values();
  const auto axis = *resolve_axis("axis", call.integer("axis"), given.size());
  const bool is_sum = call.integer("p") == 1;
  const Reduction norm{Operation::add, is_sum ? Before::absolute : Before::square,
                       is_sum ? After::nothing : After::square_root};
  Parts parts(input, {count_of(given.first(axis)), given[axis], count_of(given.subspan(axis + 1))}, AxisSet(2));
  BROADLOOM_CHECK(parts.allocate(1));
  while (parts.next()) {
    parts.reduce(0, norm);
    const Dtype wide = parts.statistics_type();
    Program program;
    const Value divisor = parts.statistic(program, 0, wide);
    // Elements that are all 0 stay so, as in onnxruntime.
    const Value is_zero = program.apply(Operation::equal, divisor, program.constant(0, divisor));
    const Value safe = program.select(is_zero, program.constant(1, divisor), divisor);
    const Value value = program.apply(Operation::divide, parts.elements(program, wide), safe);
    BROADLOOM_CHECK(program.run(converted(program, value, output.dtype), parts.place_in(output), parts.count()));
  }
  return {};
}

}  // namespace

constinit const Operator op::lp_normalization{"LpNormalization", norm_versions, nullptr, prepare_norm, compute_norm};
constinit const Operator op::mean_variance_normalization{"MeanVarianceNormalization", variance_versions, nullptr,
                                                         prepare_variance, compute_variance};

}  // namespace broadloom
