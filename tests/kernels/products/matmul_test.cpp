#include "kernels/products/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "support/canaries.h"

namespace broadloom::test::matmul_test {
namespace {

using List = std::vector<std::int64_t>;

Layout axes(const List& dims, const List& strides) { return {Dims(std::span(dims)), Dims(std::span(strides))}; }

// Elements from -3 to 3, so that all sums are exact.
template <class T>
std::vector<T> small_numbers(std::size_t count, std::size_t seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<int>((i * 7 + i / 5 + seed) % 7) - 3);
  return values;
}

struct Shape {
  std::int64_t rows;
  std::int64_t sums;
  std::int64_t columns;
};

// [rows, sums] times [sums, columns]. Each operand may be transposed in memory.
template <class T, class Computed>
void expect_product(Dtype dtype, const Shape& shape, bool is_a_turned, bool is_b_turned) {
  const auto [rows, sums, columns] = shape;
  const std::vector<T> a = small_numbers<T>(static_cast<std::size_t>(rows * sums), 1);
  const std::vector<T> b = small_numbers<T>(static_cast<std::size_t>(sums * columns), 2);
  const List steps_a = is_a_turned ? List{1, rows} : List{sums, 1};
  const List steps_b = is_b_turned ? List{1, sums} : List{columns, 1};
  const Factor first{reinterpret_cast<const std::byte*>(a.data()), {}, axes({rows}, {steps_a[0]}), axes({sums}, {steps_a[1]})};
  const Factor second{
      reinterpret_cast<const std::byte*>(b.data()), {}, axes({columns}, {steps_b[1]}), axes({sums}, {steps_b[0]})};
  const auto count = static_cast<std::size_t>(rows * columns);
  Guarded to(count * sizeof(Computed), 0);
  ASSERT_TRUE(multiply(dtype, to.data(), first, second));
  ASSERT_TRUE(to.intact());
  const auto* results = reinterpret_cast<const Computed*>(to.data());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      Computed sum{};
      for (std::int64_t k = 0; k < sums; ++k) {
        const T x = a[static_cast<std::size_t>(i * steps_a[0] + k * steps_a[1])];
        const T y = b[static_cast<std::size_t>(k * steps_b[0] + j * steps_b[1])];
        if constexpr (std::is_integral_v<T>) {
          sum = static_cast<Computed>(static_cast<std::uint64_t>(sum) +
                                      static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
        } else {
          sum += x * y;
        }
      }
      ASSERT_EQ(results[i * columns + j], sum)
          << info(dtype).name << " [" << rows << ", " << sums << "] [" << sums << ", " << columns << "] at " << i << ", " << j;
    }
  }
}

TEST(Multiply, TilesOfEverySizeAreExactInEveryTypeAndLayout) {
  for (const Shape& shape :
       {Shape{1, 1, 1}, {5, 3, 7}, {6, 16, 8}, {7, 17, 9}, {13, 5, 33}, {1, 40, 20}, {20, 40, 1}, {6, 0, 8}}) {
    for (const bool is_a_turned : {false, true}) {
      for (const bool is_b_turned : {false, true}) {
        expect_product<float, float>(Dtype::float32, shape, is_a_turned, is_b_turned);
        expect_product<double, double>(Dtype::float64, shape, is_a_turned, is_b_turned);
        expect_product<std::int32_t, std::int32_t>(Dtype::int32, shape, is_a_turned, is_b_turned);
        expect_product<std::uint32_t, std::uint32_t>(Dtype::uint32, shape, is_a_turned, is_b_turned);
        expect_product<std::int64_t, std::int64_t>(Dtype::int64, shape, is_a_turned, is_b_turned);
        expect_product<std::uint64_t, std::uint64_t>(Dtype::uint64, shape, is_a_turned, is_b_turned);
        expect_product<std::int8_t, std::int32_t>(Dtype::int8, shape, is_a_turned, is_b_turned);
        expect_product<std::uint16_t, std::int32_t>(Dtype::uint16, shape, is_a_turned, is_b_turned);
      }
    }
  }
}

// Numbers of many digits, so that different orders of summation have different bits.
template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(seed >> 33U);
    } else {
      value = static_cast<T>(static_cast<double>(seed >> 33U) * 0x1p-30 - 1);
    }
  }
  return values;
}

// The order of summation of every path of multiply: sums of 256 products, then the sum of these.
template <class T>
T plain_sum(const T* a, std::ptrdiff_t step_a, const T* b, std::ptrdiff_t step_b, std::int64_t sums) {
  T result{};
  for (std::int64_t done = 0; done < sums; done += 256) {
    T part{};
    for (std::int64_t k = done; k < std::min<std::int64_t>(done + 256, sums); ++k) part += a[k * step_a] * b[k * step_b];
    result += part;
  }
  return result;
}

