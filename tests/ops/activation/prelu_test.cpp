#include <limits>

#include "support/before_run.h"
#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator prelu, transpose;
}

namespace broadloom::test::prelu_test {
namespace {

TEST(PRelu, MultipliesNegativeElementsByASlopeThatBroadcastsToThem) {
  const Tensor x = floats({2, 3}, {-1, 2, -3, 4, -5, -0.F});
  const Tensor of_columns = floats({3}, {2, 3, 4});
  const Tensor of_rows = floats({2, 1}, {10, -1});
  const Tensor one = floats({}, {0.5F});
  EXPECT_EQ(elements<float>(must(call(prelu, {&x, &of_columns}))), (std::vector<float>{-2, 2, -12, 4, -15, -0.F}));
  EXPECT_EQ(elements<float>(must(call(prelu, {&x, &of_rows}))), (std::vector<float>{-10, 2, -30, 4, 5, -0.F}));
  EXPECT_EQ(elements<float>(must(call(prelu, {&x, &one}))), (std::vector<float>{-0.5F, 2, -1.5F, 4, -2.5F, -0.F}));
}

TEST(PRelu, TakesHalfPrecisionAndIntegers) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::float64}) {
    const Tensor x = tensor_of_numbers(dtype, {3}, {-2, 0, 2});
    const Tensor slope = tensor_of_numbers(dtype, {1}, {0.25});
    EXPECT_EQ(numbers_of(must(call(prelu, {&x, &slope}))), (Numbers{-0.5, 0, 2}));
  }
  const Tensor x = tensor_of<std::int32_t>(Dtype::int32, {3}, {-2, 3, INT32_MIN});
  const Tensor slope = tensor_of<std::int32_t>(Dtype::int32, {}, {3});
  EXPECT_EQ(elements<std::int32_t>(must(call(prelu, {&x, &slope}))), (std::vector<std::int32_t>{-6, 3, INT32_MIN}));
  const Tensor y = tensor_of<std::uint64_t>(Dtype::uint64, {2}, {1, UINT64_MAX});
  const Tensor steep = tensor_of<std::uint64_t>(Dtype::uint64, {}, {7});
  EXPECT_EQ(elements<std::uint64_t>(must(call(prelu, {&y, &steep}))), (std::vector<std::uint64_t>{1, UINT64_MAX}));
  EXPECT_TRUE(fails(call(prelu, {&x, &slope}, {}, 8), Code::UnsupportedType, "PRelu-9 (opset 9) allows it"));
}

TEST(PRelu, BeforeVersionSevenTakesAScalarWithAListOfOneSlope) {
  const Tensor x = floats({}, {-3});
  const Tensor slope = floats({1}, {2});
  EXPECT_EQ(elements<float>(must(call(prelu, {&x, &slope}, {}, 6))), std::vector<float>{-6});
}

TEST(PRelu, BeforeVersionSevenHasASlopeForEachChannel) {
  const Tensor x = floats({1, 2, 2}, {-1, -2, -3, 4});
  const Tensor of_channels = floats({2}, {10, 100});
  const Tensor one = floats({1}, {2});
  for (const std::int64_t opset : {1, 6}) {
    EXPECT_EQ(elements<float>(must(call(prelu, {&x, &of_channels}, {}, opset))), (std::vector<float>{-10, -20, -300, 4}));
    EXPECT_EQ(elements<float>(must(call(prelu, {&x, &one}, {}, opset))), (std::vector<float>{-2, -4, -6, 4}));
  }
  const Tensor three = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(call(prelu, {&x, &three}, {}, 6), Code::InvalidArgument,
                    "PRelu-6: 'slope' has dims [3], wanted one element, or one for each channel of [1, 2, 2]"));
  const Tensor row = floats({2}, {-1, 1});
  EXPECT_TRUE(fails(call(prelu, {&row, &of_channels}, {}, 6), Code::InvalidArgument, "one for each channel of [2]"));
  const Tensor strided = must(call(transpose, {&of_channels}));
  EXPECT_EQ(elements<float>(must(call(prelu, {&x, &strided}, {}, 6))), (std::vector<float>{-10, -20, -300, 4}));
}

TEST(PRelu, ASlopeDoesNotStretchTheInput) {
  const Tensor x = floats({1, 2}, {-1, -2});
  const Tensor taller = floats({2, 1}, {1, 2});
  const Tensor deeper = floats({1, 1, 2}, {1, 2});
  EXPECT_TRUE(fails(call(prelu, {&x, &taller}), Code::InvalidArgument, "PRelu-16: cannot broadcast 'slope' [2, 1] to [1, 2]"));
  EXPECT_TRUE(fails(call(prelu, {&x, &deeper}), Code::InvalidArgument, "cannot broadcast 'slope' [1, 1, 2] to [1, 2]"));
  const Tensor wrong = floats({3}, {1, 2, 3});
  EXPECT_TRUE(fails(call(prelu, {&x, &wrong}), Code::InvalidArgument, "PRelu-16: cannot broadcast [1, 2] to [3]"));
}

TEST_F(BeforeRun, ASlopeOfUnknownLengthMayBeOneElementForAnyInput) {
  const Tensor slope = known({n()});
  EXPECT_EQ(sizes(prelu, {known({m()}), slope}, {}, 1, 6), "m");
  EXPECT_EQ(sizes(prelu, {known({}), slope}, {}, 1, 6), "");
  EXPECT_EQ(sizes(prelu, {known({3, 2}), slope}, {}, 1, 6), "3 2");
  EXPECT_EQ(sizes(prelu, {known({m()}), known({3})}, {}, 1, 6), "error");
}

}  // namespace
}  // namespace broadloom::test::prelu_test
