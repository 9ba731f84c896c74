// Compares products and convolutions of integers of 8 bits with naive C++.
#include <cmath>

#include "support/before_run.h"
#include "support/calls.h"
#include "support/layouts.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator conv_integer, mat_mul_integer, qlinear_conv, qlinear_mat_mul;
}
namespace broadloom::op::microsoft {
extern const Operator dynamic_quantize_mat_mul, mat_mul_integer_to_float, mat_mul_nbits;
}

namespace broadloom::test::integers_test {
namespace {

constexpr Dtype byte_types[] = {Dtype::int8, Dtype::uint8};

Dtype byte_type(Random& random) { return byte_types[random.below(2)]; }

// Elements from the whole range of the type.
Tensor whole(Random& random, Dtype dtype, const List& dims) {
  Tensor tensor = zeros(dtype, dims_of(dims));
  for (std::int64_t i = 0; i < tensor.count(); ++i) tensor.data()[i] = static_cast<std::byte>(random.below(256));
  return random.one_in(2) ? scrambled(tensor, random) : tensor;
}

Tensor byte_scalar(Dtype dtype, int value) { return tensor_of<std::uint8_t>(dtype, {}, {static_cast<std::uint8_t>(value)}); }

// A zero point for each of `count` rows or columns: of one element, or of one each.
Numbers each(const Tensor& zero, std::int64_t count) {
  Numbers values = numbers_of(zero);
  return values.size() == 1 ? Numbers(static_cast<std::size_t>(count), values[0]) : values;
}

// ---- MatMulInteger ----

Numbers naive_product(const Tensor& a, const Tensor& b, const Numbers& rows, const Numbers& columns) {
  const auto x = numbers_of(a);
  const auto y = numbers_of(b);
  const std::size_t sums = x.size() / std::max<std::size_t>(rows.size(), 1);
  Numbers result;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < sums; ++k) {
        sum += (x[row * sums + k] - rows[row]) * (y[k * columns.size() + column] - columns[column]);
      }
      result.push_back(sum);
    }
  }
  return result;
}

TEST(MatMulInteger, RandomMatricesOfEveryTypeLayoutAndZeroPointEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 150; ++i) {
    const std::int64_t rows = random.one_in(8) ? random.between(14, 40) : random.between(1, 9);
    const std::int64_t sums = random.one_in(8) ? random.between(500, 1100) : random.between(1, 40);
    const std::int64_t columns = random.one_in(8) ? random.between(30, 50) : random.between(1, 20);
    const Tensor a = whole(random, byte_type(random), {rows, sums});
    const Tensor b = whole(random, byte_type(random), {sums, columns});
    const Tensor a_zero = whole(random, a.dtype, random.one_in(2) ? List{1} : random.one_in(2) ? List{rows} : List{rows, 1});
    const Tensor b_zero = whole(random, b.dtype,
                                random.one_in(2)   ? List{}
                                : random.one_in(2) ? List{columns}
                                                   : List{1, columns});
    const Tensor y = must(call(op::mat_mul_integer, {&a, &b, &a_zero, &b_zero}));
    ASSERT_EQ(list(y.dims()), (List{rows, columns}));
    ASSERT_EQ(numbers_of(y), naive_product(a, b, each(a_zero, rows), each(b_zero, columns))) << "call " << i;
  }
}

