#include "kernels/movement/spread.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "support/canaries.h"
#include "support/exact.h"
#include "support/random.h"

namespace broadloom::test::spread_test {
namespace {

using Bytes = std::vector<std::byte>;
using Offsets = std::vector<std::uint8_t>;

struct Row {
  Offsets offsets;
  std::size_t unit_bytes;
  std::size_t source_bytes;
  std::ptrdiff_t step = static_cast<std::ptrdiff_t>(source_bytes);
};

void expect_spread(const Row& row, std::size_t count, std::size_t misalignment) {
  const std::size_t row_bytes = row.offsets.size() * row.unit_bytes;
  const auto reach = row.step * static_cast<std::ptrdiff_t>(count == 0 ? 0 : count - 1);
  const Exact bytes(count == 0 ? 0 : static_cast<std::size_t>(std::abs(reach)) + row.source_bytes, misalignment * 3 % 16);
  const std::byte* source = bytes.data() - std::min<std::ptrdiff_t>(reach, 0);
  Guarded to(row_bytes * count, misalignment);
  Spread(row.offsets, row.unit_bytes, row.source_bytes, row.step).write(to.data(), source, count);
  Bytes expected(row_bytes * count);
  std::byte* next = expected.data();
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t offset : row.offsets) {
      next = std::copy_n(source + static_cast<std::ptrdiff_t>(i) * row.step + offset, row.unit_bytes, next);
    }
  }
  const auto describe = [&] {
    return std::to_string(count) + " rows of " + std::to_string(row.source_bytes) + " bytes, step " + std::to_string(row.step) +
           ", units of " + std::to_string(row.unit_bytes) + " bytes, offsets " + testing::PrintToString(row.offsets);
  };
  ASSERT_EQ(to.written(), expected) << describe();
  ASSERT_TRUE(to.intact()) << describe();
}

void expect_spread_for_all_counts(const Row& row) {
  for (std::size_t count = 0; count <= 40; ++count) {
    expect_spread(row, count, count % 16);
    if (testing::Test::HasFatalFailure()) return;
  }
  expect_spread(row, 1000, 5);
}

TEST(Spread, ARowMayHaveEveryLengthUpToEightVectors) {
  for (std::size_t length = 1; length <= Spread::most_row_bytes; ++length) {
    expect_spread_for_all_counts({Offsets(length, 0), 1, 1});
    if (HasFatalFailure()) return;
  }
}

TEST(Spread, ASourceMayHaveEveryLengthUpToAVector) {
  for (std::size_t bytes = 1; bytes <= vector_bytes; ++bytes) {
    Offsets backwards(bytes);
    std::iota(backwards.rbegin(), backwards.rend(), std::uint8_t{0});
    expect_spread_for_all_counts({backwards, 1, bytes});
    expect_spread_for_all_counts({{0, 0, 0}, bytes, bytes});
    if (HasFatalFailure()) return;
  }
}

TEST(Spread, UnitsOfTwoLevelsOfRepeatsAreWrittenInTheirOrder) {
  expect_spread_for_all_counts({{0, 0, 1, 1, 0, 0, 1, 1}, 1, 2});
  expect_spread_for_all_counts({{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 12, 12, 8, 8, 12, 12}, 4, 16});
  expect_spread_for_all_counts({{0, 8, 0, 8, 0, 8, 0, 8}, 8, 16});
  expect_spread_for_all_counts({{0, 2, 4, 0, 2, 4}, 2, 6});
}

TEST(Spread, BytesOfASourceMayBeSkipped) { expect_spread_for_all_counts({{3, 9, 3}, 2, 13}); }

TEST(Spread, SourcesMayLieApartOverlapOrGoBackwards) {
  for (std::ptrdiff_t step = -20; step <= 20; ++step) {
    expect_spread_for_all_counts({{0}, 1, 1, step});
    expect_spread_for_all_counts({{2, 1, 0}, 1, 3, step});
    expect_spread_for_all_counts({{0, 4}, 4, 8, step});
    expect_spread_for_all_counts({{0}, 16, 16, step});
    if (HasFatalFailure()) return;
  }
}

TEST(Spread, RandomRowsEqualTheNaiveLoop) {
  Random random;
  for (int round = 0; round < 5000; ++round) {
    const std::size_t source = 1 + random.below(Spread::most_source_bytes);
    const std::size_t unit = 1 + random.below(source);
    Offsets offsets(1 + random.below(Spread::most_row_bytes / unit));
    for (std::uint8_t& offset : offsets) offset = static_cast<std::uint8_t>(random.below(source - unit + 1));
    const std::ptrdiff_t step = random.one_in(2) ? static_cast<std::ptrdiff_t>(source) : random.between(-40, 40);
    expect_spread({offsets, unit, source, step}, random.below(60), random.below(16));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom::test::spread_test
