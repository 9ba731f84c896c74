// Elements of a few bits that are quantised in blocks along one axis, as numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

// A row-major tensor whose axes are merged to three: the axes before the quantised one, the quantised one, and the axes after
// it. Each block of `block` elements along the middle axis has a scale and a zero point: numbers [before, blocks, behind].
struct BlockQuantised {
  const std::byte* data;  // element i has the bits from i * bits % 8 on of byte i * bits / 8
  std::size_t bits;
  const float* numbers;  // what each pattern of the bits stands for, before the zero point
  const float* scales;
  const float* zeros;  // nullptr: zero is the zero point of all
  float zero;
  std::size_t length;  // of the middle axis
  std::size_t behind;
  std::size_t block;

  // Writes the numbers of `count` elements from number `first` on.
  void write(float* to, std::size_t first, std::size_t count) const;
};

}  // namespace broadloom
