// MaxUnpool: puts the results of MaxPool back where they were. ONNX: onnx/defs/nn/defs.cc and old.cc.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/movement/blocks.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/windows.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {required("kernel_shape", INTS), {"pads", INTS}, {"strides", INTS}};
constexpr Parameter inputs[] = {{"X", T1}, {"I", T2}, Parameter::list("output_shape", T2, Optional)};
constexpr Parameter outputs[] = {{"output", T1}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr OperatorVersion versions[] = {{9, &signature, {types::floats, Dtype::int64}},
                                        {11, &signature, {types::floats, Dtype::int64}},
                                        {22, &signature, {types::floats | types::added_13, Dtype::int64}}};

// The windows of the pool, on the axes of its result.
Result<WindowAxes> windows_of(const Call& call, const SymbolicDims& dims) {
  BROADLOOM_TRY(axes, read_kernel(call, dims.values().subspan(2)));
  BROADLOOM_TRY(pads, read_pads(call, axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i].begin = pads[i];
    axes[i].end = pads[axes.size() + i];
  }
  return axes;
}

// The dims of the smallest image that has these windows.
SymbolicDims inferred_dims(const Sizes& sizes, const WindowAxes& axes, const SymbolicDims& dims) {
  SymbolicDims result = dims;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const WindowAxis& axis = axes[i];
    const Size moved = sizes.multiply(sizes.subtract(axis.size, 1), axis.stride);
    result[2 + i] = sizes.subtract(sizes.add(moved, axis.kernel), sizes.add(axis.begin, axis.end));
  }
  return result;
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (data.is_ranked() && indices.is_ranked()) {
    bool are_equal = data.dims().size() == indices.dims().size();
    for (std::size_t i = 0; are_equal && i < data.dims().size(); ++i) are_equal = !differ(data.dims()[i], indices.dims()[i]);
    if (!are_equal)
      return impossible("'X' has dims {} and 'I' {}, wanted the same", data.dims().values(), indices.dims().values());
  }
  if (!data.is_ranked()) return {};
  if (data.dims().size() < 3) return impossible("'X' has dims {}, wanted 3 or more axes", data.dims().values());
  BROADLOOM_TRY(axes, windows_of(call, data.dims()));
  BROADLOOM_TRY(shape, read_list(call, "output_shape"));
  SymbolicDims dims = inferred_dims(call.sizes(), axes, data.dims());
  if (shape.is_given) {
    if (shape.has_length && shape.size() != dims.size()) {
      return impossible("output_shape has {} entr{y}, wanted {}", shape.size(), dims.size());
    }
    for (std::size_t i = 0; i < dims.size(); ++i) dims[i] = shape.has_length ? shape[i] : unknown_size;
  }
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_negative()) return impossible("axis {} gets size {}", i, dims[i]);
  }
  call.outputs[0] = known_dims(data.dtype, dims);
  return {};
}

// Whether each index lies in its own window of an image of these dims, as MaxPool's indices do.
bool are_in_windows(std::span<const std::int64_t> indices, std::span<const std::int64_t> places, const WindowAxes& axes,
                    std::span<const std::int64_t> image) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::int64_t index = indices[i];
    auto window = static_cast<std::int64_t>(i);
    for (std::size_t k = image.size(); k-- > 0;) {
      const std::int64_t place = window % places[k];
      const std::int64_t at = k == 0 ? index : index % image[k];
      const std::int64_t tap = k < 2 ? at - place : at + axes[k - 2].begin.number() - place * axes[k - 2].stride;
      if (tap < 0 || tap >= (k < 2 ? 1 : axes[k - 2].kernel.number())) return false;
      index /= image[k];
      window /= places[k];
    }
  }
  return true;
}

// The dims of the image whose elements the indices number: the output. ONNX's own test has an 'output_shape' and indices of the
// inferred dims, which lie in their windows there alone. Such indices are taken, too.
SymbolicDims numbered_dims(const Call& call, const WindowAxes& axes, std::span<const std::int64_t> indices) {
  const SymbolicDims& output = call.outputs[0].dims();
  const SymbolicDims inferred = inferred_dims(call.sizes(), axes, call.inputs[0]->dims());
  for (std::size_t i = 0; i < output.size(); ++i) {
    const bool is_part = inferred[i].is_number() && inferred[i].number() >= 1 && inferred[i].number() <= output[i].number();
    if (!is_part) return output;
  }
  const auto fit = [&](const SymbolicDims& image) {
    return are_in_windows(indices, call.inputs[0]->run_dims(), axes, numbers_of(image.values()));
  };
  return inferred != output && fit(inferred) && !fit(output) ? inferred : output;
}

// The number of an element in an image of other dims.
std::int64_t renumbered(std::int64_t number, std::span<const std::int64_t> from, std::span<const std::int64_t> to) {
  std::int64_t result = 0;
  std::int64_t step = 1;
  for (std::size_t k = to.size(); k-- > 0; step *= to[k]) {
    result += number % from[k] * step;
    number /= from[k];
  }
  return result;
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  std::memset(output.data(), 0, dense_size(output));
  BROADLOOM_TRY(data, densify(*call.inputs[0]));
  BROADLOOM_TRY(places, densify(*call.inputs[1]));
  BROADLOOM_TRY(axes, windows_of(call, data.dims()));
  const std::span indices(reinterpret_cast<const std::int64_t*>(places.data()), in_memory(data.count()));
  const SymbolicDims numbered = numbered_dims(call, axes, indices);
  const bool are_same = numbered == output.dims();
  const std::int64_t count = count_of(numbered.values());
  const std::size_t size = item_size(output.dtype);
  std::ptrdiff_t offsets[256];
  for (std::size_t i = 0; i < indices.size(); i += std::size(offsets)) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(8 * std::size(offsets))));
    const std::size_t some = std::min(std::size(offsets), indices.size() - i);
    for (std::size_t k = 0; k < some; ++k) {
      const std::int64_t index = indices[i + k];
      if (index < 0 || index >= count) {
        return fail(Code::InvalidArgument, "'I' has {} at {}, wanted 0 to {}", index, i + k, count - 1);
      }
      const std::int64_t place = are_same ? index : renumbered(index, numbers_of(numbered.values()), output.run_dims());
      offsets[k] = static_cast<std::ptrdiff_t>(place) * static_cast<std::ptrdiff_t>(size);
    }
    scatter_blocks(output.data(), {offsets, some}, data.data() + i * size, size, size);
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, max_unpool){.name = "MaxUnpool", .versions = versions, .prepare = prepare, .compute = compute};

}  // namespace broadloom
