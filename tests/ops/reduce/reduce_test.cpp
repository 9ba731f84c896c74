// Compares reductions with naive C++.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number.h"
#include "support/calls.h"
#include "support/cases.h"
#include "support/layouts.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator expand, reduce_max, reduce_mean, reduce_min, reduce_prod, reduce_sum;
}

namespace broadloom::test::reduce_test {
namespace {

Result<Tensor> reduced(const Operator& op, const Tensor& x, const List& axes, bool keeps = true,
                       std::int64_t opset = newest_opset) {
  const Tensor given = shape_of(axes);
  const bool is_input = opset >= (&op == &reduce_sum ? 13 : 18);
  if (is_input) return call(op, {&x, &given}, {int_attribute("keepdims", keeps ? 1 : 0)}, opset);
  return call(op, {&x}, {{"axes", AttributeType::INTS, given}, int_attribute("keepdims", keeps ? 1 : 0)}, opset);
}

const Operator* const all[] = {&reduce_sum, &reduce_prod, &reduce_min, &reduce_max};

// Each element belongs to the result with the same coordinates along the other axes.
template <class T>
std::vector<T> reference(const Operator& op, const std::vector<T>& values, const List& dims, const std::vector<bool>& axes) {
  List kept;
  for (std::size_t i = 0; i < dims.size(); ++i) kept.push_back(axes[i] ? 1 : dims[i]);
  std::int64_t count = 1;
  for (const std::int64_t size : kept) count *= size;
  std::vector<T> results(static_cast<std::size_t>(count));
  std::vector<bool> is_set(results.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    List at = coordinates_of(dims, static_cast<std::int64_t>(i));
    for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = axes[axis] ? 0 : at[axis];
    const auto place = static_cast<std::size_t>(number_of(kept, at));
    T& result = results[place];
    const T value = values[i];
    if (!is_set[place]) {
      result = value;
    } else if (&op == &reduce_sum) {
      result = static_cast<T>(result + value);
    } else if (&op == &reduce_prod) {
      result = static_cast<T>(result * value);
    } else {
      result = (&op == &reduce_min) == (value < result) ? value : result;
    }
    is_set[place] = true;
  }
  return results;
}

// Numbers whose sums and products are exact in every type.
template <class T>
T small_number(Random& random) {
  return static_cast<T>(random.one_in(4) ? 2 : random.one_in(8) ? -1 : 1);
}

template <class T>
void expect_reductions(const Operator& op, Dtype dtype) {
  Random random;
  for (int i = 0; i < std::max(cases() / 30, 20); ++i) {
    List dims = random_dims(random, random.below(5), 5);
    // Long axes of each kind, for the vector loops and tails of rows and columns.
    if (!dims.empty() && random.one_in(2)) dims[random.below(dims.size())] = random.between(1, 700);
    std::vector<bool> axes(dims.size());
    List given;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      axes[axis] = random.one_in(2);
      const auto number = static_cast<std::int64_t>(axis);
      if (axes[axis]) given.push_back(random.one_in(2) ? number : number - static_cast<std::int64_t>(dims.size()));
    }
    if (given.empty()) axes = std::vector<bool>(dims.size(), true);
    std::vector<T> values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
    std::size_t twos = 0;
    for (T& value : values) {
      value = small_number<T>(random);
      if (&op == &reduce_prod && value == 2 && ++twos > 20) value = 1;
    }
    const Tensor dense = tensor_of(dtype, dims_of(dims), values);
    const Tensor x = random.one_in(3) ? scrambled(dense, random) : dense;
    const bool keeps = random.one_in(2);
    const Tensor y = must(reduced(op, x, given, keeps));
    List wanted;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      if (!axes[axis] || keeps) wanted.push_back(axes[axis] ? 1 : dims[axis]);
    }
    ASSERT_EQ(list(y.dims()), wanted);
    ASSERT_EQ(elements<T>(y), reference(op, values, dims, axes)) << op.name << " " << info(dtype).name;
  }
}

