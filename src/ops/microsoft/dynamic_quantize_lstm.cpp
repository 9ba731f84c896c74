// com.microsoft: DynamicQuantizeLSTM, an LSTM whose weights are quantised. Numbers that are multiplied by them are rounded to
// 256 levels first: the whole input, and the state of all of a batch in each step. onnxruntime: docs/ContribOperators.md.
//
// In the reverse direction, sequences of several lengths end together here, and begin together in onnxruntime. So in
// onnxruntime the states of such a batch share levels with the states of other steps.
#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/checks.h"
#include "ops/named_operators.h"
#include "ops/recurrent/recurrent.h"
#include "ops/recurrent/requantise.h"
#include "ops/row_tiles.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {{"activation_alpha", FLOATS},
                                        {"activation_beta", FLOATS},
                                        {"activations", STRINGS},
                                        {"clip", FLOAT},
                                        one_of("direction", "forward reverse bidirectional"),
                                        {"hidden_size", INT},
                                        with_default("input_forget", INT, 0)};
constexpr Parameter inputs[] = {{"X", T},
                                {"W", T2},
                                {"R", T2},
                                {"B", T, Optional},
                                {"sequence_lens", T1, Optional},
                                {"initial_h", T, Optional},
                                {"initial_c", T, Optional},
                                {"P", T, Optional},
                                {"W_scale", T},
                                {"W_zero_point", T2},
                                {"R_scale", T},
                                {"R_zero_point", T2}};
constexpr Parameter outputs[] = {{"Y", T, Optional}, {"Y_h", T, Optional}, {"Y_c", T, Optional}};
constexpr Signature signature{attributes, inputs, outputs, {T, T1, T2}};
constexpr OperatorVersion versions[] = {{1, &signature, {Dtype::float32, Dtype::int32, Dtype::int8 | Dtype::uint8}}};

using namespace recurrent_input;
constexpr std::size_t count_of_lstm = 8;  // its inputs
constexpr std::size_t first_scale = 8;    // of W, before its zero point, and those of R

// The matrices of each direction turned, as LSTM has them.
Tensor turned(const Tensor& weights, Dtype dtype) {
  if (!weights.is_ranked() || weights.dims().size() != 3) return {dtype, weights.layout};
  constexpr std::int64_t order[] = {0, 2, 1};
  return {dtype, transposed_layout(weights.layout, order)};
}

// The rounded input, row-major.
Tensor rounded_form(const Tensor& input) {
  Tensor form{Dtype::float32, input.layout};
  if (input.is_ranked() && are_numbers(input.dims())) form.layout = dense_layout(input.dims());
  return form;
}

// The call of LSTM, at first without elements of the input and of the weights.
constexpr std::int64_t opset_of_lstm = 7;

class LstmCall {
 public:
  explicit LstmCall(const Call& call)
      : x_(rounded_form(*call.inputs[x])),
        weights_{turned(*call.inputs[w], Dtype::float32), turned(*call.inputs[r], Dtype::float32)},
        inputs_{&x_,
                &weights_[0],
                &weights_[1],
                call.input(b),
                call.input(sequence_lens),
                call.input(initial_h),
                call.input(initial_c),
                call.input(p)},
        call_(call, op::lstm, inputs_, call.output_types, call.outputs, call.attributes, opset_of_lstm) {}
  InnerCall& call() { return call_; }

