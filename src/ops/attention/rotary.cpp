// RotaryEmbedding, also of com.microsoft. ONNX: onnx/defs/nn/defs.cc; onnxruntime: docs/ContribOperators.md.
#include "ops/attention/rotary.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/strided.h"
#include "kernels/products/scores.h"
#include "ops/attention/attend.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/like.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

// The time of a short row, for Watch::check.
constexpr double steps_of_row = 256;

}  // namespace

Status rotate(const Rotation& rotation) {
  const std::span<const std::int64_t> dims = rotation.from.run_dims();
  const std::span<const std::int64_t> from_strides = rotation.from.layout->strides.values();
  const std::span<const std::int64_t> to_strides = rotation.to.layout->strides.values();
  const auto item = static_cast<std::int64_t>(item_size(rotation.from.dtype));
  const auto size = in_memory(dims[3]);
  const std::int64_t half = rotation.rotated / 2;
  BROADLOOM_TRY(cosines, in_type(rotation.cosines, Dtype::float32));
  BROADLOOM_TRY(sines, in_type(rotation.sines, Dtype::float32));
  BROADLOOM_TRY(row, make_tensor(Dtype::float32, {dims[3]}));
  BROADLOOM_TRY(raw, make_tensor(rotation.from.dtype, {dims[3]}));
  Tensor positions;
  if (rotation.positions != nullptr) {
    BROADLOOM_TRY(dense, densify(*rotation.positions));
    positions = std::move(dense);
  }
  const std::int64_t count = half == 0 ? 0 : std::min(cosines.count(), sines.count()) / half;
  for (std::int64_t batch = 0; batch < dims[0]; ++batch) {
    for (std::int64_t i = 0; i < dims[2]; ++i) {
      BROADLOOM_CHECK(Watch::check(steps_of_row * static_cast<double>(dims[1])));
      std::int64_t position = batch * dims[2] + i;
      if (positions.has_elements()) {
        position = positions.count() == 1 ? size_at(positions, 0).number() + i : size_at(positions, position).number();
      }
      if (half > 0 && (position < 0 || position >= count)) {
        return fail(Code::InvalidArgument, "position {} is not one of the {} of the tables", position, count);
      }
      for (std::int64_t head = 0; head < dims[1]; ++head) {
        const std::int64_t at = batch * from_strides[0] + head * from_strides[1] + i * from_strides[2];
        materialize(raw.data(), rotation.from.data() + at * item, {SymbolicDims{dims[3]}, Dims{from_strides[3]}},
                    in_memory(item));
        convert(row.data(), Dtype::float32, raw.data(), raw.dtype, size);
        auto* const numbers = reinterpret_cast<float*>(row.data());
        rotate_pairs(numbers, numbers, reinterpret_cast<const float*>(cosines.data()) + position * half,
                     reinterpret_cast<const float*>(sines.data()) + position * half, in_memory(half), rotation.are_adjacent);
        const std::int64_t to = batch * to_strides[0] + head * to_strides[1] + i * to_strides[2];
        convert(rotation.to.data() + to * item, rotation.to.dtype, row.data(), Dtype::float32, size);
      }
    }
  }
  return {};
}

namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {
    with_default("interleaved", INT, 0), {"num_heads", INT}, with_default("rotary_embedding_dim", INT, 0)};
constexpr Parameter inputs[] = {{"X", T}, {"cos_cache", T}, {"sin_cache", T}, {"position_ids", M, Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T, M}};
constexpr OperatorVersion versions[] = {{23, &signature, {types::single_floats, Dtype::int64}}};

constexpr AttributeSpec microsoft_attributes[] = {
    with_default("interleaved", INT, 0), with_default("is_packed_batching", INT, 0), with_default("num_heads", INT, 0),
    with_default("rotary_embedding_dim", INT, 0), with_default("scale", FLOAT, 1)};
constexpr Parameter microsoft_inputs[] = {{"input", T}, {"position_ids", Dtype::int64}, {"cos_cache", T}, {"sin_cache", T}};
constexpr Parameter microsoft_outputs[] = {{"output", T}};
constexpr Signature microsoft_signature{microsoft_attributes, microsoft_inputs, microsoft_outputs, {T}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {types::single_floats}}};

// The inputs of either form.
struct Form {
  explicit Form(const Call& call)
      : is_microsoft(call.version.signature == &microsoft_signature),
        positions(call.input(is_microsoft ? 1 : 3)),
        cosines(*call.inputs[is_microsoft ? 2 : 1]),
        sines(*call.inputs[is_microsoft ? 3 : 2]) {}
  bool is_microsoft;
  const Tensor* positions;
  const Tensor& cosines;
  const Tensor& sines;
};

