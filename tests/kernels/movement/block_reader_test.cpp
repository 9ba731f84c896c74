#include "kernels/movement/block_reader.h"

#include <gtest/gtest.h>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::block_reader_test {
namespace {

using Bytes = std::vector<std::byte>;

// Rows of any length that repeat, lie contiguously, are one item, have gaps or go backwards.
Layout random_layout(Random& random) {
  const std::size_t rank = random.below(4);
  Layout layout{Dims(rank), Dims(rank)};
  for (std::size_t i = 0; i < rank; ++i) {
    const bool is_long = i + 1 == rank && random.one_in(2);
    layout.dims[i] = is_long ? random.between(50, 1200) : random.between(1, 9);
    layout.strides[i] = random.one_in(3) ? 0 : random.one_in(2) ? 1 : random.between(-20, 20);
  }
  return layout;
}

std::string describe(const Layout& layout) {
  std::string text;
  for (std::size_t i = 0; i < layout.strides.size(); ++i)
    text += std::to_string(layout.run_dims()[i]) + " by " + std::to_string(layout.strides[i]) + ", ";
  return text;
}

TEST(BlockReader, BlocksOfAnySizesAreTheItemsInRowMajorOrder) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Layout layout = random_layout(random);
    const std::size_t size = item_sizes[random.below(5)];
    const MergedAxes axes = merge_axes(layout);
    const AxesSource source(axes.values(), size);
    const auto count = static_cast<std::size_t>(layout.count());
    BlockReader reader(source.first(), layout, count, size);
    Bytes read;
    for (std::size_t left = count; left > 0;) {
      ASSERT_GT(reader.ready(), 0U);
      const std::size_t most = std::min({left, reader.ready(), block_items});
      const std::size_t some = random.one_in(2) ? most : random.below(most) + 1;
      const std::byte* const block = reader.next(some);
      read.insert(read.end(), block, block + some * size);
      left -= some;
    }
    ASSERT_EQ(read, items_at(source.first(), axes.values(), size)) << describe(layout) << "items of " << size;
  }
}

TEST(Walker, StartsAtAnyItemAndGoesOnOverTheEndOfAllItems) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Layout layout = random_layout(random);
    const std::size_t size = item_sizes[random.below(5)];
    const MergedAxes axes = merge_axes(layout);
    const AxesSource source(axes.values(), size);
    const Bytes once = items_at(source.first(), axes.values(), size);
    const auto count = static_cast<std::size_t>(layout.count());
    const std::size_t first = random.below(count);
    Walker walker(source.first(), axes, size);
    walker.go_to(first);
    Walker copy = walker.shifted(0);
    Bytes gathered((count - first) * size);
    walker.gather(gathered.data(), count - first);
    ASSERT_EQ(gathered, Bytes(once.begin() + static_cast<std::ptrdiff_t>(first * size), once.end())) << describe(layout);
    if (axes.rank > 0) ASSERT_EQ(walker.at(), source.first()) << "after the last item";
    for (std::size_t at = first; at < count; at += copy.left_of_row(), copy.advance(copy.left_of_row())) {
      for (std::size_t i = 0; i < copy.contiguous() * size; ++i)
        ASSERT_EQ(copy.at()[i], once[at * size + i]) << describe(layout);
      if (axes.rank == 0) break;
    }
  }
}

}  // namespace
}  // namespace broadloom::test::block_reader_test
