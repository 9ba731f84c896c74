// Compares CumSum and CumProd with naive C++.
#include "support/before_run.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator cum_prod, cum_sum;
}

namespace broadloom::test::running_test {
namespace {

Tensor scalar(std::int64_t value) { return int64s({}, {value}); }

struct Way {
  bool is_exclusive = false;
  bool is_reverse = false;
};

Tensor running(const Operator& op, const Tensor& x, std::int64_t axis, Way way = {}) {
  const Tensor number = scalar(axis);
  return must(call(op, {&x, &number},
                   {int_attribute("exclusive", way.is_exclusive ? 1 : 0), int_attribute("reverse", way.is_reverse ? 1 : 0)}));
}

Numbers reference(bool is_product, const Numbers& values, const List& dims, std::size_t axis, Way way) {
  Numbers results(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    List at = coordinates_of(dims, static_cast<std::int64_t>(i));
    const std::int64_t own = at[axis];
    results[i] = is_product ? 1 : 0;
    for (std::int64_t k = 0; k < dims[axis]; ++k) {
      const bool is_before = way.is_reverse ? k > own : k < own;
      if (!is_before && (k != own || way.is_exclusive)) continue;
      at[axis] = k;
      const double value = values[static_cast<std::size_t>(number_of(dims, at))];
      results[i] = is_product ? results[i] * value : results[i] + value;
    }
  }
  return results;
}

TEST(Running, RandomTensorsOfEveryTypeFollowTheText) {
  Random random;
  const Dtype types[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64, Dtype::int32, Dtype::uint32};
  for (int i = 0; i < 400; ++i) {
    List dims = random_dims(random, 1 + random.below(4), 5);
    if (random.one_in(3)) dims[random.below(dims.size())] = random.between(0, 150);
    const std::size_t axis = random.below(dims.size());
    const Dtype dtype = types[random.below(std::size(types))];
    Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
    const bool is_product = random.one_in(2);
    // Products of these values are exact in all types.
    for (double& value : values) value = is_product ? (random.one_in(60) ? 2 : 1) : static_cast<double>(random.between(0, 1));
    const Tensor dense = tensor_of_numbers(dtype, dims, values);
    const Tensor x = random.one_in(3) ? scrambled(dense, random) : dense;
    const Way way{random.one_in(2), random.one_in(2)};
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto number = static_cast<std::int64_t>(axis) - (random.one_in(2) ? rank : 0);
    const Tensor y = running(is_product ? cum_prod : cum_sum, x, number, way);
    ASSERT_EQ(list(y.dims()), dims);
    ASSERT_EQ(numbers_of(y), reference(is_product, values, dims, axis, way)) << info(dtype).name;
  }
}

TEST(Running, SumsCanLeaveTheirElementOutAndGoBackwards) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 10, 20, 30});
  EXPECT_EQ(elements<float>(running(cum_sum, x, 1)), (std::vector<float>{1, 3, 6, 10, 30, 60}));
  EXPECT_EQ(elements<float>(running(cum_sum, x, -1, {true, false})), (std::vector<float>{0, 1, 3, 0, 10, 30}));
  EXPECT_EQ(elements<float>(running(cum_sum, x, 1, {false, true})), (std::vector<float>{6, 5, 3, 60, 50, 30}));
  EXPECT_EQ(elements<float>(running(cum_sum, x, 0, {true, true})), (std::vector<float>{10, 20, 30, 0, 0, 0}));
  EXPECT_EQ(elements<float>(running(cum_prod, x, 1)), (std::vector<float>{1, 2, 6, 10, 200, 6000}));
  EXPECT_EQ(elements<float>(running(cum_prod, x, 1, {true, false})), (std::vector<float>{1, 1, 2, 1, 10, 200}));
  EXPECT_EQ(elements<double>(running(cum_sum, tensor_of<double>(Dtype::float64, {2}, {0.5, 0.25}), 0)),
            (std::vector<double>{0.5, 0.75}));
}

TEST(Running, IntegersWrapAround) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {2}, {INT32_MAX, 1});
  EXPECT_EQ(elements<std::int32_t>(running(cum_sum, x, 0)), (std::vector<std::int32_t>{INT32_MAX, INT32_MIN}));
  const Tensor y = int64s({2}, {INT64_MAX, 2});
  EXPECT_EQ(elements<std::int64_t>(running(cum_prod, y, 0)), (List{INT64_MAX, -2}));
}

TEST(Running, AMillionFloatsAreAsExactAsOne) {
  const std::size_t count = 1000000;
  const Tensor x = floats({count}, std::vector<float>(count, 0.1F));
  const float last = elements<float>(running(cum_sum, x, 0)).back();
  EXPECT_EQ(last, static_cast<float>(static_cast<double>(0.1F) * 1e6));
  // In float16, 1 would be lost beside 2048.
  const Tensor ones = tensor_of(Dtype::float16, {4096}, std::vector<std::uint16_t>(4096, 0x3C00));
  EXPECT_EQ(numbers_of(running(cum_sum, ones, 0)).back(), 4096);
}

TEST(Running, ASumOfMinusZeroKeepsItsSign) {
  const Tensor x = floats({1}, {-0.0F});
  EXPECT_TRUE(std::signbit(elements<float>(running(cum_sum, x, 0))[0]));
  EXPECT_FALSE(std::signbit(elements<float>(running(cum_sum, x, 0, {true, false}))[0]));
}

TEST(Running, TheAxisIsOneOfTheInputs) {
  const Tensor x = floats({2}, {1, 2});
  const Tensor two = scalar(2);
  EXPECT_TRUE(fails(call(cum_sum, {&x, &two}), Code::InvalidArgument, "'axis' is 2, which is not an axis of 1"));
  const Tensor list = shape_of({0});
  EXPECT_EQ(elements<float>(must(call(cum_sum, {&x, &list}))), (std::vector<float>{1, 3}));
  const Tensor several = shape_of({0, 0});
  EXPECT_TRUE(fails(call(cum_sum, {&x, &several}), Code::InvalidArgument, "'axis' has 2 entries, wanted one"));
  const Tensor small = tensor_of<std::int32_t>(Dtype::int32, {}, {0});
  EXPECT_EQ(elements<float>(must(call(cum_sum, {&x, &small}, {}, 11))), (std::vector<float>{1, 3}));
  const Tensor one = floats({}, {1});
  const Tensor zero = scalar(0);
  EXPECT_TRUE(fails(call(cum_sum, {&one, &zero}), Code::InvalidArgument, "a scalar has no axes"));
  const Tensor half = tensor_of<std::uint16_t>(Dtype::float16, {1}, {0x3C00});
  EXPECT_TRUE(fails(call(cum_sum, {&half, &zero}, {}, 11), Code::UnsupportedType, "CumSum-14 (opset 14) allows it"));
}

using RunningBeforeRun = BeforeRun;

TEST_F(RunningBeforeRun, DimsAreThoseOfTheInput) {
  EXPECT_EQ(sizes(cum_sum, {known({n(), 3}), scalar(1)}), "n 3");
  EXPECT_EQ(sizes(cum_prod, {known({n(), 3}), indices({})}), "n 3");
  EXPECT_EQ(sizes(cum_sum, {known({n(), 3}), scalar(2)}), "error");
  EXPECT_EQ(sizes(cum_sum, {unranked(), scalar(2)}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::running_test