TEST(MatMulInteger, ABatchHasZeroPointsOfItsMatrices) {
  const Tensor a = tensor_of<std::uint8_t>(Dtype::uint8, {2, 1, 2}, {1, 2, 3, 4});
  const Tensor b = tensor_of<std::uint8_t>(Dtype::uint8, {2, 2, 1}, {1, 10, 2, 20});
  const Tensor zeros_a = tensor_of<std::uint8_t>(Dtype::uint8, {2, 1, 1}, {1, 3});
  const Tensor zeros_b = tensor_of<std::uint8_t>(Dtype::uint8, {2, 1, 1}, {0, 2});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::mat_mul_integer, {&a, &b, &zeros_a, &zeros_b}))),
            (std::vector<std::int32_t>{10, 18}));
  // One matrix on either side serves the batch.
  const Tensor one = tensor_of<std::uint8_t>(Dtype::uint8, {2, 1}, {1, 10});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::mat_mul_integer, {&a, &one, &zeros_a}))), (std::vector<std::int32_t>{10, 10}));
  const Tensor one_of_batch = tensor_of<std::uint8_t>(Dtype::uint8, {1, 1, 2, 1}, {1, 10});
  for (const Tensor* zero : {static_cast<const Tensor*>(nullptr), &zeros_a}) {
    const Tensor y = must(call(op::mat_mul_integer, {&a, &one_of_batch, zero}));
    EXPECT_EQ(list(y.dims()), (List{1, 2, 1, 1}));
    EXPECT_EQ(elements<std::int32_t>(y),
              zero == nullptr ? (std::vector<std::int32_t>{21, 43}) : (std::vector<std::int32_t>{10, 10}));
  }
  const Tensor row = tensor_of<std::uint8_t>(Dtype::uint8, {2}, {1, 2});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::mat_mul_integer, {&row, &b, nullptr, &zeros_b}))),
            (std::vector<std::int32_t>{21, 36}));
}

TEST(MatMulInteger, SumsWrapAround) {
  const Tensor a = zeros(Dtype::uint8, {1, 140000});
  for (std::int64_t i = 0; i < a.count(); ++i) a.data()[i] = std::byte{255};
  Tensor b = a;
  b.layout = dense_layout({140000, 1});
  const Tensor y = must(call(op::mat_mul_integer, {&a, &b}));
  const auto wanted = static_cast<std::int32_t>(static_cast<std::uint32_t>(140000ULL * 255 * 255));
  EXPECT_EQ(elements<std::int32_t>(y), std::vector<std::int32_t>{wanted});
}

TEST(MatMulInteger, WithoutElementsSumsAreZero) {
  const Tensor a = zeros(Dtype::uint8, {2, 0});
  const Tensor b = zeros(Dtype::int8, {0, 3});
  EXPECT_EQ(elements<std::int32_t>(must(call(op::mat_mul_integer, {&a, &b}))), std::vector<std::int32_t>(6, 0));
}

TEST(MatMulInteger, ViewsOfTooManyElementsAreRefused) {
  const Tensor one = byte_scalar(Dtype::uint8, 1);
  const std::int64_t many = std::int64_t{1} << 32;
  const Tensor a{Dtype::uint8, uniform_layout({2, many}), one.storage};
  const Tensor b{Dtype::uint8, uniform_layout({many, 2}), one.storage};
  EXPECT_TRUE(fails(call(op::mat_mul_integer, {&a, &b}), Code::OutOfMemory, "out of memory"));
}

TEST(MatMulInteger, ZeroPointsThatDoNotFitAreRefused) {
  const Tensor a = zeros(Dtype::uint8, {2, 3});
  const Tensor b = zeros(Dtype::int8, {3, 4});
  const Tensor three = zeros(Dtype::uint8, {3});
  const Tensor turned = zeros(Dtype::int8, {4, 1});
  EXPECT_TRUE(fails(call(op::mat_mul_integer, {&a, &b, &three}), Code::InvalidArgument,
                    "'a_zero_point' has dims [3], which are not for an operand of dims [2, 3]"));
  EXPECT_TRUE(fails(call(op::mat_mul_integer, {&a, &b, nullptr, &turned}), Code::InvalidArgument,
                    "'b_zero_point' has dims [4, 1], which are not for an operand of dims [3, 4]"));
  EXPECT_TRUE(fails(call(op::mat_mul_integer, {&a, &b, &turned}), Code::InvalidArgument, "another input of type T1 is uint8"));
  EXPECT_TRUE(fails(call(op::mat_mul_integer, {&a, &a}), Code::InvalidArgument, "cannot multiply [2, 3] by [2, 3]"));
}

// ---- QLinearMatMul ----

Numbers quantised(const Numbers& sums, const Numbers& scales, double zero, Dtype dtype) {
  Numbers result;
  const double low = dtype == Dtype::int8 ? -128 : 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const float scaled = static_cast<float>(sums[i]) * static_cast<float>(scales[i % scales.size()]);
    result.push_back(std::clamp(std::nearbyint(static_cast<double>(scaled)) + zero, low, low + 255));
  }
  return result;
}

