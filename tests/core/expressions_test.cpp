// Symbolic sizes, compared with their values for random values of the names.
#include "core/expressions.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/random.h"

namespace broadloom::test::expressions_test {
namespace {

constexpr std::uint32_t names = 3;
const std::string_view texts[] = {"a", "b", "c"};

std::string text_of(const Expressions& expressions, Size size) {
  if (size.is_number()) return std::to_string(size.number());
  Text text;
  return expressions.append(text, size, texts) ? std::string(text.view()) : "?";
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// Some values of the names.
using Values = std::vector<std::int64_t>;

// The expected result of an operation for each list of values; nullopt if it divides by 0.
using Wanted = std::vector<std::optional<std::int64_t>>;

struct Known {
  Size size;
  Wanted wanted;
};

TEST(Expressions, HaveTheValueOfTheirOperandsForAllValuesOfTheNames) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    Expressions expressions;
    std::vector<Values> lists;
    for (int i = 0; i < 12; ++i) {
      lists.push_back({});
      for (std::uint32_t name = 0; name < names; ++name) lists.back().push_back(random.between(0, random.one_in(2) ? 2 : 9));
    }
    std::vector<Known> known;
    for (std::uint32_t name = 0; name < names; ++name) {
      known.push_back({expressions.name(name), {}});
      for (const Values& values : lists) known.back().wanted.emplace_back(values[name]);
    }
    for (const std::int64_t number : {-3, -1, 0, 1, 2, 5}) known.push_back({number, Wanted(lists.size(), number)});
    for (int step = 0; step < 40; ++step) {
      const Known a = known[random.below(known.size())];
      const Known b = known[random.below(known.size())];
      const std::int64_t kind = random.between(0, 6);
      const Size size = kind == 0   ? expressions.add(a.size, b.size)
                        : kind == 1 ? expressions.subtract(a.size, b.size)
                        : kind == 2 ? expressions.multiply(a.size, b.size)
                        : kind == 3 ? expressions.floor_divide(a.size, b.size)
                        : kind == 4 ? expressions.ceil_divide(a.size, b.size)
                        : kind == 5 ? expressions.minimum(a.size, b.size)
                                    : expressions.maximum(a.size, b.size);
      if (size == unknown_size) continue;
      Known made{size, {}};
      bool is_small = true;
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (!a.wanted[i] || !b.wanted[i] || ((kind == 3 || kind == 4) && *b.wanted[i] == 0)) {
          made.wanted.emplace_back();
          continue;
        }
        const std::int64_t left = *a.wanted[i];
        const std::int64_t right = *b.wanted[i];
        made.wanted.emplace_back(kind == 0   ? left + right
                                 : kind == 1 ? left - right
                                 : kind == 2 ? left * right
                                 : kind == 3 ? floor_of(left, right)
                                 : kind == 4 ? -floor_of(-left, right)
                                 : kind == 5 ? std::min(left, right)
                                             : std::max(left, right));
        is_small = is_small && std::abs(*made.wanted[i]) < 1000000;
      }
      if (!is_small) continue;
      const std::string text = text_of(expressions, size);
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (!made.wanted[i]) continue;
        if (size.is_number())
          ASSERT_EQ(size, *made.wanted[i]) << text_of(expressions, a.size) << " " << kind << " "
                                           << text_of(expressions, b.size);
        if (expressions.is_natural(size)) ASSERT_GE(*made.wanted[i], 0) << text;
        // Equal handles have equal values.
        for (const Known& other : known) {
          if (other.size == size && other.wanted[i]) ASSERT_EQ(*other.wanted[i], *made.wanted[i]) << text;
        }
      }
      known.push_back(made);
    }
  }
}

TEST(Expressions, EqualPolynomialsAreOneSize) {
  Expressions e;
  const Size a = e.name(0);
  const Size b = e.name(1);
  EXPECT_EQ(e.name(0), a);
  EXPECT_EQ(e.add(a, b), e.add(b, a));
  EXPECT_EQ(e.multiply(e.add(a, b), e.add(a, b)),
            e.add(e.add(e.multiply(a, a), e.multiply(b, b)), e.multiply(2, e.multiply(b, a))));
  EXPECT_EQ(e.subtract(e.add(a, 5), a), 5);
  EXPECT_EQ(e.subtract(a, a), 0);
  EXPECT_EQ(e.multiply(a, 0), 0);
  EXPECT_EQ(e.floor_divide(e.multiply(6, e.multiply(a, b)), e.multiply(2, b)), e.multiply(3, a));
  EXPECT_EQ(e.add(e.minimum(a, b), e.maximum(b, a)), e.add(a, b));
  EXPECT_EQ(e.minimum(a, e.add(a, b)), a);
  EXPECT_EQ(e.maximum(a, e.add(a, b)), e.add(a, b));
}

