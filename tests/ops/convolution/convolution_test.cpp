// Compares convolutions with naive C++.
#include <algorithm>
#include <cmath>

#include "support/before_run.h"
#include "support/calls.h"
#include "support/cases.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator conv, conv_integer, conv_transpose;
}

namespace broadloom::test::convolution_test {
namespace {

constexpr Dtype types[] = {Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16};

TEST(Conv, RandomConvolutionsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    const std::size_t axes = static_cast<std::size_t>(random.between(1, 3));
    Sliding how;
    how.groups = random.one_in(2) ? 1 : random.between(1, 5);
    const std::int64_t channels = random.one_in(3) ? 1 : random.between(1, 6);
    const std::int64_t filters = random.one_in(3) ? 1 : random.between(1, 10);
    List x_dims{random.between(0, 2), how.groups * channels};
    List w_dims{how.groups * filters, channels};
    for (std::size_t k = 0; k < axes; ++k) {
      const std::int64_t kernel = random.between(1, 4);
      how.strides.push_back(random.between(1, 3));
      how.dilations.push_back(random.one_in(2) ? 1 : random.between(1, 3));
      const std::int64_t reach = (kernel - 1) * how.dilations.back() + 1;
      x_dims.push_back(random.between(std::max<std::int64_t>(reach - 1, 1), reach + (axes == 1 ? 9 : 4)));
      w_dims.push_back(kernel);
    }
    for (std::size_t k = 0; k < 2 * axes; ++k) how.pads.push_back(random.one_in(2) ? 1 : random.between(k < axes ? 1 : 0, 4));
    const Tensor x = random_tensor(random, dtype, x_dims);
    const Tensor w = random_tensor(random, dtype, w_dims);
    const Tensor b = random_tensor(random, dtype, {w_dims[0]});
    const bool has_bias = random.one_in(2);
    std::vector<const Tensor*> inputs{&x, &w};
    if (has_bias) inputs.push_back(&b);
    const Tensor y = must(call(op::conv, inputs,
                               {int_attribute("group", how.groups), ints("strides", how.strides),
                                ints("dilations", how.dilations), ints("pads", how.pads)}));
    const Array wanted =
        naive_convolution({x_dims, numbers_of(x)}, {w_dims, numbers_of(w)}, has_bias ? numbers_of(b) : Numbers(), how);
    ASSERT_EQ(list(y.dims()), wanted.dims);
    // Sums of float16 and bfloat16 are rounded.
    const Tensor rounded = tensor_of<double>(Dtype::float64, dims_of(wanted.dims), wanted.values);
    ASSERT_EQ(numbers_of(y), numbers_of(must(in_type(rounded, dtype)))) << info(dtype).name << " call " << i;
  }
}

// Where filters have three taps, results of many channels are computed by Winograd's way, which keeps integers exact.
TEST(Conv, RandomConvolutionsOfManyChannelsEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < std::max(cases() / 300, 6); ++i) {
    const std::size_t axes = random.one_in(3) ? 1 : 2;
    List x_dims{random.between(0, 2), 4 * random.between(4, 7)};
    List w_dims{4 * random.between(6, 9), x_dims[1]};
    Sliding how{1, List(axes, 1), List(axes, 1), {}};
    const std::size_t single = random.below(3);
    for (std::size_t k = 0; k < axes; ++k) {
      x_dims.push_back(random.between(2, axes == 1 ? 40 : 9));
      w_dims.push_back(axes == 2 && k == single ? 1 : 3);
    }
    for (std::size_t k = 0; k < 2 * axes; ++k) how.pads.push_back(random.between(k < axes ? 1 : 0, 2));
    const Tensor x = random_tensor(random, Dtype::float32, x_dims);
    const Tensor w = random_tensor(random, Dtype::float32, w_dims);
    const Tensor b = random_tensor(random, Dtype::float32, {w_dims[0]});
    const bool has_bias = random.one_in(2);
    std::vector<const Tensor*> inputs{&x, &w};
    if (has_bias) inputs.push_back(&b);
    const Tensor y = must(call(op::conv, inputs, {ints("pads", how.pads)}));
    const Array wanted =
        naive_convolution({x_dims, numbers_of(x)}, {w_dims, numbers_of(w)}, has_bias ? numbers_of(b) : Numbers(), how);
    ASSERT_EQ(list(y.dims()), wanted.dims);
    ASSERT_EQ(numbers_of(y), wanted.values) << "call " << i;
  }
}

