#include "kernels/convolution/pool.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/cases.h"
#include "support/convolutions.h"
#include "support/expect.h"

namespace broadloom::test::pool_test {
namespace {

using Kind = Pooling::Kind;

TEST(Pooling, WindowsBecomeTheirMaximaMeansAndSumsWithTheSameBitsInBothOrders) {
  Random random;
  int in_rows = 0;
  for (int round = 0; round < 2 * cases(); ++round) {
    const SlidingAxes axes = random_axes(random, 1 + random.below(3), {9, 3, 2});
    const std::size_t batch = random.below(2) + 1;
    const std::size_t channels = random.below(9) + 1;
    const bool has_channels_last = random.one_in(3);
    const Layout layout =
        image_layout(static_cast<std::int64_t>(batch), static_cast<std::int64_t>(channels), axes.values(), has_channels_last);
    const std::size_t elements = elements_of(axes.values());
    const std::size_t places = places_of(axes.values());
    const auto items = random_items<float>(random, batch * channels * elements, -1, 1);
    const auto kind = static_cast<Kind>(random.below(4));
    std::vector<std::int64_t> ends;
    for (const SlidingAxis& axis : axes) ends.push_back(axis.end());
    // By row-major numbers.
    std::vector<float> wanted(batch * channels * places);
    bool are_all_filled = true;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      float most = -std::numeric_limits<float>::infinity();
      float sum = 0;
      std::size_t count = 0;
      for (std::size_t tap = 0; tap < taps_of(axes.values()); ++tap) {
        const std::int64_t element = element_at(axes.values(), i % places, tap);
        if (element < 0) continue;
        const float x =
            items[place_in(layout, i / places / channels, i / places % channels, static_cast<std::size_t>(element))];
        most = std::max(most, x);
        sum += x;
        ++count;
      }
      are_all_filled = are_all_filled && count > 0;
      const std::size_t divisor = kind == Kind::mean ? count : kind == Kind::mean_of_all ? taps_of(axes.values()) : 1;
      wanted[i] = kind == Kind::maximum ? most : sum / static_cast<float>(divisor);
    }
    if (!are_all_filled) continue;
    const bool can_pool_rows = Pooling::can_pool_rows(kind, Dtype::float32, layout, &axes.values().back());
    for (const bool rows : {false, true}) {
      if (rows && !can_pool_rows) continue;
      in_rows += rows ? 1 : 0;
      const Pooling pool(kind, Dtype::float32, axes, ends, layout, rows);
      std::vector<Vector> workspace = workspace_of(pool.workspace_bytes());
      std::vector<float> to(wanted.size());
      ASSERT_TRUE(succeeds(pool.run(address(to), address(items), address(workspace))));
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::size_t by_pixels = (i / places / channels * places + i % places) * channels + i / places % channels;
        ASSERT_EQ(to[rows ? i : by_pixels], wanted[i]) << "kind " << static_cast<int>(kind) << (rows ? ", in rows" : "");
      }
    }
  }
  EXPECT_GT(in_rows, 0);
}

}  // namespace
}  // namespace broadloom::test::pool_test
