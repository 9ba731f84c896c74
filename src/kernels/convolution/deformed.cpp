#include "kernels/convolution/deformed.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// The pixels around a point, and their weights.
struct Neighbours {
  const std::byte* pixels[4];
  double weights[4];
};

// Writes the weighted sums of `count` channels, which begin `first` bytes after the pixels' addresses.
template <class T>
void write_channels(std::byte* to, const Neighbours& near, std::size_t first, std::size_t count) {
  T weights[4];
  for (std::size_t i = 0; i < 4; ++i) weights[i] = static_cast<T>(near.weights[i]);
  const auto sum = [&](auto load) {
    return (load(near.pixels[0]) * weights[0] + load(near.pixels[1]) * weights[1]) +
           (load(near.pixels[2]) * weights[2] + load(near.pixels[3]) * weights[3]);
  };
  constexpr std::size_t step = lanes_of<T>;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    store_lanes(to + i * sizeof(T), sum([&](const std::byte* x) { return load_lanes<T>(x + first + i * sizeof(T)); }));
  }
  for (; i < count; ++i) {
    reinterpret_cast<T*>(to)[i] = sum([&](const std::byte* x) { return reinterpret_cast<const T*>(x + first)[i]; });
  }
}

Neighbours neighbours_of(const DeformedImage& from, const DeformedWindows& windows, double y, double x) {
  const std::int64_t height = windows.axes[0].size;
  const std::int64_t width = windows.axes[1].size;
  Neighbours near{{from.zeros, from.zeros, from.zeros, from.zeros}, {}};
  // False for a NaN, too.
  if (!(y > -1 && y < static_cast<double>(height) && x > -1 && x < static_cast<double>(width))) return near;
  const double top = std::floor(y);
  const double left = std::floor(x);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool is_below = i > 1;
    const bool is_right = i % 2 == 1;
    near.weights[i] = (is_below ? y - top : 1 - (y - top)) * (is_right ? x - left : 1 - (x - left));
    const std::int64_t row = static_cast<std::int64_t>(top) + (is_below ? 1 : 0);
    const std::int64_t column = static_cast<std::int64_t>(left) + (is_right ? 1 : 0);
    if (row < 0 || row >= height || column < 0 || column >= width) continue;
    near.pixels[i] = from.image + in_memory(row * width + column) * windows.channels * item_size(from.dtype);
  }
  return near;
}

}  // namespace

Status sample_deformed(std::byte* to, const DeformedImage& from, const DeformedWindows& windows) {
  const SlidingAxis& rows = windows.axes[0];
  const SlidingAxis& columns = windows.axes[1];
  const std::size_t size = item_size(from.dtype);
  const std::size_t taps = windows.taps();
  const std::size_t places = windows.places();
  const std::size_t in_group = windows.channels / windows.groups;
  const std::size_t sharing = windows.channels / windows.offset_groups;
  const auto write = from.dtype == Dtype::float64 ? write_channels<double> : write_channels<float>;
  for (std::size_t place = 0; place < places; ++place, to += taps * windows.channels * size) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(taps) * static_cast<double>(windows.channels)));
    const auto number = static_cast<std::int64_t>(place);
    for (std::size_t shift = 0; shift < windows.offset_groups * taps; ++shift) {
      const std::size_t tap = shift % taps;
      const auto tap_number = static_cast<std::int64_t>(tap);
      const std::int64_t row = rows.position(number / columns.places, tap_number / columns.kernel);
      const std::int64_t column = columns.position(number % columns.places, tap_number % columns.kernel);
      const double* offsets = from.offsets + 2 * shift * places + place;
      Neighbours near =
          neighbours_of(from, windows, static_cast<double>(row) + offsets[0], static_cast<double>(column) + offsets[places]);
      for (double& weight : near.weights) weight *= from.mask == nullptr ? 1 : from.mask[shift * places + place];
      // At the end of a group, the next channels lie after the taps of the next group.
      const std::size_t end = (shift / taps + 1) * sharing;
      for (std::size_t first = end - sharing; first < end;) {
        const std::size_t group = first / in_group;
        const std::size_t last = std::min(end, (group + 1) * in_group);
        write(to + ((group * taps + tap) * in_group + first % in_group) * size, near, first * size, last - first);
        first = last;
      }
    }
  }
  return {};
}

}  // namespace broadloom
