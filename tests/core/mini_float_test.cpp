// Compares the reduced-precision types with a reference that decodes by the definition and rounds by searching a table.
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/number.h"
#include "support/expect.h"
#include "support/random.h"

namespace broadloom::test::mini_float_test {
namespace {

struct Type {
  Dtype dtype;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_infinity;
  double largest;  // from the formats' documents

  int bits() const { return 1 + exponent_bits + mantissa_bits; }
  std::uint32_t patterns() const { return 1U << bits(); }
  std::uint32_t sign() const { return patterns() / 2; }
};

const Type types[] = {
    {Dtype::float16, 5, 10, 15, true, 65504.0},   {Dtype::bfloat16, 8, 7, 127, true, 0x1.FEp127},
    {Dtype::float8e4m3fn, 4, 3, 7, false, 448.0}, {Dtype::float8e4m3fnuz, 4, 3, 8, false, 240.0},
    {Dtype::float8e5m2, 5, 2, 15, true, 57344.0}, {Dtype::float8e5m2fnuz, 5, 2, 16, false, 57344.0},
    {Dtype::float4e2m1, 2, 1, 1, false, 6.0},
};

bool is_fnuz(const Type& type) { return type.dtype == Dtype::float8e4m3fnuz || type.dtype == Dtype::float8e5m2fnuz; }

// The value of a pattern, by the definition.
double reference(const Type& type, std::uint32_t pattern) {
  const double sign = pattern & type.sign() ? -1 : 1;
  const std::uint32_t rest = pattern % type.sign();
  const int exponent = static_cast<int>(rest >> type.mantissa_bits);
  const double fraction = (rest % (1U << type.mantissa_bits)) / std::pow(2.0, type.mantissa_bits);
  if (is_fnuz(type) && pattern == type.sign()) return std::nan("");
  if (type.dtype == Dtype::float8e4m3fn && rest == type.sign() - 1) return std::nan("");
  if (type.has_infinity && exponent == (1 << type.exponent_bits) - 1) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * fraction * std::pow(2.0, 1 - type.bias);
  return sign * (1 + fraction) * std::pow(2.0, exponent - type.bias);
}

double decode_one(Dtype dtype, std::uint32_t pattern) {
  std::byte bytes[4];
  std::memcpy(bytes, &pattern, sizeof bytes);
  double value = 0;
  decode(dtype, bytes, 1, &value);
  return value;
}

// The pattern of a value that must be accepted.
std::uint32_t encode_one(Dtype dtype, double value) {
  std::byte bytes[4] = {};
  EXPECT_TRUE(succeeds(encode(dtype, {&value, 1}, bytes))) << info(dtype).name << " " << value;
  std::uint32_t pattern = 0;
  std::memcpy(&pattern, bytes, sizeof pattern);
  return pattern;
}

testing::AssertionResult refuses(Dtype dtype, double value) {
  std::byte bytes[4];
  return fails(encode(dtype, {&value, 1}, bytes), Code::InvalidArgument, std::string(info(dtype).name) + " cannot hold");
}

// Equal, and of equal sign; or both NaN.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

TEST(MiniFloat, EveryPatternDecodesToItsValueByTheDefinition) {
  for (const Type& type : types) {
    for (std::uint32_t pattern = 0; pattern < type.patterns(); ++pattern) {
      ASSERT_TRUE(same(decode_one(type.dtype, pattern), reference(type, pattern)))
          << info(type.dtype).name << " " << pattern << ": " << decode_one(type.dtype, pattern);
    }
  }
}

TEST(MiniFloat, EveryPatternSurvivesDecodingAndEncoding) {
  for (const Type& type : types) {
    for (std::uint32_t pattern = 0; pattern < type.patterns(); ++pattern) {
      const double value = decode_one(type.dtype, pattern);
      const std::uint32_t again = encode_one(type.dtype, value);
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(reference(type, again))) << info(type.dtype).name << " " << pattern;
      } else {
        ASSERT_EQ(again, pattern) << info(type.dtype).name;
      }
    }
  }
}

// The finite non-negative patterns are in the order of their values, so a search finds the nearest.
std::vector<double> finite_values(const Type& type) {
  std::vector<double> values;
  for (std::uint32_t pattern = 0; pattern < type.sign() && std::isfinite(reference(type, pattern)); ++pattern) {
    values.push_back(reference(type, pattern));
  }
  return values;
}

// The nearest pattern, or the even one of two equally near; the table's size if that is the pattern after the last.
std::size_t nearest(const std::vector<double>& table, double value) {
  const std::size_t last = table.size() - 1;
  const double beyond = table[last] + (table[last] - table[last - 1]);
  const auto at = [&](std::size_t i) { return i < table.size() ? table[i] : beyond; };
  if (value >= beyond) return table.size();
  const auto above = static_cast<std::size_t>(std::upper_bound(table.begin(), table.end(), value) - table.begin());
  const std::size_t below = above - 1;
  const double down = value - at(below);
  const double up = at(above) - value;
  if (down != up) return down < up ? below : above;
  return below % 2 == 0 ? below : above;
}

