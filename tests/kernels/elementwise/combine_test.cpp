#include "kernels/elementwise/combine.h"

#include <gtest/gtest.h>

#include <complex>

#include "kernels/elementwise/convert.h"
#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::combine_test {
namespace {

constexpr Operation operations[] = {Operation::add, Operation::multiply, Operation::minimum, Operation::maximum};

double combined(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::multiply: return a * b;
    case Operation::minimum: return std::min(a, b);
    default: return std::max(a, b);
  }
}

// Small integers of any type, and back.
std::vector<std::byte> items_of(const std::vector<double>& numbers, Dtype dtype) {
  std::vector<std::byte> items(numbers.size() * item_size(dtype));
  convert(items.data(), dtype, address(numbers), Dtype::float64, numbers.size());
  return items;
}
std::vector<double> numbers_at(const std::vector<std::byte>& items, Dtype dtype) {
  std::vector<double> numbers(items.size() / item_size(dtype));
  convert(address(numbers), Dtype::float64, items.data(), dtype, numbers.size());
  return numbers;
}
std::vector<double> small_numbers(Random& random, std::size_t count) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = static_cast<double>(random.between(0, 11));
  return numbers;
}

TEST(Combine, ElementsOfEveryTypeAreCombinedInPlace) {
  Random random;
  for (const Dtype dtype : {Dtype::uint8, Dtype::int8, Dtype::uint16, Dtype::int16, Dtype::float16, Dtype::bfloat16,
                            Dtype::int32, Dtype::uint32, Dtype::float32, Dtype::int64, Dtype::uint64, Dtype::float64}) {
    for (const Operation operation : operations) {
      for (const std::size_t count : {1U, 7U, 33U, 513U, 1100U}) {
        const std::vector<double> a = small_numbers(random, count);
        const std::vector<double> b = small_numbers(random, count);
        std::vector<std::byte> to = items_of(a, dtype);
        combine(operation, dtype, to.data(), items_of(b, dtype).data(), count);
        const std::vector<double> found = numbers_at(to, dtype);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(found[i], combined(operation, a[i], b[i])) << info(dtype).name;
      }
    }
  }
}

TEST(Combine, SumsOfBoolsAreOrAndProductsAnd) {
  const std::vector<std::uint8_t> b{0, 1, 0, 1};
  std::vector<std::uint8_t> sums{0, 0, 1, 1};
  std::vector<std::uint8_t> products = sums;
  combine(Operation::add, Dtype::boolean, address(sums), address(b), 4);
  combine(Operation::multiply, Dtype::boolean, address(products), address(b), 4);
  EXPECT_EQ(sums, (std::vector<std::uint8_t>{0, 1, 1, 1}));
  EXPECT_EQ(products, (std::vector<std::uint8_t>{0, 0, 0, 1}));
}

TEST(Combine, ComplexNumbersAreAddedAndMultiplied) {
  using Complex = std::complex<float>;
  const std::vector<Complex> a{{1, 2}, {3, -4}, {0, 5}};
  const std::vector<Complex> b{{-2, 1}, {6, 7}, {8, -3}};
  std::vector<Complex> sums = a;
  std::vector<Complex> products = a;
  combine(Operation::add, Dtype::complex64, address(sums), address(b), 3);
  combine(Operation::multiply, Dtype::complex64, address(products), address(b), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sums[i], a[i] + b[i]);
    EXPECT_EQ(products[i], a[i] * b[i]);
  }
}

TEST(CombineBlocks, BlocksThatMeetAreCombinedOneAfterTheOther) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Dtype dtypes[] = {Dtype::float32, Dtype::float64, Dtype::int32, Dtype::int64, Dtype::float16, Dtype::uint8};
    const Dtype dtype = dtypes[random.below(6)];
    const Operation operation = operations[random.below(4)];
    const std::size_t count = random.below(20) + 1;
    const std::size_t blocks = random.below(3) + 1;
    std::vector<double> wanted = small_numbers(random, 4 * count);
    for (double& number : wanted) number = std::min(number, 2.0);
    const std::vector<double> from = small_numbers(random, blocks * count);
    std::vector<std::byte> to = items_of(wanted, dtype);
    std::vector<std::ptrdiff_t> offsets;
    bool fits = true;
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t first = random.below(3 * count + 1);
      offsets.push_back(static_cast<std::ptrdiff_t>(first * item_size(dtype)));
      for (std::size_t k = 0; k < count; ++k) {
        double& place = wanted[first + k];
        place = combined(operation, place, from[i * count + k]);
        fits = fits && place < 256;
      }
    }
    if (!fits) continue;
    combine_blocks(operation, dtype, to.data(), offsets, items_of(from, dtype).data(), count);
    ASSERT_EQ(numbers_at(to, dtype), wanted) << info(dtype).name << ", blocks of " << count;
  }
}

}  // namespace
}  // namespace broadloom::test::combine_test
