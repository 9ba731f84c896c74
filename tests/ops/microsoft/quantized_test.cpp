// Operators of com.microsoft on bytes that stand for numbers, compared with naive C++.
#include <cmath>

#include "support/before_run.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator average_pool, global_average_pool, softmax;
}
namespace broadloom::op::microsoft {
extern const Operator qlinear_add, qlinear_average_pool, qlinear_concat, qlinear_global_average_pool, qlinear_leaky_relu,
    qlinear_mul, qlinear_sigmoid, qlinear_softmax, qlinear_where;
}

namespace broadloom::test::microsoft_quantized_test {
namespace {

namespace ms = op::microsoft;

constexpr Dtype byte_types[] = {Dtype::int8, Dtype::uint8};

// Bytes with their scale and zero point.
struct Quantised {
  Tensor bytes, scale, zero;

  Quantised(Random& random, Dtype dtype, const List& dims)
      : scale(random_scale(random)), zero(random_bytes(random, dtype, {})) {
    const Tensor dense = random_bytes(random, dtype, dims);
    bytes = random.one_in(2) ? scrambled(dense, random) : dense;
  }
  // Powers of two, with which results are exact.
  static Tensor random_scale(Random& random) {
    const List dims = random.one_in(2) ? List{1} : List{};
    return tensor_of_numbers(Dtype::float32, dims, {std::exp2(static_cast<double>(random.between(-5, -2)))});
  }
  static Tensor random_bytes(Random& random, Dtype dtype, const List& dims) {
    Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
    const std::int64_t least = dtype == Dtype::int8 ? -128 : 0;
    for (double& value : values) value = static_cast<double>(random.between(least, least + 255));
    return tensor_of_numbers(dtype, dims, values);
  }
  Numbers numbers() const {
    Numbers values = numbers_of(bytes);
    for (double& value : values) value = (value - numbers_of(zero)[0]) * numbers_of(scale)[0];
    return values;
  }
  // The nearest bytes, ties to even.
  Numbers nearest(Numbers values) const {
    const double least = bytes.dtype == Dtype::int8 ? -128 : 0;
    for (double& value : values) {
      value = std::nearbyint(value / numbers_of(scale)[0]) + numbers_of(zero)[0];
      value = std::min(std::max(value, least), least + 255);
    }
    return values;
  }
};

TEST(QLinear, SumsAndProductsBroadcastAndAreRoundedOnce) {
  Random random;
  for (int i = 0; i < 60; ++i) {
    const Dtype dtype = byte_types[random.below(2)];
    const List dims{random.between(1, 3), random.between(1, 4), random.between(1, 30)};
    const bool is_shared = random.one_in(2);
    const Quantised a(random, dtype, dims);
    const Quantised b(random, dtype, is_shared ? List{dims[2]} : dims);
    const Quantised c(random, dtype, {});
    const std::vector<const Tensor*> inputs{&a.bytes, &a.scale, &a.zero, &b.bytes, &b.scale, &b.zero, &c.scale, &c.zero};
    Numbers sums = a.numbers();
    Numbers products = sums;
    const Numbers second = b.numbers();
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += second[k % second.size()];
      products[k] *= second[k % second.size()];
    }
    ASSERT_EQ(numbers_of(must(call(ms::qlinear_add, inputs))), c.nearest(sums));
    ASSERT_EQ(numbers_of(must(call(ms::qlinear_mul, inputs))), c.nearest(products));
  }
}

TEST(QLinear, FunctionsOfOneByteHaveATable) {
  Random random;
  for (int i = 0; i < 40; ++i) {
    const Dtype dtype = byte_types[random.below(2)];
    const Quantised x(random, dtype, {random.between(0, 3), random.between(1, 40), random.between(1, 3)});
    const Quantised y(random, dtype, {});
    const std::vector<const Tensor*> inputs{&x.bytes, &x.scale, &x.zero, &y.scale, &y.zero};
    Numbers leaky = x.numbers();
    Numbers sigmoids = leaky;
    for (double& value : leaky) value = value < 0 ? value / 4 : value;
    for (double& value : sigmoids) value = 1 / (1 + std::exp(-value));
    const Given alpha{"alpha", AttributeType::FLOAT, 0.25F};
    ASSERT_EQ(numbers_of(must(call(ms::qlinear_leaky_relu, inputs, {alpha}))), y.nearest(leaky));
    ASSERT_EQ(numbers_of(must(call(ms::qlinear_sigmoid, inputs))), y.nearest(sigmoids));
  }
}

TEST(QLinear, OmittedZeroPointsAreZero) {
  const Tensor x = tensor_of<std::uint8_t>(Dtype::uint8, {2}, {4, 8});
  const Tensor half = floats({}, {0.5F});
  EXPECT_EQ(bytes_of(must(call(ms::qlinear_add, {&x, &half, nullptr, &x, &half, nullptr, &half}))), (Bytes{8, 16}));
  const Tensor one = floats({}, {1});
  EXPECT_EQ(bytes_of(must(call(ms::qlinear_leaky_relu, {&x, &half, nullptr, &one}))), (Bytes{2, 4}));
}

TEST(QLinear, ConcatAndWhereBringAllPartsToOneScale) {
  Random random;
  for (int i = 0; i < 30; ++i) {
    const Dtype dtype = byte_types[random.below(2)];
    const std::int64_t rows = random.between(1, 3);
    const Quantised a(random, dtype, {rows, random.between(1, 9)});
    const Quantised b(random, dtype, {rows, random.between(1, 9)});
    const Quantised y(random, dtype, {});
    const Tensor joined =
        must(call(ms::qlinear_concat, {&y.scale, &y.zero, &a.bytes, &a.scale, &a.zero, &b.bytes, &b.scale, &b.zero},
                  {int_attribute("axis", -1)}));
    Numbers wanted;
    const Numbers first = a.numbers();
    const Numbers second = b.numbers();
    const auto width = [&](const Numbers& part) { return static_cast<std::ptrdiff_t>(part.size()) / rows; };
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      for (const Numbers* part : {&first, &second}) {
        const auto begin = part->begin() + row * width(*part);
        wanted.insert(wanted.end(), begin, begin + width(*part));
      }
    }
    ASSERT_EQ(numbers_of(joined), y.nearest(wanted));
    const Tensor alone =
        must(call(ms::qlinear_concat, {&y.scale, &y.zero, &a.bytes, &a.scale, &a.zero}, {int_attribute("axis", 0)}));
    ASSERT_EQ(numbers_of(alone), y.nearest(first));

    const Quantised c(random, dtype, {rows, 1});
    const Tensor condition = tensor_of<std::uint8_t>(Dtype::boolean, {rows, 1}, Bytes(static_cast<std::size_t>(rows), 1));
    const Tensor chosen = must(
        call(ms::qlinear_where, {&condition, &a.bytes, &a.scale, &a.zero, &c.bytes, &c.scale, &c.zero, &y.scale, &y.zero}));
    ASSERT_EQ(numbers_of(chosen), y.nearest(first));
  }
}

