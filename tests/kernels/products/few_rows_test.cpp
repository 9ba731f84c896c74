#include "kernels/products/few_rows.h"

#include <gtest/gtest.h>

#include "kernels/elementwise/convert.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::few_rows_test {
namespace {

// Strips of a type, rows of numbers with gaps between them, and a target with gaps.
template <class Packed>
struct Product {
  Dtype dtype;
  std::size_t rows, columns, sums, gap;
  bool adds;
  std::vector<float> a;        // rows, sums + gap
  std::vector<Packed> strips;  // strips, sums, 16
  std::vector<float> to;       // rows, columns + gap

  Product(Random& random, Dtype its_dtype)
      : dtype(its_dtype),
        rows(random.below(most_few_rows) + 1),
        columns(random.below(70) + 1),
        sums(random.one_in(5) ? 200 + random.below(400) : random.below(20) + 1),
        gap(random.below(3)),
        adds(random.one_in(2)),
        a(random_items<float>(random, rows * (sums + gap), -2, 2)),
        strips(random_items<Packed>(random, (columns + 15) / 16 * sums * 16, -2, 2)),
        to(random_items<float>(random, rows * (columns + gap), -9, 9)) {}

  float number(std::size_t row, std::size_t column) const {
    float result = 0;
    convert(reinterpret_cast<std::byte*>(&result), Dtype::float32,
            address(strips) + ((column / 16 * sums + row) * 16 + column % 16) * sizeof(Packed), dtype, 1);
    return result;
  }

  std::vector<float> wanted() const {
    std::vector<float> result = to;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        float& place = result[i * (columns + gap) + j];
        for (std::size_t done = 0; done < sums; done += tile_depth) {
          float sum = 0;
          for (std::size_t k = done; k < std::min(sums, done + tile_depth); ++k) sum += a[i * (sums + gap) + k] * number(k, j);
          place = done == 0 && !adds ? sum : place + sum;
        }
      }
    }
    return result;
  }

  void run(float scale) {
    std::vector<float> scaled = a;
    for (float& number : scaled) number *= scale;
    std::vector<const std::byte*> at;
    for (std::size_t i = 0; i < rows; ++i) at.push_back(address(scaled) + i * (sums + gap) * sizeof(float));
    const WriteFewRows write = few_rows_of(ItemTypes(dtype), false);
    ASSERT_NE(write, nullptr);
    write({address(to), (columns + gap) * sizeof(float), adds}, {at.data(), rows}, address(strips), columns, sums);
  }
};

template <class Packed>
void expect_plain_sums(Dtype dtype, float scale, auto choose) {
  Random random;
  for (int round = 0; round < cases() / 5; ++round) {
    Product<Packed> product(random, dtype);
    choose(random, product.strips);
    const std::vector<float> wanted = product.wanted();
    product.run(scale);
    ASSERT_TRUE(have_same_bits(product.to, wanted))
        << info(dtype).name << ' ' << product.rows << "x" << product.sums << "x" << product.columns;
  }
}

TEST(WriteFewRows, EachSumIsMadeOfSumsOf256ProductsWhateverTheTypeOfTheStrips) {
  expect_plain_sums<float>(Dtype::float32, 1, [](Random&, std::vector<float>&) {});
  // All numbers, those below the least normal one, too; neither infinities nor NaNs.
  expect_plain_sums<std::uint16_t>(Dtype::float16, half_scale, [](Random& random, std::vector<std::uint16_t>& bits) {
    for (std::uint16_t& half : bits) {
      half = static_cast<std::uint16_t>(random.below(0x7C00) + (random.one_in(2) ? 0x8000 : 0));
    }
  });
  expect_plain_sums<std::uint16_t>(Dtype::bfloat16, 1, [](Random& random, std::vector<std::uint16_t>& bits) {
    for (std::uint16_t& half : bits) {
      half = static_cast<std::uint16_t>(0x3000 + random.below(0x1000) + (random.one_in(2) ? 0x8000 : 0));
    }
  });
}

TEST(WriteFewRows, TypesThatAreComputedInOthersThanFloatHaveNoLoops) {
  for (const Dtype dtype : {Dtype::float64, Dtype::int32, Dtype::int8, Dtype::uint64}) {
    EXPECT_EQ(few_rows_of(ItemTypes(dtype), false), nullptr) << info(dtype).name;
    EXPECT_EQ(few_rows_of(ItemTypes(dtype), true), nullptr) << info(dtype).name;
  }
}

}  // namespace
}  // namespace broadloom::test::few_rows_test
