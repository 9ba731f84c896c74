// Compares reductions with functions of elements or sums, such as ReduceL2, with naive C++ in double.
#include <algorithm>
#include <limits>

#include "support/before_run.h"
#include "support/cases.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator reduce_l1, reduce_l2, reduce_log_sum, reduce_log_sum_exp, reduce_max, reduce_mean, reduce_sum_square,
    transpose;
}

namespace broadloom::test::reduce_functions_test {
namespace {

constexpr double infinity = HUGE_VAL;
const Operator* const all[] = {&reduce_mean, &reduce_l1, &reduce_l2, &reduce_log_sum, &reduce_log_sum_exp, &reduce_sum_square};

Result<Tensor> reduced(const Operator& op, const Tensor& x, const List& axes, bool keeps = true,
                       std::int64_t opset = newest_opset) {
  const Tensor given = shape_of(axes);
  const Given keepdims = int_attribute("keepdims", keeps ? 1 : 0);
  if (opset >= 18) return call(op, {&x, &given}, {keepdims}, opset);
  return call(op, {&x}, {{"axes", AttributeType::INTS, given}, keepdims}, opset);
}

double before(const Operator& op, double x) {
  if (&op == &reduce_l1) return std::abs(x);
  if (&op == &reduce_l2 || &op == &reduce_sum_square) return x * x;
  return &op == &reduce_log_sum_exp ? std::exp(x) : x;
}
double after(const Operator& op, double sum, std::size_t count) {
  if (&op == &reduce_mean) return sum / static_cast<double>(count);
  if (&op == &reduce_l2) return std::sqrt(sum);
  return &op == &reduce_log_sum || &op == &reduce_log_sum_exp ? std::log(sum) : sum;
}

struct Case {
  List dims;
  Numbers values;
  std::vector<bool> axes;
  List given;
};

Case random_case(Random& random, Dtype dtype, const Operator& op) {
  Case it;
  it.dims = random_dims(random, random.below(5), 5);
  // Long axes of each kind, for the vector loops and tails of rows and columns.
  if (!it.dims.empty() && random.one_in(2)) it.dims[random.below(it.dims.size())] = random.between(1, 1500);
  it.axes = std::vector<bool>(it.dims.size());
  for (std::size_t axis = 0; axis < it.dims.size(); ++axis) {
    it.axes[axis] = random.one_in(2);
    if (it.axes[axis]) it.given.push_back(static_cast<std::int64_t>(axis));
  }
  if (it.given.empty()) it.axes = std::vector<bool>(it.dims.size(), true);
  const auto count = static_cast<std::size_t>(must(checked_count(dims_of(it.dims))));
  // Logarithms need positive sums, and sums of float16 end at 65504.
  const double most = dtype == Dtype::float16 ? 0.25 : 2;
  it.values = random_numbers(random, dtype, count, &op == &reduce_log_sum ? most / 4 : -most, most);
  return it;
}

Numbers reference(const Operator& op, const Case& it) {
  List kept;
  for (std::size_t i = 0; i < it.dims.size(); ++i) kept.push_back(it.axes[i] ? 1 : it.dims[i]);
  const auto count = static_cast<std::size_t>(must(checked_count(dims_of(kept))));
  Numbers results(count);
  for (std::size_t i = 0; i < it.values.size(); ++i) {
    List at = coordinates_of(it.dims, static_cast<std::int64_t>(i));
    for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = it.axes[axis] ? 0 : at[axis];
    results[static_cast<std::size_t>(number_of(kept, at))] += before(op, it.values[i]);
  }
  for (double& result : results) result = after(op, result, it.values.size() / count);
  return results;
}

TEST(ReduceFunctions, RandomTensorsOfEveryTypeWithFractions) {
  Random random;
  for (const Operator* op : all) {
    for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64}) {
      for (int i = 0; i < rounds(std::max(cases() / 200, 20)); ++i) {
        const Case it = random_case(random, dtype, *op);
        const Tensor dense = tensor_of_numbers(dtype, it.dims, it.values);
        const Tensor x = random.one_in(3) ? scrambled(dense, random) : dense;
        const bool keeps = random.one_in(2);
        const std::int64_t opset = random.one_in(2) ? 13 : newest_opset;
        const Tensor y = must(reduced(*op, x, it.given, keeps, opset));
        List wanted;
        for (std::size_t axis = 0; axis < it.dims.size(); ++axis) {
          if (!it.axes[axis] || keeps) wanted.push_back(it.axes[axis] ? 1 : it.dims[axis]);
        }
        ASSERT_EQ(list(y.dims()), wanted);
        ASSERT_TRUE(are_near(y, reference(*op, it), precision_of(dtype))) << op->name << " " << info(dtype).name;
      }
    }
  }
}

