// The pixels of the source that make a pixel of a resized axis, and their weights, as Pillow and OpenCV have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/count.h"
#include "core/status.h"

namespace broadloom::image {

using broadloom::Filter;

// An axis that is resized, and the part of the result that is wanted: from `begin` to before `end`.
struct ResizedSide {
  std::int64_t from = 1;
  std::int64_t to = 1;
  std::int64_t begin = 0;
  std::int64_t end = 1;

  bool is_unchanged() const { return from == to; }
  std::size_t count() const { return in_memory(end - begin); }
};

// Consecutive pixels of the source.
struct Taps {
  std::size_t first;
  std::size_t count;
};

// Pillow's weights (Resample.c): the weights of a filter around the pixel's centre, over their sum, as integers of 22
// fractional bits. The filter is stretched where the axis gets shorter. An integer is kept as two of 16 bits, high * 2^11 +
// low, so that two pixels go into one instruction, and results are exact.
class FilterTaps {
 public:
  static constexpr int low_bits = 11;
  static constexpr int fraction_bits = 22;

  static Result<FilterTaps> make(Filter filter, const ResizedSide& side);

  std::size_t count() const { return taps_.size(); }
  // The taps of output `i`, counted from the side's `begin`.
  Taps of(std::size_t i) const { return taps_[i]; }
  std::size_t most() const { return most_; }
  // Halves of the weights, followed by zeros up to a multiple of eight.
  const std::byte* high(std::size_t i) const { return halves_of(i); }
  const std::byte* low(std::size_t i) const { return halves_of(i) + stride_ * sizeof(std::int16_t); }

 private:
  FilterTaps() = default;
  const std::byte* halves_of(std::size_t i) const {
    return reinterpret_cast<const std::byte*>(halves_.data() + i * 2 * stride_);
  }
  void write_halves(std::size_t i, std::span<const double> weights);

  std::vector<Taps> taps_;
  std::vector<std::int16_t> halves_;
  std::size_t stride_ = 0;
  std::size_t most_ = 0;
};

// OpenCV's INTER_LINEAR (resize.cpp): two pixels, with weights of 11 fractional bits.
struct LinearTap {
  std::int32_t first;
  std::int32_t second;
  std::int16_t weights[2];
};
// Along x, a pixel beyond the first or the last centre is the pixel at the edge. Along y, it is a sum in which that pixel
// stands twice, which rounds otherwise.
enum class LinearEdge : std::uint8_t { whole, twice };
Result<std::vector<LinearTap>> linear_taps(const ResizedSide& side, LinearEdge edge);

// Pillow's NEAREST (Geometry.c): positions that are sums of the scale, rounded down.
Result<std::vector<std::int32_t>> nearest_positions(const ResizedSide& side);

}  // namespace broadloom::image
