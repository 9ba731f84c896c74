#include "kernels/reduce/running.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::running_test {
namespace {

template <class T, class Sum>
void expect_running(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const RunningForm form{random.one_in(2), random.one_in(2), random.one_in(2)};
    const RowsOf rows{random.below(12), random.below(12) + 1, random.one_in(2) ? 1 : random.below(80) + 1};
    const auto from = random_items<T>(random, rows.outer * rows.size * rows.inner, std::is_integral_v<T> ? 0 : -1, 3);
    std::vector<T> wanted = from;
    for (std::size_t row = 0; row < rows.outer * rows.inner; ++row) {
      Sum sum = form.is_product ? 1 : 0;
      for (std::size_t k = 0; k < rows.size; ++k) {
        const std::size_t number = form.is_reverse ? rows.size - 1 - k : k;
        const std::size_t at = (row / rows.inner * rows.size + number) * rows.inner + row % rows.inner;
        const Sum before = sum;
        sum = form.is_product ? sum * static_cast<Sum>(from[at]) : sum + static_cast<Sum>(from[at]);
        wanted[at] = static_cast<T>(form.is_exclusive ? before : sum);
      }
    }
    std::vector<T> to(from.size());
    ASSERT_TRUE(succeeds(run_along(form, dtype, address(to), address(from), rows)));
    ASSERT_EQ(to, wanted) << "[" << rows.outer << ", " << rows.size << ", " << rows.inner << "]";
    to = from;
    ASSERT_TRUE(succeeds(run_along(form, dtype, address(to), address(to), rows)));
    ASSERT_EQ(to, wanted) << "in place";
  }
}

TEST(RunAlong, EachElementBecomesTheSumOrProductUpToItInOrder) {
  expect_running<float, double>(Dtype::float32);
  expect_running<double, double>(Dtype::float64);
  expect_running<std::uint32_t, std::uint32_t>(Dtype::int32);
  expect_running<std::uint64_t, std::uint64_t>(Dtype::uint64);
}

TEST(RunAlong, ASumOfNegativeZerosIsNegativeUnlessElementsAreExcluded) {
  const std::vector<float> from{-0.0F, -0.0F};
  std::vector<float> to(2);
  must(run_along({false, false, false}, Dtype::float32, address(to), address(from), {1, 2, 1}));
  EXPECT_TRUE(have_same_bits(to, from));
  must(run_along({false, true, false}, Dtype::float32, address(to), address(from), {1, 2, 1}));
  EXPECT_TRUE(have_same_bits(to, {0.0F, 0.0F}));
}

}  // namespace
}  // namespace broadloom::test::running_test
