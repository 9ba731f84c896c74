// RNN, GRU and LSTM. ONNX: onnx/defs/rnn/defs.cc and old.cc.
#include "ops/recurrent/recurrent.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/packed_operands.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;
using Kind = RecurrentKind;

// ---- Schemas ----

constexpr Parameter inputs[] = {{"X", T},
                                {"W", T},
                                {"R", T},
                                {"B", T, Optional},
                                {"sequence_lens", T1, Optional},
                                {"initial_h", T, Optional},
                                {"initial_c", T, Optional},
                                {"P", T, Optional}};
constexpr Parameter outputs[] = {{"Y", T, Optional}, {"Y_h", T, Optional}, {"Y_c", T, Optional}};
constexpr Parameter outputs_gru_1[] = {{"Y", T, Optional}, {"Y_h", T}};
constexpr auto inputs_of_lstm = std::span(inputs);
constexpr auto inputs_of_others = std::span(inputs).first<6>();
constexpr auto outputs_of_lstm = std::span(outputs);
constexpr auto outputs_of_others = std::span(outputs).first<2>();

constexpr AttributeSpec alpha{"activation_alpha", FLOATS};
constexpr AttributeSpec beta{"activation_beta", FLOATS};
constexpr AttributeSpec functions{"activations", STRINGS};
constexpr AttributeSpec clip{"clip", FLOAT};
constexpr AttributeSpec direction = one_of("direction", "forward reverse bidirectional");
// The first text of these operators has the default misspelled.
constexpr AttributeSpec misspelled = one_of("direction", "foward forward reverse bidirectional");
constexpr AttributeSpec hidden_size{"hidden_size", INT};
constexpr AttributeSpec layout = with_default("layout", INT, 0);
constexpr AttributeSpec output_sequence = with_default("output_sequence", INT, 0);
constexpr AttributeSpec input_forget = with_default("input_forget", INT, 0);
constexpr AttributeSpec linear_first = with_default("linear_before_reset", INT, 0);

// Versions have parts of these.
constexpr AttributeSpec gru_attributes[] = {output_sequence, alpha,       beta,         functions, clip,
                                            direction,       hidden_size, linear_first, layout};
constexpr AttributeSpec gru_attributes_1[] = {output_sequence, alpha, beta, functions, clip, misspelled, hidden_size};
constexpr AttributeSpec lstm_attributes[] = {output_sequence, alpha,       beta,         functions, clip,
                                             direction,       hidden_size, input_forget, layout};
constexpr AttributeSpec rnn_attributes_14[] = {alpha, beta, functions, clip, direction, hidden_size, layout};

constexpr Signature others(std::span<const AttributeSpec> attributes) {
  return {attributes, inputs_of_others, outputs_of_others, {T, T1}};
}
constexpr Signature lstm(std::span<const AttributeSpec> attributes) {
  return {attributes, inputs_of_lstm, outputs_of_lstm, {T, T1}};
}
constexpr Signature rnn_1 = others(std::span(gru_attributes).first<7>());
constexpr Signature rnn_7 = others(std::span(rnn_attributes_14).first<6>());
constexpr Signature rnn_14 = others(rnn_attributes_14);
constexpr Signature gru_1{gru_attributes_1, inputs_of_others, outputs_gru_1, {T, T1}};
constexpr Signature gru_3 = others(std::span(gru_attributes).first<8>());
constexpr Signature gru_7 = others(std::span(gru_attributes).subspan<1, 7>());
constexpr Signature gru_14 = others(std::span(gru_attributes).subspan<1>());
constexpr Signature lstm_1 = lstm(std::span(lstm_attributes).first<8>());
constexpr Signature lstm_7 = lstm(std::span(lstm_attributes).subspan<1, 7>());
constexpr Signature lstm_14 = lstm(std::span(lstm_attributes).subspan<1>());

constexpr OperatorVersion version(std::int32_t since, const Signature& signature) {
  return {since, &signature, {since < 22 ? types::floats : types::floats | types::added_13, TypeSet(Dtype::int32)}};
}
constexpr OperatorVersion rnn_versions[] = {version(1, rnn_1), version(7, rnn_7), version(14, rnn_14), version(22, rnn_14)};
constexpr OperatorVersion gru_versions[] = {version(1, gru_1), version(3, gru_3), version(7, gru_7), version(14, gru_14),
                                            version(22, gru_14)};
