#include "kernels/movement/strided.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/canaries.h"
#include "support/cases.h"
#include "support/exact.h"
#include "support/lists.h"
#include "support/random.h"

namespace broadloom::test::strided_test {
namespace {

using Bytes = std::vector<std::byte>;

// Copies element by element, with coordinates that count up like an odometer.
Bytes naive(const Exact& source, std::size_t first, const Layout& layout, std::size_t item_size) {
  Bytes result(static_cast<std::size_t>(layout.count()) * item_size);
  std::byte* to = result.data();
  List index(layout.dims.size(), 0);
  for (std::int64_t left = layout.count(); left > 0; --left) {
    auto element = static_cast<std::int64_t>(first);
    for (std::size_t axis = 0; axis < index.size(); ++axis) element += index[axis] * layout.strides[axis];
    to = std::copy_n(source.data() + element * static_cast<std::int64_t>(item_size), item_size, to);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < layout.run_dims()[axis]) break;
      index[axis] = 0;
    }
  }
  return result;
}

std::string describe(const Layout& layout, std::size_t item_size) {
  return testing::PrintToString(list(layout.dims)) + " strides " + testing::PrintToString(list(layout.strides)) + " items of " +
         std::to_string(item_size);
}

// Checks a layout over a source of exactly the size that it reaches, so that sanitizers detect reads past it.
void expect_materialized(const Layout& layout, std::size_t item_size, std::size_t misalignment = 0) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  const bool empty = layout.count() == 0;
  for (std::size_t axis = 0; axis < layout.dims.size() && !empty; ++axis) {
    const std::int64_t reach = (layout.run_dims()[axis] - 1) * layout.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  const std::size_t items = empty ? 0 : static_cast<std::size_t>(last - first + 1);
  const Exact source(items * item_size, misalignment / 2);
  const auto start = static_cast<std::size_t>(-first);
  Guarded to(static_cast<std::size_t>(layout.count()) * item_size, misalignment);
  materialize(to.data(), source.data() + start * item_size, layout, item_size);
  // Reports the first different byte. EXPECT_EQ would print hundreds of KiB.
  const Bytes expected = naive(source, start, layout, item_size);
  const Bytes written = to.written();
  const auto different = std::mismatch(written.begin(), written.end(), expected.begin()).first - written.begin();
  ASSERT_EQ(different, static_cast<std::ptrdiff_t>(written.size())) << "the first wrong byte; " << describe(layout, item_size);
  ASSERT_TRUE(to.intact()) << describe(layout, item_size);
  // Few elements are written in another way.
  if (layout.count() > 100) return;
  Guarded few(static_cast<std::size_t>(layout.count()) * item_size, misalignment);
  ASSERT_TRUE(materialize_watched(few.data(), source.data() + start * item_size, layout, item_size));
  ASSERT_EQ(few.written(), expected) << describe(layout, item_size);
  ASSERT_TRUE(few.intact()) << describe(layout, item_size);
}

void expect_materialized_in_all_sizes(const Layout& layout) {
  for (const std::size_t size : item_sizes) expect_materialized(layout, size);
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
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(32)) {
      for (const std::size_t misalignment : misalignments) {
        expect_materialized({{3, static_cast<std::int64_t>(count)}, {1, 0}}, size, misalignment);
        expect_materialized({{static_cast<std::int64_t>(count), 3}, {1, 0}}, size, misalignment);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, RowsOfEveryCountAroundTheVectorAreRepeatedExactly) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(32)) {
      for (const std::size_t misalignment : misalignments) {
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

// Some axes are stretched; the others have a random order, random gaps and directions, as after broadcasts, transposes and
// slices.
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
    layout.strides[axis] = random.one_in(4) ? -stride : stride;
    stride =
        stride * std::max<std::int64_t>(layout.run_dims()[axis], 1) + (gaps && random.one_in(2) ? random.between(1, 3) : 0);
  }
  return layout;
}