// Pools have means that are not exact: they may be rounded to the other side of a tie.
void expect_within_a_level(const Tensor& y, const Numbers& wanted) {
  const Numbers values = numbers_of(y);
  ASSERT_EQ(values.size(), wanted.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_LE(std::abs(values[i] - wanted[i]), 1) << i;
}

TEST(QLinear, PoolsAndSoftmaxAreThoseOfTheNumbers) {
  Random random;
  for (int i = 0; i < 40; ++i) {
    const Dtype dtype = byte_types[random.below(2)];
    const bool is_last = random.one_in(2);
    const Quantised x(random, dtype, {random.between(1, 2), random.between(3, 6), random.between(3, 6), random.between(3, 20)});
    const Quantised y(random, dtype, {});
    const std::vector<const Tensor*> inputs{&x.bytes, &x.scale, &x.zero, &y.scale, &y.zero};
    const Tensor numbers = tensor_of_numbers(Dtype::float64, list(x.bytes.dims()), x.numbers());
    const auto moved = [&](const Tensor& tensor, const List& order) {
      Tensor view = tensor;
      if (is_last) view.layout = transposed_layout(tensor.layout, order);
      return view;
    };
    const Tensor image = moved(numbers, {0, 3, 1, 2});
    const Given last = int_attribute("channels_last", is_last ? 1 : 0);
    const std::vector<Given> window{ints("kernel_shape", {2, 3}), ints("pads", {1, 0, 1, 2}), ints("strides", {1, 2}),
                                    int_attribute("count_include_pad", random.between(0, 1))};
    std::vector<Given> given = window;
    given.push_back(last);
    const Tensor mean = must(call(op::average_pool, {&image}, window));
    const Tensor means = must(call(op::global_average_pool, {&image}));
    expect_within_a_level(must(call(ms::qlinear_average_pool, inputs, given)),
                          y.nearest(numbers_of(moved(mean, {0, 2, 3, 1}))));
    expect_within_a_level(must(call(ms::qlinear_global_average_pool, inputs, {last})),
                          y.nearest(numbers_of(moved(means, {0, 2, 3, 1}))));
    for (const std::int64_t opset : {11, 13}) {
      const Tensor softmax = must(call(op::softmax, {&numbers}, {int_attribute("axis", 2)}, opset));
      expect_within_a_level(must(call(ms::qlinear_softmax, inputs, {int_attribute("axis", 2), int_attribute("opset", opset)})),
                            y.nearest(numbers_of(softmax)));
    }
  }
}

TEST(QLinear, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::uint8, {2, 3});
  const Tensor i = zeros(Dtype::int8, {});
  const Tensor s = floats({}, {1});
  const Tensor z = zeros(Dtype::uint8, {});
  const Tensor two = floats({2}, {1, 1});
  const auto refuses = [&](const Operator& op, const std::vector<const Tensor*>& inputs, const std::vector<Given>& given,
                           const char* text) { EXPECT_TRUE(fails(call(op, inputs, given), Code::InvalidArgument, text)); };
  refuses(ms::qlinear_sigmoid, {&x, &two, &z, &s, &z}, {},
          "com.microsoft.QLinearSigmoid-1: input 1 has dims [2], wanted one element");
  refuses(ms::qlinear_add, {&x, &s, &z, &x, &s, &z, &two}, {}, "input 6 has dims [2], wanted one element");
  const Given axis = int_attribute("axis", 0);
  refuses(ms::qlinear_concat, {&s, &z, &x, &s, &z, &x}, {axis}, "takes 2 inputs and 3 for each tensor, got 6");
  refuses(ms::qlinear_concat, {&s, &z, &x, &s, &i}, {axis}, "input 4 is int8, wanted uint8");
  refuses(ms::qlinear_concat, {&s, &z, &x, &z, &z}, {axis}, "input 3 is uint8, wanted float32");
  refuses(ms::qlinear_global_average_pool, {&z, &s, &z, &s, &z}, {}, "an image has 0 axes");
}

