#include "kernels/shuffled_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/canaries.h"
#include "support/exact.h"
#include "support/random.h"

namespace broadloom {
namespace {

using test::Exact;
using test::Guarded;
using test::Random;
using Bytes = std::vector<std::byte>;
using Offsets = std::vector<std::ptrdiff_t>;

// `slack` bytes follow the last one that the rows take: with none, whole vectors cannot be loaded at the end.
struct Walk {
  std::ptrdiff_t step;
  std::size_t rows;
  std::size_t slack = 0;
  std::size_t misalignment = 0;
};

void expect_written(const Offsets& offsets, std::size_t size, const Walk& walk) {
  const auto describe = [&] {
    return std::to_string(offsets.size()) + " items of " + std::to_string(size) + " bytes, step " + std::to_string(walk.step) +
           ", " + std::to_string(walk.rows) + " rows, " + std::to_string(walk.slack) + " bytes behind them, offsets " +
           testing::PrintToString(offsets);
  };
  ShuffledRow row;
  ASSERT_TRUE(row.plan(offsets, size)) << describe();
  ASSERT_EQ(row.bytes(), offsets.size() * size);
  const std::ptrdiff_t walked = walk.rows == 0 ? 0 : walk.step * static_cast<std::ptrdiff_t>(walk.rows - 1);
  const auto [lowest, highest] = std::minmax_element(offsets.begin(), offsets.end());
  const std::ptrdiff_t first = *lowest + std::min<std::ptrdiff_t>(walked, 0);
  const std::ptrdiff_t last = *highest + std::max<std::ptrdiff_t>(walked, 0) + static_cast<std::ptrdiff_t>(size);
  const Exact source(static_cast<std::size_t>(last - first) + walk.slack);
  const std::byte* from = source.data() - first;
  Guarded to(row.bytes() * walk.rows, walk.misalignment);
  row.write(to.data(), from, walk.step, walk.rows, source.end());
  Bytes expected(row.bytes() * walk.rows);
  std::byte* next = expected.data();
  for (std::size_t i = 0; i < walk.rows; ++i) {
    const std::byte* start = from + walk.step * static_cast<std::ptrdiff_t>(i);
    for (const std::ptrdiff_t offset : offsets) next = std::copy_n(start + offset, size, next);
  }
  ASSERT_EQ(to.written(), expected) << describe();
  ASSERT_TRUE(to.intact()) << describe();
}

// Forwards, backwards and standing still, in every number of rows around those that are taken at once.
void expect_written_in_all_walks(const Offsets& offsets, std::size_t size) {
  const auto bytes = static_cast<std::ptrdiff_t>(offsets.size() * size);
  const auto item = static_cast<std::ptrdiff_t>(size);
  std::size_t round = 0;
  for (const std::ptrdiff_t step : {std::ptrdiff_t{0}, item, 3 * item, bytes, -item, -bytes, std::ptrdiff_t{5}}) {
    for (const std::size_t rows : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 20U}) {
      for (const std::size_t slack : {0U, 1U, 15U, 16U, 100U}) {
        expect_written(offsets, size, {step, rows, slack, round++ % 16});
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Item i is item `item_of(i)` of the source.
template <class ItemOf>
Offsets offsets_of(std::size_t items, std::size_t size, ItemOf item_of) {
  Offsets offsets(items);
  for (std::size_t i = 0; i < items; ++i) offsets[i] = static_cast<std::ptrdiff_t>(item_of(i) * size);
  return offsets;
}

TEST(ShuffledRow, ARowInItsOrderIsCopied) {
  for (const std::size_t size : test::item_sizes) {
    for (const std::size_t items : {16 / size, 16 / size + 1, 32 / size, 48 / size + 1}) {
      expect_written_in_all_walks(offsets_of(items, size, [](std::size_t i) { return i; }), size);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ShuffledRow, AReversedRowIsWrittenBackwards) {
  for (const std::size_t size : test::item_sizes) {
    for (const std::size_t items : {16 / size, 16 / size + 1, 32 / size, 48 / size + 1}) {
      expect_written_in_all_walks(offsets_of(items, size, [&](std::size_t i) { return items - 1 - i; }), size);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ShuffledRow, ItemsBeforeTheRowsSourceAreFound) {
  for (const std::size_t size : test::item_sizes) {
    Offsets offsets(16 / size + 3);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = -static_cast<std::ptrdiff_t>(i * size);
    expect_written_in_all_walks(offsets, size);
  }
}

TEST(ShuffledRow, ItemsAreRepeated) {
  for (const std::size_t size : test::item_sizes) {
    for (const std::size_t times : {2U, 3U, 5U, 30U}) {
      const std::size_t items = std::max<std::size_t>(2 * times, 16 / size);
      expect_written_in_all_walks(offsets_of(items, size, [&](std::size_t i) { return i / times; }), size);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ShuffledRow, OneItemThroughTheRowIsRepeated) {
  for (const std::size_t size : test::item_sizes) {
    expect_written_in_all_walks(offsets_of(64 / size, size, [](std::size_t) { return 0; }), size);
  }
}

TEST(ShuffledRow, AVectorTakesItsItemsFromTwoPlaces) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (const std::size_t distance : {std::size_t{16}, std::size_t{17}, std::size_t{1000}}) {
      const auto alternating = [&](std::size_t i) { return i / 2 % (8 / size) + i % 2 * distance; };
      const auto reversed = [&](std::size_t i) { return (i / 2 + 1) % (8 / size) + (i + 1) % 2 * distance; };
      for (const std::size_t items : {16 / size, 16 / size + 1, 40 / size}) {
        expect_written_in_all_walks(offsets_of(items, size, alternating), size);
        expect_written_in_all_walks(offsets_of(items, size, reversed), size);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ShuffledRow, TheVectorsOfARowMayBeOfEveryKind) {
  // Copied, shuffled, from two places, and a last one that overlaps.
  Offsets offsets = offsets_of(4, 4, [](std::size_t i) { return i; });
  for (const std::ptrdiff_t offset : {12, 4, 0, 8, 400, 0, 404, 12, 404}) offsets.push_back(offset);
  expect_written_in_all_walks(offsets, 4);
}

TEST(ShuffledRow, RowsOfEveryLengthAreWrittenExactly) {
  std::size_t round = 0;
  for (const std::size_t size : test::item_sizes) {
    for (std::size_t items = 16 / size; items * size <= 1024; items += 1 + 40 / size * (items * size > 200)) {
      const auto pairs_swapped = [&](std::size_t i) { return i + 1 == items ? i : i ^ 1; };
      const Offsets offsets = offsets_of(items, size, pairs_swapped);
      const auto bytes = static_cast<std::ptrdiff_t>(items * size);
      expect_written(offsets, size, {bytes, 5, 0, round++ % 16});
      expect_written(offsets, size, {-bytes, 6, 0, round++ % 16});
      expect_written(offsets, size, {static_cast<std::ptrdiff_t>(size), 7, 0, round++ % 16});
      if (HasFatalFailure()) return;
    }
  }
  for (const std::size_t size : test::item_sizes) {
    expect_written(offsets_of(1024 / size, size, [](std::size_t i) { return i ^ 1; }), size, {1024, 5});
  }
}

// Rows are taken in tiles of 16 KiB.
TEST(ShuffledRow, MoreRowsThanATileAreWrittenExactly) {
  for (const std::size_t items : {4U, 5U, 100U, 256U}) {
    const Offsets offsets = offsets_of(items, 4, [](std::size_t i) { return i ^ 3; });
    const std::size_t tile = 16384 / (items * 4);
    const auto step = static_cast<std::ptrdiff_t>(items * 4);
    for (const std::size_t rows : {tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 3, 3 * tile + tile / 2}) {
      for (const std::ptrdiff_t its_step : {step, -step, std::ptrdiff_t{4}, std::ptrdiff_t{-4}, std::ptrdiff_t{0}}) {
        expect_written(offsets, 4, {its_step, rows, 0, rows % 16});
        expect_written(offsets, 4, {its_step, rows, 64, rows % 16});
      }
      if (HasFatalFailure()) return;
    }
  }
}

// With a small step many rows load beyond the end.
TEST(ShuffledRow, RowsNearTheEndLoadNothingBeyondIt) {
  for (const std::size_t size : {1U, 2U, 4U, 8U}) {
    for (const std::size_t far : {std::size_t{0}, std::size_t{50}}) {
      const auto two_places = [&](std::size_t i) { return i % 2 * far + i % 2; };
      const Offsets offsets = offsets_of(24 / size, size, two_places);
      for (std::size_t slack = 0; slack <= 33; ++slack) {
        for (const std::ptrdiff_t step : {1, 2, -1, -2}) expect_written(offsets, size, {step, 40, slack});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(ShuffledRow, BytesThatLieInThreePlacesAreRefused) {
  for (const std::size_t size : {1U, 2U, 4U}) {
    ShuffledRow row;
    EXPECT_FALSE(row.plan(offsets_of(16 / size, size, [](std::size_t i) { return i % 3 * 1000; }), size)) << size;
    EXPECT_FALSE(row.plan(offsets_of(16 / size, size, [&](std::size_t i) { return i % 3 * (16 / size); }), size)) << size;
    // Only the last vector, which overlaps the one before.
    Offsets offsets = offsets_of(16 / size + 2, size, [](std::size_t) { return 0; });
    offsets[offsets.size() - 2] = 5000;
    offsets[offsets.size() - 1] = -5000;
    EXPECT_FALSE(row.plan(offsets, size)) << size;
  }
}

TEST(ShuffledRow, ItemsOf8AndMoreBytesAreNeverRefused) {
  for (const std::size_t size : {8U, 16U}) {
    expect_written(offsets_of(5, size, [](std::size_t i) { return 4000 - i * 1000; }), size,
                   {static_cast<std::ptrdiff_t>(size), 9});
  }
}

TEST(ShuffledRow, APlanAfterOneThatWasRefusedIsLikeAFirstOne) {
  ShuffledRow row;
  ASSERT_FALSE(row.plan(offsets_of(40, 4, [](std::size_t i) { return i % 3 * 1000; }), 4));
  ASSERT_TRUE(row.plan(Offsets{12, 8, 4, 0}, 4));
  const Exact source(16);
  Guarded to(16, 0);
  row.write(to.data(), source.data(), 0, 1, source.end());
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(to.written()[i], source[(3 - i / 4) * 4 + i % 4]);
  EXPECT_TRUE(to.intact());
}

// Whether two vectors of the source hold these items: every pair of places is tried.
bool lies_in_two_vectors(const Offsets& offsets, std::size_t size) {
  const auto lies_in = [&](std::ptrdiff_t offset, std::ptrdiff_t start) {
    return offset >= start && offset + static_cast<std::ptrdiff_t>(size) <= start + std::ptrdiff_t{16};
  };
  for (const std::ptrdiff_t first : offsets) {
    for (const std::ptrdiff_t second : offsets) {
      const auto found = [&](std::ptrdiff_t offset) { return lies_in(offset, first) || lies_in(offset, second); };
      if (std::all_of(offsets.begin(), offsets.end(), found)) return true;
    }
  }
  return false;
}

bool can_be_planned(const Offsets& offsets, std::size_t size) {
  const std::size_t in_vector = 16 / size;
  for (std::size_t item = 0; item < offsets.size(); item += in_vector) {
    const auto from = static_cast<std::ptrdiff_t>(std::min(item, offsets.size() - in_vector));
    const auto first = offsets.begin() + from;
    if (!lies_in_two_vectors(Offsets(first, first + static_cast<std::ptrdiff_t>(in_vector)), size)) return false;
  }
  return true;
}

// Each vector's items lie around one to three places, at any byte.
Offsets random_offsets(Random& random, std::size_t items, std::size_t size) {
  const std::int64_t spread = random.between(0, 17 - static_cast<std::int64_t>(size));
  const std::int64_t width = random.one_in(3) ? 40 : 600;
  std::int64_t places[3];
  const std::size_t place_count = random.one_in(8) ? 3 : 1 + random.below(2);
  Offsets offsets(items);
  for (std::size_t i = 0; i < items; ++i) {
    if (i % (16 / size) == 0) std::generate_n(places, 3, [&] { return random.between(-width, width); });
    offsets[i] = static_cast<std::ptrdiff_t>(places[random.below(place_count)] + random.between(0, spread));
  }
  return offsets;
}

TEST(ShuffledRow, RandomPlansAreMadeWhereTwoVectorsDoAndEqualTheNaiveLoop) {
  Random random;
  int planned = 0;
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::size_t size = test::item_sizes[random.below(5)];
    const std::size_t fewest = 16 / size;
    const std::size_t items = fewest + random.below((random.one_in(10) ? 1024 / size : 64 / size) - fewest + 1);
    const Offsets offsets = random_offsets(random, items, size);
    const Walk walk{random.between(-40, 40), random.below(random.one_in(20) ? 1200 : 12), random.below(40), random.below(16)};
    if (can_be_planned(offsets, size)) {
      ++planned;
      expect_written(offsets, size, walk);
      if (HasFatalFailure()) return;
    } else {
      ++refused;
      ShuffledRow row;
      ASSERT_FALSE(row.plan(offsets, size)) << size << " bytes, offsets " << testing::PrintToString(offsets);
    }
  }
  EXPECT_GT(planned, 1000);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace broadloom
