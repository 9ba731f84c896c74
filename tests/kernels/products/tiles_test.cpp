#include "kernels/products/tiles.h"

#include <gtest/gtest.h>

#include "kernels/products/panels.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::tiles_test {
namespace {

// A product with rows in several runs, gaps between the rows of the target, and numbers at which sums begin.
template <class Element, class Packed, class Sum>
struct Product {
  std::size_t rows, columns, taps, depth, width, gap;
  std::size_t offset;  // of elements in a run
  bool adds, has_bias;
  std::vector<Element> a;  // taps, rows, offset + depth
  std::vector<Packed> b;   // panels, taps, depth, width
  std::vector<Sum> bias, to;

  Product(Random& random, std::size_t panel_columns, std::size_t most_rows, double most)
      : rows(random.below(most_rows) + 1),
        columns(random.below(70) + 1),
        taps(random.below(3) + 1),
        depth(random.below(20)),
        width(panel_columns),
        gap(random.below(3)),
        offset(random.below(3)),
        adds(random.one_in(2)),
        has_bias(random.one_in(2)),
        a(random_items<Element>(random, taps * rows * (offset + depth), -most, most)),
        b(random_items<Packed>(random, panels() * taps * depth * width, -most, most)),
        bias(random_items<Sum>(random, columns + tile_panels * panel_columns, 0, most)),
        to(random_items<Sum>(random, rows * (columns + gap), 0, most)) {}

  std::size_t panels() const { return (columns + width - 1) / width; }

  // `multiply(sum, tap, row, k, column)` adds the product of the two elements.
  template <class Multiply>
  std::vector<Sum> wanted(Multiply multiply) const {
    std::vector<Sum> result = to;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        Sum sum = has_bias ? bias[j] : Sum{};
        for (std::size_t tap = 0; tap < taps; ++tap) {
          for (std::size_t k = 0; k < depth; ++k) {
            multiply(sum, a[(tap * rows + i) * (offset + depth) + offset + k],
                     b[((j / width * taps + tap) * depth + k) * width + j % width]);
          }
        }
        Sum& place = result[i * (columns + gap) + j];
        place = adds ? place + sum : sum;
      }
    }
    return result;
  }

  template <class Write>
  void run(Write write) {
    std::vector<const std::byte*> at;
    for (std::size_t i = 0; i < taps * rows; ++i) at.push_back(address(a) + i * (offset + depth) * sizeof(Element));
    const Rows from{at.data(), rows, taps, rows, static_cast<std::ptrdiff_t>(offset * sizeof(Element))};
    const auto step = static_cast<std::ptrdiff_t>(width * sizeof(Packed));
    const Panels panel{address(b), times(taps * depth, step), step, columns};
    write(Target{address(to), (columns + gap) * sizeof(Sum), adds, has_bias ? address(bias) : nullptr}, from, panel, depth);
  }
};

template <class T>
void expect_plain_sums(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    Product<T, T, T> product(random, panel_bytes / sizeof(T), 11, 100);
    const std::vector<T> wanted = product.wanted([](T& sum, T a, T b) { sum += a * b; });
    product.run(write_block_of(dtype));
    ASSERT_TRUE(have_same_bits(product.to, wanted)) << product.rows << " rows, " << product.columns << " columns";
  }
}

TEST(WriteBlock, EachSumAddsTheProductsOfAllTapsInOrder) {
  expect_plain_sums<float>(Dtype::float32);
  expect_plain_sums<double>(Dtype::float64);
  expect_plain_sums<std::uint32_t>(Dtype::int32);
  expect_plain_sums<std::uint64_t>(Dtype::uint64);
}

struct Words {
  std::int16_t of[2];
};
struct Bytes {
  std::int8_t of[2];
};

TEST(WritePairs, TwoElementsAreMultipliedAtATimeAndSumsWrapAround) {
  Random random;
  for (int round = 0; round < cases() / 2; ++round) {
    Product<std::uint32_t, std::uint16_t, std::uint32_t> product(random, 8, 11, 0);
    for (std::uint32_t& pair : product.a) {
      const Words words{
          {static_cast<std::int16_t>(random.between(-255, 255)), static_cast<std::int16_t>(random.between(-255, 255))}};
      std::memcpy(&pair, &words, sizeof pair);
    }
    for (std::uint16_t& pair : product.b) pair = static_cast<std::uint16_t>(random.below(0x10000));
    for (std::uint32_t& sum : product.to) sum = 0x7FFFFF00U + static_cast<std::uint32_t>(random.below(0x100));
    const std::vector<std::uint32_t> wanted = product.wanted([](std::uint32_t& sum, std::uint32_t a, std::uint16_t b) {
      Words words{};
      Bytes bytes{};
      std::memcpy(&words, &a, sizeof a);
      std::memcpy(&bytes, &b, sizeof b);
      sum += static_cast<std::uint32_t>(words.of[0] * bytes.of[0] + words.of[1] * bytes.of[1]);
    });
    product.run(write_pairs);
    ASSERT_EQ(product.to, wanted) << product.rows << " rows, " << product.columns << " columns";
  }
}

}  // namespace
}  // namespace broadloom::test::tiles_test
