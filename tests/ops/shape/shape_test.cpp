#include "support/calls.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator shape;
}

namespace broadloom::test::shape_test {
namespace {

// A lazy tensor of any dims.
Tensor lazy(const List& dims, Dtype dtype = Dtype::float32) {
  return {dtype, uniform_layout(dims_of(dims)), zeros(dtype, {1}).storage};
}

List shape_of_dims(const List& dims, const std::vector<Given>& attributes = {}, std::int64_t opset = newest_opset) {
  const Tensor data = lazy(dims);
  const Tensor result = must(call(shape, {&data}, attributes, opset));
  EXPECT_EQ(result.dtype, Dtype::int64);
  EXPECT_EQ(list(result.dims()), List{static_cast<std::int64_t>(elements<std::int64_t>(result).size())});
  return elements<std::int64_t>(result);
}

List slice(const List& dims, std::int64_t start, std::int64_t end) {
  return shape_of_dims(dims, {int_attribute("start", start), int_attribute("end", end)});
}

TEST(Shape, IsTheDims) {
  for (const std::int64_t opset : {1, 13, 15, 25, 28}) {
    EXPECT_EQ(shape_of_dims({2, 3, 4}, {}, opset), (List{2, 3, 4})) << opset;
    EXPECT_EQ(shape_of_dims({0}, {}, opset), (List{0})) << opset;
  }
}

TEST(Shape, AScalarHasAnEmptyShape) { EXPECT_EQ(shape_of_dims({}), List{}); }

TEST(Shape, EveryTypeHasItsLogicalDims) {
  for (int id = 1; id <= dtype_count; ++id) {
    const Tensor data = zeros(static_cast<Dtype>(id), {3, 5});
    EXPECT_EQ(elements<std::int64_t>(must(call(shape, {&data}))), (List{3, 5})) << info(static_cast<Dtype>(id)).name;
  }
}

TEST(Shape, HugeDimsAreExact) { EXPECT_EQ(shape_of_dims({max_count, 1}), (List{max_count, 1})); }

TEST(Shape, OfALazyTensorIsThatOfItsLayout) { EXPECT_EQ(shape_of_dims({1000, 1000, 1000, 1000}), List(4, 1000)); }

TEST(Shape, BoundsAtTheLimitsOfInt64Clamp) {
  EXPECT_EQ(slice({2, 3, 4}, INT64_MIN, INT64_MAX), (List{2, 3, 4}));
  EXPECT_EQ(slice({2, 3, 4}, INT64_MAX, INT64_MIN), List{});
}

TEST(Shape, AnAttributeWithoutANumberIsZero) {
  EXPECT_EQ(shape_of_dims({2, 3}, {{"start", AttributeType::INT, Value{}}}), (List{2, 3}));
  EXPECT_EQ(shape_of_dims({2, 3}, {{"end", AttributeType::INT, Value{}}}), List{});
}

TEST(Shape, EveryPairOfBoundsFollowsTheText) {
  for (std::int64_t rank = 0; rank <= 4; ++rank) {
    List dims;
    for (std::int64_t i = 0; i < rank; ++i) dims.push_back(10 + i);
    for (std::int64_t start = -7; start <= 7; ++start) {
      for (std::int64_t end = -7; end <= 7; ++end) {
        // ONNX's reference implementation does not clamp an end before the first axis, but its text does: axis i is in the
        // slice if it is at or after start and before end, both counted from the end when negative.
        List expected;
        for (std::int64_t i = 0; i < rank; ++i) {
          const bool after_start = start < 0 ? i - rank >= start : i >= start;
          const bool before_end = end < 0 ? i - rank < end : i < end;
          if (after_start && before_end) expected.push_back(dims[static_cast<std::size_t>(i)]);
        }
        EXPECT_EQ(slice(dims, start, end), expected) << rank << " " << start << " " << end;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::shape_test