TEST(Expressions, FreshSizesAreEqualToNoOthers) {
  Expressions e;
  const Size one = e.fresh();
  const Size other = e.fresh();
  EXPECT_NE(one, other);
  EXPECT_EQ(e.subtract(one, one), 0);
  EXPECT_FALSE(e.subtract(one, other).is_number());
  EXPECT_TRUE(e.is_natural(one));
  EXPECT_EQ(text_of(e, e.add(one, e.name(0))), "?");
}

TEST(Expressions, OverflowIsUnknown) {
  Expressions e;
  const Size a = e.name(0);
  const Size most = INT64_MAX;
  EXPECT_EQ(e.add(most, 1), unknown_size);
  EXPECT_EQ(e.multiply(most, 2), unknown_size);
  EXPECT_EQ(e.add(e.multiply(a, most), a), unknown_size);
  EXPECT_EQ(e.multiply(e.multiply(a, most), 2), unknown_size);
  EXPECT_EQ(e.multiply(INT64_MIN, a), unknown_size);
  EXPECT_EQ(e.floor_divide(INT64_MIN, -1), unknown_size);
  EXPECT_EQ(e.subtract(Size::highest_reserved + 1, 1), unknown_size);
  // Numbers in the range of handles become unknown.
  EXPECT_EQ(e.subtract(Size::highest_reserved + 1, 7), unknown_size);
}

TEST(Expressions, ThatStaySmallFitAnInt64IfFactorsMultiplyToLessThan2To39) {
  Expressions e;
  const std::int64_t most_factor = std::int64_t{1} << 20;
  const std::int64_t most_constant = std::int64_t{1} << 60;
  Size sum = most_constant;
  std::int64_t value = most_constant;
  // The most terms that an expression has.
  for (std::uint32_t name = 0; name < 11; ++name) {
    const Size term = e.multiply(name == 0 ? e.multiply(e.name(0), e.name(1)) : e.name(name), most_factor);
    sum = e.add(sum, term);
    ASSERT_FALSE(sum.is_unknown());
    ASSERT_FALSE(__builtin_add_overflow(value, most_factor * ((std::int64_t{1} << 39) - 1), &value));
    EXPECT_TRUE(e.stays_small(sum, Dtype::int64));
    EXPECT_TRUE(e.stays_small(e.multiply(sum, -1), Dtype::int64));
  }
  EXPECT_FALSE(e.stays_small(e.add(sum, e.name(5)), Dtype::int64));
  EXPECT_FALSE(e.stays_small(e.add(sum, 1), Dtype::int64));
  EXPECT_FALSE(e.stays_small(e.multiply(e.name(0), most_factor + 1), Dtype::int64));
  EXPECT_FALSE(e.stays_small(unknown_size, Dtype::int64));
}

TEST(Expressions, ThatStaySmallFitAnInt32IfFactorsMultiplyToLessThan2To16) {
  Expressions e;
  const std::int64_t most_factor = 1 << 11;
  Size sum = 1 << 28;
  std::int64_t value = 1 << 28;
  for (std::uint32_t name = 0; name < 11; ++name) {
    sum = e.add(sum, e.multiply(e.name(name), most_factor));
    value += most_factor * ((1 << 16) - 1);
    ASSERT_LE(value, INT32_MAX);
    EXPECT_TRUE(e.stays_small(sum, Dtype::int32));
    EXPECT_TRUE(e.stays_small(e.multiply(sum, -1), Dtype::int32));
  }
  EXPECT_FALSE(e.stays_small(e.add(sum, e.name(5)), Dtype::int32));
  EXPECT_FALSE(e.stays_small(e.add(sum, 1), Dtype::int32));
  Expressions proof(true);
  EXPECT_FALSE(proof.stays_small(proof.name(0), Dtype::int32));
  EXPECT_TRUE(proof.stays_small(proof.name(0), Dtype::int64));
}

TEST(Expressions, UnknownAndADivisorOf0AreUnknown) {
  Expressions e;
  const Size a = e.name(0);
  for (const Size other : {a, Size{0}, Size{3}, unknown_size}) {
    EXPECT_EQ(e.add(unknown_size, other), unknown_size);
    EXPECT_EQ(e.multiply(other, unknown_size), unknown_size);
    EXPECT_EQ(e.floor_divide(unknown_size, other), unknown_size);
    EXPECT_EQ(e.floor_divide(other, 0), unknown_size);
  }
  EXPECT_EQ(e.minimum(unknown_size, a), unknown_size);
  EXPECT_FALSE(e.is_natural(unknown_size));
  EXPECT_FALSE(e.name_of(unknown_size));
  EXPECT_FALSE(e.name_of(e.add(a, 1)));
  EXPECT_EQ(e.name_of(a), 0U);
}

