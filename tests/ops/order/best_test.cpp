// Compares ArgMax, ArgMin and Hardmax with naive C++.
#include <limits>

#include "support/before_run.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator arg_max, arg_min, hardmax, transpose;
}

namespace broadloom::test::best_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

constexpr Dtype numeric[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64, Dtype::int8,   Dtype::int16,
                             Dtype::int32,   Dtype::int64,    Dtype::uint8,   Dtype::uint16,  Dtype::uint32, Dtype::uint64};

struct Wanted {
  bool is_least = false;
  bool is_last = false;
};

// The index of the best element of each row along an axis.
List reference(const Numbers& values, const List& dims, std::size_t axis, Wanted wanted) {
  List kept = dims;
  kept[axis] = 1;
  List result(static_cast<std::size_t>(must(checked_count(dims_of(kept)))));
  for (std::size_t i = 0; i < result.size(); ++i) {
    List at = coordinates_of(kept, static_cast<std::int64_t>(i));
    double best = 0;
    for (std::int64_t k = 0; k < dims[axis]; ++k) {
      at[axis] = k;
      double value = values[static_cast<std::size_t>(number_of(dims, at))];
      if (std::isnan(value)) value = wanted.is_least ? -HUGE_VAL : HUGE_VAL;
      const bool is_better = wanted.is_least ? value < best : value > best;
      if (k > 0 && !is_better && !(wanted.is_last && value == best)) continue;
      best = value;
      result[i] = k;
    }
  }
  return result;
}

struct Case {
  List dims;
  std::size_t axis;
  Numbers values;
  Tensor x;
};

// Some numbers are repeated.
Case random_case(Random& random, Dtype dtype) {
  Case result;
  result.dims = random_dims(random, 1 + random.below(4), 5);
  if (random.one_in(3)) result.dims[random.below(result.dims.size())] = random.between(1, 300);
  result.axis = random.below(result.dims.size());
  result.values = Numbers(static_cast<std::size_t>(must(checked_count(dims_of(result.dims)))));
  const bool is_float = info(dtype).kind == DtypeKind::real_float || info(dtype).kind == DtypeKind::mini_float;
  const bool is_unsigned = info(dtype).kind == DtypeKind::unsigned_integer;
  for (double& value : result.values) {
    value = static_cast<double>(random.between(is_unsigned ? 0 : -9, 9));
    if (is_float && random.one_in(40)) value = static_cast<double>(nan);
  }
  const Tensor dense = tensor_of_numbers(dtype, result.dims, result.values);
  result.x = random.one_in(3) ? scrambled(dense, random) : dense;
  return result;
}

TEST(Best, RandomTensorsOfEveryTypeGiveTheFirstOrTheLastBest) {
  Random random;
  for (const Dtype dtype : numeric) {
    for (int i = 0; i < 60; ++i) {
      const Case it = random_case(random, dtype);
      const Wanted wanted{random.one_in(2), random.one_in(2)};
      const bool keeps = random.one_in(2);
      const auto rank = static_cast<std::int64_t>(it.dims.size());
      const auto axis = static_cast<std::int64_t>(it.axis) - (random.one_in(2) ? rank : 0);
      const Tensor y = must(call(wanted.is_least ? arg_min : arg_max, {&it.x},
                                 {int_attribute("axis", axis), int_attribute("keepdims", keeps ? 1 : 0),
                                  int_attribute("select_last_index", wanted.is_last ? 1 : 0)}));
      List dims = it.dims;
      dims[it.axis] = 1;
      if (!keeps) dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(it.axis));
      ASSERT_EQ(list(y.dims()), dims);
      ASSERT_EQ(elements<std::int64_t>(y), reference(it.values, it.dims, it.axis, wanted)) << info(dtype).name;
    }
  }
}

TEST(Best, TheFirstNanIsBetterThanAllNumbers) {
  const Tensor x = floats({5}, {1, nan, 3, nan, 2});
  for (const Operator* op : {&arg_max, &arg_min}) {
    EXPECT_EQ(elements<std::int64_t>(must(call(*op, {&x}))), List{1});
    EXPECT_EQ(elements<std::int64_t>(must(call(*op, {&x}, {int_attribute("select_last_index", 1)}))), List{3});
  }
  EXPECT_EQ(elements<float>(must(call(hardmax, {&x}))), (std::vector<float>{0, 1, 0, 0, 0}));
}