Tensor random_reals(Random& random, const List& dims) {
  Tensor tensor = zeros(Dtype::float32, dims_of(dims));
  auto* const elements = reinterpret_cast<float*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.count(); ++i) elements[i] = static_cast<float>(random.real(-1, 1));
  return tensor;
}

// 300 channels are summed in two parts.
TEST(Conv, OfManyChannelsRoundsAsLittleAsSumsInFloat32Do) {
  Random random;
  for (const std::int64_t channels : {16, 64, 300}) {
    const List x_dims{1, channels, 6, 7};
    const List w_dims{24, channels, 3, 3};
    const Tensor x = random_reals(random, x_dims);
    const Tensor w = random_reals(random, w_dims);
    const Numbers got = numbers_of(must(call(op::conv, {&x, &w})));
    const Sliding how{1, {1, 1}, {1, 1}, {0, 0, 0, 0}};
    const Array wanted = naive_convolution({x_dims, numbers_of(x)}, {w_dims, numbers_of(w)}, {}, how);
    // The mean size of a sum of products is sqrt(9 * channels) / 3.
    const double scale = std::sqrt(static_cast<double>(channels));
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], wanted.values[i], 3e-6 * scale);
  }
}

TEST(Conv, AResultDoesNotDependOnPixelsOutsideOfItsWindow) {
  Random random;
  Tensor x = random_reals(random, {1, 16, 8, 8});
  const Tensor w = random_reals(random, {24, 16, 3, 3});
  const auto before = elements<float>(must(call(op::conv, {&x, &w})));
  reinterpret_cast<float*>(x.data())[3 * 8 + 3] = 1e30F;
  const auto after = elements<float>(must(call(op::conv, {&x, &w})));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::size_t row = i / 6 % 6;
    const std::size_t column = i % 6;
    const bool sees = row >= 1 && row <= 3 && column >= 1 && column <= 3;
    ASSERT_EQ(before[i] == after[i], !sees) << row << " " << column;
  }
}

TEST(Conv, ChannelsOfTheResultLieSideBySide) {
  const Tensor x = zeros(Dtype::float32, {1, 2, 4, 5});
  const Tensor w = zeros(Dtype::float32, {3, 2, 1, 1});
  const Tensor y = must(call(op::conv, {&x, &w}));
  EXPECT_EQ(y.layout->strides, (Dims{60, 1, 15, 3}));
}

TEST(Conv, TheBitsDoNotDependOnTheLayoutOfTheImage) {
  Random random;
  for (int i = 0; i < 12; ++i) {
    const std::int64_t channels = random.one_in(2) ? random.between(1, 90) : 4 * random.between(4, 20);
    const List dims{1, channels, random.between(3, 8), random.between(3, 8)};
    const Tensor x = random_reals(random, dims);
    const Tensor w = random_reals(random, {random.one_in(2) ? 5 : 32, channels, 3, 3});
    const Tensor other = scrambled(x, random);
    const Tensor last = channels_last(x);
    const auto bits = elements<std::uint32_t>(must(call(op::conv, {&x, &w})));
    ASSERT_EQ(elements<std::uint32_t>(must(call(op::conv, {&other, &w}))), bits);
    ASSERT_EQ(elements<std::uint32_t>(must(call(op::conv, {&last, &w}))), bits);
  }
}

TEST(Conv, AutomaticPaddingGivesAsManyPlacesAsTheStrideHas) {
  const Tensor x = floats({1, 1, 4}, {1, 2, 3, 4});
  const Tensor w = floats({1, 1, 2}, {1, 10});
  EXPECT_EQ(elements<float>(must(call(op::conv, {&x, &w}, {word("auto_pad", "SAME_UPPER")}))),
            (std::vector<float>{21, 32, 43, 4}));
  EXPECT_EQ(elements<float>(must(call(op::conv, {&x, &w}, {word("auto_pad", "SAME_LOWER")}))),
            (std::vector<float>{10, 21, 32, 43}));
  EXPECT_EQ(elements<float>(must(call(op::conv, {&x, &w}, {word("auto_pad", "VALID")}))), (std::vector<float>{21, 32, 43}));
}

