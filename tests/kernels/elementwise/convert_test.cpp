#include "kernels/elementwise/convert.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/random.h"

namespace broadloom::convert_test {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<Dtype> types_of_bytes() {
  std::vector<Dtype> types;
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    const DtypeInfo& type = info(dtype);
    if (type.kind != DtypeKind::string && type.kind != DtypeKind::complex && type.bits >= 8) types.push_back(dtype);
  }
  return types;
}

// Elements of random bits; 0 and 1 for bools.
Bytes elements_of(Dtype dtype, std::size_t count) {
  test::Random random;
  Bytes bytes(count * item_size(dtype));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.between(0, dtype == Dtype::boolean ? 1 : 255));
  return bytes;
}

TEST(Convert, GivesManyElementsTheSameResultsAsSingleOnes) {
  for (const std::size_t count : {1U, 15U, 16U, 40U, 256U, 257U, 600U}) {
    for (const Dtype from : types_of_bytes()) {
      const Bytes elements = elements_of(from, count);
      for (const Dtype to : types_of_bytes()) {
        Bytes together(count * item_size(to) + 1, std::byte{0x5A});
        convert(together.data(), to, elements.data(), from, count);
        Bytes alone(together.size(), std::byte{0x5A});
        for (std::size_t i = 0; i < count; ++i) {
          convert(alone.data() + i * item_size(to), to, elements.data() + i * item_size(from), from, 1);
        }
        EXPECT_EQ(together, alone) << count << " of " << info(from).name << " to " << info(to).name;
      }
    }
  }
}

// Bit patterns of `dtype`: all, or random ones for wide types. Every second random one is a NaN or an infinity.
Bytes patterns_of(Dtype dtype) {
  const std::size_t size = item_size(dtype);
  if (size > 2) {
    Bytes bytes = elements_of(dtype, 4096);
    for (std::size_t i = 0; i < 4096; i += 2) {
      std::byte* end = bytes.data() + (i + 1) * size;
      end[-1] |= std::byte{0x7F};
      end[-2] |= std::byte{0xF0};
      if (size == 4) end[-2] |= std::byte{0x80};
    }
    return bytes;
  }
  const std::size_t count = std::size_t{1} << (8 * size);
  Bytes bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes.data() + i * size, &i, size);
  return bytes;
}

TEST(Convert, ElementsSurviveALargerTypeUnchanged) {
  using enum Dtype;
  const struct {
    Dtype dtype;
    std::vector<Dtype> larger;
  } rows[] = {
      {float8e4m3fn, {float16, bfloat16, float32, float64}},
      {float8e4m3fnuz, {float16, bfloat16, float32, float64}},
      {float8e5m2, {float16, bfloat16, float32, float64}},
      {float8e5m2fnuz, {float16, bfloat16, float32, float64}},
      {float8e8m0, {bfloat16, float32, float64}},
      {float16, {float32, float64}},
      {bfloat16, {float32, float64}},
      {float32, {float64}},
  };
  for (const auto& [dtype, larger] : rows) {
    const Bytes before = patterns_of(dtype);
    const std::size_t count = before.size() / item_size(dtype);
    for (const Dtype over : larger) {
      Bytes between(count * item_size(over));
      convert(between.data(), over, before.data(), dtype, count);
      Bytes after(before.size());
      convert(after.data(), dtype, between.data(), over, count, {false, PowerRounding::up});
      for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_EQ(after[i], before[i]) << info(dtype).name << " over " << info(over).name << ", byte " << i;
      }
    }
  }
}

TEST(Convert, LargeIntegersAreRoundedOnce) {
  // To double first, the last bit would be lost, and what is left would be a tie.
  const std::int64_t tie = (std::int64_t{1} << 60) + (std::int64_t{1} << 52);
  const std::vector<std::int64_t> integers{tie, tie + 1, tie - 1, -tie - 1};
  std::vector<std::uint16_t> results(integers.size());
  convert(reinterpret_cast<std::byte*>(results.data()), Dtype::bfloat16, reinterpret_cast<const std::byte*>(integers.data()),
          Dtype::int64, integers.size());
  EXPECT_EQ(results, (std::vector<std::uint16_t>{0x5D80, 0x5D81, 0x5D80, 0xDD81}));
}

template <class From>
std::vector<std::uint16_t> halves_of(const std::vector<From>& numbers, Dtype from) {
  std::vector<std::uint16_t> halves(numbers.size());
  convert(reinterpret_cast<std::byte*>(halves.data()), Dtype::float16, reinterpret_cast<const std::byte*>(numbers.data()), from,
          numbers.size());
  return halves;
}

// Between each two numbers of float16, the one in the middle, and its neighbours. Above the largest lies infinity.
template <class From>
void expect_rounded_halves(Dtype from) {
  std::vector<From> numbers;
  std::vector<std::uint16_t> wanted;
  const auto value = [](int pattern) {
    return std::ldexp(pattern < 1024 ? pattern : 1024 + pattern % 1024, std::max(pattern / 1024, 1) - 25);
  };
  for (int pattern = 0; pattern < 0x7C00; ++pattern) {
    const auto middle = static_cast<From>((value(pattern) + value(pattern + 1)) / 2);
    const int even = pattern + pattern % 2;
    const auto add = [&](From number, int half) {
      numbers.insert(numbers.end(), {number, -number});
      wanted.insert(wanted.end(), {static_cast<std::uint16_t>(half), static_cast<std::uint16_t>(half | 0x8000)});
    };
    add(static_cast<From>(value(pattern)), pattern);
    add(std::nextafter(middle, From{0}), pattern);
    add(middle, even);
    add(std::nextafter(middle, std::numeric_limits<From>::infinity()), pattern + 1);
  }
  for (const From large : {std::numeric_limits<From>::max(), From(65536), From(1e38)}) {
    numbers.push_back(large);
    wanted.push_back(0x7C00);
  }
  numbers.push_back(std::numeric_limits<From>::denorm_min());
  wanted.push_back(0);
  EXPECT_EQ(halves_of(numbers, from), wanted) << info(from).name;
}

