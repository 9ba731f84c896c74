#include "kernels/products/panels.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::panels_test {
namespace {

// A matrix of any steps, with numbers that all types can represent.
template <class T>
struct Source {
  Dtype dtype;
  std::size_t kept, sums, kept_step, summed_step;
  std::vector<T> items;

  Source(Random& random, Dtype its_dtype, std::size_t most_sums)
      : dtype(its_dtype),
        kept(random.below(40) + 1),
        sums(random.below(most_sums) + 1),
        kept_step(random.one_in(3) ? 1 : sums + random.below(3)),
        summed_step(kept_step == 1 ? kept + random.below(3) : 1),
        items(kept * kept_step + sums * summed_step) {
    for (T& item : items) {
      const auto number = static_cast<float>(random.between(0, 100));
      convert(reinterpret_cast<std::byte*>(&item), dtype, reinterpret_cast<const std::byte*>(&number), Dtype::float32, 1);
    }
  }
  Matrix matrix() const {
    return {address(items), static_cast<std::ptrdiff_t>(kept_step * sizeof(T)),
            static_cast<std::ptrdiff_t>(summed_step * sizeof(T))};
  }
  T at(std::size_t row, std::size_t k) const { return items[row * kept_step + k * summed_step]; }
  template <class Computed>
  Computed computed(std::size_t row, std::size_t k) const {
    const T item = at(row, k);
    Computed result{};
    convert(reinterpret_cast<std::byte*>(&result), ItemTypes(dtype).accumulate.dtype, reinterpret_cast<const std::byte*>(&item),
            dtype, 1);
    return result;
  }
};

template <class T, class Computed>
void expect_packed(Dtype dtype) {
  Random random;
  const ItemTypes types(dtype);
  const std::size_t width = panel_bytes / sizeof(Computed);
  ASSERT_EQ(types.panel_width(), width);
  for (int round = 0; round < cases() / 10; ++round) {
    const Source<T> source(random, dtype, random.one_in(10) ? 600 : 40);
    std::vector<Computed> panels(types.panels(source.kept) * source.sums * width, Computed{77});
    pack_panels(address(panels), source.sums * panel_bytes, source.matrix(), source.kept, source.sums, types);
    std::vector<Computed> rows(source.kept * source.sums);
    pack_rows(address(rows), source.matrix(), source.kept, source.sums, types);
    for (std::size_t j = 0; j < types.panels(source.kept) * width; ++j) {
      for (std::size_t k = 0; k < source.sums; ++k) {
        const Computed wanted = j < source.kept ? source.template computed<Computed>(j, k) : Computed{};
        ASSERT_EQ(panels[(j / width * source.sums + k) * width + j % width], wanted)
            << info(dtype).name << ' ' << j << ' ' << k;
        if (j < source.kept) ASSERT_EQ(rows[j * source.sums + k], wanted) << info(dtype).name << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(PackPanels, ColumnsOfAPanelAreSideBySideInTheAccumulateTypeAndTheLastOneEndsWithZeros) {
  expect_packed<float, float>(Dtype::float32);
  expect_packed<double, double>(Dtype::float64);
  expect_packed<std::uint16_t, float>(Dtype::float16);
  expect_packed<std::uint16_t, float>(Dtype::bfloat16);
  expect_packed<std::int8_t, std::int32_t>(Dtype::int8);
  expect_packed<std::int64_t, std::int64_t>(Dtype::int64);
}

TEST(PackPanels, ConstantsOfTwoBytesKeepTheirBitsAndAreUnpackedInBothOrders) {
  Random random;
  const ItemTypes types(Dtype::float16);
  for (int round = 0; round < cases() / 10; ++round) {
    const Source<std::uint16_t> source(random, Dtype::float16, 40);
    std::vector<std::uint16_t> panels(types.panels(source.kept) * source.sums * 8, 77);
    pack_panels(address(panels), source.sums * types.constant_row(), source.matrix(), source.kept, source.sums, types, true);
    std::vector<std::uint16_t> by_columns(source.kept * source.sums);
    std::vector<std::uint16_t> by_rows(source.kept * source.sums);
    unpack_panels(address(by_columns), address(panels), source.kept, source.sums, true, types);
    unpack_panels(address(by_rows), address(panels), source.kept, source.sums, false, types);
    for (std::size_t j = 0; j < types.panels(source.kept) * 8; ++j) {
      for (std::size_t k = 0; k < source.sums; ++k) {
        ASSERT_EQ(panels[(j / 8 * source.sums + k) * 8 + j % 8], j < source.kept ? source.at(j, k) : 0);
        if (j >= source.kept) continue;
        ASSERT_EQ(by_columns[j * source.sums + k], source.at(j, k));
        ASSERT_EQ(by_rows[k * source.kept + j], source.at(j, k));
      }
    }
  }
}

TEST(WritePacked, PanelsOfTwoBytesGiveTheBitsOfWidePanels) {
  Random random;
  const ItemTypes types(Dtype::bfloat16);
  for (int round = 0; round < cases() / 10; ++round) {
    const Source<std::uint16_t> source(random, Dtype::bfloat16, 40);
    std::vector<std::uint16_t> narrow(types.panels(source.kept) * source.sums * 8);
    std::vector<float> wide(narrow.size());
    pack_panels(address(narrow), source.sums * types.constant_row(), source.matrix(), source.kept, source.sums, types, true);
    pack_panels(address(wide), source.sums * panel_bytes, source.matrix(), source.kept, source.sums, types);
    const auto row = random_items<float>(random, source.sums, -1, 1);
    const std::byte* const at = address(row);
    std::vector<float> found(source.kept), wanted(source.kept);
    const auto write = [&](std::vector<float>& to, const std::byte* panels, std::size_t step) {
      write_packed(write_block_of(Dtype::float32), types, {address(to), source.kept * sizeof(float), false}, {&at, 1},
                   {panels, static_cast<std::ptrdiff_t>(source.sums * step), static_cast<std::ptrdiff_t>(step), source.kept},
                   source.sums);
    };
    write(found, address(narrow), types.constant_row());
    write(wanted, address(wide), panel_bytes);
    ASSERT_TRUE(have_same_bits(found, wanted)) << source.kept << " columns";
  }
}

}  // namespace
}  // namespace broadloom::test::panels_test