class QLinearBeforeARun : public BeforeRun {
 protected:
  Tensor bytes(const SizeList& dims) { return known(dims, Dtype::uint8); }
  Tensor scale() { return known({}); }
  Tensor zero() { return bytes({}); }
};

TEST_F(QLinearBeforeARun, SizesAreThoseOfTheFloatOperators) {
  const Tensor s = scale();
  const Tensor z = zero();
  EXPECT_EQ(sizes(ms::qlinear_add, {bytes({n(), 1}), s, z, bytes({4}), s, z, s, z}), "n 4");
  EXPECT_EQ(sizes(ms::qlinear_sigmoid, {bytes({n(), 3}), s, z, s, z}), "n 3");
  EXPECT_EQ(sizes(ms::qlinear_concat, {s, z, bytes({n(), 3}), s, z, bytes({m(), 3}), s, z}, {int_attribute("axis", 0)}),
            "n + m 3");
  EXPECT_EQ(sizes(ms::qlinear_where, {known({n(), 1}, Dtype::boolean), bytes({4}), s, z, bytes({1, 4}), s, z, s, z}), "n 4");
  const Given last = int_attribute("channels_last", 1);
  EXPECT_EQ(sizes(ms::qlinear_average_pool, {bytes({n(), 5, m(), 7}), s, z, s, z}, {last, ints("kernel_shape", {2, 2})}),
            "n 4 m - 1 7");
  EXPECT_EQ(sizes(ms::qlinear_global_average_pool, {bytes({n(), 5, m(), 7}), s, z, s, z}, {last}), "n 1 1 7");
  EXPECT_EQ(sizes(ms::qlinear_softmax, {bytes({n(), m()}), s, z, s, z}, {int_attribute("opset", 13)}), "n m");
  EXPECT_EQ(sizes(ms::qlinear_softmax, {unranked(Dtype::uint8), s, z, s, z}, {int_attribute("opset", 13)}), "unknown");
}

}  // namespace
}  // namespace broadloom::test::microsoft_quantized_test
