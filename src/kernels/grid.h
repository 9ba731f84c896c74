// Elements of images at points between them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

enum class GridMode : std::uint8_t { linear, nearest, cubic };
enum class GridPadding : std::uint8_t { zeros, border, reflection };

// An axis of an image. Numbers are rounded to float32 where elements are.
struct GridAxis {
  std::size_t size;  // at least 1
  std::size_t step;  // in elements
  bool aligns_corners;
  bool is_float;

  // The coordinate for a number from -1 to 1.
  double coordinate(double number) const;
};

// Some points. Each takes the same number of elements.
class GridPoints {
 public:
  static constexpr std::size_t most = 64;  // at a time
  static constexpr std::size_t most_axes = 4;
  static constexpr std::size_t outside = SIZE_MAX;

  GridPoints(GridMode mode, GridPadding padding) : mode_(mode), padding_(padding) {}
  // Of each point.
  std::size_t taps(std::size_t axes) const;
  // Of each tap the offsets and weights of all points lie side by side, `most` apart.
  void place(std::size_t* offsets, double* weights) {
    offsets_ = offsets;
    weights_ = weights;
  }

  // Starts point `number` with all of an image's first element.
  void start(std::size_t number) {
    count_ = 1;
    number_ = number;
    offsets_[number] = 0;
    weights_[number] = 1;
  }
  // Multiplies the point's taps by those of one more axis.
  void add(const GridAxis& axis, double coordinate);

  // Writes the sums of `points` points for an image, or a part of its complex numbers: both sides have `step` numbers for an
  // element.
  template <class T>
  void sum(T* to, const T* image, std::size_t points, std::size_t step) const;
  // Copies the nearest items, or zeros.
  void copy(std::byte* to, const std::byte* image, std::size_t points, std::size_t item_size) const;

 private:
  GridMode mode_;
  GridPadding padding_;
  std::size_t* offsets_ = nullptr;
  double* weights_ = nullptr;
  std::size_t number_ = 0;
  std::size_t count_ = 0;  // of taps
};

}  // namespace broadloom
