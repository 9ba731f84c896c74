#include "media/image.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "kernels/elementwise/convert.h"
#include "kernels/image/resample_rows.h"
#include "ops/call/dense.h"

namespace broadloom {

namespace {

// A band of rows stays in the second-level cache, from the copy to the work.
constexpr std::size_t band_bytes = std::size_t{128} * 1024;

template <class Check>
Status check_numbers(const char* name, const PerChannel& numbers, std::size_t channels, const Check& is_allowed,
                     const char* wanted) {
  if (numbers.count > 1 && numbers.count != channels) {
    return fail(Code::InvalidArgument, "{} has {} numbers, wanted one, or one for each of {} channels", name, numbers.count,
                channels);
  }
  for (std::size_t i = 0; i < numbers.count; ++i) {
    if (!is_allowed(numbers.values[i])) {
      return fail(Code::InvalidArgument, "{} has {}, wanted {}", name, numbers.values[i], wanted);
    }
  }
  return {};
}

bool is_finite(double x) { return std::isfinite(x); }
bool is_factor(double x) { return std::isfinite(x) && x != 0; }
bool is_byte(double x) { return x >= 0 && x <= 255 && x == std::floor(x); }

bool is_empty(const KeptPixels& side) { return side.begin >= side.end; }

Result<Tensor> make_result(const ImageOptions& options, std::size_t images, const ImageSize& size) {
  const auto channels = static_cast<std::int64_t>(image::count_of(options.channels));
  const Dims pixels_last{static_cast<std::int64_t>(images), channels, size.height, size.width};
  BROADLOOM_CHECK(checked_count(pixels_last.values()));
  BROADLOOM_TRY(result, make_tensor(options.type, pixels_last));
  const LayoutRef layout = channels_last_layout(pixels_last);
  const auto in_order = [&](std::initializer_list<std::size_t> axes) {
    Layout chosen{SymbolicDims(axes.size()), Dims(axes.size())};
    std::size_t i = 0;
    for (const std::size_t axis : axes) {
      chosen.dims[i] = layout->dims[axis];
      chosen.strides[i++] = layout->strides[axis];
    }
    return LayoutRef(chosen);
  };
  switch (options.layout) {
    case ImageLayout::nchw: result.layout = layout; break;
    case ImageLayout::nhwc: result.layout = in_order({0, 2, 3, 1}); break;
    case ImageLayout::chw: result.layout = in_order({1, 2, 3}); break;
    case ImageLayout::hwc: result.layout = in_order({2, 3, 1}); break;
  }
  return std::move(result);
}

}  // namespace

Status check_scale(const PixelScale& scale, std::size_t channels) {
  BROADLOOM_CHECK(check_numbers("scale", scale.scale, 1, is_factor, "a finite number other than 0"));
  BROADLOOM_CHECK(check_numbers("mean", scale.mean, channels, is_finite, "a finite number"));
  return check_numbers("std", scale.std, channels, is_factor, "a finite number other than 0");
}

Status check_options(const ImageOptions& options) {
  const std::size_t channels = image::count_of(options.channels);
  BROADLOOM_CHECK(check_scale(options.scale, channels));
  BROADLOOM_CHECK(check_numbers("fill", options.fill, channels, is_byte, "a byte from 0 to 255"));
  if (options.type == Dtype::uint8 && options.scale.scale.count + options.scale.mean.count + options.scale.std.count > 0) {
    return fail(Code::InvalidArgument, "elements of uint8 are the bytes themselves: they take no scale, mean or std");
  }
  if (!options.has_antialias && options.filter != image::Filter::bilinear) {
    return fail(Code::InvalidArgument, "only the filter 'bilinear' has a form without antialias");
  }
  if (options.resize.fit != Fit::fill && options.resize.kind != ImageResize::Kind::both_sides) {
    return fail(Code::InvalidArgument, "fit is for a resize to [height, width]");
  }
  return {};
}

Result<std::unique_ptr<ImagePreparation>> ImagePreparation::start(const ImageOptions& options,
                                                                  std::span<const ImageSource> sources) {
  BROADLOOM_CHECK(check_options(options));
  if (sources.empty()) return fail(Code::InvalidArgument, "there is no image");
  if (sources.size() > 1 && (options.layout == ImageLayout::chw || options.layout == ImageLayout::hwc)) {
    return fail(Code::InvalidArgument, "{} images need the layout 'nchw' or 'nhwc'", sources.size());
  }
  BROADLOOM_CHECK(require_memory(sources.size(), sizeof(ImageSource) + sizeof(ImageGeometry)));
  std::unique_ptr<ImagePreparation> result(new ImagePreparation());
  result->options_ = options;
  result->sources_.assign(sources.begin(), sources.end());
  for (const ImageSource& source : sources) {
    BROADLOOM_TRY(geometry, image_geometry(source.size, options.resize, options.crop));
    result->geometries_.push_back(geometry);
    const ImageSize& first = result->geometries_.front().output;
    if (geometry.output == first) continue;
    return fail(Code::InvalidArgument,
                "image {} gets [{}, {}] (height, width), and the first one [{}, {}]: resize or crop them to one size",
                result->geometries_.size() - 1, geometry.output.height, geometry.output.width, first.height, first.width);
  }
  BROADLOOM_CHECK(result->allocate(result->geometries_.front().output));
  BROADLOOM_CHECK(result->start_image());
  return result;
}

Status ImagePreparation::allocate(const ImageSize& size) {
  BROADLOOM_TRY(result, make_result(options_, sources_.size(), size));
  result_ = std::move(result);
  to_ = result_.storage->data();
  const std::size_t channels = image::count_of(options_.channels);
  const std::size_t bytes = in_memory(size.width) * channels;
  BROADLOOM_TRY(line, Storage::allocate(Count(bytes) + image::row_padding));
  line_ = std::move(line);
  BROADLOOM_TRY(fill, Storage::allocate(Count(bytes) + image::row_padding));
  fill_ = std::move(fill);
  for (std::size_t i = 0; i < bytes; ++i) {
    fill_->data()[i] = static_cast<std::byte>(static_cast<int>(options_.fill.of(i % channels, 0)));
  }
  if (options_.type == Dtype::float16) {
    BROADLOOM_TRY(elements, Storage::allocate(Count(bytes) * sizeof(float)));
    elements_ = std::move(elements);
  }
  for (std::size_t i = 0; i < image::channel_period; ++i) {
    const std::size_t channel = i % channels;
    const double divisor = options_.scale.std.of(channel, 1);
    scale_.factors[i] = options_.scale.scale.of(0, 1) / divisor;
    scale_.offsets[i] = -options_.scale.mean.of(channel, 0) / divisor;
  }
  return {};
}

Status ImagePreparation::start_image() {
  resizer_.reset();
  band_rows_ = 0;
  for (; image_ < sources_.size(); ++image_) {
    const ImageGeometry& geometry = geometries_[image_];
    const ImageSource& source = sources_[image_];
    if (is_empty(geometry.rows) || is_empty(geometry.columns)) {
      write_fill(in_memory(geometry.output.height));
      continue;
    }
    const image::ResizedSide rows{geometry.source.height, geometry.resized.height, geometry.rows.begin, geometry.rows.end};
    const image::ResizedSide columns{geometry.source.width, geometry.resized.width, geometry.columns.begin,
                                     geometry.columns.end};
    const auto channels = in_memory(source.channels);
    const std::size_t pixel_bytes = image::working_bytes(options_.channels, channels);
    // OpenCV has no alpha: its four channels are alike. So has Pillow's NEAREST.
    const bool has_alpha = pixel_bytes == 4 && options_.channels == image::Channels::rgba && channels % 2 == 0;
    BROADLOOM_TRY(resizer, RowResizer::make({options_.filter, options_.has_antialias, rows, columns, pixel_bytes, has_alpha}));
    resizer_ = std::move(resizer);
    const auto width = in_memory(source.size.width);
    BROADLOOM_TRY(work, Storage::allocate(Count(width) * pixel_bytes + image::row_padding));
    work_ = std::move(work);
    const std::size_t room = std::max(band_bytes, width * channels) + image::row_padding;
    BROADLOOM_TRY(band, Storage::allocate(room));
    band_ = std::move(band);
    write_fill(in_memory(geometry.top + geometry.rows.begin));
    std::copy_n(fill_->data(), fill_->size(), line_->data());  // margins may be where the image before had pixels
    row_ = 0;
    rows_wanted_ = rows.count();
    source_row_ = 0;
    want_rows();
    return {};
  }
  return {};
}

void ImagePreparation::want_rows() {
  source_row_ = std::max(source_row_, resizer_->needed(row_).first);
  const std::size_t left = resizer_->needed(rows_wanted_ - 1).last + 1 - source_row_;
  const auto row_bytes = in_memory(sources_[image_].size.width * sources_[image_].channels);
  band_rows_ = std::clamp(band_bytes / row_bytes, std::size_t{1}, left);
}

ImagePreparation::Part ImagePreparation::wanted() const {
  if (band_rows_ == 0) return {};
  const auto row_bytes = in_memory(sources_[image_].size.width * sources_[image_].channels);
  return {image_, band_->data(), source_row_ * row_bytes, band_rows_ * row_bytes};
}

Status ImagePreparation::next() {
  const Part part = wanted();
  const std::size_t row_bytes = part.length / band_rows_;
  for (std::size_t i = 0; i < band_rows_; ++i, ++source_row_) BROADLOOM_CHECK(take_row(part.to + i * row_bytes));
  if (row_ < rows_wanted_) {
    want_rows();
    return {};
  }
  const ImageGeometry& geometry = geometries_[image_];
  write_fill(in_memory(geometry.output.height - geometry.top - geometry.rows.end));
  ++image_;
  return start_image();
}

Status ImagePreparation::take_row(const std::byte* row) {
  if (source_row_ < resizer_->needed(row_).first) return {};
  const ImageSource& source = sources_[image_];
  const auto width = in_memory(source.size.width);
  const auto channels = in_memory(source.channels);
  constexpr double steps_of_byte = 8;
  const std::int64_t columns = geometries_[image_].columns.end - geometries_[image_].columns.begin;
  const double steps = steps_of_byte * static_cast<double>(std::max(source.size.width, columns) * source.channels);
  BROADLOOM_CHECK(Watch::check(steps));
  resizer_->take(source_row_, image::to_working(work_->data(), row, width, options_.channels, channels));
  for (; row_ < rows_wanted_ && resizer_->needed(row_).last <= source_row_; ++row_) {
    BROADLOOM_CHECK(Watch::check(steps));
    write_line(resizer_->result(row_));
  }
  return {};
}

void ImagePreparation::write_line(const std::byte* pixels) {
  const ImageGeometry& geometry = geometries_[image_];
  const auto columns = in_memory(geometry.columns.end - geometry.columns.begin);
  const std::size_t pixel_bytes = image::working_bytes(options_.channels, in_memory(sources_[image_].channels));
  const std::size_t channels = image::count_of(options_.channels);
  const auto width = in_memory(geometry.output.width);
  if (columns == width && channels == pixel_bytes) return write_elements(pixels);
  const std::size_t begin = in_memory(geometry.left + geometry.columns.begin) * channels;
  const std::size_t end = begin + columns * channels;
  image::write_channels(line_->data() + begin, pixels, columns, options_.channels, pixel_bytes);
  // The last vector overwrote the fill after the pixels: it is restored.
  std::copy_n(fill_->data() + end, std::min(width * channels - end, vector_bytes), line_->data() + end);
  write_elements(line_->data());
}

void ImagePreparation::write_fill(std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) write_elements(fill_->data());
}

void ImagePreparation::write_elements(const std::byte* line) {
  const std::size_t count = in_memory(geometries_.front().output.width) * image::count_of(options_.channels);
  switch (options_.type) {
    case Dtype::uint8: std::copy_n(line, count, to_); break;
    case Dtype::float64: image::scale_bytes(reinterpret_cast<double*>(to_), line, count, scale_); break;
    case Dtype::float16:
      image::scale_bytes(reinterpret_cast<float*>(elements_->data()), line, count, scale_);
      convert(to_, Dtype::float16, elements_->data(), Dtype::float32, count);
      break;
    default: image::scale_bytes(reinterpret_cast<float*>(to_), line, count, scale_);
  }
  to_ += count * item_size(options_.type);
}

}  // namespace broadloom
