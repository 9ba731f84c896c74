#include "kernels/products/settle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/elementwise/quantize.h"
#include "kernels/products/matmul.h"
#include "kernels/products/pair_product.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::settle_test {
namespace {

Layout axis(std::size_t size, std::size_t step) {
  return {SymbolicDims{static_cast<std::int64_t>(size)}, Dims{static_cast<std::int64_t>(step)}};
}

TEST(Grids, IntegersComeBackExactly) {
  const float factor = 0.0473F;
  std::vector<float> numbers;
  std::vector<std::int16_t> integers;
  for (int i = -255; i <= 255; ++i) {
    integers.push_back(static_cast<std::int16_t>(i));
    numbers.push_back(static_cast<float>(i) * factor);
  }
  for (std::size_t count = 1; count < 40; ++count) {
    std::vector<std::int16_t> wide(count);
    widen_grid(address(wide), numbers.data() + 200, 1 / factor, count);
    EXPECT_TRUE(std::equal(wide.begin(), wide.end(), integers.begin() + 200));
    std::vector<std::int8_t> narrow(count);
    narrow_grid(address(narrow), numbers.data() + 200, 1 / factor, -100, count);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(narrow[i], integers[200 + i] + 100);
  }
}

struct Counts {
  std::size_t open = 0;
  std::size_t all = 0;
};

// Compares the results with those of a float32 product that is quantised. Steps of results are `step` units of the product.
void compare(Random& random, double step, Counts& counts) {
  const std::size_t rows = random.below(20) + 1;
  const std::size_t sums = random.one_in(2) ? random.below(900) + 1 : random.below(20) + 1;
  const std::size_t columns = random.below(30) + 1;
  const std::size_t padded = columns + 2 * pair_panel_columns;
  const float a_scale = 0.031F;
  const auto rows_of_a = random_items<std::int16_t>(random, rows * sums, -200, 55);
  const auto elements = random_items<std::int8_t>(random, sums * columns, -128, 127);
  std::vector<std::int32_t> zeros(padded);
  std::vector<float> scales(padded);
  for (std::size_t i = 0; i < columns; ++i) zeros[i] = static_cast<std::int32_t>(random.between(-5, 5));
  for (std::size_t i = 0; i < columns; ++i) scales[i] = static_cast<float>(random.real(0.001, 0.02));
  std::vector<float> a(rows * sums);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(rows_of_a[i]) * a_scale;
  std::vector<float> b(sums * columns);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(elements[i] - zeros[i % columns]) * scales[i % columns];
  const bool has_bias = random.one_in(2);
  auto biases = random_items<float>(random, padded, -1, 1);
  const auto divisor = static_cast<float>(step * a_scale * 0.02);
  const float least = -130;
  const float greatest = 125;
  const float factor = 0.7F;

  std::vector<float> wanted(rows * columns);
  ASSERT_TRUE(multiply(Dtype::float32, address(wanted), {address(a), {}, axis(rows, sums), axis(sums, 1)},
                       {address(b), {}, axis(columns, 1), axis(sums, columns)}));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (has_bias) wanted[i] += biases[i % columns];
    const float constants[] = {divisor, least, greatest, factor};
    const std::byte* from[5] = {address(wanted) + i * sizeof(float)};
    for (std::size_t k = 0; k < 4; ++k) from[1 + k] = reinterpret_cast<const std::byte*>(constants + k);
    quantize_and_dequantize(address(wanted) + i * sizeof(float), from, 1);
  }

  const PairProduct product{rows, columns, sums};
  std::vector<Vector> packed(in_memory(product.packed_bytes()) / vector_bytes);
  product.pack(address(packed), {address(elements), 1, static_cast<std::ptrdiff_t>(columns)}, Dtype::int8);
  std::vector<float> bounds(padded);
  std::vector<float> quotients(padded);
  std::vector<float> added(padded);
  std::vector<float> slacks(padded);
  write_rounding_norms(bounds.data(), address(packed), zeros.data(), columns, sums);
  for (std::size_t i = 0; i < columns; ++i) {
    bounds[i] *= scales[i] * 0x1.04p-24F / divisor;
    quotients[i] = static_cast<float>(static_cast<double>(a_scale) * scales[i] / divisor);
    added[i] = biases[i] / divisor;
    slacks[i] = std::abs(added[i]) * 0x8p-24F;
  }
  const GridColumns grid{address(packed), columns, sums, zeros.data(), scales.data(), has_bias ? biases.data() : nullptr};
  const Settling settling{quotients.data(), has_bias ? added.data() : nullptr,
                          bounds.data(),    has_bias ? slacks.data() : nullptr,
                          divisor,          least,
                          greatest,         factor};
  std::vector<OpenResults::Entry> entries(rows * columns + columns);
  std::vector<std::uint32_t> first(padded, OpenResults::none);
  OpenResults open{entries.data(), first.data()};
  std::vector<const std::byte*> at(rows);
  std::vector<float> results(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    at[i] = address(a) + i * sums * sizeof(float);
    std::vector<std::int16_t> wide(sums + 1);
    widen_grid(address(wide), a.data() + i * sums, 1 / a_scale, sums);
    const std::byte* const row[] = {address(wide)};
    std::byte* const to = address(results) + i * columns * sizeof(float);
    product.multiply(to, row, address(packed), zeros.data(), 1);
    settling.run(to, i, rounding_norm(a.data() + i * sums, sums), columns, open);
  }
  counts.open += open.count;
  counts.all += results.size();
  std::vector<Vector> workspace(in_memory(Settling::workspace_bytes(sums)) / vector_bytes + 1);
  settling.sum_again(address(results), at.data(), grid, open, address(workspace));
  EXPECT_EQ(open.count, 0U);
  EXPECT_TRUE(have_same_bits(results, wanted)) << rows << "x" << sums << "x" << columns;
}

TEST(SettledProducts, HaveTheBitsOfAFloat32ProductThatIsQuantised) {
  Random random;
  Counts counts;
  for (int round = 0; round < cases() / 2; ++round) compare(random, 500, counts);
  EXPECT_GT(counts.open, 0U);
  EXPECT_LT(counts.open, counts.all / 8);
}

// With a step as small as roundings are, all results are summed again.
TEST(SettledProducts, AreSummedAgainWhereNoneIsSettled) {
  Random random;
  Counts counts;
  for (int round = 0; round < cases() / 10; ++round) compare(random, 1e-3, counts);
  EXPECT_GT(counts.open, 0U);
}

}  // namespace
}  // namespace broadloom::test::settle_test
