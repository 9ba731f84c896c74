#include "kernels/convolution/pool_masked.h"

#include <limits>

#include "core/limits.h"

namespace broadloom {
namespace {

// One window.
struct MaskedWindow {
  const float* plane;
  const std::int32_t* mask;
  float most = std::numeric_limits<float>::lowest();

  // Takes the elements of the axes from the first of these on, at the places of the window; `at` is the number of the element
  // that the axes before them lead to.
  void take(std::span<const SlidingAxis> axes, const std::int64_t* places, std::int64_t at) {
    const SlidingAxis& axis = axes[0];
    const std::int64_t first = axis.position(places[0]);
    const std::int64_t end = std::min(first + axis.kernel, axis.size);
    for (std::int64_t position = std::max<std::int64_t>(first, 0); position < end; ++position) {
      const std::int64_t number = at * axis.size + position;
      if (axes.size() > 1) {
        take(axes.subspan(1), places + 1, number);
      } else if (mask[number] == 0) {
        return;
      } else if (plane[number] > most) {
        most = plane[number];
      }
    }
  }
};

}  // namespace

Status pool_masked(float* to, const float* plane, const std::int32_t* mask, std::span<const SlidingAxis> axes) {
  InlineVector<std::int64_t, 3> places(axes.size(), 0);
  double steps = 1;
  std::int64_t count = 1;
  for (const SlidingAxis& axis : axes) {
    steps *= static_cast<double>(std::min(axis.kernel, axis.size));
    count *= axis.places;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    BROADLOOM_CHECK(Watch::check(steps));
    std::int64_t rest = i;
    for (std::size_t axis = axes.size(); axis-- > 0; rest /= axes[axis].places) places[axis] = rest % axes[axis].places;
    MaskedWindow window{plane, mask};
    window.take(axes, places.data(), 0);
    to[i] = window.most;
  }
  return {};
}

}  // namespace broadloom