TEST(Expressions, ArePrintedInReadableForm) {
  Expressions e;
  const Size a = e.name(0);
  const Size b = e.name(1);
  EXPECT_EQ(text_of(e, e.add(e.multiply(2, a), 1)), "2*a + 1");
  EXPECT_EQ(text_of(e, e.subtract(1, e.multiply(a, b))), "-a*b + 1");
  EXPECT_EQ(text_of(e, e.floor_divide(e.add(a, 1), 2)), "floor((a + 1)/(2))");
  EXPECT_EQ(text_of(e, e.floor_divide(e.add(e.multiply(2, a), b), 2)), "a + floor((b)/(2))");
  EXPECT_EQ(text_of(e, e.minimum(b, a)), text_of(e, e.minimum(a, b)));
}

TEST(Expressions, ThatGrowWithoutEndBecomeUnknown) {
  Random random;
  for (int round = 0; round < 20; ++round) {
    Expressions e;
    std::vector<Size> sizes;
    for (std::uint32_t name = 0; name < 20; ++name) sizes.push_back(e.name(name));
    Size product = sizes[0];
    Size sum = sizes[0];
    Size nested = sizes[0];
    for (int i = 0; i < 40; ++i) {
      const Size other = sizes[random.below(sizes.size())];
      product = e.multiply(product, e.add(other, 1));
      sum = e.add(sum, e.multiply(other, other));
      nested = e.floor_divide(e.add(nested, 1), e.add(other, 2));
      std::vector<std::string_view> all(20, "name");
      Text text;
      e.append(text, nested, all);
    }
    EXPECT_EQ(product, unknown_size);
    EXPECT_EQ(nested, unknown_size);
  }
}

// Each level has quotients and minima of the level below. In full, each level is 2 * width times as long.
std::vector<Size> tower(Expressions& e, std::size_t width, std::size_t levels) {
  std::vector<Size> level;
  for (std::uint32_t name = 0; name < width; ++name) level.push_back(e.name(name));
  for (std::size_t i = 0; i < levels; ++i) {
    Size sum = static_cast<std::int64_t>(i);
    for (const Size size : level) sum = e.add(sum, e.multiply(size, size));
    std::vector<Size> next;
    for (std::size_t j = 0; j < width; ++j) {
      const Size bound = static_cast<std::int64_t>(j) + 1009;
      next.push_back(j % 2 == 0 ? e.floor_divide(sum, bound) : e.minimum(sum, bound));
    }
    level = next;
  }
  return level;
}

TEST(Expressions, ThatShareTheirPartsAreWalkedOnce) {
  // The number of terms that are read by all functions that walk the highest level of some towers.
  const auto cost = [](std::size_t width, std::size_t levels, std::size_t towers) {
    Expressions e;
    const std::vector<std::string_view> all(width, "n");
    for (std::size_t i = 0; i < towers; ++i) {
      for (const Size size : tower(e, width, levels)) {
        EXPECT_NE(size, unknown_size);
        EXPECT_EQ(e.parts_of(size).values().size(), width);
        EXPECT_TRUE(e.is_named(size));
        EXPECT_FALSE(e.name_of(size));
        EXPECT_TRUE(e.is_natural(size));
        EXPECT_EQ(e.subtract(e.add(size, 1), size), 1);
        Text text;
        e.append(text, size, all);
      }
    }
    return e.terms_read();
  };
  // 20 to the 7th power is a billion.
  EXPECT_LT(cost(10, 7, 1), 40000U);
  EXPECT_LT(cost(10, 6, 1), 3 * cost(10, 3, 1));
  EXPECT_LT(cost(10, 7, 8), 9 * cost(10, 7, 1));
  EXPECT_LT(cost(4, 7, 64), 3 * cost(4, 7, 32));
}

TEST(Expressions, NameTheFirstOfVeryManyParts) {
  Expressions e;
  Size nested = 0;
  for (std::uint32_t name = 0; name < 100; name += 10) {
    Size sum = nested;
    for (std::uint32_t i = 0; i < 10; ++i) sum = e.add(sum, e.name(name + i));
    const Size quotient = e.floor_divide(sum, 7);
    if (quotient != unknown_size) nested = quotient;
  }
  const Expressions::PartNumbers parts = e.parts_of(nested);
  ASSERT_EQ(parts.values().size(), Expressions::PartNumbers::most);
  for (std::uint32_t i = 0; i < Expressions::PartNumbers::most; ++i) EXPECT_EQ(e.part(parts.values()[i]).name, i);
}

}  // namespace
}  // namespace broadloom::test::expressions_test