TEST(ReduceFunctions, FractionsInResultsOfIntegersAreRoundedToZero) {
  const auto of = [](const Operator& op, const std::vector<std::int32_t>& values) {
    const Tensor x = tensor_of(Dtype::int32, {static_cast<std::int64_t>(values.size())}, values);
    return elements<std::int32_t>(must(reduced(op, x, {0})))[0];
  };
  EXPECT_EQ(of(reduce_mean, {-3, -4}), -3);
  EXPECT_EQ(of(reduce_mean, {3, 4}), 3);
  EXPECT_EQ(of(reduce_l1, {-3, 4}), 7);
  EXPECT_EQ(of(reduce_sum_square, {-3, 4}), 25);
  EXPECT_EQ(of(reduce_l2, {3, 4}), 5);
  EXPECT_EQ(of(reduce_l2, {1, 1}), 1);
  EXPECT_EQ(of(reduce_log_sum, {10, 11}), 3);
  // log(e^3 + e^3) = 3.69, log(3 * e^3) = 4.1
  EXPECT_EQ(of(reduce_log_sum_exp, {3, 3}), 3);
  EXPECT_EQ(of(reduce_log_sum_exp, {3, 3, 3}), 4);
  const Tensor x = int64s({2}, {INT64_MAX, 1});
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, x, {0})))[0], std::int64_t{1} << 62);
  const Tensor wide = tensor_of<std::uint64_t>(Dtype::uint64, {2}, {3, 4});
  EXPECT_EQ(elements<std::uint64_t>(must(reduced(reduce_l2, wide, {0})))[0], 5U);
  const Tensor small = tensor_of<std::uint32_t>(Dtype::uint32, {2}, {3, 6});
  EXPECT_EQ(elements<std::uint32_t>(must(reduced(reduce_mean, small, {0})))[0], 4U);
}

TEST(ReduceFunctions, LargeExponentsDoNotOverflow) {
  const Tensor x = floats({2, 2}, {1000, 1000, -1000, -1001});
  EXPECT_TRUE(are_near(must(reduced(reduce_log_sum_exp, x, {1})), {1000 + std::log(2.0), -1000 + 0.31326168751822286}, 1e-7));
  const Tensor half = tensor_of_numbers(Dtype::float16, {1, 3}, {60000, 60000, 1});
  EXPECT_EQ(numbers_of(must(reduced(reduce_log_sum_exp, half, {1}))), Numbers{60000});
}

TEST(ReduceFunctions, InfinitiesHaveLogarithmsToo) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = floats({4, 2}, {inf, 1, -inf, -inf, -inf, 1, nan, inf});
  const Numbers wanted{infinity, -infinity, 1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(are_near(must(reduced(reduce_log_sum_exp, x, {1})), wanted, 0));
  const Tensor wide = tensor_of_numbers(Dtype::float64, {1, 2}, {-infinity, -infinity});
  EXPECT_EQ(numbers_of(must(reduced(reduce_log_sum_exp, wide, {1}))), Numbers{-infinity});
  // Columns have another path.
  const Tensor columns = must(call(transpose, {&x}));
  EXPECT_TRUE(are_near(must(reduced(reduce_log_sum_exp, columns, {0})), wanted, 0));
}

TEST(ReduceFunctions, OfNoElementsIsTheFunctionOfAnEmptySum) {
  const Tensor x = floats({2, 0}, {});
  const auto of = [&](const Operator& op) { return elements<float>(must(reduced(op, x, {1}))); };
  EXPECT_TRUE(std::isnan(of(reduce_mean)[1]));
  EXPECT_EQ(of(reduce_l1), std::vector<float>(2, 0));
  EXPECT_EQ(of(reduce_l2), std::vector<float>(2, 0));
  EXPECT_EQ(of(reduce_sum_square), std::vector<float>(2, 0));
  const float negative = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(of(reduce_log_sum), std::vector<float>(2, negative));
  EXPECT_EQ(of(reduce_log_sum_exp), std::vector<float>(2, negative));
  const Tensor none = must(make_tensor(Dtype::int64, {0}));
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, none, {0})))[0], 0);
  const Tensor half = must(make_tensor(Dtype::float16, {0}));
  EXPECT_EQ(elements<std::uint16_t>(must(reduced(reduce_log_sum, half, {0})))[0], 0xFC00);
}