// A matrix with `gap` extra elements after each row or column, reversed on request.
template <class T>
struct View {
  std::vector<T> elements;
  const T* first;
  std::ptrdiff_t kept_step;
  std::ptrdiff_t summed_step;

  View(std::int64_t kept, std::int64_t sums, bool is_turned, std::int64_t gap, bool is_backwards, std::uint64_t seed) {
    const std::int64_t row = (is_turned ? kept : sums) + gap;
    elements = numbers<T>(static_cast<std::size_t>(row * (is_turned ? sums : kept)), seed);
    kept_step = is_turned ? 1 : row;
    summed_step = is_turned ? row : 1;
    first = elements.data();
    if (!is_backwards || kept * sums == 0) return;
    first += (kept - 1) * kept_step + (sums - 1) * summed_step;
    kept_step = -kept_step;
    summed_step = -summed_step;
  }
  Factor factor(std::int64_t kept, std::int64_t sums) const {
    return {reinterpret_cast<const std::byte*>(first), {}, axes({kept}, {kept_step}), axes({sums}, {summed_step})};
  }
};

template <class T>
void expect_plain_sums(Dtype dtype, const Shape& shape, unsigned way) {
  const auto [rows, sums, columns] = shape;
  const std::int64_t gap = (way & 4U) != 0 ? 3 : 0;
  const View<T> a(rows, sums, (way & 1U) != 0, gap, (way & 8U) != 0, 1);
  const View<T> b(columns, sums, (way & 2U) == 0, gap, (way & 8U) != 0, 2);
  const Factor first = a.factor(rows, sums);
  const Factor second = b.factor(columns, sums);
  Guarded packed(in_memory(packed_columns_size(dtype, second)), 0);
  pack_columns(dtype, packed.data(), second);
  ASSERT_TRUE(packed.intact());
  if ((way & 12U) == 0) {
    Guarded unpacked(static_cast<std::size_t>(columns * sums) * sizeof(T), 0);
    unpack_strips(unpacked.data(), packed.data(), static_cast<std::size_t>(columns), static_cast<std::size_t>(sums),
                  (way & 2U) != 0, ItemTypes(dtype));
    ASSERT_TRUE(unpacked.intact());
    ASSERT_TRUE(std::equal(b.elements.begin(), b.elements.end(), reinterpret_cast<const T*>(unpacked.data())));
  }
  const auto count = static_cast<std::size_t>(rows * columns);
  for (const std::byte* panels : {static_cast<const std::byte*>(nullptr), static_cast<const std::byte*>(packed.data())}) {
    Guarded to(count * sizeof(T), 0);
    ASSERT_TRUE(multiply(dtype, to.data(), first, second, panels));
    ASSERT_TRUE(to.intact());
    const auto* results = reinterpret_cast<const T*>(to.data());
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        // Lists of no elements have no address to count from.
        const T* row = sums == 0 ? nullptr : a.first + i * a.kept_step;
        const T* column = sums == 0 ? nullptr : b.first + j * b.kept_step;
        ASSERT_EQ(results[i * columns + j], plain_sum(row, a.summed_step, column, b.summed_step, sums))
            << info(dtype).name << " [" << rows << ", " << sums << "] [" << sums << ", " << columns << "] at " << i << ", " << j
            << ", way " << way << (panels == nullptr ? "" : ", packed");
      }
    }
  }
}

TEST(Multiply, EveryPathHasTheBitsOfThePlainSumsForEverySizeAroundATile) {
  for (std::int64_t rows = 0; rows <= 10; ++rows) {
    for (std::int64_t columns = 0; columns <= 18; ++columns) {
      for (const std::int64_t sums : {0, 1, 2, 3, 4, 5, 8, 9, 18}) {
        for (unsigned way = 0; way < 16; ++way) {
          const Shape shape{rows, sums, columns};
          expect_plain_sums<float>(Dtype::float32, shape, way);
          if ((rows + columns + sums) % 3 != 0) continue;
          expect_plain_sums<double>(Dtype::float64, shape, way);
          expect_plain_sums<std::uint32_t>(Dtype::int32, shape, way);
          expect_plain_sums<std::uint64_t>(Dtype::uint64, shape, way);
        }
      }
    }
  }
}

