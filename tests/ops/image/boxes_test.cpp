// NonMaxSuppression, RoiAlign and MaxRoiPool, compared with naive C++.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support/before_run.h"
#include "support/ending_time.h"
#include "support/numbers.h"

namespace broadloom::op {
extern const Operator cast, max_roi_pool, non_max_suppression, roi_align;
}

namespace broadloom::test::boxes_test {
namespace {

Given word(std::string_view name, const std::string& value) { return {name, AttributeType::STRING, strings({}, {value})}; }
Given number(std::string_view name, float value) { return {name, AttributeType::FLOAT, value}; }
Given ints(std::string_view name, const List& values) { return {name, AttributeType::INTS, shape_of(values)}; }
Tensor limit(std::int64_t value) { return int64s({}, {value}); }

// ---- NonMaxSuppression ----

std::vector<std::int64_t> chosen(const Tensor& boxes, const Tensor& scores, std::int64_t most, float overlap,
                                 const std::vector<Given>& given = {}, const Tensor* least = nullptr) {
  const Tensor limits = limit(most);
  const Tensor threshold = floats({1}, {overlap});
  const Tensor result = must(call(non_max_suppression, {&boxes, &scores, &limits, &threshold, least}, given));
  EXPECT_EQ(list(result.dims())[1], 3);
  return elements<std::int64_t>(result);
}

TEST(NonMaxSuppression, BoxesThatOverlapABetterOneAreLeftOut) {
  const Tensor boxes = floats({1, 4, 4}, {0, 0, 1, 1, 0, 0.1F, 1, 1.1F, 0, 10, 1, 11, 1, 11, 0, 10});
  const Tensor scores = floats({1, 1, 4}, {0.9F, 0.75F, 0.6F, 0.95F});
  const std::vector<std::int64_t> wanted{0, 0, 3, 0, 0, 0};
  EXPECT_EQ(chosen(boxes, scores, 9, 0.5F), wanted);
  EXPECT_EQ(chosen(boxes, scores, 1, 0.5F), (std::vector<std::int64_t>{0, 0, 3}));
  EXPECT_EQ(chosen(boxes, scores, 0, 0.5F), (std::vector<std::int64_t>{}));
  EXPECT_EQ(chosen(boxes, scores, 9, 1), (std::vector<std::int64_t>{0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 2}));
  const Tensor least = floats({}, {0.9F});
  EXPECT_EQ(chosen(boxes, scores, 9, 0.5F, {}, &least), (std::vector<std::int64_t>{0, 0, 3}));
  EXPECT_EQ(list(must(call(non_max_suppression, {&boxes, &scores}, {}, 10)).dims()), (List{0, 3}));
}

TEST(NonMaxSuppression, ABoxMayBeGivenByItsCentre) {
  const Tensor boxes = floats({1, 3, 4}, {0.5F, 0.5F, 1, 1, 0.5F, 0.6F, 1, 1, 0.5F, 10.5F, 1, 1});
  const Tensor scores = floats({1, 1, 3}, {0.5F, 0.75F, 0.25F});
  EXPECT_EQ(chosen(boxes, scores, 3, 0.5F, {int_attribute("center_point_box", 1)}),
            (std::vector<std::int64_t>{0, 0, 1, 0, 0, 2}));
}

TEST(NonMaxSuppression, AnOverlapThatEqualsTheThresholdIsKept) {
  // Two boxes of 2, which have 1 in common: a third.
  const Tensor boxes = floats({1, 2, 4}, {0, 0, 1, 2, 0, 1, 1, 3});
  const Tensor scores = floats({1, 1, 2}, {1, 1});
  EXPECT_EQ(chosen(boxes, scores, 2, 1.0F / 3), (std::vector<std::int64_t>{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(chosen(boxes, scores, 2, 0.33F), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(NonMaxSuppression, ScoresThatAreNoNumbersComeAfterAllOthers) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> corners;
  for (int i = 0; i < 5; ++i)
    corners.insert(corners.end(), {0, 10.0F * static_cast<float>(i), 1, 10.0F * static_cast<float>(i) + 1});
  const Tensor boxes = floats({1, 5, 4}, corners);
  EXPECT_EQ(chosen(boxes, floats({1, 1, 5}, {0.1F, nan, 0.2F, 0.9F, 0.8F}), 1, 0.5F), (List{0, 0, 3}));
  EXPECT_EQ(chosen(boxes, floats({1, 1, 5}, {nan, -1, nan, -INFINITY, INFINITY}), 5, 0.5F),
            (List{0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 2}));
}

TEST(NonMaxSuppression, RandomBoxesAreChosenAsByANaiveLoop) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t batches = random.between(1, 2);
    const std::int64_t kinds = random.between(1, 3);
    const std::int64_t count = random.between(1, 60);
    std::vector<float> corners(static_cast<std::size_t>(batches * count * 4));
    std::vector<float> values(static_cast<std::size_t>(batches * kinds * count));
    for (float& corner : corners) corner = static_cast<float>(random.between(0, 12));
    for (float& value : values) {
      value = random.one_in(8) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.between(0, 20)) / 20;
    }
    const float overlap = static_cast<float>(random.between(0, 10)) / 10;
    const std::int64_t most = random.between(1, 20);
    std::vector<std::int64_t> wanted;
    for (std::int64_t b = 0; b < batches; ++b) {
      const float* box = corners.data() + b * count * 4;
      const auto side = [&](std::int64_t i, int axis, bool high) {
        const auto [low, top] = std::minmax(box[4 * i + axis], box[4 * i + axis + 2]);
        return high ? top : low;
      };
      const auto area = [&](std::int64_t i) {
        return (side(i, 0, true) - side(i, 0, false)) * (side(i, 1, true) - side(i, 1, false));
      };
      const auto is_hidden = [&](std::int64_t i, std::int64_t k) {
        float common = 1;
        for (const int axis : {0, 1}) {
          common *= std::max(
              0.0F, std::min(side(i, axis, true), side(k, axis, true)) - std::max(side(i, axis, false), side(k, axis, false)));
        }
        return common > 0 && common / (area(i) + area(k) - common) > overlap;
      };
      for (std::int64_t kind = 0; kind < kinds; ++kind) {
        const float* score = values.data() + (b * kinds + kind) * count;
        List order;
        for (std::int64_t i = 0; i < count; ++i) order.push_back(i);
        std::stable_sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) {
          return score[x] > score[y] || (!std::isnan(score[x]) && std::isnan(score[y]));
        });
        List kept;
        for (const std::int64_t i : order) {
          if (static_cast<std::int64_t>(kept.size()) == most) break;
          if (std::any_of(kept.begin(), kept.end(), [&](std::int64_t k) { return is_hidden(i, k); })) continue;
          kept.push_back(i);
          wanted.insert(wanted.end(), {b, kind, i});
        }
      }
    }
    EXPECT_EQ(chosen(floats({batches, count, 4}, corners), floats({batches, kinds, count}, values), most, overlap), wanted);
  }
}

TEST(NonMaxSuppression, CallsThatMakeNoSenseAreRefused) {
  const Tensor boxes = floats({1, 1, 4}, {0, 0, 1, 1});
  const Tensor scores = floats({1, 1, 1}, {1});
  const Tensor more = floats({1, 1, 2}, {1, 1});
  const Tensor flat = floats({4}, {0, 0, 1, 1});
  const Tensor two = shape_of({1, 2});
  const Tensor high = floats({}, {1.5F});
  const auto refused = [](const Result<Tensor>& result, const char* text) {
    EXPECT_TRUE(fails(result, Code::InvalidArgument, text));
  };
  refused(call(non_max_suppression, {&boxes, &more}), "boxes have dims [1, 1, 4] and scores [1, 1, 2]");
  refused(call(non_max_suppression, {&flat, &scores}), "boxes have dims [4], wanted 3 axes");
  refused(call(non_max_suppression, {&scores, &scores}), "wanted 4 numbers for each");
  refused(call(non_max_suppression, {&boxes, &scores, &two}), "'max_output_boxes_per_class' has dims [2], wanted one element");
  refused(call(non_max_suppression, {&boxes, &scores, nullptr, &high}), "iou_threshold is 1.5, wanted 0 to 1");
  refused(call(non_max_suppression, {&boxes, &scores}, {int_attribute("center_point_box", 2)}),
          "center_point_box is 2, wanted 0 or 1");
}

// ---- RoiAlign and MaxRoiPool ----

struct Alignment {
  bool is_max;
  bool is_shifted;
  std::int64_t samples;
  double scale;
};

bool is_power_of_two(std::int64_t count) { return (count & (count - 1)) == 0; }

// ONNX's reference, in double, with elements by (channel, y, x). Sets `is_rounded` for a sample on the limit of the image whose
// place is not exact: other roundings put it on the other side.
double aligned(const Alignment& rule, const Numbers& plane, const List& size, const double* region, const List& pooled,
               std::int64_t py, std::int64_t px, bool& is_rounded) {
  const double shift = rule.is_shifted ? 0.5 : 0;
  double start[2];
  double step[2];
  std::int64_t samples[2];
  for (const int axis : {0, 1}) {
    start[axis] = region[1 - axis] * rule.scale - shift;
    double length = region[3 - axis] * rule.scale - shift - start[axis];
    if (!rule.is_shifted) length = std::max(length, 1.0);
    step[axis] = length / static_cast<double>(pooled[static_cast<std::size_t>(axis)]);
    samples[axis] = rule.samples > 0 ? rule.samples : static_cast<std::int64_t>(std::ceil(step[axis]));
  }
  double sum = 0;
  bool is_first = true;
  const auto at = [&](std::int64_t y, std::int64_t x) { return plane[static_cast<std::size_t>(y * size[1] + x)]; };
  for (std::int64_t iy = 0; iy < samples[0]; ++iy) {
    for (std::int64_t ix = 0; ix < samples[1]; ++ix) {
      double y = start[0] + static_cast<double>(py) * step[0] +
                 (static_cast<double>(iy) + 0.5) * step[0] / static_cast<double>(samples[0]);
      double x = start[1] + static_cast<double>(px) * step[1] +
                 (static_cast<double>(ix) + 0.5) * step[1] / static_cast<double>(samples[1]);
      const double places[] = {y, x};
      for (const std::size_t axis : {0U, 1U}) {
        const double far = std::min(std::abs(places[axis] + 1), std::abs(places[axis] - static_cast<double>(size[axis])));
        if (far < 1e-4 && !is_power_of_two(samples[axis] * pooled[axis])) is_rounded = true;
      }
      double products[4] = {};
      if (y >= -1 && y <= static_cast<double>(size[0]) && x >= -1 && x <= static_cast<double>(size[1])) {
        y = std::clamp(y, 0.0, static_cast<double>(size[0] - 1));
        x = std::clamp(x, 0.0, static_cast<double>(size[1] - 1));
        const auto y0 = static_cast<std::int64_t>(y);
        const auto x0 = static_cast<std::int64_t>(x);
        const std::int64_t y1 = std::min(y0 + 1, size[0] - 1);
        const std::int64_t x1 = std::min(x0 + 1, size[1] - 1);
        const double ly = y - static_cast<double>(y0);
        const double lx = x - static_cast<double>(x0);
        products[0] = (1 - ly) * (1 - lx) * at(y0, x0);
        products[1] = (1 - ly) * lx * at(y0, x1);
        products[2] = ly * (1 - lx) * at(y1, x0);
        products[3] = ly * lx * at(y1, x1);
      }
      if (rule.is_max) {
        const double best = *std::max_element(products, products + 4);
        sum = is_first ? best : std::max(sum, best);
        is_first = false;
      } else {
        for (const double product : products) sum += product;
      }
    }
  }
  return rule.is_max ? sum : sum / static_cast<double>(std::max<std::int64_t>(samples[0] * samples[1], 1));
}

TEST(RoiAlign, RandomRegionsHaveTheSamplesOfTheReference) {
  Random random;
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Alignment rule{random.one_in(3), random.one_in(2), random.between(0, 3), 0.5};
    const List dims{2, random.between(1, 3), random.between(1, 12), random.between(1, 12)};
    const List pooled{random.between(1, 5), random.between(1, 5)};
    const std::int64_t count = random.between(1, 4);
    const Dtype dtype = random.one_in(3) ? Dtype::float64 : random.one_in(2) ? Dtype::float16 : Dtype::float32;
    const auto total = static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * dims[3]);
    const Numbers image = random_numbers(random, dtype, total, -4, 4);
    Numbers regions(static_cast<std::size_t>(4 * count));
    // Eighths, which are exact.
    for (double& corner : regions) corner = static_cast<double>(random.between(-40, 240)) / 8;
    std::vector<std::int64_t> batches;
    for (std::int64_t i = 0; i < count; ++i) batches.push_back(random.between(0, 1));
    const Tensor x = tensor_of_numbers(dtype, dims, image);
    const Tensor rois = tensor_of_numbers(dtype, {count, 4}, regions);
    const Tensor numbers = tensor_of<std::int64_t>(Dtype::int64, {count}, batches);
    const Tensor result = must(call(
        roi_align, {&x, &rois, &numbers},
        {word("mode", rule.is_max ? "max" : "avg"), int_attribute("output_height", pooled[0]),
         int_attribute("output_width", pooled[1]), int_attribute("sampling_ratio", rule.samples), number("spatial_scale", 0.5F),
         word("coordinate_transformation_mode", rule.is_shifted ? "half_pixel" : "output_half_pixel")}));
    Numbers wanted;
    bool is_rounded = false;
    const std::size_t plane = static_cast<std::size_t>(dims[2] * dims[3]);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      for (std::int64_t c = 0; c < dims[1]; ++c) {
        const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(batches[i] * dims[1] + c) * plane);
        const Numbers own(image.begin() + first, image.begin() + first + static_cast<std::ptrdiff_t>(plane));
        for (std::int64_t py = 0; py < pooled[0]; ++py) {
          for (std::int64_t px = 0; px < pooled[1]; ++px) {
            wanted.push_back(aligned(rule, own, {dims[2], dims[3]}, regions.data() + 4 * i, pooled, py, px, is_rounded));
          }
        }
      }
    }
    if (is_rounded) continue;
    ++compared;
    ASSERT_TRUE(are_near(result, wanted, 8 * precision_of(dtype))) << round;
  }
  EXPECT_GT(compared, 100);
}