TEST(Reduce, EveryTypeOverAnyAxesInAnyLayout) {
  for (const Operator* op : all) {
    expect_reductions<float>(*op, Dtype::float32);
    expect_reductions<double>(*op, Dtype::float64);
    expect_reductions<std::int32_t>(*op, Dtype::int32);
    expect_reductions<std::int64_t>(*op, Dtype::int64);
    expect_reductions<std::uint32_t>(*op, Dtype::uint32);
    expect_reductions<std::uint64_t>(*op, Dtype::uint64);
  }
  for (const Operator* op : {&reduce_min, &reduce_max}) {
    expect_reductions<std::int8_t>(*op, Dtype::int8);
    expect_reductions<std::uint8_t>(*op, Dtype::uint8);
  }
}

TEST(Reduce, LongRowsThatLieApartGiveOneResult) {
  // Each result reduces three rows of 160 elements, which lie one after the other.
  List values(std::size_t{3} * 2 * 160, 1);
  for (std::size_t row = 0; row < 6; ++row) values[row * 160 + 20 * row] = static_cast<std::int64_t>(row + 1);
  const Tensor integers = int64s({3, 2, 160}, values);
  const Tensor numbers = floats({3, 2, 160}, {values.begin(), values.end()});
  const auto expect = [&](const Operator& op, std::int64_t first, std::int64_t second) {
    EXPECT_EQ(elements<std::int64_t>(must(reduced(op, integers, {0, 2}, false))), (List{first, second})) << op.name;
    EXPECT_EQ(elements<float>(must(reduced(op, numbers, {0, 2}, false))),
              (std::vector<float>{static_cast<float>(first), static_cast<float>(second)}))
        << op.name;
  };
  expect(reduce_sum, 477 + 9, 477 + 12);
  expect(reduce_prod, 1 * 3 * 5, 2 * 4 * 6);
  expect(reduce_max, 5, 6);
}

TEST(Reduce, OfBoolsMinIsAndAndMaxIsOr) {
  const Tensor x = bools({2, 2}, {0, 1, 1, 1});
  EXPECT_EQ(bytes_of(must(reduced(reduce_min, x, {0}))), (Bytes{0, 1}));
  EXPECT_EQ(bytes_of(must(reduced(reduce_max, x, {0, 1}))), (Bytes{1}));
  EXPECT_TRUE(fails(reduced(reduce_max, x, {0}, true, 19), Code::UnsupportedType, "ReduceMax-20 (opset 20) allows it"));
}

TEST(Reduce, AxesAreAnAttributeFirstAndAnInputLater) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const std::int64_t opset : {1, 11, 12, 13, 17, 18, 20, 28}) {
    for (const bool keeps : {false, true}) {
      const Tensor y = must(reduced(reduce_sum, x, {-1}, keeps, opset));
      EXPECT_EQ(list(y.dims()), keeps ? (List{2, 1}) : List{2});
      EXPECT_EQ(elements<float>(y), (std::vector<float>{6, 15}));
      EXPECT_EQ(elements<float>(must(reduced(reduce_max, x, {0}, keeps, opset))), (std::vector<float>{4, 5, 6}));
    }
    EXPECT_EQ(elements<float>(must(call(reduce_prod, {&x}, {}, opset))), std::vector<float>{720});
    EXPECT_EQ(list(must(call(reduce_min, {&x}, {int_attribute("keepdims", 0)}, opset)).dims()), List{});
  }
}

TEST(Reduce, NoAxesMeanAllUnlessNoopWithEmptyAxes) {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const Tensor none = shape_of({});
  const Given noop = int_attribute("noop_with_empty_axes", 1);
  EXPECT_EQ(elements<float>(must(call(reduce_sum, {&x, &none}))), std::vector<float>{10});
  EXPECT_EQ(elements<float>(must(call(reduce_sum, {&x, nullptr}))), std::vector<float>{10});
  for (const std::vector<const Tensor*>& inputs : {std::vector<const Tensor*>{&x, &none}, {&x, nullptr}, {&x}}) {
    const Tensor y = must(call(reduce_sum, inputs, {noop}));
    EXPECT_EQ(y.data(), x.data());
    EXPECT_EQ(list(y.dims()), (List{2, 2}));
  }
  const Tensor axes = shape_of({1});
  EXPECT_EQ(elements<float>(must(call(reduce_sum, {&x, &axes}, {noop}))), (std::vector<float>{3, 7}));
  const Tensor scalar = floats({}, {5});
  for (const Operator* op : all) EXPECT_EQ(elements<float>(must(call(*op, {&scalar}))), std::vector<float>{5});
}

