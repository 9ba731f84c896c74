#include "kernels/elementwise/select.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/canaries.h"

namespace broadloom::test::select_test {
namespace {

std::byte byte_of(std::size_t i, unsigned salt) { return static_cast<std::byte>(i * 7 + salt); }

// With dense operands, every third item is taken from y.
void expect_selected(std::size_t item_size, std::size_t count) {
  std::vector<std::byte> conditions(count);
  std::vector<std::byte> x(count * item_size);
  std::vector<std::byte> y(count * item_size);
  for (std::size_t i = 0; i < count; ++i) conditions[i] = std::byte{i % 3 != 2};
  for (std::size_t i = 0; i < count * item_size; ++i) {
    x[i] = byte_of(i, 1);
    y[i] = byte_of(i, 128);
  }
  const LayoutRef dense = dense_layout({static_cast<std::int64_t>(count)});
  Guarded to(count * item_size, 5);
  select_items(to.data(), {conditions.data(), x.data(), y.data()}, {*dense, *dense, *dense}, item_size, count);
  ASSERT_TRUE(to.intact());
  for (std::size_t i = 0; i < count * item_size; ++i) {
    ASSERT_EQ(to.written()[i], byte_of(i, i / item_size % 3 != 2 ? 1 : 128)) << item_size << " " << count << " " << i;
  }
}

TEST(SelectItems, TakesItemsFromXOrYForEveryItemSizeAndCount) {
  for (const std::size_t item_size : {1U, 2U, 4U, 8U, 16U}) {
    for (std::size_t count = 0; count <= 70; ++count) {
      expect_selected(item_size, count);
      if (HasFatalFailure()) return;
    }
    expect_selected(item_size, 1000);
  }
}

TEST(SelectItems, AnOperandThatIsRepeatedIsReadOnce) {
  const std::byte conditions[] = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{1}};
  const std::byte x = std::byte{7};
  const std::byte y[] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const LayoutRef dense = dense_layout({4});
  const LayoutRef repeated = uniform_layout({4});
  std::byte to[4];
  select_items(to, {conditions, &x, y}, {*dense, *repeated, *dense}, 1, 4);
  const std::byte wanted[] = {std::byte{7}, std::byte{2}, std::byte{3}, std::byte{7}};
  EXPECT_TRUE(std::equal(std::begin(to), std::end(to), std::begin(wanted)));
}

TEST(SelectItems, AColumnIsRepeatedAlongItsRows) {
  constexpr std::size_t rows = 30;
  constexpr std::size_t columns = 20;
  std::vector<std::byte> conditions(rows * columns, std::byte{1});
  std::vector<std::byte> column(rows);
  for (std::size_t i = 0; i < rows; ++i) column[i] = byte_of(i, 3);
  const LayoutRef dense = dense_layout({rows, columns});
  const LayoutRef repeated = broadcast_to(*dense_layout({rows, 1}), {rows, columns});
  Guarded to(rows * columns, 1);
  select_items(to.data(), {conditions.data(), column.data(), conditions.data()}, {*dense, *repeated, *dense}, 1,
               rows * columns);
  ASSERT_TRUE(to.intact());
  for (std::size_t i = 0; i < rows * columns; ++i) ASSERT_EQ(to.written()[i], column[i / columns]) << i;
}

}  // namespace
}  // namespace broadloom::test::select_test
