// Activation functions and similar ones: compares them with ONNX's formulas in float64; special values; refusals.
#include <cmath>
#include <functional>
#include <limits>

#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator celu, elu, erf, gelu, hard_sigmoid, hard_swish, is_inf, is_nan, leaky_relu, mish, relu, selu, shrink,
    sigmoid, sign, softplus, softsign, swish, thresholded_relu;
}

namespace broadloom::test::activations_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Dtype float_types[] = {Dtype::float16, Dtype::bfloat16, Dtype::float32, Dtype::float64};

Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }
Given word(std::string_view name, const std::string& text) { return {name, AttributeType::STRING, strings({}, {text})}; }

struct Activation {
  const Operator* op;
  std::vector<Given> given;
  std::function<double(double x)> wanted;
  Numbers at_special;  // at -infinity, infinity and NaN
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double normal(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double clamped(double x) { return std::clamp(x, 0.0, 1.0); }

std::vector<Activation> activations() {
  const double selu_alpha = 1.67326319217681884765625F;
  const double selu_gamma = 1.05070102214813232421875F;
  const double leak = 0.01F;
  const double steepness = 0.2F;
  const auto tanh_gelu = [](double x) {
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  };
  return {
      {&relu, {}, [](double x) { return std::max(x, 0.0); }, {0, infinity, nan}},
      {&leaky_relu, {}, [=](double x) { return x < 0 ? leak * x : x; }, {-infinity, infinity, nan}},
      {&leaky_relu, {number("alpha", -2)}, [](double x) { return x < 0 ? -2 * x : x; }, {infinity, infinity, nan}},
      {&thresholded_relu, {}, [](double x) { return x > 1 ? x : 0; }, {0, infinity, 0}},
      {&thresholded_relu, {number("alpha", -1)}, [](double x) { return x > -1 ? x : 0; }, {0, infinity, 0}},
      {&elu, {}, [](double x) { return x < 0 ? std::expm1(x) : x; }, {-1, infinity, nan}},
      {&elu, {number("alpha", 2)}, [](double x) { return x < 0 ? 2 * std::expm1(x) : x; }, {-2, infinity, nan}},
      {&selu,
       {},
       [=](double x) { return selu_gamma * (x < 0 ? selu_alpha * std::expm1(x) : x); },
       {-selu_alpha * selu_gamma, infinity, nan}},
      {&selu,
       {number("alpha", 2), number("gamma", 0.5F)},
       [](double x) { return x < 0 ? std::expm1(x) : x / 2; },
       {-1, infinity, nan}},
      {&celu, {}, [](double x) { return x < 0 ? std::expm1(x) : x; }, {-1, infinity, nan}},
      {&celu, {number("alpha", 2)}, [](double x) { return x < 0 ? 2 * std::expm1(x / 2) : x; }, {-2, infinity, nan}},
      {&hard_sigmoid, {}, [=](double x) { return clamped(steepness * x + 0.5); }, {0, 1, nan}},
      {&hard_sigmoid,
       {number("alpha", 0.5F), number("beta", 0.25F)},
       [](double x) { return clamped(x / 2 + 0.25); },
       {0, 1, nan}},
      {&hard_swish, {}, [](double x) { return x * clamped(x / 6 + 0.5); }, {nan, infinity, nan}},
      {&swish, {}, [](double x) { return x * sigmoid(x); }, {nan, infinity, nan}},
      {&swish, {number("alpha", 2)}, [](double x) { return x * sigmoid(2 * x); }, {nan, infinity, nan}},
      {&mish, {}, [](double x) { return x * std::tanh(softplus(x)); }, {nan, infinity, nan}},
      {&gelu, {}, [](double x) { return x * normal(x); }, {nan, infinity, nan}},
      {&gelu, {word("approximate", "none")}, [](double x) { return x * normal(x); }, {nan, infinity, nan}},
      {&gelu, {word("approximate", "tanh")}, tanh_gelu, {nan, infinity, nan}},
      {&softsign, {}, [](double x) { return x / (1 + std::abs(x)); }, {nan, nan, nan}},
      {&op::softplus, {}, softplus, {0, infinity, nan}},
      {&op::sigmoid, {}, sigmoid, {0, 1, nan}},
      {&shrink, {}, [](double x) { return x < -0.5 || x > 0.5 ? x : 0; }, {-infinity, infinity, 0}},
      {&shrink,
       {number("lambd", 1), number("bias", 0.25F)},
       [](double x) { return x < -1  ? x + 0.25
                             : x > 1 ? x - 0.25
                                     : 0; },
       {-infinity, infinity, 0}},
  };
}

std::string name_of(const Activation& each, Dtype dtype) {
  return std::string(each.op->name) + (each.given.empty() ? "" : " with attributes") + " of " + std::string(info(dtype).name);
}

TEST(Activations, AreTheFormulasOfTheirTextsInEveryType) {
  Random random;
  for (const Activation& each : activations()) {
    for (const Dtype dtype : float_types) {
      if (each.op == &shrink && dtype == Dtype::bfloat16) continue;  // Shrink does not accept it
      Numbers values = random_numbers(random, dtype, 200, -9, 9);
      const Numbers few{0, 1, -1, 0.5, -0.5, 3, -3, 1e-3, -1e-3};
      const Numbers ends = numbers_of(tensor_of_numbers(dtype, {9}, few));
      values.insert(values.end(), ends.begin(), ends.end());
      const Tensor x = tensor_of_numbers(dtype, {static_cast<std::int64_t>(values.size())}, values);
      Numbers wanted;
      for (const double value : values) wanted.push_back(each.wanted(value));
      EXPECT_TRUE(are_near(must(call(*each.op, {&x}, each.given)), wanted, precision_of(dtype))) << name_of(each, dtype);
    }
  }
}

TEST(Activations, OfInfinitiesAndNanFollowTheFormulas) {
  for (const Activation& each : activations()) {
    for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
      const Tensor x = tensor_of_numbers(dtype, {3}, {-infinity, infinity, nan});
      const Numbers results = numbers_of(must(call(*each.op, {&x}, each.given)));
      for (std::size_t i = 0; i < 3; ++i) {
        const double wanted = each.at_special[i];
        if (std::isnan(wanted)) {
          EXPECT_TRUE(std::isnan(results[i])) << name_of(each, dtype) << " " << i << " is " << results[i];
        } else if (std::isinf(wanted)) {
          EXPECT_EQ(results[i], wanted) << name_of(each, dtype) << " " << i;
        } else {
          EXPECT_NEAR(results[i], wanted, 1e-6) << name_of(each, dtype) << " " << i;
        }
      }
    }
  }
}

// exp(x) - 1 would be 0 there.
TEST(Activations, OfTinyNumbersKeepTheirDigits) {
  const Tensor x = floats({1}, {-1e-10F});
  for (const Operator* op : {&elu, &celu}) EXPECT_EQ(elements<float>(must(call(*op, {&x}))), std::vector<float>{-1e-10F});
}

TEST(Activations, RankZeroAndNoElementsStaySo) {
  const Tensor scalar = floats({}, {-2});
  const Tensor empty = floats({2, 0}, {});
  for (const Activation& each : activations()) {
    EXPECT_EQ(must(call(*each.op, {&scalar}, each.given)).dims().size(), 0U);
    EXPECT_EQ(list(must(call(*each.op, {&empty}, each.given)).dims()), (List{2, 0}));
  }
}

TEST(Activations, OldVersionsHaveOtherDefaultsAndConsumedInputs) {
  const Tensor x = floats({2}, {-100, 1});
  const Given consumed{"consumed_inputs", AttributeType::INTS, int64s({1}, {0})};
  EXPECT_EQ(elements<float>(must(call(selu, {&x}, {consumed}, 1))), (std::vector<float>{-1.6732F * 1.0507F, 1.0507F}));
  EXPECT_EQ(elements<float>(must(call(relu, {&x}, {consumed}, 5))), (std::vector<float>{0, 1}));
  EXPECT_EQ(elements<float>(must(call(elu, {&x}, {consumed}, 1))), (std::vector<float>{-1, 1}));
  EXPECT_EQ(elements<float>(must(call(leaky_relu, {&x}, {consumed}, 1))), (std::vector<float>{-1, 1}));
  EXPECT_EQ(elements<float>(must(call(hard_sigmoid, {&x}, {consumed}, 1))), (std::vector<float>{0, 0.7F}));
  EXPECT_TRUE(fails(call(relu, {&x}, {consumed}, 6), Code::InvalidArgument, "Relu-6"));
}

TEST(Activations, OfIntegersAreThoseOfRelu14AndShrink) {
  const Tensor x = tensor_of<std::int8_t>(Dtype::int8, {4}, {-128, -1, 0, 127});
  EXPECT_EQ(elements<std::int8_t>(must(call(relu, {&x}))), (std::vector<std::int8_t>{0, 0, 0, 127}));
  EXPECT_TRUE(fails(call(relu, {&x}, {}, 13), Code::UnsupportedType, "Relu-14 (opset 14) allows it"));
  const Tensor wide = int64s({3}, {INT64_MIN, -1, INT64_MAX});
  EXPECT_EQ(elements<std::int64_t>(must(call(relu, {&wide}))), (List{0, 0, INT64_MAX}));
  EXPECT_TRUE(fails(call(elu, {&wide}), Code::UnsupportedType, "Elu-22"));
}

// The bias is added as a real number; then the fraction is dropped.
TEST(Shrink, OfIntegersComparesAndAddsAsForRealNumbers) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {7}, {-3, -2, -1, 0, 1, 2, 3});
  const auto shrunk = [&](float lambda, float bias) {
    return elements<std::int32_t>(must(call(shrink, {&x}, {number("lambd", lambda), number("bias", bias)})));
  };
  for (const float lambda : {0.F, 0.5F, 1.F, 1.5F, -0.5F, -1.F}) {
    for (const float bias : {0.F, 1.F, 0.25F, 1.5F, -0.25F, -2.F}) {
      std::vector<std::int32_t> wanted;
      for (int value = -3; value <= 3; ++value) {
        const double real = value;
        wanted.push_back(static_cast<std::int32_t>(real < -lambda ? real + bias : real > lambda ? real - bias : 0));
      }
      EXPECT_EQ(shrunk(lambda, bias), wanted) << lambda << " " << bias;
    }
  }
  const Tensor unsigned_x = tensor_of<std::uint8_t>(Dtype::uint8, {3}, {0, 1, 200});
  EXPECT_EQ(bytes_of(must(call(shrink, {&unsigned_x}, {number("lambd", 1), number("bias", 1)}))), (Bytes{0, 0, 199}));
}

