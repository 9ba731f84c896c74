// Signals and their spectra.
#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/foreign/windows.h"

namespace broadloom {

using namespace foreign;

namespace {

constexpr OperatorVersion dft_versions[] = {since(17), since(20)};

constexpr TypeSource output_datatype_or_float32[] = {of(float32).unless("output_datatype")};

void window(Call& call) { set(call, 0, {element(call, 0)}); }

// The number of frequencies of a real signal.
Size half_of(const Sizes& sizes, Size size) { return sizes.add(sizes.floor_divide(size, 2), 1); }

void mel_weights(Call& call) { set(call, 0, {half_of(call.sizes(), element(call, 1)), element(call, 0)}); }

void fourier(Call& call) {
  const SymbolicDims* input = dims_of(call, 0);
  if (input == nullptr || input->empty()) return;
  SymbolicDims dims = *input;
  const bool is_onesided = integer(call, "onesided") != 0;
  const bool is_inverse = integer(call, "inverse") != 0;
  const Size axis = call.version.since_version < 20 ? integer(call, "axis", 1) : is_given(call, 2) ? element(call, 2) : -2;
  const std::optional<std::size_t> place = axis_at(axis, dims.size());
  const bool has_length = is_given(call, 1);
  const Size length = element(call, 1);
  if (!place) {
    dims = SymbolicDims(dims.size(), unknown_size);
  } else if (has_length) {
    dims[*place] = length;
  }
  if (is_onesided && place) {
    const bool is_open = is_inverse && !has_length;
    if (!is_inverse) dims[*place] = half_of(call.sizes(), dims[*place]);
    if (is_open) dims[*place] = unknown_size;
  }
  set(call, 0, with_last(dims.values(), is_onesided && is_inverse ? 1 : 2));
}

void short_time_fourier(Call& call) {
  const Sizes sizes = call.sizes();
  const Size length = is_given(call, 3) ? element(call, 3) : size_of(call, 2, 0);
  const Size step = element(call, 1);
  Size frames = unknown_size;
  if (step.is_number() && step.number() > 0) frames = places(sizes, size_of(call, 0, 1), length, step, 0, 0, false);
  const Size frequencies = integer(call, "onesided", 1) != 0 ? half_of(sizes, length) : length;
  set(call, 0, {size_of(call, 0, 0), frames, frequencies, 2});
}

}  // namespace

constinit const Operator op::blackman_window = onnx_operator("BlackmanWindow", by<window>, output_datatype_or_float32);
constinit const Operator op::dft = onnx_operator("DFT", by<fourier>, first_input, {}, dft_versions);
constinit const Operator op::hamming_window = onnx_operator("HammingWindow", by<window>, output_datatype_or_float32);
constinit const Operator op::hann_window = onnx_operator("HannWindow", by<window>, output_datatype_or_float32);
constinit const Operator op::mel_weight_matrix = onnx_operator("MelWeightMatrix", by<mel_weights>, output_datatype_or_float32);
constinit const Operator op::stft = onnx_operator("STFT", by<short_time_fourier>, first_input);

}  // namespace broadloom
