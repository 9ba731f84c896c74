#include "kernels/convolution/transposed.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

// The distance, in taps, of two taps of an axis that meet the same places. The first `first_taps` taps each begin a phase.
std::int64_t tap_step(const TransposedAxis& axis) { return axis.stride / std::gcd(axis.stride, axis.dilation); }
std::int64_t first_taps(const TransposedAxis& axis) { return std::min(tap_step(axis), axis.kernel); }

// The first place of a tap's phase: the least one at which it could meet an element.
std::int64_t first_place(const TransposedAxis& axis, std::int64_t tap) {
  const std::int64_t rest = (tap * axis.dilation - axis.begin) % axis.stride;
  return rest < 0 ? rest + axis.stride : rest;
}

}  // namespace

// The places first, first + stride, ... of each axis.
struct TransposedConvolution::Phase {
  Places first;
  ConvolutionDims dims;
  // The taps of each axis that meet these places: the last one, and the distance from one to the next, in taps.
  Places last_tap;
  Places tap_step;
};

TransposedConvolution::Phase TransposedConvolution::phase_of(const Places& taps) const {
  const std::size_t rank = axes_.size();
  Phase phase{Places(rank, 0), dims_, Places(rank, 0), Places(rank, 0)};
  phase.dims.axes = SlidingAxes(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const TransposedAxis& axis = axes_[i];
    const std::int64_t step = tap_step(axis);
    const std::int64_t count = (axis.kernel - 1 - taps[i]) / step + 1;
    phase.first[i] = first_place(axis, taps[i]);
    phase.tap_step[i] = step;
    phase.last_tap[i] = taps[i] + (count - 1) * step;
    SlidingAxis& sliding = phase.dims.axes[i];
    sliding.size = axis.size;
    sliding.kernel = count;
    sliding.dilation = step * axis.dilation / axis.stride;
    // Place first + stride * q and a tap meet element (first + begin - tap * dilation) / stride + q. The last tap comes first.
    sliding.begin = -((phase.first[i] + axis.begin - phase.last_tap[i] * axis.dilation) / axis.stride);
    sliding.places = (axis.places - phase.first[i] + axis.stride - 1) / axis.stride;
  }
  return phase;
}

// The steps of a phase besides its elements, and the steps to find the places of a tap, for Watch::check.
constexpr double steps_of_phase = 1000;
constexpr double steps_of_tap = 16;

bool TransposedConvolution::go_on(Places& taps) const {
  std::size_t i = axes_.size();
  while (i > 0 && ++taps[i - 1] == first_taps(axes_[i - 1])) taps[--i] = 0;
  return i > 0;
}

template <class Use>
Status TransposedConvolution::for_phases(Use use) const {
  Places taps(axes_.size(), 0);
  do {
    BROADLOOM_CHECK(Watch::check(steps_of_phase));
    const Phase phase = phase_of(taps);
    const std::span<const SlidingAxis> axes = phase.dims.axes.values();
    if (std::all_of(axes.begin(), axes.end(), [](const SlidingAxis& axis) { return axis.places > 0; })) {
      BROADLOOM_CHECK(use(phase));
    }
  } while (go_on(taps));
  return {};
}

bool TransposedConvolution::joins_phases() const {
  const auto has_own_places = [](const TransposedAxis& axis) {
    return axis.kernel == axis.stride && axis.dilation == 1 && axis.begin == 0 && axis.places == axis.size * axis.stride;
  };
  return dims_.results() == 1 && has_dense_filters_ && std::all_of(axes_.begin(), axes_.end(), has_own_places);
}

ConvolutionDims TransposedConvolution::joined() const {
  ConvolutionDims dims = dims_;
  dims.axes = SlidingAxes(axes_.size());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    dims.axes[i].size = dims.axes[i].places = axes_[i].size;
    dims.filters *= in_memory(axes_[i].kernel);
  }
  return dims;
}

bool TransposedConvolution::is_planar(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes) {
  ConvolutionDims whole = dims;
  whole.axes = SlidingAxes(axes.size());
  const TransposedAxis& axis = axes.values().back();
  SlidingAxis& last = whole.axes.back();
  // No phase has fewer places, or more padding.
  last.size = last.places = axis.places / axis.stride;
  last.begin = (axis.kernel - 1) * axis.dilation;
  return PlanarConvolution::suits(dtype, whole);
}

Count TransposedConvolution::workspace_of(const ConvolutionDims& dims, bool is_planar) const {
  return is_planar ? PlanarConvolution(dims, images_).workspace_bytes() : Convolution(dtype_, dims, images_).workspace_bytes();
}