TEST(Materialize, RandomLayoutsOfEveryRankEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Layout layout = random_layout(random, static_cast<std::size_t>(round % 9));
    expect_materialized(layout, item_sizes[random.below(5)], random.below(16));
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, RandomStridesOfEitherSignEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const auto rank = static_cast<std::size_t>(round % 7);
    Layout layout{Dims(rank), Dims(rank)};
    const std::int64_t largest = rank <= 2 ? 60 : rank <= 4 ? 9 : 4;
    const std::int64_t farthest = random.one_in(3) ? 3 : random.one_in(2) ? 20 : 300;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      layout.dims[axis] = random.one_in(60) ? 0 : random.between(1, largest);
      layout.strides[axis] = random.one_in(4) ? random.between(-1, 1) : random.between(-farthest, farthest);
    }
    expect_materialized(layout, item_sizes[random.below(5)], random.below(16));
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, RandomLayoutsOfFewElementsEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const auto rank = static_cast<std::size_t>(round % 8);
    Layout layout{Dims(rank), Dims(rank)};
    for (std::size_t axis = 0; axis < rank; ++axis) {
      layout.dims[axis] = random.between(1, rank < 3 ? 11 : 3);
      layout.strides[axis] = random.one_in(2) ? 0 : random.between(-5, 5);
    }
    expect_materialized(layout, item_sizes[random.below(5)], random.below(16));
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, RandomLargeStretchesEqualTheNaiveWalk) {
  Random random;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t inner = random.between(1, 300);
    const std::int64_t outer = random.between(1, 40000 / inner);
    const std::size_t size = item_sizes[random.below(5)];
    expect_materialized({{outer, inner}, {0, 1}}, size);
    expect_materialized({{outer, inner}, {1, 0}}, size);
    expect_materialized({{outer, 1, inner, 3}, {0, 7, 1, 0}}, size);
    if (HasFatalFailure()) return;
  }
}

// ---- The paths of the Writer in strided.cpp ----

void expect_materialized_in_all_sizes_and_places(const Layout& layout) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t misalignment : misalignments) expect_materialized(layout, size, misalignment);
  }
}

