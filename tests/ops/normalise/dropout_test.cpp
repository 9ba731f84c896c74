#include "support/calls.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator dropout;
}

namespace broadloom::test::dropout_test {
namespace {

const Given is_test = int_attribute("is_test", 1);

std::vector<Tensor> dropped(const std::vector<const Tensor*>& inputs, const std::vector<Given>& given, std::int64_t opset) {
  return must(call_all(dropout, inputs, given, {opset, 2}));
}

TEST(Dropout, InInferenceSharesItsInputAndKeepsEverything) {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  for (const std::int64_t opset : {1, 6, 7, 10, 12, 13, 22}) {
    const auto outputs = dropped({&x}, opset < 7 ? std::vector{is_test} : std::vector<Given>{}, opset);
    EXPECT_EQ(outputs[0].data(), x.data()) << opset;
    EXPECT_EQ(list(outputs[1].dims()), (List{2, 2}));
    if (opset < 10) {
      EXPECT_EQ(elements<float>(outputs[1]), (std::vector<float>{1, 1, 1, 1})) << opset;
    } else {
      EXPECT_EQ(outputs[1].dtype, Dtype::boolean);
      EXPECT_EQ(bytes_of(outputs[1]), (Bytes{1, 1, 1, 1})) << opset;
    }
    EXPECT_TRUE(all_strides_are_zero(outputs[1]));
  }
}

TEST(Dropout, OfHalfPrecisionHasAMaskOfOnes) {
  const Tensor x = tensor_of<std::uint16_t>(Dtype::float16, {2}, {0x7E00, 0x4000});
  EXPECT_EQ(elements<std::uint16_t>(dropped({&x}, {}, 7)[1]), (std::vector<std::uint16_t>{0x3C00, 0x3C00}));
}

TEST(Dropout, OfNoElementsHasAnEmptyMask) {
  const Tensor x = floats({0, 3}, {});
  EXPECT_EQ(list(dropped({&x}, {}, 13)[1].dims()), (List{0, 3}));
  const Tensor scalar = floats({}, {2});
  EXPECT_EQ(bytes_of(dropped({&scalar}, {}, 13)[1]), Bytes{1});
}

TEST(Dropout, InTrainingIsRefusedUnlessNothingWouldBeDropped) {
  const Tensor x = floats({2}, {1, 2});
  const Tensor training = bools({}, {1});
  const Tensor inference = bools({1}, {0});
  const Tensor half = floats({}, {0.5F});
  const Tensor zero = floats({}, {0});
  const auto with = [&](const Tensor* ratio, const Tensor* mode) { return call(dropout, {&x, ratio, mode}, {}, 13); };
  EXPECT_TRUE(succeeds(with(&half, &inference)));
  EXPECT_TRUE(succeeds(with(&zero, &training)));
  EXPECT_TRUE(succeeds(with(&half, nullptr)));
  EXPECT_TRUE(fails(with(&half, &training), Code::InvalidArgument,
                    "Dropout-13: training is not supported: input 'training_mode' is true, and elements would be dropped"));
  EXPECT_TRUE(fails(with(nullptr, &training), Code::InvalidArgument, "training is not supported"));
  for (const std::int64_t opset : {1, 6}) {
    EXPECT_TRUE(fails(call(dropout, {&x}, {}, opset), Code::InvalidArgument,
                      "training is not supported: attribute 'is_test' is 0, and elements would be dropped at random"));
  }
  const Tensor two = bools({2}, {0, 0});
  EXPECT_TRUE(fails(with(&half, &two), Code::InvalidArgument, "input 'training_mode' has dims [2], wanted one element"));
}

TEST(Dropout, OfFloat8BeginsWithVersionTwentyTwo) {
  const Tensor x = tensor_of<std::uint8_t>(Dtype::float8e5m2, {2}, {0x3C, 0xFC});
  EXPECT_EQ(bytes_of(must(call(dropout, {&x}))), (Bytes{0x3C, 0xFC}));
  EXPECT_TRUE(fails(call(dropout, {&x}, {}, 21), Code::UnsupportedType, "Dropout-22 (opset 22) allows it"));
}

}  // namespace
}  // namespace broadloom::test::dropout_test
