#include <cmath>
#include <limits>

#include "support/calls.h"
#include "support/numbers.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator pow;
}

namespace broadloom::test::power_test {
namespace {

// Small integers, which every type has.
Tensor of(Dtype dtype, const List& dims, const Numbers& values) {
  if (info(dtype).bits < 64 || dtype == Dtype::float64) return tensor_of_numbers(dtype, dims, values);
  return tensor_of(dtype, dims_of(dims), List(values.begin(), values.end()));
}
Numbers numbers_of(const Tensor& tensor) {
  if (tensor.dtype != Dtype::int64) return test::numbers_of(tensor);
  const List values = elements<std::int64_t>(tensor);
  return {values.begin(), values.end()};
}

constexpr Dtype bases[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64, Dtype::int32, Dtype::int64};
constexpr Dtype exponents[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64, Dtype::int8,   Dtype::int16,
                               Dtype::int32,   Dtype::int64,    Dtype::uint8,   Dtype::uint16,  Dtype::uint32, Dtype::uint64};

TEST(Pow, OfEachPairOfTypesHasTheTypeOfTheBase) {
  for (const Dtype base : bases) {
    for (const Dtype exponent : exponents) {
      const Tensor x = of(base, {3, 1}, {1, 2, 3});
      const Tensor y = of(exponent, {4}, {0, 1, 2, 3});
      const Tensor z = must(call(op::pow, {&x, &y}));
      EXPECT_EQ(z.dtype, base);
      EXPECT_EQ(list(z.dims()), (List{3, 4}));
      EXPECT_EQ(numbers_of(z), (Numbers{1, 1, 1, 1, 1, 2, 4, 8, 1, 3, 9, 27}))
          << info(base).name << " to the " << info(exponent).name;
    }
  }
}

TEST(Pow, ASquareIsTheSameForOneExponentAndForMany) {
  for (const Dtype base : bases) {
    const Tensor x = of(base, {4}, {-3, 0, 5, 11});
    const Numbers wanted{9, 0, 25, 121};
    for (const Dtype exponent : exponents) {
      const Tensor one = of(exponent, {}, {2});
      const Tensor many = of(exponent, {4}, {2, 2, 2, 2});
      EXPECT_EQ(numbers_of(must(call(op::pow, {&x, &one}))), wanted) << info(base).name << " " << info(exponent).name;
      EXPECT_EQ(numbers_of(must(call(op::pow, {&x, &many}))), wanted) << info(base).name << " " << info(exponent).name;
    }
  }
}

TEST(Pow, SquaresAndCubesHaveTheBitsOfAPowerForOneExponentAndForMany) {
  Random random;
  std::vector<float> numbers{0, -0.0F, 1e-20F, -1e-20F, 1e13F, -1e13F, 7e12F, 1e20F, INFINITY, -INFINITY, 3, -1e-14F};
  while (numbers.size() < 10'000) numbers.push_back(static_cast<float>(random.real(-10, 10)));
  const Tensor x = floats({10'000}, numbers);
  for (const float exponent : {2.0F, 3.0F}) {
    const Tensor one = floats({}, {exponent});
    const Tensor many = floats({10'000}, std::vector<float>(10'000, exponent));
    EXPECT_TRUE(bytes_of(must(call(op::pow, {&x, &one}))) == bytes_of(must(call(op::pow, {&x, &many})))) << exponent;
  }
}

TEST(Pow, OfIntegersWrapsAroundAndItsNegativePowersDropTheirFractions) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {8}, {3, 10, -2, 2, -1, -1, 1, 0});
  const Tensor y = tensor_of<std::int32_t>(Dtype::int32, {8}, {21, 10, 31, -1, -3, -4, -9, -1});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::pow, {&x, &y}))),
            (std::vector<std::int32_t>{1870418611, 1410065408, INT32_MIN, 0, -1, 1, 1, 0}));
  const Tensor wide = int64s({2}, {3, 10});
  const Tensor high = int64s({2}, {41, 20});
  EXPECT_EQ(elements<std::int64_t>(must(call(op::pow, {&wide, &high}))), (List{-420491770248316829, 7766279631452241920}));
}

TEST(Pow, OfAnIntegerToAFractionDropsTheFraction) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {4}, {2, 10, 16777217, 4});
  const Tensor y = floats({4}, {0.5F, 1.5F, 1, -0.5F});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::pow, {&x, &y}))), (std::vector<std::int32_t>{1, 31, 16777217, 0}));
}

// float32 cannot represent the odd integer.
TEST(Pow, OfAnExponentOfManyDigitsKeepsThem) {
  const Tensor x = floats({2}, {-1, 1});
  const Tensor y = tensor_of<std::int32_t>(Dtype::int32, {2}, {16777217, 16777217});
  EXPECT_EQ(elements<float>(must(call(op::pow, {&x, &y}))), (std::vector<float>{-1, 1}));
  const Tensor half = of(Dtype::float16, {1}, {-1});
  const Tensor odd = tensor_of<std::int32_t>(Dtype::int32, {1}, {16777217});
  EXPECT_EQ(numbers_of(must(call(op::pow, {&half, &odd}))), Numbers{-1});
}

TEST(Pow, OfNanAndOfZerosIsThatOfC) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = floats({8}, {nan, 1, -1, 0, -0.F, -0.F, infinity, -8});
  const Tensor y = floats({8}, {0, nan, infinity, -1, -1, -2, -1, 0.5F});
  const std::vector<float> wanted{1, 1, 1, infinity, -infinity, infinity, 0, nan};
  const auto results = elements<float>(must(call(op::pow, {&x, &y})));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::isnan(wanted[i])) {
      EXPECT_TRUE(std::isnan(results[i])) << i;
    } else {
      EXPECT_EQ(results[i], wanted[i]) << i;
    }
  }
}

TEST(Pow, BeforeVersionSevenAlignsTheExponentAtAnAxis) {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const Tensor y = floats({2}, {2, 3});
  const auto power = [&](std::vector<Given> given) { return call(op::pow, {&x, &y}, given, 1); };
  EXPECT_EQ(elements<float>(must(power({int_attribute("broadcast", 1)}))), (std::vector<float>{1, 8, 9, 64}));
  EXPECT_EQ(elements<float>(must(power({int_attribute("broadcast", 1), int_attribute("axis", 0)}))),
            (std::vector<float>{1, 4, 27, 64}));
  EXPECT_TRUE(fails(power({}), Code::InvalidArgument, "Pow-1: inputs have dims [2, 2] and [2], wanted equal ones"));
}

TEST(Pow, OfTwoTypesBeginsWithVersionTwelve) {
  const Tensor x = floats({1}, {2});
  const Tensor y = int64s({1}, {3});
  EXPECT_TRUE(succeeds(call(op::pow, {&x, &y}, {}, 12)));
  EXPECT_TRUE(fails(call(op::pow, {&x, &y}, {}, 11), Code::UnsupportedType, "Pow-7"));
  const Tensor half = of(Dtype::bfloat16, {1}, {2});
  EXPECT_TRUE(succeeds(call(op::pow, {&half, &y}, {}, 13)));
  EXPECT_TRUE(fails(call(op::pow, {&half, &y}, {}, 12), Code::UnsupportedType, "Pow-12"));
  EXPECT_TRUE(fails(call(op::pow, {&x, &half}, {}, 13), Code::UnsupportedType, "Pow-13"));
}

}  // namespace
}  // namespace broadloom::test::power_test
