// Elements of images at points between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace broadloom {

enum class GridMode : std::uint8_t { linear, nearest, cubic };
enum class GridPadding : std::uint8_t { zeros, border, reflection };

// An axis of an image.
struct GridAxis {
  std::size_t size;  // at least 1
  std::size_t step;  // in elements
  bool aligns_corners;
};

// Some points. Each takes the same number of elements (taps), at offsets and with weights. The offsets of one tap lie side by
// side for all points, and so do its weights. T is float or double.
template <class T>
class GridPoints {
 public:
  static constexpr std::size_t most = 64;

  GridPoints(GridMode mode, GridPadding padding, std::size_t* offsets, T* weights)
      : mode_(mode), padding_(padding), offsets_(offsets), weights_(weights) {}

  // Finds the taps of points. Each point has a number from -1 to 1 for each axis, listed from the last axis to the first.
  void place(std::span<const GridAxis> axes, const T* numbers, std::size_t points);

  // Writes the sums of `points` points, linear or cubic, for an image, or a part of its complex numbers: both sides have
  // `parts` numbers for an element.
  void sum(T* to, const T* image, std::size_t points, std::size_t parts) const;
  // Copies the items of nearest points, or zeros.
  void copy(std::byte* to, const std::byte* image, std::size_t points, std::size_t item_size) const;

 private:
  // Multiplies the taps of a point by the taps of one more axis.
  void add(const GridAxis& axis, T number, std::size_t point);
  // As add(), for as many points as a vector has lanes. Their numbers lie `step` apart. Returns false, and adds nothing, for
  // the rare coordinates and modes that only add() computes.
  bool add_lanes(const GridAxis& axis, const T* numbers, std::size_t step, std::size_t first);

  GridMode mode_;
  GridPadding padding_;
  std::size_t* offsets_;
  T* weights_;
  std::size_t count_ = 0;  // of taps
};

// The number of taps of a point in an image with this number of axes.
inline std::size_t grid_taps(GridMode mode, std::size_t axes) {
  if (mode == GridMode::nearest) return 1;
  return std::size_t{1} << (mode == GridMode::linear ? axes : 2 * axes);
}

}  // namespace broadloom