TEST(ReduceFunctions, WithoutAxesElementsAreStillChanged) {
  const Tensor x = floats({2, 1}, {-3, 4});
  const Given noop = int_attribute("noop_with_empty_axes", 1);
  const auto of = [&](const Operator& op) {
    const Tensor y = must(call(op, {&x}, {noop, int_attribute("keepdims", 0)}));
    EXPECT_EQ(list(y.dims()), (List{2, 1}));
    return y;
  };
  EXPECT_EQ(elements<float>(of(reduce_l1)), (std::vector<float>{3, 4}));
  EXPECT_EQ(elements<float>(of(reduce_l2)), (std::vector<float>{3, 4}));
  EXPECT_EQ(elements<float>(of(reduce_sum_square)), (std::vector<float>{9, 16}));
  EXPECT_TRUE(are_near(of(reduce_log_sum), {std::numeric_limits<double>::quiet_NaN(), std::log(4.0)}, 1e-7));
  // Means and LogSumExp leave a single element unchanged.
  EXPECT_EQ(of(reduce_mean).data(), x.data());
  EXPECT_EQ(of(reduce_log_sum_exp).data(), x.data());
}

TEST(ReduceFunctions, TheMeanOfAMillionIsExactToOnePartInAMillion) {
  const std::int64_t count = 1 << 20;
  Random random;
  const Numbers values = random_numbers(random, Dtype::float32, static_cast<std::size_t>(count), 0, 1);
  double sum = 0;
  for (const double value : values) sum += value;
  const double exact = sum / static_cast<double>(count);
  for (const List& dims : {List{count}, List{count / 4, 4}, List{4, count / 4}, List{64, count / 64}}) {
    const Tensor x = tensor_of_numbers(Dtype::float32, dims, values);
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(dims.size()); ++axis) {
      const Tensor rows = must(reduced(reduce_mean, x, {axis}));
      double mean = 0;
      for (const double row : numbers_of(rows)) mean += row / static_cast<double>(rows.count());
      EXPECT_LT(std::abs(mean - exact) / exact, 1e-6) << dims.size();
    }
    const Tensor total = must(reduced(reduce_mean, x, {}));
    EXPECT_LT(std::abs(numbers_of(total)[0] - exact) / exact, 1e-6);
  }
  const Tensor x = tensor_of_numbers(Dtype::float32, {count}, values);
  double squares = 0;
  for (const double value : values) squares += value * value;
  EXPECT_LT(std::abs(numbers_of(must(reduced(reduce_sum_square, x, {0})))[0] - squares) / squares, 1e-6);
}

TEST(ReduceFunctions, SeparateRegionsOfARowAreAddedUp) {
  // Sums over the first and the last axis: 100 rows of 100 elements for each of three results.
  std::vector<float> values(100 * 3 * 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i / 100 % 3 + 1);
  const Tensor x = floats({100, 3, 100}, values);
  EXPECT_EQ(elements<float>(must(reduced(reduce_mean, x, {0, 2}))), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(elements<float>(must(reduced(reduce_sum_square, x, {0, 2}))), (std::vector<float>{1e4F, 4e4F, 9e4F}));
  EXPECT_TRUE(
      are_near(must(reduced(reduce_log_sum_exp, x, {0, 2})), {1 + std::log(1e4), 2 + std::log(1e4), 3 + std::log(1e4)}, 1e-6));
  EXPECT_EQ(elements<float>(must(reduced(reduce_max, x, {0, 2}))), (std::vector<float>{1, 2, 3}));
}

using ReduceFunctionsBeforeRun = BeforeRun;

TEST_F(ReduceFunctionsBeforeRun, WithoutAxesDimsStay) {
  for (const Operator* op : all) {
    EXPECT_EQ(sizes(*op, {known({n(), 3})}, {int_attribute("noop_with_empty_axes", 1)}), "n 3");
    EXPECT_EQ(sizes(*op, {known({n(), 3}), shape_of({1})}, {int_attribute("keepdims", 0)}), "n");
  }
}

}  // namespace
}  // namespace broadloom::test::reduce_functions_test
