// Compares Resize and Upsample with ONNX's formulas in double, and states what they refuse.
#include <algorithm>
#include <functional>

#include "support/before_run.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator resize, upsample;
}

namespace broadloom::test::resize_test {
namespace {

Given word(std::string_view name, const std::string& value) { return {name, AttributeType::STRING, strings({}, {value})}; }
Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }
Given ints(std::string_view name, const List& values) { return {name, AttributeType::INTS, shape_of(values)}; }

Result<Tensor> scaled(const Tensor& data, const std::vector<float>& scales, const std::vector<Given>& given = {},
                      std::int64_t opset = newest_opset) {
  const Tensor list = floats({static_cast<std::int64_t>(scales.size())}, scales);
  return call(resize, {&data, nullptr, &list}, given, opset);
}
Result<Tensor> sized(const Tensor& data, const List& sizes, const std::vector<Given>& given = {},
                     std::int64_t opset = newest_opset) {
  const Tensor list = shape_of(sizes);
  return call(resize, {&data, nullptr, nullptr, &list}, given, opset);
}

// ---- The formulas, one output element of an axis after the other ----

struct Rule {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string nearest = "round_prefer_floor";
  bool antialias = false;
  bool excludes_outside = false;
  double a = -0.75;
  double extrapolation = 0;
};
struct AxisRule {
  std::int64_t from;
  std::int64_t to;
  double scale;
  double length;
  double start = 0;
  double end = 1;
  bool by_scales = false;

  // Divided by the scale: in float32, or by sizes exactly.
  double unscaled(double x) const {
    if (by_scales) return static_cast<double>(static_cast<float>(x) / static_cast<float>(scale));
    return x * static_cast<double>(from) / static_cast<double>(to);
  }
};
// The weights of all elements of an axis; empty outside.
using Weights = Numbers;

double coordinate(const Rule& rule, const AxisRule& axis, double x) {
  const auto from = static_cast<double>(axis.from);
  const std::string& mode = rule.coordinates;
  if (mode == "align_corners") return axis.length == 1 ? 0 : x * (from - 1) / (axis.length - 1);
  if (mode == "asymmetric") return axis.unscaled(x);
  if (mode == "tf_half_pixel_for_nn") return axis.unscaled(x + 0.5);
  if (mode == "pytorch_half_pixel" && axis.to <= 1) return 0;
  if (mode == "tf_crop_and_resize") {
    if (axis.to <= 1) return 0.5 * (axis.start + axis.end) * (from - 1);
    return x * (axis.end - axis.start) * (from - 1) / static_cast<double>(axis.to - 1) + axis.start * (from - 1);
  }
  // from / 2 * (1 - to / length) + (x + 0.5) / scale - 0.5
  if (mode == "half_pixel_symmetric") return axis.unscaled(x - static_cast<double>(axis.to - 1) / 2) + (from - 1) / 2;
  return axis.unscaled(x + 0.5) - 0.5;
}

double cubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
}

Weights weights_of(const Rule& rule, const AxisRule& axis, std::int64_t index) {
  Weights weights(static_cast<std::size_t>(axis.from));
  const auto at = [&](double place) -> double& {
    return weights[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(axis.from - 1)))];
  };
  if (axis.from == axis.to && axis.scale == 1 && axis.start == 0 && axis.end == 1) {
    at(static_cast<double>(index)) = 1;
    return weights;
  }
  const double x = coordinate(rule, axis, static_cast<double>(index));
  if (rule.coordinates == "tf_crop_and_resize" && !(x >= 0 && x <= static_cast<double>(axis.from - 1))) return {};
  if (rule.mode == "nearest") {
    const double part = x - std::floor(x);
    const bool up = rule.nearest == "ceil"                ? part > 0
                    : rule.nearest == "round_prefer_ceil" ? part >= 0.5
                                                          : rule.nearest != "floor" && part > 0.5;
    at(std::floor(x) + (up ? 1 : 0)) = 1;
    return weights;
  }
  const double shrink = rule.antialias ? std::min(1.0, axis.scale) : 1;
  const double radius = (rule.mode == "linear" ? 1 : 2) / shrink;
  double sum = 0;
  for (double i = std::floor(x - radius); i <= std::ceil(x + radius); ++i) {
    const double distance = (i - x) * shrink;
    const double weight = rule.mode == "linear" ? std::max(0.0, 1 - std::abs(distance)) : cubic(distance, rule.a);
    if (rule.excludes_outside && (i < 0 || i >= static_cast<double>(axis.from))) continue;
    at(i) += weight;
    sum += weight;
  }
  if ((rule.antialias || rule.excludes_outside) && sum != 0) {
    for (double& weight : weights) weight /= sum;
  }
  return weights;
}

