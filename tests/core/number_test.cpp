#include "core/number.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/expect.h"

namespace broadloom::test::number_test {
namespace {

constexpr std::int64_t max_exact = (std::int64_t{1} << 53) - 1;

template <class T>
std::vector<T> encoded(Dtype dtype, const std::vector<double>& values, std::size_t count) {
  std::vector<T> elements(count);
  EXPECT_TRUE(succeeds(encode(dtype, values, reinterpret_cast<std::byte*>(elements.data()))));
  return elements;
}

template <class T>
std::vector<T> encoded(Dtype dtype, const std::vector<double>& values) {
  return encoded<T>(dtype, values, values.size());
}

template <class T>
std::vector<double> decoded(Dtype dtype, const std::vector<T>& elements, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  decode(dtype, reinterpret_cast<const std::byte*>(elements.data()), count, values.data());
  return values;
}

testing::AssertionResult refuses(Dtype dtype, const std::vector<double>& values, std::string_view part) {
  std::vector<std::byte> room(values.size() * 16);
  return fails(encode(dtype, values, room.data()), Code::InvalidArgument, part);
}

template <class T>
void expect_range(Dtype dtype, int bits) {
  const bool is_signed = std::numeric_limits<T>::is_signed;
  const double high = std::ldexp(1.0, is_signed ? bits - 1 : bits) - 1;
  const double low = is_signed ? -high - 1 : 0;
  EXPECT_EQ(encoded<T>(dtype, {low, high, 0, 1}), (std::vector<T>{static_cast<T>(low), static_cast<T>(high), T{0}, T{1}}))
      << info(dtype).name;
  EXPECT_EQ(decoded(dtype, encoded<T>(dtype, {low, high}), 2), (std::vector<double>{low, high})) << info(dtype).name;
  EXPECT_TRUE(refuses(dtype, {0, high + 1}, "element 1 is"));
  EXPECT_TRUE(refuses(dtype, {low - 1}, std::string(info(dtype).name) + " cannot hold"));
  EXPECT_TRUE(refuses(dtype, {0.5}, "element 0 is 0.5"));
  EXPECT_TRUE(refuses(dtype, {std::nan("")}, "NaN"));
  EXPECT_TRUE(refuses(dtype, {HUGE_VAL}, "Infinity"));
}

TEST(Encode, IntegersReachTheirLimitsAndNotBeyond) {
  expect_range<std::int8_t>(Dtype::int8, 8);
  expect_range<std::uint8_t>(Dtype::uint8, 8);
  expect_range<std::int16_t>(Dtype::int16, 16);
  expect_range<std::uint16_t>(Dtype::uint16, 16);
  expect_range<std::int32_t>(Dtype::int32, 32);
  expect_range<std::uint32_t>(Dtype::uint32, 32);
}

TEST(Encode, SixtyFourBitIntegersTakeExactNumbersOnly) {
  constexpr double exact = 9007199254740991.0;
  EXPECT_EQ(encoded<std::int64_t>(Dtype::int64, {exact, -exact}), (std::vector<std::int64_t>{max_exact, -max_exact}));
  EXPECT_EQ(encoded<std::uint64_t>(Dtype::uint64, {exact}), (std::vector<std::uint64_t>{max_exact}));
  EXPECT_TRUE(refuses(Dtype::int64, {exact + 1}, "9007199254740992"));
  EXPECT_TRUE(refuses(Dtype::uint64, {exact + 1}, "numbers from 2^53 on may be rounded"));
  EXPECT_TRUE(refuses(Dtype::uint64, {-1}, "-1"));
  EXPECT_TRUE(refuses(Dtype::int64, {1.5}, "int64"));
}

TEST(Encode, NegativeZeroIsTheIntegerZero) {
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::uint8, {-0.0}), (std::vector<std::uint8_t>{0}));
}

TEST(Encode, BoolTakesZeroAndOneOnly) {
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::boolean, {0, 1, 1}), (std::vector<std::uint8_t>{0, 1, 1}));
  for (const double value : {2.0, -1.0, 0.5, std::nan("")}) EXPECT_TRUE(refuses(Dtype::boolean, {value}, "bool"));
  EXPECT_EQ(decoded(Dtype::boolean, std::vector<std::uint8_t>{0, 1}, 2), (std::vector<double>{0, 1}));
}

TEST(Encode, Float32RoundsToNearestEven) {
  EXPECT_EQ(encoded<float>(Dtype::float32, {16777217.0, 16777219.0, 0.1}), (std::vector<float>{16777216.F, 16777220.F, 0.1F}));
}

