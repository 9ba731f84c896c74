#include "kernels/movement/channels.h"

#include <gtest/gtest.h>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/random.h"

namespace broadloom::test::channels_test {
namespace {

using Bytes = std::vector<std::byte>;

// Expects the rows of channels, or the rows of pixels, to be right up to `written` pixels, and nothing written past them.
void expect_squares(std::size_t size, std::size_t channels, std::size_t pixels, std::size_t pitch, bool separates) {
  const auto item = static_cast<std::ptrdiff_t>(size);
  const auto rows = separates ? channels : pixels;
  const auto columns = separates ? pixels : channels;
  const AxisList axes{{static_cast<std::int64_t>(rows), 1},
                      {static_cast<std::int64_t>(columns), static_cast<std::int64_t>(pitch)}};
  const AxesSource source(axes, size);
  const Plane plane{rows, columns, times(columns, item), times(pitch, item), item};
  const ChannelSquares squares(plane, size, separates);
  Guarded to(rows * columns * size, 5);
  squares.write(to.data(), source.first());
  const Bytes wanted = items_at(source.first(), axes, size);
  const Bytes found = to.written();
  ASSERT_LE(squares.written, pixels);
  ASSERT_GE(squares.written + 5 * vector_bytes / size, pixels) << "most pixels are written";
  for (std::size_t row = 0; row < (separates ? rows : squares.written); ++row) {
    const std::size_t end = separates ? squares.written : columns;
    for (std::size_t i = row * columns * size; i < (row * columns + end) * size; ++i)
      ASSERT_EQ(found[i], wanted[i]) << channels << " channels of " << pixels << " pixels, items of " << size << ", pitch "
                                     << pitch;
  }
  ASSERT_TRUE(to.intact());
}

TEST(ChannelSquares, ChannelsAreInterleavedToPixelsBelowAVector) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (std::size_t channels = 1; channels <= most_channels && channels * size < vector_bytes; ++channels) {
      for (std::size_t pixels = 1; pixels < 150; ++pixels) {
        expect_squares(size, channels, pixels, pixels + pixels % 3, false);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ChannelSquares, SomeOrAllChannelsOfPixelsAreSeparated) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (std::size_t pitch = 1; pitch <= most_channels && pitch * size <= vector_bytes; ++pitch) {
      for (std::size_t channels = 1; channels <= pitch && channels * size < vector_bytes; ++channels) {
        for (std::size_t pixels = 1; pixels < 150; pixels += 1 + pixels / 20) {
          expect_squares(size, channels, pixels, pitch, true);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::channels_test
