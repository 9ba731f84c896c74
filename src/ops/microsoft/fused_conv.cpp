// com.microsoft: FusedConv, a Conv that adds a tensor and applies an activation function. onnxruntime:
// docs/ContribOperators.md.
#include <optional>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/inner_call.h"
#include "ops/convolution/convolution.h"
#include "ops/elementwise.h"
#include "ops/named_operators.h"
#include "ops/recurrent/activations.h"

namespace broadloom {
namespace {

using enum TypeVariable;
using Kind = Activation::Kind;

constexpr Signature signature{fused_convolution_attributes, fused_convolution_inputs, convolution_outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::floats}}};

struct Function {
  std::string_view name;
  std::uint8_t parameters;
  std::optional<Kind> kind;  // none for Clip
};
constexpr Function functions[] = {{"Clip", 2, std::nullopt},          {"HardSigmoid", 2, Kind::hard_sigmoid},
                                  {"LeakyRelu", 1, Kind::leaky_relu}, {"Relu", 0, Kind::relu},
                                  {"Sigmoid", 0, Kind::sigmoid},      {"Tanh", 0, Kind::tanh}};

// nullptr without the attribute.
Result<const Function*> function_of(const Call& call) {
  const std::string_view name = call.word("activation");
  if (name.empty()) return nullptr;
  for (const Function& one : functions) {
    if (one.name != name) continue;
    const Tensor* given = call.attributes.find_tensor("activation_params");
    const std::int64_t count = given == nullptr ? 0 : given->count();
    if (one.parameters == 0 || count == one.parameters) return &one;
    return impossible("activation {} has {} activation_params, wanted {}", quoted(name), count, std::size_t{one.parameters});
  }
  return impossible("activation is {}, wanted Clip, HardSigmoid, LeakyRelu, Relu, Sigmoid or Tanh", quoted(name));
}

Formula activated(const Call& call, const Function& function, const Formula& x) {
  const float* numbers = nullptr;
  if (function.parameters > 0) {
    numbers = reinterpret_cast<const float*>(call.attributes.find_tensor("activation_params")->data());
  }
  if (!function.kind) return min(max(x, static_cast<double>(numbers[0])), static_cast<double>(numbers[1]));
  Activation activation{*function.kind};
  if (function.parameters > 0) activation.alpha = numbers[0];
  if (function.parameters > 1) activation.beta = numbers[1];
  return activation.of(x);
}

InnerCall conv_call(const Call& call) {
  const auto inputs_of_conv = call.inputs.first(std::min<std::size_t>(call.inputs.size(), 3));
  return {call, op::conv, inputs_of_conv, call.output_types, call.outputs, call.attributes};
}

Status prepare(Call& call) {
  BROADLOOM_CHECK(function_of(call));
  BROADLOOM_CHECK(conv_call(call).prepare());
  const Tensor& result = call.outputs[0];
  const Tensor* added = call.input(3);
  if (added != nullptr && added->is_ranked() && result.is_ranked()) {
    BROADLOOM_CHECK(equal_dims(result.dims(), added->dims()));
  }
  return {};
}

// Adds the steps after the Conv, whose result lies in the output. Its operands are the output and, if there is one, input 3.
Program::Value add_steps(const Call& call, const Function* function, Program& program) {
  const Tensor& output = call.outputs[0];
  Formula x(program, add_operand(program, output, output.dims()));
  if (const Tensor* added = call.input(3)) {
    // While a plan is made, only constants have elements.
    const std::byte* data = added->has_elements() ? added->data() : nullptr;
    x = x + Formula(program, program.operand(added->dtype, data, added->layout));
  }
  if (function != nullptr) x = activated(call, *function, x);
  if (!is_dense(output.layout)) program.transpose(order_of_axes(output.layout).values());
  return program.rounded(x.value());
}

// A Conv that was made ready, whose results get the steps while they are in the cache.
class ReadyFusedConv : public ReadyCall {
 public:
  ReadyFusedConv(std::unique_ptr<ReadyCall> conv, const Program& program, const Program::Value& value, std::int64_t count)
      : conv_(std::move(conv)), routine_(program, value, in_memory(count)) {}
  Count workspace_bytes() const override { return steps_bytes() + conv_->workspace_bytes(); }
  Status run(const Call& call, std::byte* workspace) override {
    routine_.place(0, call.outputs[0].data());
    if (const Tensor* added = call.input(3)) routine_.place(1, added->data());
    Finish& finish = routine_.begin(workspace);
    Status status = conv_->run_and_finish(call, workspace + in_memory(steps_bytes()), &finish);
    Routine::end(finish);
    return status;
  }

 private:
  // A multiple of the alignment.
  Count steps_bytes() const { return whole_vectors(routine_.workspace_bytes_of_parts()); }

  std::unique_ptr<ReadyCall> conv_;
  Routine routine_;
};

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  Result<Ready> conv = conv_call(call).ready(packed);
  BROADLOOM_TRY(function, function_of(call));
  if (!conv || (call.input(3) == nullptr && function == nullptr)) return conv;
  Program program;
  const Program::Value value = add_steps(call, function, program);
  conv->call = std::make_unique<ReadyFusedConv>(std::move(conv->call), program, value, call.outputs[0].count());
  return conv;
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, fused_conv){
    .name = "FusedConv",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_convolution,
    .kernels = activation_kernels,
    .calls = {&op::conv},
};

}  // namespace broadloom