TEST(Multiply, EveryPathHasTheBitsOfThePlainSumsForEverySizeAroundABlock) {
  for (const std::int64_t rows : {1, 2, 3, 8, 9, 23}) {
    for (const std::int64_t columns : {1, 31, 32, 33, 69}) {
      for (const std::int64_t sums : {255, 256, 257, 515}) {
        for (unsigned way = 0; way < 4; ++way) expect_plain_sums<float>(Dtype::float32, {rows, sums, columns}, way);
      }
    }
  }
  // Several blocks of rows, of sums and of columns.
  for (unsigned way = 0; way < 4; ++way) {
    expect_plain_sums<float>(Dtype::float32, {387, 259, 37}, way);
    expect_plain_sums<float>(Dtype::float32, {37, 259, 518}, way);
    expect_plain_sums<double>(Dtype::float64, {386, 258, 35}, way);
  }
  expect_plain_sums<float>(Dtype::float32, {387, 259, 518}, 3);
}

TEST(Multiply, MatricesAboveEveryBlockSizeAreExact) {
  expect_product<float, float>(Dtype::float32, {389, 261, 521}, false, false);
  expect_product<std::int64_t, std::int64_t>(Dtype::int64, {7, 520, 261}, true, true);
  expect_product<std::int8_t, std::int32_t>(Dtype::int8, {389, 300, 9}, false, true);
}

TEST(Multiply, HalvesAreSummedAsFloatsAndNotRounded) {
  const std::uint16_t a[] = {0x6800, 0x3C00, 0x3C00};  // 2048, 1, 1
  const std::uint16_t b[] = {0x3C00, 0x3C00, 0x3C00};
  const Layout three = axes({3}, {1});
  float sum = 0;
  ASSERT_TRUE(multiply(Dtype::float16, reinterpret_cast<std::byte*>(&sum),
                       {reinterpret_cast<const std::byte*>(a), {}, {}, three},
                       {reinterpret_cast<const std::byte*>(b), {}, {}, three}));
  EXPECT_EQ(sum, 2050);
}

TEST(Multiply, PackedHalvesTakeTwoBytesAndGiveTheSameBits) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16}) {
    const auto halves = [&](std::int64_t count, std::uint64_t seed) {
      std::vector<std::uint16_t> list(static_cast<std::size_t>(count));
      for (std::uint16_t& bits : list) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        // A number of either sign, and not too large.
        bits = static_cast<std::uint16_t>((seed >> 40 & 0x83FFU) + (dtype == Dtype::float16 ? 0x3400U : 0x3E00U));
      }
      return list;
    };
    for (const std::int64_t rows : {1, 2, 3, 4, 7, 18, 400}) {
      for (const std::int64_t sums : {2, 17, 256, 300, 513}) {
        for (const std::int64_t columns : {2, 8, 31, 32, 33, 70}) {
          if (rows == 400 && columns != 33) continue;
          for (const bool is_turned : {false, true}) {
            const auto a = halves(rows * sums, 1);
            auto b = halves(sums * columns, 2);
            b[1] = 0x8001;                                                         // denormal
            if (sums == 17) b.back() = dtype == Dtype::float16 ? 0xFC00 : 0xFF80;  // infinite
            const Factor first{reinterpret_cast<const std::byte*>(a.data()), {}, axes({rows}, {sums}), axes({sums}, {1})};
            const Factor second{reinterpret_cast<const std::byte*>(b.data()),
                                {},
                                axes({columns}, {is_turned ? sums : 1}),
                                axes({sums}, {is_turned ? 1 : columns})};
            const std::size_t bytes = in_memory(packed_columns_size(dtype, second));
            ASSERT_EQ(bytes, static_cast<std::size_t>((columns + 15) / 16 * 16 * sums) * sizeof b[0] + 16);
            Guarded packed(bytes, 0);
            pack_columns(dtype, packed.data(), second);
            ASSERT_TRUE(packed.intact());
            std::vector<std::uint16_t> unpacked(b.size());
            unpack_strips(reinterpret_cast<std::byte*>(unpacked.data()), packed.data(), static_cast<std::size_t>(columns),
                          static_cast<std::size_t>(sums), is_turned, ItemTypes(dtype));
            ASSERT_EQ(unpacked, b);
            std::vector<float> wanted(static_cast<std::size_t>(rows * columns));
            std::vector<float> found(wanted.size());
            ASSERT_TRUE(multiply(dtype, reinterpret_cast<std::byte*>(wanted.data()), first, second));
            ASSERT_TRUE(multiply(dtype, reinterpret_cast<std::byte*>(found.data()), first, second, packed.data()));
            ASSERT_EQ(found, wanted) << info(dtype).name << " [" << rows << ", " << sums << "] [" << sums << ", " << columns
                                     << "]";
          }
        }
      }
    }
  }
}

