// Compares pools with naive C++.
#include <limits>

#include "support/before_run.h"
#include "support/calls.h"
#include "support/numbers.h"
#include "support/random.h"
#include "support/windows.h"

namespace broadloom::op {
extern const Operator average_pool, conv, conv_integer, conv_transpose, global_average_pool, global_lp_pool, global_max_pool,
    lp_pool, max_pool, qlinear_conv;
}
namespace broadloom::op::microsoft {
extern const Operator fused_conv, nhwc_max_pool, qlinear_average_pool;
}

namespace broadloom::test::pool_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr Dtype real_types[] = {Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16};
constexpr Dtype maximum_types[] = {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::int8, Dtype::bfloat16, Dtype::uint8};

enum class Padding { none, given, same_upper, same_lower, valid };

// A random pool that fits its image [N, C, ...]. Rounded up, a window may be larger than its image with the padding.
struct Pool {
  List dims;
  List kernel, strides, dilations;
  List begins, ends;  // the padding that auto_pad gives, too
  Padding padding = Padding::none;
  bool rounds_up = false;

  // The size with its padding, less the size of a window.
  std::int64_t free(std::size_t i) const { return dims[2 + i] + begins[i] + ends[i] - (kernel[i] - 1) * dilations[i] - 1; }
  std::int64_t places(std::size_t i) const {
    if (!rounds_up || (padding != Padding::none && padding != Padding::given)) return free(i) / strides[i] + 1;
    const std::int64_t up = (free(i) + strides[i] - 1) / strides[i] + 1;
    return (up - 1) * strides[i] < dims[2 + i] + begins[i] ? up : up - 1;
  }
  List result_dims() const {
    List result{dims[0], dims[1]};
    for (std::size_t i = 0; i < kernel.size(); ++i) result.push_back(places(i));
    return result;
  }
  std::vector<Given> attributes() const {
    constexpr const char* words[] = {"NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
    std::vector<Given> given{ints("kernel_shape", kernel), ints("strides", strides), ints("dilations", dilations),
                             int_attribute("ceil_mode", rounds_up ? 1 : 0),
                             word("auto_pad", words[static_cast<std::size_t>(padding)])};
    if (padding == Padding::given) {
      List pads = begins;
      pads.insert(pads.end(), ends.begin(), ends.end());
      given.push_back(ints("pads", pads));
    }
    return given;
  }
};

Pool random_pool(Random& random) {
  Pool pool;
  const std::size_t axes = static_cast<std::size_t>(random.between(1, 3));
  pool.padding = static_cast<Padding>(random.between(0, 4));
  pool.rounds_up = random.one_in(2);
  pool.dims = {random.between(0, 2), random.one_in(3) ? random.between(16, 40) : random.between(1, 5)};
  for (std::size_t i = 0; i < axes; ++i) {
    pool.kernel.push_back(random.between(1, random.one_in(4) ? 9 : 4));
    pool.strides.push_back(random.between(1, 3));
    pool.dilations.push_back(random.one_in(2) ? 1 : random.between(1, 3));
    const std::int64_t reach = (pool.kernel[i] - 1) * pool.dilations[i] + 1;
    const bool is_given = pool.padding == Padding::given;
    std::int64_t begin = is_given ? random.between(0, random.one_in(4) ? 9 : 3) : 0;
    std::int64_t end = is_given ? random.between(0, random.one_in(4) ? 9 : 3) : 0;
    const bool is_same = pool.padding == Padding::same_upper || pool.padding == Padding::same_lower;
    const bool may_be_larger = pool.rounds_up && (is_given || pool.padding == Padding::none);
    const std::int64_t least =
        is_same ? 1 : std::max<std::int64_t>(reach - begin - end - (may_be_larger ? pool.strides[i] - 1 : 0), 1);
    const std::int64_t size = random.between(least, least + (axes == 1 ? 40 : 6));
    if (is_same) {
      const std::int64_t places = (size + pool.strides[i] - 1) / pool.strides[i];
      const std::int64_t all = std::max<std::int64_t>((places - 1) * pool.strides[i] + reach - size, 0);
      begin = pool.padding == Padding::same_upper ? all / 2 : all - all / 2;
      end = all - begin;
    }
    pool.dims.push_back(size);
    pool.begins.push_back(begin);
    pool.ends.push_back(end);
  }
  return pool;
}

// An element of a window: its value, and whether it is of the image. Others are padding.
struct Element {
  double value;
  bool is_inside;
  List place;
};

// The elements of each window, in row-major order. Elements after the padding are left out.
template <class Visit>
void each_window(const Pool& pool, const Array& x, Visit visit) {
  each_place(pool.result_dims(), [&](const List& place) {
    std::vector<Element> elements;
    each_place(pool.kernel, [&](const List& tap) {
      Element one{0, true, {place[0], place[1]}};
      for (std::size_t i = 0; i < tap.size(); ++i) {
        const std::int64_t at = place[2 + i] * pool.strides[i] - pool.begins[i] + tap[i] * pool.dilations[i];
        if (at >= pool.dims[2 + i] + pool.ends[i]) return;
        if (at < 0 || at >= pool.dims[2 + i]) one.is_inside = false;
        one.place.push_back(at);
      }
      if (one.is_inside) one.value = x.at(one.place);
      elements.push_back(one);
    });
    visit(elements);
  });
}

// Numbers with NaN among them.
Tensor with_nans(Random& random, Dtype dtype, const List& dims) {
  const Tensor tensor = random_tensor(random, dtype, dims);
  if (dtype == Dtype::int8 || dtype == Dtype::uint8 || random.one_in(2)) return tensor;
  Numbers values = numbers_of(tensor);
  for (double& value : values) {
    if (random.one_in(8)) value = random.one_in(2) ? std::nan("") : -infinity;
  }
  const Tensor made = tensor_of_numbers(dtype, dims, values);
  return random.one_in(2) ? scrambled(made, random) : made;
}

// The tensor with its channels side by side, sometimes.
Tensor reordered(const Tensor& tensor, Random& random) { return random.one_in(2) ? channels_last(tensor) : tensor; }

TEST(MaxPool, RandomPoolsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 150; ++i) {
    const Pool pool = random_pool(random);
    const Dtype dtype = maximum_types[random.below(std::size(maximum_types))];
    const Tensor x = reordered(with_nans(random, dtype, pool.dims), random);
    const Array image{pool.dims, numbers_of(x)};
    const bool by_columns = random.one_in(2);
    const bool has_indices = random.one_in(2);
    std::vector<Given> given = pool.attributes();
    given.push_back(int_attribute("storage_order", by_columns ? 1 : 0));
    const auto results = must(call_all(op::max_pool, {&x}, given, {newest_opset, has_indices ? 2U : 1U}));
    const double lowest = dtype == Dtype::int8 ? -128 : dtype == Dtype::uint8 ? 0 : -infinity;
    Numbers wanted, numbers;
    each_window(pool, image, [&](const std::vector<Element>& elements) {
      const Element* most = nullptr;
      for (const Element& one : elements) {
        if (!one.is_inside) continue;
        if (most == nullptr || one.value > most->value || (std::isnan(one.value) && !std::isnan(most->value))) most = &one;
      }
      wanted.push_back(most == nullptr ? lowest : most->value);
      numbers.push_back(-1);
      if (most == nullptr) return;
      std::int64_t number = most->place[0] * pool.dims[1] + most->place[1];
      std::int64_t column = 0;
      std::int64_t plane = 1;
      for (std::size_t k = 2; k < pool.dims.size(); ++k) {
        number = number * pool.dims[k] + most->place[k];
        column += most->place[k] * plane;
        plane *= pool.dims[k];
      }
      const std::int64_t before = (most->place[0] * pool.dims[1] + most->place[1]) * plane;
      numbers.back() = static_cast<double>(by_columns ? before + column : number);
    });
    ASSERT_EQ(list(results[0].dims()), pool.result_dims());
    ASSERT_TRUE(are_near(results[0], wanted, 0)) << info(dtype).name << " call " << i;
    if (!has_indices) continue;
    ASSERT_EQ(list(results[1].dims()), pool.result_dims());
    ASSERT_EQ(numbers_of(results[1]), numbers) << info(dtype).name << " call " << i;
  }
}

