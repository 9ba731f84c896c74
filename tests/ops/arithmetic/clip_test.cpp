#include <cmath>
#include <limits>

#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator clip;
}

namespace broadloom::test::clip_test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }

template <class T>
void expect_clipped(Dtype dtype) {
  const T least = std::is_signed_v<T> ? static_cast<T>(-2) : T{1};
  const Tensor x = tensor_of<T>(dtype, {2, 2}, {std::numeric_limits<T>::lowest(), least, 3, std::numeric_limits<T>::max()});
  const Tensor low = tensor_of<T>(dtype, {}, {least});
  const Tensor high = tensor_of<T>(dtype, {1}, {2});
  EXPECT_EQ(elements<T>(must(call(clip, {&x, &low, &high}))), (std::vector<T>{least, least, 2, 2}));
  EXPECT_EQ(elements<T>(must(call(clip, {&x, &low}))), (std::vector<T>{least, least, 3, std::numeric_limits<T>::max()}));
  EXPECT_EQ(elements<T>(must(call(clip, {&x, nullptr, &high}))),
            (std::vector<T>{std::numeric_limits<T>::lowest(), least, 2, 2}));
  EXPECT_EQ(elements<T>(must(call(clip, {&x}))), elements<T>(x));
  EXPECT_EQ(elements<T>(must(call(clip, {&x, &high, &low}))), std::vector<T>(4, least));
}

TEST(Clip, TakesListsOfOneBoundForAScalar) {
  const Tensor x = floats({}, {5});
  const Tensor low = floats({1}, {-1});
  const Tensor high = floats({1}, {2});
  const Tensor y = must(call(clip, {&x, &low, &high}));
  EXPECT_EQ(y.dims().size(), 0U);
  EXPECT_EQ(elements<float>(y), std::vector<float>{2});
}

TEST(Clip, KeepsEveryTypeWithinBoundsAndTheUpperOneWinsWhereTheyAreInTheWrongOrder) {
  expect_clipped<float>(Dtype::float32);
  expect_clipped<double>(Dtype::float64);
  expect_clipped<std::int8_t>(Dtype::int8);
  expect_clipped<std::int16_t>(Dtype::int16);
  expect_clipped<std::int32_t>(Dtype::int32);
  expect_clipped<std::int64_t>(Dtype::int64);
  expect_clipped<std::uint8_t>(Dtype::uint8);
  expect_clipped<std::uint16_t>(Dtype::uint16);
  expect_clipped<std::uint32_t>(Dtype::uint32);
  expect_clipped<std::uint64_t>(Dtype::uint64);
}

TEST(Clip, OfHalfPrecisionIsExact) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    const Tensor x = tensor_of_numbers(dtype, {4}, {-3, 0.5, 7, infinity});
    const Tensor low = tensor_of_numbers(dtype, {}, {-1});
    const Tensor high = tensor_of_numbers(dtype, {}, {6});
    EXPECT_EQ(numbers_of(must(call(clip, {&x, &low, &high}))), (Numbers{-1, 0.5, 6, 6}));
  }
}

TEST(Clip, WithoutABoundLeavesInfinitiesAndNanStaysNan) {
  const Tensor x = floats({3}, {-infinity, infinity, nan});
  const Tensor one = floats({}, {1});
  const auto low = elements<float>(must(call(clip, {&x, &one})));
  EXPECT_EQ(low[0], 1);
  EXPECT_EQ(low[1], infinity);
  EXPECT_TRUE(std::isnan(low[2]));
  const auto high = elements<float>(must(call(clip, {&x, nullptr, &one})));
  EXPECT_EQ(high[0], -infinity);
  EXPECT_EQ(high[1], 1);
  const Tensor none = floats({}, {nan});
  for (const float value : elements<float>(must(call(clip, {&x, &none})))) EXPECT_TRUE(std::isnan(value));
}

// Version 6 has the limits of float32 as its defaults; version 1 has none.
TEST(Clip, BeforeVersionElevenHasItsBoundsInAttributes) {
  const Tensor x = floats({3}, {-infinity, 0.5F, infinity});
  constexpr float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(elements<float>(must(call(clip, {&x}, {}, 6))), (std::vector<float>{-largest, 0.5F, largest}));
  EXPECT_EQ(elements<float>(must(call(clip, {&x}, {}, 1))), (std::vector<float>{-infinity, 0.5F, infinity}));
  for (const std::int64_t opset : {1, 6}) {
    EXPECT_EQ(elements<float>(must(call(clip, {&x}, {number("min", 0), number("max", 1)}, opset))),
              (std::vector<float>{0, 0.5F, 1}));
  }
  EXPECT_EQ(elements<float>(must(call(clip, {&x}, {number("max", 1)}, 1))), (std::vector<float>{-infinity, 0.5F, 1}));
  const Tensor one = floats({}, {1});
  EXPECT_TRUE(fails(call(clip, {&x, &one}, {}, 6), Code::InvalidArgument, "Clip-6"));
  EXPECT_TRUE(fails(call(clip, {&x}, {number("min", 0)}, 11), Code::InvalidArgument, "Clip-11"));
}

TEST(Clip, RefusesBoundsOfMoreThanOneElementAndOfOtherTypes) {
  const Tensor x = floats({2}, {1, 2});
  const Tensor two = floats({2}, {1, 2});
  const Tensor none = floats({0}, {});
  const Tensor matrix = floats({1, 1}, {1});
  EXPECT_TRUE(fails(call(clip, {&x, &two}), Code::InvalidArgument, "Clip-13: input 'min' has dims [2], wanted one element"));
  EXPECT_TRUE(fails(call(clip, {&x, nullptr, &none}), Code::InvalidArgument, "input 'max' has dims [0], wanted one element"));
  EXPECT_TRUE(fails(call(clip, {&x, &matrix}), Code::InvalidArgument, "input 'min' has dims [1, 1]"));
  const Tensor integer = tensor_of<std::int32_t>(Dtype::int32, {}, {1});
  EXPECT_TRUE(
      fails(call(clip, {&x, &integer}), Code::InvalidArgument, "input 'min' is int32, but another input of type T is float32"));
  EXPECT_TRUE(fails(call(clip, {&integer}, {}, 11), Code::UnsupportedType, "Clip-12 (opset 12) allows it"));
}

}  // namespace
}  // namespace broadloom::test::clip_test
