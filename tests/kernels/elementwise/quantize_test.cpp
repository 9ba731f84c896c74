#include "kernels/elementwise/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/canaries.h"
#include "support/items.h"

namespace broadloom::test::quantize_test {
namespace {

template <class T>
std::int16_t quantized(T quotient, T zero, T least, T greatest) {
  const T operands[] = {quotient * 2, 2, zero, least, greatest};
  const std::byte* from[5];
  for (std::size_t i = 0; i < 5; ++i) from[i] = reinterpret_cast<const std::byte*>(operands + i);
  std::int16_t result[4];
  static_assert(sizeof(T) <= sizeof result);
  quantize<T>(reinterpret_cast<std::byte*>(result), from, 1);
  return result[0];
}

template <class T>
void expect_quantisation() {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const std::pair<T, int> wanted[] = {{0.5F, 0},     {1.5F, 2},   {2.5F, 2},     {-0.5F, 0},      {-1.5F, -2},
                                      {126.4F, 126}, {1000, 127}, {-1e9F, -128}, {infinity, 127}, {-infinity, -128}};
  for (const auto& [quotient, result] : wanted) EXPECT_EQ(quantized<T>(quotient, 0, -128, 127), result) << quotient;
  EXPECT_EQ(quantized<T>(std::numeric_limits<T>::quiet_NaN(), 7, -128, 127), -128);
  // The zero point is added after rounding, whether even or odd.
  EXPECT_EQ(quantized<T>(0.5F, 1, -128, 127), 1);
  EXPECT_EQ(quantized<T>(-3.5F, 1, -128, 127), -3);
  EXPECT_EQ(static_cast<std::uint16_t>(quantized<T>(70000, 65535, 0, 65535)), 65535);
  EXPECT_EQ(static_cast<std::uint16_t>(quantized<T>(-70000, 65535, 0, 65535)), 0);
  EXPECT_EQ(quantized<T>(-70000, -32768, -32768, 32767), -32768);
}

TEST(Quantize, RoundsToEvenThenAddsThenSaturates) {
  expect_quantisation<float>();
  expect_quantisation<double>();
}

TEST(Quantize, EveryCountIsWrittenExactly) {
  Random random;
  for (std::size_t count = 1; count < 12; ++count) {
    std::vector<float> x = random_items<float>(random, count, -4, 4);
    for (float& number : x) number = std::nearbyint(number);
    const std::vector<float> zero(count, 2);
    const std::vector<float> least(count, -9);
    const std::vector<float> greatest(count, 9);
    const std::vector<float> one(count, 1);
    const std::byte* const from[] = {address(x), address(one), address(zero), address(least), address(greatest)};
    Guarded to(count * 4, 1);
    quantize<float>(to.data(), from, count);
    EXPECT_TRUE(to.intact());
    for (std::size_t i = 0; i < count; ++i) {
      std::int16_t result;
      std::memcpy(&result, to.data() + i * 4, 2);
      EXPECT_EQ(result, static_cast<int>(x[i]) + 2);
    }
    const std::vector<std::int32_t> integers = random_items<std::int32_t>(random, count, -3, 3);
    const std::vector<std::int32_t> zeros(count, 2);
    const std::byte* const back[] = {address(integers), address(zeros), address(greatest)};
    dequantize(to.data(), back, count);
    EXPECT_TRUE(to.intact());
    for (std::size_t i = 0; i < count; ++i) {
      float result;
      std::memcpy(&result, to.data() + i * 4, 4);
      EXPECT_EQ(result, static_cast<float>(integers[i] - 2) * 9);
    }
  }
}

TEST(QuantizeAndDequantize, TheQuotientIsRoundedBetweenItsBoundsAndMultiplied) {
  Random random;
  for (std::size_t count = 1; count < 12; ++count) {
    auto x = random_items<float>(random, count, -40, 40);
    if (random.one_in(3)) x[0] = std::numeric_limits<float>::quiet_NaN();
    const auto divisors = random_items<float>(random, count, 0.1, 2);
    const auto factors = random_items<float>(random, count, 0.1, 2);
    const std::vector<float> least(count, -7);
    const std::vector<float> greatest(count, 19);
    const std::byte* const from[] = {address(x), address(divisors), address(least), address(greatest), address(factors)};
    std::vector<float> to(count);
    quantize_and_dequantize(address(to), from, count);
    for (std::size_t i = 0; i < count; ++i) {
      const float rounded = std::isnan(x[i]) ? -7 : std::nearbyint(std::clamp(x[i] / divisors[i], -7.0F, 19.0F));
      ASSERT_EQ(to[i], rounded * factors[i]) << x[i] << " / " << divisors[i];
    }
  }
}

TEST(DynamicLevels, CoverZeroAndTheZeroPointIsAnElement) {
  const auto expect = [](float least, float greatest, float scale, float zero) {
    const DynamicLevels levels = dynamic_levels(least, greatest);
    EXPECT_EQ(levels.scale, scale) << least << " to " << greatest;
    EXPECT_EQ(levels.zero, zero) << least << " to " << greatest;
  };
  expect(0, 255, 1, 0);
  expect(-255, -1, 1, 255);
  expect(-1, 509, 2, 0);  // half a level: ties to even
  expect(-51, 204, 1, 51);
  expect(3, 510, 2, 0);
  expect(0, 0, 1, 0);
}

}  // namespace
}  // namespace broadloom::test::quantize_test
