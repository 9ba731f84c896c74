// DFT and STFT. ONNX: onnx/defs/math/defs.cc and old.cc, DFT and STFT.
//
// float16 and bfloat16 are computed in float32 and rounded once.
#include "kernels/fourier/fourier.h"

#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/strided.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec dft_attributes[] = {with_default("inverse", INT, 0), with_default("onesided", INT, 0),
                                            with_default("axis", INT, 1)};
constexpr Parameter dft_inputs[] = {
    {"input", T1}, {"dft_length", T2, Optional}, Parameter::scalar("axis", Dtype::int64, Optional)};
constexpr Parameter dft_outputs[] = {{"output", T1}};
constexpr Signature dft_17{dft_attributes, std::span(dft_inputs).first<2>(), dft_outputs, {T1, T2}};
constexpr Signature dft_20{std::span(dft_attributes).first<2>(), dft_inputs, dft_outputs, {T1, T2}};
constexpr OperatorVersion dft_versions[] = {{17, &dft_17, {types::floats_13, types::indices}},
                                            {20, &dft_20, {types::floats_13, types::indices}}};

constexpr AttributeSpec stft_attributes[] = {with_default("onesided", INT, 1)};
constexpr Parameter stft_inputs[] = {
    {"signal", T1}, {"frame_step", T2}, {"window", T1, Optional}, {"frame_length", T2, Optional}};
constexpr Signature stft_17{stft_attributes, stft_inputs, dft_outputs, {T1, T2}};
constexpr OperatorVersion stft_versions[] = {{17, &stft_17, {types::floats_13, types::indices}}};

// The number of frequencies of a real signal.
Size half_of(const Sizes& sizes, Size size) { return sizes.add(sizes.floor_divide(size, 2), 1); }

// Fails unless the last axis has one size, for real numbers, or two, for complex ones.
Status check_numbers(std::string_view name, const SymbolicDims& dims) {
  const Size numbers = dims[dims.size() - 1];
  if (!differ(numbers, 1) || !differ(numbers, 2)) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted 1 or 2 as the last: real or complex", quoted(name), dims.values());
}

Status check_length(Size length) {
  if (!length.is_number() || length.number() >= 1) return {};
  return fail(Code::InvalidArgument, "the transform has length {}, wanted 1 or more", length);
}

// An integer; `otherwise` if the call does not give it, and unknown_size if it is not known.
Result<Size> integer_of(const Call& call, std::string_view name, Size otherwise) {
  BROADLOOM_TRY(list, read_integer(call, name));
  if (!list.is_given) return otherwise;
  return list.has_length ? list[0] : unknown_size;
}

// ---- DFT ----

// The axis, or nullopt if it is not known.
Result<std::optional<std::size_t>> axis_of(const Call& call, std::size_t rank) {
  BROADLOOM_TRY(axis, integer_of(call, "axis", call.version.since_version < 20 ? call.integer("axis") : -2));
  if (!axis.is_number()) return std::optional<std::size_t>();
  BROADLOOM_TRY(place, resolve_axis("axis", axis.number(), rank));
  if (place + 1 == rank) return fail(Code::InvalidArgument, "axis {} is the last one, of real and imaginary parts", axis);
  return std::optional(place);
}

struct Directions {
  explicit Directions(const Call& call) : is_inverse(call.integer("inverse") != 0), is_half(call.integer("onesided") != 0) {}
  bool is_real_result() const { return is_inverse && is_half; }
  bool is_inverse;
  bool is_half;
};

