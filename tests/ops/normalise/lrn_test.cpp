// LRN, compared with naive C++, and the operators that ONNX had as experiments.
#include <cmath>

#include "ops/operators.h"
#include "support/before_run.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator lrn;
}
namespace broadloom::op::experimental {
extern const Operator affine, crop, image_scaler, parametric_softplus, scaled_tanh;
}

namespace broadloom::test::lrn_test {
namespace {

Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }

TEST(Lrn, RandomCallsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  constexpr Dtype types[] = {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16};
  for (int i = 0; i < 60; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    List dims{random.between(0, 2), random.between(1, 7)};
    for (std::int64_t more = random.between(0, 2); more > 0; --more) dims.push_back(random.between(1, 6));
    const std::int64_t size = random.between(1, 9);
    const Tensor x = random_tensor(random, dtype, dims);
    const Tensor y = must(
        call(op::lrn, {&x}, {int_attribute("size", size), number("alpha", 0.5F), number("beta", 0.75F), number("bias", 2)}));
    const Array from{dims, numbers_of(x)};
    Numbers wanted;
    each_place(dims, [&](const List& place) {
      double sum = 0;
      for (std::int64_t k = -((size - 1) / 2); k <= size / 2; ++k) {
        List near = place;
        near[1] += k;
        if (near[1] >= 0 && near[1] < dims[1]) sum += from.at(near) * from.at(near);
      }
      wanted.push_back(from.at(place) / std::pow(2 + 0.5 / static_cast<double>(size) * sum, 0.75));
    });
    ASSERT_EQ(list(y.dims()), dims);
    ASSERT_TRUE(are_near(y, wanted, precision_of(dtype))) << info(dtype).name << " call " << i;
  }
}

TEST(Lrn, ASizeOfAnyNumberHasAllChannels) {
  const Tensor x = floats({1, 3}, {1, 2, 4});
  const std::int64_t size = std::int64_t{1} << 62;
  const Tensor y = must(call(op::lrn, {&x}, {int_attribute("size", size), number("alpha", 0x1p62F), number("beta", 1)}));
  EXPECT_TRUE(are_near(y, {1 / 22.0, 2 / 22.0, 4 / 22.0}, 1e-6));
}

TEST(Lrn, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::float32, {3});
  EXPECT_TRUE(fails(call(op::lrn, {&x}, {int_attribute("size", 0)}), Code::InvalidArgument,
                    "LRN-13: attribute 'size' is 0, wanted 1 or more"));
  EXPECT_TRUE(fails(call(op::lrn, {&x}, {int_attribute("size", 1)}), Code::InvalidArgument,
                    "LRN-13: an image has 1 axis, wanted [N, C, ...]"));
}

// ---- Operators that ONNX had as experiments ----

namespace old = op::experimental;

TEST(Experimental, OperatorsAreFoundInOnnxsDomainAlone) {
  for (const Operator* op : {&old::affine, &old::crop, &old::image_scaler, &old::parametric_softplus, &old::scaled_tanh}) {
    EXPECT_EQ(find_operator("", op->name), op);
    EXPECT_EQ(find_operator("com.microsoft", op->name), nullptr);
    EXPECT_TRUE(op->runs());
  }
}

TEST(Experimental, FunctionsOfOneElement) {
  const Tensor x = floats({3}, {-1, 0, 2});
  const std::vector<Given> given{number("alpha", 0.5F), number("beta", 2)};
  EXPECT_EQ(elements<float>(must(call(old::affine, {&x}, given))), (std::vector<float>{1.5F, 2, 3}));
  EXPECT_EQ(elements<float>(must(call(old::affine, {&x}))), (std::vector<float>{-1, 0, 2}));
  const auto softplus = [](double value) { return std::log1p(std::exp(2 * value)) / 2; };
  EXPECT_TRUE(are_near(must(call(old::parametric_softplus, {&x}, given)), {softplus(-1), softplus(0), softplus(2)}, 1e-6));
  const auto tanh = [](double value) { return std::tanh(2 * value) / 2; };
  EXPECT_TRUE(are_near(must(call(old::scaled_tanh, {&x}, given)), {tanh(-1), 0, tanh(2)}, 1e-6));
}

TEST(Experimental, ImageScalerHasABiasForEachChannel) {
  const Given bias{"bias", AttributeType::FLOATS, floats({2}, {10, 20})};
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
    const Tensor x = tensor_of_numbers(dtype, {1, 2, 1, 2}, {1, 2, 3, 4});
    EXPECT_EQ(numbers_of(must(call(old::image_scaler, {&x}, {bias, number("scale", 2)}))), (Numbers{12, 14, 26, 28}));
  }
  const Tensor three = zeros(Dtype::float32, {1, 3, 1, 1});
  EXPECT_TRUE(fails(call(old::image_scaler, {&three}, {bias}), Code::InvalidArgument,
                    "ImageScaler-1: attribute 'bias' has 2 numbers, wanted one for each of 3 channels"));
  const Tensor signal = zeros(Dtype::float32, {1, 2, 1});
  EXPECT_TRUE(fails(call(old::image_scaler, {&signal}, {bias}), Code::InvalidArgument, "an image has 3 axes"));
}

TEST(Experimental, CropIsAView) {
  const Tensor x = floats({1, 1, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  // Left, above, right, below.
  const Tensor y = must(call(old::crop, {&x}, {ints("border", {1, 0, 2, 1})}));
  EXPECT_EQ(list(y.dims()), (List{1, 1, 2, 1}));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 5}));
  const std::vector<Given> scaled{ints("border", {2, 1, 0, 0}), ints("scale", {2, 1})};
  EXPECT_EQ(elements<float>(must(call(old::crop, {&x}, scaled))), (std::vector<float>{6, 10}));
  const auto refuses = [&](const std::vector<Given>& given, const char* text) {
    EXPECT_TRUE(fails(call(old::crop, {&x}, given), Code::InvalidArgument, text));
  };
  refuses({ints("border", {1, 0, 3, 0})}, "Crop-1: cannot crop an image of dims [1, 1, 3, 4] by [1, 0, 3, 0]");
  refuses({ints("border", {1, 0, 0, 0}), ints("scale", {3, 4})}, "cannot crop an image of dims [1, 1, 3, 4] by [1, 0, 0, 0]");
  refuses({ints("border", {1, 0})}, "attribute 'border' is [1, 0], wanted 4 numbers");
  refuses({ints("border", {-1, 0, 0, 0})}, "wanted numbers from 0 to 2147483647");
}

class ExperimentalBeforeARun : public BeforeRun {};

TEST_F(ExperimentalBeforeARun, SizesOfImages) {
  const Given bias{"bias", AttributeType::FLOATS, floats({2}, {10, 20})};
  EXPECT_EQ(sizes(old::image_scaler, {known({n(), 2, m(), 4})}, {bias}), "n 2 m 4");
  EXPECT_EQ(sizes(old::crop, {known({n(), 2, m(), 4})}, {ints("border", {1, 1, 2, 2})}), "n 2 m - 3 1");
  EXPECT_EQ(sizes(op::lrn, {known({n(), 2, m()})}, {int_attribute("size", 1)}), "n 2 m");
}

}  // namespace
}  // namespace broadloom::test::lrn_test
