// ReverseSequence: the beginning of each sequence of a batch in reverse order. ONNX: onnx/defs/tensor/defs.cc, ReverseSequence.
#include "core/count.h"
#include "core/text.h"
#include "kernels/movement/copy.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("batch_axis", INT, 1), with_default("time_axis", INT, 0)};
constexpr Parameter inputs[] = {{"input", T}, {"sequence_lens", Dtype::int64}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {{10, &signature, {types::all_opset_1}}};

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Tensor& lengths = *call.inputs[1];
  const std::int64_t batch = call.integer("batch_axis");
  const std::int64_t time = call.integer("time_axis");
  if ((batch != 0 && batch != 1) || time != 1 - batch) {
    return fail(Code::InvalidArgument, "batch_axis is {} and time_axis {}, wanted 0 and 1 or 1 and 0", batch, time);
  }
  if (!input.is_ranked()) return {};
  if (input.dims().size() < 2) {
    return fail(Code::InvalidArgument, "input has dims {}, wanted two axes or more", input.dims().values());
  }
  const Size count = input.dims()[in_memory(batch)];
  if (lengths.is_ranked()) {
    const SymbolicDims& dims = lengths.dims();
    if (dims.size() != 1 || differ(dims[0], count)) {
      return fail(Code::InvalidArgument, "sequence_lens has dims {}, wanted the batch's [{}]", dims.values(), count);
    }
  }
  call.outputs[0] = known_dims(input.dtype, input.dims());
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  const std::span<const std::int64_t> dims = output.run_dims();
  const bool is_time_first = call.integer("time_axis") == 0;
  const std::int64_t most = dims[is_time_first ? 0 : 1];
  BROADLOOM_TRY(lengths, densify(*call.inputs[1]));
  const auto* length = reinterpret_cast<const std::int64_t*>(lengths.data());
  const std::int64_t batches = lengths.count();
  for (std::int64_t i = 0; i < batches; ++i) {
    if (length[i] >= 0 && length[i] <= most) continue;
    return fail(Code::InvalidArgument, "sequence_lens has {} at {}, wanted 0 to {}", length[i], i, most);
  }
  if (output.count() == 0) return {};
  BROADLOOM_TRY(dense, densify(*call.inputs[0]));
  const std::size_t block = dense_size(output) / in_memory(dims[0]) / in_memory(dims[1]);
  std::byte* to = output.data();
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j, to += block) {
      const std::int64_t time = is_time_first ? i : j;
      const std::int64_t batch = is_time_first ? j : i;
      const std::int64_t source = time < length[batch] ? length[batch] - 1 - time : time;
      const std::int64_t place = is_time_first ? source * dims[1] + batch : batch * dims[1] + source;
      copy_bytes(to, dense.data() + place * static_cast<std::int64_t>(block), block);
    }
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, reverse_sequence){
    .name = "ReverseSequence",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({0}),
};

}  // namespace broadloom
