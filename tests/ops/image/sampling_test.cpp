// GridSample, AffineGrid, Col2Im and MaxUnpool, compared with naive C++.
#include <algorithm>
#include <functional>

#include "support/before_run.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator affine_grid, col2im, grid_sample, max_pool, max_unpool;
}

namespace broadloom::test::sampling_test {
namespace {

Given word(std::string_view name, const std::string& value) { return {name, AttributeType::STRING, strings({}, {value})}; }
Given ints(std::string_view name, const List& values) { return {name, AttributeType::INTS, shape_of(values)}; }

// ---- GridSample ----

struct Sampling {
  std::string mode;
  std::string padding;
  bool aligns;
};

double reflect(double x, double low, double high) {
  if (high == low) return low;
  while (x < low || x > high) x = x < low ? 2 * low - x : 2 * high - x;
  return x;
}

double cubic(double x) {
  constexpr double a = -0.75;
  x = std::abs(x);
  return x <= 1 ? (a + 2) * x * x * x - (a + 3) * x * x + 1 : a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a;
}

// The weights of the elements of an axis.
Numbers weights_at(const Sampling& rule, std::int64_t size, double number) {
  const auto length = static_cast<double>(size);
  const double low = rule.aligns ? 0 : -0.5;
  const double high = rule.aligns ? length - 1 : length - 0.5;
  double x = rule.aligns ? (number + 1) / 2 * (length - 1) : ((number + 1) * length - 1) / 2;
  if (rule.mode == "nearest") x = std::nearbyint(x);
  if (x < low || x > high) {
    if (rule.padding == "border" && rule.mode != "cubic") x = std::clamp(x, 0.0, length - 1);
    if (rule.padding == "reflection") x = reflect(x, low, high);
  }
  Numbers weights(static_cast<std::size_t>(size));
  const auto add = [&](double place, double weight) {
    if (rule.padding == "zeros" && (place < 0 || place >= length)) return;
    if (rule.padding == "reflection") place = std::trunc(reflect(place, low, high));
    weights[static_cast<std::size_t>(std::clamp(place, 0.0, length - 1))] += weight;
  };
  if (rule.mode == "nearest") {
    add(x, 1);
  } else {
    const bool is_cubic = rule.mode == "cubic";
    for (double i = std::floor(x) - (is_cubic ? 1 : 0); i <= std::floor(x) + (is_cubic ? 2 : 1); ++i) {
      add(i, is_cubic ? cubic(i - x) : 1 - std::abs(i - x));
    }
  }
  return weights;
}

TEST(GridSample, EveryModeAndPaddingGivesTheElementsOfOnnx) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const auto any = [&](std::initializer_list<const char*> list) {
      return std::string(list.begin()[random.below(list.size())]);
    };
    const Sampling rule{any({"linear", "nearest", "cubic"}), any({"zeros", "border", "reflection"}), random.one_in(2)};
    const std::size_t axes = 1 + random.below(3);
    List dims{random.between(1, 2), random.between(1, 3)};
    List points{dims[0]};
    std::int64_t count = 1;
    for (std::size_t i = 0; i < axes; ++i) {
      dims.push_back(random.between(1, 6));
      points.push_back(random.between(1, axes == 1 ? 150 : 6));
      count *= points.back();
    }
    points.push_back(static_cast<std::int64_t>(axes));
    const Dtype dtype = random.one_in(3) ? Dtype::float64 : random.one_in(2) ? Dtype::float16 : Dtype::float32;
    std::int64_t plane = 1;
    for (std::size_t i = 2; i < dims.size(); ++i) plane *= dims[i];
    const Numbers image = random_numbers(random, dtype, static_cast<std::size_t>(dims[0] * dims[1] * plane), -4, 4);
    Numbers grid(static_cast<std::size_t>(dims[0] * count) * axes);
    // Numbers whose coordinates are exact.
    for (double& one : grid) one = static_cast<double>(random.between(-48, 48)) / 32;
    const Tensor x = tensor_of_numbers(dtype, dims, image);
    const Tensor places = tensor_of_numbers(random.one_in(2) ? Dtype::float32 : Dtype::float64, points, grid);
    const Tensor result = must(call(
        grid_sample, {&x, &places},
        {word("mode", rule.mode), word("padding_mode", rule.padding), int_attribute("align_corners", rule.aligns ? 1 : 0)}));
    Numbers wanted;
    for (std::int64_t n = 0; n < dims[0]; ++n) {
      for (std::int64_t c = 0; c < dims[1]; ++c) {
        for (std::int64_t p = 0; p < count; ++p) {
          const double* numbers = grid.data() + static_cast<std::size_t>(n * count + p) * axes;
          std::function<double(std::size_t, std::int64_t)> value = [&](std::size_t axis, std::int64_t place) -> double {
            if (axis == axes) return image[static_cast<std::size_t>((n * dims[1] + c) * plane + place)];
            const Numbers weights = weights_at(rule, dims[2 + axis], numbers[axes - 1 - axis]);
            double sum = 0;
            for (std::size_t k = 0; k < weights.size(); ++k) {
              if (weights[k] != 0) sum += weights[k] * value(axis + 1, place * dims[2 + axis] + static_cast<std::int64_t>(k));
            }
            return sum;
          };
          wanted.push_back(value(0, 0));
        }
      }
    }
    ASSERT_TRUE(are_near(result, wanted, 4 * precision_of(dtype)))
        << rule.mode << " " << rule.padding << " " << rule.aligns << " " << axes;
  }
}

