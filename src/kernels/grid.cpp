#include "kernels/grid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/simd.h"

namespace broadloom {
namespace {

double grid_rounded(const GridAxis& axis, double value) {
  return axis.is_float ? static_cast<double>(static_cast<float>(value)) : value;
}

// The coordinate within the borders, after as many reflections as it takes.
double reflected(const GridAxis& axis, double x) {
  const double low = axis.aligns_corners ? 0 : -0.5;
  const double range = static_cast<double>(axis.size) - (axis.aligns_corners ? 1 : 0);
  if (range == 0) return 0;
  const double way = std::fmod(std::abs(x - low), 2 * range);
  return low + (way <= range ? way : 2 * range - way);
}

}  // namespace

double GridAxis::coordinate(double number) const {
  const auto length = static_cast<double>(size);
  const double raised = grid_rounded(*this, number + 1);
  if (aligns_corners) return grid_rounded(*this, raised / 2 * (length - 1));
  return grid_rounded(*this, (grid_rounded(*this, raised * length) - 1) / 2);
}

std::size_t GridPoints::taps(std::size_t axes) const {
  if (mode_ == GridMode::nearest) return 1;
  return std::size_t{1} << (mode_ == GridMode::linear ? axes : 2 * axes);
}

void GridPoints::add(const GridAxis& axis, double x) {
  const auto last = static_cast<double>(axis.size - 1);
  if (mode_ == GridMode::nearest) x = std::nearbyint(x);
  // NaN is before the image.
  if (!(std::abs(x) < 1e15)) x = x > 0 ? last + 2 : -2;
  const double low = axis.aligns_corners ? 0 : -0.5;
  if (padding_ != GridPadding::zeros && (x < low || x > last - low)) {
    x = padding_ == GridPadding::border ? std::clamp(x, 0.0, last) : grid_rounded(axis, reflected(axis, x));
  }
  double weights[4] = {1};
  double first = x;
  std::size_t own = 1;
  if (mode_ != GridMode::nearest) {
    first = std::floor(x);
    const double part = x - first;
    if (mode_ == GridMode::linear) {
      own = 2;
      weights[0] = 1 - part;
      weights[1] = part;
    } else {
      own = 4;
      first -= 1;
      constexpr double a = -0.75;
      for (std::size_t i = 0; i < own; ++i) {
        const double d = std::abs(static_cast<double>(i) - 1 - part);
        weights[i] = d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
      }
    }
  }
  // From the last tap on, so that those before are still there.
  for (std::size_t k = own; k-- > 0;) {
    double place = first + static_cast<double>(k);
    double weight = weights[k];
    if (padding_ == GridPadding::reflection) place = std::trunc(reflected(axis, place));
    if (padding_ == GridPadding::zeros && !(place >= 0 && place <= last)) weight = 0;
    const bool is_outside_of_all = mode_ == GridMode::nearest && weight == 0;
    const auto offset = static_cast<std::size_t>(std::clamp(place, 0.0, last)) * axis.step;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t from = i * most + number_;
      const std::size_t to = (k * count_ + i) * most + number_;
      weights_[to] = weights_[from] * weight;
      offsets_[to] = offsets_[from] == outside || is_outside_of_all ? outside : offsets_[from] + offset;
    }
  }
  count_ *= own;
}

template <class T>
void GridPoints::sum(T* to, const T* image, std::size_t points, std::size_t step) const {
  for (std::size_t i = 0; i < points; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      sum += static_cast<double>(image[offsets_[k * most + i] * step]) * weights_[k * most + i];
    }
    // Elements without weight may be infinite.
    if (sum != sum) {  // NOLINT(misc-redundant-expression)
      sum = 0;
      for (std::size_t k = 0; k < count_; ++k) {
        const double weight = weights_[k * most + i];
        if (weight != 0) sum += static_cast<double>(image[offsets_[k * most + i] * step]) * weight;
      }
    }
    to[i * step] = static_cast<T>(sum);
  }
}
template void GridPoints::sum<float>(float*, const float*, std::size_t, std::size_t) const;
template void GridPoints::sum<double>(double*, const double*, std::size_t, std::size_t) const;

void GridPoints::copy(std::byte* to, const std::byte* image, std::size_t points, std::size_t item_size) const {
  for (std::size_t i = 0; i < points; ++i, to += item_size) {
    if (offsets_[i] == outside) {
      std::memset(to, 0, item_size);
    } else {
      std::memcpy(to, image + offsets_[i] * item_size, item_size);
    }
  }
}

}  // namespace broadloom
