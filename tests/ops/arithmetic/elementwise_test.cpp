// Compares elementwise operators with naive C++.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "core/number.h"
#include "ops/operators.h"
#include "support/calls.h"
#include "support/layouts.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator abs, add, ceil, div, equal, floor, greater, greater_or_equal, less, less_or_equal, logical_and,
    logical_not, logical_or, logical_xor, max, mean, min, mod, mul, neg, sqrt, sub, sum;
}

namespace broadloom::test::elementwise_test {
namespace {

// Calls `check.operator()<T>(dtype)` for each type of C++.
template <class Check>
void for_each_integer(Check check) {
  check.template operator()<std::int8_t>(Dtype::int8);
  check.template operator()<std::int16_t>(Dtype::int16);
  check.template operator()<std::int32_t>(Dtype::int32);
  check.template operator()<std::int64_t>(Dtype::int64);
  check.template operator()<std::uint8_t>(Dtype::uint8);
  check.template operator()<std::uint16_t>(Dtype::uint16);
  check.template operator()<std::uint32_t>(Dtype::uint32);
  check.template operator()<std::uint64_t>(Dtype::uint64);
}
template <class Check>
void for_each_float(Check check) {
  check.template operator()<float>(Dtype::float32);
  check.template operator()<double>(Dtype::float64);
}
template <class Check>
void for_each_number(Check check) {
  for_each_integer(check);
  for_each_float(check);
}

// A random number of the type. Small ones and the limits are more frequent than others.
template <class T>
T random_number(Random& random) {
  const std::int64_t choice = random.between(0, 9);
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T specials[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                              -std::numeric_limits<T>::infinity(), T(-0.0), std::numeric_limits<T>::denorm_min()};
    if (choice < 2) return specials[random.below(5)];
    return choice < 6 ? static_cast<T>(random.between(-9, 9)) : static_cast<T>(random.real(-1e3, 1e3));
  } else {
    if (choice < 2) return choice == 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return static_cast<T>(choice < 6 ? random.between(-3, 3) : random.between(INT64_MIN, INT64_MAX));
  }
}

template <class T>
Tensor random_tensor(Random& random, Dtype dtype, const List& dims) {
  std::vector<T> values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
  for (T& value : values) value = random_number<T>(random);
  const Tensor tensor = tensor_of(dtype, dims_of(dims), values);
  return random.one_in(2) ? scrambled(tensor, random) : tensor;
}

// Random dims that broadcast to `dims`.
List stretchable(Random& random, const List& dims) {
  List result(dims.begin() + static_cast<std::ptrdiff_t>(random.below(dims.size() + 1)), dims.end());
  for (auto& size : result) size = random.one_in(3) ? 1 : size;
  return result;
}

List random_sizes(Random& random) {
  List dims = random_dims(random, random.below(5));
  if (!dims.empty() && random.one_in(3)) dims[random.below(dims.size())] = random.between(0, 600);
  return dims;
}

// The elements of a tensor after a broadcast to `dims`.
template <class T>
std::vector<T> stretched(const Tensor& tensor, const SymbolicDims& dims) {
  return elements<T>({tensor.dtype, broadcast_to(tensor.layout, dims), tensor.storage, tensor.offset});
}

template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

// Compares a call with a function of C++ on each pair of elements.
template <class T, class R>
void expect_binary(const Operator& op, Dtype dtype, const std::function<R(T, T)>& wanted,
                   const std::vector<Given>& given = {}) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const List sizes = random_sizes(random);
    const Tensor a = random_tensor<T>(random, dtype, stretchable(random, sizes));
    const Tensor b = random_tensor<T>(random, dtype, stretchable(random, sizes));
    const Tensor c = must(call(op, {&a, &b}, given));
    EXPECT_EQ(list(c.dims()), list(must(broadcast_dims(a.dims(), b.dims()))));
    const auto left = stretched<T>(a, c.dims());
    const auto right = stretched<T>(b, c.dims());
    const auto results = elements<R>(c);
    for (std::size_t k = 0; k < results.size(); ++k) {
      ASSERT_TRUE(same(results[k], wanted(left[k], right[k])))
          << op.name << " " << info(dtype).name << ": " << +left[k] << " and " << +right[k] << " give " << +results[k]
          << ", wanted " << +wanted(left[k], right[k]);
    }
  }
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Computes modulo the width of any type.
template <class T, class Function>
T wrapped(Function function, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return function(a, b);
  } else {
    return static_cast<T>(function(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
  }
}

TEST(Arithmetic, AddsSubtractsAndMultipliesInEveryTypeAndWrapsAround) {
  for_each_number([]<class T>(Dtype dtype) {
    expect_binary<T, T>(add, dtype, [](T a, T b) { return wrapped([](auto x, auto y) { return x + y; }, a, b); });
    expect_binary<T, T>(sub, dtype, [](T a, T b) { return wrapped([](auto x, auto y) { return x - y; }, a, b); });
    expect_binary<T, T>(mul, dtype, [](T a, T b) { return wrapped([](auto x, auto y) { return x * y; }, a, b); });
  });
}

TEST(Arithmetic, DividesIntegersRoundingToZeroAndByZeroGivesZero) {
  for_each_integer([]<class T>(Dtype dtype) {
    expect_binary<T, T>(div, dtype, [](T a, T b) -> T {
      if (b == 0) return 0;
      // The only quotient that overflows wraps around.
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - static_cast<Unsigned<T>>(a));
      return static_cast<T>(a / b);
    });
  });
  for_each_float([]<class T>(Dtype dtype) { expect_binary<T, T>(div, dtype, [](T a, T b) { return a / b; }); });
}

