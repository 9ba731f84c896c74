#include "kernels/convolution/sliding.h"

#include <algorithm>

#include "core/count.h"

namespace broadloom {

SlidingAxes without_idle_taps(SlidingAxes axes) {
  for (SlidingAxis& axis : axes) {
    // Taps before `first` lie before the image even in the last window. Taps from `end` on lie after the image even in the
    // first window.
    const std::int64_t before_last = axis.begin - (axis.places - 1) * axis.stride;
    const std::int64_t first = std::clamp(before_last / axis.dilation, std::int64_t{0}, axis.kernel - 1);
    const std::int64_t end = (axis.begin + axis.size - 1) / axis.dilation + 1;
    axis.kernel = std::clamp(end - first, std::int64_t{1}, axis.kernel - first);
    axis.begin -= first * axis.dilation;
  }
  return axes;
}

WindowAddresses::WindowAddresses(SlidingAxes axes) : axes_(std::move(axes)) {
  Count places = 1;
  Count taps = 1;
  for (const SlidingAxis& axis : axes_) {
    places *= axis.places;
    taps *= axis.kernel;
  }
  constexpr Count most = SIZE_MAX;
  places_ = in_memory(std::min(places, most));
  taps_ = in_memory(std::min(taps, most));
}

void WindowAddresses::write_row(const std::byte** to, std::size_t distance, std::int64_t first, std::size_t count,
                                const std::byte* row, const std::byte* outside) const {
  const SlidingAxis& axis = axes_.values().back();
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(axis.stride) * axis.pitch;
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap, to += distance) {
    std::size_t i = 0;
    std::int64_t position = axis.position(first, tap);
    for (; i < count && (row == nullptr || position < 0); ++i, position += axis.stride) to[i] = outside;
    if (i < count && position < axis.size) {
      const auto inside = in_memory((axis.size - 1 - position) / axis.stride) + 1;
      const std::size_t end = i + std::min(inside, count - i);
      const std::byte* at = row + static_cast<std::ptrdiff_t>(position) * axis.pitch;
      for (; i < end; ++i, at += step) to[i] = at;
    }
    for (; i < count; ++i) to[i] = outside;
  }
}

void WindowAddresses::write(const std::byte** to, std::size_t distance, std::size_t first, std::size_t count,
                            const std::byte* image, const std::byte* outside) const {
  const std::span<const SlidingAxis> outer = axes_.values().first(axes_.size() - 1);
  const SlidingAxis& last = axes_.values().back();
  const auto row_places = in_memory(last.places);
  const auto row_taps = in_memory(last.kernel);
  while (count > 0) {
    const std::size_t in_row = first % row_places;
    const std::size_t some = std::min(count, row_places - in_row);
    for (std::size_t tap = 0; tap < taps_; tap += row_taps) {
      // The row of this tap, from the last outer axis to the first.
      std::size_t place = first / row_places;
      std::size_t number = tap / row_taps;
      const std::byte* row = image;
      for (std::size_t i = outer.size(); i-- > 0;) {
        const SlidingAxis& axis = outer[i];
        const auto places = in_memory(axis.places);
        const auto kernel = in_memory(axis.kernel);
        const std::int64_t position =
            axis.position(static_cast<std::int64_t>(place % places), static_cast<std::int64_t>(number % kernel));
        if (position < 0 || position >= axis.size) row = nullptr;
        if (row != nullptr) row += static_cast<std::ptrdiff_t>(position) * axis.pitch;
        place /= places;
        number /= kernel;
      }
      write_row(to + tap * distance, distance, static_cast<std::int64_t>(in_row), some, row, outside);
    }
    to += some;
    first += some;
    count -= some;
  }
}

}  // namespace broadloom
