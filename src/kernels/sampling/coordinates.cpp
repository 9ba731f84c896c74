#include "kernels/sampling/coordinates.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// A result of numbers with few places has one rounding. Others are float32's, where 1 / 0.2 is 5, and not a little less. Above
// 2^23 float32 has no fractions.
double rounded(double x, bool have_few_places) {
  return have_few_places || std::abs(x) >= 0x1p23 ? x : static_cast<double>(static_cast<float>(x));
}

// A multiple of a half, divided by the scale.
double unscaled(const ResizedAxis& axis, double x) {
  return rounded(x * axis.denominator / axis.numerator, has_few_places(axis.numerator));
}

// The input's coordinate, by the formulas of ONNX's text. Here they are written so that ratios of integers have one rounding.
// With align_corners, `length_resized` is the length before it is rounded: so it is in ONNX's tests.
double coordinate_of(const ResizeRule& rule, const ResizedAxis& axis, std::int64_t index) {
  const auto x = static_cast<double>(index);
  const auto last = static_cast<double>(axis.from - 1);
  switch (rule.coordinates) {
    case Coordinates::pytorch_half_pixel:
      if (axis.to <= 1) return 0;
      [[fallthrough]];
    case Coordinates::half_pixel: return unscaled(axis, x + 0.5) - 0.5;
    // The middle of the one axis is at the middle of the other.
    case Coordinates::half_pixel_symmetric: return unscaled(axis, x - static_cast<double>(axis.to - 1) / 2) + last / 2;
    case Coordinates::align_corners: return axis.length == 1 ? 0 : x * last / (axis.length - 1);
    case Coordinates::asymmetric: return unscaled(axis, x);
    case Coordinates::tf_half_pixel_for_nn: return unscaled(axis, x + 0.5);
    default: break;
  }
  const bool have_few_places = has_few_places(axis.start) && has_few_places(axis.end);
  if (axis.to <= 1) return rounded((axis.start + axis.end) * last / 2, have_few_places);
  const auto end = static_cast<double>(axis.to - 1);
  return rounded((x * (axis.end - axis.start) + end * axis.start) * last / end, have_few_places);
}

// The interpolating functions of a distance. The cubic one is Keys' equation (4).
double weight_at(const ResizeRule& rule, double distance) {
  const double x = std::abs(distance);
  if (rule.interpolation == Interpolation::linear) return std::max(1 - x, 0.0);
  const double a = rule.cubic_coefficient;
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// The elements around a coordinate. Antialiasing takes more of them, since distances shrink.
class Neighbours {
 public:
  Neighbours(const ResizeRule& rule, const ResizedAxis& axis)
      : rule_(rule),
        axis_(axis),
        shrink_(rule.has_antialias ? std::min(axis.scale(), 1.0) : 1),
        lowest_(lowest_of(rule.interpolation == Interpolation::linear ? 1 : 2)) {}

  std::int64_t count() const { return static_cast<std::int64_t>(2 - 2 * lowest_); }

  // Finds the elements around an index of the output, and returns the first one, which may be outside of the input.
  std::int64_t find(std::int64_t index) {
    // Farther away, all of them are the outermost one.
    const auto reach = static_cast<double>(count());
    const double x = std::clamp(coordinate_of(rule_, axis_, index), -reach, static_cast<double>(axis_.from) + reach);
    const double before = std::ceil(x) - 1;
    part_ = x - before;
    first_ = static_cast<std::int64_t>(before + lowest_);
    return first_;
  }
  double weight(std::int64_t i) const {
    const std::int64_t place = first_ + i;
    if (rule_.excludes_outside && (place < 0 || place >= axis_.from)) return 0;
    return weight_at(rule_, (lowest_ + static_cast<double>(i) - part_) * shrink_);
  }
  // By which weights are divided.
  double divisor() const {
    if (!rule_.has_antialias && !rule_.excludes_outside) return 1;
    double sum = 0;
    for (std::int64_t i = 0; i < count(); ++i) sum += weight(i);
    return sum == 0 ? 1 : sum;
  }

 private:
  double lowest_of(double reach) const { return std::floor(-(shrink_ < 1 ? unscaled(axis_, reach) : reach)) + 1; }

  const ResizeRule& rule_;
  const ResizedAxis& axis_;
  double shrink_;
  double lowest_;    // relative to the element before the coordinate
  double part_ = 0;  // from that element to the coordinate: above 0, at most 1
  std::int64_t first_ = 0;
};

}  // namespace

