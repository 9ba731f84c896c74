// Random windows over axes, and where their elements lie, one by one.
#pragma once

#include <algorithm>
#include <span>

#include "core/layout.h"
#include "kernels/convolution/sliding.h"
#include "support/random.h"

namespace broadloom::test {

struct WindowChoice {
  std::int64_t size = 9;  // the most elements of an axis
  std::int64_t kernel = 4;
  std::int64_t dilation = 2;
};

// Windows reach over each end of an axis by fewer elements than they have.
inline SlidingAxes random_axes(Random& random, std::size_t rank, const WindowChoice& most = {}) {
  SlidingAxes axes(rank);
  for (SlidingAxis& axis : axes) {
    axis.kernel = random.between(1, most.kernel);
    axis.dilation = random.between(1, most.dilation);
    axis.stride = random.between(1, 3);
    axis.size = random.between(1, most.size);
    const std::int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
    axis.begin = random.between(0, reach - 1);
    const std::int64_t whole = axis.size + axis.begin + random.between(0, reach - 1);
    axis.places = std::max<std::int64_t>(whole - reach, 0) / axis.stride + 1;
  }
  return axes;
}

inline std::size_t places_of(std::span<const SlidingAxis> axes) {
  std::size_t count = 1;
  for (const SlidingAxis& axis : axes) count *= static_cast<std::size_t>(axis.places);
  return count;
}
inline std::size_t taps_of(std::span<const SlidingAxis> axes) {
  std::size_t count = 1;
  for (const SlidingAxis& axis : axes) count *= static_cast<std::size_t>(axis.kernel);
  return count;
}
inline std::size_t elements_of(std::span<const SlidingAxis> axes) {
  std::size_t count = 1;
  for (const SlidingAxis& axis : axes) count *= static_cast<std::size_t>(axis.size);
  return count;
}

// The row-major number of a window's element among those of all axes; -1 for padding.
inline std::int64_t element_at(std::span<const SlidingAxis> axes, std::size_t place, std::size_t tap) {
  std::int64_t number = 0;
  std::int64_t step = 1;
  bool is_inside = true;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto places = static_cast<std::size_t>(axes[i].places);
    const auto kernel = static_cast<std::size_t>(axes[i].kernel);
    const std::int64_t position =
        axes[i].position(static_cast<std::int64_t>(place % places), static_cast<std::int64_t>(tap % kernel));
    is_inside = is_inside && position >= 0 && position < axes[i].size;
    number += position * step;
    step *= axes[i].size;
    place /= places;
    tap /= kernel;
  }
  return is_inside ? number : -1;
}

// The layout of images [batch, channels, ...]: row-major, or with the channels side by side.
inline Layout image_layout(std::int64_t batch, std::int64_t channels, std::span<const SlidingAxis> axes,
                           bool has_channels_last) {
  const std::size_t rank = axes.size() + 2;
  Layout layout{SymbolicDims(rank), Dims(rank)};
  layout.dims[0] = batch;
  layout.dims[1] = channels;
  std::int64_t step = has_channels_last ? channels : 1;
  for (std::size_t i = rank; i-- > 2;) {
    layout.dims[i] = axes[i - 2].size;
    layout.strides[i] = step;
    step *= axes[i - 2].size;
  }
  layout.strides[1] = has_channels_last ? 1 : step;
  layout.strides[0] = has_channels_last ? step : step * channels;
  return layout;
}

// Where an element of an image lies: by its row-major number in its channel.
inline std::size_t place_in(const Layout& layout, std::size_t image, std::size_t channel, std::size_t number) {
  auto place = static_cast<std::int64_t>(image) * layout.strides[0] + static_cast<std::int64_t>(channel) * layout.strides[1];
  for (std::size_t i = layout.strides.size(); i-- > 2;) {
    const auto size = static_cast<std::size_t>(layout.run_dims()[i]);
    place += static_cast<std::int64_t>(number % size) * layout.strides[i];
    number /= size;
  }
  return static_cast<std::size_t>(place);
}

}  // namespace broadloom::test
