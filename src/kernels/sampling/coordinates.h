// How an axis is resized: the input's coordinate for each index of the output, and the elements around it with their weights.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/status.h"

namespace broadloom {

// ONNX's words, in the order of the schemas' lists.
enum class Coordinates : std::uint8_t {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  align_corners,
  asymmetric,
  tf_half_pixel_for_nn,
  tf_crop_and_resize,
};
enum class Interpolation : std::uint8_t { nearest, linear, cubic };
enum class NearestMode : std::uint8_t {
  round_prefer_floor,
  round_prefer_ceil,
  floor,
  ceil,
  floor_or_ceil,  // before Resize-11: up where the axis gets shorter
};

struct ResizeRule {
  Interpolation interpolation = Interpolation::nearest;
  Coordinates coordinates = Coordinates::asymmetric;
  NearestMode nearest = NearestMode::floor_or_ceil;
  bool has_antialias = false;
  bool excludes_outside = false;
  double cubic_coefficient = -0.75;
};

// One axis. Its scale is the ratio of two sizes, or of a float32 and 1. `length` is `from` times the scale, which may be a
// fraction. The part of the axis from `start` to `end`, both between 0 and 1, is what tf_crop_and_resize resizes.
struct ResizedAxis {
  std::int64_t from = 1;
  std::int64_t to = 1;
  double numerator = 1;
  double denominator = 1;
  double length = 1;
  double start = 0;
  double end = 1;

  double scale() const { return numerator / denominator; }
  bool is_unchanged() const { return from == to && numerator == denominator && start == 0 && end == 1; }
};

// Whether a number has no more than eight binary places. Scales that have more are those nearest to a fraction such as 0.2, and
// what follows from them is computed in float32, as in other runtimes.
inline bool has_few_places(double number) { return number * 256 == std::floor(number * 256); }

// Whether an index of the output lies outside of the input, so that it gets the extrapolation value.
bool is_outside(const ResizeRule& rule, const ResizedAxis& axis, std::int64_t index);

// The nearest index of the input.
std::int64_t nearest_index(const ResizeRule& rule, const ResizedAxis& axis, std::int64_t index);

// The elements whose weighted sum is an element of the output: those from `begin` to before `end`, counted from `start`.
struct Window {
  std::size_t start;
  std::size_t begin;
  std::size_t end;
};

// The weights of an axis: `taps` for each window, zero before `begin` and from `end` on. The weights are float or double. The
// input has `taps` elements from `start` on.
struct Windows {
  std::size_t from;
  std::size_t to;
  std::size_t taps;
  const Window* windows = nullptr;
  const std::byte* weights = nullptr;
};

// The time of finding the place of one index, for Watch::check.
inline constexpr double steps_of_index = 16;

// The number of weights of a window for linear and cubic interpolation: whole vectors of float32, unless the input has fewer
// elements.
std::size_t taps_of(const ResizeRule& rule, const ResizedAxis& axis);

// Writes the windows of all indices of the output and their weights to `place`, and returns its end. They take
// at most two vectors more than their own bytes. `place` is aligned to 8.
Result<std::byte*> write_windows(Windows& windows, std::byte* place, const ResizeRule& rule, const ResizedAxis& axis,
                                 bool are_doubles);

}  // namespace broadloom