TEST(Reduce, OfNoElementsIsTheNeutralElement) {
  const Tensor x = floats({2, 0, 3}, {});
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(elements<float>(must(reduced(reduce_sum, x, {1}))), std::vector<float>(6, 0));
  EXPECT_EQ(elements<float>(must(reduced(reduce_prod, x, {1}))), std::vector<float>(6, 1));
  EXPECT_EQ(elements<float>(must(reduced(reduce_min, x, {1}))), std::vector<float>(6, infinity));
  EXPECT_EQ(elements<float>(must(reduced(reduce_max, x, {1, 0}))), std::vector<float>(3, -infinity));
  EXPECT_EQ(list(must(reduced(reduce_sum, x, {0})).dims()), (List{1, 0, 3}));
  const auto of = [](const Operator& op, Dtype dtype) { return must(reduced(op, must(make_tensor(dtype, {0})), {0})); };
  EXPECT_EQ(elements<std::int32_t>(of(reduce_min, Dtype::int32))[0], INT32_MAX);
  EXPECT_EQ(elements<std::int64_t>(of(reduce_max, Dtype::int64))[0], INT64_MIN);
  EXPECT_EQ(elements<std::uint64_t>(of(reduce_min, Dtype::uint64))[0], UINT64_MAX);
  EXPECT_EQ(elements<std::uint8_t>(of(reduce_min, Dtype::uint8))[0], 255);
  EXPECT_EQ(elements<std::int8_t>(of(reduce_max, Dtype::int8))[0], -128);
  EXPECT_EQ(elements<std::uint8_t>(of(reduce_min, Dtype::boolean))[0], 1);
  EXPECT_EQ(elements<std::uint8_t>(of(reduce_max, Dtype::boolean))[0], 0);
  EXPECT_EQ(elements<double>(of(reduce_max, Dtype::float64))[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(elements<std::uint16_t>(of(reduce_min, Dtype::float16))[0], 0x7C00);
  EXPECT_EQ(elements<std::uint16_t>(of(reduce_max, Dtype::bfloat16))[0], 0xFF80);
  EXPECT_EQ(elements<std::uint16_t>(of(reduce_prod, Dtype::float16))[0], 0x3C00);
}

TEST(Reduce, MinAndMaxAreNanWhereAnyIsNan) {
  std::vector<float> values(300, 1);
  values[123] = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = floats({3, 100}, values);
  for (const Operator* op : {&reduce_min, &reduce_max}) {
    const auto results = elements<float>(must(reduced(*op, x, {1})));
    EXPECT_EQ(results[0], 1);
    EXPECT_TRUE(std::isnan(results[1]));
    EXPECT_EQ(results[2], 1);
  }
}

TEST(Reduce, HalfFloatsAreAccumulatedInFloat32) {
  // In float16, 1 would be lost beside 2048.
  const auto ones = std::vector<std::uint16_t>(4096, 0x3C00);
  const Tensor x = tensor_of(Dtype::float16, {4096}, ones);
  EXPECT_EQ(elements<std::uint16_t>(must(reduced(reduce_sum, x, {0})))[0], 0x6C00);
  const Tensor columns = tensor_of(Dtype::float16, {1024, 4}, ones);
  EXPECT_EQ(elements<std::uint16_t>(must(reduced(reduce_sum, columns, {0}))), std::vector<std::uint16_t>(4, 0x6400));
  const Tensor wide = tensor_of(Dtype::bfloat16, {4, 1024}, std::vector<std::uint16_t>(4096, 0x3F80));
  EXPECT_EQ(elements<std::uint16_t>(must(reduced(reduce_sum, wide, {0}))), std::vector<std::uint16_t>(1024, 0x4080));
}

TEST(Reduce, IntegersWrapAround) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {2}, {INT32_MAX, 1});
  EXPECT_EQ(elements<std::int32_t>(must(reduced(reduce_sum, x, {0})))[0], INT32_MIN);
  const Tensor y = int64s({2}, {INT64_MAX, 2});
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_prod, y, {0})))[0], -2);
}

