#include "media/image_geometry.h"

#include <gtest/gtest.h>

namespace broadloom::image_geometry_test {
namespace {

using Kind = ImageResize::Kind;

ImageGeometry geometry(ImageSize source, const ImageResize& target, const CropTarget& crop = {}) {
  return image_geometry(source, target, crop).value();
}

TEST(ImageGeometry, AShorterSideRoundsTheOtherOneDown) {
  EXPECT_EQ(geometry({480, 641}, {Kind::shorter_side, {256, 0}}).resized, (ImageSize{256, 341}));  // 341.87
  EXPECT_EQ(geometry({641, 480}, {Kind::shorter_side, {256, 0}}).resized, (ImageSize{341, 256}));
  EXPECT_EQ(geometry({7, 7}, {Kind::shorter_side, {3, 0}}).resized, (ImageSize{3, 3}));
}

TEST(ImageGeometry, ACenterCropStartsAtTheHalfRoundedToEven) {
  for (const auto& [side, crop, start] : {std::tuple{5, 2, 2}, {7, 2, 2}, {6, 2, 2}, {9, 2, 4}, {4, 4, 0}}) {
    const ImageGeometry result = geometry({side, 10}, {}, {CropTarget::Kind::center, {crop, 10}});
    EXPECT_EQ(-result.top, start) << side << " to " << crop;
    EXPECT_EQ(result.left, 0);
    EXPECT_EQ(result.output, (ImageSize{crop, 10}));
  }
}

TEST(ImageGeometry, ALargerCenterCropHasTheSmallerMarginFirst) {
  EXPECT_EQ(geometry({3, 4}, {}, {CropTarget::Kind::center, {6, 9}}).top, 1);   // not 1.5 to even
  EXPECT_EQ(geometry({3, 4}, {}, {CropTarget::Kind::center, {6, 9}}).left, 2);  // of 5
}

TEST(ImageGeometry, ALetterboxIsUltralytics) {
  const ImageGeometry wide = geometry({480, 641}, {Kind::both_sides, {640, 640}, Fit::contain});
  EXPECT_EQ(wide.resized, (ImageSize{479, 640}));
  EXPECT_EQ(wide.top, 80);  // 80.5 - 0.1
  EXPECT_EQ(wide.left, 0);
  const ImageGeometry thin = geometry({1000, 1}, {Kind::both_sides, {10, 10}, Fit::contain});
  EXPECT_EQ(thin.resized, (ImageSize{10, 1}));  // not 0
  EXPECT_EQ(thin.left, 4);
}

TEST(ImageGeometry, ALetterboxMayBeginInTheCorner) {
  const ImageGeometry wide =
      geometry({480, 640}, {.kind = Kind::both_sides, .size = {640, 640}, .fit = Fit::contain, .is_centered = false});
  EXPECT_EQ(wide.resized, (ImageSize{480, 640}));
  EXPECT_EQ(wide.output, (ImageSize{640, 640}));
  EXPECT_EQ(wide.top, 0);
}

TEST(ImageGeometry, CoverCutsOffEvenly) {
  const ImageGeometry result = geometry({480, 640}, {Kind::both_sides, {224, 224}, Fit::cover});
  EXPECT_EQ(result.resized, (ImageSize{224, 299}));  // 298.67
  EXPECT_EQ(result.left, -38);                       // 37.5 to even
  EXPECT_EQ(result.output, (ImageSize{224, 224}));
}

TEST(ImageGeometry, ABoxMayLieOutside) {
  const ImageGeometry result = geometry({4, 4}, {}, {CropTarget::Kind::box, {3, 3}, -2, 5});
  EXPECT_EQ(result.top, 2);
  EXPECT_EQ(result.left, -5);
}

TEST(ImageGeometry, SidesAreFrom1ToTheLimit) {
  const auto refused = [](ImageSize source, const ImageResize& target, const CropTarget& crop) {
    return !image_geometry(source, target, crop).has_value();
  };
  EXPECT_TRUE(refused({0, 3}, {}, {}));
  EXPECT_TRUE(refused({3, 3}, {Kind::both_sides, {3, -1}}, {}));
  EXPECT_TRUE(refused({3, 3}, {Kind::shorter_side, {most_side + 1, 0}}, {}));
  EXPECT_TRUE(refused({1, 1000}, {Kind::shorter_side, {most_side / 2, 0}}, {}));
  EXPECT_TRUE(refused({3, 3}, {}, {CropTarget::Kind::center, {0, 1}}));
  EXPECT_TRUE(refused({3, 3}, {}, {CropTarget::Kind::box, {1, 1}, most_side + 1, 0}));
  EXPECT_TRUE(image_geometry({most_side, 1}, {}, {}).has_value());
}

}  // namespace
}  // namespace broadloom::image_geometry_test