// The elements of a head; unknown_size if they are not known. com.microsoft takes the tables for whole heads where it has no
// number of heads.
Result<Size> head_size(const Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  if (dims.size() == 4) return dims[3];
  if (dims.size() != 3) return fail(Code::InvalidArgument, "the input has dims {}, wanted three or four axes", dims.values());
  const std::int64_t heads = call.integer("num_heads");
  const Form form(call);
  if (form.is_microsoft && heads == 0) {
    const bool is_known = form.cosines.is_ranked() && form.cosines.dims().size() == 2;
    return is_known ? call.sizes().multiply(form.cosines.dims()[1], 2) : unknown_size;
  }
  if (heads < 1 || (dims[2].is_number() && dims[2].number() % heads != 0)) {
    return fail(Code::InvalidArgument, "num_heads is {}, which does not divide the last of {}", heads, dims.values());
  }
  return call.sizes().floor_divide(dims[2], heads);
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  BROADLOOM_TRY(size, head_size(call));
  const Form form(call);
  if (form.is_microsoft && (call.integer("is_packed_batching") != 0 || call.number("scale") != 1)) {
    return fail(Code::InvalidArgument, "only is_packed_batching 0 and scale 1 are supported");
  }
  const std::int64_t given = call.integer("rotary_embedding_dim");
  const Size rotated = given == 0 ? size : Size(given);
  if (given < 0 ||
      (rotated.is_number() && (rotated.number() % 2 != 0 || (size.is_number() && rotated.number() > size.number())))) {
    return fail(Code::InvalidArgument, "{} elements of heads of {} cannot be rotated in pairs", rotated, size);
  }
  const auto divides = [](std::int64_t part, std::int64_t whole) { return part == 0 ? whole == 0 : whole % part == 0; };
  if (size.is_number() && dims.size() == 3 && dims[2].is_number() && !divides(size.number(), dims[2].number())) {
    return fail(Code::InvalidArgument, "the tables are for heads of {}, which do not divide the last of {}", size,
                dims.values());
  }
  const Size batch = dims[0];
  const Size length = dims[dims.size() == 4 ? 2 : 1];
  const Size half = call.sizes().floor_divide(rotated, 2);
  for (const Tensor* table : {&form.cosines, &form.sines}) {
    if (!table->is_ranked()) continue;
    const SymbolicDims& own = table->dims();
    const bool is_each = form.positions == nullptr;
    if (own.size() != (is_each ? 3U : 2U) || differ(own[own.size() - 1], half) ||
        (is_each && (differ(own[0], batch) || differ(own[1], length)))) {
      return fail(Code::InvalidArgument, "a table has dims {}, wanted {} with {} as the last", own.values(),
                  is_each ? "those of batch and length" : "two axes", half);
    }
  }
  if (form.cosines.is_ranked() && form.sines.is_ranked() && differ(form.cosines.dims()[0], form.sines.dims()[0])) {
    return fail(Code::InvalidArgument, "the tables have dims {} and {}, wanted the same", form.cosines.dims().values(),
                form.sines.dims().values());
  }
  if (form.positions != nullptr && form.positions->is_ranked()) {
    const SymbolicDims& own = form.positions->dims();
    const bool is_one = form.is_microsoft && own.size() <= 1 && (own.empty() || !differ(own[0], 1));
    if (!is_one && (own.size() != 2 || differ(own[0], batch) || differ(own[1], length))) {
      return fail(Code::InvalidArgument, "position_ids has dims {}, wanted [{}, {}]", own.values(), batch, length);
    }
  }
  return prepare_like_input(call);
}

Status compute(Call& call) {
  if (call.outputs[0].count() == 0) return {};
  const Form form(call);
  BROADLOOM_TRY(size, head_size(call));
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  Rotation rotation;
  rotation.from = *call.inputs[0];
  rotation.to = call.outputs[0];
  if (dims.size() == 3) {
    rotation.from = split_heads(rotation.from, dims[2] / size.number());
    rotation.to = split_heads(rotation.to, dims[2] / size.number());
  }
  rotation.cosines = form.cosines;
  rotation.sines = form.sines;
  rotation.positions = form.positions;
  const std::int64_t rotated = call.integer("rotary_embedding_dim");
  rotation.rotated = rotated == 0 ? size.number() : rotated;
  rotation.are_adjacent = call.integer("interleaved") != 0;
  return rotate(rotation);
}

}  // namespace

BROADLOOM_OPERATOR(op, rotary_embedding){
    .name = "RotaryEmbedding",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};
BROADLOOM_OPERATOR(op::microsoft, rotary_embedding){
    .name = "RotaryEmbedding",
    .domain = "com.microsoft",
    .versions = microsoft_versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