TEST(QLinearMatMul, RandomMatricesEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t rows = random.between(1, 20);
    const std::int64_t sums = random.between(0, 40);
    const std::int64_t columns = random.between(1, 20);
    const bool is_each = random.one_in(2);
    const List parameter = is_each ? List{columns} : List{};
    const Tensor a = whole(random, byte_type(random), {rows, sums});
    const Tensor b = whole(random, byte_type(random), {sums, columns});
    const Tensor a_zero = whole(random, a.dtype, {});
    const Tensor b_zero = whole(random, b.dtype, parameter);
    const Tensor y_zero = whole(random, byte_type(random), {1});
    const Tensor a_scale = floats({}, {0.25F});
    Tensor b_scale = zeros(Dtype::float32, dims_of(parameter));
    Numbers scales;
    for (std::int64_t c = 0; c < b_scale.count(); ++c) {
      const float scale = static_cast<float>(random.between(1, 30)) / 512;
      reinterpret_cast<float*>(b_scale.data())[c] = scale;
      scales.push_back(static_cast<double>(0.25F * scale / 1.5F));
    }
    const Tensor y_scale = floats({1}, {1.5F});
    const Tensor y = must(call(op::qlinear_mat_mul, {&a, &a_scale, &a_zero, &b, &b_scale, &b_zero, &y_scale, &y_zero}));
    const Numbers wanted = naive_product(a, b, each(a_zero, rows), each(b_zero, columns));
    ASSERT_EQ(numbers_of(y), quantised(wanted, scales, numbers_of(y_zero)[0], y.dtype)) << "call " << i;
  }
}

TEST(QLinearMatMul, RowsHaveScalesOfTheirOwn) {
  const Tensor a = tensor_of<std::uint8_t>(Dtype::uint8, {2, 1}, {10, 10});
  const Tensor b = tensor_of<std::uint8_t>(Dtype::uint8, {1, 2}, {1, 3});
  const Tensor scales = floats({2}, {1, 0.5F});
  const Tensor zeros_a = tensor_of<std::uint8_t>(Dtype::uint8, {2}, {0, 5});
  const Tensor one = floats({}, {1});
  const Tensor zero = byte_scalar(Dtype::uint8, 0);
  const Tensor y = must(call(op::qlinear_mat_mul, {&a, &scales, &zeros_a, &b, &one, &zero, &one, &zero}));
  // 2.5 and 7.5 go to the even integers.
  EXPECT_EQ(bytes_of(y), (Bytes{10, 30, 2, 8}));
}

TEST(QLinearMatMul, Float8IsMultipliedInFloat32) {
  // 1 and 2 of float8e4m3fn.
  const Tensor a = tensor_of<std::uint8_t>(Dtype::float8e4m3fn, {1, 2}, {0x38, 0x40});
  const Tensor b = tensor_of<std::uint8_t>(Dtype::float8e4m3fn, {2, 2}, {0x38, 0x40, 0x40, 0x38});
  const Tensor scale = floats({}, {0.5F});
  const Tensor zero = tensor_of<std::uint8_t>(Dtype::float8e4m3fn, {}, {0});
  // [5, 4] times 0.5 * 0.5 / 0.5.
  const Tensor y = must(call(op::qlinear_mat_mul, {&a, &scale, &zero, &b, &scale, &zero, &scale, &zero}));
  EXPECT_EQ(numbers_of(y), (Numbers{2.5, 2}));
  const Tensor integer = byte_scalar(Dtype::int8, 100);
  EXPECT_EQ(numbers_of(must(call(op::qlinear_mat_mul, {&a, &scale, &zero, &b, &scale, &zero, &scale, &integer}))),
            (Numbers{102, 102}));
}

// ---- Products of com.microsoft ----

