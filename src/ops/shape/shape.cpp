// Shape: the dims of a tensor, as a tensor. ONNX: onnx/defs/tensor/defs.cc and old.cc, Shape.
#include <algorithm>

#include "core/count.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr AttributeSpec slice[] = {{"end", AttributeType::INT}, with_default("start", AttributeType::INT, 0)};
constexpr Parameter inputs[] = {{"data", T}};
constexpr Parameter outputs[] = {{"shape", T1}};

constexpr Signature whole{{}, inputs, outputs, {T, T1}};
constexpr Signature sliced{slice, inputs, outputs, {T, T1}};

constexpr OperatorVersion row(int since, const Signature& signature, TypeSet types) {
  return {since, &signature, {types, Dtype::int64}};
}

constexpr OperatorVersion versions[] = {row(1, whole, types::all_opset_1),    row(13, whole, types::all_opset_13),
                                        row(15, sliced, types::all_opset_13), row(19, sliced, types::all_opset_19),
                                        row(21, sliced, types::all_opset_21), row(23, sliced, types::all_opset_23),
                                        row(24, sliced, types::all_opset_24), row(25, sliced, types::all_opset_25)};

// A bound of the slice: a negative one counts from the end, then it is clamped.
std::int64_t resolve(std::int64_t bound, std::int64_t rank) {
  return std::clamp<std::int64_t>(bound < 0 ? bound + rank : bound, 0, rank);
}

Status prepare(Call& call) {
  if (!call.inputs[0]->is_ranked()) {
    call.outputs[0] = {Dtype::int64, uniform_layout({unknown_size})};
    return {};
  }
  const std::span<const Size> dims = call.inputs[0]->dims();
  const auto rank = static_cast<std::int64_t>(dims.size());
  const std::int64_t start = resolve(call.attributes.find_int("start").value_or(0), rank);
  const std::int64_t end = resolve(call.attributes.find_int("end").value_or(rank), rank);
  const std::int64_t length = std::max<std::int64_t>(end - start, 0);
  BROADLOOM_TRY(tensor, make_vector(dims.subspan(in_memory(start), in_memory(length))));
  call.outputs[0] = std::move(tensor);
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, shape){
    .name = "Shape",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
