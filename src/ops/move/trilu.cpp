// Trilu of ONNX and of com.microsoft: one triangle of each matrix, zeros in the other. ONNX: onnx/defs/tensor/defs.cc, Trilu;
// onnxruntime: docs/ContribOperators.md.
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "kernels/movement/strided.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("upper", INT, 1)};
constexpr Parameter inputs[] = {{"input", T}, Parameter::scalar("k", Dtype::int64, Optional)};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {{14, &signature, {types::all_opset_13}}};

constexpr Parameter microsoft_inputs[] = {{"X", T}, Parameter::scalar("k", Dtype::int64, Optional)};
constexpr Parameter microsoft_outputs[] = {{"Y", T}};
constexpr Signature microsoft_signature{attributes, microsoft_inputs, microsoft_outputs, {T}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {types::fixed_size | types::added_13}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_CHECK(read_integer(call, "k"));
  if (!input.is_ranked()) return {};
  if (input.dims().size() < 2) {
    return fail(Code::InvalidArgument, "input has dims {}, wanted two axes or more", input.dims().values());
  }
  call.outputs[0] = known_dims(input.dtype, input.dims());
  return {};
}

Status compute(Call& call) {
  const Tensor& input = *call.inputs[0];
  Tensor& output = call.outputs[0];
  const std::span<const std::int64_t> dims = output.run_dims();
  const std::size_t item = item_size(output.dtype);
  BROADLOOM_CHECK(materialize_watched(output.data(), input.data(), input.layout, item));
  if (output.count() == 0) return {};
  BROADLOOM_TRY(k, read_integer(call, "k"));
  const bool is_upper = call.integer("upper") != 0;
  const std::int64_t rows = dims[dims.size() - 2];
  const std::int64_t columns = dims[dims.size() - 1];
  // The column where the diagonal crosses a row. The lower triangle includes the diagonal.
  const std::int64_t diagonal = std::clamp(k.is_given ? k[0].number() : 0, -rows, columns) + (is_upper ? 0 : 1);
  const std::size_t pitch = in_memory(columns) * item;
  std::byte* row = output.data();
  const std::byte* end = row + dense_size(output);
  for (std::int64_t i = 0; row != end; row += pitch, i = i + 1 < rows ? i + 1 : 0) {
    const auto cut = in_memory(std::clamp<std::int64_t>(i + diagonal, 0, columns)) * item;
    is_upper ? std::memset(row, 0, cut) : std::memset(row + cut, 0, pitch - cut);
  }
  return {};
}

constexpr Operator operator_of(std::string_view domain, std::span<const OperatorVersion> its_versions) {
  return {.name = "Trilu",
          .domain = domain,
          .versions = its_versions,
          .prepare = prepare,
          .compute = compute,
          .data_movement_inputs = inputs_at({0})};
}

}  // namespace

BROADLOOM_OPERATOR(op, trilu) = operator_of("", versions);
BROADLOOM_OPERATOR(op::microsoft, trilu) = operator_of("com.microsoft", microsoft_versions);

}  // namespace broadloom