TEST(MatMulIntegerToFloat, ColumnsHaveScalesAndABias) {
  const Tensor a = tensor_of<std::uint8_t>(Dtype::uint8, {1, 2}, {3, 4});
  const Tensor b = tensor_of<std::uint8_t>(Dtype::int8, {2, 2}, {1, 2, 3, 4});
  const Tensor a_scale = floats({}, {0.5F});
  const Tensor b_scale = floats({2}, {1, 2});
  const Tensor zero = byte_scalar(Dtype::uint8, 1);
  const Tensor bias = floats({2}, {100, 200});
  const Tensor y =
      must(call(op::microsoft::mat_mul_integer_to_float, {&a, &b, &a_scale, &b_scale, &zero, nullptr, &bias}, {}, 1));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{105.5F, 216}));
}

TEST(DynamicQuantizeMatMul, QuantisesTheFirstOperandByItsRange) {
  const Tensor a = floats({1, 2}, {-1, 1.55F});
  const Tensor b = tensor_of<std::uint8_t>(Dtype::int8, {2, 1}, {1, 2});
  const Tensor scale = floats({1}, {2});
  // The scale is 0.01, and the zero point 100: the elements are 0 and 255.
  const Tensor y = must(call(op::microsoft::dynamic_quantize_mat_mul, {&a, &b, &scale}, {}, 1));
  EXPECT_NEAR(static_cast<double>(elements<float>(y)[0]), 2 * (-1 + 2 * 1.55), 1e-5);
}

// ---- MatMulNBits ----

TEST(MatMulNBits, RandomWeightsOfEveryWidthEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t bits = std::int64_t{2} << random.below(3);
    const std::int64_t block_size = std::int64_t{16} << random.below(3);
    const std::int64_t rows = random.between(1, 6);
    const std::int64_t sums = random.one_in(3) ? random.between(250, 600) : random.between(1, 70);
    const std::int64_t columns = random.between(1, 40);
    const std::int64_t blocks = (sums + block_size - 1) / block_size;
    const Tensor a = random_tensor(random, random.one_in(2) ? Dtype::float32 : Dtype::float16, {rows, sums});
    const Tensor b = whole(random, Dtype::uint8, {columns, blocks, block_size * bits / 8});
    Numbers scales(static_cast<std::size_t>(columns * blocks));
    for (double& scale : scales) scale = static_cast<double>(random.between(1, 4)) / 4;
    const Tensor scale = tensor_of_numbers(a.dtype, {columns, blocks}, scales);
    Numbers points(scales.size());
    for (double& point : points) point = static_cast<double>(random.between(0, 3));
    const Tensor zero = tensor_of_numbers(a.dtype, {columns, blocks}, points);
    const bool has_zeros = random.one_in(2);
    const Tensor y = must(call(op::microsoft::mat_mul_nbits, {&a, &b, &scale, has_zeros ? &zero : nullptr},
                               {int_attribute("K", sums), int_attribute("N", columns), int_attribute("bits", bits),
                                int_attribute("block_size", block_size)},
                               1));
    const Bytes bytes = bytes_of(b);
    const Numbers x = numbers_of(a);
    Numbers wanted;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < sums; ++k) {
          const std::int64_t block = column * blocks + k / block_size;
          const std::int64_t bit = block * block_size * bits + k % block_size * bits;
          const int number = bytes[static_cast<std::size_t>(bit / 8)] >> (bit % 8) & ((1 << bits) - 1);
          const double less = has_zeros ? points[static_cast<std::size_t>(block)] : static_cast<double>(1 << (bits - 1));
          sum += x[static_cast<std::size_t>(row * sums + k)] * (number - less) * scales[static_cast<std::size_t>(block)];
        }
        wanted.push_back(sum);
      }
    }
    ASSERT_TRUE(are_near(y, wanted, 2e-3)) << "call " << i;
  }
}

TEST(MatMulNBits, ZeroPointsOfBlocksArePackedAsWeights) {
  const Tensor a = floats({1, 17}, std::vector<float>(17, 1));
  const Tensor b = zeros(Dtype::uint8, {1, 2, 8});
  const Tensor scale = floats({2}, {1, 10});
  // 1 for the first block, and 2 for the second one, which has one element.
  const Tensor zero = tensor_of<std::uint8_t>(Dtype::uint8, {1, 1}, {0x21});
  const Tensor bias = floats({1}, {100});
  const std::vector<Given> attributes{int_attribute("K", 17), int_attribute("N", 1), int_attribute("block_size", 16)};
  const Tensor y = must(call(op::microsoft::mat_mul_nbits, {&a, &b, &scale, &zero, nullptr, &bias}, attributes, 1));
  EXPECT_EQ(elements<float>(y), std::vector<float>{64});
}