TEST(AveragePool, RandomPoolsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 150; ++i) {
    const Pool pool = random_pool(random);
    const Dtype dtype = real_types[random.below(std::size(real_types))];
    const Tensor x = reordered(random_tensor(random, dtype, pool.dims), random);
    const bool counts_padding = random.one_in(2);
    std::vector<Given> given = pool.attributes();
    given.push_back(int_attribute("count_include_pad", counts_padding ? 1 : 0));
    const Tensor y = must(call(op::average_pool, {&x}, given));
    Numbers wanted;
    each_window(pool, {pool.dims, numbers_of(x)}, [&](const std::vector<Element>& elements) {
      double sum = 0;
      double count = 0;
      for (const Element& one : elements) {
        sum += one.value;
        count += one.is_inside || counts_padding ? 1 : 0;
      }
      wanted.push_back(sum / count);
    });
    ASSERT_EQ(list(y.dims()), pool.result_dims());
    ASSERT_TRUE(are_near(y, wanted, precision_of(dtype))) << info(dtype).name << " call " << i;
  }
}

TEST(LpPool, RandomPoolsOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Pool pool = random_pool(random);
    const Dtype dtype = real_types[random.below(std::size(real_types))];
    const Tensor x = reordered(random_tensor(random, dtype, pool.dims), random);
    const std::int64_t power = random.between(1, 4);
    std::vector<Given> given = pool.attributes();
    given.push_back(int_attribute("p", power));
    const Tensor y = must(call(op::lp_pool, {&x}, given));
    Numbers wanted;
    each_window(pool, {pool.dims, numbers_of(x)}, [&](const std::vector<Element>& elements) {
      double sum = 0;
      for (const Element& one : elements) sum += std::pow(std::abs(one.value), static_cast<double>(power));
      wanted.push_back(std::pow(sum, 1 / static_cast<double>(power)));
    });
    ASSERT_EQ(list(y.dims()), pool.result_dims());
    ASSERT_TRUE(are_near(y, wanted, precision_of(dtype))) << info(dtype).name << " call " << i;
  }
}