TEST(RoiAlign, RegionsFarAwayCostNothing) {
  const Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor rois = floats({3, 4}, {-1e30F, -1e30F, 1e30F, 1e30F, NAN, 0, 1, 1, HUGE_VALF, 0, 1, 1});
  const Tensor batches = shape_of({0, 0, 0});
  EXPECT_EQ(must(call(roi_align, {&x, &rois, &batches})).count(), 3);
  EXPECT_EQ(must(call(roi_align, {&x, &rois, &batches}, {word("mode", "max")}, 10)).count(), 3);
}

TEST(MaxRoiPool, EachPlaceIsTheGreatestElementOfItsPart) {
  const Tensor x = floats({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const Tensor rois = floats({3, 5}, {0, 0, 0, 3, 3, 0, 1, 1, 1, 1, 0, 9, 9, 12, 12});
  const Tensor result = must(call(max_roi_pool, {&x, &rois}, {ints("pooled_shape", {2, 2})}));
  EXPECT_EQ(list(result.dims()), (List{3, 1, 2, 2}));
  EXPECT_EQ(elements<float>(result), (std::vector<float>{6, 8, 14, 16, 6, 6, 6, 6, 0, 0, 0, 0}));
  const Tensor negative = floats({1, 1, 1, 2}, {-2, -1});
  const Tensor all = floats({1, 5}, {0, 0, 0, 1, 0});
  EXPECT_EQ(elements<float>(must(call(max_roi_pool, {&negative, &all}, {ints("pooled_shape", {1, 1})}))),
            (std::vector<float>{-1}));
}

// Numbers of samples beyond 2^53 are rounded, so their own order is lost; what is in the image is counted nevertheless.
TEST(RoiAlign, RegionsOfAnySizeEnd) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16}) {
    const auto numbers = [&](const SymbolicDims& dims, const std::vector<float>& values) {
      const Tensor tensor = floats(dims, values);
      return must(call(cast, {&tensor}, {int_attribute("to", static_cast<std::int64_t>(dtype))}));
    };
    const Tensor x = numbers({1, 1, 3, 3}, std::vector<float>(9, 1));
    const Tensor batches = int64s({1}, {0});
    for (const float size : {1e3F, 6e4F, 1e9F, 1e16F, 1e17F, 1e30F, 3e38F, INFINITY, NAN}) {
      const bool is_number = std::isfinite(size) && (dtype != Dtype::float16 || size < 65504);
      const Tensor rois = numbers({1, 4}, {-size, -size, size, size});
      for (const char* mode : {"avg", "max"}) {
        for (const std::int64_t places : {1, 3, 50}) {
          const std::vector<Given> given = {word("mode", mode), int_attribute("output_height", places),
                                            int_attribute("output_width", places)};
          const Tensor y = must(call(roi_align, {&x, &rois, &batches}, given));
          for (const float result : elements<float>(must(in_type(y, Dtype::float32)))) {
            EXPECT_TRUE(!is_number || (result >= 0 && result <= 1)) << size << " " << mode << " " << result;
          }
        }
      }
      const Tensor pooled = numbers({1, 5}, {0, -size, -size, size, size});
      const Tensor y = must(call(max_roi_pool, {&x, &pooled}, {ints("pooled_shape", {2, 2})}));
      for (const float result : elements<float>(must(in_type(y, Dtype::float32)))) {
        EXPECT_TRUE(result == 0 || result == 1) << size << " " << result;
      }
    }
  }
}