TEST(GridSample, NearestMovesAnyTypeAndIntegersAreTruncated) {
  const Tensor grid = floats({1, 1, 3, 2}, {-0.5F, 0, 0.5F, 0, 9, 9});
  const Tensor names = strings({1, 1, 1, 2}, {"a", "b"});
  EXPECT_EQ(string_elements(must(call(grid_sample, {&names, &grid}, {word("mode", "nearest")}))),
            (std::vector<std::string>{"a", "b", ""}));
  const Tensor middle = floats({1, 1, 1, 2}, {0, 0});
  const Tensor whole = tensor_of<std::int8_t>(Dtype::int8, {1, 1, 1, 2}, {-3, -4});
  EXPECT_EQ(elements<std::int8_t>(must(call(grid_sample, {&whole, &middle}))), (std::vector<std::int8_t>{-3}));
  const Tensor waves = tensor_of<float>(Dtype::complex64, {1, 1, 1, 2}, {1, 10, 3, 30});
  EXPECT_EQ(elements<float>(must(call(grid_sample, {&waves, &middle}, {word("mode", "bilinear")}, 16))),
            (std::vector<float>{2, 20}));
}

TEST(GridSample, PointsThatAreNoNumbersAreOutside) {
  const Tensor x = floats({1, 1, 1, 2}, {HUGE_VALF, 2});
  const Tensor grid = floats({1, 1, 4, 2}, {NAN, 0, HUGE_VALF, 0, -1e30F, 0, 0.5F, 0});
  EXPECT_EQ(elements<float>(must(call(grid_sample, {&x, &grid}))), (std::vector<float>{0, 0, 0, 2}));
}

TEST(GridSample, PointsFarAwayAreAtTheBorderOrReflected) {
  const Tensor x = tensor_of<double>(Dtype::float64, {1, 1, 4}, {1, 2, 4, 8});
  // The third one is at 2^41 + 1.5, which is 1.5 after 2^38 reflections.
  const Tensor grid = tensor_of<double>(Dtype::float64, {1, 4, 1}, {1e300, -1e300, 0x1p40, -0x1p40});
  const auto sampled = [&](const char* mode, const char* padding) {
    return elements<double>(must(call(grid_sample, {&x, &grid}, {word("mode", mode), word("padding_mode", padding)})));
  };
  for (const char* mode : {"linear", "nearest", "cubic"}) {
    EXPECT_EQ(sampled(mode, "zeros"), (Numbers{0, 0, 0, 0})) << mode;
    EXPECT_EQ(sampled(mode, "border"), (Numbers{8, 1, 8, 1})) << mode;
  }
  const Numbers reflected = sampled("linear", "reflection");
  EXPECT_EQ(reflected[2], 3);
  EXPECT_EQ(reflected[3], 3);
}

