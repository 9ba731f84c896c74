#include <cmath>
#include <limits>

#include "support/calls.h"

namespace broadloom::op {
extern const Operator constant;
}

namespace broadloom::test::constant_test {
namespace {

using enum AttributeType;

TEST(Constant, ValueGivesTheTensorWithItsTypeAndDims) {
  const Tensor result = must(call(constant, {}, {tensor_attribute("value", floats({2, 1, 3}, {1, 2, 3, 4, 5, 6}))}));
  EXPECT_EQ(result.dtype, Dtype::float32);
  EXPECT_EQ(list(result.dims()), (List{2, 1, 3}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(Constant, ValueMayHaveAnyRankAndNoElements) {
  EXPECT_EQ(list(must(call(constant, {}, {tensor_attribute("value", floats({}, {7}))})).dims()), List{});
  EXPECT_EQ(list(must(call(constant, {}, {tensor_attribute("value", floats({3, 0, 2}, {}))})).dims()), (List{3, 0, 2}));
  EXPECT_EQ(list(must(call(constant, {}, {tensor_attribute("value", floats(Dims(9, 1), {7}))})).dims()), List(9, 1));
}

TEST(Constant, ValueKeepsEveryBit) {
  const std::vector<std::uint32_t> bits{0x80000000, 0x7FC00001, 0xFF800000, 1};
  const Tensor value = tensor_of(Dtype::float32, {4}, bits);
  EXPECT_EQ(elements<std::uint32_t>(must(call(constant, {}, {tensor_attribute("value", value)}))), bits);
}

TEST(Constant, ValueSharesTheStorageOfTheAttribute) {
  const Tensor value = floats({2}, {1, 2});
  EXPECT_EQ(must(call(constant, {}, {tensor_attribute("value", value)})).data(), value.data());
}

TEST(Constant, PackedValuesOfOddCountsKeepTheirElements) {
  const Tensor fours = tensor_of(Dtype::int4, {3}, Bytes{0x21, 0x03});
  EXPECT_EQ(bytes_of(must(call(constant, {}, {tensor_attribute("value", fours)}))), (Bytes{0x21, 0x03}));
  const Tensor twos = tensor_of(Dtype::uint2, {5}, Bytes{0xE4, 0x02});
  EXPECT_EQ(bytes_of(must(call(constant, {}, {tensor_attribute("value", twos)}))), (Bytes{0xE4, 0x02}));
}

TEST(Constant, StringsKeepTheirText) {
  const std::vector<std::string> text{"one", "", "\xE2\x82\xAC"};
  const Tensor result = must(call(constant, {}, {tensor_attribute("value", strings({3}, text))}));
  EXPECT_EQ(string_elements(result), text);
}

TEST(Constant, ValueIntIsAnInt64Scalar) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-5}, INT64_MIN, INT64_MAX}) {
    const Tensor result = must(call(constant, {}, {int_attribute("value_int", value)}));
    EXPECT_EQ(result.dtype, Dtype::int64);
    EXPECT_EQ(list(result.dims()), List{});
    EXPECT_EQ(elements<std::int64_t>(result), List{value});
  }
}

TEST(Constant, ValueFloatIsAFloat32Scalar) {
  const Tensor result = must(call(constant, {}, {{"value_float", FLOAT, -0.0F}}));
  EXPECT_EQ(result.dtype, Dtype::float32);
  EXPECT_EQ(list(result.dims()), List{});
  EXPECT_EQ(elements<std::uint32_t>(result), std::vector<std::uint32_t>{0x80000000});
}

TEST(Constant, ValueStringIsAStringScalar) {
  const Tensor result = must(call(constant, {}, {{"value_string", STRING, strings({}, {"text"})}}));
  EXPECT_EQ(result.dtype, Dtype::string);
  EXPECT_EQ(list(result.dims()), List{});
  EXPECT_EQ(string_elements(result), std::vector<std::string>{"text"});
}

TEST(Constant, ListsAreTensorsOfOneAxis) {
  const Tensor ints = must(call(constant, {}, {{"value_ints", INTS, int64s({3}, {1, -2, 3})}}));
  EXPECT_EQ(elements<std::int64_t>(ints), (List{1, -2, 3}));
  EXPECT_EQ(list(ints.dims()), List{3});
  const Tensor reals = must(call(constant, {}, {{"value_floats", FLOATS, floats({2}, {0.5F, -1})}}));
  EXPECT_EQ(elements<float>(reals), (std::vector<float>{0.5F, -1}));
  const Tensor text = must(call(constant, {}, {{"value_strings", STRINGS, strings({2}, {"a", "b"})}}));
  EXPECT_EQ(string_elements(text), (std::vector<std::string>{"a", "b"}));
}

TEST(Constant, ListsMayBeEmpty) {
  EXPECT_EQ(list(must(call(constant, {}, {{"value_ints", INTS, int64s({0}, {})}})).dims()), List{0});
  EXPECT_EQ(list(must(call(constant, {}, {{"value_floats", FLOATS, floats({0}, {})}})).dims()), List{0});
  EXPECT_EQ(list(must(call(constant, {}, {{"value_strings", STRINGS, strings({0}, {})}})).dims()), List{0});
}

TEST(Constant, NoValueIsRefused) {
  for (const std::int64_t opset : {11, 12, 13, 25}) {
    EXPECT_TRUE(fails(call(constant, {}, {}, opset), Code::InvalidArgument, "takes exactly one value attribute, got none"));
  }
}

TEST(Constant, TwoValuesAreRefusedByName) {
  const Given value = tensor_attribute("value", floats({}, {1}));
  EXPECT_TRUE(fails(call(constant, {}, {value, int_attribute("value_int", 1)}), Code::InvalidArgument,
                    "takes exactly one value attribute, got 'value' and 'value_int'"));
  EXPECT_TRUE(fails(call(constant, {}, {int_attribute("value_int", 1), {"value_ints", INTS, int64s({1}, {1})}}, 12),
                    Code::InvalidArgument, "exactly one"));
  const Given sparse{"sparse_value", SPARSE_TENSOR, SparseTensor{floats({0}, {}), Tensor{}, {3}}};
  EXPECT_TRUE(fails(call(constant, {}, {value, sparse}, 11), Code::InvalidArgument, "exactly one"));
}

TEST(Constant, AttributesOfTheProducerDoNotCountAsValues) {
  EXPECT_EQ(elements<std::int64_t>(must(call(constant, {}, {int_attribute("__x", 1), int_attribute("value_int", 2)}))),
            List{2});
}

TEST(Constant, ScalarsWithoutAValueAreRefused) {
  for (const auto& [name, type] : {std::pair{"value_int", INT}, {"value_float", FLOAT}, {"value_string", STRING}}) {
    EXPECT_TRUE(fails(call(constant, {}, {{name, type, Value{}}}), Code::InvalidArgument, name)) << name;
  }
}

TEST(Constant, SparseValueIsDenseWithZerosElsewhere) {
  const SparseTensor sparse{floats({2}, {5, -0.0F}), int64s({2}, {1, 4}), {2, 3}};
  for (const std::int64_t opset : {11, 12, 25}) {
    const Tensor result = must(call(constant, {}, {{"sparse_value", SPARSE_TENSOR, sparse}}, opset));
    EXPECT_EQ(result.dtype, Dtype::float32);
    EXPECT_EQ(list(result.dims()), (List{2, 3}));
    EXPECT_EQ(elements<std::uint32_t>(result), (std::vector<std::uint32_t>{0, 0x40A00000, 0, 0, 0x80000000, 0}));
  }
}

TEST(Constant, SparseValuesFollowTheTypeTableToo) {
  const SparseTensor sparse{zeros(Dtype::int4, {0}), Tensor{}, {3}};
  EXPECT_TRUE(fails(call(constant, {}, {{"sparse_value", SPARSE_TENSOR, sparse}}, 20), Code::UnsupportedType, "Constant-21"));
}

}  // namespace
}  // namespace broadloom::test::constant_test