void expect_nearest(const Type& type, const std::vector<double>& table, double value) {
  const std::size_t pattern = nearest(table, value);
  if (pattern == table.size()) {
    ASSERT_TRUE(refuses(type.dtype, value));
    ASSERT_TRUE(refuses(type.dtype, -value));
    return;
  }
  ASSERT_EQ(encode_one(type.dtype, value), pattern) << info(type.dtype).name << " " << value;
  const std::size_t negative = is_fnuz(type) && pattern == 0 ? 0 : pattern + type.sign();
  ASSERT_EQ(encode_one(type.dtype, -value), negative) << info(type.dtype).name << " " << -value;
}

TEST(MiniFloat, ValuesAroundEveryMiddleRoundToNearestAndTiesToEven) {
  for (const Type& type : types) {
    const std::vector<double> table = finite_values(type);
    for (std::size_t i = 0; i + 1 < table.size(); ++i) {
      const double middle = (table[i] + table[i + 1]) / 2;
      for (const double value : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, HUGE_VAL)}) {
        expect_nearest(type, table, value);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MiniFloat, RandomValuesRoundToNearest) {
  Random random;
  for (const Type& type : types) {
    const std::vector<double> table = finite_values(type);
    for (int i = 0; i < 20000; ++i) {
      const double low = std::log2(table[1]) - 3;
      expect_nearest(type, table, std::exp2(random.real(low, std::log2(type.largest) + 1)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MiniFloat, TheLargestValueIsThatOfTheFormat) {
  for (const Type& type : types) EXPECT_EQ(finite_values(type).back(), type.largest) << info(type.dtype).name;
}

TEST(MiniFloat, ValuesThatRoundBeyondTheLargestAreRefused) {
  for (const Type& type : types) {
    const std::vector<double> table = finite_values(type);
    const double step = type.largest - table[table.size() - 2];
    for (const double part : {0.25, 0.49, 0.5, 0.51, 0.75, 1.0, 2.0}) {
      expect_nearest(type, table, type.largest + part * step);
    }
    EXPECT_TRUE(refuses(type.dtype, 2 * type.largest));
    EXPECT_TRUE(refuses(type.dtype, std::numeric_limits<double>::max()));
  }
}

TEST(MiniFloat, InfinityIsKeptIfTheTypeHasItAndElseRefused) {
  for (const Type& type : types) {
    for (const double infinity : {HUGE_VAL, -HUGE_VAL}) {
      if (type.has_infinity) {
        EXPECT_EQ(reference(type, encode_one(type.dtype, infinity)), infinity) << info(type.dtype).name;
      } else {
        EXPECT_TRUE(refuses(type.dtype, infinity));
      }
    }
  }
}

TEST(MiniFloat, NaNIsKeptIfTheTypeHasOne) {
  for (const Type& type : types) {
    if (type.dtype == Dtype::float4e2m1) {
      EXPECT_TRUE(refuses(type.dtype, std::nan("")));
    } else {
      EXPECT_TRUE(std::isnan(reference(type, encode_one(type.dtype, std::nan(""))))) << info(type.dtype).name;
    }
  }
}

TEST(MiniFloat, NegativeZeroIsKeptIfTheTypeHasOne) {
  for (const Type& type : types) {
    EXPECT_EQ(encode_one(type.dtype, -0.0), is_fnuz(type) ? 0U : type.sign()) << info(type.dtype).name;
  }
}

TEST(MiniFloat, TheSmallestDoubleRoundsToZero) {
  for (const Type& type : types) EXPECT_EQ(encode_one(type.dtype, std::numeric_limits<double>::denorm_min()), 0U);
}

TEST(Float8E8M0, EveryPatternIsAPowerOfTwoOrNaNAndSurvives) {
  for (std::uint32_t pattern = 0; pattern < 255; ++pattern) {
    const double value = decode_one(Dtype::float8e8m0, pattern);
    EXPECT_EQ(value, std::pow(2.0, static_cast<int>(pattern) - 127));
    EXPECT_EQ(encode_one(Dtype::float8e8m0, value), pattern);
  }
  EXPECT_TRUE(std::isnan(decode_one(Dtype::float8e8m0, 255)));
  EXPECT_EQ(encode_one(Dtype::float8e8m0, std::nan("")), 255U);
}

TEST(Float8E8M0, NumbersOtherThanPowersOfTwoInRangeAreRefused) {
  for (const double value :
       {3.0, 0.0, -0.0, -1.0, 1.5, HUGE_VAL, -HUGE_VAL, 0x1p128, 0x1p-128, 5e-324, std::nextafter(1.0, 2.0)}) {
    EXPECT_TRUE(refuses(Dtype::float8e8m0, value)) << value;
  }
}

}  // namespace
}  // namespace broadloom::test::mini_float_test