bool is_outside(const ResizeRule& rule, const ResizedAxis& axis, std::int64_t index) {
  if (rule.coordinates != Coordinates::tf_crop_and_resize) return false;
  const double x = coordinate_of(rule, axis, index);
  // NaN is outside, too.
  return !(x >= 0 && x <= static_cast<double>(axis.from - 1));
}

std::int64_t nearest_index(const ResizeRule& rule, const ResizedAxis& axis, std::int64_t index) {
  if (is_outside(rule, axis, index)) return 0;
  const double x = coordinate_of(rule, axis, index);
  double below = std::floor(x);
  const double part = x - below;
  switch (rule.nearest) {
    case NearestMode::round_prefer_floor: below += part > 0.5 ? 1 : 0; break;
    case NearestMode::round_prefer_ceil: below += part >= 0.5 ? 1 : 0; break;
    case NearestMode::floor: break;
    case NearestMode::ceil: below += part > 0 ? 1 : 0; break;
    case NearestMode::floor_or_ceil: below += axis.scale() < 1 && part > 0 ? 1 : 0; break;
  }
  return static_cast<std::int64_t>(std::clamp(below, 0.0, static_cast<double>(axis.from - 1)));
}

std::size_t taps_of(const ResizeRule& rule, const ResizedAxis& axis) {
  constexpr std::int64_t lanes = 4;
  const Neighbours around(rule, axis);
  return in_memory(std::min((around.count() + lanes - 1) / lanes * lanes, axis.from));
}

Result<std::byte*> write_windows(Windows& windows, std::byte* place, const ResizeRule& rule, const ResizedAxis& axis,
                                 bool are_doubles) {
  Neighbours around(rule, axis);
  const std::int64_t count = around.count();
  const std::size_t size = are_doubles ? sizeof(double) : sizeof(float);
  auto* window = reinterpret_cast<Window*>(place);
  std::byte* weights = place + whole_vectors(windows.to * sizeof(Window));
  std::byte* const end = weights + whole_vectors(windows.to * windows.taps * size);
  windows.windows = window;
  windows.weights = weights;
  std::memset(weights, 0, windows.to * windows.taps * size);
  for (std::int64_t o = 0; o < axis.to; ++o, ++window, weights += windows.taps * size) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(count) * steps_of_index));
    *window = {};
    if (is_outside(rule, axis, o)) continue;
    const std::int64_t first = around.find(o);
    const double divisor = around.divisor();
    // Elements beyond the ends are the outermost ones, which get the sum of the weights.
    const std::int64_t start = std::clamp<std::int64_t>(first, 0, axis.from - static_cast<std::int64_t>(windows.taps));
    window->start = in_memory(start);
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      sum += around.weight(i);
      const std::int64_t at = first + i;
      if (i + 1 < count && (at < 0 || at + 1 >= axis.from)) continue;
      if (sum != 0) {
        const auto k = in_memory(std::clamp<std::int64_t>(at, 0, axis.from - 1) - start);
        if (window->end == 0) window->begin = k;
        window->end = k + 1;
        if (are_doubles) {
          reinterpret_cast<double*>(weights)[k] = sum / divisor;
        } else {
          reinterpret_cast<float*>(weights)[k] = static_cast<float>(sum / divisor);
        }
      }
      sum = 0;
    }
  }
  return end;
}

}  // namespace broadloom
