#include "kernels/products/pair_product.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::pair_product_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Elements of 8 bits at any steps.
struct Operand {
  Dtype dtype;
  std::size_t kept_step, summed_step;
  Bytes bytes;

  Operand(Random& random, std::size_t kept, std::size_t sums)
      : dtype(random.one_in(2) ? Dtype::int8 : Dtype::uint8),
        kept_step(random.one_in(2) ? 1 : sums + random.below(3)),
        summed_step(kept_step == 1 ? kept + random.below(3) : 1),
        bytes(random_items<std::uint8_t>(random, kept * kept_step + sums * summed_step, 0, 255)) {}

  int least() const { return dtype == Dtype::int8 ? -128 : 0; }
  int at(std::size_t kept, std::size_t summed) const {
    const std::uint8_t bits = bytes[kept * kept_step + summed * summed_step];
    return dtype == Dtype::int8 ? static_cast<std::int8_t>(bits) : bits;
  }
  Matrix matrix() const {
    return {address(bytes), static_cast<std::ptrdiff_t>(kept_step), static_cast<std::ptrdiff_t>(summed_step)};
  }
};

TEST(PairProduct, SumsOfElementsLessTheirZeroPointsAreExactInEveryLayout) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const std::size_t columns = random.below(20) + 1;
    const std::size_t sums = random.one_in(10) ? 500 + random.below(600) : random.below(30);
    const PairProduct product{random.below(20) + 1, columns, sums};
    const std::size_t count = random.below(product.block_rows()) + 1;
    const Operand a(random, count, sums);
    const Operand b(random, columns, sums);
    const auto row_zeros = random_items<std::int32_t>(random, count, a.least(), a.least() + 255);
    auto column_zeros = random_items<std::int32_t>(random, columns, -128, 127);
    const bool has_zeros = random.one_in(2);
    if (!has_zeros) column_zeros.assign(columns, 0);

    Bytes packed(in_memory(product.packed_bytes()), 0xCA);
    product.pack(address(packed), b.matrix(), b.dtype);
    std::vector<Vector> workspace((in_memory(product.workspace_bytes()) + vector_bytes - 1) / vector_bytes);
    std::vector<std::int32_t> to(count * columns, -1);
    product.run(address(to), a.matrix(), a.dtype, address(packed),
                {row_zeros.data(), has_zeros ? column_zeros.data() : nullptr}, count, address(workspace));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        int sum = 0;
        const int zero = column_zeros[j] + offset_of(b.dtype);
        for (std::size_t k = 0; k < sums; ++k) sum += (a.at(i, k) - row_zeros[i]) * (b.at(j, k) - zero);
        ASSERT_EQ(to[i * columns + j], sum)
            << "[" << count << ", " << sums << "] [" << sums << ", " << columns << "] at " << i << ", " << j;
      }
    }
  }
}

TEST(PairProduct, APackedOperandIsUnpackedAsItWas) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    const PairProduct product{1, random.below(40) + 1, random.below(60) + 1};
    const bool has_columns = random.one_in(2);
    const std::size_t column_step = has_columns ? product.sums : 1;
    const std::size_t sum_step = has_columns ? 1 : product.columns;
    const Dtype dtype = random.one_in(2) ? Dtype::int8 : Dtype::uint8;
    const auto bytes = random_items<std::uint8_t>(random, product.columns * product.sums, 0, 255);
    Bytes packed(in_memory(product.packed_bytes()), 0xCA);
    product.pack(address(packed),
                 {address(bytes), static_cast<std::ptrdiff_t>(column_step), static_cast<std::ptrdiff_t>(sum_step)}, dtype);
    Bytes found(bytes.size());
    product.unpack(address(found), column_step, sum_step, address(packed), dtype);
    ASSERT_EQ(found, bytes) << product.columns << " columns, " << product.sums << " sums";
  }
}

}  // namespace
}  // namespace broadloom::test::pair_product_test