TEST(GlobalPools, RandomImagesOfEveryTypeAndLayoutEqualTheNaiveLoop) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Dtype dtype = real_types[random.below(std::size(real_types))];
    List dims{random.between(0, 2), random.between(1, 20)};
    for (std::int64_t axes = random.between(1, 3); axes > 0; --axes) dims.push_back(random.between(1, 9));
    const Tensor x = reordered(random_tensor(random, dtype, dims), random);
    List wanted_dims(dims.size(), 1);
    std::copy(dims.begin(), dims.begin() + 2, wanted_dims.begin());
    const Numbers values = numbers_of(x);
    const std::size_t planes = static_cast<std::size_t>(dims[0] * dims[1]);
    const std::size_t plane = planes == 0 ? 0 : values.size() / planes;
    Numbers means, maxima, norms;
    for (std::size_t k = 0; k < planes; ++k) {
      double sum = 0;
      double most = -infinity;
      double cubes = 0;
      for (std::size_t n = k * plane; n < (k + 1) * plane; ++n) {
        sum += values[n];
        most = std::max(most, values[n]);
        cubes += std::pow(std::abs(values[n]), 3);
      }
      means.push_back(sum / static_cast<double>(plane));
      maxima.push_back(most);
      norms.push_back(std::cbrt(cubes));
    }
    const Tensor mean = must(call(op::global_average_pool, {&x}));
    const Tensor most = must(call(op::global_max_pool, {&x}));
    const Tensor norm = must(call(op::global_lp_pool, {&x}, {int_attribute("p", 3)}));
    for (const Tensor* y : {&mean, &most, &norm}) ASSERT_EQ(list(y->dims()), wanted_dims);
    ASSERT_TRUE(are_near(mean, means, precision_of(dtype))) << info(dtype).name << " call " << i;
    ASSERT_TRUE(are_near(most, maxima, 0)) << info(dtype).name << " call " << i;
    ASSERT_TRUE(are_near(norm, norms, precision_of(dtype))) << info(dtype).name << " call " << i;
  }
}

TEST(MaxPool, NamesTheFirstOfEqualElements) {
  const Tensor x = floats({1, 1, 4}, {2, 2, 1, 2});
  const auto results = must(call_all(op::max_pool, {&x}, {ints("kernel_shape", {2})}, {newest_opset, 2}));
  EXPECT_EQ(elements<std::int64_t>(results[1]), (std::vector<std::int64_t>{0, 1, 3}));
}

