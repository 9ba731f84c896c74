#include "kernels/sampling/regions.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::regions_test {
namespace {

struct Bins {
  std::vector<std::vector<RegionTap>> taps;
  std::vector<RegionBin> bins;

  Bins(Random& random, std::size_t size) : taps(random.below(5)) {
    for (std::vector<RegionTap>& some : taps) {
      some.resize(random.one_in(5) ? 0 : random.below(6));
      for (RegionTap& tap : some) tap = {random.below(size), random.real(0, 1)};
      bins.push_back({some, random.one_in(4)});
    }
  }
};

template <class T>
void expect_pooled(double precision) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const std::size_t height = random.below(6) + 1;
    const std::size_t width = random.below(6) + 1;
    const auto plane = random_items<T>(random, height * width, -2, 1);
    const Bins rows(random, height);
    const Bins columns(random, width);
    const bool is_max = random.one_in(2);
    std::vector<T> to(rows.bins.size() * columns.bins.size());
    ASSERT_TRUE(succeeds(pool_region<T>(to.data(), plane.data(), width, rows.bins, columns.bins, is_max, 3)));
    for (std::size_t i = 0; i < to.size(); ++i) {
      const RegionBin& y = rows.bins[i / columns.bins.size()];
      const RegionBin& x = columns.bins[i % columns.bins.size()];
      double sum = 0;
      double most = y.has_zero || x.has_zero || y.taps.empty() || x.taps.empty() ? 0 : -std::numeric_limits<double>::infinity();
      for (const RegionTap& row : y.taps) {
        for (const RegionTap& column : x.taps) {
          const double product = static_cast<double>(plane[row.index * width + column.index]) * row.weight * column.weight;
          sum += product;
          most = std::max(most, product);
        }
      }
      ASSERT_NEAR(to[i], is_max ? most : sum / 3, precision);
    }
  }
}

TEST(PoolRegion, EachPlaceIsTheSumOrTheGreatestOfTheWeightedElementsOfItsTaps) {
  expect_pooled<float>(1e-6);
  expect_pooled<double>(1e-14);
}

}  // namespace
}  // namespace broadloom::test::regions_test