// Lambd and bias are real numbers that the type need not be able to represent; the sum wraps around.
TEST(Shrink, OfSmallIntegersAcceptsNumbersOutsideOfTheType) {
  const std::vector<std::int8_t> values{-128, -127, -5, -1, 0, 1, 5, 126, 127};
  const Tensor x = tensor_of<std::int8_t>(Dtype::int8, {9}, values);
  for (const float lambda : {-1000.F, -128.F, -127.5F, 0.F, 126.5F, 127.F, 128.F, 1000.F, nanf("")}) {
    for (const float bias : {0.F, 1.F, 1.5F, -1.5F, 127.5F, 200.F, -200.25F, 1000.F}) {
      std::vector<std::int8_t> wanted;
      for (const double value : values) {
        const double real = value < -lambda ? value + bias : value > lambda ? value - bias : 0;
        wanted.push_back(static_cast<std::int8_t>(static_cast<std::int64_t>(real)));
      }
      EXPECT_EQ(elements<std::int8_t>(must(call(shrink, {&x}, {number("lambd", lambda), number("bias", bias)}))), wanted)
          << lambda << " " << bias;
    }
  }
}

TEST(Gelu, RefusesOtherApproximations) {
  const Tensor x = floats({1}, {1});
  EXPECT_TRUE(fails(call(gelu, {&x}, {word("approximate", "erf")}), Code::InvalidArgument, "Gelu-20: attribute 'approximate'"));
}