TEST(MaxPool, OfPaddingAloneIsTheLeastValueWithoutANumber) {
  const Tensor x = floats({1, 1, 1}, {7});
  const auto results = must(call_all(op::max_pool, {&x}, {ints("kernel_shape", {1}), ints("pads", {1, 1})}, {newest_opset, 2}));
  EXPECT_EQ(elements<float>(results[0]), (std::vector<float>{-HUGE_VALF, 7, -HUGE_VALF}));
  EXPECT_EQ(elements<std::int64_t>(results[1]), (std::vector<std::int64_t>{-1, 0, -1}));
}

TEST(Pools, KeepTheOrderOfTheAxesOfTheImage) {
  Random random;
  const Tensor rows = random_tensor(random, Dtype::float32, {1, 3, 4, 5});
  const Tensor dense = must(densify(rows));
  const Tensor last = channels_last(dense);
  const std::vector<Given> kernel{ints("kernel_shape", {2, 2})};
  EXPECT_EQ(must(call(op::max_pool, {&dense}, kernel)).layout->strides, (Dims{36, 12, 4, 1}));
  EXPECT_EQ(must(call(op::max_pool, {&last}, kernel)).layout->strides, (Dims{36, 1, 12, 3}));
}

TEST(Pools, ALastWindowThatWouldStartBehindTheImageIsLeftOut) {
  const Tensor x = floats({1, 1, 5}, {1, 2, 3, 4, 5});
  const auto pooled = [&](const List& pads) {
    const Tensor y =
        must(call(op::max_pool, {&x},
                  {ints("kernel_shape", {2}), ints("strides", {3}), ints("pads", pads), int_attribute("ceil_mode", 1)}));
    return elements<float>(y);
  };
  EXPECT_EQ(pooled({0, 0}), (std::vector<float>{2, 5}));
  EXPECT_EQ(pooled({0, 1}), (std::vector<float>{2, 5}));
  EXPECT_EQ(pooled({1, 1}), (std::vector<float>{1, 4}));
  EXPECT_EQ(pooled({2, 1}), (std::vector<float>{-HUGE_VALF, 3, 5}));
}

// ceil((size - reach) / stride) + 1 is 1 where the size is less than the window's, but not by a whole stride.
TEST(Pools, RoundedUpAWindowMayBeLargerThanTheImage) {
  const std::vector<Given> two{ints("kernel_shape", {2, 2}), ints("strides", {2, 2}), int_attribute("ceil_mode", 1)};
  const Tensor small = floats({1, 1, 1, 1}, {4});
  EXPECT_EQ(elements<float>(must(call(op::max_pool, {&small}, two))), (std::vector<float>{4}));
  EXPECT_EQ(elements<float>(must(call(op::average_pool, {&small}, two))), (std::vector<float>{4}));
  EXPECT_EQ(elements<float>(must(call(op::lp_pool, {&small}, two))), (std::vector<float>{4}));
  const auto indexed = must(call_all(op::max_pool, {&small}, two, {newest_opset, 2}));
  EXPECT_EQ(elements<std::int64_t>(indexed[1]), (std::vector<std::int64_t>{0}));
  const Tensor bytes = tensor_of_numbers(Dtype::uint8, {1, 1, 1, 1}, {4});
  EXPECT_EQ(numbers_of(must(call(op::microsoft::nhwc_max_pool, {&bytes}, two))), (Numbers{4}));
  const Tensor scale = floats({}, {1});
  EXPECT_EQ(numbers_of(must(call(op::microsoft::qlinear_average_pool, {&bytes, &scale, nullptr, &scale}, two))), (Numbers{4}));
  // Elements count, and the padding that is given, but nothing after it.
  const Tensor row = floats({1, 1, 2}, {1, 2});
  const auto mean = [&](std::int64_t kernel, const List& pads, bool counts) {
    return elements<float>(must(call(op::average_pool, {&row},
                                     {ints("kernel_shape", {kernel}), ints("strides", {3}), ints("pads", pads),
                                      int_attribute("ceil_mode", 1), int_attribute("count_include_pad", counts ? 1 : 0)})));
  };
  EXPECT_EQ(mean(3, {0, 0}, false), (std::vector<float>{1.5F}));
  EXPECT_EQ(mean(4, {0, 0}, true), (std::vector<float>{1.5F}));
  EXPECT_EQ(mean(4, {0, 1}, true), (std::vector<float>{1}));
  EXPECT_EQ(mean(5, {1, 0}, true), (std::vector<float>{1}));
  EXPECT_TRUE(
      fails(call(op::average_pool, {&row}, {ints("kernel_shape", {5}), ints("strides", {3}), int_attribute("ceil_mode", 1)}),
            Code::InvalidArgument, "a window reaches over 5 elements of axis 2, which has 2 with its padding"));
}

