// The index of names: correct and fast for any names in a file.
#include "graph/structure/name_index.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace broadloom::name_index_test {
namespace {

using Texts = std::vector<std::string>;

void expect_index(const Texts& names) {
  Arena arena;
  NameIndex index;
  std::unordered_map<std::string, const Name*> added;
  for (const std::string& name : names) {
    const auto known = added.find(name);
    EXPECT_EQ(index.find(name), known == added.end() ? nullptr : known->second);
    const Name& value = index.find_or_add(name, arena);
    EXPECT_EQ(value.text, name);
    if (known == added.end()) EXPECT_EQ(value.number, added.size());
    EXPECT_EQ(added.try_emplace(name, &value).first->second, &value);
  }
  EXPECT_EQ(index.size(), added.size());
  std::size_t left = index.size();
  for (const Name* value = index.last(); value != nullptr; value = value->next) EXPECT_EQ(value->number, --left);
  EXPECT_EQ(left, 0U);
  for (const auto& [name, value] : added) EXPECT_EQ(index.find(name), value);
}

TEST(NameIndex, AnEmptyIndexFindsNothing) {
  NameIndex index;
  EXPECT_EQ(index.find(""), nullptr);
  EXPECT_EQ(index.find("a"), nullptr);
  EXPECT_EQ(index.last(), nullptr);
}

TEST(NameIndex, DistinguishesNamesThatDifferOnlyInOneBitOrInLength) {
  Texts names{"", "a"};
  for (const std::size_t size : {1U, 2U, 255U, 256U, 257U}) {
    names.emplace_back(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        names.emplace_back(size, '\0');
        names.back()[i] = static_cast<char>(1 << bit);
      }
    }
  }
  expect_index(names);
}

TEST(NameIndex, HoldsRandomNamesAddedAgainAndAgain) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Texts names(3000);
    for (std::string& name : names) {
      name.resize(random() % 6);
      for (char& character : name) character = "ab\0\xFF"[random() % 4];
    }
    expect_index(names);
  }
}

// CPU seconds of 200 searches for each of 100 names in an index of `names`. They do not depend on other load.
double seconds_of(const Texts& names, const Texts& sought, bool found) {
  Arena arena;
  NameIndex index;
  for (const std::string& name : names) index.find_or_add(name, arena);
  const std::clock_t start = std::clock();
  for (int i = 0; i < 200; ++i) {
    for (const std::string& name : sought) EXPECT_EQ(index.find(name) != nullptr, found);
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Texts last_names(const Texts& names) { return {names.end() - 100, names.end()}; }

TEST(NameIndex, FindsShortNamesSoonAfterLongOnesThatWereChosenToCollide) {
  // FNV-1a, a common hash of names, is 0 for all chosen names.
  constexpr std::size_t count = 5000;
  Texts chosen(count, "!0IC=VloaY");
  Texts others(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen[i].append(count - i, '\0');
    others[i] = std::to_string(i) + std::string(count - i, 'x');
  }
  EXPECT_LT(seconds_of(chosen, last_names(chosen), true), 20 * seconds_of(others, last_names(others), true) + 0.01);
}

TEST(NameIndex, MissesShortNamesSoonAmongLongOnesThatBranchOneAfterTheOther) {
  constexpr std::size_t count = 5000;
  Texts chosen(count);
  Texts others(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen[i] = std::string(i, 'x') + 'y';
    others[i] = std::to_string(i) + std::string(i, 'x');
  }
  const Texts sought(100, "");
  EXPECT_LT(seconds_of(chosen, sought, false), 20 * seconds_of(others, sought, false) + 0.01);
}

}  // namespace
}  // namespace broadloom::name_index_test