TEST(Celu, OfAnAlphaOfZeroFollowsTheFormula) {
  const Tensor x = floats({2}, {2, -2});
  const auto results = elements<float>(must(call(celu, {&x}, {number("alpha", 0)})));
  EXPECT_TRUE(std::isnan(results[0]));  // 0 times infinity
  EXPECT_EQ(results[1], 0);
}

// ---- Tests of numbers ----

TEST(IsInf, FindsTheInfinitiesThatAreAskedFor) {
  for (const Dtype dtype : float_types) {
    const Tensor x = tensor_of_numbers(dtype, {4}, {-infinity, infinity, nan, 1});
    const auto found = [&](int negative, int positive) {
      return bytes_of(
          must(call(is_inf, {&x}, {int_attribute("detect_negative", negative), int_attribute("detect_positive", positive)})));
    };
    EXPECT_EQ(found(1, 1), (Bytes{1, 1, 0, 0}));
    EXPECT_EQ(found(0, 1), (Bytes{0, 1, 0, 0}));
    EXPECT_EQ(found(1, 0), (Bytes{1, 0, 0, 0}));
    EXPECT_EQ(found(0, 0), (Bytes{0, 0, 0, 0}));
    EXPECT_EQ(bytes_of(must(call(is_nan, {&x}))), (Bytes{0, 0, 1, 0}));
  }
}