TEST(Conv, PaddingThatFewWindowsReachTakesNoMemory) {
  const std::int64_t most = std::int64_t{1} << 30;
  const std::vector<Given> given{ints("pads", {0, most, 0, most}), ints("strides", {1, most})};
  const Tensor x = floats({1, 1, 1, 2}, {3, 5});
  const Tensor w = floats({1, 1, 1, 2}, {2, 10});
  EXPECT_EQ(elements<float>(must(call(op::conv, {&x, &w}, given))), (std::vector<float>{0, 56, 0}));
  const Tensor bytes = tensor_of_numbers(Dtype::uint8, {1, 1, 1, 2}, {3, 5});
  const Tensor weights = tensor_of_numbers(Dtype::int8, {1, 1, 1, 2}, {2, 10});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::conv_integer, {&bytes, &weights}, given))),
            (std::vector<std::int32_t>{0, 56, 0}));
}

TEST(Conv, WithoutChannelsTheResultIsTheBias) {
  const Tensor x = zeros(Dtype::float32, {1, 0, 3, 3});
  const Tensor w = zeros(Dtype::float32, {2, 0, 2, 2});
  const Tensor b = floats({2}, {1, 2});
  const Tensor y = must(call(op::conv, {&x, &w, &b}));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Conv, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::float32, {1, 4, 5, 5});
  const Tensor w = zeros(Dtype::float32, {6, 2, 3, 3});
  const auto refuses = [&](const std::vector<Given>& given, const Tensor& image, const Tensor& weights, const char* text) {
    EXPECT_TRUE(fails(call(op::conv, {&image, &weights}, given), Code::InvalidArgument, text));
  };
  const Given two = int_attribute("group", 2);
  refuses({}, x, w, "Conv-22: the image has dims [1, 4, 5, 5], but weights [6, 2, 3, 3] and 1 group want 2 channels");
  refuses({int_attribute("group", 0)}, x, w, "Conv-22: attribute 'group' is 0, wanted 1 or more");
  refuses({two, ints("pads", {1, 1})}, x, w, "Conv-22: attribute 'pads' is [1, 1], wanted 4 numbers");
  refuses({two, ints("pads", {1, -1, 0, 0})}, x, w,
          "Conv-22: attribute 'pads' is [1, -1, 0, 0], wanted numbers from 0 to 2147483647");
  refuses({two, ints("pads", {0, 0, std::int64_t{1} << 62, 0})}, x, w,
          "Conv-22: attribute 'pads' is [0, 0, 4611686018427387904, 0], wanted numbers from 0 to 2147483647");
  refuses({two, ints("strides", {0, 1})}, x, w, "Conv-22: attribute 'strides' is [0, 1], wanted numbers from 1 to 2147483647");
  refuses({two, ints("kernel_shape", {3, 2})}, x, w,
          "Conv-22: attribute 'kernel_shape' is [3, 2], but the weights have [3, 3]");
  refuses({two, ints("dilations", {1, 3})}, x, w,
          "Conv-22: a window reaches over 7 elements of axis 3, which has 5 with its padding");
  const Tensor odd = zeros(Dtype::float32, {5, 2, 3, 3});
  refuses({two}, x, odd, "Conv-22: 5 filters cannot be divided into 2 groups");
  const Tensor flat = zeros(Dtype::float32, {6, 2, 3});
  refuses({two}, x, flat, "Conv-22: the image has dims [1, 4, 5, 5] and the weights [6, 2, 3], wanted equally many axes");
}

// ---- ConvTranspose ----