TEST(Arithmetic, TheRemainderHasTheSignOfTheDivisorAndWithFmodOfTheDividend) {
  for_each_integer([]<class T>(Dtype dtype) {
    const auto rest = [](T a, T b) -> T {
      if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return 0;
      return static_cast<T>(a % b);
    };
    expect_binary<T, T>(mod, dtype, rest, {int_attribute("fmod", 1)});
    expect_binary<T, T>(mod, dtype, [rest](T a, T b) -> T {
      const T result = rest(a, b);
      return result != 0 && (result < 0) != (b < 0) ? static_cast<T>(result + b) : result;
    });
  });
  for_each_float([]<class T>(Dtype dtype) {
    expect_binary<T, T>(mod, dtype, [](T a, T b) -> T { return std::fmod(a, b); }, {int_attribute("fmod", 1)});
  });
}

TEST(Arithmetic, ModOfFloatsNeedsFmod) {
  const Tensor x = floats({1}, {5});
  EXPECT_TRUE(fails(call(mod, {&x, &x}), Code::InvalidArgument, "Mod-13: attribute 'fmod' is 0, wanted 1 for float32"));
}

TEST(Comparison, OrdersEveryTypeAndNanIsNeverInOrder) {
  for_each_number([]<class T>(Dtype dtype) {
    expect_binary<T, std::uint8_t>(less, dtype, [](T a, T b) { return a < b; });
    expect_binary<T, std::uint8_t>(less_or_equal, dtype, [](T a, T b) { return a <= b; });
    expect_binary<T, std::uint8_t>(greater, dtype, [](T a, T b) { return a > b; });
    expect_binary<T, std::uint8_t>(greater_or_equal, dtype, [](T a, T b) { return a >= b; });
    expect_binary<T, std::uint8_t>(equal, dtype, [](T a, T b) { return a == b; });
  });
}

TEST(Comparison, StringsOfDifferentTensorsAreComparedByTheirBytes) {
  const Tensor a = strings({2, 1}, {"a", "\xC3\xA9"});
  const Tensor b = strings({3}, {"", "a", "\xC3\xA9"});
  const Tensor c = must(call(equal, {&a, &b}));
  EXPECT_EQ(list(c.dims()), (List{2, 3}));
  EXPECT_EQ(bytes_of(c), (Bytes{0, 1, 0, 0, 0, 1}));
  const Tensor none = strings({1}, {""});
  EXPECT_EQ(bytes_of(must(call(equal, {&none, &none}))), (Bytes{1}));
  EXPECT_TRUE(fails(call(equal, {&a, &b}, {}, 18), Code::UnsupportedType, "Equal-19 (opset 19) allows it"));
}