// float32 has no number for the last index.
TEST(GridSample, LongAxesHaveCoordinatesInFloat64) {
  constexpr std::int64_t size = (std::int64_t{1} << 24) + 4;
  for (const Dtype dtype : {Dtype::uint8, Dtype::float32}) {
    const Tensor x = zeros(dtype, {1, 1, size});
    Tensor marked = must(densify(x));
    const auto end = static_cast<std::size_t>(size) * item_size(dtype);
    for (int i = 1; i <= 5; ++i) {
      std::byte* const at = marked.data() + end - static_cast<std::size_t>(i) * item_size(dtype);
      if (dtype == Dtype::uint8) *at = static_cast<std::byte>(i);
      if (dtype == Dtype::float32) *reinterpret_cast<float*>(at) = static_cast<float>(i);
    }
    Numbers numbers;
    for (int i = 1; i <= 5; ++i) numbers.push_back(1 - 2 * (i - 1) / static_cast<double>(size - 1));
    const Tensor grid = tensor_of_numbers(Dtype::float64, {1, 5, 1}, numbers);
    const Tensor last = tensor_of_numbers(Dtype::float32, {1, 1, 1}, {1});
    for (const char* padding : {"zeros", "border", "reflection"}) {
      const std::vector<Given> given{word("mode", dtype == Dtype::uint8 ? "nearest" : "linear"), word("padding_mode", padding),
                                     int_attribute("align_corners", 1)};
      EXPECT_TRUE(are_near(must(call(grid_sample, {&marked, &grid}, given)), {1, 2, 3, 4, 5}, 1e-6)) << padding;
      EXPECT_EQ(numbers_of(must(call(grid_sample, {&marked, &last}, given))), (Numbers{1})) << padding;
    }
  }
}

TEST(GridSample, CallsThatMakeNoSenseAreRefused) {
  const Tensor x = floats({1, 1, 1, 2}, {1, 2});
  const Tensor flat = floats({1, 1, 2}, {0, 0});
  const Tensor three = floats({1, 1, 1, 3}, {0, 0, 0});
  const Tensor names = strings({1, 1, 1, 1}, {"a"});
  const Tensor grid = floats({1, 1, 1, 2}, {0, 0});
  EXPECT_TRUE(fails(call(grid_sample, {&x, &flat}), Code::InvalidArgument, "'X' and 'grid' have 4 and 3 axes"));
  EXPECT_TRUE(
      fails(call(grid_sample, {&x, &three}), Code::InvalidArgument, "'grid' has dims [1, 1, 1, 3], wanted 1 first and 2 last"));
  EXPECT_TRUE(fails(call(grid_sample, {&names, &grid}), Code::InvalidArgument,
                    "linear interpolation has averages, which string elements have not"));
}

// ---- AffineGrid ----

TEST(AffineGrid, PointsAreTheProductsOfEvenPositions) {
  const Tensor theta = floats({1, 2, 3}, {1, 0, 0, 0, 2, 0.5F});
  const Tensor size = shape_of({1, 1, 2, 2});
  EXPECT_EQ(elements<float>(must(call(affine_grid, {&theta, &size}, {int_attribute("align_corners", 1)}))),
            (std::vector<float>{-1, -1.5F, 1, -1.5F, -1, 2.5F, 1, 2.5F}));
  EXPECT_EQ(elements<float>(must(call(affine_grid, {&theta, &size}))),
            (std::vector<float>{-0.5F, -0.5F, 0.5F, -0.5F, -0.5F, 1.5F, 0.5F, 1.5F}));
  const Tensor cube = tensor_of<double>(Dtype::float64, {1, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5});
  const Tensor large = shape_of({1, 1, 1, 1, 2});
  EXPECT_EQ(elements<double>(must(call(affine_grid, {&cube, &large}, {int_attribute("align_corners", 1)}))),
            (std::vector<double>{-1, -1, 4, 1, -1, 4}));
  const Tensor wrong = shape_of({2, 1, 2, 2});
  EXPECT_TRUE(fails(call(affine_grid, {&theta, &wrong}), Code::InvalidArgument, "'theta' has dims [1, 2, 3]"));
  const Tensor flat = shape_of({1, 1, 2});
  EXPECT_TRUE(fails(call(affine_grid, {&theta, &flat}), Code::InvalidArgument, "'size' has 3 entries, wanted 4 or 5"));
}

// ---- Col2Im ----