// Adds each element's filter to the result, whose dims are given.
Array naive_transposed(const Array& x, const Array& w, const Numbers& bias, const Sliding& how, const List& y_dims) {
  const std::size_t axes = x.dims.size() - 2;
  Array y{y_dims, {}};
  each_place(y_dims,
             [&](const List& place) { y.values.push_back(bias.empty() ? 0 : bias[static_cast<std::size_t>(place[1])]); });
  const std::int64_t channels = w.dims[0] / how.groups;
  const List taps(w.dims.begin() + 1, w.dims.end());
  each_place(x.dims, [&](const List& from) {
    each_place(taps, [&](const List& tap) {
      const std::int64_t group = from[1] / channels;
      List to{from[0], group * w.dims[1] + tap[0]};
      List filter{from[1]};
      filter.insert(filter.end(), tap.begin(), tap.end());
      for (std::size_t i = 0; i < axes; ++i) {
        to.push_back(from[2 + i] * how.strides[i] - how.pads[i] + tap[1 + i] * how.dilations[i]);
        if (to.back() < 0 || to.back() >= y_dims[2 + i]) return;
      }
      std::int64_t number = 0;
      for (std::size_t i = 0; i < to.size(); ++i) number = number * y_dims[i] + to[i];
      y.values[static_cast<std::size_t>(number)] += x.at(from) * w.at(filter);
    });
  });
  return y;
}

TEST(ConvTranspose, RandomCallsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 80; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    const auto axes = static_cast<std::size_t>(random.between(1, 3));
    Sliding how;
    how.groups = random.one_in(2) ? 1 : random.between(1, 4);
    List x_dims{random.between(0, 2), how.groups * (random.one_in(3) ? 1 : random.between(1, 5))};
    List w_dims{x_dims[1], random.one_in(3) ? 1 : random.between(1, 9)};
    List y_dims{x_dims[0], how.groups * w_dims[1]};
    List padding;
    for (std::size_t k = 0; k < axes; ++k) {
      x_dims.push_back(random.between(1, 5));
      w_dims.push_back(random.between(1, 4));
      how.strides.push_back(random.between(1, random.one_in(5) ? 12 : 4));
      how.dilations.push_back(random.one_in(2) ? 1 : random.between(1, 3));
      padding.push_back(random.between(0, how.strides.back() - 1));
    }
    for (std::size_t k = 0; k < 2 * axes; ++k) how.pads.push_back(random.between(0, 1));
    for (std::size_t k = 0; k < axes; ++k) {
      const std::int64_t reach = (w_dims[2 + k] - 1) * how.dilations[k] + 1;
      const std::int64_t whole = how.strides[k] * (x_dims[2 + k] - 1) + padding[k] + reach;
      if (whole < how.pads[k] + how.pads[axes + k]) how.pads[k] = how.pads[axes + k] = 0;
      y_dims.push_back(whole - how.pads[k] - how.pads[axes + k]);
    }
    const Tensor x = random_tensor(random, dtype, x_dims);
    const Tensor w = random_tensor(random, dtype, w_dims);
    const Tensor b = random_tensor(random, dtype, {y_dims[1]});
    const bool has_bias = random.one_in(2);
    std::vector<const Tensor*> inputs{&x, &w};
    if (has_bias) inputs.push_back(&b);
    const Tensor y = must(call(op::conv_transpose, inputs,
                               {int_attribute("group", how.groups), ints("strides", how.strides),
                                ints("dilations", how.dilations), ints("pads", how.pads), ints("output_padding", padding)}));
    const Array wanted =
        naive_transposed({x_dims, numbers_of(x)}, {w_dims, numbers_of(w)}, has_bias ? numbers_of(b) : Numbers(), how, y_dims);
    ASSERT_EQ(list(y.dims()), wanted.dims);
    const Tensor rounded = tensor_of<double>(Dtype::float64, dims_of(wanted.dims), wanted.values);
    ASSERT_EQ(numbers_of(y), numbers_of(must(in_type(rounded, dtype)))) << info(dtype).name << " call " << i;
  }
}

