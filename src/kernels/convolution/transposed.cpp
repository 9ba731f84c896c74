#include "kernels/convolution/transposed.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "kernels/simd.h"
#include "kernels/strided.h"

namespace broadloom {

// The places first, first + stride, ... of each axis.
struct TransposedConvolution::Phase {
  Places first;
  ConvolutionDims dims;
  // Of each axis, the taps that these places have: the last one, and the distance of one to the next, in taps.
  Places last_tap;
  Places tap_step;
  bool has_taps = true;
};

TransposedConvolution::Phase TransposedConvolution::phase_at(const Places& first) const {
  const std::size_t rank = axes_.size();
  Phase phase{first, dims_, Places(rank, 0), Places(rank, 0), true};
  phase.dims.axes = SlidingAxes(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const TransposedAxis& axis = axes_[i];
    // Place first + stride * q and a tap meet element (first + begin - tap * dilation) / stride + q, if that is an integer.
    const std::int64_t distance = first[i] + axis.begin;
    const std::int64_t step = axis.stride / std::gcd(axis.stride, axis.dilation);
    std::int64_t tap = 0;
    while (tap < std::min(step, axis.kernel) && (distance - tap * axis.dilation) % axis.stride != 0) ++tap;
    const bool has_taps = tap < std::min(step, axis.kernel);
    const std::int64_t taps = has_taps ? (axis.kernel - 1 - tap) / step + 1 : 1;
    phase.has_taps = phase.has_taps && has_taps;
    phase.tap_step[i] = step;
    phase.last_tap[i] = tap + (taps - 1) * step;
    SlidingAxis& sliding = phase.dims.axes[i];
    sliding.size = axis.size;
    sliding.kernel = taps;
    sliding.dilation = step * axis.dilation / axis.stride;
    // The last tap comes first.
    sliding.begin = -((distance - phase.last_tap[i] * axis.dilation) / axis.stride);
    sliding.places = (axis.places - first[i] + axis.stride - 1) / axis.stride;
  }
  return phase;
}

bool TransposedConvolution::next(Places& first) const {
  std::size_t i = axes_.size();
  while (i > 0 && ++first[i - 1] == std::min(axes_[i - 1].stride, axes_[i - 1].places)) first[--i] = 0;
  return i > 0;
}

bool TransposedConvolution::joins_phases() const {
  const auto has_own_places = [](const TransposedAxis& axis) {
    return axis.kernel == axis.stride && axis.dilation == 1 && axis.begin == 0 && axis.places == axis.size * axis.stride;
  };
  return dims_.results() == 1 && has_dense_filters_ && std::all_of(axes_.begin(), axes_.end(), has_own_places);
}

Convolution TransposedConvolution::joined() const {
  ConvolutionDims dims = dims_;
  dims.axes = SlidingAxes(axes_.size());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    dims.axes[i].size = dims.axes[i].places = axes_[i].size;
    dims.filters *= to_size(axes_[i].kernel);
  }
  return Convolution(dtype_, dims, images_);
}

TransposedConvolution::TransposedConvolution(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes,
                                             const Layout& images, bool has_dense_filters)
    : dtype_(dtype), dims_(dims), axes_(axes), images_(images), has_dense_filters_(has_dense_filters) {
  if (joins_phases()) {
    const Convolution convolution = joined();
    packed_bytes_ = convolution.packed_bytes();
    workspace_bytes_ = convolution.workspace_bytes();
    result_bytes_ = static_cast<double>(dims_.batch) * static_cast<double>(item_size(dtype_));
    for (const TransposedAxis& axis : axes_) result_bytes_ *= static_cast<double>(axis.places);
    result_bytes_ = std::ceil(result_bytes_ / vector_bytes) * vector_bytes;
    return;
  }
  Places first(axes_.size(), 0);
  do {
    const Phase phase = phase_at(first);
    const Convolution convolution(dtype_, phase.dims, images_);
    if (phase.has_taps) packed_bytes_ += convolution.packed_bytes();
    double places = static_cast<double>(dims_.batch);
    for (const SlidingAxis& axis : phase.dims.axes) places *= static_cast<double>(axis.places);
    const double bytes = places * static_cast<double>(dims_.results()) * static_cast<double>(item_size(dtype_));
    result_bytes_ = std::max(result_bytes_, std::ceil(bytes / vector_bytes) * vector_bytes);
    workspace_bytes_ = std::max(workspace_bytes_, convolution.workspace_bytes());
  } while (next(first));
}

