#include "kernels/products/scaled_bytes.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/scaled_bytes.h"

namespace broadloom::test::scaled_bytes_test {
namespace {

TEST(WritePacked, PanelsAndStripsOfScaledBytesGiveTheBitsOfThoseInFloat32) {
  Random random;
  const ItemTypes types = ItemTypes::of_scaled_bytes();
  const ItemTypes wide_types(Dtype::float32);
  for (int round = 0; round < cases() / 10; ++round) {
    const std::size_t columns = random.below(80) + 1;
    const std::size_t sums = random.below(random.one_in(10) ? tile_depth : 40) + 1;
    const ScaledBytes source(random, columns, sums);
    const auto by_column = static_cast<std::ptrdiff_t>(sums);
    const Matrix matrix{address(source.bytes), by_column, 1};
    const std::size_t row = types.constant_row();
    ASSERT_EQ(row, 8U);
    std::vector<std::byte> panels(types.panels(columns) * sums * row);
    std::vector<std::byte> strips(types.strips(columns) * sums * 2 * row);
    std::vector<std::byte> records(2 * types.strips(columns) * scale_record);
    pack_panels(panels.data(), sums * row, matrix, columns, sums, types, true);
    pack_strips(strips.data(), matrix, columns, sums, types);
    flip_bytes(panels.data(), panels.size(), source.dtype);
    flip_bytes(strips.data(), strips.size(), source.dtype);
    write_scale_records(records.data(), source.scales(), 0, columns);

    const std::vector<float> floats = source.floats();
    std::vector<float> wide(types.panels(columns) * sums * 8);
    pack_panels(address(wide), sums * panel_bytes, {address(floats), times(sums, 4), 4}, columns, sums, wide_types);
    const std::size_t count = random.below(6) + 1;
    const auto numbers = random_items<float>(random, count * sums, -1, 1);
    std::vector<const std::byte*> at;
    for (std::size_t i = 0; i < count; ++i) at.push_back(address(numbers) + i * sums * sizeof(float));
    const auto products = [&](const Panels& packed, const ItemTypes& its_types) {
      std::vector<float> to(count * columns);
      const Target target{address(to), columns * sizeof(float), false};
      write_packed(write_block_of(Dtype::float32), its_types, target, {at.data(), count}, packed, sums, records.data());
      return to;
    };
    const auto panels_at = [&](const std::byte* from, std::size_t step) {
      return Panels{from, static_cast<std::ptrdiff_t>(sums * step), static_cast<std::ptrdiff_t>(step), columns};
    };
    const std::vector<float> wanted = products(panels_at(address(wide), panel_bytes), wide_types);
    ASSERT_TRUE(have_same_bits(products(panels_at(panels.data(), row), types), wanted)) << columns << " columns";
    const Panels of_strips = panels_of_strips(strips.data(), row, sums, 0, columns);
    ASSERT_TRUE(have_same_bits(products(of_strips, types), wanted)) << columns << " columns in strips";

    std::vector<std::uint8_t> found(source.bytes.size());
    flip_bytes(strips.data(), strips.size(), source.dtype);
    unpack_strips(address(found), strips.data(), columns, sums, true, types);
    ASSERT_EQ(found, source.bytes);
  }
}

}  // namespace
}  // namespace broadloom::test::scaled_bytes_test
