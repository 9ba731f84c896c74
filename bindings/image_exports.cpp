// Images become tensors, and tensors images.
#include <memory>
#include <vector>

#include "core/limits.h"
#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "media/image.h"
#include "media/image_data.h"
#include "tensors.h"

namespace broadloom {

namespace {

using PreparationPtr = std::unique_ptr<ImagePreparation>;

PreparationPtr preparation_at(double address) {
  return PreparationPtr(reinterpret_cast<ImagePreparation*>(static_cast<std::uintptr_t>(address)));
}

PerChannel take_numbers(FrameReader& frame) {
  PerChannel result;
  result.count = frame.size();
  const std::span<const double> numbers = frame.numbers(result.count);
  std::copy_n(numbers.begin(), std::min(numbers.size(), std::size(result.values)), result.values);
  return result;
}

template <class Choice>
Choice take_choice(FrameReader& frame) {
  return static_cast<Choice>(static_cast<std::uint8_t>(frame.number()));
}

PixelScale take_scale(FrameReader& frame) {
  PixelScale scale;
  scale.scale = take_numbers(frame);
  scale.mean = take_numbers(frame);
  scale.std = take_numbers(frame);
  return scale;
}

// Reads a resize: no size, one side, or [height, width].
Status take_resize(FrameReader& frame, ImageResize& resize) {
  BROADLOOM_TRY(sides, frame.integers("resize"));
  if (sides.size() > 2) {
    return fail(Code::InvalidArgument, "resize has {} sizes, wanted one, or [height, width]", sides.size());
  }
  resize.kind = static_cast<ImageResize::Kind>(sides.size());
  if (!sides.empty()) resize.size.height = sides[0];
  if (sides.size() == 2) resize.size.width = sides[1];
  resize.fit = take_choice<Fit>(frame);
  resize.is_centered = frame.number() == 0;
  return {};
}

// Reads a crop: no size, [height, width], or top, left, height and width.
Status take_crop(FrameReader& frame, CropTarget& crop) {
  BROADLOOM_TRY(sides, frame.integers("crop"));
  if (sides.empty()) return {};
  if (sides.size() == 2) {
    crop = {CropTarget::Kind::center, {sides[0], sides[1]}};
  } else if (sides.size() == 4) {
    crop = {CropTarget::Kind::box, {sides[2], sides[3]}, sides[0], sides[1]};
  } else {
    return fail(Code::InvalidArgument, "crop has {} sizes, wanted [height, width]", sides.size());
  }
  return {};
}

Result<ImageOptions> take_options(FrameReader& frame) {
  ImageOptions options;
  BROADLOOM_CHECK(take_resize(frame, options.resize));
  options.filter = take_choice<image::Filter>(frame);
  options.has_antialias = frame.number() != 0;
  BROADLOOM_CHECK(take_crop(frame, options.crop));
  options.fill = take_numbers(frame);
  options.channels = take_choice<image::Channels>(frame);
  options.layout = take_choice<ImageLayout>(frame);
  options.type = take_choice<Dtype>(frame);
  options.scale = take_scale(frame);
  return options;
}

// -> the preparation; the bytes that it wants next: number of the image, address, offset in the image, count; 0 when all is
// done
Status go_on(PreparationPtr preparation) {
  const ImagePreparation::Part part = preparation->wanted();
  FrameWriter frame;
  frame.pointer(preparation.release());
  frame.number(static_cast<double>(part.image));
  frame.pointer(part.to);
  frame.number(static_cast<double>(part.offset));
  frame.number(static_cast<double>(part.length));
  return {};
}

}  // namespace

// options; how many images, of each its height, width and channels -> as go_on has it
double startImages() {
  return finish_part("fromImage", [&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    BROADLOOM_TRY(options, take_options(frame));
    const std::size_t count = frame.size();
    BROADLOOM_TRY(sources, allocate_vector<ImageSource>(count));
    for (ImageSource& source : sources) {
      source.size.height = static_cast<std::int64_t>(frame.number());
      source.size.width = static_cast<std::int64_t>(frame.number());
      source.channels = static_cast<std::int64_t>(frame.number());
    }
    BROADLOOM_TRY(preparation, ImagePreparation::start(options, sources));
    return go_on(std::move(preparation));
  }());
}

// preparation, whose wanted bytes are there -> as go_on has it. After an error it is freed.
double continueImages(double address) {
  return finish_part("fromImage", [&]() -> Status {
    PreparationPtr preparation = preparation_at(address);
    BROADLOOM_CHECK(preparation->next());
    return go_on(std::move(preparation));
  }());
}

// preparation, which is freed -> tensor; height and width of its images; of each image the height and width that it was resized
// to, and where the top and left of that lie in the result
double finishImages(double address) {
  return finish("fromImage", [&]() -> Status {
    const PreparationPtr preparation = preparation_at(address);
    constexpr std::size_t most_tensor_bytes = 64;
    BROADLOOM_TRY(frame, FrameWriter::make((most_tensor_bytes + 2 + preparation->count() * 4) * sizeof(double)));
    frame.number(1.0);
    own_and_write(frame, preparation->take_result());
    const ImageSize& size = preparation->geometry(0).output;
    for (const std::int64_t number : {size.height, size.width}) frame.number(number);
    for (std::size_t i = 0; i < preparation->count(); ++i) {
      const ImageGeometry& geometry = preparation->geometry(i);
      for (const std::int64_t number : {geometry.resized.height, geometry.resized.width, geometry.top, geometry.left}) {
        frame.number(number);
      }
    }
    return {};
  }());
}

void disposeImages(double address) {
  preparation_at(address).reset();
  Watch::start();
}

// layout, whether blue comes first, scale, mean and std -> tensor of uint8 [height, width, 4]
double toImage(double handle) {
  return finish("toImageData", [&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    PictureOptions options;
    options.layout = take_choice<ImageLayout>(frame);
    options.is_bgr = frame.number() != 0;
    options.scale = take_scale(frame);
    BROADLOOM_TRY(image, image_of(tensor_of(static_cast<std::uintptr_t>(handle)), options));
    return own_and_write(std::move(image));
  }());
}

}  // namespace broadloom
