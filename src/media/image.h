// Images become tensors: resized, cropped, converted and scaled, one band of rows after the other.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tensor.h"
#include "kernels/image/filter_taps.h"
#include "kernels/image/pixels.h"
#include "media/image_geometry.h"
#include "media/row_resizer.h"

namespace broadloom {

// A number for all channels, or one for each.
struct PerChannel {
  double values[4] = {};
  std::size_t count = 0;  // 0 if none is given

  double of(std::size_t channel, double otherwise) const { return count == 0 ? otherwise : values[count == 1 ? 0 : channel]; }
};

// element = (byte * scale - mean) / std
struct PixelScale {
  PerChannel scale;  // one number
  PerChannel mean;
  PerChannel std;
};
// Fails with INVALID_ARGUMENT for numbers that are not finite, for a scale or std of 0, and for another count of numbers than
// one, or one for each channel.
Status check_scale(const PixelScale& scale, std::size_t channels);

struct ImageOptions {
  ImageResize resize;
  CropTarget crop;
  image::Filter filter = image::Filter::bilinear;
  bool has_antialias = true;
  PerChannel fill;  // bytes of pixels that are outside of the image
  image::Channels channels = image::Channels::rgb;
  ImageLayout layout = ImageLayout::nchw;
  Dtype type = Dtype::float32;
  PixelScale scale;
};

// INVALID_ARGUMENT for options that contradict each other, for a fill that is not a byte, and for numbers as check_scale has
// it.
Status check_options(const ImageOptions& options);

// Bytes of pixels in row-major order, of 1 channel (gray), 2 (gray, alpha), 3 (RGB) or 4 (RGBA).
struct ImageSource {
  ImageSize size;
  std::int64_t channels = 4;
};

// Makes one tensor of images that get the same size. Its elements lie channels last, whatever its dims are.
class ImagePreparation {
 public:
  // Checks the options and sizes first, then allocates the result.
  static Result<std::unique_ptr<ImagePreparation>> start(const ImageOptions& options, std::span<const ImageSource> sources);

  // The bytes of an image that are wanted next: `length` from `offset` on, to be written to `to`. No length when all is done.
  struct Part {
    std::size_t image = 0;
    std::byte* to = nullptr;
    std::size_t offset = 0;
    std::size_t length = 0;
  };
  Part wanted() const;
  // Works with the bytes that are there now.
  Status next();

  const ImageGeometry& geometry(std::size_t image) const { return geometries_[image]; }
  std::size_t count() const { return sources_.size(); }
  Tensor&& take_result() { return std::move(result_); }

 private:
  ImagePreparation() = default;
  Status allocate(const ImageSize& size);
  Status start_image();
  void want_rows();
  Status take_row(const std::byte* row);
  void write_line(const std::byte* pixels);
  void write_fill(std::size_t rows);
  void write_elements(const std::byte* line);

  ImageOptions options_;
  std::vector<ImageSource> sources_;
  std::vector<ImageGeometry> geometries_;
  Tensor result_;
  std::byte* to_ = nullptr;  // where the next row of the result begins

  // The work of the current image.
  std::size_t image_ = 0;
  std::unique_ptr<RowResizer> resizer_;
  std::size_t rows_wanted_ = 0;  // rows of the result that are made of the image
  std::size_t row_ = 0;          // the next of these
  std::size_t source_row_ = 0;   // the first of the band
  std::size_t band_rows_ = 0;    // how many are wanted next
  StorageRef band_;
  StorageRef work_;      // a row in working form
  StorageRef line_;      // the channels of a row of the result
  StorageRef fill_;      // the same of a row outside of the image
  StorageRef elements_;  // float32, for types that are rounded from it
  image::ByteScale scale_ = {};
};

}  // namespace broadloom
