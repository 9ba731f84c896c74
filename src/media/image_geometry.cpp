#include "media/image_geometry.h"

#include <algorithm>
#include <cmath>

namespace broadloom {

namespace {

bool is_side(std::int64_t side) { return side >= 1 && side <= most_side; }

Status check_size(const char* what, ImageSize size) {
  if (is_side(size.height) && is_side(size.width)) return {};
  return fail(Code::InvalidArgument, "{} is [{}, {}] (height, width); sides are from 1 to {}", what, size.height, size.width,
              most_side);
}

// Halves go to the even neighbour.
std::int64_t rounded(double x) { return static_cast<std::int64_t>(std::nearbyint(x)); }

// torchvision's Resize of one size: the longer side is rounded down.
ImageSize with_shorter_side(ImageSize from, std::int64_t side) {
  const auto longer = [&](std::int64_t longest, std::int64_t shortest) {
    return static_cast<std::int64_t>(static_cast<double>(side * longest) / static_cast<double>(shortest));
  };
  if (from.width <= from.height) return {longer(from.height, from.width), side};
  return {side, longer(from.width, from.height)};
}

double ratio(std::int64_t to, std::int64_t from) { return static_cast<double>(to) / static_cast<double>(from); }

ImageSize scaled(ImageSize from, double scale) {
  return {std::max(rounded(static_cast<double>(from.height) * scale), std::int64_t{1}),
          std::max(rounded(static_cast<double>(from.width) * scale), std::int64_t{1})};
}

// torchvision's CenterCrop: where the image starts in a crop of `to` pixels. Half of what is cut off is rounded to even, half
// of what is added is rounded down.
std::int64_t centered(std::int64_t from, std::int64_t to) {
  return to > from ? (to - from) / 2 : -rounded(static_cast<double>(from - to) / 2);
}

// Ultralytics' LetterBox: the left margin is the smaller one.
std::int64_t margin(std::int64_t from, std::int64_t to) { return rounded(static_cast<double>(to - from) / 2 - 0.1); }

void resize(ImageGeometry& geometry, const ImageResize& target) {
  const ImageSize from = geometry.source;
  const ImageSize to = target.size;
  geometry.resized = geometry.output = to;
  if (target.fit == Fit::fill) return;
  const double by_height = ratio(to.height, from.height);
  const double by_width = ratio(to.width, from.width);
  const bool is_inside = target.fit == Fit::contain;
  geometry.resized = scaled(from, is_inside ? std::min(by_height, by_width) : std::max(by_height, by_width));
  if (!target.is_centered) return;
  if (is_inside) {
    geometry.top = margin(geometry.resized.height, to.height);
    geometry.left = margin(geometry.resized.width, to.width);
  } else {
    geometry.top = centered(geometry.resized.height, to.height);
    geometry.left = centered(geometry.resized.width, to.width);
  }
}

// The part of a side that is kept in an output in which the side begins at `start`.
KeptPixels within(KeptPixels kept, std::int64_t start, std::int64_t output) {
  return {std::max(kept.begin, -start), std::min(kept.end, output - start)};
}

void keep_output(ImageGeometry& geometry) {
  geometry.rows = within(geometry.rows, geometry.top, geometry.output.height);
  geometry.columns = within(geometry.columns, geometry.left, geometry.output.width);
}

}  // namespace

Result<ImageGeometry> image_geometry(ImageSize source, const ImageResize& target, const CropTarget& crop) {
  BROADLOOM_CHECK(check_size("the image's size", source));
  ImageGeometry result{source, source, source};
  if (target.kind == ImageResize::Kind::shorter_side) {
    if (!is_side(target.size.height)) {
      return fail(Code::InvalidArgument, "resize is {}; sides are from 1 to {}", target.size.height, most_side);
    }
    result.resized = result.output = with_shorter_side(source, target.size.height);
  } else if (target.kind == ImageResize::Kind::both_sides) {
    BROADLOOM_CHECK(check_size("resize", target.size));
    resize(result, target);
  }
  BROADLOOM_CHECK(check_size("the size of the resized image", result.resized));
  result.rows.end = result.resized.height;
  result.columns.end = result.resized.width;
  keep_output(result);
  if (crop.kind == CropTarget::Kind::none) return result;
  BROADLOOM_CHECK(check_size("crop", crop.size));
  if (crop.kind == CropTarget::Kind::center) {
    result.top += centered(result.output.height, crop.size.height);
    result.left += centered(result.output.width, crop.size.width);
  } else {
    if (std::abs(crop.top) > most_side || std::abs(crop.left) > most_side) {
      return fail(Code::InvalidArgument, "crop starts at [{}, {}] (top, left); the farthest is {}", crop.top, crop.left,
                  most_side);
    }
    result.top -= crop.top;
    result.left -= crop.left;
  }
  result.output = crop.size;
  keep_output(result);
  return result;
}

}  // namespace broadloom
