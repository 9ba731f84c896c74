#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/elementwise/loops.h"

namespace broadloom::power_test {
namespace {

template <class T>
T power(Dtype dtype, T x, T y) {
  const std::byte* const from[] = {reinterpret_cast<const std::byte*>(&x), reinterpret_cast<const std::byte*>(&y)};
  T result;
  computation_of(Operation::power, dtype).loop(reinterpret_cast<std::byte*>(&result), from, 1);
  return result;
}
float power(float x, float y) { return power(Dtype::float32, x, y); }
double power(double x, double y) { return power(Dtype::float64, x, y); }
std::int32_t power(std::int32_t x, std::int32_t y) { return power(Dtype::int32, x, y); }
std::int64_t power(std::int64_t x, std::int64_t y) { return power(Dtype::int64, x, y); }

template <class T>
bool is_same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// As in C99, Annex F.
TEST(Power, OfSpecialValuesIsThatOfC) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0,        1,        2,   3,    0.5, 1.5, 1e-3, 1e3, 1e20, 1.0000001, 0.9999999, 4503599627370497.0,
                           0x1p-149, infinity, NAN, 1e300};
  for (const double x_size : values) {
    for (const double y_size : values) {
      for (const int signs : {0, 1, 2, 3}) {
        const double x = (signs & 1) != 0 ? -x_size : x_size;
        const double y = (signs & 2) != 0 ? -y_size : y_size;
        const double wanted = std::pow(x, y);
        const double result = power(x, y);
        if (std::isnan(wanted) || std::isinf(wanted) || wanted == 0 || std::abs(wanted) == 1) {
          EXPECT_TRUE(is_same(result, wanted)) << x << " to the " << y << " is " << result << ", not " << wanted;
        }
        const auto narrow_x = static_cast<float>(x);
        const auto narrow_y = static_cast<float>(y);
        const auto narrow = static_cast<float>(std::pow(double{narrow_x}, double{narrow_y}));
        if (std::isnan(narrow) || std::isinf(narrow) || narrow == 0 || std::abs(narrow) == 1) {
          const float narrow_result = power(narrow_x, narrow_y);
          EXPECT_TRUE(is_same(narrow_result, narrow)) << narrow_x << " to the " << narrow_y << " is " << narrow_result;
        }
      }
    }
  }
}

TEST(Power, IsWithinOneUlpOfTheRightFloat) {
  std::mt19937 random(3);
  int finite = 0;
  for (int i = 0; i < 400000; ++i) {
    // All bases, and exponents for results of every magnitude.
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()) & 0x7fffffffU);
    const float scale = std::uniform_real_distribution<float>(-105, 90)(random);
    const float y = i % 4 == 0 ? static_cast<float>(static_cast<int>(random() % 9)) - 4 : scale / std::log(x);
    const auto wanted = static_cast<float>(std::pow(static_cast<long double>(x), static_cast<long double>(y)));
    const float result = power(x, y);
    if (std::isnan(wanted) || std::isinf(wanted) || wanted == 0) {
      ASSERT_TRUE(is_same(result, wanted)) << std::hexfloat << x << " to the " << y;
      continue;
    }
    ++finite;
    ASSERT_LE(std::abs(std::bit_cast<std::int32_t>(result) - std::bit_cast<std::int32_t>(wanted)), 1)
        << std::hexfloat << x << " to the " << y << " is " << result << ", not " << wanted;
  }
  EXPECT_GT(finite, 300000);
}

TEST(Power, IsWithinTwoUlpOfTheRightDouble) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 400000; ++i) {
    const auto bits = random() & 0x7fffffffffffffffU;
    const double x = i % 3 == 0 ? std::ldexp(static_cast<double>(bits >> 11U), -52) : std::bit_cast<double>(bits);
    const double scale = std::uniform_real_distribution<double>(-745, 709)(random);
    const double y = i % 4 == 0 ? static_cast<double>(random() % 9) - 4 : scale / std::log(x);
    const long double wanted = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    const auto nearest = static_cast<double>(wanted);
    const double result = power(x, y);
    if (std::isnan(nearest) || std::isinf(nearest) || nearest == 0) {
      ASSERT_TRUE(is_same(result, nearest)) << std::hexfloat << x << " to the " << y << " is " << result;
      continue;
    }
    int exponent = 0;
    std::frexp(nearest, &exponent);
    const long double error = std::abs(result - wanted) / std::ldexp(1.0L, std::max(exponent - 53, -1074));
    ASSERT_LE(error, 2) << std::hexfloat << x << " to the " << y << " is " << result << ", not " << nearest;
  }
}

TEST(Power, OfIntegersWrapsAround) {
  EXPECT_EQ(power(3, 4), 81);
  EXPECT_EQ(power(-3, 3), -27);
  EXPECT_EQ(power(0, 0), 1);
  EXPECT_EQ(power(2, 31), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(power(2, 32), 0);
  EXPECT_EQ(power(3, 21), static_cast<std::int32_t>(10460353203));
  EXPECT_EQ(power(7, std::numeric_limits<std::int32_t>::max()), -1227133513);
  EXPECT_EQ(power(std::int64_t{3}, std::int64_t{39}), 4052555153018976267);
  EXPECT_EQ(power(std::int64_t{3}, std::int64_t{41}), static_cast<std::int64_t>(4052555153018976267U * 9));
}

TEST(Power, NegativeOfAnIntegerIsItsReciprocalTruncated) {
  EXPECT_EQ(power(1, -5), 1);
  EXPECT_EQ(power(-1, -5), -1);
  EXPECT_EQ(power(-1, -4), 1);
  EXPECT_EQ(power(-1, std::numeric_limits<std::int32_t>::min()), 1);
  EXPECT_EQ(power(2, -1), 0);
  EXPECT_EQ(power(-2, -3), 0);
  EXPECT_EQ(power(std::int64_t{5}, std::int64_t{-2}), 0);
  EXPECT_EQ(power(0, -1), 0) << "as 1 / 0 is";
}

}  // namespace
}  // namespace broadloom::power_test
