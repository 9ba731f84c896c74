#include "kernels/strided.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/canaries.h"
#include "support/lists.h"
#include "support/random.h"

namespace broadloom {
namespace {

using test::Guarded;
using test::List;
using test::Random;
using Bytes = std::vector<std::byte>;

// Element by element, with an index that counts up like an odometer.
Bytes naive(const Bytes& source, std::size_t first, const Layout& layout, std::size_t item_size) {
  Bytes result;
  List index(layout.dims.size(), 0);
  for (std::int64_t left = layout.count(); left > 0; --left) {
    auto element = static_cast<std::int64_t>(first);
    for (std::size_t axis = 0; axis < index.size(); ++axis) element += index[axis] * layout.strides[axis];
    const auto at = source.begin() + static_cast<std::ptrdiff_t>(element * static_cast<std::int64_t>(item_size));
    result.insert(result.end(), at, at + static_cast<std::ptrdiff_t>(item_size));
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < layout.dims[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

// Checks a layout over a source that is exactly as large as the layout reaches, so that sanitizers see a read too far.
void expect_materialized(const Layout& layout, std::size_t item_size, std::size_t misalignment = 0) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  const bool empty = layout.count() == 0;
  for (std::size_t axis = 0; axis < layout.dims.size() && !empty; ++axis) {
    const std::int64_t reach = (layout.dims[axis] - 1) * layout.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  const std::size_t items = empty ? 0 : static_cast<std::size_t>(last - first + 1);
  const Bytes source = test::distinct_bytes(items * item_size);
  const auto start = static_cast<std::size_t>(-first);
  Guarded to(static_cast<std::size_t>(layout.count()) * item_size, misalignment);
  materialize(to.data(), source.data() + start * item_size, layout, item_size);
  const auto describe = [&] {
    return testing::PrintToString(test::list(layout.dims)) + " strides " + testing::PrintToString(test::list(layout.strides)) +
           " items of " + std::to_string(item_size);
  };
  ASSERT_EQ(to.written(), naive(source, start, layout, item_size)) << describe();
  ASSERT_TRUE(to.intact()) << describe();
}

void expect_materialized_in_all_sizes(const Layout& layout) {
  for (const std::size_t size : test::item_sizes) expect_materialized(layout, size);
}

TEST(Materialize, AScalarIsOneItem) { expect_materialized_in_all_sizes(dense_layout({})); }

TEST(Materialize, ADenseLayoutIsCopied) { expect_materialized_in_all_sizes(dense_layout({2, 3, 4})); }

TEST(Materialize, AUniformLayoutIsOneItemRepeated) { expect_materialized_in_all_sizes(uniform_layout({2, 3, 4})); }

TEST(Materialize, ARowIsRepeated) { expect_materialized_in_all_sizes({{5, 7}, {0, 1}}); }

TEST(Materialize, EachItemOfAColumnIsRepeated) { expect_materialized_in_all_sizes({{5, 7}, {1, 0}}); }

TEST(Materialize, ATransposedLayoutIsGathered) { expect_materialized_in_all_sizes({{5, 7}, {1, 5}}); }

TEST(Materialize, AGappedLayoutSkipsTheGaps) { expect_materialized_in_all_sizes({{3, 4, 2}, {100, 10, 3}}); }

TEST(Materialize, NegativeStridesReadBackwards) { expect_materialized_in_all_sizes({{3, 4}, {-4, -1}}); }

TEST(Materialize, ALayoutWithoutElementsWritesAndReadsNothing) {
  expect_materialized_in_all_sizes(uniform_layout({0}));
  expect_materialized_in_all_sizes({{3, 0, 2}, {0, 0, 0}});
  expect_materialized_in_all_sizes({{0, 5}, {5, 0}});
  materialize(nullptr, nullptr, dense_layout({4, 0}), 4);
}

TEST(Materialize, ColumnsOfEveryCountAroundTheVectorAreRepeatedExactly) {
  for (const std::size_t size : test::item_sizes) {
    for (const std::size_t count : test::counts_around_vectors(32)) {
      for (const std::size_t misalignment : test::misalignments) {
        expect_materialized({{3, static_cast<std::int64_t>(count)}, {1, 0}}, size, misalignment);
        expect_materialized({{static_cast<std::int64_t>(count), 3}, {1, 0}}, size, misalignment);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, RowsOfEveryCountAroundTheVectorAreRepeatedExactly) {
  for (const std::size_t size : test::item_sizes) {
    for (const std::size_t count : test::counts_around_vectors(32)) {
      for (const std::size_t misalignment : test::misalignments) {
        expect_materialized({{3, static_cast<std::int64_t>(count)}, {0, 1}}, size, misalignment);
        expect_materialized({{static_cast<std::int64_t>(count), 3}, {0, 1}}, size, misalignment);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, ManyAxesThatCannotMergeAreWalked) {
  Dims dims(14, 2);
  Dims strides(14);
  for (std::size_t i = 0; i < 14; i += 2) strides[i] = static_cast<std::int64_t>(14 - i);
  expect_materialized({dims, strides}, 4);
}

// Some axes stretched, the others in a random order with random gaps: what broadcasts, transposes and slices make.
Layout random_layout(Random& random, std::size_t rank) {
  Layout layout{Dims(rank), Dims(rank)};
  std::int64_t largest = rank <= 3 ? 12 : rank <= 5 ? 5 : 3;
  for (std::size_t i = 0; i < rank; ++i)
    layout.dims[i] = random.one_in(40) ? 0 : random.one_in(4) ? 1 : random.between(1, largest);
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random.one_in(2)) {
    for (std::size_t i = rank; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  const bool gaps = random.one_in(3);
  std::int64_t stride = gaps && random.one_in(2) ? random.between(1, 4) : 1;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t axis = order[i];
    if (random.one_in(3)) continue;  // stretched
    layout.strides[axis] = stride;
    stride = stride * std::max<std::int64_t>(layout.dims[axis], 1) + (gaps && random.one_in(2) ? random.between(1, 3) : 0);
  }
  return layout;
}

TEST(Materialize, RandomLayoutsOfEveryRankEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < 50000; ++round) {
    const Layout layout = random_layout(random, static_cast<std::size_t>(round % 9));
    expect_materialized(layout, test::item_sizes[random.below(5)], random.below(16));
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, RandomLargeStretchesEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t inner = random.between(1, 300);
    const std::int64_t outer = random.between(1, 40000 / inner);
    const std::size_t size = test::item_sizes[random.below(5)];
    expect_materialized({{outer, inner}, {0, 1}}, size);
    expect_materialized({{outer, inner}, {1, 0}}, size);
    expect_materialized({{outer, 1, inner, 3}, {0, 7, 1, 0}}, size);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom
