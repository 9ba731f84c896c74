#include "support/before_run.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator squeeze, unsqueeze;
}

namespace broadloom::test::squeeze_test {
namespace {

// The axes as an input; before version 13, as an attribute.
Result<Tensor> with_axes(const Operator& op, const Tensor& data, const List& axes, std::int64_t opset = newest_opset) {
  const Tensor given = shape_of(axes);
  if (opset >= 13) return call(op, {&data, &given}, {}, opset);
  return call(op, {&data}, {{"axes", AttributeType::INTS, given}}, opset);
}

TEST(Squeeze, DropsTheAxesThatAreNamed) {
  const Tensor data = distinct(Dtype::float32, {1, 3, 1, 2});
  for (const std::int64_t opset : {1, 11, 13, 25}) {
    EXPECT_EQ(list(must(with_axes(squeeze, data, {0}, opset)).dims()), (List{3, 1, 2})) << opset;
    EXPECT_EQ(list(must(with_axes(squeeze, data, {2, 0}, opset)).dims()), (List{3, 2})) << opset;
    EXPECT_EQ(list(must(with_axes(squeeze, data, {-2}, opset)).dims()), (List{1, 3, 2})) << opset;
  }
}

TEST(Squeeze, WithoutAxesItDropsAllOfSize1) {
  const Tensor data = distinct(Dtype::float32, {1, 3, 1, 2});
  EXPECT_EQ(list(must(call(squeeze, {&data})).dims()), (List{3, 2}));
  EXPECT_EQ(list(must(call(squeeze, {&data}, {}, 1)).dims()), (List{3, 2}));
  EXPECT_EQ(list(must(call(squeeze, {&data, nullptr})).dims()), (List{3, 2}));
}

TEST(Squeeze, OfNoAxesChangesNothing) {
  const Tensor data = distinct(Dtype::float32, {1, 3});
  EXPECT_EQ(list(must(with_axes(squeeze, data, {})).dims()), (List{1, 3}));
}

TEST(Squeeze, AnAxisOfAnotherSizeIsRefused) {
  const Tensor data = distinct(Dtype::float32, {1, 3});
  EXPECT_TRUE(fails(with_axes(squeeze, data, {1}), Code::InvalidArgument, "cannot squeeze [1, 3]: axis 1 is 3, wanted 1"));
  EXPECT_TRUE(fails(with_axes(squeeze, data, {2}), Code::InvalidArgument, "which is not an axis of 2"));
  EXPECT_TRUE(fails(with_axes(squeeze, data, {0, -2}), Code::InvalidArgument, "twice"));
}

TEST(Squeeze, AndUnsqueezeAreViews) {
  Random random;
  const Tensor data = scrambled(distinct(Dtype::float32, {1, 3, 4}), random);
  const Tensor squeezed = must(with_axes(squeeze, data, {0}));
  const Tensor expanded = must(with_axes(unsqueeze, squeezed, {1, 3}));
  EXPECT_EQ(squeezed.storage.operator->(), data.storage.operator->());
  EXPECT_EQ(expanded.storage.operator->(), data.storage.operator->());
  EXPECT_EQ(list(expanded.dims()), (List{3, 1, 4, 1}));
  EXPECT_EQ(bytes_of(expanded), bytes_of(data));
}

TEST(Unsqueeze, InsertsTheGivenAxesOfTheOutput) {
  const Tensor data = distinct(Dtype::float32, {3, 2});
  for (const std::int64_t opset : {1, 11, 13, 25}) {
    EXPECT_EQ(list(must(with_axes(unsqueeze, data, {0}, opset)).dims()), (List{1, 3, 2})) << opset;
    EXPECT_EQ(list(must(with_axes(unsqueeze, data, {3, 1}, opset)).dims()), (List{3, 1, 2, 1})) << opset;
    EXPECT_EQ(list(must(with_axes(unsqueeze, data, {-1, 0}, opset)).dims()), (List{1, 3, 2, 1})) << opset;
  }
  const Tensor scalar = distinct(Dtype::int8, {});
  EXPECT_EQ(list(must(with_axes(unsqueeze, scalar, {0, 1})).dims()), (List{1, 1}));
}

TEST(Unsqueeze, AxesOutOfRangeOrGivenTwiceAreRefused) {
  const Tensor data = distinct(Dtype::float32, {3, 2});
  EXPECT_TRUE(fails(with_axes(unsqueeze, data, {3}), Code::InvalidArgument, "which is not an axis of 3"));
  EXPECT_TRUE(fails(with_axes(unsqueeze, data, {1, -3}), Code::InvalidArgument, "twice"));
  EXPECT_TRUE(fails(with_axes(unsqueeze, data, List(254, 0)), Code::InvalidArgument, "256"));
}

TEST_F(BeforeRun, SqueezeKeepsTheSizesThatAreLeft) {
  EXPECT_EQ(sizes(squeeze, {known({1, n(), 1}), shape_of({0, -1})}), "n");
  EXPECT_EQ(sizes(squeeze, {known({n(), m()}), shape_of({0})}), "m");
  EXPECT_EQ(sizes(squeeze, {known({1, n(), 1}), indices({2})}), "?");
  // n may be 1.
  EXPECT_EQ(sizes(squeeze, {known({1, n()})}), "unknown");
  EXPECT_EQ(sizes(squeeze, {known({2, n()}), shape_of({0})}), "error");
}

TEST_F(BeforeRun, UnsqueezeKnowsItsRankFromTheNumberOfAxes) {
  EXPECT_EQ(sizes(unsqueeze, {known({n(), m()}), shape_of({1})}), "n 1 m");
  EXPECT_EQ(sizes(unsqueeze, {known({n()}), indices({2})}), "? ? ?");
  EXPECT_EQ(sizes(unsqueeze, {unranked(), shape_of({0})}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::squeeze_test
