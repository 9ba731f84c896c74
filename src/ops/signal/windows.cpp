// HannWindow, HammingWindow, BlackmanWindow and MelWeightMatrix. ONNX: onnx/defs/math/defs.cc.
//
// They are computed in float64 and rounded once, or cut off to integers.
#include "kernels/fourier/windows.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr TypeSet results = types::integers | types::floats_13;
constexpr AttributeSpec output_datatype{
    .name = "output_datatype", .type = INT, .is_data_type = true, .default_number = static_cast<float>(Dtype::float32)};
constexpr AttributeSpec attributes[] = {output_datatype, with_default("periodic", INT, 1)};
constexpr Parameter window_inputs[] = {{"size", T1}};
constexpr Parameter window_outputs[] = {{"output", T2}};
constexpr Signature window_signature{attributes, window_inputs, window_outputs, {T1, T2}};
constexpr OperatorVersion window_version{17, &window_signature, {types::indices, results}};
constexpr OperatorVersion window_versions[] = {window_version, window_version, window_version};
constexpr Parameter mel_inputs[] = {
    {"num_mel_bins", T1}, {"dft_length", T1}, {"sample_rate", T1}, {"lower_edge_hertz", T2}, {"upper_edge_hertz", T2}};
constexpr Parameter mel_outputs[] = {{"output", T3}};
constexpr Signature mel_signature{std::span(attributes).first<1>(), mel_inputs, mel_outputs, {T1, T2, T3}};
constexpr OperatorVersion mel_versions[] = {{17, &mel_signature, {types::indices, types::floats_13, results}}};

Result<Dtype> output_type(const Attributes& given) {
  return *dtype_from_id(given.find_int("output_datatype").value_or(static_cast<int>(Dtype::float32)));
}

// An integer of at least 1; unknown_size before it is known.
Result<Size> positive(const Call& call, std::string_view name) {
  BROADLOOM_TRY(list, read_integer(call, name));
  const Size size = list.has_length ? list[0] : unknown_size;
  if (!size.is_number() || size.number() >= 1) return size;
  return fail(Code::InvalidArgument, "{} is {}, wanted 1 or more", quoted(name), size);
}

Status prepare_window(Call& call) {
  BROADLOOM_TRY(size, positive(call, "size"));
  call.outputs[0] = known_dims(call.output_types[0], {size});
  return {};
}

// Each operator has a version of its own, which tells its window.
constexpr CosineWindow windows[] = {{0.42, 0.5, 0.08}, {25.0 / 46, 21.0 / 46, 0}, {0.5, 0.5, 0}};

Status compute_window(Call& call) {
  Tensor& output = call.outputs[0];
  const auto size = static_cast<std::uint64_t>(output.count());
  // A symmetric window of one number has no period.
  const std::uint64_t period = call.integer("periodic") != 0 ? size : std::max<std::uint64_t>(size - 1, 1);
  return write_window(output.data(), output.dtype, in_memory(size), period, windows[&call.version - window_versions]);
}

constexpr Operator window_operator(std::string_view name, std::size_t window) {
  return {.name = name,
          .versions = std::span(window_versions).subspan(window, 1),
          .output_type = output_type,
          .prepare = prepare_window,
          .compute = compute_window,
          .inputs_asked_for = inputs_at({0})};
}

// ---- MelWeightMatrix ----

Status prepare_mel(Call& call) {
  BROADLOOM_TRY(bands, positive(call, "num_mel_bins"));
  BROADLOOM_TRY(length, positive(call, "dft_length"));
  BROADLOOM_CHECK(positive(call, "sample_rate"));
  for (std::size_t i = 3; i < 5; ++i) {
    const Tensor& edge = *call.inputs[i];
    if (!edge.is_ranked() || !are_numbers(edge.dims()) || edge.count() == 1) continue;
    return fail(Code::InvalidArgument, "{} has dims {}, wanted one element", quoted(mel_inputs[i].name), edge.dims().values());
  }
  const Sizes sizes = call.sizes();
  call.outputs[0] = known_dims(call.output_types[0], {sizes.add(sizes.floor_divide(length, 2), 1), bands});
  return {};
}

double number_in(const Tensor& tensor) {
  double number;
  convert(reinterpret_cast<std::byte*>(&number), Dtype::float64, tensor.data(), tensor.dtype, 1);
  return number;
}

Status compute_mel(Call& call) {
  Tensor& output = call.outputs[0];
  const std::int64_t rows = output.run_dims()[0];
  const std::int64_t bands = output.run_dims()[1];
  BROADLOOM_TRY(length, positive(call, "dft_length"));
  BROADLOOM_TRY(rate, positive(call, "sample_rate"));
  const double lower = number_in(*call.inputs[3]);
  const double upper = number_in(*call.inputs[4]);
  const MelBands mel(bands, length.number(), rate.number(), lower, upper);
  const double last = mel.corner(bands);
  const bool are_in = mel.corner(0) >= 0 && upper >= lower && last < static_cast<double>(rows);
  if (!are_in || mel.corner(bands + 1) > static_cast<double>(rows)) {
    return fail(Code::InvalidArgument, "the bands from {} to {} Hz do not lie in the spectrum, from 0 to {} Hz", lower, upper,
                static_cast<double>(rate.number()) / 2);
  }
  return mel.write(output.data(), output.dtype, rows);
}

}  // namespace

BROADLOOM_OPERATOR(op, blackman_window) = window_operator("BlackmanWindow", 0);
BROADLOOM_OPERATOR(op, hamming_window) = window_operator("HammingWindow", 1);
BROADLOOM_OPERATOR(op, hann_window) = window_operator("HannWindow", 2);
BROADLOOM_OPERATOR(op, mel_weight_matrix){
    .name = "MelWeightMatrix",
    .versions = mel_versions,
    .output_type = output_type,
    .prepare = prepare_mel,
    .compute = compute_mel,
    .inputs_asked_for = inputs_at({0, 1, 2}),
};

}  // namespace broadloom