constexpr OperatorVersion lstm_versions[] = {version(1, lstm_1), version(7, lstm_7), version(14, lstm_14),
                                             version(22, lstm_14)};

// ---- Dims ----

constexpr Activation::Kind default_functions[][3] = {
    {Activation::Kind::tanh},
    {Activation::Kind::sigmoid, Activation::Kind::tanh},
    {Activation::Kind::sigmoid, Activation::Kind::tanh, Activation::Kind::tanh}};

// Sizes have letters: directions, time steps, batch, input size, hidden size, rows of W and R, entries of B and of P.
constexpr std::string_view letters = "DTBIHRVP";
// The dims of the inputs and of the outputs, for each layout.
constexpr std::string_view input_dims[][8] = {{"TBI", "DRI", "DRH", "DV", "B", "DBH", "DBH", "DP"},
                                              {"BTI", "DRI", "DRH", "DV", "B", "BDH", "BDH", "DP"}};
constexpr std::string_view output_dims[][3] = {{"TDBH", "DBH", "DBH"}, {"BTDH", "BDH", "BDH"}};

class NamedSizes {
 public:
  NamedSizes() { std::fill(std::begin(sizes_), std::end(sizes_), unknown_size); }
  Size& operator[](char letter) { return sizes_[letters.find(letter)]; }
  SymbolicDims dims(std::string_view of) {
    SymbolicDims dims(of.size(), unknown_size);
    for (std::size_t i = 0; i < of.size(); ++i) dims[i] = (*this)[of[i]];
    return dims;
  }

 private:
  Size sizes_[letters.size()];
};

// Takes the sizes from an input that has not been checked. Fails if it is known to have another rank.
Status take_sizes(NamedSizes& sizes, const Call& call, std::size_t i, std::string_view names) {
  const Tensor& input = *call.inputs[i];
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  if (dims.size() != names.size()) {
    return impossible("{} has dims {}, wanted {} axes", call.version.inputs()[i].name, dims.values(), names.size());
  }
  for (std::size_t axis = 0; axis < names.size(); ++axis) sizes[names[axis]] = dims[axis];
  return {};
}

// Reads the attributes and checks the inputs.
Result<RecurrentForm> read_form(const Call& call, Kind kind, NamedSizes& sizes) {
  RecurrentForm form{};
  form.kind = kind;
  const std::string_view word = call.word("direction");
  form.directions = word == "bidirectional" ? 2 : 1;
  form.is_reverse = word == "reverse";
  const auto number = place_of(kind);
  BROADLOOM_CHECK(
      read_activations(form.activations, call, std::span(default_functions[number]).first(number + 1), form.directions));
  if (const Attribute* given = call.attributes.find("clip")) {
    form.clip = given->value.number;
    if (!(*form.clip >= 0)) return fail(Code::InvalidArgument, "attribute 'clip' is {}, wanted 0 or more", *form.clip);
  }
  const std::int64_t order = call.integer("layout");
  if (order != 0 && order != 1) return fail(Code::InvalidArgument, "attribute 'layout' is {}, wanted 0 or 1", order);
  form.is_batch_first = order == 1;
  form.is_linear_first = call.integer("linear_before_reset") != 0;
  form.couples_forget_gate = call.integer("input_forget") != 0;

  using namespace recurrent_input;
  const auto& names = input_dims[form.is_batch_first ? 1 : 0];
  BROADLOOM_CHECK(take_sizes(sizes, call, r, names[r]));
  BROADLOOM_CHECK(take_sizes(sizes, call, x, names[x]));
  if (const auto given = call.attributes.find_int("hidden_size")) {
    if (*given < 0 || differ(sizes['H'], Size(*given))) {
      return impossible("attribute 'hidden_size' is {}, the last size of R is {}", *given, sizes['H']);
    }
    sizes['H'] = Size(*given);
  }
  sizes['D'] = Size(static_cast<std::int64_t>(form.directions));
  const auto rows = [&](std::size_t count) {
    return call.sizes().multiply(Size(static_cast<std::int64_t>(count)), sizes['H']);
  };
  sizes['R'] = rows(form.gates());
  sizes['V'] = rows(2 * form.gates());
  sizes['P'] = rows(3);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor* input = call.inputs[i];
    if (input == nullptr || !input->is_ranked()) continue;
    const SymbolicDims wanted = sizes.dims(names[i]);
    const SymbolicDims& dims = input->dims();
    const bool fits =
        std::equal(dims.begin(), dims.end(), wanted.begin(), wanted.end(), [](Size a, Size b) { return !differ(a, b); });
    if (!fits) {
      return impossible("{} has dims {}, wanted {}", call.version.inputs()[i].name, dims.values(), wanted.values());
    }
  }
  return form;
}

