// DeformConv, compared with naive C++.
#include <cmath>

#include "support/before_run.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator deform_conv;
}

namespace broadloom::test::deformed_test {
namespace {

// The element at a point between pixels; those outside are 0.
double pixel(const Array& x, std::int64_t image, std::int64_t channel, double row, double column) {
  double sum = 0;
  for (const double r : {std::floor(row), std::floor(row) + 1}) {
    for (const double c : {std::floor(column), std::floor(column) + 1}) {
      if (r < 0 || c < 0 || r >= static_cast<double>(x.dims[2]) || c >= static_cast<double>(x.dims[3])) continue;
      const List place{image, channel, static_cast<std::int64_t>(r), static_cast<std::int64_t>(c)};
      sum += x.at(place) * (1 - std::abs(row - r)) * (1 - std::abs(column - c));
    }
  }
  return sum;
}

// Numbers from -2 to 2 in steps of a quarter.
Tensor quarters(Random& random, Dtype dtype, const List& dims) {
  Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
  for (double& value : values) value = static_cast<double>(random.between(-8, 8)) / 4;
  return tensor_of_numbers(dtype, dims, values);
}

TEST(DeformConv, RandomCallsOfEveryTypeEqualTheNaiveLoop) {
  Random random;
  constexpr Dtype types[] = {Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16};
  for (int i = 0; i < 100; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    const std::int64_t groups = random.between(1, 3);
    const std::int64_t shared = random.between(1, 3);
    const std::int64_t channels = groups * shared * (random.one_in(3) ? random.between(4, 9) : 1);
    const List kernel{random.between(1, 3), random.between(1, 3)};
    const List strides{random.between(1, 2), random.between(1, 2)};
    const List dilations{random.between(1, 2), random.between(1, 2)};
    List pads;
    List x_dims{random.between(0, 2), channels};
    List y_dims{x_dims[0], groups * random.between(1, 4)};
    for (std::size_t k = 0; k < 4; ++k) pads.push_back(random.between(0, 2));
    for (std::size_t k = 0; k < 2; ++k) {
      const std::int64_t reach = (kernel[k] - 1) * dilations[k] + 1;
      x_dims.push_back(reach + random.between(0, random.one_in(4) ? 40 : 4));
      y_dims.push_back((x_dims.back() + pads[k] + pads[2 + k] - reach) / strides[k] + 1);
    }
    const std::int64_t taps = kernel[0] * kernel[1];
    const Tensor x = random_tensor(random, dtype, x_dims);
    const Tensor w = random_tensor(random, dtype, {y_dims[1], channels / groups, kernel[0], kernel[1]});
    const Tensor offset = quarters(random, dtype, {x_dims[0], shared * taps * 2, y_dims[2], y_dims[3]});
    const Tensor b = random_tensor(random, dtype, {y_dims[1]});
    const Tensor mask = quarters(random, dtype, {x_dims[0], shared * taps, y_dims[2], y_dims[3]});
    const bool has_bias = random.one_in(2);
    const bool has_mask = random.one_in(2);
    const Tensor y = must(call(op::deform_conv, {&x, &w, &offset, has_bias ? &b : nullptr, has_mask ? &mask : nullptr},
                               {int_attribute("group", groups), int_attribute("offset_group", shared), ints("strides", strides),
                                ints("dilations", dilations), ints("pads", pads)}));
    const Array image{x_dims, numbers_of(x)};
    const Array filters{list(w.dims()), numbers_of(w)};
    const Array shifts{list(offset.dims()), numbers_of(offset)};
    const Array factors{list(mask.dims()), numbers_of(mask)};
    Numbers wanted;
    each_place(y_dims, [&](const List& place) {
      double sum = has_bias ? numbers_of(b)[static_cast<std::size_t>(place[1])] : 0;
      const std::int64_t group = place[1] / (y_dims[1] / groups);
      each_place({channels / groups, kernel[0], kernel[1]}, [&](const List& tap) {
        const std::int64_t channel = group * (channels / groups) + tap[0];
        const std::int64_t number = channel / (channels / shared) * taps + tap[1] * kernel[1] + tap[2];
        double at[2];
        for (std::int64_t k = 0; k < 2; ++k) {
          const auto axis = static_cast<std::size_t>(k);
          const std::int64_t from = place[2 + axis] * strides[axis] - pads[axis] + tap[1 + axis] * dilations[axis];
          at[axis] = static_cast<double>(from) + shifts.at({place[0], 2 * number + k, place[2], place[3]});
        }
        const double factor = has_mask ? factors.at({place[0], number, place[2], place[3]}) : 1;
        sum += factor * pixel(image, place[0], channel, at[0], at[1]) * filters.at({place[1], tap[0], tap[1], tap[2]});
      });
      wanted.push_back(sum);
    });
    ASSERT_EQ(list(y.dims()), y_dims);
    ASSERT_TRUE(are_near(y, wanted, precision_of(dtype) * 4)) << info(dtype).name << " call " << i;
  }
}

TEST(DeformConv, PointsThatAreNotNumbersHaveZeros) {
  const Tensor x = floats({1, 1, 1, 2}, {3, 5});
  const Tensor w = floats({1, 1, 1, 1}, {2});
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor offset = floats({1, 2, 1, 2}, {std::nanf(""), 0, 0, infinity});
  EXPECT_EQ(elements<float>(must(call(op::deform_conv, {&x, &w, &offset}))), (std::vector<float>{0, 0}));
}

TEST(DeformConv, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::float32, {1, 4, 5, 5});
  const Tensor w = zeros(Dtype::float32, {2, 4, 3, 3});
  const Tensor offset = zeros(Dtype::float32, {1, 18, 3, 3});
  const auto refuses = [&](const std::vector<const Tensor*>& inputs, const std::vector<Given>& given, const char* text) {
    EXPECT_TRUE(fails(call(op::deform_conv, inputs, given), Code::InvalidArgument, text));
  };
  refuses({&x, &w, &offset}, {int_attribute("offset_group", 0)},
          "DeformConv-22: attribute 'offset_group' is 0, wanted a divisor of 4 channels");
  refuses({&x, &w, &offset}, {int_attribute("offset_group", 3)}, "is 3, wanted a divisor of 4 channels");
  refuses({&x, &w, &offset}, {int_attribute("offset_group", 2)}, "input 'offset' has dims [1, 18, 3, 3], wanted [1, 36, 3, 3]");
  refuses({&x, &w, &offset, nullptr, &offset}, {}, "input 'mask' has dims [1, 18, 3, 3], wanted [1, 9, 3, 3]");
  refuses({&x, &w, &offset, &x}, {}, "'B' has dims [1, 4, 5, 5], wanted [2]");
  const Tensor signal = zeros(Dtype::float32, {1, 4, 5});
  const Tensor filter = zeros(Dtype::float32, {2, 4, 3});
  refuses({&signal, &filter, &offset}, {}, "an image has 3 axes, wanted [N, C, H, W]");
  refuses({&x, &w, &offset}, {int_attribute("group", 2)}, "and 2 groups want 8 channels");
}

class DeformConvBeforeARun : public BeforeRun {};

TEST_F(DeformConvBeforeARun, SizesAreThoseOfConv) {
  const Tensor w = known({8, 3, 3, 3});
  EXPECT_EQ(sizes(op::deform_conv, {known({n(), 3, 10, m()}), w, unranked()}), "n 8 8 m - 2");
  EXPECT_EQ(sizes(op::deform_conv, {known({n(), 3, 10, m()}), w, known({n(), 18, 8, 7})}), "n 8 8 m - 2");
  EXPECT_EQ(sizes(op::deform_conv, {known({n(), 3, 10, m()}), w, known({n(), 17, 8, 7})}), "error");
  EXPECT_EQ(sizes(op::deform_conv, {unranked(), unranked(), unranked()}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::deformed_test