TEST(Col2Im, BlocksThatOverlapAreAdded) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const std::size_t axes = 1 + random.below(3);
    List image;
    List block;
    List strides;
    List dilations;
    List before;
    List after;
    List counts;
    std::int64_t columns = 1;
    std::int64_t elements_of_block = 1;
    while (image.size() < axes) {
      const std::int64_t size = random.between(1, 7);
      const std::int64_t wide = random.between(1, 3);
      const std::int64_t dilation = random.between(1, 2);
      const std::int64_t stride = random.between(1, 3);
      const std::int64_t low = random.between(0, 2);
      const std::int64_t high = random.between(0, 2);
      const std::int64_t rest = size + low + high - dilation * (wide - 1) - 1;
      if (rest < 0) continue;
      image.push_back(size);
      block.push_back(wide);
      dilations.push_back(dilation);
      strides.push_back(stride);
      before.push_back(low);
      after.push_back(high);
      counts.push_back(rest / stride + 1);
      columns *= counts.back();
      elements_of_block *= wide;
    }
    List pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    const std::int64_t channels = random.between(1, 2);
    const Dtype dtype =
        std::vector{Dtype::float32, Dtype::float64, Dtype::float16, Dtype::int8, Dtype::int32, Dtype::uint16}[random.below(6)];
    Numbers values(static_cast<std::size_t>(channels * elements_of_block * columns));
    for (double& value : values) value = static_cast<double>(random.between(0, 3));
    const Tensor input = tensor_of_numbers(dtype, {1, channels * elements_of_block, columns}, values);
    const Tensor image_shape = shape_of(image);
    const Tensor block_shape = shape_of(block);
    const Tensor result = must(call(col2im, {&input, &image_shape, &block_shape},
                                    {ints("strides", strides), ints("dilations", dilations), ints("pads", pads)}));
    const std::int64_t plane = must(checked_count(dims_of(image)));
    Numbers wanted(static_cast<std::size_t>(channels * plane));
    for (std::int64_t row = 0; row < channels * elements_of_block; ++row) {
      const List place = coordinates_of(block, row % elements_of_block);
      for (std::int64_t column = 0; column < columns; ++column) {
        List at = coordinates_of(counts, column);
        bool is_inside = true;
        for (std::size_t i = 0; i < axes; ++i) {
          at[i] = at[i] * strides[i] - before[i] + place[i] * dilations[i];
          is_inside = is_inside && at[i] >= 0 && at[i] < image[i];
        }
        if (is_inside) {
          wanted[static_cast<std::size_t>(row / elements_of_block * plane + number_of(image, at))] +=
              values[static_cast<std::size_t>(row * columns + column)];
        }
      }
    }
    ASSERT_TRUE(are_near(result, wanted, 0));
  }
}

TEST(Col2Im, CallsThatMakeNoSenseAreRefused) {
  const Tensor input = floats({1, 4, 1}, {1, 2, 3, 4});
  const Tensor two = shape_of({2, 2});
  const Tensor three = shape_of({3, 3});
  const Tensor one = shape_of({2});
  const auto refused = [&](const Tensor& image, const Tensor& block, const std::vector<Given>& given, const char* text) {
    EXPECT_TRUE(fails(call(col2im, {&input, &image, &block}, given), Code::InvalidArgument, text));
  };
  EXPECT_EQ(elements<float>(must(call(col2im, {&input, &two, &two}))), (std::vector<float>{1, 2, 3, 4}));
  refused(three, two, {}, "'input' has 1 columns, but the image has 4 blocks");
  refused(three, three, {}, "'input' has 4 rows, which is not a multiple of the 9 elements of a block");
  refused(two, one, {}, "image_shape is [2, 2] and block_shape [2], wanted lists of equal length");
  refused(two, two, {ints("strides", {0, 1})}, "'strides' is [0, 1], wanted 1 to");
  refused(two, two, {ints("pads", {0, 0, 0, std::int64_t{1} << 62})}, "'pads' is");
  refused(two, two, {ints("dilations", {1})}, "'dilations' has 1 entry, wanted 2");
}

// ---- MaxUnpool ----