TEST(Convert, Float16IsTheNearestOfTwoNumbers) {
  expect_rounded_halves<float>(Dtype::float32);
  expect_rounded_halves<double>(Dtype::float64);
}

TEST(Convert, LargeIntegersBecomeInfinityInFloat16) {
  constexpr std::int64_t odd = (std::int64_t{1} << 40) + 1;
  const std::vector<std::int64_t> integers{65504, 65519, 65520, -65519, -65520, 2049, 2051, odd, -odd, INT64_MAX, INT64_MIN};
  const std::vector<std::uint16_t> wanted{0x7BFF, 0x7BFF, 0x7C00, 0xFBFF, 0xFC00, 0x6800,
                                          0x6802, 0x7C00, 0xFC00, 0x7C00, 0xFC00};
  EXPECT_EQ(halves_of(integers, Dtype::int64), wanted);
}

TEST(Convert, BytesOtherThanZeroAreTrue) {
  const Bytes bytes = patterns_of(Dtype::uint8);
  Bytes wanted(bytes.size(), std::byte{1});
  wanted[0] = std::byte{0};
  for (const Dtype from : {Dtype::uint8, Dtype::int8}) {
    Bytes bools(bytes.size());
    convert(bools.data(), Dtype::boolean, bytes.data(), from, bytes.size());
    EXPECT_EQ(bools, wanted) << info(from).name;
  }
}

TEST(Convert, ANaNKeepsItsSignAndItsHighestBitsAndNeverBecomesInfinity) {
  const std::vector<std::uint32_t> nans{0x7F800001, 0xFF800001, 0x7FA00000, 0xFFFFFFFF, 0x7FC00000, 0xFFC12345};
  std::vector<std::uint16_t> halves(nans.size());
  convert(reinterpret_cast<std::byte*>(halves.data()), Dtype::float16, reinterpret_cast<const std::byte*>(nans.data()),
          Dtype::float32, nans.size());
  EXPECT_EQ(halves, (std::vector<std::uint16_t>{0x7E00, 0xFE00, 0x7D00, 0xFFFF, 0x7E00, 0xFE09}));
  convert(reinterpret_cast<std::byte*>(halves.data()), Dtype::bfloat16, reinterpret_cast<const std::byte*>(nans.data()),
          Dtype::float32, nans.size());
  EXPECT_EQ(halves, (std::vector<std::uint16_t>{0x7FC0, 0xFFC0, 0x7FA0, 0xFFFF, 0x7FC0, 0xFFC1}));
}

TEST(AccumulateType, RoundingIsAStoreAndALoad) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    const AccumulateType accumulate = accumulate_type_of(dtype);
    // Numbers of the type, those in the middle between two, their neighbours, and any others.
    std::vector<std::uint32_t> floats;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto element = static_cast<std::uint16_t>(bits);
      const auto next = static_cast<std::uint16_t>(bits + 1);
      float numbers[2];
      convert(reinterpret_cast<std::byte*>(&numbers[0]), Dtype::float32, reinterpret_cast<const std::byte*>(&element), dtype,
              1);
      convert(reinterpret_cast<std::byte*>(&numbers[1]), Dtype::float32, reinterpret_cast<const std::byte*>(&next), dtype, 1);
      const auto number = std::bit_cast<std::uint32_t>(numbers[0]);
      const std::uint32_t middle = number + (std::bit_cast<std::uint32_t>(numbers[1]) - number) / 2;
      floats.insert(floats.end(), {number, middle - 1, middle, middle + 1});
    }
    const Bytes random = patterns_of(Dtype::float32);
    const std::size_t known = floats.size();
    floats.resize(known + random.size() / sizeof(float));
    std::memcpy(floats.data() + known, random.data(), random.size());
    for (const std::size_t count : {floats.size(), std::size_t{7}}) {
      const std::byte* const from = reinterpret_cast<const std::byte*>(floats.data() + floats.size() - count);
      Bytes stored(count * sizeof(std::uint16_t));
      accumulate.store(stored.data(), &from, count);
      const std::byte* const again = stored.data();
      Bytes wanted(count * sizeof(float) + 1, std::byte{0x5A});
      accumulate.load(wanted.data(), &again, count);
      Bytes rounded(wanted.size(), std::byte{0x5A});
      accumulate.round(rounded.data(), &from, count);
      EXPECT_TRUE(rounded == wanted) << info(dtype).name << ", " << count;
    }
  }
}

TEST(Convert, NaNsToEveryTypeAreTheSameDirectlyAndOverDouble) {
  for (const Dtype from : {Dtype::float16, Dtype::bfloat16, Dtype::float32}) {
    const Bytes elements = patterns_of(from);
    const std::size_t count = elements.size() / item_size(from);
    Bytes wide(count * 8);
    convert(wide.data(), Dtype::float64, elements.data(), from, count);
    for (const Dtype to : {Dtype::float8e5m2, Dtype::float16, Dtype::bfloat16, Dtype::float32}) {
      Bytes direct(count * item_size(to));
      Bytes over(direct.size());
      convert(direct.data(), to, elements.data(), from, count);
      convert(over.data(), to, wide.data(), Dtype::float64, count);
      EXPECT_TRUE(direct == over) << info(from).name << " to " << info(to).name;
    }
  }
}

}  // namespace
}  // namespace broadloom::convert_test