TEST(Reduce, TheMeanOfIntegersFitsThoughTheirSumDoesNot) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {3}, {INT32_MAX, INT32_MAX, INT32_MAX - 2});
  EXPECT_EQ(elements<std::int32_t>(must(reduced(reduce_mean, x, {0})))[0], INT32_MAX - 1);
  const Tensor y = tensor_of<std::uint32_t>(Dtype::uint32, {2}, {UINT32_MAX, UINT32_MAX - 1});
  EXPECT_EQ(elements<std::uint32_t>(must(reduced(reduce_mean, y, {0})))[0], UINT32_MAX - 1);
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, int64s({2}, {INT64_MAX, INT64_MAX}), {0})))[0], INT64_MAX);
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, int64s({3}, {INT64_MIN, INT64_MIN, INT64_MIN + 1}), {0})))[0],
            INT64_MIN + 1);
  const Tensor z = tensor_of<std::uint64_t>(Dtype::uint64, {2}, {UINT64_MAX, UINT64_MAX - 3});
  EXPECT_EQ(elements<std::uint64_t>(must(reduced(reduce_mean, z, {0})))[0], UINT64_MAX - 2);
}

template <class T>
void expect_means_of_limits(Dtype dtype) {
  for (const T limit : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) {
    for (const std::size_t columns : {7U, 130U}) {
      const Tensor x = tensor_of(dtype, {90, static_cast<std::int64_t>(columns)}, std::vector<T>(90 * columns, limit));
      EXPECT_EQ(elements<T>(must(reduced(reduce_mean, x, {0}))), std::vector<T>(columns, limit)) << info(dtype).name;
      EXPECT_EQ(elements<T>(must(reduced(reduce_mean, x, {1}))), std::vector<T>(90, limit)) << info(dtype).name;
    }
  }
}

TEST(Reduce, TheMeanOfALimitIsTheLimitAlongEachAxis) {
  expect_means_of_limits<std::int32_t>(Dtype::int32);
  expect_means_of_limits<std::uint32_t>(Dtype::uint32);
  expect_means_of_limits<std::int64_t>(Dtype::int64);
  expect_means_of_limits<std::uint64_t>(Dtype::uint64);
}

TEST(Reduce, TheMeanOfIntegersIsRoundedTowardZero) {
  const Tensor x = int64s({2, 4}, {-7, 0, 7, -3, 0, 1, 0, -6});
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, x, {0}))), (std::vector<std::int64_t>{-3, 0, 3, -4}));
  EXPECT_EQ(elements<std::int64_t>(must(reduced(reduce_mean, x, {1}))), (std::vector<std::int64_t>{0, -1}));
}

TEST(Reduce, TheErrorOfALongSumDoesNotGrowWithItsLength) {
  const std::size_t count = 1 << 20;
  Random random;
  for (const bool is_constant : {true, false}) {
    std::vector<float> values(count, 0.1F);
    double exact = 0;
    for (float& value : values) {
      if (!is_constant) value = static_cast<float>(random.real(0, 1));
      exact += static_cast<double>(value);
    }
    const auto expect_close = [&](const List& dims, const List& axes) {
      const auto results = elements<float>(must(reduced(reduce_sum, floats(dims_of(dims), values), axes)));
      double sum = 0;
      for (const float value : results) sum += static_cast<double>(value);
      EXPECT_LT(std::abs(sum - exact) / exact, 1e-6) << list(dims_of(dims)).size();
    };
    const auto all_of_them = static_cast<std::int64_t>(count);
    expect_close({all_of_them}, {0});
    expect_close({all_of_them / 64, 64}, {0});
    expect_close({all_of_them / 4, 4}, {0});
    expect_close({8, all_of_them / 8}, {1});
    expect_close({4, all_of_them / 16, 4}, {0, 2});
  }
}

TEST(Reduce, AnAxisOfOneElementChangesNoElement) {
  for (const std::int64_t count : {1, 2, 63, 64, 127, 128, 129, 256, 600}) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    for (const Operator* op : all) {
      EXPECT_EQ(elements<float>(must(reduced(*op, floats({count, 1}, values), {1}))), values) << op->name << count;
      EXPECT_EQ(elements<float>(must(reduced(*op, floats({1, count}, values), {0}))), values) << op->name << count;
    }
  }
}

