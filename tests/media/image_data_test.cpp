#include "media/image_data.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/tensors.h"

namespace broadloom::image_data_test {
namespace {

using test::Bytes;
using test::fails;
using test::floats;

Bytes picture(const Tensor& tensor, const PictureOptions& options = {}) {
  return test::bytes_of(test::must(image_of(tensor, options)));
}

TEST(ImageData, APlaneIsGrayAndOpaque) {
  EXPECT_EQ(picture(floats({1, 2}, {3, 200})), (Bytes{3, 3, 3, 255, 200, 200, 200, 255}));
  EXPECT_EQ(picture(floats({1, 1, 2}, {3, 200})), (Bytes{3, 3, 3, 255, 200, 200, 200, 255}));
}

TEST(ImageData, ChannelsComeFirstOrLastWithOrWithoutABatch) {
  const std::vector<float> planes{1, 2, 3, 4, 5, 6};
  const Bytes wanted{1, 3, 5, 255, 2, 4, 6, 255};
  EXPECT_EQ(picture(floats({3, 1, 2}, planes)), wanted);
  EXPECT_EQ(picture(floats({1, 3, 1, 2}, planes)), wanted);
  PictureOptions last;
  last.layout = ImageLayout::nhwc;
  const std::vector<float> pixels{1, 3, 5, 2, 4, 6};
  EXPECT_EQ(picture(floats({1, 2, 3}, pixels), last), wanted);
  EXPECT_EQ(picture(floats({1, 1, 2, 3}, pixels), last), wanted);
}

TEST(ImageData, BgrIsTurnedRoundAndTheFourthChannelIsAlpha) {
  PictureOptions options;
  options.layout = ImageLayout::hwc;
  EXPECT_EQ(picture(floats({1, 1, 4}, {1, 2, 3, 4}), options), (Bytes{1, 2, 3, 4}));
  options.is_bgr = true;
  EXPECT_EQ(picture(floats({1, 1, 4}, {1, 2, 3, 4}), options), (Bytes{3, 2, 1, 4}));
  EXPECT_EQ(picture(floats({1, 1, 1}, {9}), options), (Bytes{9, 9, 9, 255}));
}

TEST(ImageData, NumbersAreScaledRoundedToEvenAndClampedAndNanIsZero) {
  EXPECT_EQ(picture(floats({1, 3}, {0.5F, 1.5F, 2.5F})), (Bytes{0, 0, 0, 255, 2, 2, 2, 255, 2, 2, 2, 255}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(picture(floats({1, 3}, {-5, nan, infinity})), (Bytes{0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255}));
  PictureOptions options;
  options.scale = {{{1.0 / 255}, 1}, {{0.5}, 1}, {{0.25}, 1}};
  EXPECT_EQ(picture(floats({1, 2}, {-2, 2}), options), (Bytes{0, 0, 0, 255, 255, 255, 255, 255}));
}

TEST(ImageData, OtherTypesAndLayoutsGiveTheSamePicture) {
  EXPECT_EQ(picture(test::tensor_of<std::uint8_t>(Dtype::uint8, {1, 2}, {3, 200})), (Bytes{3, 3, 3, 255, 200, 200, 200, 255}));
  Tensor turned = floats({1, 2}, {3, 200});
  LayoutRef layout(SymbolicDims{1, 2});
  layout.edit().strides = {2, -1};
  turned.layout = layout;
  turned.offset = 1;
  EXPECT_EQ(picture(turned), (Bytes{200, 200, 200, 255, 3, 3, 3, 255}));
  EXPECT_EQ(picture(floats({0, 2}, {})), Bytes());
}

TEST(ImageData, WhatIsNoImageIsRefused) {
  EXPECT_TRUE(fails(image_of(floats({2}, {1, 2}), {}), Code::InvalidArgument, "dims [2]: an image has [height, width]"));
  EXPECT_TRUE(fails(image_of(test::zeros(Dtype::float32, {1, 1, 1, 1, 1}), {}), Code::InvalidArgument, "an image has"));
  EXPECT_TRUE(fails(image_of(test::zeros(Dtype::float32, {2, 3, 1, 1}), {}), Code::InvalidArgument, "that is a batch of 2"));
  EXPECT_TRUE(
      fails(image_of(test::zeros(Dtype::float32, {2, 1, 3}), {}), Code::InvalidArgument, "2 channels, wanted 1, 3 or 4"));
  PictureOptions last;
  last.layout = ImageLayout::nhwc;
  EXPECT_TRUE(fails(image_of(test::zeros(Dtype::float32, {3, 1, 2}), last), Code::InvalidArgument, "'nchw' has them first"));
  EXPECT_TRUE(fails(image_of(test::strings({1, 1}, {"a"}), {}), Code::UnsupportedType, "string are not numbers"));
  EXPECT_TRUE(fails(image_of(test::zeros(Dtype::complex64, {1, 1}), {}), Code::UnsupportedType, "complex64"));
  PictureOptions zero;
  zero.scale.std = {{0}, 1};
  EXPECT_TRUE(fails(image_of(floats({1, 1}, {1}), zero), Code::InvalidArgument));
}

}  // namespace
}  // namespace broadloom::image_data_test