TEST(Logic, OfBoolsFollowsTheTruthTable) {
  const Tensor a = bools({2, 1}, {0, 1});
  const Tensor b = bools({2}, {0, 1});
  EXPECT_EQ(bytes_of(must(call(logical_and, {&a, &b}))), (Bytes{0, 0, 0, 1}));
  EXPECT_EQ(bytes_of(must(call(logical_or, {&a, &b}))), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(bytes_of(must(call(logical_xor, {&a, &b}))), (Bytes{0, 1, 1, 0}));
  EXPECT_EQ(bytes_of(must(call(equal, {&a, &b}))), (Bytes{1, 0, 0, 1}));
  EXPECT_EQ(bytes_of(must(call(logical_not, {&b}))), (Bytes{1, 0}));
}

template <class T>
T larger(T a, T b) {
  if (a != a || b != b) return a + b;
  if constexpr (std::is_floating_point_v<T>) return a > b || (a == b && !std::signbit(a)) ? a : b;
  return std::max(a, b);
}
template <class T>
T smaller(T a, T b) {
  if (a != a || b != b) return a + b;
  if constexpr (std::is_floating_point_v<T>) return a < b || (a == b && std::signbit(a)) ? a : b;
  return std::min(a, b);
}

TEST(Extremes, AreTheSmallestAndTheLargestAndNanWhereAnyIsNan) {
  for_each_number([]<class T>(Dtype dtype) {
    expect_binary<T, T>(op::max, dtype, larger<T>);
    expect_binary<T, T>(op::min, dtype, smaller<T>);
  });
}

TEST(Variadic, OneInputIsItsOwnResult) {
  const Tensor x = floats({2}, {1, 2});
  for (const Operator* one : {&op::max, &op::min, &sum, &mean}) EXPECT_EQ(must(call(*one, {&x})).data(), x.data());
}

TEST(Variadic, ThreeInputsBroadcastTogether) {
  const Tensor a = floats({2, 1}, {1, 5});
  const Tensor b = floats({3}, {0, 3, 9});
  const Tensor c = floats({}, {2});
  EXPECT_EQ(elements<float>(must(call(op::max, {&a, &b, &c}))), (std::vector<float>{2, 3, 9, 5, 5, 9}));
  EXPECT_EQ(elements<float>(must(call(op::min, {&a, &b, &c}))), (std::vector<float>{0, 1, 1, 0, 2, 2}));
  EXPECT_EQ(elements<float>(must(call(sum, {&a, &b, &c}))), (std::vector<float>{3, 6, 12, 7, 10, 16}));
  EXPECT_EQ(elements<float>(must(call(mean, {&a, &b, &c}))), (std::vector<float>{1, 2, 4, 7.F / 3, 10.F / 3, 16.F / 3}));
}

TEST(Variadic, BeforeVersionEightDimsMustBeEqual) {
  const Tensor a = floats({2, 1}, {1, 5});
  const Tensor b = floats({2}, {0, 3});
  for (const Operator* one : {&op::max, &op::min, &sum, &mean}) {
    for (const std::int64_t opset : {1, 6}) {
      EXPECT_TRUE(fails(call(*one, {&a, &b}, {}, opset), Code::InvalidArgument, "inputs have dims [2, 1] and [2]"));
      EXPECT_TRUE(succeeds(call(*one, {&a, &a, &a}, {}, opset)));
    }
    EXPECT_TRUE(fails(call(*one, {}), Code::InvalidArgument, "takes 1 or more inputs, got 0"));
  }
}

// Compares a call of one operand with a function of C++.
template <class T>
void expect_unary(const Operator& op, Dtype dtype, const std::function<T(T)>& wanted) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const Tensor x = random_tensor<T>(random, dtype, random_sizes(random));
    const Tensor y = must(call(op, {&x}));
    EXPECT_EQ(list(y.dims()), list(x.dims()));
    const auto values = elements<T>(x);
    const auto results = elements<T>(y);
    for (std::size_t k = 0; k < results.size(); ++k) {
      ASSERT_TRUE(same(results[k], wanted(values[k]))) << op.name << " " << info(dtype).name << " of " << +values[k];
    }
  }
}