TEST(Encode, Float32KeepsInfinityNaNAndNegativeZero) {
  const auto floats = encoded<float>(Dtype::float32, {HUGE_VAL, -HUGE_VAL, std::nan(""), -0.0});
  EXPECT_EQ(floats[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(floats[1], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(floats[2]));
  EXPECT_TRUE(std::signbit(floats[3]));
}

TEST(Encode, ANumberBeyondFloat32IsRefused) {
  EXPECT_TRUE(refuses(Dtype::float32, {1, 1e39}, "element 1 is"));
  EXPECT_TRUE(refuses(Dtype::complex64, {1, -1e39}, "complex64 cannot hold"));
}

TEST(Encode, Float64KeepsEveryBit) {
  const std::vector<double> values{0.1, -0.0, 5e-324, HUGE_VAL};
  EXPECT_EQ(std::memcmp(encoded<double>(Dtype::float64, values).data(), values.data(), 32), 0);
  EXPECT_EQ(decoded(Dtype::float64, values, 4), values);
}

TEST(Encode, ComplexNumbersAreRealThenImaginary) {
  EXPECT_EQ(encoded<float>(Dtype::complex64, {1, 2, 3, 4}), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(encoded<double>(Dtype::complex128, {1, 2}), (std::vector<double>{1, 2}));
}

using Bytes = std::vector<std::uint8_t>;

TEST(Encode, FourBitElementsFillTheLowHalfFirstAndPadWithZeros) {
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::int4, {1, -2, -8}, 2), (Bytes{0xE1, 0x08}));
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::uint4, {15, 0, 3}, 2), (Bytes{0x0F, 0x03}));
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::float4e2m1, {-6, 0.5, 1}, 2), (Bytes{0x1F, 0x02}));
}

TEST(Encode, TwoBitElementsFillTheLowBitsFirstAndPadWithZeros) {
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::int2, {1, -2, 0, -1, -1}, 2), (Bytes{0b11001001, 0b11}));
  EXPECT_EQ(encoded<std::uint8_t>(Dtype::uint2, {3}, 1), (Bytes{0b11}));
}

TEST(Encode, PackedElementsOverwriteOldBits) {
  Bytes bytes(2, 0xFF);
  const std::vector<double> values{1, 2, 3};
  ASSERT_TRUE(succeeds(encode(Dtype::uint4, values, reinterpret_cast<std::byte*>(bytes.data()))));
  EXPECT_EQ(bytes, (Bytes{0x21, 0x03}));
}

TEST(Encode, PackedElementsReachTheirLimitsAndNotBeyond) {
  const struct {
    Dtype dtype;
    double low, high;
  } cases[] = {{Dtype::int4, -8, 7}, {Dtype::uint4, 0, 15}, {Dtype::int2, -2, 1}, {Dtype::uint2, 0, 3}};
  for (const auto& [dtype, low, high] : cases) {
    const auto bytes = encoded<std::uint8_t>(dtype, {low, high}, 1);
    EXPECT_EQ(decoded(dtype, bytes, 2), (std::vector<double>{low, high})) << info(dtype).name;
    EXPECT_TRUE(refuses(dtype, {high + 1}, info(dtype).name));
    EXPECT_TRUE(refuses(dtype, {low - 1}, info(dtype).name));
  }
}

TEST(Decode, EveryPackedByteGivesItsElementsInOrder) {
  for (int byte = 0; byte < 256; ++byte) {
    const Bytes bytes{static_cast<std::uint8_t>(byte)};
    const int low = byte % 16;
    const int high = byte / 16;
    EXPECT_EQ(decoded(Dtype::uint4, bytes, 2), (std::vector<double>{1.0 * low, 1.0 * high}));
    EXPECT_EQ(decoded(Dtype::int4, bytes, 2),
              (std::vector<double>{1.0 * (low < 8 ? low : low - 16), 1.0 * (high < 8 ? high : high - 16)}));
    std::vector<double> twos;
    std::vector<double> signed_twos;
    for (int rest = byte, i = 0; i < 4; ++i, rest /= 4) {
      twos.push_back(rest % 4);
      signed_twos.push_back(rest % 4 < 2 ? rest % 4 : rest % 4 - 4);
    }
    EXPECT_EQ(decoded(Dtype::uint2, bytes, 4), twos);
    EXPECT_EQ(decoded(Dtype::int2, bytes, 4), signed_twos);
  }
}

TEST(Decode, AnOddCountStopsWithinTheByte) {
  double values[4] = {9, 9, 9, 9};
  const std::byte bytes[] = {std::byte{0x21}, std::byte{0xF3}};
  decode(Dtype::uint4, bytes, 3, values);
  EXPECT_EQ(std::vector<double>(values, values + 4), (std::vector<double>{1, 2, 3, 9}));
}

TEST(Encode, NoValuesWriteNothing) {
  std::byte untouched{0x5A};
  EXPECT_TRUE(succeeds(encode(Dtype::int4, {}, &untouched)));
  EXPECT_EQ(untouched, std::byte{0x5A});
}

}  // namespace
}  // namespace broadloom::test::number_test