// Row-major elements of the output's dims.
Numbers resized(const Numbers& data, const Rule& rule, const std::vector<AxisRule>& axes) {
  std::function<double(std::size_t, std::size_t, const List&)> value = [&](std::size_t i, std::size_t place,
                                                                           const List& at) -> double {
    if (i == axes.size()) return data[place];
    const Weights weights = weights_of(rule, axes[i], at[i]);
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (weights[k] != 0) sum += weights[k] * value(i + 1, place * static_cast<std::size_t>(axes[i].from) + k, at);
    }
    return sum;
  };
  List dims;
  for (const AxisRule& axis : axes) dims.push_back(axis.to);
  Numbers result;
  const std::int64_t count = must(checked_count(dims_of(dims)));
  for (std::int64_t i = 0; i < count; ++i) {
    const List at = coordinates_of(dims, i);
    bool is_outside = false;
    for (std::size_t k = 0; k < axes.size(); ++k) is_outside = is_outside || weights_of(rule, axes[k], at[k]).empty();
    result.push_back(is_outside ? rule.extrapolation : value(0, 0, at));
  }
  return result;
}

std::vector<Given> attributes_of(const Rule& rule) {
  return {word("mode", rule.mode),
          word("coordinate_transformation_mode", rule.coordinates),
          word("nearest_mode", rule.nearest),
          int_attribute("antialias", rule.antialias ? 1 : 0),
          int_attribute("exclude_outside", rule.excludes_outside ? 1 : 0),
          number("cubic_coeff_a", static_cast<float>(rule.a)),
          number("extrapolation_value", static_cast<float>(rule.extrapolation))};
}

template <class T>
const T& any_of(Random& random, const std::vector<T>& list) {
  return list[random.below(list.size())];
}

Rule random_rule(Random& random) {
  Rule rule;
  rule.mode = any_of<std::string>(random, {"nearest", "linear", "cubic"});
  rule.coordinates = any_of<std::string>(random, {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                                  "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  rule.nearest = any_of<std::string>(random, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  rule.antialias = rule.mode != "nearest" && random.one_in(3);
  rule.excludes_outside = rule.mode != "nearest" && random.one_in(3);
  rule.a = any_of<double>(random, {-0.75, -0.5});
  rule.extrapolation = any_of<double>(random, {0, 7.5});
  return rule;
}

TEST(Resize, EveryRuleGivesTheWeightedAveragesOfOnnxOnRandomShapes) {
  Random random;
  for (int round = 0; round < 120; ++round) {
    const Rule rule = random_rule(random);
    const bool is_crop = rule.coordinates == "tf_crop_and_resize";
    List dims;
    List to;
    std::vector<float> scales;
    std::vector<double> regions;
    std::vector<AxisRule> axes;
    const bool has_scales = random.one_in(2);
    const std::size_t rank = 1 + random.below(4);
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t from = random.between(1, rank < 3 ? 30 : 6);
      const bool is_kept = random.one_in(3);
      // Powers of two, so that ties are exact.
      const float scale = is_kept                  ? 1
                          : rule.mode == "nearest" ? any_of<float>(random, {0.25F, 0.5F, 2, 4})
                                                   : static_cast<float>(random.real(0.2, 3));
      const auto product = static_cast<std::int64_t>(static_cast<double>(from) * static_cast<double>(scale));
      const std::int64_t size = has_scales || rule.mode == "nearest" ? std::max<std::int64_t>(product, has_scales ? 0 : 1)
                                : is_kept                            ? from
                                                                     : random.between(1, 12);
      AxisRule axis{from, size, static_cast<double>(scale), static_cast<double>(static_cast<float>(from) * scale)};
      axis.by_scales = has_scales;
      if (!has_scales) {
        axis.scale = static_cast<double>(size) / static_cast<double>(from);
        axis.length = static_cast<double>(size);
      }
      if (is_crop && !random.one_in(3)) {
        axis.start = static_cast<double>(random.between(-2, 4)) / 8;
        axis.end = axis.start + static_cast<double>(random.between(1, 8)) / 8;
      }
      dims.push_back(from);
      to.push_back(size);
      scales.push_back(scale);
      axes.push_back(axis);
    }
    for (const AxisRule& axis : axes) regions.push_back(axis.start);
    for (const AxisRule& axis : axes) regions.push_back(axis.end);
    const Dtype dtype =
        any_of<Dtype>(random, {Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16});
    const auto count = static_cast<std::size_t>(must(checked_count(dims_of(dims))));
    const Numbers values = random_numbers(random, dtype, count, -4, 4);
    const Tensor data = tensor_of_numbers(dtype, dims, values);
    const Tensor list = floats({static_cast<std::int64_t>(rank)}, scales);
    const Tensor sizes = shape_of(to);
    const Tensor roi = tensor_of<double>(Dtype::float64, {static_cast<std::int64_t>(2 * rank)}, regions);
    const Tensor result =
        must(call(resize, {&data, is_crop ? &roi : nullptr, has_scales ? &list : nullptr, has_scales ? nullptr : &sizes},
                  attributes_of(rule)));
    std::string text = rule.mode + " " + rule.coordinates + " " + rule.nearest + (rule.antialias ? " antialias" : "");
    for (const AxisRule& axis : axes) text += " " + std::to_string(axis.from) + "->" + std::to_string(axis.to);
    ASSERT_EQ(SizeList(result.dims()), SizeList(to)) << text;
    ASSERT_TRUE(are_near(result, resized(values, rule, axes), 4 * precision_of(dtype)))
        << text << (rule.excludes_outside ? " excludes" : "");
  }
}

// ---- Coordinates ----

// The element that frameworks take, in float32.
std::int64_t nearest_in_float32(const std::string& coordinates, const std::string& nearest, float scale, std::int64_t from,
                                std::int64_t to, std::int64_t index) {
  const auto i = static_cast<float>(index);
  const float x = coordinates == "asymmetric"                      ? i / scale
                  : coordinates == "tf_half_pixel_for_nn"          ? (i + 0.5F) / scale
                  : coordinates == "pytorch_half_pixel" && to <= 1 ? 0
                                                                   : (i + 0.5F) / scale - 0.5F;
  const float below = std::floor(x);
  const float part = x - below;
  const bool is_up = nearest == "floor"               ? false
                     : nearest == "ceil"              ? part > 0
                     : nearest == "round_prefer_ceil" ? part >= 0.5F
                                                      : part > 0.5F;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(below) + (is_up ? 1 : 0), 0, from - 1);
}