TEST(Multiply, EachGroupOfAxesMayBeSeveralThatDoNotMerge) {
  // a[n, i, k, j, l] of [2, 3, 4, 5, 3] and b[k, n, l, m] of [4, 2, 3, 6]: sums over k and l; n is the batch, i and j are rows.
  const std::vector<float> a = small_numbers<float>(360, 3);
  const std::vector<float> b = small_numbers<float>(144, 4);
  const Factor first{reinterpret_cast<const std::byte*>(a.data()), axes({2}, {180}), axes({3, 5}, {60, 3}),
                     axes({4, 3}, {15, 1})};
  const Factor second{reinterpret_cast<const std::byte*>(b.data()), axes({2}, {18}), axes({6}, {1}), axes({4, 3}, {36, 6})};
  std::vector<float> results(180);
  ASSERT_TRUE(multiply(Dtype::float32, reinterpret_cast<std::byte*>(results.data()), first, second));
  std::size_t at = 0;
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        for (std::size_t m = 0; m < 6; ++m) {
          float sum = 0;
          for (std::size_t k = 0; k < 4; ++k) {
            for (std::size_t l = 0; l < 3; ++l) {
              sum += a[n * 180 + i * 60 + k * 15 + j * 3 + l] * b[k * 36 + n * 18 + l * 6 + m];
            }
          }
          ASSERT_EQ(results[at++], sum);
        }
      }
    }
  }
}

TEST(Multiply, OneMatrixMayServeAWholeBatch) {
  const std::vector<float> a = small_numbers<float>(60, 5);
  const std::vector<float> b = small_numbers<float>(10, 6);
  std::vector<float> each(24);
  std::vector<float> whole(each.size());
  const Factor second{reinterpret_cast<const std::byte*>(b.data()), axes({4}, {0}), axes({2}, {1}), axes({5}, {2})};
  ASSERT_TRUE(multiply(Dtype::float32, reinterpret_cast<std::byte*>(each.data()),
                       {reinterpret_cast<const std::byte*>(a.data()), axes({4}, {15}), axes({3}, {5}), axes({5}, {1})},
                       second));
  ASSERT_TRUE(multiply(Dtype::float32, reinterpret_cast<std::byte*>(whole.data()),
                       {reinterpret_cast<const std::byte*>(a.data()), {}, axes({4, 3}, {15, 5}), axes({5}, {1})},
                       {second.data, {}, second.kept, second.summed}));
  EXPECT_EQ(each, whole);
}

TEST(Multiplication, RunsAgainWithOperandsAtOtherAddresses) {
  for (const std::int64_t columns : {1, 5, 24}) {
    const Factor first{nullptr, axes({2}, {12}), axes({4}, {3}), axes({3}, {1})};
    const Factor second{nullptr, axes({2}, {3 * columns}), axes({columns}, {1}), axes({3}, {columns})};
    const Multiplication ready(Dtype::float32, first, second, false);
    for (std::size_t seed = 0; seed < 3; ++seed) {
      const std::vector<float> a = small_numbers<float>(24, seed);
      const std::vector<float> b = small_numbers<float>(static_cast<std::size_t>(6 * columns), seed + 1);
      std::vector<float> found(static_cast<std::size_t>(8 * columns));
      std::vector<float> wanted(found.size());
      const auto* from_a = reinterpret_cast<const std::byte*>(a.data());
      const auto* from_b = reinterpret_cast<const std::byte*>(b.data());
      ASSERT_TRUE(multiply(Dtype::float32, reinterpret_cast<std::byte*>(wanted.data()),
                           {from_a, first.batch, first.kept, first.summed},
                           {from_b, second.batch, second.kept, second.summed}));
      ASSERT_TRUE(ready.run(reinterpret_cast<std::byte*>(found.data()), from_a, from_b, nullptr));
      EXPECT_EQ(found, wanted);
    }
  }
}

TEST(Multiply, AxesThatDoNotMergeNeedMemory) {
  const float one = 1;
  float sum = 0;
  const Factor factor{reinterpret_cast<const std::byte*>(&one), {}, {}, axes({1 << 14, 1 << 14}, {0, 1})};
  EXPECT_FALSE(multiply(Dtype::float64, reinterpret_cast<std::byte*>(&sum), factor, factor));
}

TEST(Multiply, ALongSumHasTheErrorOfAShortOne) {
  // Each product is rounded to 0.1. Added one by one, a million of them would be 958.3 too large.
  constexpr std::int64_t count = 1'000'000;
  const float tenth = 0.1F;
  const float one = 1;
  float sum = 0;
  const Layout many = axes({count}, {0});
  ASSERT_TRUE(multiply(Dtype::float32, reinterpret_cast<std::byte*>(&sum),
                       {reinterpret_cast<const std::byte*>(&tenth), {}, {}, many},
                       {reinterpret_cast<const std::byte*>(&one), {}, {}, many}));
  EXPECT_NEAR(sum, 100'000, 5);
}

}  // namespace
}  // namespace broadloom::test::matmul_test