TEST(Materialize, ShortRowsWithGapsAreWrittenExactly) {
  // Rows of two to five items with gaps, of every count up to some vectors.
  for (const std::int64_t items : {2, 3, 4, 5}) {
    for (std::int64_t rows = 1; rows <= 70; ++rows) {
      expect_materialized_in_all_sizes({{rows, items}, {items + 1, 1}});
      expect_materialized_in_all_sizes({{rows, items}, {1, 70}});
      expect_materialized_in_all_sizes({{3, rows, items}, {900, 7, 2}});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, BlocksOfFewShortRowsAreWrittenExactly) {
  // Many blocks of two rows of three items each.
  expect_materialized_in_all_sizes_and_places({{500, 2, 3}, {6, 100, 2}});
  expect_materialized_in_all_sizes_and_places({{40, 5, 3}, {15, 1, 5}});
}

TEST(Materialize, RowsThatLieFarApartAreWalked) {
  expect_materialized_in_all_sizes_and_places({{100, 9}, {1, 500}});
  expect_materialized_in_all_sizes_and_places({{64, 3, 3}, {1, 900, 300}});
}

TEST(Materialize, StretchedAxesBetweenOthersAreWrittenLevelByLevel) {
  for (const std::int64_t inner : {2, 3, 4, 7, 16}) {
    expect_materialized_in_all_sizes_and_places({{20, 3, inner}, {inner, 0, 1}});
    expect_materialized_in_all_sizes_and_places({{5, 4, inner, 3, 2}, {2 * inner, 0, 2, 0, 1}});
    expect_materialized_in_all_sizes_and_places({{3, 2, 9, 5, inner}, {9 * inner, 0, inner, 0, 1}});
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, ColumnsRepeatedALittleOrALotAreWrittenExactly) {
  // Constant shuffles, computed shuffles, and rows.
  for (std::int64_t times = 2; times <= 60; ++times) {
    for (const std::int64_t items : {17, 100, 300}) {
      expect_materialized_in_all_sizes({{items, times}, {1, 0}});
      expect_materialized_in_all_sizes({{items, times}, {2, 0}});
      expect_materialized_in_all_sizes({{items, times}, {-1, 0}});
    }
    if (HasFatalFailure()) return;
  }
}

// The inner part of a repeat is written to a buffer if it has up to 4 KiB.
TEST(Materialize, LevelsAroundTheSizeOfTheBufferAreExact) {
  for (const std::int64_t bytes : {2032, 2048, 2064, 4080, 4096, 4112, 8192}) {
    for (const std::size_t size : item_sizes) {
      const std::int64_t items = bytes / static_cast<std::int64_t>(size) / 2;
      expect_materialized({{3, 2, items, 2}, {items, 0, 1, 0}}, size, 5);
      expect_materialized({{3, 2, items / 2, 2, 2}, {items, 0, 2, 0, 1}}, size, 5);
      expect_materialized({{2, 2, 2, 3, items / 4, 2, 4}, {2 * items, 0, items, 0, 4, 0, 1}}, size, 5);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, InnerLevelsThatOneVectorHoldsAreWrittenExactly) {
  for (std::int64_t inner = 2; inner <= 9; ++inner) {
    for (std::int64_t times = 2; times <= 9; ++times) {
      // Repeats of items, of rows of items, and of both.
      expect_materialized_in_all_sizes({{40, 3, inner, times}, {inner, 0, 1, 0}});
      expect_materialized_in_all_sizes({{20, 2, 3, times, inner}, {3 * inner, 0, inner, 0, 1}});
      expect_materialized_in_all_sizes({{9, 2, 2, times, inner, 2}, {2 * inner, 0, inner, 0, 1, 0}});
      if (HasFatalFailure()) return;
    }
  }
}

// Every second axis is repeated, starting with the first or the second one, with as many axes as 1 MiB can have.
TEST(Materialize, AxesOfTwosAreWrittenExactlyUpToTwentyOfThem) {
  for (std::size_t rank = 2; rank <= 20; ++rank) {
    for (const std::size_t stretched : {0U, 1U}) {
      Layout layout{Dims(rank, 2), Dims(rank)};
      std::int64_t stride = 1;
      for (std::size_t i = rank; i-- > 0;) {
        if (i % 2 == stretched) continue;
        layout.strides[i] = stride;
        stride *= 2;
      }
      for (const std::size_t size : item_sizes) {
        if (size << rank <= std::size_t{1} << 20) expect_materialized(layout, size, rank % 16);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, ABroadcastWithinOtherAxesIsWrittenByLevels) {
  expect_materialized_in_all_sizes_and_places({{3, 5, 2, 4, 3, 2}, {200, 12, 0, 3, 0, 1}});
  expect_materialized_in_all_sizes_and_places({{2, 3, 2, 4, 3}, {-20, 0, 0, 1, 0}});
  expect_materialized_in_all_sizes_and_places({{4, 2, 3, 2, 3}, {1, 0, 3, 0, 1}});  // overlapping
}

TEST(Materialize, LongRowsWithGapsAreCopiedOneByOne) {
  for (const std::int64_t bytes : {752, 768, 784, 1008, 1024, 1040}) {
    for (const std::int64_t rows : {15, 16, 17, 40}) {
      for (const std::size_t size : item_sizes) {
        const std::int64_t items = bytes / static_cast<std::int64_t>(size);
        expect_materialized({{rows, items}, {items + 3, 1}}, size, 5);
        expect_materialized({{rows, items}, {items + 3, -1}}, size, 5);
        expect_materialized({{rows, items / 2, 2}, {items, 1, 0}}, size, 5);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, ReversedShortRowsDoNotReadOutsideOfTheSource) {
  for (const std::int64_t rows : {17, 40, 333}) {
    for (const std::int64_t items : {2, 3, 5, 8, 17}) {
      expect_materialized_in_all_sizes({{rows, items}, {-items - 1, -1}});
      expect_materialized_in_all_sizes({{rows, items}, {-items, 1}});
      expect_materialized_in_all_sizes({{rows, items}, {items, -1}});
      expect_materialized_in_all_sizes({{rows, items}, {-1, 1}});
      expect_materialized_in_all_sizes({{4, rows, items}, {-1, -items, 1}});
      expect_materialized_in_all_sizes({{rows, 2, items}, {1, -rows, 0}});
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, ALargeBlockIsRepeatedInPiecesThatDoNotDivideIt) {
  for (const std::int64_t extent : {8193, 10000, 16383, 20001}) {
    for (const std::size_t size : {1U, 4U, 16U}) {
      expect_materialized({{3, extent}, {0, 1}}, size, 3);
      expect_materialized({{2, extent}, {0, -1}}, size, 3);
      expect_materialized({{2, extent / 3, 3}, {0, 5, 2}}, size, 3);  // pieces of gathered rows
      expect_materialized({{2, extent / 3, 3}, {0, 1, 0}}, size, 3);  // pieces of repeated items
    }
    if (HasFatalFailure()) return;
  }
  // The last piece has few rows.
  expect_materialized({{2, 2730 + 5, 3}, {0, 5, 2}}, 1);
}

TEST(Materialize, RepeatsWithinALargeBlockThatIsRepeatedAreWrittenExactly) {
  for (const std::size_t size : {1U, 2U, 16U}) {
    expect_materialized({{3, 2, 300, 50}, {0, 50, 0, 1}}, size, 1);    // a small block within
    expect_materialized({{2, 3, 2, 9000}, {0, 9000, 0, 1}}, size, 1);  // a large one
    expect_materialized({{2, 2, 2, 2, 2, 8200}, {0, 2 * 8200, 0, 8200, 0, 1}}, size, 1);
    expect_materialized({{2, 3, 2, 1500, 7}, {0, 7, 0, 21, 1}}, size, 1);  // of short rows
    expect_materialized({{3, 2, 8192}, {0, -8192, -1}}, size, 1);
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, BlocksAroundTheSizeThatIsKeptInCacheAreRepeatedExactly) {
  for (const std::int64_t bytes : {8176, 8192, 8208}) {
    for (const std::size_t size : item_sizes) {
      const std::int64_t items = bytes / static_cast<std::int64_t>(size);
      expect_materialized({{5, items}, {0, 1}}, size, 9);
      expect_materialized({{2, 2, 3, items}, {items, 0, 0, 1}}, size, 9);
      expect_materialized({{2, 2, 3, items}, {0, items, 0, 1}}, size, 9);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(Materialize, LargeBlocksWithGapsAreCopied) {
  for (const std::size_t size : item_sizes) {
    expect_materialized({{3, 20000}, {20001, 1}}, size, 7);
    expect_materialized({{2, 3, 5000}, {1, 5003, 1}}, size, 7);
  }
}

// ---- Transposes, reversals and short rows ----

TEST(Materialize, TransposesOfEveryExtentAroundTheSquareAreWrittenExactly) {
  for (std::int64_t rows = 2; rows <= 35; ++rows) {
    for (std::int64_t columns = 2; columns <= 35; ++columns) {
      for (const std::size_t size : item_sizes) {
        expect_materialized({{rows, columns}, {1, rows}}, size, static_cast<std::size_t>(rows % 5));
        expect_materialized({{rows, columns}, {-1, -rows}}, size);
        expect_materialized({{rows, columns}, {1, -rows - 1}}, size);
        expect_materialized({{rows, columns}, {-1, rows + 3}}, size);
        expect_materialized({{rows, columns}, {2, 2 * rows + 1}}, size);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, TransposesOfEveryExtentAroundATileAreWrittenExactly) {
  for (const std::size_t size : item_sizes) {
    const std::int64_t tile = std::min<std::int64_t>(256, 1024 / static_cast<std::int64_t>(size));
    const std::int64_t side = std::max<std::int64_t>(2, 16 / static_cast<std::int64_t>(size));
    for (const std::int64_t rows : {tile - 1, tile + 1, tile + side - 1, tile + side, 2 * tile, 2 * tile + 1}) {
      for (const std::int64_t columns : {side, tile, tile + 1, 2 * tile + side + 1}) {
        expect_materialized({{rows, columns}, {1, rows}}, size, 1);
        expect_materialized({{columns, rows}, {-1, -columns - 2}}, size, 1);
      }
      if (HasFatalFailure()) return;
    }
  }
}

// Squares with fewer than sixteen byte columns, or with few rows.
TEST(Materialize, TransposesOfFewBytesAndManyAreWrittenExactly) {
  for (std::int64_t few = 7; few <= 16; ++few) {
    for (const std::int64_t many : {15, 16, 23, 255, 257, 272, 600}) {
      for (const std::int64_t gap : {0, 1, 6}) {
        expect_materialized({{few, many}, {1, few + gap}}, 1, 3);
        expect_materialized({{many, few}, {1, many + gap}}, 1, 3);
        expect_materialized({{3, few, many}, {few, 1, 3 * few + gap}}, 1);  // rows of other planes between
        expect_materialized({{many, 3, few}, {1, few * many, many}}, 1);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, PlanesAndPixelsOfEveryCountOfChannelsAreWrittenExactly) {
  for (std::int64_t channels = 2; channels <= 18; ++channels) {
    for (const std::int64_t pixels : {2, 5, 16, 17, 33, 100}) {
      for (const std::int64_t gap : {0, 1, 5}) {
        const std::int64_t step = channels + gap;
        expect_materialized_in_all_sizes({{2, channels, pixels}, {step * pixels, 1, step}});
        expect_materialized_in_all_sizes({{2, pixels, channels}, {channels * (pixels + gap), 1, pixels + gap}});
        expect_materialized_in_all_sizes({{channels, pixels}, {-1, step}});
        expect_materialized_in_all_sizes({{channels, pixels}, {1, -step}});
        expect_materialized_in_all_sizes({{pixels, channels}, {-1, pixels + gap}});
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, AxesBetweenThoseOfATransposeAreWalked) {
  expect_materialized_in_all_sizes_and_places({{20, 3, 40}, {1, 20, 60}});
  expect_materialized_in_all_sizes_and_places({{300, 2, 3, 17}, {1, 300, -17 * 900, 900}});
  expect_materialized_in_all_sizes_and_places({{2, 20, 3, 4, 40}, {5000, 1, 0, 20, 80}});  // repeated between
  expect_materialized_in_all_sizes_and_places({{2, 20, 3, 40}, {0, 1, 20, 60}});           // and around
  expect_materialized_in_all_sizes_and_places({{600, 2, 3}, {1, 600, 1200}});              // few columns
  expect_materialized_in_all_sizes_and_places({{2, 3, 600}, {1, 2, 6}});
  expect_materialized({{3, 700, 600}, {0, 1, 700}}, 1);  // a large block repeated, a part of its rows at a time
}

TEST(Materialize, RowsAreReversedWhateverTheirLength) {
  for (const std::size_t size : item_sizes) {
    for (const std::size_t count : counts_around_vectors(64)) {
      const auto items = static_cast<std::int64_t>(count);
      for (const std::size_t misalignment : misalignments) {
        expect_materialized({{items}, {-1}}, size, misalignment);
        expect_materialized({{3, items}, {-items, 1}}, size, misalignment);
        expect_materialized({{3, items}, {items + 1, -1}}, size, misalignment);
        expect_materialized({{2, 3, items}, {0, -items, -1}}, size, misalignment);
        expect_materialized({{3, items, 2}, {items, -1, 0}}, size, misalignment);
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Materialize, ShortRowsOfEveryStepAreWrittenExactly) {
  for (const std::int64_t step : {-40, -5, -4, -3, -2, 2, 3, 4, 5, 40}) {
    for (const std::int64_t rows : {2, 3, 4, 5, 7, 16, 50}) {
      expect_materialized_in_all_sizes({{rows}, {step}});
      expect_materialized_in_all_sizes({{rows, 3}, {step, -1}});
      expect_materialized_in_all_sizes({{rows, 2, 2}, {step, 1, 2}});
      expect_materialized_in_all_sizes({{3, rows, 3}, {77, step, 1}});
      expect_materialized_in_all_sizes({{rows, 4, 3}, {step, -1, 1}});  // overlapping
    }
    if (HasFatalFailure()) return;
  }
}

// ---- Random layouts: each family covers some of these paths ----

// Dense strides for the axes in this order of magnitude. Some axes are stretched, a few have gaps, and some are reversed.
Layout laid_out(Random& random, const List& dims, const std::vector<bool>& stretched) {
  const std::size_t rank = dims.size();
  Layout layout{dims_of(dims), Dims(rank)};
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (rank > 1 && random.one_in(4)) std::swap(order[random.below(rank)], order[random.below(rank)]);
  const bool gaps = random.one_in(3);
  const bool backwards = random.one_in(3);
  std::int64_t stride = gaps && random.one_in(4) ? random.between(2, 3) : 1;
  for (std::size_t i = rank; i-- > 0;) {
    const std::size_t axis = order[i];
    if (stretched[axis]) continue;
    layout.strides[axis] = backwards && random.one_in(2) ? -stride : stride;
    stride = stride * dims[axis] + (gaps && random.one_in(2) ? random.between(1, 3) : 0);
  }
  return layout;
}

void expect_random_layouts(int rounds, std::int64_t most_bytes, auto&& make) {
  Random random;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t size = item_sizes[random.below(5)];
    const Layout layout = make(random, most_bytes / static_cast<std::int64_t>(size));
    expect_materialized(layout, size, random.one_in(2) ? 0 : random.below(16));
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Extents with a product below `most`, each at most the given size. The first extent takes the rest.
List extents(Random& random, std::int64_t most, const List& largest) {
  List dims(largest.size());
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    dims[axis] = random.between(1, std::max<std::int64_t>(1, std::min(most, largest[axis])));
    most /= dims[axis];
  }
  return dims;
}

TEST(Materialize, RandomInterleavedStretchesEqualTheNaiveWalk) {
  expect_random_layouts(cases() / 2, 40000, [](Random& random, std::int64_t most) {
    const bool first = random.one_in(2);
    const List dims = extents(random, most, {40, 6, 12, 5, 9});
    return laid_out(random, dims, {first, !first, first, !first, first});
  });
}

TEST(Materialize, RandomAxesOfTwosAndThreesEqualTheNaiveWalk) {
  expect_random_layouts(cases() / 4, 60000, [](Random& random, std::int64_t most) {
    List dims;
    std::vector<bool> stretched;
    for (std::int64_t count = 1; dims.size() < 12; ++count) {
      const std::int64_t extent = random.one_in(4) ? 3 : 2;
      if ((most /= extent) < 1) break;
      dims.push_back(extent);
      stretched.push_back(random.one_in(2));
    }
    return laid_out(random, dims, stretched);
  });
}

TEST(Materialize, RandomStretchesAroundTinyInnerAxesEqualTheNaiveWalk) {
  expect_random_layouts(cases() / 4, 60000, [](Random& random, std::int64_t most) {
    const List dims = extents(random, most, {3000, 70, 4});
    return laid_out(random, dims, {random.one_in(4), !random.one_in(4), random.one_in(4)});
  });
}

TEST(Materialize, RandomManyShortRowsEqualTheNaiveWalk) {
  expect_random_layouts(cases() / 4, 60000, [](Random& random, std::int64_t most) {
    const List dims = extents(random, most, {3, 4000, random.one_in(2) ? 8 : 64});
    Layout layout = laid_out(random, dims, {random.one_in(3), false, random.one_in(5)});
    if (random.one_in(3)) layout.strides[1] = random.between(-3, 3);  // overlapping
    return layout;
  });
}

TEST(Materialize, RandomRepeatsOfLargeBlocksEqualTheNaiveWalk) {
  expect_random_layouts(cases() / 50, 400000, [](Random& random, std::int64_t most) {
    switch (random.below(4)) {
      case 0: return laid_out(random, extents(random, most, {5, 40000}), {true, false});
      case 1: return laid_out(random, extents(random, most, {4, 4, 3, 20000}), {true, false, true, false});
      case 2: return laid_out(random, extents(random, most, {4, 4000, 70}), {true, false, random.one_in(2)});
      default: return laid_out(random, extents(random, most, {3, 3, 3, 2000, 3, 5}), {true, false, true, false, true, false});
    }
  });
}

}  // namespace
}  // namespace broadloom::test::strided_test