TEST(Reduce, InvalidAxesAreRefused) {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(
      fails(reduced(reduce_sum, x, {2}), Code::InvalidArgument, "'axes' is 2, which is not an axis of 2: wanted -2 to 1"));
  EXPECT_TRUE(fails(reduced(reduce_sum, x, {0, -2}), Code::InvalidArgument, "'axes' has axis 0 twice: [0, -2]"));
  EXPECT_TRUE(fails(reduced(reduce_max, x, {-3}, true, 1), Code::InvalidArgument, "ReduceMax-1: 'axes' is -3"));
}

TEST(Reduce, AHugeViewIsOutOfMemoryAndNotWalkedOver) {
  const Tensor shape = shape_of({std::int64_t{1} << 50});
  const Tensor x = must(call(expand, {&shape, &shape}));
  EXPECT_TRUE(fails(reduced(reduce_max, x, {0}), Code::OutOfMemory));
}

// ---- Before a run ----

Tensor before_a_run(Expressions& expressions, const Operator& op, const std::vector<const Tensor*>& inputs, bool keeps,
                    bool computes = false) {
  const OperatorVersion* version = must(select_version(op, newest_opset));
  Attributes attributes;
  static_cast<AttributeValue&>(attributes.add(*find_spec(*version, "keepdims"))).integer = keeps ? 1 : 0;
  const Dtype type = inputs[0]->dtype;
  Tensor output(type, LayoutRef::unranked());
  Call call{*version, inputs, attributes, {&type, 1}, {&output, 1}, &expressions};
  must(op.prepare(call));
  if (!computes) return output;
  output = must(make_tensor(type, output.dims()));
  must(op.compute(call));
  return output;
}

TEST(Reduce, BeforeARunDimsHoldInEveryRun) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const Tensor x(Dtype::float32, uniform_layout({n, 3, unknown_size}));
  const Tensor axes = shape_of({1});
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x, &axes}, true).dims()), (SizeList{n, 1, unknown_size}));
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x, &axes}, false).dims()), (SizeList{n, unknown_size}));
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x}, false).dims()), SizeList{});
  // Only the number of axes is known, or not even that.
  const Tensor two(Dtype::int64, uniform_layout({2}));
  const Tensor some(Dtype::int64, uniform_layout({n}));
  const SizeList unknown(3, unknown_size);
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x, &two}, true).dims()), unknown);
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x, &two}, false).dims()), SizeList{unknown_size});
  EXPECT_EQ(SizeList(before_a_run(expressions, reduce_sum, {&x, &some}, true).dims()), unknown);
  EXPECT_FALSE(before_a_run(expressions, reduce_sum, {&x, &some}, false).is_ranked());
  const Tensor unranked(Dtype::float32, LayoutRef::unranked());
  EXPECT_FALSE(before_a_run(expressions, reduce_sum, {&unranked, &axes}, true).is_ranked());
}

TEST(Reduce, BeforeARunExpressionsAreReduced) {
  Expressions expressions;
  const Size n = expressions.name(0);
  const Sizes sizes(&expressions);
  const Tensor x = int64s({2, 2}, {n, 3, 4, unknown_size});
  const Tensor axes = shape_of({0});
  const auto of = [&](const Operator& op) { return elements<Size>(before_a_run(expressions, op, {&x, &axes}, false, true)); };
  EXPECT_EQ(of(reduce_sum), (SizeList{sizes.add(n, 4), unknown_size}));
  EXPECT_EQ(of(reduce_prod), (SizeList{sizes.multiply(n, 4), unknown_size}));
  EXPECT_EQ(of(reduce_min), (SizeList{sizes.minimum(n, 4), unknown_size}));
  EXPECT_EQ(of(reduce_max), (SizeList{sizes.maximum(n, 4), unknown_size}));
  const Tensor none = int64s({0}, {});
  EXPECT_EQ(elements<Size>(before_a_run(expressions, reduce_prod, {&none}, false, true)), SizeList{1});
}

}  // namespace
}  // namespace broadloom::test::reduce_test
