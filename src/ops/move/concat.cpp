// Concat: joins tensors along an axis. ONNX: onnx/defs/tensor/defs.cc and old.cc, Concat.
#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/strided.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {{"axis", INT}};
constexpr AttributeSpec attributes_4[] = {required("axis", INT)};
constexpr Parameter inputs[] = {{"inputs", T, Variadic}};
constexpr Parameter outputs[] = {{"concat_result", T}};
constexpr Signature signature_1{attributes_1, inputs, outputs, {T}};
constexpr Signature signature_4{attributes_4, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},
    {4, &signature_4, {types::all_opset_1}},
    {11, &signature_4, {types::all_opset_1}},
    {13, &signature_4, {types::all_opset_13}},
};

// The default of version 1 is only in its text.
std::int64_t axis_of(const Call& call) { return call.attributes.find("axis") == nullptr ? 1 : call.integer("axis"); }

// The size of an axis that all inputs have.
Result<Size> common_size(std::size_t axis, Size a, Size b) {
  if (a == b || b.is_unknown()) return a;
  if (!a.is_number()) return b;
  if (!b.is_number()) return a;
  return fail(Code::InvalidArgument, "inputs have sizes {} and {} on axis {}, wanted equal ones", a, b, axis);
}

Status prepare(Call& call) {
  const Tensor& first = *call.inputs[0];
  const Tensor* ranked = nullptr;
  for (const Tensor* input : call.inputs) {
    if (input->is_ranked() && ranked == nullptr) ranked = input;
  }
  if (ranked == nullptr) return {};
  const std::size_t rank = ranked->dims().size();
  BROADLOOM_TRY(axis, resolve_axis("axis", axis_of(call), rank));
  SymbolicDims dims = ranked->dims();
  dims[axis] = 0;
  for (const Tensor* input : call.inputs) {
    if (!input->is_ranked()) {
      dims[axis] = unknown_size;
      continue;
    }
    if (input->dims().size() != rank) {
      return fail(Code::InvalidArgument, "cannot concatenate {} and {}: wanted equally many axes", ranked->dims().values(),
                  input->dims().values());
    }
    for (std::size_t i = 0; i < rank; ++i) {
      if (i == axis) {
        dims[i] = call.sizes().add(dims[i], input->dims()[i]);
      } else {
        BROADLOOM_TRY(size, common_size(i, dims[i], input->dims()[i]));
        dims[i] = size;
      }
    }
  }
  call.outputs[0] = known_dims(first.dtype, dims);
  if (call.inputs.size() > 1) return {};
  BROADLOOM_TRY(shared, share(first));
  call.outputs[0] = std::move(shared);
  return {};
}

// Bytes between the parts of an output: what lies on the axis and on those behind it.
std::size_t pitch_of(const Tensor& output, std::size_t axis) {
  for (std::size_t outer = axis; outer-- > 0;) {
    if (output.run_dims()[outer] > 1) return in_memory(output.layout->strides[outer]) * item_size(output.dtype);
  }
  return dense_size(output);
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  BROADLOOM_TRY(axis, resolve_axis("axis", axis_of(call), output.dims().size()));
  const std::span<const std::int64_t> dims = output.run_dims();
  const auto item = item_size(output.dtype);
  const auto rows = in_memory(count_of(dims.first(axis)));
  const std::size_t pitch = rows == 0 ? 0 : pitch_of(output, axis);
  std::byte* to = output.data();
  for (const Tensor* input : call.inputs) {
    const std::size_t bytes = rows == 0 ? 0 : in_memory(input->count()) * item / rows;
    // The output may be the first input's elements with room behind them.
    const bool is_there = input->data() == to;
    if (is_there) to += bytes;
    if (bytes == 0 || is_there) continue;
    if (rows == 1) {
      BROADLOOM_CHECK(materialize_watched(to, input->data(), input->layout, item));
    } else {
      BROADLOOM_TRY(dense, densify(*input));
      BROADLOOM_CHECK(Watch::check(static_cast<double>(rows) * (2 + static_cast<double>(bytes) / 8)));
      copy_rows(to, pitch, dense.data(), bytes, bytes, rows);
    }
    to += bytes;
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, concat){
    .name = "Concat",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = all_inputs,
    .traits = {.is_identity_of_one = true},
};

}  // namespace broadloom
