// Dropout: the identity in inference. ONNX: onnx/defs/nn/defs.cc and old.cc, Dropout. Training, which needs random numbers,
// is refused.
#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/fill.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {
    {"consumed_inputs", INTS}, with_default("is_test", INT, 0), with_default("ratio", FLOAT, 0.5F)};
constexpr AttributeSpec attributes_6[] = {with_default("is_test", INT, 0), with_default("ratio", FLOAT, 0.5F)};
constexpr AttributeSpec attributes_7[] = {with_default("ratio", FLOAT, 0.5F)};
constexpr AttributeSpec attributes_12[] = {{"seed", INT}};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr Parameter inputs_12[] = {{"data", T}, {"ratio", T1, Optional}, {"training_mode", T2, Optional}};
constexpr Parameter outputs_1[] = {{"output", T}, {"mask", T, Optional}};
constexpr Parameter outputs_10[] = {{"output", T}, {"mask", T1, Optional}};
constexpr Parameter outputs_12[] = {{"output", T}, {"mask", T2, Optional}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs_1, {T}};
constexpr Signature signature_6{attributes_6, inputs_1, outputs_1, {T}};
constexpr Signature signature_7{attributes_7, inputs_1, outputs_1, {T}};
constexpr Signature signature_10{attributes_7, inputs_1, outputs_10, {T, T1}};
constexpr Signature signature_12{attributes_12, inputs_12, outputs_12, {T, T1, T2}};

constexpr TypeSet floats_22 = types::floats_13 | types::added_19;
constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},
    {6, &signature_6, {types::floats}},
    {7, &signature_7, {types::floats}},
    {10, &signature_10, {types::floats, types::boolean}},
    {12, &signature_12, {types::floats, types::floats, types::boolean}},
    {13, &signature_12, {types::floats_13, types::floats, types::boolean}},
    {22, &signature_12, {floats_22, floats_22, types::boolean}},
};

// Whether elements are dropped. Before a run, false unless that is known.
Result<bool> drops(const Call& call) {
  if (call.version.since_version < 7) return call.integer("is_test") == 0;
  const Tensor* mode = call.input(2);
  if (mode == nullptr || !mode->has_elements()) return false;
  if (mode->count() != 1) {
    return fail(Code::InvalidArgument, "input 'training_mode' has dims {}, wanted one element", mode->dims().values());
  }
  const Tensor* ratio = call.input(1);
  if (*mode->data() == std::byte{0} || ratio == nullptr || !ratio->has_elements() || ratio->count() != 1) {
    return *mode->data() != std::byte{0};
  }
  double number;
  convert(reinterpret_cast<std::byte*>(&number), Dtype::float64, ratio->data(), ratio->dtype, 1);
  return number != 0;
}

[[gnu::cold]] Failure no_training(const Call& call) {
  return fail(Code::InvalidArgument, "training is not supported: {}, and elements would be dropped at random",
              call.version.since_version < 7 ? "attribute 'is_test' is 0" : "input 'training_mode' is true");
}

void write_one(const Tensor& tensor) {
  const double one = 1;
  convert(tensor.data(), tensor.dtype, reinterpret_cast<const std::byte*>(&one), Dtype::float64, 1);
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(is_random, drops(call));
  if (is_random && call.is_run()) return no_training(call);
  if (!input.is_ranked()) return {};
  if (!is_random) {
    BROADLOOM_TRY(shared, share(input));
    call.outputs[0] = std::move(shared);
  } else {
    call.outputs[0] = known_dims(input.dtype, input.dims());
  }
  if (call.outputs.size() < 2) return {};
  call.outputs[1] = known_dims(call.output_types[1], input.dims());
  const Tensor* mode = call.input(2);
  const bool is_known = call.version.since_version < 12 || mode == nullptr || mode->has_elements();
  if (!call.is_run() || !is_known) return {};
  // One repeated element: nothing is dropped.
  BROADLOOM_TRY(element, make_tensor(call.output_types[1], {}));
  write_one(element);
  call.outputs[1].storage = std::move(element.storage);
  return {};
}

// Writes the mask: nothing is dropped. Fails in training, also before a run, where elements may be known.
Status compute(Call& call) {
  BROADLOOM_TRY(is_random, drops(call));
  if (is_random) return no_training(call);
  Tensor& mask = call.outputs[1];
  BROADLOOM_TRY(element, make_tensor(mask.dtype, {}));
  write_one(element);
  fill(mask.data(), element.data(), item_size(mask.dtype), in_memory(mask.count()));
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, dropout){
    .name = "Dropout",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .inputs_asked_for = inputs_at({1, 2}),
    .traits = {.is_random = true},
};

}  // namespace broadloom
