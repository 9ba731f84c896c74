#include "kernels/sampling/boxes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::boxes_test {
namespace {

TEST(Box, CornersInAnyOrderAndACentreWithSizesAreTheSameBox) {
  const float corners[] = {7, 2, 1, 4};  // y, x, y, x
  const float centre[] = {3, 4, 2, 6};   // x, y, width, height
  for (const Box& box : {Box(corners, false), Box(centre, true)}) {
    EXPECT_EQ((std::vector<float>(box.sides, box.sides + 4)), (std::vector<float>{2, 1, 4, 7}));
    EXPECT_EQ(box.area, 12);
  }
}

TEST(BoxRows, ABoxOverlapsIfTheIntersectionWithAnyOfThemIsAboveThePartOfTheUnion) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t count = random.below(12);
    std::vector<float> rows(BoxRows::numbers_of(count + 1), std::numeric_limits<float>::quiet_NaN());
    BoxRows boxes(rows.data(), count + 1);
    // Small integers: some boxes touch, and some have no area.
    const Box box(random_items<float>(random, 4, 0, 9).data(), false);
    const auto threshold = static_cast<float>(random.real(0, 0.6));
    bool overlaps = false;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<float> corners = random_items<float>(random, 4, 0, 9);
      for (float& corner : corners) corner = random.one_in(3) ? std::floor(corner) : corner;
      const Box other(corners.data(), false);
      boxes.add(other);
      const float width = std::min(box.sides[2], other.sides[2]) - std::max(box.sides[0], other.sides[0]);
      const float height = std::min(box.sides[3], other.sides[3]) - std::max(box.sides[1], other.sides[1]);
      if (width <= 0 || height <= 0) continue;
      const float common = width * height;
      overlaps = overlaps || common / (other.area + box.area - common) > threshold;
    }
    ASSERT_EQ(boxes.size(), count);
    ASSERT_EQ(boxes.overlap(box, threshold), overlaps) << count << " boxes, threshold " << threshold;
  }
}

TEST(BestFirst, IndicesComeByDescendingScoresAndNanComesLast) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    std::vector<float> scores(random.below(40) + 1);
    for (float& score : scores)
      score = random.one_in(9) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.between(-5, 5));
    std::vector<std::int64_t> numbers(scores.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<std::int64_t> wanted = numbers;
    const auto key = [&](std::int64_t i) {
      const float score = scores[static_cast<std::size_t>(i)];
      return std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
    };
    std::stable_sort(wanted.begin(), wanted.end(), [&](std::int64_t a, std::int64_t b) { return key(a) > key(b); });
    for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
    BestFirst best(scores.data(), numbers.data(), numbers.size());
    for (const std::int64_t number : wanted) ASSERT_EQ(best.take(), number) << scores.size() << " scores";
    ASSERT_TRUE(best.is_empty());
  }
}

}  // namespace
}  // namespace broadloom::test::boxes_test