Status TransposedConvolution::convolve(const ConvolutionDims& dims, bool is_planar, std::byte* to, const std::byte* images,
                                       const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
                                       std::byte* workspace) const {
  if (is_planar) return PlanarConvolution(dims, images_).run(to, images, packed, bias, bias_step, workspace);
  return Convolution(dtype_, dims, images_).run(to, images, packed, bias, bias_step, workspace);
}

// The pixels of a batch with these places on each axis.
template <class Axes>
Count TransposedConvolution::places_of(const Axes& axes) const {
  Count places = dims_.batch;
  for (const auto& axis : axes) places *= axis.places;
  return places;
}

TransposedConvolution::TransposedConvolution(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes,
                                             const Layout& images, bool has_dense_filters)
    : dtype_(dtype),
      dims_(dims),
      axes_(axes),
      images_(images),
      has_dense_filters_(has_dense_filters),
      is_planar_(is_planar(dtype, dims, axes)) {}

Result<TransposedConvolution> TransposedConvolution::make(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes,
                                                          const Layout& images, bool has_dense_filters) {
  TransposedConvolution made(dtype, dims, axes, images, has_dense_filters);
  BROADLOOM_CHECK(made.measure());
  return made;
}

// Works out what the phases take.
Status TransposedConvolution::measure() {
  for (const TransposedAxis& axis : axes_) {
    std::int64_t places = 0;
    for (std::int64_t tap = 0; tap < first_taps(axis); ++tap) {
      BROADLOOM_CHECK(Watch::check(steps_of_tap));
      places += first_place(axis, tap) < axis.places ? 1 : 0;
    }
    if (places < std::min(axis.stride, axis.places)) has_places_without_taps_ = true;
    if (places < first_taps(axis)) has_all_taps_ = false;
  }
  if (joins_phases()) {
    result_bytes_ = whole_vectors(places_of(axes_) * item_size(dtype_));
    const ConvolutionDims all = joined();
    packed_bytes_ = Convolution(dtype_, all, images_).packed_bytes();
    workspace_bytes_ = workspace_of(all, PlanarConvolution::suits(dtype_, all));
    return {};
  }
  return for_phases([&](const Phase& phase) {
    packed_bytes_ += Convolution(dtype_, phase.dims, images_).packed_bytes();
    result_bytes_ = std::max(result_bytes_, whole_vectors(places_of(phase.dims.axes) * dims_.results() * item_size(dtype_)));
    workspace_bytes_ = std::max(workspace_bytes_, workspace_of(phase.dims, is_planar_));
    return Status();
  });
}

Filters TransposedConvolution::part_of(const Filters& filters, const Phase& phase) const {
  Filters part = filters;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    part.data += static_cast<std::ptrdiff_t>(phase.last_tap[i] * filters.taps.strides[i]) *
                 static_cast<std::ptrdiff_t>(item_size(dtype_));
    part.taps.dims[i] = phase.dims.axes[i].kernel;
    part.taps.strides[i] = -phase.tap_step[i] * filters.taps.strides[i];
  }
  return part;
}

Filters TransposedConvolution::joined(Filters filters) const {
  filters.filter_step = static_cast<std::ptrdiff_t>(item_size(dtype_));
  filters.taps = Layout{Dims(axes_.size(), 1), Dims(axes_.size(), 0)};
  return filters;
}

Status TransposedConvolution::pack(std::byte* to, const Filters& filters) const {
  if (joins_phases()) {
    Convolution(dtype_, joined(), images_).pack(to, joined(filters));
    return {};
  }
  return for_phases([&](const Phase& phase) {
    const Convolution convolution(dtype_, phase.dims, images_);
    convolution.pack(to, part_of(filters, phase));
    to += in_memory(convolution.packed_bytes());
    return Status();
  });
}

void TransposedConvolution::unpack(std::byte* to, const Filters& filters, const std::byte* packed) const {
  PackedFilters part{dtype_, dims_.groups, dims_.filters, dims_.channels, 1};
  if (joins_phases()) {
    for (const TransposedAxis& axis : axes_) part.filters *= in_memory(axis.kernel);
    return part.unpack(to, joined(filters), packed);
  }
  Places taps(axes_.size(), 0);
  do {
    const Phase phase = phase_of(taps);
    part.taps = 1;
    for (const SlidingAxis& axis : phase.dims.axes) part.taps *= in_memory(axis.kernel);
    part.unpack(to, part_of(filters, phase), packed);
    packed += in_memory(Convolution(dtype_, phase.dims, images_).packed_bytes());
  } while (go_on(taps));
}