TEST(Pools, CeilModeChangesNothingWithoutPadding) {
  const Tensor x = floats({1, 1, 4}, {1, 2, 3, 4});
  const auto pooled = [&](const char* automatic) {
    const Tensor y = must(
        call(op::max_pool, {&x},
             {ints("kernel_shape", {3}), ints("strides", {2}), word("auto_pad", automatic), int_attribute("ceil_mode", 1)}));
    return elements<float>(y);
  };
  EXPECT_EQ(pooled("NOTSET"), (std::vector<float>{3, 4}));
  EXPECT_EQ(pooled("VALID"), (std::vector<float>{3}));
}

TEST(AveragePool, CountsPaddingButNothingBehindIt) {
  const Tensor x = floats({1, 1, 3}, {4, 8, 12});
  const std::vector<Given> given{ints("kernel_shape", {3}), ints("strides", {2}), ints("pads", {1, 1}),
                                 int_attribute("ceil_mode", 1)};
  std::vector<Given> counting = given;
  counting.push_back(int_attribute("count_include_pad", 1));
  EXPECT_EQ(elements<float>(must(call(op::average_pool, {&x}, given))), (std::vector<float>{6, 10}));
  EXPECT_EQ(elements<float>(must(call(op::average_pool, {&x}, counting))), (std::vector<float>{4, 20.0F / 3}));
}

TEST(GlobalLpPool, OfAnImageWithoutElementsIsZero) {
  const Tensor x = zeros(Dtype::float32, {2, 1, 0});
  EXPECT_EQ(elements<float>(must(call(op::global_lp_pool, {&x}, {}))), (std::vector<float>{0, 0}));
  const Tensor wide = zeros(Dtype::float64, {1, 2, 0, 3});
  EXPECT_EQ(elements<double>(must(call(op::global_lp_pool, {&wide}, {}))), (std::vector<double>{0, 0}));
}

TEST(Pools, InvalidCallsFailWithTheirNumbers) {
  const Tensor x = zeros(Dtype::float32, {1, 4, 5, 5});
  const auto refuses = [&](const Operator& op, const std::vector<Given>& given, const Tensor& image, const char* text) {
    EXPECT_TRUE(fails(call(op, {&image}, given), Code::InvalidArgument, text));
  };
  const Given kernel = ints("kernel_shape", {3, 3});
  refuses(op::max_pool, {ints("kernel_shape", {3})}, x, "MaxPool-22: attribute 'kernel_shape' is [3], wanted 2 numbers");
  refuses(op::max_pool, {ints("kernel_shape", {3, 0})}, x,
          "MaxPool-22: attribute 'kernel_shape' is [3, 0], wanted numbers from 1 to 2147483647");
  refuses(op::max_pool, {kernel, ints("pads", {0, 0, 0, -1})}, x,
          "MaxPool-22: attribute 'pads' is [0, 0, 0, -1], wanted numbers from 0 to 2147483647");
  refuses(op::average_pool, {kernel, ints("strides", {1, std::int64_t{1} << 40})}, x,
          "AveragePool-22: attribute 'strides' is [1, 1099511627776], wanted numbers from 1 to 2147483647");
  refuses(op::average_pool, {ints("kernel_shape", {3, 6})}, x,
          "AveragePool-22: a window reaches over 6 elements of axis 3, which has 5 with its padding");
  refuses(op::lp_pool, {kernel, int_attribute("p", 0)}, x, "LpPool-22: attribute 'p' is 0, wanted a positive number");
  refuses(op::lp_pool, {kernel, word("auto_pad", "SAME")}, x,
          "LpPool-22: attribute 'auto_pad' is 'SAME', wanted one of: NOTSET SAME_UPPER SAME_LOWER VALID");
  refuses(op::global_lp_pool, {int_attribute("p", -2)}, x, "GlobalLpPool-22: attribute 'p' is -2, wanted a positive number");
  const Tensor matrix = zeros(Dtype::float32, {4, 5});
  const Tensor row = zeros(Dtype::float32, {4});
  refuses(op::max_pool, {ints("kernel_shape", {})}, matrix,
          "MaxPool-22: an image has 2 axes, wanted [N, C, ...] with one more at least");
  refuses(op::global_max_pool, {}, row, "GlobalMaxPool-22: an image has 1 axis, wanted [N, C, ...]");
}