TEST(IsInf, OfFloat8FindsTheInfinitiesOfItsType) {
  // float8e5m2: infinity, -infinity, NaN, 1. float8e4m3fn: NaN, the largest, -NaN, 1.
  const Tensor wide = tensor_of<std::uint8_t>(Dtype::float8e5m2, {4}, {0x7C, 0xFC, 0x7E, 0x3C});
  EXPECT_EQ(bytes_of(must(call(is_inf, {&wide}))), (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(bytes_of(must(call(is_inf, {&wide}, {int_attribute("detect_negative", 0)}))), (Bytes{1, 0, 0, 0}));
  EXPECT_EQ(bytes_of(must(call(is_nan, {&wide}))), (Bytes{0, 0, 1, 0}));
  const Tensor narrow = tensor_of<std::uint8_t>(Dtype::float8e4m3fn, {4}, {0x7F, 0x7E, 0xFF, 0x38});
  EXPECT_EQ(bytes_of(must(call(is_inf, {&narrow}))), (Bytes{0, 0, 0, 0}));
  EXPECT_EQ(bytes_of(must(call(is_nan, {&narrow}))), (Bytes{1, 0, 1, 0}));
  EXPECT_TRUE(fails(call(is_nan, {&narrow}, {}, 19), Code::UnsupportedType, "IsNaN-20 (opset 20) allows it"));
}

TEST(Erf, OfIntegersIsTheSignOfLargeOnes) {
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {6}, {INT32_MIN, -6, -5, 0, 5, 6});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::erf, {&x}, {}, 9))), (std::vector<std::int32_t>{-1, -1, 0, 0, 0, 1}));
  EXPECT_TRUE(fails(call(op::erf, {&x}), Code::UnsupportedType, "Erf-13"));
  const Tensor bytes = tensor_of<std::uint8_t>(Dtype::uint8, {4}, {0, 5, 6, 255});
  EXPECT_EQ(bytes_of(must(call(op::erf, {&bytes}, {}, 9))), (Bytes{0, 0, 1, 1}));
  const Tensor wide = int64s({2}, {INT64_MIN, INT64_MAX});
  EXPECT_EQ(elements<std::int64_t>(must(call(op::erf, {&wide}, {}, 9))), (List{-1, 1}));
}

TEST(Sign, OfEachTypeIsOneOfThreeNumbersOrNan) {
  for (const Dtype dtype : float_types) {
    const Tensor x = tensor_of_numbers(dtype, {6}, {-infinity, -2, 0, 0.25, infinity, nan});
    const Numbers signs = numbers_of(must(call(sign, {&x})));
    EXPECT_EQ(Numbers(signs.begin(), signs.begin() + 5), (Numbers{-1, -1, 0, 1, 1}));
    EXPECT_TRUE(std::isnan(signs[5]));
  }
  const Tensor x = tensor_of<std::uint64_t>(Dtype::uint64, {3}, {0, 1, UINT64_MAX});
  EXPECT_EQ(elements<std::uint64_t>(must(call(sign, {&x}))), (std::vector<std::uint64_t>{0, 1, 1}));
}

}  // namespace
}  // namespace broadloom::test::activations_test