TEST(MaxUnpool, ElementsGoBackToTheirIndices) {
  const Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor places = int64s({1, 1, 2, 2}, {5, 7, 13, 15});
  const std::vector<Given> given{ints("kernel_shape", {2, 2}), ints("strides", {2, 2})};
  EXPECT_EQ(elements<float>(must(call(max_unpool, {&x, &places}, given))),
            (std::vector<float>{0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4}));
  const Tensor shape = shape_of({1, 1, 4, 5});
  EXPECT_EQ(elements<float>(must(call(max_unpool, {&x, &places, &shape}, given))),
            (std::vector<float>{0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0}));
  const Tensor far = int64s({1, 1, 2, 2}, {5, 7, 13, 16});
  EXPECT_TRUE(fails(call(max_unpool, {&x, &far}, given), Code::InvalidArgument, "'I' has 16 at 3, wanted 0 to 15"));
  EXPECT_TRUE(
      fails(call(max_unpool, {&x, &places}, {ints("kernel_shape", {2})}), Code::InvalidArgument, "'kernel_shape' is [2]"));
}

TEST(MaxUnpool, NoIndexCountsFromTheEnd) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
    const Tensor x = tensor_of_numbers(dtype, {1, 1, 2}, {5, 6});
    for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{-4}, INT64_MIN, INT64_MAX, std::int64_t{4}}) {
      const Tensor places = int64s({1, 1, 2}, {0, index});
      const Tensor shape = shape_of({1, 1, 4});
      for (const Tensor* last : {static_cast<const Tensor*>(nullptr), &shape}) {
        EXPECT_TRUE(fails(call(max_unpool, {&x, &places, last}, {ints("kernel_shape", {2}), ints("strides", {2})}),
                          Code::InvalidArgument, " at 1, wanted 0 to 3"))
            << index;
      }
    }
  }
}

// Pools a random image and puts the maxima back to where they were.
TEST(MaxUnpool, WithAnOutputShapeIndicesAreThoseOfMaxPoolOfAnImageOfThatShape) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const std::size_t axes = static_cast<std::size_t>(random.between(1, 3));
    List dims{random.between(1, 2), random.between(1, 2)}, kernel, strides;
    for (std::size_t k = 0; k < axes; ++k) {
      kernel.push_back(random.between(1, 3));
      strides.push_back(random.between(1, 3));
      dims.push_back(random.between(kernel[k], kernel[k] + 5));
    }
    const Tensor image = random_tensor(random, Dtype::float32, dims);
    const std::vector<Given> given{ints("kernel_shape", kernel), ints("strides", strides)};
    std::vector<Given> up = given;
    up.push_back(int_attribute("ceil_mode", random.one_in(2) ? 1 : 0));
    const auto pooled = must(call_all(op::max_pool, {&image}, up, {newest_opset, 2}));
    const Tensor shape = shape_of(dims);
    Numbers wanted(static_cast<std::size_t>(image.count()));
    const Numbers maxima = numbers_of(pooled[0]);
    const auto places = elements<std::int64_t>(pooled[1]);
    for (std::size_t k = 0; k < places.size(); ++k) wanted[static_cast<std::size_t>(places[k])] = maxima[k];
    EXPECT_EQ(numbers_of(must(call(max_unpool, {&pooled[0], &pooled[1], &shape}, given))), wanted);
  }
}

using SamplingBeforeRun = BeforeRun;

TEST_F(SamplingBeforeRun, SizesFollowFromTheInputs) {
  EXPECT_EQ(sizes(grid_sample, {known({n(), 3, 8, 8}), known({n(), m(), 5, 2})}), "n 3 m 5");
  EXPECT_EQ(sizes(grid_sample, {unranked(), known({n(), m(), 5, 2})}), "n ? m 5");
  EXPECT_EQ(sizes(affine_grid, {known({n(), 2, 3}), int64s({4}, {n(), 1, m(), 5})}), "n m 5 2");
  EXPECT_EQ(sizes(affine_grid, {known({n(), 3, 4}), indices({5})}), "n ? ? ? 3");
  EXPECT_EQ(sizes(col2im, {known({n(), 27, m()}), shape_of({4, 6}), shape_of({3, 3})}), "n 3 4 6");
  EXPECT_EQ(sizes(max_unpool, {known({n(), 3, m(), 4}), indices({n(), 3, m(), 4})},
                  {ints("kernel_shape", {2, 2}), ints("strides", {2, 2})}),
            "n 3 2*m 8");
}

}  // namespace
}  // namespace broadloom::test::sampling_test