TEST(Unary, NegAndAbsWrapAround) {
  for_each_integer([]<class T>(Dtype dtype) {
    expect_unary<T>(op::abs, dtype, [](T x) { return x < 0 ? static_cast<T>(0 - static_cast<Unsigned<T>>(x)) : x; });
    if (std::is_unsigned_v<T>) return;
    expect_unary<T>(neg, dtype, [](T x) { return static_cast<T>(0 - static_cast<Unsigned<T>>(x)); });
  });
}

TEST(Unary, FloatsKeepSignsOfZerosAndNan) {
  for_each_float([]<class T>(Dtype dtype) {
    expect_unary<T>(neg, dtype, [](T x) { return -x; });
    expect_unary<T>(op::abs, dtype, [](T x) -> T { return std::fabs(x); });
    expect_unary<T>(op::floor, dtype, [](T x) -> T { return std::floor(x); });
    expect_unary<T>(op::ceil, dtype, [](T x) -> T { return std::ceil(x); });
    expect_unary<T>(op::sqrt, dtype, [](T x) -> T { return std::sqrt(x); });
  });
}

TEST(Unary, UnsignedElementsAreTheirOwnAbsoluteValue) {
  const Tensor x = tensor_of<std::uint8_t>(Dtype::uint8, {2}, {0, 255});
  EXPECT_EQ(must(call(op::abs, {&x})).data(), x.data());
}

// ---- float16 and bfloat16 ----

std::vector<std::uint16_t> all_patterns() {
  std::vector<std::uint16_t> patterns(65536);
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<std::uint16_t>(i);
  return patterns;
}
double value_of(Dtype dtype, std::uint16_t pattern) {
  double value = 0;
  decode(dtype, reinterpret_cast<const std::byte*>(&pattern), 1, &value);
  return value;
}

TEST(HalfFloats, EveryPatternIsReadAndWrittenExactly) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    const Tensor x = tensor_of(dtype, {65536}, all_patterns());
    const auto results = elements<std::uint16_t>(must(call(neg, {&x})));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double value = value_of(dtype, static_cast<std::uint16_t>(i));
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(value_of(dtype, results[i]))) << i;
      } else {
        ASSERT_EQ(results[i], i ^ 0x8000U);
      }
    }
  }
}

TEST(HalfFloats, ResultsRoundToNearestTiesToEven) {
  Random random;
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    std::vector<std::uint16_t> left = all_patterns();
    std::vector<std::uint16_t> right(left.size());
    for (auto& pattern : right) pattern = static_cast<std::uint16_t>(random.between(0, 65535));
    const Tensor a = tensor_of(dtype, {65536}, left);
    const Tensor b = tensor_of(dtype, {65536}, right);
    const auto results = elements<std::uint16_t>(must(call(mul, {&a, &b})));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const float product = static_cast<float>(value_of(dtype, left[i])) * static_cast<float>(value_of(dtype, right[i]));
      if (std::isnan(product)) {
        ASSERT_TRUE(std::isnan(value_of(dtype, results[i])));
        continue;
      }
      const double wide = product;
      std::uint16_t wanted = 0;
      if (!encode(dtype, {&wide, 1}, reinterpret_cast<std::byte*>(&wanted))) {
        Error::forget();
        wanted = static_cast<std::uint16_t>((product < 0 ? 0x8000 : 0) | (dtype == Dtype::float16 ? 0x7C00 : 0x7F80));
      }
      ASSERT_EQ(results[i], wanted) << info(dtype).name << " " << left[i] << " times " << right[i];
    }
  }
}

