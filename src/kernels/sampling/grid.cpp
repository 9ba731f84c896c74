#include "kernels/sampling/grid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// The coordinate of a number from -1 to 1, computed in T.
template <class T>
double unnormalized(const GridAxis& axis, T number) {
  const auto length = static_cast<T>(axis.size);
  return static_cast<double>(axis.aligns_corners ? (number + 1) / 2 * (length - 1) : ((number + 1) * length - 1) / 2);
}

// The coordinate within the borders, after any number of reflections.
double reflected(const GridAxis& axis, double x) {
  const double low = axis.aligns_corners ? 0 : -0.5;
  const double range = static_cast<double>(axis.size) - (axis.aligns_corners ? 1 : 0);
  if (range == 0) return 0;
  const double way = std::fmod(std::abs(x - low), 2 * range);
  return low + (way <= range ? way : 2 * range - way);
}

template <class T, std::size_t... lane>
Lanes<T> elements_at(const T* image, const std::size_t* offsets, std::size_t parts, std::index_sequence<lane...>) {
  return Lanes<T>{image[offsets[lane] * parts]...};
}

}  // namespace

template <class T>
void GridPoints<T>::add(const GridAxis& axis, T number) {
  // Above 2^23 float32 has no fractions, and above 2^24 not every integer.
  const bool is_short = axis.size < std::size_t{1} << 23;
  double x = is_short ? unnormalized(axis, number) : unnormalized(axis, static_cast<double>(number));
  const auto last = static_cast<double>(axis.size - 1);
  const double low = axis.aligns_corners ? 0 : -0.5;
  if (mode_ == GridMode::nearest) x = std::nearbyint(x);
  // From here on outwards, all taps are on one side of the image. NaN is before it.
  const double before = -2;
  const double behind = last + 2;
  if (!std::isfinite(x)) x = x > 0 ? behind : before;
  if (padding_ == GridPadding::reflection) {
    if (x < low || x > last - low) x = reflected(axis, x);
  } else {
    // At the border each tap of a cubic is moved, as in PyTorch, and not the point.
    const bool moves_point = padding_ == GridPadding::border && mode_ != GridMode::cubic;
    x = moves_point ? std::clamp(x, 0.0, last) : std::clamp(x, before, behind);
  }
  T weights[4] = {1};
  double first = std::floor(x);
  std::size_t own = 1;
  if (mode_ != GridMode::nearest) {
    const T part = static_cast<T>(x - first);
    own = 2;
    weights[0] = 1 - part;
    weights[1] = part;
    if (mode_ == GridMode::cubic) {
      own = 4;
      first -= 1;
      constexpr T a = T(-0.75);
      for (std::size_t i = 0; i < own; ++i) {
        const T d = std::abs(static_cast<T>(i) - 1 - part);
        weights[i] = d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
      }
    }
  }
  // From the last tap on, so that those before are still there.
  for (std::size_t k = own; k-- > 0;) {
    double place = first + static_cast<double>(k);
    T weight = weights[k];
    if (padding_ == GridPadding::reflection) place = std::trunc(reflected(axis, place));
    const bool is_inside = place >= 0 && place <= last;
    if (padding_ == GridPadding::zeros && !is_inside) weight = 0;
    const bool is_zero = mode_ == GridMode::nearest && weight == 0;
    const auto offset = in_memory(Count::of(is_inside ? place : place < 0 ? 0 : last)) * axis.step;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t from = i * most + number_;
      const std::size_t to = (k * count_ + i) * most + number_;
      weights_[to] = weights_[from] * weight;
      offsets_[to] = offsets_[from] == outside || is_zero ? outside : offsets_[from] + offset;
    }
  }
  count_ *= own;
}

template <class T>
void GridPoints<T>::sum(T* to, const T* image, std::size_t points, std::size_t parts) const {
  constexpr std::size_t lanes = lanes_of<T>;
  for (std::size_t i = 0; i < points; i += lanes) {
    const std::size_t some = std::min(lanes, points - i);
    if (some == lanes) {
      Lanes<T> sums{};
      for (std::size_t k = 0; k < count_; ++k) {
        const auto elements = elements_at(image, offsets_ + k * most + i, parts, std::make_index_sequence<lanes>());
        sums += elements * load_lanes<T>(reinterpret_cast<const std::byte*>(weights_ + k * most + i));
      }
      for (std::size_t lane = 0; lane < lanes; ++lane) to[(i + lane) * parts] = sums[lane];
      if (!any(nan_mask(sums))) continue;
    }
    // Elements without weight may be infinite.
    for (std::size_t lane = i; lane < i + some; ++lane) {
      T sum = 0;
      for (std::size_t k = 0; k < count_; ++k) {
        const T weight = weights_[k * most + lane];
        if (weight != 0) sum += image[offsets_[k * most + lane] * parts] * weight;
      }
      to[lane * parts] = sum;
    }
  }
}

template <class T>
void GridPoints<T>::copy(std::byte* to, const std::byte* image, std::size_t points, std::size_t item_size) const {
  with_item_size(item_size, [&]<std::size_t size>() {
    constexpr std::byte zero[size] = {};
    for (std::size_t i = 0; i < points; ++i) {
      std::memcpy(to + i * size, offsets_[i] == outside ? zero : image + offsets_[i] * size, size);
    }
  });
}

template class GridPoints<float>;
template class GridPoints<double>;

}  // namespace broadloom