// ONNX's text: pads "cannot be used simultaneously with auto_pad". Zeros change nothing.
TEST(Windows, PaddingIsGivenOrAutomatic) {
  const Tensor x = zeros(Dtype::float32, {1, 2, 5, 5});
  const Tensor w = zeros(Dtype::float32, {2, 2, 3, 3});
  const Tensor bytes = zeros(Dtype::uint8, {1, 2, 5, 5});
  const Tensor filters = zeros(Dtype::uint8, {2, 2, 3, 3});
  const Tensor pixels = zeros(Dtype::uint8, {1, 5, 5, 2});
  const Tensor scale = floats({}, {1});
  const Tensor zero = zeros(Dtype::uint8, {});
  struct Case {
    const Operator& op;
    std::vector<const Tensor*> inputs;
  };
  const Case all[] = {{op::max_pool, {&x}},
                      {op::average_pool, {&x}},
                      {op::lp_pool, {&x}},
                      {op::conv, {&x, &w}},
                      {op::conv_transpose, {&x, &w}},
                      {op::conv_integer, {&bytes, &filters}},
                      {op::qlinear_conv, {&bytes, &scale, &zero, &filters, &scale, &zero, &scale, &zero}},
                      {op::microsoft::fused_conv, {&x, &w}},
                      {op::microsoft::nhwc_max_pool, {&pixels}},
                      {op::microsoft::qlinear_average_pool, {&bytes, &scale, nullptr, &scale}}};
  const Given kernel = ints("kernel_shape", {3, 3});
  for (const auto& [op, inputs] : all) {
    for (const char* automatic : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
      const std::string text =
          std::string("attributes 'pads' [0, 1, 0, 0] and 'auto_pad' ") + automatic + " cannot be used together";
      EXPECT_TRUE(fails(call(op, inputs, {kernel, word("auto_pad", automatic), ints("pads", {0, 1, 0, 0})}),
                        Code::InvalidArgument, text.c_str()))
          << op.name;
      const auto none = must(call(op, inputs, {kernel, word("auto_pad", automatic)}));
      const auto zeros_given = must(call(op, inputs, {kernel, word("auto_pad", automatic), ints("pads", {0, 0, 0, 0})}));
      EXPECT_EQ(list(none.dims()), list(zeros_given.dims())) << op.name;
    }
    must(call(op, inputs, {kernel, word("auto_pad", "NOTSET"), ints("pads", {0, 1, 0, 0})}));
  }
}

// Only the first version of LpPool declares the attribute optional.
TEST(Pools, WithoutAKernelThereIsAnError) {
  const Tensor x = zeros(Dtype::float32, {1, 1, 5});
  for (const char* padding : {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}) {
    EXPECT_TRUE(fails(call(op::lp_pool, {&x}, {word("auto_pad", padding)}, 1), Code::InvalidArgument, "'kernel_shape'"));
  }
}

TEST(Pools, HugeNumbersOfAnAttributeTakeNoMemory) {
  const Tensor x = zeros(Dtype::float32, {1, 1, 2});
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  // 2^31 results would be large.
  const Tensor wide = must(call(op::max_pool, {&x}, {ints("kernel_shape", {2}), ints("strides", {most})}));
  EXPECT_EQ(list(wide.dims()), (List{1, 1, 1}));
  EXPECT_FALSE(call(op::max_pool, {&x}, {ints("kernel_shape", {2}), ints("dilations", {most})}));
  Error::forget();
  EXPECT_FALSE(call(op::max_pool, {&x}, {ints("kernel_shape", {most})}));
  Error::forget();
}

