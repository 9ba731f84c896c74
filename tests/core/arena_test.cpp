// Memory for records that are freed together.
#include "core/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace broadloom::arena_test {
namespace {

struct Record {
  Record* next = nullptr;
  std::string text;  // has a destructor, which the sanitizers check
};

TEST(Arena, GivesSeparateAlignedBlocks) {
  Arena arena;
  std::vector<std::byte*> places;
  for (std::size_t bytes = 0; bytes < 300; ++bytes) {
    auto* place = static_cast<std::byte*>(arena.allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 8, 0U);
    for (std::size_t i = 0; i < bytes; ++i) place[i] = static_cast<std::byte>(bytes);
    places.push_back(place);
  }
  for (std::size_t bytes = 0; bytes < 300; ++bytes) {
    for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(places[bytes][i], static_cast<std::byte>(bytes));
  }
}

TEST(Arena, AcceptsSizesLargerThanABlock) {
  Arena arena;
  const std::string text(100000, 'x');
  const std::string_view small = arena.copy("a");
  const std::string_view large = arena.copy(text);
  EXPECT_EQ(large, text);
  EXPECT_NE(large.data(), text.data());
  EXPECT_EQ(small, "a");
  EXPECT_EQ(arena.copy(""), "");
}

TEST(Arena, MakesListsOfValuesThatAreZero) {
  Arena arena;
  for (const std::size_t count : {0U, 1U, 7U, 2000U}) {
    const std::span<std::int64_t> list = arena.make_list<std::int64_t>(count);
    ASSERT_EQ(list.size(), count);
    for (const std::int64_t value : list) EXPECT_EQ(value, 0);
  }
}

TEST(Chain, KeepsTheOrderOfItsRecordsAndDestroysThem) {
  Arena arena;
  Chain<Record> chain;
  EXPECT_TRUE(chain.begin() == chain.end());
  for (int i = 0; i < 500; ++i) chain.add(arena).text = std::string(40, 'a') + std::to_string(i);
  EXPECT_EQ(chain.size(), 500U);
  int i = 0;
  for (const Record& record : chain) EXPECT_EQ(record.text, std::string(40, 'a') + std::to_string(i++));
  chain.destroy();
}

}  // namespace
}  // namespace broadloom::arena_test