Status prepare_dft(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return {};
  SymbolicDims dims = input.dims();
  const std::size_t rank = dims.size();
  if (rank < 2) return fail(Code::InvalidArgument, "'input' has dims {}, wanted two axes or more", dims.values());
  BROADLOOM_CHECK(check_numbers("input", dims));
  const Sizes sizes = call.sizes();
  const Directions how(call);
  const Size numbers = how.is_inverse ? 2 : 1;
  if (how.is_half && differ(dims[rank - 1], numbers)) {
    return fail(Code::InvalidArgument, "'input' has dims {}, wanted {} as the last: onesided needs a {}", dims.values(),
                numbers, how.is_inverse ? "spectrum of complex numbers" : "real signal");
  }
  BROADLOOM_TRY(axis, axis_of(call, rank));
  BROADLOOM_TRY(given, integer_of(call, "dft_length", unknown_size));
  const bool has_length = call.input(1) != nullptr;
  if (!axis) {
    if (has_length || how.is_half) dims = SymbolicDims(rank, unknown_size);
  } else {
    Size length = dims[*axis];
    if (has_length) {
      length = given;
    } else if (how.is_real_result()) {
      length = sizes.multiply(2, sizes.subtract(length, 1));
    }
    BROADLOOM_CHECK(check_length(length));
    dims[*axis] = how.is_half && !how.is_inverse ? half_of(sizes, length) : length;
  }
  dims[rank - 1] = how.is_real_result() ? 1 : 2;
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// The layout with `axis` moved to the last but one place.
Layout with_axis_last(const Layout& layout, std::size_t axis) {
  Layout moved = layout;
  const std::size_t place = layout.dims.size() - 2;
  for (std::size_t i = axis; i < place; ++i) {
    moved.dims[i] = layout.dims[i + 1];
    moved.strides[i] = layout.strides[i + 1];
  }
  moved.dims[place] = layout.dims[axis];
  moved.strides[place] = layout.strides[axis];
  return moved;
}

Result<std::unique_ptr<Fourier>> make_dft(const Call& call, std::size_t axis) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const Directions how(call);
  Fourier::Form form{};
  form.is_complex = dims.back() == 2;
  form.is_inverse = how.is_inverse;
  form.output = Fourier::Output::full;
  // The length of the signal does not follow from the length of a half spectrum.
  Size length = call.outputs[0].run_dims()[axis];
  if (how.is_half && !how.is_inverse) {
    form.output = Fourier::Output::half;
    BROADLOOM_TRY(given, integer_of(call, "dft_length", dims[axis]));
    length = given;
  } else if (how.is_half) {
    form.output = Fourier::Output::real;
  }
  if (!length.is_number()) return fail(Code::InvalidArgument, "'dft_length' is not known yet");
  const std::int64_t read = how.is_real_result() ? length.number() / 2 + 1 : length.number();
  form.length = in_memory(length.number());
  form.given = in_memory(std::min(dims[axis], read));
  return Fourier::make(form, accumulate_type_of(call.outputs[0].dtype).dtype);
}

// The number of a complex or real number's parts.
std::int64_t parts_of(const Tensor& tensor) { return tensor.run_dims().back(); }

Status run_dft(const Call& call, const Fourier& fourier, std::size_t axis, std::byte* workspace) {
  const Tensor& output = call.outputs[0];
  const Dtype computed = accumulate_type_of(output.dtype).dtype;
  Tensor moved = *call.inputs[0];
  moved.layout = LayoutRef(with_axis_last(moved.layout, axis));
  BROADLOOM_TRY(input, in_type(moved, computed));
  const std::span<const std::int64_t> dims = input.run_dims();
  const std::int64_t row = dims[dims.size() - 2] * parts_of(input);
  const auto rows = in_memory(count_of(dims.first(dims.size() - 2)));
  const bool is_direct = computed == output.dtype && axis + 2 == dims.size();
  Tensor result = output;
  Layout order = with_axis_last(output.layout, axis);
  if (!is_direct) {
    BROADLOOM_TRY(made, make_tensor(computed, order.dims));
    result = std::move(made);
  }
  const auto step = static_cast<std::ptrdiff_t>(row) * static_cast<std::ptrdiff_t>(item_size(computed));
  BROADLOOM_CHECK(fourier.run(result.data(), input.data(), step, rows, nullptr, workspace));
  if (is_direct) return {};
  BROADLOOM_TRY(rounded, in_type(result, output.dtype));
  // The axis moves back to its place.
  Layout back = rounded.layout;
  for (std::size_t i = dims.size() - 2; i > axis; --i) {
    std::swap(back.dims[i], back.dims[i - 1]);
    std::swap(back.strides[i], back.strides[i - 1]);
  }
  return materialize_watched(output.data(), rounded.data(), back, item_size(output.dtype));
}

// ---- STFT ----

// A signal of two axes is real.
bool has_parts(const Tensor& signal) { return signal.dims().size() == 3; }

Result<Size> frame_length_of(const Call& call) {
  const Tensor& signal = *call.inputs[0];
  const Tensor* window = call.input(2);
  if (window == nullptr) return integer_of(call, "frame_length", signal.is_ranked() ? signal.dims()[1] : unknown_size);
  if (window->is_ranked() && window->dims().size() != 1) {
    return fail(Code::InvalidArgument, "'window' has dims {}, wanted one axis", window->dims().values());
  }
  const Size size = window->is_ranked() ? window->dims()[0] : unknown_size;
  BROADLOOM_TRY(length, integer_of(call, "frame_length", size));
  if (differ(length, size)) {
    return fail(Code::InvalidArgument, "'window' has dims {}, wanted [{}]: the frame_length", window->dims().values(), length);
  }
  return length.is_number() ? length : size;
}

