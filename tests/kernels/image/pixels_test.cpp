#include "kernels/image/pixels.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/canaries.h"

namespace broadloom::image::pixels_test {
namespace {

using Numbers = std::vector<int>;

// The channels of pixels, which lie without gaps and touch nothing else.
Numbers channels_of(const Numbers& pixels, Channels wanted, std::size_t pixel_bytes) {
  const std::size_t count = pixels.size() / pixel_bytes;
  std::vector<std::byte> from(pixels.size() + 16);
  for (std::size_t i = 0; i < pixels.size(); ++i) from[i] = static_cast<std::byte>(pixels[i]);
  test::Guarded to(count * count_of(wanted), 1);
  write_channels(to.data(), from.data(), count, wanted, pixel_bytes);
  EXPECT_TRUE(to.intact());
  Numbers result;
  for (std::size_t i = 0; i < count * count_of(wanted); ++i) result.push_back(static_cast<int>(to.data()[i]));
  return result;
}

TEST(WriteChannels, AGrayPixelHasTheSameColoursAndIsOpaque) {
  EXPECT_EQ(channels_of({7, 200}, Channels::rgb, 1), (Numbers{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(channels_of({7, 200}, Channels::bgr, 1), (Numbers{7, 7, 7, 200, 200, 200}));
  EXPECT_EQ(channels_of({7, 200}, Channels::rgba, 1), (Numbers{7, 7, 7, 255, 200, 200, 200, 255}));
  EXPECT_EQ(channels_of({7, 200}, Channels::gray, 1), (Numbers{7, 200}));
}

TEST(WriteChannels, ColoursAreInTheirOrder) {
  const Numbers pixels{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(channels_of(pixels, Channels::rgba, 4), pixels);
}

}  // namespace
}  // namespace broadloom::image::pixels_test