TEST(Best, ZerosOfEitherSignAreEqual) {
  const Tensor x = floats({3}, {-0.0F, 0.0F, -0.0F});
  EXPECT_EQ(elements<std::int64_t>(must(call(arg_max, {&x}))), List{0});
  EXPECT_EQ(elements<std::int64_t>(must(call(arg_min, {&x}))), List{0});
}

TEST(Best, LongRowsAreLookedAtInParts) {
  // More than one part of 64 KiB, along the last axis and along another.
  std::vector<float> values(40 * 1000);
  List wanted(40);
  for (std::size_t row = 0; row < 40; ++row) {
    values[row * 1000 + row * 20] = 1;
    wanted[row] = static_cast<std::int64_t>(row) * 20;
  }
  const Tensor x = floats({40, 1000}, values);
  EXPECT_EQ(elements<std::int64_t>(must(call(arg_max, {&x}, {int_attribute("axis", 1)}))), wanted);
  const Tensor columns = must(call(transpose, {&x}));
  EXPECT_EQ(elements<std::int64_t>(must(call(arg_max, {&columns}, {int_attribute("axis", 0)}))), wanted);
}

TEST(Best, AnAxisOfSizeZeroIsRefused) {
  const Tensor x = floats({2, 0}, {});
  EXPECT_TRUE(fails(call(arg_max, {&x}, {int_attribute("axis", 1)}), Code::InvalidArgument,
                    "data has dims [2, 0]: axis 1 has no element to choose"));
  const Tensor y = must(call(arg_min, {&x}));
  EXPECT_EQ(list(y.dims()), (List{1, 0}));
  EXPECT_EQ(list(must(call(hardmax, {&x})).dims()), (List{2, 0}));
  const Tensor scalar = floats({}, {1});
  EXPECT_TRUE(fails(call(arg_max, {&scalar}), Code::InvalidArgument, "'axis' is 0, but a scalar has no axes"));
}

TEST(Best, HardmaxIsOneWhereTheFirstGreatestIs) {
  const Tensor x = floats({2, 2, 2}, {1, 5, 5, 2, -infinity, -infinity, -3, 0});
  const auto of = [&](std::int64_t axis, std::int64_t opset) {
    return elements<float>(must(call(hardmax, {&x}, {int_attribute("axis", axis)}, opset)));
  };
  EXPECT_EQ(of(-1, 13), (std::vector<float>{0, 1, 1, 0, 1, 0, 0, 1}));
  EXPECT_EQ(of(1, 13), (std::vector<float>{0, 1, 1, 0, 0, 0, 1, 1}));
  EXPECT_EQ(of(0, 13), (std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0}));
  // Before version 13, all axes from that one on are a row.
  EXPECT_EQ(of(1, 11), (std::vector<float>{0, 1, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(of(0, 1), (std::vector<float>{0, 1, 0, 0, 0, 0, 0, 0}));
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float64}) {
    const Tensor y = must(call(hardmax, {&static_cast<const Tensor&>(tensor_of_numbers(dtype, {3}, {1, 3, 2}))}));
    EXPECT_EQ(numbers_of(y), (Numbers{0, 1, 0})) << info(dtype).name;
  }
}

using BestBeforeRun = BeforeRun;

TEST_F(BestBeforeRun, TheAxisIsOneOrIsLeftOut) {
  EXPECT_EQ(sizes(arg_max, {known({n(), 3, m()})}, {int_attribute("axis", 1)}), "n 1 m");
  EXPECT_EQ(sizes(arg_min, {known({n(), 3, m()})}, {int_attribute("axis", -1), int_attribute("keepdims", 0)}), "n 3");
  EXPECT_EQ(sizes(arg_min, {known({n(), 3, m()})}, {int_attribute("axis", 3)}), "error");
  EXPECT_EQ(sizes(arg_max, {unranked()}), "unknown");
  EXPECT_EQ(sizes(hardmax, {known({n(), m()})}), "n m");
  EXPECT_EQ(sizes(hardmax, {known({n(), m()})}, {int_attribute("axis", 2)}), "error");
  EXPECT_EQ(sizes(hardmax, {unranked()}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::best_test
