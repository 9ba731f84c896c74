// Images of any size and options: there is a tensor of the dims that the geometry says, or an error; a batch has the elements
// of its images alone; and a tensor becomes an image again.
#include "media/image.h"

#include "fuzz/outcomes.h"
#include "fuzz/reader.h"
#include "fuzz/target.h"
#include "media/image_data.h"

namespace broadloom::fuzz {
namespace {

constexpr std::int64_t telling_sides[] = {1,         2,        3, 4, 7, 8, 15, 16, 17, 31, 33, 0, -1, most_side, most_side + 1,
                                          INT64_MAX, INT64_MIN};
constexpr double telling_numbers[] = {0, 1, 255, 0.5, -1, 1 / 255.0, 114, 1e-30, 1e300, HUGE_VAL, NAN};
constexpr Dtype types[] = {Dtype::float32, Dtype::uint8, Dtype::float16, Dtype::float64};  // JavaScript gives no other
constexpr std::int64_t most_pixels = std::int64_t{1} << 16;

std::int64_t side(Reader& bytes) { return bytes.one_in(8) ? bytes.one_of(telling_sides) : bytes.between(1, 48); }

PerChannel numbers(Reader& bytes) {
  PerChannel result;
  result.count = bytes.one_in(8) ? bytes.below(7) : bytes.below(2) * 3;
  for (double& value : result.values) value = bytes.one_of(telling_numbers);
  return result;
}

PixelScale scale(Reader& bytes) {
  PixelScale result;
  if (bytes.below(2) == 1) result = {numbers(bytes), numbers(bytes), numbers(bytes)};
  return result;
}

ImageOptions image_options(Reader& bytes) {
  ImageOptions options;
  options.resize.kind = static_cast<ImageResize::Kind>(bytes.below(3));
  options.resize.size = {side(bytes), side(bytes)};
  if (options.resize.kind == ImageResize::Kind::both_sides) options.resize.fit = static_cast<Fit>(bytes.below(3));
  options.resize.is_centered = bytes.below(4) != 1;
  options.crop.kind = static_cast<CropTarget::Kind>(bytes.below(3));
  options.crop.size = {side(bytes), side(bytes)};
  options.crop.top = bytes.one_in(8) ? bytes.one_of(telling_sides) : bytes.between(-20, 20);
  options.crop.left = bytes.one_in(8) ? bytes.one_of(telling_sides) : bytes.between(-20, 20);
  options.filter = static_cast<image::Filter>(bytes.below(6));
  options.has_antialias = bytes.below(4) != 1;
  if (bytes.below(2) == 1) options.fill = numbers(bytes);
  options.channels = static_cast<image::Channels>(bytes.below(4));
  options.layout = static_cast<ImageLayout>(bytes.below(4));
  options.type = bytes.one_of(types);
  options.scale = scale(bytes);
  return options;
}

// The byte of an image.
std::byte pixel(std::size_t image, std::size_t offset) {
  return static_cast<std::byte>((offset * 37 + offset / 11 + image * 101) & 255);
}

// nullopt after an error. The images are numbered from `first`.
std::optional<Tensor> prepared(const ImageOptions& options, std::span<const ImageSource> sources, std::size_t first) {
  auto started = ImagePreparation::start(options, sources);
  if (!started) {
    expect_proper_error(started);
    return std::nullopt;
  }
  ImagePreparation& preparation = **started;
  for (ImagePreparation::Part part = preparation.wanted(); part.length != 0; part = preparation.wanted()) {
    EXPECT_LT(part.image, sources.size());
    const ImageSource& source = sources[part.image];
    const std::int64_t bytes = source.size.height * source.size.width * source.channels;
    EXPECT_LE(part.offset + part.length, static_cast<std::size_t>(bytes)) << "more than the image has";
    for (std::size_t i = 0; i < part.length; ++i) part.to[i] = pixel(first + part.image, part.offset + i);
    const Status status = preparation.next();
    if (!status) {
      expect_proper_error(status);
      return std::nullopt;
    }
  }
  const ImageGeometry& geometry = preparation.geometry(0);
  const auto channels = static_cast<std::int64_t>(image::count_of(options.channels));
  Tensor result = preparation.take_result();
  EXPECT_EQ(result.dtype, options.type);
  EXPECT_EQ(result.count(),
            static_cast<std::int64_t>(sources.size()) * channels * geometry.output.height * geometry.output.width);
  return result;
}

// Whether preparing takes little time: sizes alone tell it.
bool is_small(const ImageOptions& options, std::span<const ImageSource> sources) {
  for (const ImageSource& source : sources) {
    const auto geometry = image_geometry(source.size, options.resize, options.crop);
    if (!geometry) {
      expect_proper_error(geometry);
      continue;
    }
    for (const ImageSize& size : {geometry->source, geometry->resized, geometry->output}) {
      if (size.height * size.width > most_pixels) return false;
    }
  }
  return true;
}

void image_and_back(std::string_view input) {
  Reader bytes(input);
  const ImageOptions options = image_options(bytes);
  std::vector<ImageSource> sources(bytes.one_in(16) ? bytes.below(4) : bytes.below(2) + 1);
  for (ImageSource& source : sources) {
    source = {{side(bytes), side(bytes)}, bytes.between(1, 4)};
  }
  if (!is_small(options, sources)) {
    const auto started = ImagePreparation::start(options, sources);
    if (!started) expect_proper_error(started);
    return;
  }
  const std::optional<Tensor> batch = prepared(options, sources, 0);
  note(batch ? "prepared" : "refused");
  if (!batch) return;
  const bool has_batch_axis = options.layout == ImageLayout::nchw || options.layout == ImageLayout::nhwc;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::optional<Tensor> alone = prepared(options, std::span(&sources[i], 1), i);
    ASSERT_TRUE(alone.has_value());
    if (!has_batch_axis) {
      expect_same(*alone, *batch);
      continue;
    }
    Tensor part = *alone;
    part.storage = batch->storage;
    part.offset = batch->offset + static_cast<std::int64_t>(i) * batch->layout->strides[0];
    expect_same(*alone, part);
  }
  PictureOptions back;
  back.layout = bytes.one_in(8) ? static_cast<ImageLayout>(bytes.below(4)) : options.layout;
  back.is_bgr = bytes.below(2) == 1;
  back.scale = bytes.below(2) == 1 ? scale(bytes) : options.scale;
  const auto picture = image_of(*batch, back);
  if (!picture) return static_cast<void>(expect_proper_error(picture));
  EXPECT_EQ(picture->dtype, Dtype::uint8);
  EXPECT_EQ(picture->count() % 4, 0);
}

}  // namespace
}  // namespace broadloom::fuzz

BROADLOOM_FUZZ_TARGET("image", image_and_back);
