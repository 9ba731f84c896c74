#include "media/image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "support/cases.h"
#include "support/random.h"

namespace broadloom::image_test {
namespace {

using Bytes = std::vector<std::byte>;

// Gives the preparation the bytes that it wants, and checks that it wants no others than there are.
Tensor prepare(const ImageOptions& options, const std::vector<ImageSource>& sources, const std::vector<Bytes>& pixels) {
  auto preparation = ImagePreparation::start(options, sources).value();
  for (ImagePreparation::Part part = preparation->wanted(); part.length > 0; part = preparation->wanted()) {
    EXPECT_LE(part.offset + part.length, pixels[part.image].size());
    std::memcpy(part.to, pixels[part.image].data() + part.offset, part.length);
    EXPECT_TRUE(preparation->next());
  }
  return preparation->take_result();
}

std::string refusal(const ImageOptions& options, const std::vector<ImageSource>& sources) {
  const auto started = ImagePreparation::start(options, sources);
  return started ? "" : std::string(started.error()->message.view());
}

// Under sanitizers, these runs show that no byte outside of the rows is read or written.
TEST(ImagePreparation, RandomImagesAndOptionsStayWithinTheirMemory) {
  const std::uint64_t seed = test::seed();
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<std::int64_t>(random() % limit); };
  for (int round = 0; round < test::rounds(400); ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    ImageOptions options;
    const std::int64_t wide = round % 20 == 0 ? 40000 : 40;
    if (below(3) > 0) {
      options.resize.kind = ImageResize::Kind::both_sides;
      options.resize.size = {1 + below(40), 1 + below(40)};
      options.resize.fit = static_cast<Fit>(below(3));
      options.resize.is_centered = below(2) == 0;
    }
    if (below(3) == 0) options.crop = {CropTarget::Kind::center, {1 + below(50), 1 + below(50)}};
    if (below(3) == 0) options.crop = {CropTarget::Kind::box, {1 + below(50), 1 + below(50)}, below(60) - 30, below(60) - 30};
    options.has_antialias = below(3) > 0;
    if (options.has_antialias) options.filter = static_cast<image::Filter>(below(6));
    options.channels = static_cast<image::Channels>(below(4));
    options.layout = static_cast<ImageLayout>(below(2));
    options.type = std::array{Dtype::uint8, Dtype::float32, Dtype::float16, Dtype::float64}[static_cast<std::size_t>(below(4))];
    std::vector<ImageSource> sources;
    std::vector<Bytes> pixels;
    const bool has_size = options.resize.kind != ImageResize::Kind::none || options.crop.kind != CropTarget::Kind::none;
    for (std::int64_t i = has_size ? below(3) : 0; i >= 0; --i) {
      sources.push_back({{1 + below(40), 1 + below(static_cast<unsigned>(wide))}, 1 + below(4)});
      const ImageSource& source = sources.back();
      pixels.emplace_back(static_cast<std::size_t>(source.size.height * source.size.width * source.channels));
      for (std::byte& byte : pixels.back()) byte = static_cast<std::byte>(random());
    }
    const Tensor result = prepare(options, sources, pixels);
    EXPECT_EQ(result.run_dims()[0], static_cast<std::int64_t>(sources.size()));
  }
}

TEST(ImagePreparation, ABandIsWantedAfterTheOther) {
  ImageOptions options;
  options.type = Dtype::uint8;
  options.layout = ImageLayout::hwc;
  const ImageSource source{{1000, 300}, 3};
  Bytes pixels(1000 * 300 * 3);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::byte>(i % 251);
  const auto preparation = ImagePreparation::start(options, {&source, 1}).value();
  EXPECT_LE(preparation->wanted().length, std::size_t{128} * 1024);
  const Tensor result = prepare(options, {source}, {pixels});
  EXPECT_EQ(std::memcmp(result.data(), pixels.data(), pixels.size()), 0);
}

TEST(ImagePreparation, RowsThatNobodyNeedsAreNotWanted) {
  ImageOptions options;
  options.crop = {CropTarget::Kind::box, {2, 2}, 500, 0};
  const ImageSource source{{1000, 2}, 4};
  const auto preparation = ImagePreparation::start(options, {&source, 1}).value();
  EXPECT_EQ(preparation->wanted().offset, 500U * 8);
  EXPECT_EQ(preparation->wanted().length, 16U);
}

TEST(ImagePreparation, ContradictionsAreRefused) {
  const ImageSource source{{4, 4}, 4};
  ImageOptions options;
  options.filter = image::Filter::box;
  options.has_antialias = false;
  EXPECT_NE(refusal(options, {source}).find("'bilinear'"), std::string::npos);
  options = {};
  options.resize.fit = Fit::cover;
  EXPECT_NE(refusal(options, {source}).find("fit"), std::string::npos);
  options = {};
  options.fill = {{1, 2}, 2};
  EXPECT_NE(refusal(options, {source}).find("fill has 2 numbers"), std::string::npos);
  EXPECT_NE(refusal({}, {}).find("no image"), std::string::npos);
  EXPECT_NE(refusal({}, {source, {{4, 5}, 4}}).find("image 1 gets [4, 5]"), std::string::npos);
  options = {};
  options.layout = ImageLayout::hwc;
  EXPECT_NE(refusal(options, {source, source}).find("2 images"), std::string::npos);
}

}  // namespace
}  // namespace broadloom::image_test
