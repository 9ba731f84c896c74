// BitCast: the same bits as another type of their size. ONNX: onnx/defs/tensor/defs.cc, BitCast.
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr AttributeSpec attributes[] = {data_type("to", true)};
constexpr Parameter inputs[] = {{"input", T1}};
constexpr Parameter outputs[] = {{"output", T2}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr TypeSet all = types::fixed_size | types::complex64 | types::complex128 | types::added_13 | types::added_19 |
                        types::added_21 | types::added_23 | types::added_24 | types::added_25;
constexpr OperatorVersion versions[] = {{26, &signature, {all, all}}};

Result<Dtype> output_type(const Attributes& call) { return *dtype_from_id(call.find("to")->value.integer); }

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Dtype dtype = call.output_types[0];
  if (input.dtype == Dtype::undefined) return {};
  if (info(input.dtype).bits != info(dtype).bits) {
    return fail(Code::InvalidArgument, "cannot cast the bits of {} to {}: their sizes differ", input.dtype, dtype);
  }
  if (!input.is_ranked()) return {};
  // The bytes of bools are 0 or 1: other bytes become 1. Before a run, an integer may be a symbolic size, which other types
  // cannot hold; and bits of another type may look like one.
  if (input.dtype != dtype && (dtype == Dtype::boolean || !call.is_run())) {
    call.outputs[0] = known_dims(dtype, input.dims());
    return {};
  }
  BROADLOOM_TRY(shared, share(input));
  shared.dtype = dtype;
  call.outputs[0] = std::move(shared);
  return {};
}

Status compute(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  if (call.outputs[0].dtype != Dtype::boolean) {
    // Constants that are folded before a run.
    if (input.count() != 0) std::memcpy(call.outputs[0].data(), input.data(), dense_size(input));
    return {};
  }
  const auto count = in_memory(input.count());
  for (std::size_t i = 0; i < count; ++i) call.outputs[0].data()[i] = std::byte{input.data()[i] != std::byte{0}};
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, bit_cast){
    .name = "BitCast",
    .versions = versions,
    .output_type = output_type,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