// Then all taps are filters of one convolution.
TEST(ConvTranspose, RandomCallsWithOneFilterThatNeverOverlapsItselfEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 40; ++i) {
    const Dtype dtype = types[random.below(std::size(types))];
    const auto axes = static_cast<std::size_t>(random.between(1, 3));
    Sliding how{1, {}, List(axes, 1), List(2 * axes, 0)};
    List x_dims{random.between(1, 2), random.between(1, 9)};
    List w_dims{x_dims[1], 1};
    List y_dims{x_dims[0], 1};
    for (std::size_t k = 0; k < axes; ++k) {
      x_dims.push_back(random.between(1, 6));
      w_dims.push_back(random.between(1, 4));
      how.strides.push_back(w_dims.back());
      y_dims.push_back(x_dims.back() * w_dims.back());
    }
    const Tensor x = random_tensor(random, dtype, x_dims);
    const Tensor w = random_tensor(random, dtype, w_dims);
    const Tensor b = random_tensor(random, dtype, {1});
    const bool has_bias = random.one_in(2);
    std::vector<const Tensor*> inputs{&x, &w};
    if (has_bias) inputs.push_back(&b);
    const Tensor y = must(call(op::conv_transpose, inputs, {ints("strides", how.strides)}));
    const Array wanted =
        naive_transposed({x_dims, numbers_of(x)}, {w_dims, numbers_of(w)}, has_bias ? numbers_of(b) : Numbers(), how, y_dims);
    ASSERT_EQ(list(y.dims()), wanted.dims);
    const Tensor rounded = tensor_of<double>(Dtype::float64, dims_of(wanted.dims), wanted.values);
    ASSERT_EQ(numbers_of(y), numbers_of(must(in_type(rounded, dtype)))) << info(dtype).name << " call " << i;
  }
}

TEST(ConvTranspose, TheOutputsShapeDecidesWhatIsCut) {
  const Tensor x = floats({1, 1, 2}, {1, 10});
  const Tensor w = floats({1, 1, 3}, {1, 2, 3});
  const auto with = [&](const std::vector<Given>& given) {
    return elements<float>(must(call(op::conv_transpose, {&x, &w}, given)));
  };
  EXPECT_EQ(with({ints("strides", {2})}), (std::vector<float>{1, 2, 13, 20, 30}));
  EXPECT_EQ(with({ints("strides", {2}), ints("output_shape", {4})}), (std::vector<float>{2, 13, 20, 30}));
  EXPECT_EQ(with({ints("strides", {2}), ints("output_shape", {1, 1, 4}), word("auto_pad", "SAME_UPPER")}),
            (std::vector<float>{1, 2, 13, 20}));
  EXPECT_EQ(with({ints("strides", {2}), word("auto_pad", "SAME_LOWER")}), (std::vector<float>{2, 13, 20, 30}));
  EXPECT_EQ(with({ints("strides", {2}), ints("output_shape", {7})}), (std::vector<float>{1, 2, 13, 20, 30, 0, 0}));
}

TEST(ConvTranspose, APlaceThatNoFilterReachesHasTheBias) {
  const Tensor x = floats({1, 1, 2}, {1, 10});
  const Tensor w = floats({1, 2, 1}, {1, 1});
  const Tensor b = floats({2}, {5, -0.0F});
  const auto y = elements<float>(must(call(op::conv_transpose, {&x, &w, &b}, {ints("strides", {2})})));
  EXPECT_EQ(y, (std::vector<float>{6, 5, 15, 1, 0, 10}));
  EXPECT_FALSE(std::signbit(y[4]));
}

class ConvBeforeRun : public BeforeRun {};

TEST_F(ConvBeforeRun, ATransposedConvolutionHasExpressionsToo) {
  const Tensor w = known({8, 3, 3, 3});
  EXPECT_EQ(sizes(op::conv_transpose, {known({n(), 8, m(), 6}), w}, {ints("strides", {2, 2})}), "n 3 2*m + 1 13");
  EXPECT_EQ(sizes(op::conv_transpose, {known({n(), 3, m(), 6}), w}), "error");
}

TEST_F(ConvBeforeRun, PlacesAreExpressionsOfTheSizes) {
  const Tensor w = known({8, 3, 3, 3});
  EXPECT_EQ(sizes(op::conv, {known({n(), 3, m(), 6}), w}), "n 8 m - 2 4");
  EXPECT_EQ(sizes(op::conv, {known({n(), 3, m(), 6}), w}, {word("auto_pad", "SAME_UPPER"), ints("strides", {2, 2})}),
            "n 8 m - floor((m)/(2)) 3");
  EXPECT_EQ(sizes(op::conv, {unranked(), w}), "? 8 ? ?");
  EXPECT_EQ(sizes(op::conv, {known({1, 3, 5, 5}), unranked()}), "1 ? ? ?");
  EXPECT_EQ(sizes(op::conv, {unranked(), unranked()}), "unknown");
  EXPECT_EQ(sizes(op::conv, {known({1, 4, 5, 5}), w}), "error");
}

}  // namespace
}  // namespace broadloom::test::convolution_test