TEST(MatMulNBits, WhatDoesNotFitIsRefused) {
  const Tensor a = zeros(Dtype::float32, {1, 16});
  const Tensor b = zeros(Dtype::uint8, {1, 1, 8});
  const Tensor scale = floats({1}, {1});
  const Tensor groups = zeros(Dtype::int32, {16});
  const auto refuses = [&](std::int64_t k, std::int64_t bits, std::int64_t block, const Tensor* g_idx, std::string_view says) {
    const std::vector<Given> attributes{int_attribute("K", k), int_attribute("N", 1), int_attribute("bits", bits),
                                        int_attribute("block_size", block)};
    EXPECT_TRUE(fails(call(op::microsoft::mat_mul_nbits, {&a, &b, &scale, nullptr, g_idx}, attributes, 1),
                      Code::InvalidArgument, std::string(says)));
  };
  refuses(17, 4, 32, nullptr, "'B' has dims [1, 1, 8], wanted [1, 1, 16]");
  refuses(15, 4, 16, nullptr, "'A' has dims [1, 16], wanted 15 as the last");
  refuses(0, 4, 16, nullptr, "attribute 'K' is 0, wanted 1 to 2^31 - 1");
  refuses(16, 3, 16, nullptr, "attribute 'bits' is 3, wanted 2, 4 or 8");
  refuses(16, 4, 24, nullptr, "attribute 'block_size' is 24, wanted a power of 2 from 16 on");
  refuses(16, 4, 16, &groups, "'g_idx' is not supported");
}

// ---- Convolutions ----

TEST(QLinearConv, RandomConvolutionsOfEveryTypeLayoutAndZeroPointEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    // Now and then, sums have more elements than a tile adds at a time.
    const bool is_deep = random.one_in(10);
    const auto axes = is_deep ? 1U : static_cast<std::size_t>(random.between(1, 3));
    Sliding how;
    how.groups = is_deep || random.one_in(2) ? 1 : random.between(1, 20);
    const std::int64_t channels = is_deep ? random.between(300, 600) : random.one_in(3) ? 1 : random.between(1, 7);
    const std::int64_t filters = random.one_in(3) ? 1 : random.between(1, is_deep || how.groups > 4 ? 3 : 10);
    List x_dims{random.between(0, 2), how.groups * channels};
    List w_dims{how.groups * filters, channels};
    for (std::size_t k = 0; k < axes; ++k) {
      const std::int64_t kernel = random.between(1, 4);
      how.strides.push_back(random.between(1, 3));
      how.dilations.push_back(random.one_in(2) ? 1 : random.between(1, 3));
      const std::int64_t reach = (kernel - 1) * how.dilations.back() + 1;
      x_dims.push_back(random.between(std::max<std::int64_t>(reach - 1, 1), reach + (axes == 1 ? 9 : 2)));
      w_dims.push_back(kernel);
    }
    for (std::size_t k = 0; k < 2 * axes; ++k) how.pads.push_back(random.one_in(2) ? 1 : random.between(k < axes ? 1 : 0, 3));
    const std::vector<Given> attributes{int_attribute("group", how.groups), ints("strides", how.strides),
                                        ints("dilations", how.dilations), ints("pads", how.pads)};
    const List parameter = random.one_in(2) ? List{w_dims[0]} : List{};
    const Tensor x = whole(random, byte_type(random), x_dims);
    const Tensor w = whole(random, byte_type(random), w_dims);
    const Tensor x_zero = whole(random, x.dtype, {});
    const Tensor w_zero =
        random.one_in(3) ? byte_scalar(w.dtype, w.dtype == Dtype::uint8 ? 128 : 0) : whole(random, w.dtype, parameter);
    const Tensor y_zero = whole(random, byte_type(random), {});
    Numbers biases(static_cast<std::size_t>(w_dims[0]));
    for (double& value : biases) value = static_cast<double>(random.between(-9000, 9000));
    const Tensor b = tensor_of_numbers(Dtype::int32, {w_dims[0]}, biases);
    const Tensor x_scale = floats({1}, {0.5F});
    const Tensor w_scale = floats({}, {0.125F});
    const Tensor y_scale = floats({}, {30});
    const auto less = [](const Tensor& tensor, const Numbers& zero, std::int64_t each_axis) {
      Numbers values = numbers_of(tensor);
      const std::size_t part = zero.size() == 1 ? values.size() : values.size() / static_cast<std::size_t>(each_axis);
      for (std::size_t k = 0; k < values.size(); ++k) values[k] -= zero[k / std::max<std::size_t>(part, 1)];
      return values;
    };
    const Array image{x_dims, less(x, numbers_of(x_zero), 1)};
    const Array weights{w_dims, less(w, numbers_of(w_zero), w_dims[0])};
    const Array sums = naive_convolution(image, weights, {}, how);
    const Tensor integers = must(call(op::conv_integer, {&x, &w, &x_zero, &w_zero}, attributes));
    ASSERT_EQ(list(integers.dims()), sums.dims);
    ASSERT_EQ(numbers_of(integers), sums.values) << "call " << i;
    const Tensor y =
        must(call(op::qlinear_conv, {&x, &x_scale, &x_zero, &w, &w_scale, &w_zero, &y_scale, &y_zero, &b}, attributes));
    const Numbers biased = naive_convolution(image, weights, numbers_of(b), how).values;
    ASSERT_EQ(numbers_of(y), quantised(biased, {static_cast<double>(0.0625F / 30)}, numbers_of(y_zero)[0], y.dtype))
        << "call " << i;
  }
}

