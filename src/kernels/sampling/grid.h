// Elements of images at points between them.
#pragma once

#include <cstddef>
#include <cstdint>

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

  // Starts point `number` with all of an image's first element.
  void start(std::size_t number) {
    count_ = 1;
    number_ = number;
    offsets_[number] = 0;
    weights_[number] = 1;
  }
  // Multiplies the point's taps by the taps of one more axis, on which the point has `number`, from -1 to 1.
  void add(const GridAxis& axis, T number);

  // Writes the sums of `points` points, linear or cubic, for an image, or a part of its complex numbers: both sides have
  // `parts` numbers for an element.
  void sum(T* to, const T* image, std::size_t points, std::size_t parts) const;
  // Copies the items of nearest points, or zeros.
  void copy(std::byte* to, const std::byte* image, std::size_t points, std::size_t item_size) const;

 private:
  static constexpr std::size_t outside = SIZE_MAX;

  GridMode mode_;
  GridPadding padding_;
  std::size_t* offsets_;
  T* weights_;
  std::size_t number_ = 0;
  std::size_t count_ = 0;  // of taps
};

// The number of taps of a point in an image with this number of axes.
inline std::size_t grid_taps(GridMode mode, std::size_t axes) {
  if (mode == GridMode::nearest) return 1;
  return std::size_t{1} << (mode == GridMode::linear ? axes : 2 * axes);
}

}  // namespace broadloom