// A kernel has 2^31 taps or 2^62. All but a few are padding in every window.
TEST(Pools, TapsInThePaddingOfAllWindowsTakeNoTimeOrMemory) {
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  const Tensor row = floats({1, 1, 2}, {3, 5});
  const Tensor plane = floats({1, 1, 2, 2}, {3, 5, 7, 1});
  const auto pool = [&](const Operator& op, const Tensor& x, List kernel, std::vector<Given> more = {}) {
    more.push_back(ints("kernel_shape", std::move(kernel)));
    more.push_back(word("auto_pad", "SAME_LOWER"));
    return elements<float>(must(call(op, {&x}, more)));
  };
  EXPECT_EQ(pool(op::max_pool, row, {most}), (std::vector<float>{5, 5}));
  EXPECT_EQ(pool(op::max_pool, plane, {most, most}), (std::vector<float>{7, 7, 7, 7}));
  EXPECT_EQ(pool(op::max_pool, plane, {most, 1}), (std::vector<float>{7, 5, 7, 5}));
  EXPECT_EQ(pool(op::max_pool, channels_last(plane), {most, 1}), (std::vector<float>{7, 5, 7, 5}));
  EXPECT_EQ(pool(op::average_pool, plane, {most, 2}), (std::vector<float>{5, 4, 5, 4}));
  EXPECT_EQ(pool(op::average_pool, row, {most}, {int_attribute("count_include_pad", 1)}),
            (std::vector<float>(2, 8 / static_cast<float>(most))));
  EXPECT_EQ(pool(op::lp_pool, plane, {most, most}, {int_attribute("p", 1)}), (std::vector<float>{16, 16, 16, 16}));
  const auto both = must(call_all(op::max_pool, {&plane}, {ints("kernel_shape", {most, most}), word("auto_pad", "SAME_UPPER")},
                                  {newest_opset, 2}));
  EXPECT_EQ(elements<std::int64_t>(both[1]), (std::vector<std::int64_t>{2, 2, 2, 2}));
  // Windows in the padding alone, before the image and after it.
  const float least = -std::numeric_limits<float>::infinity();
  const std::vector<Given> far{ints("kernel_shape", {2}), ints("pads", {most, most}), ints("strides", {most})};
  EXPECT_EQ(elements<float>(must(call(op::max_pool, {&row}, far))), (std::vector<float>{least, 5, least}));
}

class PoolBeforeRun : public BeforeRun {};

TEST_F(PoolBeforeRun, PlacesAreExpressionsOfTheSizes) {
  const Given kernel = ints("kernel_shape", {3, 3});
  const Given strides = ints("strides", {2, 2});
  const Tensor x = known({n(), 8, m(), 7});
  EXPECT_EQ(sizes(op::max_pool, {x}, {kernel}), "n 8 m - 2 5");
  EXPECT_EQ(sizes(op::max_pool, {x}, {kernel, strides}, 2), "n 8 floor((m + 1)/(2)) - 1 3; n 8 floor((m + 1)/(2)) - 1 3");
  EXPECT_EQ(sizes(op::average_pool, {x}, {kernel, strides, word("auto_pad", "SAME_LOWER")}), "n 8 m - floor((m)/(2)) 4");
  EXPECT_EQ(sizes(op::lp_pool, {known({n(), unknown_size, 9, unknown_size})}, {kernel}), "n ? 7 ?");
  EXPECT_EQ(sizes(op::max_pool, {unranked()}, {kernel}), "unknown");
  EXPECT_EQ(sizes(op::max_pool, {known({n(), 8, 2, m()})}, {kernel}), "error");
  const Given up = int_attribute("ceil_mode", 1);
  EXPECT_EQ(sizes(op::max_pool, {known({n(), 8, 2, m()})}, {kernel, strides, up}), "n 8 1 m - floor((m + 1)/(2))");
  EXPECT_EQ(sizes(op::average_pool, {known({n(), 8, 2, 2})}, {kernel, up}), "error");
  for (const Operator* op : {&op::global_average_pool, &op::global_max_pool, &op::global_lp_pool}) {
    EXPECT_EQ(sizes(*op, {x}), "n 8 1 1");
    EXPECT_EQ(sizes(*op, {unranked()}), "unknown");
  }
}

}  // namespace
}  // namespace broadloom::test::pool_test