constexpr float fractions[] = {0.1F,     0.2F, 0.3F, 0.4F, 0.6F,     0.7F, 0.8F, 0.9F, 1.0F / 3,
                               2.0F / 3, 1.1F, 1.2F, 1.6F, 1.0F / 7, 2.3F, 0.5F, 2,    3};

Tensor numbered(const List& dims) {
  Numbers numbers(static_cast<std::size_t>(dims.back()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  return tensor_of_numbers(Dtype::float32, dims, numbers);
}

TEST(Resize, ScalesDivideInFloat32) {
  EXPECT_EQ(
      elements<float>(must(scaled(numbered({20}), {0.2F},
                                  {word("coordinate_transformation_mode", "asymmetric"), word("nearest_mode", "floor")}))),
      (std::vector<float>{0, 5, 10, 15}));
  for (const float scale : fractions) {
    for (const std::int64_t from : {5, 12, 20, 77}) {
      const auto to = static_cast<std::int64_t>(static_cast<float>(from) * scale);
      const Tensor data = numbered({from});
      const Tensor none = floats({0}, {});
      const Tensor list = floats({1}, {scale});
      for (const char* coordinates : {"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn"}) {
        for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
          std::vector<float> wanted;
          for (std::int64_t i = 0; i < to; ++i) {
            wanted.push_back(static_cast<float>(nearest_in_float32(coordinates, nearest, scale, from, to, i)));
          }
          for (const std::int64_t opset : {11, 13, 18, 19}) {
            EXPECT_EQ(elements<float>(must(
                          call(resize, {&data, &none, &list},
                               {word("coordinate_transformation_mode", coordinates), word("nearest_mode", nearest)}, opset))),
                      wanted)
                << scale << " of " << from << " " << coordinates << " " << nearest;
          }
        }
      }
    }
  }
}

TEST(Resize, ScalesOfEarlyVersionsDivideInFloat32) {
  for (const float scale : fractions) {
    for (const std::int64_t from : {5, 12, 20, 77}) {
      const Tensor data = numbered({1, 1, 1, from});
      const auto to = static_cast<std::int64_t>(static_cast<float>(from) * scale);
      std::vector<float> wanted;
      for (std::int64_t i = 0; i < to; ++i) {
        wanted.push_back(
            static_cast<float>(nearest_in_float32("asymmetric", scale < 1 ? "ceil" : "floor", scale, from, to, i)));
      }
      const Tensor scales = floats({4}, {1, 1, 1, scale});
      EXPECT_EQ(elements<float>(must(call(resize, {&data, &scales}, {}, 10))), wanted) << scale << " of " << from;
      if (scale < 1) continue;
      EXPECT_EQ(elements<float>(must(call(upsample, {&data, &scales}, {}, 9))), wanted) << scale << " of " << from;
      EXPECT_EQ(elements<float>(must(call(upsample, {&data}, {{"scales", AttributeType::FLOATS, scales}}, 7))), wanted);
      EXPECT_EQ(elements<float>(must(call(upsample, {&data}, {number("height_scale", 1), number("width_scale", scale)}, 1))),
                wanted);
    }
  }
}

// In integers: a coordinate is `numerator` / (2 * to).
TEST(Resize, SizesDivideExactly) {
  for (const std::string coordinates : {"asymmetric", "half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn"}) {
    for (std::int64_t from = 2; from <= 49; from += 3) {
      for (std::int64_t to = 1; to <= 49; ++to) {
        std::vector<float> down, up;
        for (std::int64_t i = 0; i < to; ++i) {
          const std::int64_t numerator = coordinates == "asymmetric"             ? 2 * i * from
                                         : coordinates == "tf_half_pixel_for_nn" ? (2 * i + 1) * from
                                                                                 : (2 * i + 1) * from - to;
          // A half less, rounded up, and a half more, rounded down.
          const auto floor_of = [&](std::int64_t x) { return (x + 4 * to) / (2 * to) - 2; };
          const auto at = [&](std::int64_t place) { return static_cast<float>(std::clamp<std::int64_t>(place, 0, from - 1)); };
          down.push_back(from == to ? static_cast<float>(i) : at(floor_of(numerator + to - 1)));
          up.push_back(from == to ? static_cast<float>(i) : at(floor_of(numerator + to)));
        }
        const auto resized_to = [&](const char* nearest) {
          return elements<float>(must(sized(
              numbered({from}), {to}, {word("coordinate_transformation_mode", coordinates), word("nearest_mode", nearest)})));
        };
        ASSERT_EQ(resized_to("round_prefer_floor"), down) << coordinates << " " << from << " -> " << to;
        ASSERT_EQ(resized_to("round_prefer_ceil"), up) << coordinates << " " << from << " -> " << to;
      }
    }
  }
}

TEST(Resize, CoordinatesThatAreWholeAreComputedSo) {
  const auto nearest = [&](const char* coordinates, const char* mode, std::int64_t from, float scale) {
    return elements<float>(must(
        scaled(numbered({from}), {scale}, {word("coordinate_transformation_mode", coordinates), word("nearest_mode", mode)})));
  };
  // (0 - 1) / 0.5 + 3, where 3.5 * (1 - 3 / 3.5) is more than a half in float64.
  EXPECT_EQ(nearest("half_pixel_symmetric", "ceil", 7, 0.5F), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(nearest("half_pixel_symmetric", "floor", 7, 0.5F), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(nearest("half_pixel_symmetric", "ceil", 20, 0.2F), (std::vector<float>{2, 7, 12, 17}));
  // The length of 20 * 0.2 is 4, and not a little more.
  EXPECT_EQ(nearest("align_corners", "floor", 10, 0.4F), (std::vector<float>{0, 3, 6, 9}));
  EXPECT_EQ(nearest("align_corners", "ceil", 10, 0.4F), (std::vector<float>{0, 3, 6, 9}));
  // Regions in float32: 0.7 of 10 is 7.
  const Tensor data = numbered({11});
  const Tensor sizes = shape_of({5});
  const Tensor roi = floats({2}, {0.3F, 0.7F});
  for (const char* mode : {"floor", "ceil"}) {
    EXPECT_EQ(
        elements<float>(must(call(resize, {&data, &roi, nullptr, &sizes},
                                  {word("coordinate_transformation_mode", "tf_crop_and_resize"), word("nearest_mode", mode)}))),
        (std::vector<float>{3, 4, 5, 6, 7}))
        << mode;
  }
}

TEST(Resize, AnyLayoutOfTheInputGivesTheSame) {
  const Tensor data = floats({2, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  Tensor turned = data;
  const std::int64_t order[] = {2, 0, 1};
  turned.layout = transposed_layout(data.layout, order);
  const Tensor dense = must(densify(turned));
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    const std::vector<float> scales{1.5F, 1, 2.5F};
    EXPECT_EQ(elements<float>(must(scaled(turned, scales, {word("mode", mode)}))),
              elements<float>(must(scaled(dense, scales, {word("mode", mode)}))));
  }
}

TEST(Resize, NearestRepeatsWholeNumbersOfTimes) {
  const Tensor data = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  for (const std::int64_t opset : {13, 18, 19}) {
    EXPECT_EQ(elements<float>(must(scaled(data, {1, 1, 2, 3}, {}, opset))),
              (std::vector<float>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  }
  const Tensor names = strings({2}, {"a", "b"});
  EXPECT_EQ(string_elements(must(scaled(names, {2}))), (std::vector<std::string>{"a", "a", "b", "b"}));
  EXPECT_EQ(bytes_of(must(scaled(tensor_of<std::uint8_t>(Dtype::boolean, {3}, {1, 0, 1}), {0.67F}))), (Bytes{1, 1}));
}

TEST(Resize, NearestRepeatsElementsOfEverySizeAlongAnyAxes) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const Dtype dtype = any_of<Dtype>(random, {Dtype::uint8, Dtype::float16, Dtype::float32, Dtype::int64, Dtype::complex128});
    List dims;
    List to;
    // By element of the result: its place in the input.
    std::vector<std::size_t> places{0};
    for (std::size_t i = 1 + random.below(4); i > 0; --i) {
      const auto from = static_cast<std::size_t>(random.between(1, i == 1 ? 40 : 5));
      const auto times = static_cast<std::size_t>(random.between(1, 4));
      std::vector<std::size_t> next;
      for (const std::size_t place : places) {
        for (std::size_t k = 0; k < from * times; ++k) next.push_back(place * from + k / times);
      }
      places = std::move(next);
      dims.push_back(static_cast<std::int64_t>(from));
      to.push_back(static_cast<std::int64_t>(from * times));
    }
    const std::size_t size = item_size(dtype);
    Bytes given(static_cast<std::size_t>(must(checked_count(dims_of(dims)))) * size);
    for (std::uint8_t& byte : given) byte = static_cast<std::uint8_t>(random.below(256));
    Bytes expected;
    for (const std::size_t place : places) {
      for (std::size_t k = 0; k < size; ++k) expected.push_back(given[place * size + k]);
    }
    const Tensor data = tensor_of(dtype, dims_of(dims), given);
    const Tensor result =
        must(sized(data, to, {word("coordinate_transformation_mode", "asymmetric"), word("nearest_mode", "floor")}));
    ASSERT_EQ(bytes_of(result), expected) << info(dtype).name << " round " << round;
  }
}

TEST(Resize, ASizeIsTheProductOfFloats) {
  // In doubles, 0.7F is less than 0.7.
  EXPECT_EQ(must(scaled(zeros(Dtype::float32, {1, 640}), {1, 0.7F})).dims(), (Dims{1, 448}));
  EXPECT_EQ(must(scaled(zeros(Dtype::float32, {10, 30}), {0.7F, 0.7F})).dims(), (Dims{7, 21}));
  // An axis that float32 cannot hold keeps its size.
  const Tensor wide = tensor_of<std::uint8_t>(Dtype::boolean, {(1 << 24) + 1, 0}, {});
  EXPECT_EQ(must(scaled(wide, {1, 1})).dims(), (Dims{(1 << 24) + 1, 0}));
}

TEST(Resize, EarlyVersionsAreAsymmetric) {
  const Tensor data = floats({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor scales = floats({4}, {1, 1, 0.6F, 0.6F});
  EXPECT_EQ(elements<float>(must(call(resize, {&data, &scales}, {}, 10))), (std::vector<float>{1, 3}));
  const Tensor twice = floats({4}, {1, 1, 1, 2});
  const std::vector<float> nearest{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8};
  const std::vector<float> linear{1, 1.5F, 2, 2.5F, 3, 3.5F, 4, 4, 5, 5.5F, 6, 6.5F, 7, 7.5F, 8, 8};
  for (const bool is_linear : {false, true}) {
    const Given mode = word("mode", is_linear ? "linear" : "nearest");
    const auto& wanted = is_linear ? linear : nearest;
    EXPECT_EQ(elements<float>(must(call(resize, {&data, &twice}, {mode}, 10))), wanted);
    EXPECT_EQ(elements<float>(must(call(upsample, {&data, &twice}, {mode}, 9))), wanted);
    EXPECT_EQ(elements<float>(must(call(upsample, {&data, &twice}, {mode}, 10))), wanted);
    EXPECT_EQ(elements<float>(must(call(upsample, {&data}, {mode, {"scales", AttributeType::FLOATS, twice}}, 7))), wanted);
    EXPECT_EQ(elements<float>(must(call(
                  upsample, {&data},
                  {word("mode", is_linear ? "bilinear" : "nearest"), number("height_scale", 1), number("width_scale", 2)}, 1))),
              wanted);
  }
}

TEST(Resize, IntegersAreRoundedToEvenAndSaturate) {
  const std::vector<Given> cubic{word("mode", "cubic")};
  EXPECT_EQ(elements<std::uint8_t>(must(scaled(tensor_of<std::uint8_t>(Dtype::uint8, {4}, {0, 255, 255, 0}), {2}, cubic))),
            (std::vector<std::uint8_t>{0, 58, 197, 255, 255, 197, 58, 0}));
  EXPECT_EQ(elements<std::int8_t>(must(
                scaled(tensor_of<std::int8_t>(Dtype::int8, {4}, {127, -128, 127, -128}), {0.5F}, {word("mode", "linear")}))),
            (std::vector<std::int8_t>{0, 0}));
  const std::vector<std::int64_t> large{(std::int64_t{1} << 52) + 1, (std::int64_t{1} << 52) + 3};
  EXPECT_EQ(
      elements<std::int64_t>(must(scaled(tensor_of<std::int64_t>(Dtype::int64, {2}, large), {0.5F}, {word("mode", "linear")}))),
      (std::vector<std::int64_t>{(std::int64_t{1} << 52) + 2}));
  EXPECT_EQ(elements<std::uint64_t>(
                must(scaled(tensor_of<std::uint64_t>(Dtype::uint64, {4}, {0, UINT64_MAX, UINT64_MAX, 0}), {2}, cubic)))[3],
            UINT64_MAX - 2047);
}

TEST(Resize, LargeImagesOfIntegersAreConvertedPartByPart) {
  Random random;
  std::vector<std::uint8_t> pixels(std::size_t{3} * 70 * 90);
  for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(random.between(0, 255));
  const Tensor data = tensor_of<std::uint8_t>(Dtype::uint8, {1, 3, 70, 90}, pixels);
  const Tensor result = must(sized(data, {1, 3, 31, 200}, {word("mode", "linear")}));
  const Tensor wanted = must(sized(must(in_type(data, Dtype::float32)), {1, 3, 31, 200}, {word("mode", "linear")}));
  const auto sums = elements<float>(wanted);
  const auto rounded = elements<std::uint8_t>(result);
  for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(rounded[i], std::nearbyint(sums[i])) << i;
}

TEST(Resize, ComplexNumbersAreAveragedInBothParts) {
  const Tensor data = tensor_of<float>(Dtype::complex64, {2}, {1, 10, 3, 30});
  EXPECT_EQ(elements<float>(must(scaled(data, {0.5F}, {word("mode", "linear")}))), (std::vector<float>{2, 20}));
  const Tensor doubles = tensor_of<double>(Dtype::complex128, {2}, {1, 10, 3, 30});
  EXPECT_EQ(elements<double>(must(scaled(doubles, {0.5F}, {word("mode", "linear")}))), (std::vector<double>{2, 20}));
}

TEST(Resize, InfinitiesReachOnlyTheElementsAroundThem) {
  constexpr float infinity = HUGE_VALF;
  std::vector<float> values(64, 1);
  values[40] = -infinity;
  const Tensor data = floats({1, 64}, values);
  const auto results = elements<float>(must(scaled(data, {1, 2}, {word("mode", "linear")})));
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i], i >= 79 && i <= 82 ? -infinity : 1) << i;
}

TEST(Resize, AnUnchangedImageIsAView) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(must(scaled(data, {1, 1})).data(), data.data());
  EXPECT_EQ(must(sized(data, {2, 2}, {word("mode", "cubic")})).data(), data.data());
  const Tensor roi = floats({4}, {0, 0, 1, 1});
  const Tensor scales = floats({2}, {1, 1});
  EXPECT_EQ(must(call(resize, {&data, &roi, &scales}, {word("coordinate_transformation_mode", "tf_crop_and_resize")})).data(),
            data.data());
}

TEST(Resize, OnlyTheNamedAxesChange) {
  const Tensor data = floats({2, 1, 2}, {1, 2, 3, 4});
  const Tensor result = must(sized(data, {4, 3}, {ints("axes", {-1, 0})}));
  EXPECT_EQ(list(result.dims()), (List{3, 1, 4}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(Resize, TheAspectRatioIsKept) {
  const Tensor data = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto dims = [&](const List& sizes, const char* policy) {
    return list(must(sized(data, sizes, {word("keep_aspect_ratio_policy", policy)})).dims());
  };
  EXPECT_EQ(dims({7, 8}, "stretch"), (List{7, 8}));
  EXPECT_EQ(dims({7, 8}, "not_larger"), (List{4, 8}));
  EXPECT_EQ(dims({7, 8}, "not_smaller"), (List{7, 14}));
  // 27 * 13 / 6 is 58.5, which is rounded up, but 13 / 6 in float64 is less.
  EXPECT_EQ(list(must(sized(zeros(Dtype::uint8, {6, 27}), {13, 60}, {word("keep_aspect_ratio_policy", "not_larger")})).dims()),
            (List{13, 59}));
  // 2 * 5 / 4 is 2.5, which is rounded up.
  EXPECT_EQ(dims({7, 5}, "not_larger"), (List{3, 5}));
}

TEST(Resize, AnEmptyListCountsAsOmitted) {
  const Tensor data = floats({2}, {1, 2});
  const Tensor empty = floats({0}, {});
  const Tensor sizes = shape_of({4});
  const Tensor none = shape_of({});
  EXPECT_EQ(elements<float>(must(call(resize, {&data, &empty, &empty, &sizes}, {}, 11))), (std::vector<float>{1, 1, 2, 2}));
  const Tensor twice = floats({1}, {2});
  EXPECT_EQ(elements<float>(must(call(resize, {&data, nullptr, &twice, &none}))), (std::vector<float>{1, 1, 2, 2}));
}

TEST(Resize, EmptyListsAloneDetermineNothing) {
  const Tensor data = floats({2}, {1, 2});
  const Tensor empty = floats({0}, {});
  EXPECT_TRUE(fails(call(resize, {&data, nullptr, &empty}), Code::InvalidArgument, "neither scales nor sizes are given"));
  // Without a region, all of the input is resized.
  const Tensor twice = floats({1}, {2});
  const auto whole = call(resize, {&data, &empty, &twice}, {word("coordinate_transformation_mode", "tf_crop_and_resize")});
  EXPECT_EQ(elements<float>(must(whole)), (std::vector<float>{1, 1, 2, 2}));
}

TEST(Resize, EmptyImagesStayEmpty) {
  EXPECT_EQ(list(must(scaled(floats({0, 2}, {}), {2, 2}, {word("mode", "linear")})).dims()), (List{0, 4}));
  EXPECT_EQ(list(must(scaled(floats({2}, {1, 2}), {0.25F}, {word("mode", "cubic")})).dims()), (List{0}));
  EXPECT_EQ(list(must(sized(floats({0}, {}), {0})).dims()), (List{0}));
}

TEST(Resize, ARoiHasTwoEntriesForEachOfManyAxes) {
  const Dims dims(std::vector<std::int64_t>(130, 1));
  const Tensor data = floats(dims, {7});
  std::vector<float> ends(260, 0);
  std::fill(ends.begin() + 130, ends.end(), 1.0F);
  const Tensor roi = floats({260}, ends);
  const Tensor sizes = shape_of(List(130, 1));
  const std::vector<Given> crop{word("coordinate_transformation_mode", "tf_crop_and_resize")};
  EXPECT_EQ(elements<float>(must(call(resize, {&data, &roi, nullptr, &sizes}, crop))), (std::vector<float>{7}));
  const Tensor too_long = floats({511}, std::vector<float>(511));
  EXPECT_TRUE(fails(call(resize, {&data, &too_long, nullptr, &sizes}, crop), Code::InvalidArgument,
                    "'roi' has 511 entries, more than 510"));
}

TEST(Resize, CallsThatMakeNoSenseAreRefused) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  const auto refused = [](const Result<Tensor>& result, const char* text) {
    EXPECT_TRUE(fails(result, Code::InvalidArgument, text));
  };
  refused(scaled(data, {1}), "'scales' has 1 entry, wanted 2");
  refused(scaled(data, {1, 0}), "scales has 0 for axis 1, wanted a number above 0");
  refused(scaled(data, {1, -2}), "scales has -2 for axis 1");
  refused(scaled(data, {HUGE_VALF, 1}), "for axis 0, wanted a number above 0");
  refused(scaled(data, {NAN, 1}), "for axis 0, wanted a number above 0");
  refused(sized(data, {1, 2, 3}), "'sizes' has 3 entries, wanted 2");
  refused(sized(data, {1, -1}), "axis 1 of size 2 cannot get size -1");
  refused(sized(floats({0}, {}), {2}), "axis 0 of size 0 cannot get size 2");
  refused(sized(data, {1, 1}, {ints("axes", {0, -2})}), "'axes' has axis 0 twice");
  refused(sized(data, {1}, {ints("axes", {2})}), "'axes' is 2, which is not an axis of 2");
  refused(call(resize, {&data}), "neither scales nor sizes are given");
  const Tensor scales = floats({2}, {1, 2});
  const Tensor sizes = shape_of({2, 4});
  refused(call(resize, {&data, nullptr, &scales, &sizes}), "scales and sizes are both given, wanted one of them");
  refused(scaled(data, {1, 2}, {word("keep_aspect_ratio_policy", "not_larger")}), "keep_aspect_ratio_policy is for sizes");
  refused(scaled(data, {1, 2}, {int_attribute("antialias", 1)}), "antialias is for modes linear and cubic");
  refused(scaled(data, {1, 2}, {word("mode", "area")}), "attribute 'mode' is 'area', wanted one of: nearest linear cubic");
  const Tensor roi = floats({2}, {0, 1});
  refused(call(resize, {&data, &roi, &scales}, {word("coordinate_transformation_mode", "tf_crop_and_resize")}),
          "'roi' has 2 entries, wanted 4");
  const Tensor table = floats({1, 2}, {1, 2});
  refused(call(resize, {&data, nullptr, &table}), "'scales' has dims [1, 2], wanted one axis");
  const Tensor half = floats({2}, {1, 0.5F});
  refused(call(upsample, {&data, &half}, {}, 9), "scales has 0.5 for axis 1, wanted a number from 1");
  refused(call(upsample, {&data}, {number("height_scale", 1), number("width_scale", 1)}, 1), "wanted 4 axes");
  EXPECT_TRUE(fails(scaled(strings({1}, {"a"}), {2}, {word("mode", "linear")}), Code::InvalidArgument,
                    "linear interpolation has averages"));
  EXPECT_TRUE(fails(scaled(tensor_of<std::uint8_t>(Dtype::boolean, {1}, {1}), {2}, {word("mode", "cubic")}),
                    Code::InvalidArgument, "which bool elements have not"));
}

TEST(Resize, HostileSizesCostNothing) {
  const Tensor one = floats({1, 1}, {1});
  EXPECT_TRUE(fails(scaled(one, {1e30F, 1}), Code::OutOfMemory));
  EXPECT_TRUE(fails(sized(one, {std::int64_t{1} << 40, 1 << 10}), Code::OutOfMemory));
  EXPECT_TRUE(fails(sized(one, {std::int64_t{1} << 62, std::int64_t{1} << 62}), Code::InvalidArgument, "too many elements"));
  // A view of one element with an axis of 2^40.
  Tensor wide = floats({1}, {1});
  wide.layout = uniform_layout({std::int64_t{1} << 40});
  for (const char* mode : {"nearest", "linear"}) {
    EXPECT_TRUE(fails(sized(wide, {1}, {word("mode", mode)}), Code::OutOfMemory));
  }
  const Tensor data = floats({3}, {1, 2, 3});
  const Tensor roi = floats({2}, {-1e38F, NAN});
  const Tensor sizes = shape_of({3});
  EXPECT_EQ(elements<float>(must(call(resize, {&data, &roi, nullptr, &sizes},
                                      {word("coordinate_transformation_mode", "tf_crop_and_resize"), word("mode", "cubic"),
                                       number("extrapolation_value", 5)}))),
            (std::vector<float>{5, 5, 5}));
}

class ResizeBeforeRun : public BeforeRun {
 protected:
  static Tensor scales(const std::vector<float>& values) { return floats({static_cast<std::int64_t>(values.size())}, values); }
  static Tensor none(Dtype dtype = Dtype::float32) { return floats({0}, {}).dtype == dtype ? floats({0}, {}) : shape_of({}); }
};

TEST_F(ResizeBeforeRun, SizesAreExpressions) {
  const Tensor image = known({n(), 3, m(), 10});
  EXPECT_EQ(sizes(resize, {image, none(), scales({1, 1, 2, 1.5F})}), "n 3 2*m 15");
  EXPECT_EQ(sizes(resize, {image, scales({1, 1, 2, 1.5F})}, {}, 1, 10), "n 3 2*m 15");
  EXPECT_EQ(sizes(upsample, {image, scales({1, 1, 2, 1.5F})}, {}, 1, 9), "n 3 2*m 15");
  EXPECT_EQ(sizes(resize, {image, none(), scales({1, 1, 0.3F, 0.5F})}), "n 3 ? 5");
  EXPECT_EQ(sizes(resize, {image, none(), none(), int64s({4}, {n(), 3, m(), 20})}), "n 3 m 20");
  EXPECT_EQ(sizes(resize, {image, none(), none(), shape_of({7, 8})}, {ints("axes", {-2, 3})}), "n 3 7 8");
  const std::vector<Given> keeps{ints("axes", {-2, 3}), word("keep_aspect_ratio_policy", "not_larger")};
  EXPECT_EQ(sizes(resize, {image, none(), none(), shape_of({7, 8})}, keeps), "n 3 ? ?");
  EXPECT_EQ(sizes(resize, {known({n(), 3, 5, 10}), none(), none(), shape_of({7, 8})}, keeps), "n 3 4 8");
}

TEST_F(ResizeBeforeRun, WhatIsNotKnownStaysUnknown) {
  EXPECT_EQ(sizes(resize, {known({n(), 3}), none(), known({2})}), "? ?");
  EXPECT_EQ(sizes(resize, {known({n(), 3}), none(), known({1})}, {ints("axes", {1})}), "n ?");
  EXPECT_EQ(sizes(resize, {unranked(), none(), known({2})}), "? ?");
  EXPECT_EQ(sizes(resize, {unranked(), none(), unranked()}), "unknown");
  EXPECT_EQ(sizes(resize, {known({n(), 3}), none(), unranked(), unranked(Dtype::int64)}), "? ?");
  EXPECT_EQ(sizes(resize, {known({n(), 3}), none(), known({3})}), "error");
  EXPECT_EQ(sizes(resize, {known({n(), 3}), none(), none()}), "error");
}

}  // namespace
}  // namespace broadloom::test::resize_test
