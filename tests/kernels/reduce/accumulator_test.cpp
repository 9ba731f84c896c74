#include "kernels/reduce/accumulator.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::accumulator_test {
namespace {

constexpr Operation operations[] = {Operation::add, Operation::multiply, Operation::minimum, Operation::maximum};

template <class T>
T combined(Operation operation, T a, T b) {
  switch (operation) {
    case Operation::add: return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    case Operation::multiply: return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    case Operation::minimum: return std::min(a, b);
    default: return std::max(a, b);
  }
}

template <class T>
void expect_combined(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 5; ++round) {
    const Operation operation = operations[random.below(4)];
    const std::size_t results = random.below(5) + 1;
    const std::size_t width = results << random.below(6);
    const std::size_t rows = random.below(6);
    const auto items = random_items<T>(random, rows * width + width, std::numeric_limits<T>::min(), 100);
    ReductionSteps steps(Reduction{operation}, dtype, 1);
    Accumulator accumulator(steps);
    std::vector<T> to(2 * results);
    for (std::size_t part = 0; part < 2; ++part) {
      accumulator.start(width);
      accumulator.add(address(items), width * sizeof(T), rows, width);
      const std::size_t some = random.below(width) + 1;  // of a last row
      accumulator.add(address(items) + rows * width * sizeof(T), 0, 1, some);
      accumulator.finish(address(to) + part * results * sizeof(T), results);
      for (std::size_t i = 0; i < results; ++i) {
        T wanted = items[i];
        for (std::size_t k = i + results; k < rows * width + some; k += results) wanted = combined(operation, wanted, items[k]);
        if (i < rows * width + some) ASSERT_EQ(to[part * results + i], wanted) << results << " results of " << width;
      }
    }
    if (!accumulator.has_rows()) continue;
    accumulator.start(1);
    accumulator.add_row(address(items), items.size());
    T result{};
    accumulator.finish(reinterpret_cast<std::byte*>(&result), 1);
    T wanted = items[0];
    for (std::size_t k = 1; k < items.size(); ++k) wanted = combined(operation, wanted, items[k]);
    ASSERT_EQ(result, wanted) << "a row of " << items.size();
  }
}

TEST(Accumulator, EachResultCombinesItsElementsOfAllRows) {
  expect_combined<std::int8_t>(Dtype::int8);
  expect_combined<std::uint8_t>(Dtype::uint8);
  expect_combined<std::int16_t>(Dtype::int16);
  expect_combined<std::int32_t>(Dtype::int32);
  expect_combined<std::uint32_t>(Dtype::uint32);
  expect_combined<std::int64_t>(Dtype::int64);
}

}  // namespace
}  // namespace broadloom::test::accumulator_test