Status prepare(Call& call, Kind kind) {
  NamedSizes sizes;
  BROADLOOM_TRY(form, read_form(call, kind, sizes));
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    call.outputs[i] = known_dims(call.output_types[i], sizes.dims(output_dims[form.is_batch_first ? 1 : 0][i]));
  }
  return {};
}

// ---- Runs ----

}  // namespace

RecurrentForm recurrent_form(const Call& call, Kind kind) {
  NamedSizes sizes;
  RecurrentForm form = *read_form(call, kind, sizes);
  const auto number = [&](char letter) { return in_memory(sizes[letter].number()); };
  form.steps = number('T');
  form.batch = number('B');
  form.input = number('I');
  form.hidden = number('H');
  return form;
}

bool are_constant(std::span<const Tensor* const> tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const Tensor* tensor) {
    return tensor == nullptr || (tensor->has_elements() && is_dense(tensor->layout));
  });
}

Result<Ready> ready_recurrent(const Call& call, const RecurrentForm& form, std::span<const Tensor* const> constants,
                              PackedOperands* packed) {
  const Dims key{static_cast<std::int64_t>(form.kind), form.is_linear_first ? 1 : 0, static_cast<std::int64_t>(form.input),
                 static_cast<std::int64_t>(form.hidden), static_cast<std::int64_t>(form.directions)};
  const bool is_packed = packed != nullptr && are_constant(constants);
  auto layer = std::make_unique<RecurrentLayer>(call, form, is_packed);
  Ready ready;
  if (is_packed) {
    BROADLOOM_TRY(weights, packed->pack(PackedOperands::Kind::recurrent, constants, key, layer->packed_bytes(),
                                        [&](std::byte* to) { return layer->pack(call, to); }));
    ready.packed = std::move(weights);
    using namespace recurrent_input;
    if (constants[0] == call.inputs[w] && fills_storage(*call.inputs[w]) && fills_storage(*call.inputs[r])) {
      ready.substitute = layer->substitute(ready.packed, w);
      ready.next = layer->substitute(ready.packed, r);
    }
  }
  ready.call = std::move(layer);
  return std::move(ready);
}

namespace {

Result<Ready> ready(const Call& call, PackedOperands* packed, Kind kind) {
  using namespace recurrent_input;
  const Tensor* const constants[] = {call.input(w), call.input(r), call.input(b), call.input(p)};
  return ready_recurrent(call, recurrent_form(call, kind), constants, packed);
}

double work_of(const Call& call) {
  const Tensor& x = *call.inputs[0];
  const Tensor& w = *call.inputs[1];
  const Tensor& r = *call.inputs[2];
  if (x.dims()[2] == 0 || r.dims()[2] == 0) return 0;
  const double rows = static_cast<double>(x.count()) / static_cast<double>(x.dims()[2].number());
  return rows * (static_cast<double>(w.count()) + static_cast<double>(r.count()));
}

template <Kind kind>
Result<Ready> ready(const Call& call, PackedOperands* packed) {
  return ready(call, packed, kind);
}

template <Kind kind>
constexpr Operator operator_of(std::string_view name, std::span<const OperatorVersion> versions) {
  return {
      .name = name,
      .versions = versions,
      .prepare = [](Call& call) { return prepare(call, kind); },
      .compute = run_once<ready<kind>>,
      .ready = ready<kind>,
      .extra_work = work_of,
      .kernels = recurrent_kernels,
  };
}

}  // namespace

BROADLOOM_OPERATOR(op, gru) = operator_of<Kind::gru>("GRU", gru_versions);
BROADLOOM_OPERATOR(op, lstm) = operator_of<Kind::lstm>("LSTM", lstm_versions);
BROADLOOM_OPERATOR(op, rnn) = operator_of<Kind::rnn>("RNN", rnn_versions);

}  // namespace broadloom
