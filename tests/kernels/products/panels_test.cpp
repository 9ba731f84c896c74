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

template <class T, class Packed>
void expect_strips(Dtype dtype, bool are_wide) {
  Random random;
  const ItemTypes types(dtype);
  const std::size_t width = types.strip_width();
  for (int round = 0; round < cases() / 10; ++round) {
    const Source<T> source(random, dtype, random.one_in(10) ? 600 : 40);
    std::vector<Packed> strips(types.strips(source.kept) * source.sums * width, Packed{77});
    pack_strips(address(strips), source.matrix(), source.kept, source.sums, types, are_wide);
    for (std::size_t j = 0; j < types.strips(source.kept) * width; ++j) {
      for (std::size_t k = 0; k < source.sums; ++k) {
        Packed wanted{};
        if constexpr (std::is_same_v<T, Packed>) {
          if (j < source.kept) wanted = source.at(j, k);
        } else {
          if (j < source.kept) wanted = source.template computed<Packed>(j, k);
        }
        ASSERT_EQ(strips[(j / width * source.sums + k) * width + j % width], wanted)
            << info(dtype).name << ' ' << j << ' ' << k;
      }
    }
    if constexpr (std::is_same_v<T, Packed>) {
      std::vector<T> by_columns(source.kept * source.sums);
      std::vector<T> by_rows(source.kept * source.sums);
      unpack_strips(address(by_columns), address(strips), source.kept, source.sums, true, types);
      unpack_strips(address(by_rows), address(strips), source.kept, source.sums, false, types);
      std::vector<T> column(source.sums);
      for (std::size_t j = 0; j < source.kept; ++j) {
        unpack_column(address(column), address(strips), j, source.sums, types);
        for (std::size_t k = 0; k < source.sums; ++k) {
          ASSERT_EQ(column[k], source.at(j, k));
          ASSERT_EQ(by_columns[j * source.sums + k], source.at(j, k));
          ASSERT_EQ(by_rows[k * source.kept + j], source.at(j, k));
        }
      }
    }
  }
}

TEST(PackStrips, RowsOfTwoPanelsTakeTurnsAndConstantsOfTwoBytesKeepTheirBits) {
  expect_strips<float, float>(Dtype::float32, false);
  expect_strips<double, double>(Dtype::float64, false);
  expect_strips<std::uint16_t, std::uint16_t>(Dtype::float16, false);
  expect_strips<std::uint16_t, float>(Dtype::float16, true);
  expect_strips<std::uint16_t, float>(Dtype::bfloat16, true);
  expect_strips<std::int8_t, std::int32_t>(Dtype::int8, false);
}

TEST(WritePacked, PanelsAndStripsOfTwoBytesGiveTheBitsOfWidePanels) {
  Random random;
  const ItemTypes types(Dtype::bfloat16);
  for (int round = 0; round < cases() / 10; ++round) {
    const Source<std::uint16_t> source(random, Dtype::bfloat16, 40);
    const std::size_t row = types.constant_row();
    std::vector<std::uint16_t> narrow(types.panels(source.kept) * source.sums * 8);
    std::vector<std::uint16_t> strips(types.strips(source.kept) * source.sums * 16);
    std::vector<float> wide(narrow.size());
    pack_panels(address(narrow), source.sums * row, source.matrix(), source.kept, source.sums, types, true);
    pack_strips(address(strips), source.matrix(), source.kept, source.sums, types);
    pack_panels(address(wide), source.sums * panel_bytes, source.matrix(), source.kept, source.sums, types);
    const std::size_t count = random.below(6) + 1;
    const auto numbers = random_items<float>(random, count * source.sums, -1, 1);
    std::vector<const std::byte*> at;
    for (std::size_t i = 0; i < count; ++i) at.push_back(address(numbers) + i * source.sums * sizeof(float));
    const auto products = [&](const Panels& panels, const ItemTypes& its_types) {
      std::vector<float> to(count * source.kept);
      const Target target{address(to), source.kept * sizeof(float), false};
      write_packed(write_block_of(Dtype::float32), its_types, target, {at.data(), count}, panels, source.sums);
      return to;
    };
    const auto panels = [&](const auto& packed, std::size_t step) {
      return Panels{address(packed), static_cast<std::ptrdiff_t>(source.sums * step), static_cast<std::ptrdiff_t>(step),
                    source.kept};
    };
    const std::vector<float> wanted = products(panels(wide, panel_bytes), ItemTypes(Dtype::float32));
    ASSERT_TRUE(have_same_bits(products(panels(narrow, row), types), wanted)) << source.kept << " columns";
    const Panels of_strips = panels_of_strips(address(strips), row, source.sums, 0, source.kept);
    ASSERT_TRUE(have_same_bits(products(of_strips, types), wanted)) << source.kept << " columns in strips";
  }
}

}  // namespace
}  // namespace broadloom::test::panels_test