TEST(HalfFloats, ComparisonsGiveBoolsInAnyLayout) {
  const Tensor x = tensor_of<std::uint16_t>(Dtype::float16, {3, 1}, {0x3C00, 0x4000, 0x7E00});  // 1, 2, NaN
  const Tensor y = tensor_of<std::uint16_t>(Dtype::float16, {2}, {0x4000, 0x7E00});
  EXPECT_EQ(bytes_of(must(call(less, {&x, &y}))), (Bytes{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(bytes_of(must(call(equal, {&x, &y}))), (Bytes{0, 0, 1, 0, 0, 0}));
}

// ---- Versions ----

TEST(Binary, RefusesShapesThatDoNotBroadcast) {
  const Tensor a = floats({2, 3}, std::vector<float>(6));
  const Tensor b = floats({2}, {1, 2});
  EXPECT_TRUE(
      fails(call(add, {&a, &b}), Code::InvalidArgument, "Add-14: cannot broadcast [2, 3] to [2]: axis 1 is 3, wanted 2"));
}

TEST(Binary, BeforeVersionSevenBIsAlignedAtAnAxis) {
  const Tensor a = floats({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const auto sum_of = [&](const Tensor& b, std::vector<Given> given, std::int64_t opset) {
    given.push_back(int_attribute("broadcast", 1));
    return elements<float>(must(call(add, {&a, &b}, given, opset)));
  };
  const Tensor two = floats({2}, {10, 20});
  const Tensor middle = floats({3}, {10, 20, 30});
  const Tensor leading = floats({2, 3}, {10, 20, 30, 40, 50, 60});
  const Tensor scalar = floats({1}, {10});
  for (const std::int64_t opset : {1, 6}) {
    EXPECT_EQ(sum_of(two, {}, opset), (std::vector<float>{10, 21, 12, 23, 14, 25, 16, 27, 18, 29, 20, 31}));
    EXPECT_EQ(sum_of(two, {int_attribute("axis", -1)}, opset), sum_of(two, {}, opset));
    EXPECT_EQ(sum_of(two, {int_attribute("axis", 0)}, opset),
              (std::vector<float>{10, 11, 12, 13, 14, 15, 26, 27, 28, 29, 30, 31}));
    EXPECT_EQ(sum_of(middle, {int_attribute("axis", 1)}, opset),
              (std::vector<float>{10, 11, 22, 23, 34, 35, 16, 17, 28, 29, 40, 41}));
    EXPECT_EQ(sum_of(leading, {int_attribute("axis", 0)}, opset),
              (std::vector<float>{10, 11, 22, 23, 34, 35, 46, 47, 58, 59, 70, 71}));
    EXPECT_EQ(sum_of(scalar, {}, opset)[11], 21);
  }
}

TEST(Binary, BeforeVersionSevenAnAttributeBroadcastsOnlyB) {
  const Tensor a = floats({2, 3}, std::vector<float>(6));
  const Tensor b = floats({3}, {1, 2, 3});
  const auto added = [](const Tensor& x, const Tensor& y, const std::vector<Given>& given) {
    return call(add, {&x, &y}, given, 6);
  };
  const Given asked = int_attribute("broadcast", 1);
  EXPECT_TRUE(fails(added(a, b, {}), Code::InvalidArgument, "Add-6: inputs have dims [2, 3] and [3], wanted equal ones"));
  EXPECT_TRUE(fails(added(a, b, {int_attribute("axis", 0)}), Code::InvalidArgument, "wanted equal ones"));
  EXPECT_TRUE(fails(added(b, a, {asked}), Code::InvalidArgument, "cannot broadcast [2, 3] to [3]: only B is stretched"));
  EXPECT_TRUE(fails(added(a, b, {asked, int_attribute("axis", 0)}), Code::InvalidArgument, "axis 0 is 2, wanted 3"));
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, INT64_MIN, INT64_MAX}) {
    EXPECT_TRUE(fails(added(a, b, {asked, int_attribute("axis", axis)}), Code::InvalidArgument,
                      "cannot broadcast [3] to [2, 3] from axis " + std::to_string(axis)));
  }
  const Tensor one = floats({1, 3}, {1, 2, 3});
  EXPECT_TRUE(fails(added(one, a, {asked}), Code::InvalidArgument, "only B is stretched"));
}

TEST(Binary, AnEmptyTensorGivesAnEmptyOne) {
  const Tensor a = floats({0, 3}, {});
  const Tensor b = floats({3}, {1, 2, 3});
  EXPECT_EQ(list(must(call(mul, {&a, &b})).dims()), (List{0, 3}));
  EXPECT_EQ(list(must(call(less, {&a, &b})).dims()), (List{0, 3}));
  EXPECT_EQ(list(must(call(neg, {&a})).dims()), (List{0, 3}));
}

TEST(Binary, ConsumedInputsMeanNothing) {
  const Tensor a = floats({1}, {4});
  const Given consumed{"consumed_inputs", AttributeType::INTS, int64s({2}, {0, 1})};
  EXPECT_EQ(elements<float>(must(call(mul, {&a, &a}, {consumed}, 1))), std::vector<float>{16});
  EXPECT_EQ(elements<float>(must(call(op::sqrt, {&a}, {consumed}, 1))), std::vector<float>{2});
  EXPECT_EQ(elements<float>(must(call(sum, {&a, &a}, {consumed}, 1))), std::vector<float>{8});
}

// ---- Before a run ----

// A call with symbolic elements, as shape inference makes it.
class Known {
 public:
  Tensor prepared(const Operator& op, const std::vector<const Tensor*>& inputs, std::int64_t opset = newest_opset) {
    return make(op, inputs, opset, false);
  }
  Tensor computed(const Operator& op, const std::vector<const Tensor*>& inputs) { return make(op, inputs, newest_opset, true); }
  Sizes sizes() { return Sizes(&expressions); }
  Expressions expressions;

 private:
  Tensor make(const Operator& op, const std::vector<const Tensor*>& inputs, std::int64_t opset, bool computes) {
    const OperatorVersion* version = must(select_version(op, opset));
    const Attributes attributes;
    const Dtype type = version->outputs()[0].variable == TypeVariable::T1 ? Dtype::boolean : inputs[0]->dtype;
    Tensor output(type, LayoutRef::unranked());
    Call call{*version, inputs, attributes, {&type, 1}, {&output, 1}, &expressions};
    must(op.prepare(call));
    if (!computes) return output;
    output = must(make_tensor(type, output.dims()));
    must(op.compute(call));
    return output;
  }
};

TEST(BeforeARun, DimsHoldInEveryRun) {
  Known known;
  const Size n = known.expressions.name(0);
  const Size m = known.expressions.name(1);
  const auto of = [](const SymbolicDims& dims) { return Tensor{Dtype::float32, uniform_layout(dims)}; };
  const Tensor a = of({n, 1, 3});
  const Tensor b = of({n, m, 1});
  const Tensor c = of({m, 4, 3});
  EXPECT_EQ(SizeList(known.prepared(add, {&a, &b}).dims()), (SizeList{n, m, 3}));
  EXPECT_EQ(SizeList(known.prepared(less, {&a, &c}).dims()), (SizeList{unknown_size, 4, 3}));
  const Tensor d = of({n, m, 3});
  EXPECT_EQ(SizeList(known.prepared(add, {&d, &c}, 6).dims()), (SizeList{m, 4, 3}));
  EXPECT_EQ(SizeList(known.prepared(sum, {&a, &b, &c}).dims()), (SizeList{unknown_size, 4, 3}));
  const Tensor unranked(Dtype::float32, LayoutRef::unranked());
  for (const Operator* one : {&add, &less, &op::max, &mean}) EXPECT_FALSE(known.prepared(*one, {&a, &unranked}).is_ranked());
  EXPECT_FALSE(known.prepared(neg, {&unranked}).is_ranked());
  EXPECT_EQ(SizeList(known.prepared(neg, {&b}).dims()), (SizeList{n, m, 1}));
}

TEST(BeforeARun, ArithmeticWorksOnExpressions) {
  Known known;
  const Size n = known.expressions.name(0);
  const Sizes sizes = known.sizes();
  const Tensor a = int64s({3}, {n, 7, unknown_size});
  const Tensor two = int64s({}, {2});
  EXPECT_EQ(elements<Size>(known.computed(add, {&a, &two})), (SizeList{sizes.add(n, 2), 9, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(sub, {&two, &a})), (SizeList{sizes.subtract(2, n), -5, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(mul, {&a, &two})), (SizeList{sizes.multiply(n, 2), 14, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(div, {&a, &two})), (SizeList{sizes.floor_divide(n, 2), 3, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(op::min, {&a, &two})), (SizeList{sizes.minimum(n, 2), 2, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(op::max, {&a, &two, &two})),
            (SizeList{sizes.maximum(sizes.maximum(n, 2), 2), 7, unknown_size}));
  EXPECT_EQ(elements<Size>(known.computed(neg, {&a})), (SizeList{sizes.subtract(0, n), -7, unknown_size}));
}

TEST(BeforeARun, AQuotientIsKnownOnlyIfItHoldsInEveryRun) {
  Known known;
  const Size n = known.expressions.name(0);
  const Size next = known.sizes().add(n, 1);
  const auto quotient = [&](Size a, Size b) {
    const Tensor x = int64s({}, {a});
    const Tensor y = int64s({}, {b});
    return elements<Size>(known.computed(div, {&x, &y}))[0];
  };
  EXPECT_EQ(quotient(-7, 2), -3);
  EXPECT_EQ(quotient(n, n), unknown_size);  // 0 / 0
  EXPECT_EQ(quotient(next, next), 1);
  EXPECT_EQ(quotient(known.sizes().subtract(n, 5), 2), unknown_size);  // a negative quotient rounds up
  EXPECT_EQ(quotient(n, -2), unknown_size);
  EXPECT_EQ(quotient(n, 0), unknown_size);
  EXPECT_EQ(quotient(INT64_MIN, -1), unknown_size);
}

TEST(BeforeARun, AComparisonIsKnownForNumbersAndForEqualSizes) {
  Known known;
  const Size n = known.expressions.name(0);
  const Tensor a = int64s({3}, {n, 7, 1});
  const Tensor b = int64s({3}, {n, 7, 2});
  EXPECT_EQ(bytes_of(known.computed(equal, {&a, &b})), (Bytes{1, 1, 0}));
  EXPECT_EQ(bytes_of(known.computed(less, {&a, &b})), (Bytes{0, 0, 1}));
  EXPECT_EQ(bytes_of(known.computed(greater_or_equal, {&a, &b})), (Bytes{1, 1, 0}));
  for (const Size other : {known.expressions.name(1), Size{3}, unknown_size}) {
    const Tensor c = int64s({3}, {other, 7, 1});
    const Tensor result = known.computed(equal, {&a, &c});
    EXPECT_FALSE(result.has_elements());
    EXPECT_EQ(SizeList(result.dims()), SizeList{3});
  }
  const Tensor unknown = int64s({1}, {unknown_size});
  EXPECT_FALSE(known.computed(equal, {&unknown, &unknown}).has_elements());
}

// Graphs reserve as many steps as an operator declares. An assertion in add_elements checks that after each call.
TEST(Elements, NoOperatorAddsMoreStepsThanItDeclares) {
  const auto number = [](std::string_view name, float value) { return Given{name, AttributeType::FLOAT, value}; };
  const auto word = [](std::string_view name, const std::string& text) {
    return Given{name, AttributeType::STRING, strings({}, {text})};
  };
  const std::vector<std::vector<Given>> all_given{
      {},
      {number("lambd", 0.3F), number("bias", 1.5F)},
      {number("lambd", -0.3F), number("bias", -1.5F)},
      {number("min", -1.5F), number("max", 2.5F)},
      {int_attribute("fmod", 1)},
      {int_attribute("detect_positive", 0), int_attribute("detect_negative", 0)},
      {word("approximate", "tanh")},
      {word("direction", "RIGHT")},
  };
  std::size_t calls = 0;
  for (const Operator* op : all_operators()) {
    if (op->elements == nullptr) continue;
    for (const OperatorVersion& version : op->versions) {
      const std::span<const Parameter> parameters = version.signature->inputs;
      const bool has_one_type =
          parameters.size() == 1 && parameters[0].option != Option::Variadic && find_spec(version, "to") == nullptr;
      for (int first = 1; first <= dtype_count; ++first) {
        for (int second = 1; second <= (has_one_type ? 1 : dtype_count); ++second) {
          // Variadic operators get as many inputs as a program may have.
          std::vector<Tensor> tensors;
          const std::size_t count = parameters.back().option == Option::Variadic ? Program::most_operands : parameters.size();
          for (std::size_t i = 0; i < count; ++i) {
            const auto dtype = static_cast<Dtype>(i == 0 ? first : second);
            tensors.push_back(must(make_tensor(dtype, {})));
            std::memset(tensors.back().data(), 0, tensors.back().storage->size());
          }
          std::vector<const Tensor*> inputs;
          for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
          for (std::vector<Given> given : all_given) {
            if (!given.empty() && find_spec(version, given[0].name) == nullptr) continue;
            if (find_spec(version, "to") != nullptr) given.push_back(int_attribute("to", second));
            const auto result = call(*op, inputs, given, version.since_version);
            calls += result ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(calls, 1000U);
}

}  // namespace
}  // namespace broadloom::test::elementwise_test