  // Numbers in the place of quantised weights.
  Status dequantise(const Call& call) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Tensor& weights = *call.inputs[w + i];
      BROADLOOM_TRY(bytes, densify(weights));
      BROADLOOM_TRY(numbers, make_tensor(Dtype::float32, bytes.dims()));
      Program program;
      const auto parameter = [&](std::size_t input) {
        const Tensor& given = *call.inputs[input];
        // One for each direction, or for each column of one.
        LayoutRef layout = uniform_layout(bytes.dims());
        layout.edit().strides[0] = given.layout->strides[0];
        if (given.dims().size() == 2) layout.edit().strides[2] = given.layout->strides[1];
        return converted(program, program.operand(given.dtype, given.data(), layout), Dtype::float32);
      };
      const Program::Value quantised =
          converted(program, program.operand(bytes.dtype, bytes.data(), bytes.layout), Dtype::float32);
      const Program::Value difference = program.apply(Operation::subtract, quantised, parameter(first_scale + 2 * i + 1));
      const Program::Value value = program.apply(Operation::multiply, difference, parameter(first_scale + 2 * i));
      BROADLOOM_CHECK(program.run(value, numbers.data(), in_memory(numbers.count())));
      Tensor view = turned(bytes, Dtype::float32);
      view.storage = numbers.storage;
      weights_[i] = std::move(view);
    }
    return {};
  }

  // Rounds the input: the steps up to the end of the longest sequence.
  Status requantise_input(const Call& call) {
    BROADLOOM_TRY(dense, densify(*call.inputs[x]));
    BROADLOOM_TRY(rounded, make_tensor(Dtype::float32, dense.dims()));
    const std::span<const std::int64_t> dims = dense.run_dims();
    std::int64_t steps = dims[0];
    if (const Tensor* lengths = call.input(sequence_lens); lengths != nullptr && lengths->count() > 0) {
      BROADLOOM_TRY(list, densify(*lengths));
      const auto* const first = reinterpret_cast<const std::int32_t*>(list.data());
      steps = std::clamp<std::int64_t>(*std::max_element(first, first + list.count()), 0, steps);
    }
    const auto count = in_memory(steps * dims[1] * dims[2]);
    const std::size_t bytes = count * sizeof(float);
    std::memset(rounded.data() + bytes, 0, dense_size(rounded) - bytes);
    if (count > 0) {
      Requantised input;
      BROADLOOM_CHECK(input.add(dense.data(), 1, count, count));
      BROADLOOM_CHECK(input.write(rounded.data(), dense.data(), count));
    }
    x_ = std::move(rounded);
    return {};
  }

 private:
  Tensor x_;
  Tensor weights_[2];
  const Tensor* inputs_[count_of_lstm];
  InnerCall call_;
};

RecurrentForm form_of(const Call& call) {
  RecurrentForm form = recurrent_form(call, RecurrentKind::lstm);
  form.requantises = true;
  return form;
}

Status prepare(Call& call) {
  for (std::size_t i = 0; i < 2; ++i) {
    BROADLOOM_CHECK(want_rank(call, w + i, 3));
    const Tensor& weights = *call.inputs[w + i];
    const Size directions = weights.is_ranked() ? weights.dims()[0] : unknown_size;
    const Size columns = weights.is_ranked() ? weights.dims()[2] : unknown_size;
    for (std::size_t k = first_scale + 2 * i; k < first_scale + 2 * i + 2; ++k) {
      const Tensor& parameter = *call.inputs[k];
      const bool is_of_columns = parameter.is_ranked() && parameter.dims().size() == 2;
      BROADLOOM_CHECK(is_of_columns ? want_dims(call, k, {directions, columns}) : want_dims(call, k, {directions}));
    }
  }
  return LstmCall(call).call().prepare();
}

Status run(const Call& call, ReadyCall& layer, std::byte* workspace, Finish*) {
  LstmCall lstm(call);
  if (call.packed == nullptr) BROADLOOM_CHECK(lstm.dequantise(call));
  BROADLOOM_CHECK(lstm.requantise_input(call));
  return lstm.call().run(layer, workspace);
}

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  const Tensor* const constants[] = {call.inputs[w],
                                     call.inputs[r],
                                     call.input(b),
                                     call.input(p),
                                     call.inputs[first_scale],
                                     call.inputs[first_scale + 1],
                                     call.inputs[first_scale + 2],
                                     call.inputs[first_scale + 3]};
  LstmCall lstm(call);
  if (packed != nullptr && are_constant(constants)) BROADLOOM_CHECK(lstm.dequantise(call));
  BROADLOOM_TRY(inner, lstm.call().checked());
  return around(ready_recurrent(*inner, form_of(*inner), constants, packed), run);
}

double work_of(const Call& call) { return LstmCall(call).call().extra_work(); }

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, dynamic_quantize_lstm){
    .name = "DynamicQuantizeLSTM",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of,
    .kernels = loops(Operation::subtract, Operation::multiply) | recurrent_kernels |
               folds(Operation::minimum, Operation::maximum) | loops(Operation::minimum, Operation::maximum),
    .calls = {&op::lstm},
};

}  // namespace broadloom