TEST(RoiAlign, ALongListOfSamplesEndsWithTheTime) {
  const EndingTime ending(2);
  const Tensor x = zeros(Dtype::float32, {1, 1, 8, 8});
  const Tensor rois = floats({1, 4}, {0, 0, 7, 7});
  const Tensor batches = int64s({1}, {0});
  const std::vector<Given> many = {word("mode", "max"), int_attribute("output_height", 1000),
                                   int_attribute("output_width", 1000), int_attribute("sampling_ratio", 128)};
  EXPECT_TRUE(fails(call(roi_align, {&x, &rois, &batches}, many), Code::LimitExceeded));
}

TEST(RoiAlign, CallsThatMakeNoSenseAreRefused) {
  const Tensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor rois = floats({1, 4}, {0, 0, 1, 1});
  const Tensor batches = shape_of({0});
  const Tensor far = shape_of({1});
  const Tensor two = shape_of({0, 0});
  const auto refused = [](const Result<Tensor>& result, const char* text) {
    EXPECT_TRUE(fails(result, Code::InvalidArgument, text));
  };
  refused(call(roi_align, {&x, &rois, &far}), "region 0 is one of image 1, but there are 1");
  refused(call(roi_align, {&x, &rois, &two}), "'batch_indices' has dims [2], wanted one for each of 1 regions");
  refused(call(roi_align, {&rois, &rois, &batches}), "'X' has dims [1, 4], wanted 4 axes");
  refused(call(roi_align, {&x, &x, &batches}), "wanted 4 numbers for each region");
  refused(call(roi_align, {&x, &rois, &batches}, {int_attribute("sampling_ratio", std::int64_t{1} << 60)}),
          "sampling_ratio is");
  refused(call(roi_align, {&x, &rois, &batches}, {int_attribute("output_height", 0)}), "wanted positive sizes");
  refused(call(max_roi_pool, {&x, &rois}, {ints("pooled_shape", {1, 1})}), "wanted 5 numbers for each region");
  const Tensor five = floats({1, 5}, {0, 0, 0, 1, 1});
  refused(call(max_roi_pool, {&x, &five}, {ints("pooled_shape", {1})}), "pooled_shape has 1 entry, wanted 2");
}

using BoxesBeforeRun = BeforeRun;

TEST_F(BoxesBeforeRun, SizesFollowFromTheInputs) {
  EXPECT_EQ(sizes(non_max_suppression, {known({n(), m(), 4}), known({n(), 80, m()})}), "? 3");
  EXPECT_EQ(sizes(non_max_suppression, {known({1, m(), 3}), unranked()}), "error");
  const std::vector<Given> sized{int_attribute("output_height", 7), int_attribute("output_width", 5)};
  EXPECT_EQ(sizes(roi_align, {known({1, n(), 8, 8}), known({m(), 4}), indices({m()})}, sized), "m n 7 5");
  EXPECT_EQ(sizes(roi_align, {unranked(), unranked(), indices({m()})}, sized), "m ? 7 5");
  EXPECT_EQ(sizes(max_roi_pool, {known({1, n(), 8, 8}), known({m(), 5})}, {ints("pooled_shape", {6, 6})}), "m n 6 6");
}

}  // namespace
}  // namespace broadloom::test::boxes_test
