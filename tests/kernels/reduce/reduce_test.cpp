#include "kernels/reduce/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::reduce_test {
namespace {

using Before = Reduction::Before;
using After = Reduction::After;

// The middle one of three axes is reduced. In memory it is the outermost one, and has gaps.
struct Operand {
  std::int64_t outer, size, inner, gap;

  std::size_t items() const { return static_cast<std::size_t>(size * step() + outer * inner); }
  std::int64_t step() const { return outer * inner + gap; }
  Layout kept() const { return {{outer, inner}, {inner, 1}}; }
  Layout reduced() const { return {{size}, {step()}}; }
};

double combined(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::multiply: return a * b;
    case Operation::minimum: return std::min(a, b);
    default: return std::max(a, b);
  }
}

double before(Before function, double x) {
  return function == Before::absolute ? std::abs(x)
         : function == Before::square ? x * x
         : function == Before::exp    ? std::exp(x)
                                      : x;
}

TEST(Reduce, FunctionsAreAppliedToElementsBeforeAndToResultsAfter) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const Operand operand{random.between(1, 4), random.between(1, 40), random.between(1, 20), random.between(0, 2)};
    const auto operation =
        static_cast<Operation>(random.one_in(2) ? place_of(Operation::add) : place_of(Operation::minimum) + random.below(2));
    const auto first = static_cast<Before>(random.below(4));
    const bool are_positive = first != Before::nothing || operation != Operation::add;
    const auto last = static_cast<After>(random.below(are_positive ? 4 : 2));
    const auto items = random_items<float>(random, operand.items(), are_positive ? 0.5 : -1, 1);
    const auto results = static_cast<std::size_t>(operand.outer * operand.inner);
    std::vector<float> to(results);
    ASSERT_TRUE(succeeds(
        reduce({operation, first, last}, Dtype::float32, address(to), address(items), operand.kept(), operand.reduced())));
    for (std::size_t i = 0; i < results; ++i) {
      double wanted = before(first, static_cast<double>(items[i]));
      for (std::int64_t k = 1; k < operand.size; ++k)
        wanted = combined(operation, wanted,
                          before(first, static_cast<double>(items[i + static_cast<std::size_t>(k * operand.step())])));
      if (last == After::mean) wanted /= static_cast<double>(operand.size);
      if (last == After::square_root) wanted = std::sqrt(wanted);
      if (last == After::log) wanted = std::log(wanted);
      ASSERT_NEAR(to[i], wanted, 1e-5 * std::max(1.0, std::abs(wanted))) << operand.size << " elements";
    }
  }
}

template <class T>
void expect_integers(Dtype dtype) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) {
    const Operand operand{random.between(1, 20), random.between(1, 200), random.one_in(2) ? 1 : random.between(1, 90),
                          random.between(0, 2)};
    const auto items = random_items<T>(random, operand.items(), std::numeric_limits<T>::min(), 100);
    // Rows that lie side by side, and rows that lie one after the other.
    const bool is_turned = random.one_in(2);
    const Layout kept = is_turned ? Layout{{operand.outer}, {operand.size}} : operand.kept();
    const Layout reduced = is_turned ? Layout{{operand.size}, {1}} : operand.reduced();
    std::vector<T> sums(static_cast<std::size_t>(kept.count()));
    std::vector<T> most(sums.size());
    ASSERT_TRUE(succeeds(reduce({Operation::add}, dtype, address(sums), address(items), kept, reduced)));
    ASSERT_TRUE(succeeds(reduce({Operation::maximum}, dtype, address(most), address(items), kept, reduced)));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      std::uint64_t sum = 0;
      T greatest = std::numeric_limits<T>::min();
      for (std::int64_t k = 0; k < operand.size; ++k) {
        const T item = items[i * static_cast<std::size_t>(is_turned ? operand.size : 1) +
                             static_cast<std::size_t>(k * reduced.strides[0])];
        sum += static_cast<std::uint64_t>(item);
        greatest = std::max(greatest, item);
      }
      ASSERT_EQ(sums[i], static_cast<T>(sum)) << operand.size << " elements" << (is_turned ? " of a row" : "");
      ASSERT_EQ(most[i], greatest) << operand.size << " elements" << (is_turned ? " of a row" : "");
    }
  }
}

TEST(Reduce, SumsOfIntegersWrapAroundAndExtremesAreExactInEveryLayout) {
  expect_integers<std::int8_t>(Dtype::int8);
  expect_integers<std::uint8_t>(Dtype::uint8);
  expect_integers<std::int32_t>(Dtype::int32);
  expect_integers<std::uint32_t>(Dtype::uint32);
  expect_integers<std::int64_t>(Dtype::int64);
}

TEST(Reduce, WideSumsOfInt32AreInt64) {
  const std::vector<std::int32_t> items(3, std::numeric_limits<std::int32_t>::max());
  std::int64_t sum = 0;
  Reduction reduction{Operation::add};
  reduction.is_wide = true;
  ASSERT_TRUE(succeeds(reduce(reduction, Dtype::int32, reinterpret_cast<std::byte*>(&sum), address(items), {}, {{3}, {1}})));
  EXPECT_EQ(sum, 3 * std::int64_t{std::numeric_limits<std::int32_t>::max()});
}

TEST(Reduce, WithoutElementsTheResultIsTheNeutralElementAfterTheLastFunction) {
  const auto result = [](Reduction reduction) {
    float to = 77;
    must(reduce(reduction, Dtype::float32, reinterpret_cast<std::byte*>(&to), nullptr, {}, {{0}, {1}}));
    return to;
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(result({Operation::add}), 0);
  EXPECT_EQ(result({Operation::multiply}), 1);
  EXPECT_EQ(result({Operation::minimum}), infinity);
  EXPECT_EQ(result({Operation::maximum}), -infinity);
  EXPECT_EQ(result({Operation::add, Before::exp, After::log}), -infinity);
}

}  // namespace
}  // namespace broadloom::test::reduce_test
