// Operators of com.microsoft.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/operators.h"
#include "support/before_run.h"

namespace broadloom::op::microsoft {
extern const Operator bias_gelu, fast_gelu, gelu, group_query_attention, multi_head_attention, quick_gelu,
    simplified_layer_normalization, skip_simplified_layer_normalization;
}

namespace broadloom::test::microsoft_test {
namespace {

namespace ms = op::microsoft;

TEST(Microsoft, RunningOperatorsAreFoundInTheirDomainAlone) {
  std::string_view previous;
  for (const Operator* op : microsoft_operators()) {
    EXPECT_LT(previous, op->name);
    EXPECT_TRUE(op->runs()) << op->name;
    EXPECT_EQ(op->domain, "com.microsoft");
    EXPECT_EQ(op->versions.size(), 1U);
    EXPECT_EQ(find_operator("com.microsoft", op->name), op);
    // onnxruntime writes this one into ONNX's domain.
    EXPECT_EQ(find_operator("", op->name) == op, op == &ms::simplified_layer_normalization) << op->name;
    const auto& variables = op->versions[0].signature->variables;
    for (const std::span<const Parameter> parameters : {op->versions[0].inputs(), op->versions[0].outputs()}) {
      for (const Parameter& parameter : parameters) {
        const bool is_listed = std::find(variables.begin(), variables.end(), parameter.variable) != variables.end();
        EXPECT_TRUE(parameter.variable == TypeVariable::none || is_listed) << op->name << " " << parameter.name;
        EXPECT_NE(op->versions[0].types_of(parameter).bits(), 0U) << op->name << " " << parameter.name;
      }
    }
    previous = op->name;
  }
  for (const Operator* op : foreign_operators()) EXPECT_FALSE(find_operator(op->domain, op->name)->runs()) << op->name;
}

TEST(Microsoft, ErrorsNameTheDomain) {
  const Tensor x = floats({2}, {1, 2});
  EXPECT_TRUE(fails(call(ms::bias_gelu, {&x}), Code::InvalidArgument, "com.microsoft.BiasGelu-1: takes 2 inputs, got 1"));
}

TEST(MicrosoftSkipNormalization, AMeanThatIsNotSubtractedIsZero) {
  const Tensor x = floats({2, 1, 2}, {1, 2, 3, 4});
  const Tensor gamma = floats({2}, {1, 1});
  const std::vector<Tensor> results = must(call_all(ms::skip_simplified_layer_normalization, {&x, &x, &gamma}, {}, {1, 4}));
  EXPECT_EQ(elements<float>(results[1]), (std::vector<float>{0, 0}));
  EXPECT_EQ(elements<float>(results[3]), (std::vector<float>{2, 4, 6, 8}));
}

// onnxruntime refuses it, too.
TEST(MicrosoftAttention, ABiasHasANumberForEachKey) {
  const Tensor query = floats({1, 2, 2}, {1, 2, 3, 4});
  const Tensor keys = floats({1, 3, 2}, {1, 0, 2, 1, 0, 3});
  const auto attend = [&](const Tensor& bias) {
    return call(ms::multi_head_attention, {&query, &keys, &keys, nullptr, nullptr, &bias}, {int_attribute("num_heads", 2)});
  };
  const Tensor one = floats({1, 1, 1, 3}, {1, 2, 3});
  const Tensor each = floats({1, 2, 2, 3}, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
  EXPECT_EQ(elements<float>(must(attend(one))), elements<float>(must(attend(each))));
  const Tensor of_queries = floats({1, 2, 2, 1}, {1, 2, 3, 4});
  EXPECT_TRUE(fails(attend(of_queries), Code::InvalidArgument, "'attention_bias' has dims [1, 2, 2, 1], wanted [1, 2, 2, 3]"));
}

// Queries of 0 weigh all keys alike, so results are means of values.
TEST(MicrosoftAttention, FewerQueriesThanKeysEndWithThem) {
  const auto attend = [](std::int64_t queries, std::int64_t keys) {
    const Tensor query = floats({1, queries, 1}, std::vector<float>(static_cast<std::size_t>(queries)));
    std::vector<float> powers;
    for (std::int64_t i = 0; i < keys; ++i) powers.push_back(static_cast<float>(1 << i));
    const Tensor key = floats({1, keys, 1}, std::vector<float>(powers.size()));
    const Tensor value = floats({1, keys, 1}, powers);
    return elements<float>(must(call(ms::multi_head_attention, {&query, &key, &value},
                                     {int_attribute("num_heads", 1), int_attribute("unidirectional", 1)})));
  };
  const auto expect = [&](std::int64_t queries, std::int64_t keys, const std::vector<double>& wanted) {
    const std::vector<float> found = attend(queries, keys);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(static_cast<double>(found[i]), wanted[i], 1e-6) << i;
  };
  expect(1, 4, {3.75});
  expect(2, 4, {7 / 3.0, 3.75});
  expect(2, 2, {1, 1.5});
  expect(4, 2, {1, 1.5, 1.5, 1.5});
}

TEST(MicrosoftAttention, AnyNumberOfHeadsMayHaveNoElements) {
  const Tensor x = floats({1, 1, 0}, {});
  const Tensor result = must(call(ms::multi_head_attention, {&x, &x, &x}, {int_attribute("num_heads", INT64_MAX)}));
  EXPECT_EQ(result.dims(), (SymbolicDims{1, 1, 0}));
}

// Queries of 0 weigh all keys alike, so results are means of values.
TEST(MicrosoftGroupQueryAttention, EachOfABatchHasKeysOfItsOwnNumber) {
  const Tensor query = floats({2, 1, 1}, {0, 0});
  const Tensor now = floats({2, 1, 1}, {5, 10});
  const Tensor past = floats({2, 1, 3, 1}, {1, 77, 77, 1, 2, 3});
  const Tensor lengths = tensor_of(Dtype::int32, {2}, std::vector<std::int32_t>{1, 3});
  const Tensor total = tensor_of(Dtype::int32, {1}, std::vector<std::int32_t>{4});
  const Tensor result = must(call(ms::group_query_attention, {&query, &now, &now, &past, &past, &lengths, &total},
                                  {int_attribute("num_heads", 1), int_attribute("kv_num_heads", 1)}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{3, 4}));
}

TEST(MicrosoftGroupQueryAttention, OfTheFirstPromptsPositionsTheFirstAloneCounts) {
  std::vector<float> numbers(2 * 3 * 16);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 7) - 3;
  const Tensor rows = floats({2, 3, 16}, numbers);
  std::vector<float> angles(12 * 8);
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = static_cast<float>(i % 11) / 11;
  const Tensor table = floats({12, 8}, angles);
  const Tensor lengths = tensor_of(Dtype::int32, {2}, std::vector<std::int32_t>{2, 2});
  const Tensor total = tensor_of(Dtype::int32, {1}, std::vector<std::int32_t>{3});
  const auto result = [&](std::vector<std::int64_t> given) {
    const Tensor positions = tensor_of(Dtype::int64, {2, 3}, given);
    return elements<float>(must(
        call(ms::group_query_attention, {&rows, &rows, &rows, nullptr, nullptr, &lengths, &total, &table, &table, &positions},
             {int_attribute("num_heads", 1), int_attribute("kv_num_heads", 1), int_attribute("do_rotary", 1)})));
  };
  EXPECT_EQ(result({4, 2, 7, 1, 1, 1}), result({4, 5, 6, 4, 5, 6}));
  EXPECT_NE(result({4, 5, 6, 4, 5, 6}), result({1, 2, 3, 1, 2, 3}));
}

void expect_each(const Tensor& result, const std::vector<float>& x, double (*function)(double)) {
  const std::vector<float> values = elements<float>(result);
  ASSERT_EQ(values.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(values[i], function(static_cast<double>(x[i])), 2e-6) << x[i];
}

double exact(double x) { return x * std::erfc(-x / std::numbers::sqrt2) / 2; }
double approximate(double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }
double quick(double x) { return x / (1 + std::exp(-1.702 * x)); }

TEST(MicrosoftGelu, IsTheFunctionOfTheSumWithTheBias) {
  const std::vector<float> values{-3, -1, -0.5F, 0, 0.5F, 2};
  const Tensor x = floats({2, 3}, values);
  const Tensor bias = floats({3}, {0.5F, -1, 2});
  const std::vector<float> sums{-2.5F, -2, 1.5F, 0.5F, -0.5F, 4};
  expect_each(must(call(ms::gelu, {&x})), values, exact);
  expect_each(must(call(ms::fast_gelu, {&x})), values, approximate);
  expect_each(must(call(ms::fast_gelu, {&x, nullptr})), values, approximate);
  expect_each(must(call(ms::quick_gelu, {&x})), values, quick);
  expect_each(must(call(ms::bias_gelu, {&x, &bias})), sums, exact);
  expect_each(must(call(ms::fast_gelu, {&x, &bias})), sums, approximate);
  const Tensor steep = must(call(ms::quick_gelu, {&x}, {{"alpha", AttributeType::FLOAT, 0.0F}}));
  expect_each(steep, values, [](double value) { return value / 2; });
}

TEST(MicrosoftGelu, ABiasHasOneAxisTheLastOfTheInput) {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const Tensor& bias : {floats({1}, {1}), floats({2}, {1, 2}), floats({1, 3}, {1, 2, 3}), floats({}, {1})}) {
    EXPECT_TRUE(fails(call(ms::bias_gelu, {&x, &bias}), Code::InvalidArgument, "to [2, 3], wanted its last size"));
  }
}

class MicrosoftBeforeARun : public BeforeRun {};

TEST_F(MicrosoftBeforeARun, GelusHaveTheDimsOfTheirInput) {
  EXPECT_EQ(sizes(ms::bias_gelu, {known({n(), 3}), known({3})}), "n 3");
  EXPECT_EQ(sizes(ms::fast_gelu, {known({n(), 3})}), "n 3");
  EXPECT_EQ(sizes(ms::bias_gelu, {known({n(), 3}), known({4})}), "error");
  EXPECT_EQ(sizes(ms::bias_gelu, {known({n(), 3}), unranked()}), "n 3");
}

}  // namespace
}  // namespace broadloom::test::microsoft_test
