#include "kernels/movement/planes.h"

#include <gtest/gtest.h>

#include "support/axes.h"
#include "support/canaries.h"
#include "support/cases.h"
#include "support/random.h"

namespace broadloom::test::planes_test {
namespace {

using Bytes = std::vector<std::byte>;

// Steps in items. Rows of the result may have gaps and go backwards.
void expect_transposed(std::size_t size, Axis rows, Axis columns, std::int64_t gap, bool is_backwards) {
  const AxisList axes{rows, columns};
  const AxesSource source(axes, size);
  const auto step = static_cast<std::ptrdiff_t>(size) * (columns.extent + gap);
  const auto items = static_cast<std::ptrdiff_t>(size);
  const Plane plane{static_cast<std::size_t>(rows.extent), static_cast<std::size_t>(columns.extent),
                    is_backwards ? -step : step, columns.stride * items, rows.stride * items};
  Guarded to(static_cast<std::size_t>(step * rows.extent), 3);
  Bytes wanted = to.written();
  const std::ptrdiff_t first = is_backwards ? step * (rows.extent - 1) : 0;
  const Bytes moved = items_at(source.first(), axes, size);
  for (std::int64_t i = 0; i < rows.extent; ++i) {
    const auto row = moved.begin() + i * columns.extent * items;
    std::copy(row, row + columns.extent * items, wanted.begin() + first + i * plane.to_step);
  }
  transpose_plane(to.data() + first, source.first(), plane, size);
  ASSERT_TRUE(to.written() == wanted) << rows.extent << " rows by " << rows.stride << ", " << columns.extent << " columns by "
                                      << columns.stride << ", items of " << size << ", gaps of " << gap;
  ASSERT_TRUE(to.intact());
}

TEST(TransposePlane, RandomPlanesAreTransposedWhateverTheirSteps) {
  Random random;
  for (int round = 0; round < 2 * cases(); ++round) {
    const std::size_t size = item_sizes[random.below(5)];
    const std::int64_t rows = random.between(1, random.one_in(2) ? 9 : 90);
    const std::int64_t columns = random.between(1, random.one_in(2) ? 9 : 90);
    // Most are columns that lie side by side.
    const std::int64_t item_step = random.one_in(5) ? random.between(-3, 3) : 1;
    const std::int64_t from_step = random.one_in(3) ? random.between(-20, 20) : rows + random.between(0, 3);
    expect_transposed(size, {rows, item_step}, {columns, from_step}, random.one_in(2) ? 0 : random.between(1, 5),
                      random.one_in(5));
    if (HasFatalFailure()) return;
  }
}

TEST(TransposePlane, PlanesOfSeveralTilesAndWithConflictsInTheCacheAreTransposed) {
  for (const std::size_t size : {1U, 4U, 16U}) {
    expect_transposed(size, {530, 1}, {300, 531}, 0, false);
    expect_transposed(size, {270, 1}, {300, 512}, 3, false);
    expect_transposed(size, {300, 2}, {290, 601}, 0, true);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom::test::planes_test
