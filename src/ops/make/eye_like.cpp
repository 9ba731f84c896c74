// EyeLike: ones on a diagonal of a matrix of zeros. ONNX: onnx/defs/generator/defs.cc and old.cc, EyeLike.
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {data_type("dtype", false), with_default("k", INT, 0)};
constexpr Parameter inputs[] = {{"input", T1}};
constexpr Parameter outputs[] = {{"output", T2}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr TypeSet types_22 = types::fixed_size | types::added_13;

constexpr OperatorVersion versions[] = {
    {9, &signature, {types::fixed_size, types::fixed_size}},
    {22, &signature, {types_22, types_22}},
};

Result<Dtype> output_type(const Attributes& attributes_given) {
  const std::optional<std::int64_t> dtype = attributes_given.find_int("dtype");
  return dtype ? *dtype_from_id(*dtype) : Dtype::undefined;
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (input.is_ranked() && input.dims().size() != 2) {
    return fail(Code::InvalidArgument, "input has dims {}, wanted two axes", input.dims().values());
  }
  call.outputs[0] = known_dims(call.output_types[0], input.is_ranked() ? input.dims() : SymbolicDims(2, unknown_size));
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  std::memset(output.data(), 0, dense_size(output));
  const float one = 1;
  std::byte bytes[8];
  convert(bytes, output.dtype, reinterpret_cast<const std::byte*>(&one), Dtype::float32, 1);
  const std::int64_t rows = output.run_dims()[0];
  const std::int64_t columns = output.run_dims()[1];
  const std::int64_t k = std::clamp(call.integer("k"), -rows, columns);
  const auto item = static_cast<std::int64_t>(item_size(output.dtype));
  const std::int64_t end = std::min(rows, columns - k);
  for (std::int64_t i = std::max<std::int64_t>(0, -k); i < end; ++i) {
    std::memcpy(output.data() + (i * columns + i + k) * item, bytes, in_memory(item));
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, eye_like){
    .name = "EyeLike",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
