// The place of an image's pixels in the result: the size to which the image is resized, and the part that is kept.
#pragma once

#include <cstdint>

#include "core/status.h"

namespace broadloom {

// The most pixels that a side of an image may have, before and after it is resized. Filters are worked out along whole sides.
inline constexpr std::int64_t most_side = std::int64_t{1} << 24;

struct ImageSize {
  std::int64_t height = 0;
  std::int64_t width = 0;

  friend bool operator==(const ImageSize& a, const ImageSize& b) = default;
};

struct ImageResize {
  enum class Kind : std::uint8_t { none, shorter_side, both_sides };
  Kind kind = Kind::none;
  ImageSize size;  // of shorter_side, the height is the side
  Fit fit = Fit::fill;
  bool is_centered = true;  // else what is cut off or added is all at the right and at the bottom
};

struct CropTarget {
  enum class Kind : std::uint8_t { none, center, box };
  Kind kind = Kind::none;
  ImageSize size;
  std::int64_t top = 0;  // of a box
  std::int64_t left = 0;
};

// Pixels of a side of the resized image: none where `end` is not above `begin`.
struct KeptPixels {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct ImageGeometry {
  ImageSize source;
  ImageSize resized;
  ImageSize output;
  // Where the upper left corner of the resized image lies in the output. Negative where it was cut off.
  std::int64_t top = 0;
  std::int64_t left = 0;
  // The pixels of the resized image that the output has. A crop does not bring back those that `cover` cut off.
  KeptPixels rows = {};
  KeptPixels columns = {};
};

// INVALID_ARGUMENT for sides below 1 or above most_side, and for a crop that starts farther away.
Result<ImageGeometry> image_geometry(ImageSize source, const ImageResize& resize, const CropTarget& crop);

}  // namespace broadloom
