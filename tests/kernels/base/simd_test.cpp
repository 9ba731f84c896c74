#include "kernels/base/simd.h"

#include <gtest/gtest.h>

#include "kernels/movement/square.h"
#include "support/canaries.h"
#include "support/random.h"

namespace broadloom::test::simd_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(Vector vector) {
  Bytes bytes(vector_bytes);
  store(bytes.data(), vector);
  return bytes;
}

Bytes numbers(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Vector vector_of(const Bytes& bytes) { return load(bytes.data()); }

// Byte i is 100 + i.
Vector hundreds() {
  Bytes bytes(vector_bytes);
  for (std::size_t i = 0; i < vector_bytes; ++i) bytes[i] = static_cast<std::byte>(100 + i);
  return vector_of(bytes);
}

TEST(Shuffle, ConstantLanesPickTheirBytes) {
  const auto reversed = std::index_sequence<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>();
  EXPECT_EQ(bytes_of(shuffle(hundreds(), reversed)),
            numbers({115, 114, 113, 112, 111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101, 100}));
  const auto repeated = std::index_sequence<0, 0, 0, 0, 1, 1, 1, 1, 15, 15, 15, 15, 2, 3, 2, 3>();
  EXPECT_EQ(bytes_of(shuffle(hundreds(), repeated)),
            numbers({100, 100, 100, 100, 101, 101, 101, 101, 115, 115, 115, 115, 102, 103, 102, 103}));
  EXPECT_EQ(bytes_of(shuffle(hundreds(), std::make_index_sequence<vector_bytes>())), bytes_of(hundreds()));
}

TEST(Shuffle, ConstantLanesPickBytesOfTwoVectors) {
  Bytes bytes = bytes_of(hundreds());
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(std::to_integer<int>(byte) - 100);
  const auto lanes = std::index_sequence<0, 16, 1, 17, 31, 15, 30, 14, 8, 24, 9, 25, 0, 0, 16, 16>();
  EXPECT_EQ(bytes_of(shuffle(hundreds(), vector_of(bytes), lanes)),
            numbers({100, 0, 101, 1, 15, 115, 14, 114, 108, 8, 109, 9, 100, 100, 0, 0}));
}

template <std::size_t side>
void expect_square_transposed() {
  constexpr std::size_t unit = vector_bytes / side;
  const std::vector<std::byte> source = distinct_bytes(side * vector_bytes);
  Square<side> square;
  for (std::size_t row = 0; row < side; ++row) square.rows[row] = load(source.data() + row * vector_bytes);
  square = transposed(square);
  for (std::size_t row = 0; row < side; ++row) {
    Bytes expected;
    for (std::size_t column = 0; column < side; ++column) {
      const auto item = source.begin() + static_cast<std::ptrdiff_t>(column * vector_bytes + row * unit);
      expected.insert(expected.end(), item, item + unit);
    }
    EXPECT_EQ(bytes_of(square.rows[row]), expected) << "row " << row << " of " << side;
  }
}

TEST(Square, RowsBecomeColumns) {
  expect_square_transposed<2>();
  expect_square_transposed<4>();
  expect_square_transposed<8>();
  expect_square_transposed<16>();
}

TEST(Shuffle, VariableLanesPickTheirBytes) {
  const Bytes lanes = numbers({3, 3, 0, 15, 14, 1, 2, 7, 8, 9, 4, 5, 6, 10, 12, 11});
  EXPECT_EQ(bytes_of(shuffle(hundreds(), vector_of(lanes))),
            numbers({103, 103, 100, 115, 114, 101, 102, 107, 108, 109, 104, 105, 106, 110, 112, 111}));
}

TEST(Shuffle, EveryVariableLaneOf16AndAboveGivesZero) {
  for (std::size_t lane = 0; lane < 256; ++lane) {
    Bytes lanes = bytes_of(splat<1>(numbers({5}).data()));
    lanes[lane % vector_bytes] = static_cast<std::byte>(lane);
    Bytes expected(vector_bytes, std::byte{105});
    expected[lane % vector_bytes] = static_cast<std::byte>(lane < vector_bytes ? 100 + lane : 0);
    EXPECT_EQ(bytes_of(shuffle(hundreds(), vector_of(lanes))), expected) << "lane " << lane;
  }
}

TEST(Shuffle, RandomVariableLanesPickTheirBytesOrZero) {
  Random random;
  for (int round = 0; round < 1000; ++round) {
    Bytes source(vector_bytes);
    Bytes lanes(vector_bytes);
    Bytes expected(vector_bytes);
    for (std::byte& byte : source) byte = static_cast<std::byte>(random.below(256));
    for (std::size_t i = 0; i < vector_bytes; ++i) {
      const std::size_t lane = random.below(32);
      lanes[i] = static_cast<std::byte>(lane);
      expected[i] = lane < vector_bytes ? source[lane] : std::byte{0};
    }
    ASSERT_EQ(bytes_of(shuffle(vector_of(source), vector_of(lanes))), expected);
  }
}

TEST(DotPairs, AreExactAtTheBoundsOfTheirTypes) {
  const std::int16_t a[8] = {255, 255, -255, 255, -32768, -32768, 1, 2};
  const std::int16_t b[8] = {255, 255, 255, -255, -32768, -32768, 3, -4};
  const auto sums = dot_pairs(load(reinterpret_cast<const std::byte*>(a)), load(reinterpret_cast<const std::byte*>(b)));
  const std::uint32_t wanted[4] = {130050, static_cast<std::uint32_t>(-130050), 0x80000000U, static_cast<std::uint32_t>(-5)};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(sums[i], wanted[i]) << i;
}

TEST(LoadWidened, KeepsSigns) {
  const std::int8_t bytes[8] = {0, 1, -1, 127, -128, 5, -5, 100};
  const auto wide = as<Lanes<std::int16_t>>(load_widened(reinterpret_cast<const std::byte*>(bytes)));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(wide[i], bytes[i]) << i;
}

TEST(NumbersModulo, CountFromZeroToBelowThePower) {
  for (const std::size_t power : {1U, 2U, 4U, 8U, 16U}) {
    Bytes expected(vector_bytes);
    for (std::size_t i = 0; i < vector_bytes; ++i) expected[i] = static_cast<std::byte>(i % power);
    EXPECT_EQ(bytes_of(numbers_modulo(power)), expected) << power;
  }
}

TEST(WithItemSize, CallsTheKernelOfTheItemSize) {
  for (const std::size_t size : item_sizes) {
    std::size_t called = 0;
    with_item_size(size, [&]<std::size_t item_size>() { called = item_size; });
    EXPECT_EQ(called, size);
  }
}

}  // namespace
}  // namespace broadloom::test::simd_test