TEST(QLinearConv, ParametersThatDoNotFitAreRefused) {
  const Tensor x = zeros(Dtype::uint8, {1, 1, 3, 3});
  const Tensor w = zeros(Dtype::int8, {2, 1, 2, 2});
  const Tensor one = floats({}, {1});
  const Tensor three = floats({3}, {1, 1, 1});
  const Tensor zero = byte_scalar(Dtype::uint8, 0);
  const Tensor signed_zero = byte_scalar(Dtype::int8, 0);
  EXPECT_TRUE(fails(call(op::qlinear_conv, {&x, &one, &zero, &w, &three, &signed_zero, &one, &zero}), Code::InvalidArgument,
                    "'w_scale' has dims [3], wanted [2]"));
  EXPECT_TRUE(fails(call(op::qlinear_conv, {&x, &three, &zero, &w, &one, &signed_zero, &one, &zero}), Code::InvalidArgument,
                    "'x_scale' has dims [3], wanted [1]"));
}

class IntegersBeforeARun : public BeforeRun {};

TEST_F(IntegersBeforeARun, ProductsAndConvolutionsHaveTheDimsOfThoseOfFloats) {
  const auto byte = [](const SizeList& dims) { return known(dims, Dtype::uint8); };
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({n(), 1, m(), 4}), byte({8, 4, 3})}), "n 8 m 3");
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({4}), byte({8, 4, m()})}), "8 m");
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({n(), 4}), byte({4})}), "n");
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({4}), byte({4})}), "");
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({n(), 4}), byte({4, 3}), byte({m()}), byte({3})}), "n 3");
  EXPECT_EQ(sizes(op::mat_mul_integer, {byte({n(), 4}), byte({4, 3}), byte({}), byte({2})}), "error");
  EXPECT_EQ(sizes(op::mat_mul_integer, {unranked(Dtype::uint8), byte({4, 3})}), "unknown");
  EXPECT_EQ(sizes(op::conv_integer, {byte({n(), 3, 8, 8}), byte({5, 3, 3, 3}), byte({}), byte({5})}), "n 5 6 6");
  EXPECT_EQ(sizes(op::conv_integer, {byte({n(), 3, 8, 8}), byte({5, 3, 3, 3}), byte({}), byte({4})}), "error");
}

}  // namespace
}  // namespace broadloom::test::integers_test