void TransposedConvolution::pack(std::byte* to, const Filters& filters) const {
  if (joins_phases()) {
    Filters taps = filters;
    taps.filter_step = static_cast<std::ptrdiff_t>(item_size(dtype_));
    taps.taps = Layout{Dims(axes_.size(), 1), Dims(axes_.size(), 0)};
    joined().pack(to, taps);
    return;
  }
  Places first(axes_.size(), 0);
  do {
    const Phase phase = phase_at(first);
    if (!phase.has_taps) continue;
    const Convolution convolution(dtype_, phase.dims, images_);
    Filters part = filters;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      part.data += static_cast<std::ptrdiff_t>(phase.last_tap[i] * filters.taps.strides[i]) *
                   static_cast<std::ptrdiff_t>(item_size(dtype_));
      part.taps.dims[i] = phase.dims.axes[i].kernel;
      part.taps.strides[i] = -phase.tap_step[i] * filters.taps.strides[i];
    }
    convolution.pack(to, part);
    to += static_cast<std::size_t>(convolution.packed_bytes());
  } while (next(first));
}

// The result of a phase without taps.
void TransposedConvolution::repeat_bias(std::byte* to, const std::byte* bias, std::ptrdiff_t bias_step,
                                        const Phase& phase) const {
  const std::size_t size = item_size(dtype_);
  std::size_t count = dims_.batch;
  for (const SlidingAxis& axis : phase.dims.axes) count *= to_size(axis.places);
  for (std::size_t i = 0; i < dims_.results(); ++i) {
    if (bias == nullptr) {
      std::memset(to + i * size, 0, size);
    } else {
      std::memcpy(to + i * size, bias + times(i, bias_step), size);
      // The sum of nothing, which is 0, and -0.
      const bool is_zero = std::all_of(to + i * size, to + (i + 1) * size - 1, [](std::byte it) { return it == std::byte{0}; });
      if (is_zero && to[(i + 1) * size - 1] == std::byte{0x80}) to[(i + 1) * size - 1] = std::byte{0};
    }
  }
  const std::size_t bytes = dims_.results() * size;
  for (std::size_t i = 1; i < count; ++i) std::memcpy(to + i * bytes, to, bytes);
}

// Writes the pixels of a phase to their places in the result.
void TransposedConvolution::scatter(std::byte* to, const std::byte* from, const Phase& phase) const {
  const std::size_t bytes = dims_.results() * item_size(dtype_);
  std::size_t rows = dims_.batch;
  for (std::size_t i = 0; i + 1 < axes_.size(); ++i) rows *= to_size(phase.dims.axes[i].places);
  const std::size_t last = axes_.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    // The number of the row's first pixel in the result.
    std::int64_t place = phase.first[last];
    std::int64_t pitch = axes_[last].places;
    auto rest = static_cast<std::int64_t>(row);
    for (std::size_t i = last; i-- > 0;) {
      const std::int64_t places = phase.dims.axes[i].places;
      place += (phase.first[i] + rest % places * axes_[i].stride) * pitch;
      rest /= places;
      pitch *= axes_[i].places;
    }
    place += rest * pitch;
    std::byte* at = to + to_size(place) * bytes;
    for (std::int64_t i = 0; i < phase.dims.axes[last].places; ++i, from += bytes) {
      std::memcpy(at, from, bytes);
      at += to_size(axes_[last].stride) * bytes;
    }
  }
}

void TransposedConvolution::run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias,
                                std::ptrdiff_t bias_step, std::byte* workspace) const {
  std::byte* const result = workspace;
  workspace += static_cast<std::size_t>(result_bytes_);
  if (joins_phases()) {
    joined().run(result, images, packed, bias, 0, workspace);
    // batch, elements and taps of the first axis, those of the next
    Layout by_place{Dims(2 * axes_.size() + 1), Dims(2 * axes_.size() + 1)};
    std::int64_t taps = 1;
    for (const TransposedAxis& axis : axes_) taps *= axis.kernel;
    std::int64_t pixels = 1;
    std::int64_t inner = 1;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      by_place.dims[2 * i + 1] = axes_[i].size;
      by_place.strides[2 * i + 1] = pixels * taps;
      by_place.dims[2 * i + 2] = axes_[i].kernel;
      by_place.strides[2 * i + 2] = inner;
      pixels *= axes_[i].size;
      inner *= axes_[i].kernel;
    }
    by_place.dims[0] = static_cast<std::int64_t>(dims_.batch);
    by_place.strides[0] = pixels * taps;
    materialize(to, result, by_place, item_size(dtype_));
    return;
  }
  Places first(axes_.size(), 0);
  do {
    const Phase phase = phase_at(first);
    const Convolution convolution(dtype_, phase.dims, images_);
    if (phase.has_taps) {
      convolution.run(result, images, packed, bias, bias_step, workspace);
      packed += static_cast<std::size_t>(convolution.packed_bytes());
    } else {
      repeat_bias(result, bias, bias_step, phase);
    }
    scatter(to, result, phase);
  } while (next(first));
}

}  // namespace broadloom
