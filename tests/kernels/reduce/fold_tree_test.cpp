#include "kernels/reduce/fold_tree.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "support/axes.h"
#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::fold_tree_test {
namespace {

// The axes of a tensor in any order in memory, with gaps, some kept and some reduced.
struct Operand {
  AxisList kept, reduced;
  std::size_t items = 1;

  explicit Operand(Random& random) {
    AxisList axes(1 + random.below(4));
    const std::size_t longest = random.below(axes.size());
    for (std::size_t i = 0; i < axes.size(); ++i)
      axes[i].extent = i == longest ? random.between(1, random.one_in(8) ? 2500 : 100) : random.between(1, 5);
    std::vector<std::size_t> order(axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::int64_t stride = random.one_in(5) ? 2 : 1;
    for (const std::size_t axis : order) {
      axes[axis].stride = stride;
      stride = stride * axes[axis].extent + (random.one_in(5) ? 1 : 0);
    }
    items = static_cast<std::size_t>(stride);
    for (const Axis& axis : axes) (random.one_in(2) ? kept : reduced).push_back(axis);
  }
  static Layout layout(const AxisList& axes) {
    Layout result{Dims(axes.size()), Dims(axes.size())};
    for (std::size_t i = 0; i < axes.size(); ++i) {
      result.dims[i] = axes[i].extent;
      result.strides[i] = axes[i].stride;
    }
    return result;
  }
};

template <class T>
void expect_folds(Dtype dtype, Operation operation, Reduction::Before before) {
  Random random;
  for (int round = 0; round < cases() / 20; ++round) {
    const Operand operand(random);
    const auto items = random_items<T>(random, operand.items, -1, 1);
    const std::size_t results = count_of(operand.kept);
    const std::size_t count = count_of(operand.reduced);
    const auto shifts = random_items<T>(random, results, -1, 1);
    const bool is_shifted = random.one_in(3);
    const Fold fold = fold_of(operation, dtype);
    ReductionSteps steps({operation, before, Reduction::After::nothing, is_shifted ? address(shifts) : nullptr}, dtype,
                         static_cast<std::int64_t>(count));
    const auto tree = std::make_unique<FoldTree>(steps, fold, address(items), Operand::layout(operand.kept),
                                                 Operand::layout(operand.reduced));
    std::vector<T> to(results);
    ASSERT_TRUE(succeeds(tree->run(address(to))));
    std::vector<T> wanted(results);
    // Elements of a result one after the other, in a row.
    AxisList all = operand.kept;
    all.insert(all.end(), operand.reduced.begin(), operand.reduced.end());
    const std::vector<std::byte> bytes = items_at(address(items), all, sizeof(T));
    std::vector<T> row(count);
    for (std::size_t i = 0; i < results; ++i) {
      std::memcpy(row.data(), bytes.data() + i * count * sizeof(T), count * sizeof(T));
      for (T& element : row) {
        if (is_shifted) element -= shifts[i];
        if (before == Reduction::Before::square) element *= element;
      }
      fold.all(reinterpret_cast<std::byte*>(&wanted[i]), address(row), count);
    }
    ASSERT_TRUE(have_same_bits(to, wanted))
        << results << " results of " << count << " elements, operation " << static_cast<int>(operation);
  }
}

TEST(FoldTree, TheBitsOfAResultFollowFromTheNumberOfItsElementsWhereverTheyLie) {
  using enum Reduction::Before;
  for (const Operation operation : {Operation::add, Operation::multiply, Operation::minimum, Operation::maximum}) {
    expect_folds<float>(Dtype::float32, operation, nothing);
    expect_folds<double>(Dtype::float64, operation, nothing);
  }
  expect_folds<float>(Dtype::float32, Operation::add, square);
  expect_folds<double>(Dtype::float64, Operation::add, square);
}

}  // namespace
}  // namespace broadloom::test::fold_tree_test
