#include "kernels/image/resample_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/image/pixels.h"
#include "support/random.h"

namespace broadloom::image::resample_rows_test {
namespace {

using Row = std::vector<std::byte>;

constexpr Filter filters[] = {Filter::box, Filter::bilinear, Filter::hamming, Filter::bicubic, Filter::lanczos};

// A row with exactly the room after it that the kernels ask for.
Row random_row(std::mt19937& random, std::size_t bytes) {
  Row row((bytes + 15) / 16 * 16 + row_padding);
  for (std::byte& byte : row) byte = static_cast<std::byte>(random() % 3 == 0 ? random() % 2 * 255 : random() % 256);
  return row;
}

std::int64_t weight(const FilterTaps& taps, std::size_t i, std::size_t k) {
  std::int16_t high;
  std::int16_t low;
  std::memcpy(&high, taps.high(i) + 2 * k, 2);
  std::memcpy(&low, taps.low(i) + 2 * k, 2);
  return (std::int64_t{high} << FilterTaps::low_bits) + low;
}

std::byte byte_of(std::int64_t sum) {
  const std::int64_t rounded = (sum + (std::int64_t{1} << 21)) >> 22;
  return static_cast<std::byte>(std::clamp<std::int64_t>(rounded, 0, 255));
}

ResizedSide random_side(std::mt19937& random) {
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  ResizedSide side;
  side.from = 1 + below(70);
  side.to = 1 + below(70);
  side.begin = below(side.to);
  side.end = side.begin + 1 + below(side.to - side.begin);
  return side;
}

class ResampleRows : public testing::Test {
 protected:
  ResampleRows() { RecordProperty("seed", std::to_string(seed_)); }
  const std::uint64_t seed_ = test::seed();
  std::mt19937 random_{seed_};
};

TEST_F(ResampleRows, ARowIsTheWeightedSumOfItsTaps) {
  for (int round = 0; round < 300; ++round) {
    const ResizedSide side = random_side(random_);
    const FilterTaps taps = FilterTaps::make(filters[round % 5], side).value();
    const std::size_t bytes = round % 2 == 0 ? 4 : 1;
    const Row from = random_row(random_, static_cast<std::size_t>(side.from) * bytes);
    Row to = random_row(random_, taps.count() * bytes);
    filter_row(to.data(), from.data(), taps, bytes);
    for (std::size_t at = 0; at < taps.count() * bytes; ++at) {
      const auto [first, count] = taps.of(at / bytes);
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < count; ++k) {
        sum += weight(taps, at / bytes, k) * std::to_integer<int>(from[(first + k) * bytes + at % bytes]);
      }
      ASSERT_EQ(to[at], byte_of(sum)) << "byte " << at << ", seed " << seed_;
    }
  }
}

TEST_F(ResampleRows, RowsAreSummedWithTheWeightsOfTheirOutput) {
  for (int round = 0; round < 200; ++round) {
    const ResizedSide side = random_side(random_);
    const FilterTaps taps = FilterTaps::make(filters[round % 5], side).value();
    const std::size_t bytes = 1 + random_() % 50;
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < side.from; ++i) rows.push_back(random_row(random_, bytes));
    const std::size_t output = random_() % taps.count();
    const auto [first, count] = taps.of(output);
    std::vector<const std::byte*> addresses;
    for (std::size_t k = 0; k < count; ++k) addresses.push_back(rows[first + k].data());
    Row to = random_row(random_, bytes);
    filter_rows(to.data(), addresses.data(), taps, output, bytes);
    for (std::size_t at = 0; at < bytes; ++at) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += weight(taps, output, k) * std::to_integer<int>(addresses[k][at]);
      ASSERT_EQ(to[at], byte_of(sum)) << "byte " << at << ", seed " << seed_;
    }
  }
}

TEST_F(ResampleRows, AThousandTapsKeepTheirSum) {
  const FilterTaps taps = FilterTaps::make(Filter::lanczos, {100000, 1, 0, 1}).value();
  Row white((100000 * 4 + row_padding));
  std::fill(white.begin(), white.end(), std::byte{255});
  Row to(4 + row_padding);
  filter_row(to.data(), white.data(), taps, 4);
  EXPECT_EQ(to[0], std::byte{255});
  EXPECT_EQ(to[3], std::byte{255});
}

TEST_F(ResampleRows, AlphaIsMultipliedAndDividedAsPillowDoes) {
  constexpr std::size_t count = 7;  // more than a vector has
  for (int colour = 0; colour < 256; ++colour) {
    for (int alpha = 0; alpha < 256; ++alpha) {
      Row pixels(4 * count + row_padding);
      for (std::size_t i = 0; i < count; ++i) {
        pixels[4 * i] = pixels[4 * i + 1] = pixels[4 * i + 2] = static_cast<std::byte>(colour);
        pixels[4 * i + 3] = static_cast<std::byte>(alpha);
      }
      Row product(4 * count + row_padding);
      premultiply(product.data(), pixels.data(), count);
      const int sum = colour * alpha + 128;
      ASSERT_EQ(std::to_integer<int>(product[5]), (sum + (sum >> 8)) >> 8);
      ASSERT_EQ(product[7], pixels[7]);
      ASSERT_EQ(product[4 * count - 4], product[4]);
      unpremultiply(pixels.data(), count);
      const int quotient = alpha == 0 || alpha == 255 ? colour : std::min(255, 255 * colour / alpha);
      ASSERT_EQ(std::to_integer<int>(pixels[9]), quotient) << colour << " over " << alpha;
      ASSERT_EQ(std::to_integer<int>(pixels[11]), alpha);
      ASSERT_EQ(pixels[4 * count - 4], pixels[8]);
    }
  }
}

}  // namespace
}  // namespace broadloom::image::resample_rows_test