Status prepare_stft(Call& call) {
  const Tensor& signal = *call.inputs[0];
  const bool is_half = call.integer("onesided") != 0;
  SymbolicDims dims(3, unknown_size);
  if (signal.is_ranked()) {
    dims = signal.dims();
    if (dims.size() != 2 && dims.size() != 3) {
      return fail(Code::InvalidArgument, "'signal' has dims {}, wanted [batch, length, 1 or 2]", dims.values());
    }
    if (has_parts(signal)) BROADLOOM_CHECK(check_numbers("signal", dims));
    if (is_half && has_parts(signal) && differ(dims[2], 1)) {
      return fail(Code::InvalidArgument, "'signal' has dims {}, wanted 1 as the last: onesided needs a real signal",
                  dims.values());
    }
  }
  BROADLOOM_TRY(length, frame_length_of(call));
  BROADLOOM_TRY(step, integer_of(call, "frame_step", 1));
  BROADLOOM_CHECK(check_length(length));
  if (step.is_number() && step.number() < 1) {
    return fail(Code::InvalidArgument, "'frame_step' is {}, wanted 1 or more", step);
  }
  const Sizes sizes = call.sizes();
  const Size places = sizes.subtract(dims[1], length);
  if (places.is_number() && places.number() < 0) {
    return fail(Code::InvalidArgument, "the frame has length {}, more than the signal's {}", length, dims[1]);
  }
  const Size frames = sizes.add(sizes.floor_divide(places, step), 1);
  call.outputs[0] = known_dims(call.output_types[0], {dims[0], frames, is_half ? half_of(sizes, length) : length, 2});
  return {};
}

Result<std::unique_ptr<Fourier>> make_stft(const Call& call) {
  const Tensor& signal = *call.inputs[0];
  BROADLOOM_TRY(length, frame_length_of(call));
  if (!length.is_number()) return fail(Code::InvalidArgument, "'frame_length' is not known yet");
  Fourier::Form form{};
  form.length = form.given = in_memory(length.number());
  form.is_complex = has_parts(signal) && parts_of(signal) == 2;
  form.output = call.integer("onesided") != 0 ? Fourier::Output::half : Fourier::Output::full;
  return Fourier::make(form, accumulate_type_of(signal.dtype).dtype);
}

Status run_stft(const Call& call, const Fourier& fourier, std::byte* workspace) {
  const Tensor& output = call.outputs[0];
  const Dtype computed = accumulate_type_of(output.dtype).dtype;
  BROADLOOM_TRY(signal, in_type(*call.inputs[0], computed));
  Tensor window;
  if (call.input(2) != nullptr) {
    BROADLOOM_TRY(dense, in_type(*call.inputs[2], computed));
    window = std::move(dense);
  }
  BROADLOOM_TRY(result, unrounded(output, computed));
  BROADLOOM_TRY(step, integer_of(call, "frame_step", 1));
  const std::span<const std::int64_t> dims = signal.run_dims();
  const std::int64_t item = static_cast<std::int64_t>(item_size(computed)) * (has_parts(signal) ? parts_of(signal) : 1);
  const auto frames = in_memory(output.run_dims()[1]);
  const auto result_bytes = static_cast<std::int64_t>(fourier.result_numbers() * item_size(computed) * frames);
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    BROADLOOM_CHECK(fourier.run(result.data() + i * result_bytes, signal.data() + i * dims[1] * item,
                                static_cast<std::ptrdiff_t>(std::min(step.number(), dims[1]) * item), frames,
                                window.has_elements() ? window.data() : nullptr, workspace));
  }
  return write_rounded(output, result);
}

// ---- Both ----

bool is_dft(const Call& call) { return call.version.signature != &stft_17; }

Result<std::size_t> dft_axis(const Call& call) {
  BROADLOOM_TRY(axis, axis_of(call, call.inputs[0]->dims().size()));
  if (axis) return *axis;
  return fail(Code::InvalidArgument, "'axis' is not known yet");
}

class ReadyFourier : public ReadyCall {
 public:
  ReadyFourier(std::unique_ptr<Fourier> fourier, std::size_t axis) : fourier_(std::move(fourier)), axis_(axis) {}
  Count workspace_bytes() const override { return fourier_->workspace_bytes(); }
  Status run(const Call& call, std::byte* workspace) override {
    return is_dft(call) ? run_dft(call, *fourier_, axis_, workspace) : run_stft(call, *fourier_, workspace);
  }

 private:
  std::unique_ptr<Fourier> fourier_;
  std::size_t axis_;
};

// In a plan, all that the form depends on is known.
Result<Ready> ready(const Call& call, PackedOperands*) {
  BROADLOOM_TRY(axis, is_dft(call) ? dft_axis(call) : Result<std::size_t>(0));
  BROADLOOM_TRY(made, is_dft(call) ? make_dft(call, axis) : make_stft(call));
  return Ready{{}, std::make_unique<ReadyFourier>(std::move(made), axis), nullptr};
}

}  // namespace

BROADLOOM_OPERATOR(op, dft){
    .name = "DFT",
    .versions = dft_versions,
    .prepare = prepare_dft,
    .compute = run_once<ready>,
    .inputs_asked_for = inputs_at({1, 2}),
    .ready = ready,
};
BROADLOOM_OPERATOR(op, stft){
    .name = "STFT",
    .versions = stft_versions,
    .prepare = prepare_stft,
    .compute = run_once<ready>,
    .inputs_asked_for = inputs_at({1, 3}),
    .ready = ready,
};

}  // namespace broadloom