// Writes the bias to all places.
void TransposedConvolution::repeat_bias(std::byte* to, const std::byte* bias, std::ptrdiff_t bias_step) const {
  const std::size_t size = item_size(dtype_);
  const std::size_t bytes = dims_.results() * size;
  const std::size_t count = in_memory(places_of(axes_));
  if (count == 0 || bytes == 0) return;
  if (bias == nullptr) {
    std::memset(to, 0, count * bytes);
    return;
  }
  for (std::size_t i = 0; i < dims_.results(); ++i) {
    std::memcpy(to + i * size, bias + times(i, bias_step), size);
    // The sum of nothing, which is 0, and -0.
    const bool is_zero = std::all_of(to + i * size, to + (i + 1) * size - 1, [](std::byte it) { return it == std::byte{0}; });
    if (is_zero && to[(i + 1) * size - 1] == std::byte{0x80}) to[(i + 1) * size - 1] = std::byte{0};
  }
  if (is_planar_ && dims_.batch > 0) {
    // The results' items lie apart: each is repeated on its plane of the first image, and this for all images. From the last
    // on, since planes lie over them.
    const std::size_t plane = count / dims_.batch * size;
    for (std::size_t i = dims_.results(); i-- > 0;) {
      std::memmove(to + i * plane, to + i * size, size);
      repeat_block(to + i * plane, size, plane);
    }
    return repeat_block(to, dims_.results() * plane, count * bytes);
  }
  repeat_block(to, bytes, count * bytes);
}

// The time of a pixel that is moved, for Watch::check.
constexpr double steps_of_pixel = 4;

// Writes the pixels of a phase to their places in the result.
Status TransposedConvolution::scatter(std::byte* to, const std::byte* from, const Phase& phase) const {
  const std::size_t bytes = (is_planar_ ? 1 : dims_.results()) * item_size(dtype_);
  std::size_t rows = dims_.batch * (is_planar_ ? dims_.results() : 1);
  for (std::size_t i = 0; i + 1 < axes_.size(); ++i) rows *= in_memory(phase.dims.axes[i].places);
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
    std::byte* at = to + in_memory(place) * bytes;
    const std::size_t step = in_memory(axes_[last].stride) * bytes;
    const std::size_t count = in_memory(phase.dims.axes[last].places);
    BROADLOOM_CHECK(Watch::check(steps_of_pixel * static_cast<double>(count)));
    // Calls for each of four bytes would take as long as the sums.
    copy_rows(at, step, from, bytes, bytes, count);
    from += count * bytes;
  }
  return {};
}

Status TransposedConvolution::run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias,
                                  std::ptrdiff_t bias_step, std::byte* workspace) const {
  std::byte* const result = workspace;
  workspace += in_memory(result_bytes_);
  if (joins_phases()) {
    const ConvolutionDims all = joined();
    const bool is_planar = PlanarConvolution::suits(dtype_, all);
    BROADLOOM_CHECK(convolve(all, is_planar, result, images, packed, bias, 0, workspace));
    // axes: batch, then elements and taps of the first axis, then elements and taps of the next one
    Layout by_place{Dims(2 * axes_.size() + 1), Dims(2 * axes_.size() + 1)};
    std::int64_t taps = 1;
    for (const TransposedAxis& axis : axes_) taps *= axis.kernel;
    const std::int64_t elements = static_cast<std::int64_t>(in_memory(places_of(all.axes))) /
                                  static_cast<std::int64_t>(std::max<std::size_t>(dims_.batch, 1));
    std::int64_t pixels = is_planar ? 1 : taps;
    std::int64_t inner = is_planar ? elements : 1;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      by_place.dims[2 * i + 1] = axes_[i].size;
      by_place.strides[2 * i + 1] = pixels;
      by_place.dims[2 * i + 2] = axes_[i].kernel;
      by_place.strides[2 * i + 2] = inner;
      pixels *= axes_[i].size;
      inner *= axes_[i].kernel;
    }
    by_place.dims[0] = static_cast<std::int64_t>(dims_.batch);
    by_place.strides[0] = elements * taps;
    return materialize_watched(to, result, by_place, item_size(dtype_));
  }
  if (has_places_without_taps_) repeat_bias(to, bias, bias_step);
  return for_phases([&](const Phase& phase) -> Status {
    BROADLOOM_CHECK(convolve(phase.dims, is_planar_, result, images, packed, bias, bias_step, workspace));
    packed += in_memory(Convolution(dtype_, phase.dims, images_).packed_bytes());
    return scatter(to, result, phase);
  });
}

}  // namespace broadloom
