#include "core/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/status.h"
#include "core/strings.h"
#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test::text_test {
namespace {

template <class... Values>
std::string text(const char* pattern, const Values&... values) {
  Text result;
  result.append(pattern, values...);
  return std::string(result.view());
}

TEST(Text, ValuesTakeThePlacesOfTheBraces) {
  EXPECT_EQ(text("{} of {}: {}", "a", std::string("b"), std::string_view("c")), "a of b: c");
  EXPECT_EQ(text("plain"), "plain");
  EXPECT_EQ(text(""), "");
}

TEST(Text, IntegersArePrintedInFull) {
  EXPECT_EQ(text("{} {} {}", 0, -7, 12345), "0 -7 12345");
  EXPECT_EQ(text("{}", INT64_MAX), "9223372036854775807");
  EXPECT_EQ(text("{}", INT64_MIN), "-9223372036854775808");
}

TEST(Text, TypesHaveTheirPublicNames) { EXPECT_EQ(text("{} {}", Dtype::boolean, Dtype::int4), "bool int4"); }

TEST(Text, DimsArePrintedAsLists) {
  EXPECT_EQ(text("{}", std::span<const std::int64_t>()), "[]");
  EXPECT_EQ(text("{}", Dims{3}.values()), "[3]");
  EXPECT_EQ(text("{}", Dims{2, -1, 0}.values()), "[2, -1, 0]");
}

TEST(Text, LongListsOfDimsAreCut) {
  std::string numbers = "[1";
  for (int i = 1; i < 32; ++i) numbers += ", 1";
  EXPECT_EQ(text("{}", Dims(32, 1).values()), numbers + "]");
  EXPECT_EQ(text("{}", Dims(33, 1).values()), numbers + ", ...]");
  EXPECT_EQ(text("{}", Dims(1000, 1).values()), numbers + ", ...]");
}

TEST(Text, WholeNumbersHaveNoFraction) {
  EXPECT_EQ(text("{}", 3.0), "3");
  EXPECT_EQ(text("{}", -300.0), "-300");
  EXPECT_EQ(text("{}", 9007199254740992.0), "9007199254740992");
  EXPECT_EQ(text("{}", 0.0), "0");
}

TEST(Text, NaNAndInfinitiesHaveTheirNamesInJavaScript) {
  EXPECT_EQ(text("{}", std::nan("")), "NaN");
  EXPECT_EQ(text("{}", HUGE_VAL), "Infinity");
  EXPECT_EQ(text("{}", -HUGE_VAL), "-Infinity");
}

TEST(Text, NumbersHaveTheFewestDigitsThatIdentifyThem) {
  for (const double number : {0.5, 1.5, -2.25, 0.1, 3.14159265, 99.9999999, 1e-7, 123456.5, 1e20, 6.02e23,
                              1.7976931348623157e308, 2.2250738585072014e-308, 1.0 / 3.0, 5e-324}) {
    EXPECT_EQ(std::strtod(text("{}", number).c_str(), nullptr), number);
  }
  EXPECT_EQ(text("{}", 0.1), "0.1");
  EXPECT_EQ(text("{}", -2.25), "-2.25");
  EXPECT_EQ(text("{}", 1234567.875), "1234567.875");
  EXPECT_EQ(text("{}", 1e21), "1e+21");
  EXPECT_EQ(text("{}", 0.9F), "0.9");
  EXPECT_EQ(text("{}", 1e-5F), "1e-05");
}

TEST(Text, NounsBehindOneAreSingular) {
  EXPECT_EQ(text("{} size{s}, {} entr{y}, {} ax{i}s", 1, 1, 1), "1 size, 1 entry, 1 axis");
  EXPECT_EQ(text("{} size{s}, {} entr{y}, {} ax{i}s", 0, 2, 11), "0 sizes, 2 entries, 11 axes");
}

TEST(Text, NamesAreQuoted) {
  EXPECT_EQ(text("input {}", quoted("x")), "input 'x'");
  EXPECT_EQ(text("{}", quoted("")), "''");
}

TEST(Text, NamesOf120BytesStayAndLongerOnesAreCut) {
  const std::string longest(120, 'n');
  const std::string longer = longest + "x";
  EXPECT_EQ(text("{}", Quoted{longest}), "'" + longest + "'");
  EXPECT_EQ(text("{}", Quoted{longer}), "'" + longest + "...'");
}

TEST(Clipped, LongNamesAreCutBetweenTwoUtf8Characters) {
  for (const std::string character : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
      std::string name(offset, 'n');
      while (name.size() < 200) name += character;
      const std::string_view cut = clipped(name);
      EXPECT_TRUE(is_utf8(cut)) << character.size() << " bytes from " << offset;
      EXPECT_LE(cut.size(), 120U);
      EXPECT_GT(cut.size(), 116U);
      EXPECT_TRUE(std::string_view(name).starts_with(cut));
    }
  }
}

TEST(Text, ATextThatDoesNotFitIsCut) {
  Text full;
  full.append("{}", std::string(Text::capacity - 1, 'a'));
  full.append("bc");
  EXPECT_EQ(full.view(), std::string(Text::capacity - 1, 'a') + "b");
  full.append("{}", 12);
  EXPECT_EQ(full.view().size(), Text::capacity);
}

TEST(Text, PrependInsertsBeforeTheText) {
  Text value;
  value.append("end");
  value.prepend("{}: ", 7);
  EXPECT_EQ(value.view(), "7: end");
  value.clear();
  EXPECT_TRUE(value.empty());
  value.prepend("alone");
  EXPECT_EQ(value.view(), "alone");
}

TEST(Text, PrependingToAFullTextCutsItsEnd) {
  Text value;
  value.append("{}", std::string(Text::capacity, 'a'));
  value.prepend("start ");
  EXPECT_EQ(value.view(), "start " + std::string(Text::capacity - 6, 'a'));
}

TEST(MakeError, StartsAfreshEachTime) {
  {
    const Error first = make_error(Code::InvalidModel, "one {}", 1);
    first->op.append("Expand");
    first->node.append("n");
    first->opset = 13;
  }
  const Error second = make_error(Code::OutOfMemory, "two");
  EXPECT_EQ(second->code, Code::OutOfMemory);
  EXPECT_EQ(second->message.view(), "two");
  EXPECT_TRUE(second->op.empty());
  EXPECT_TRUE(second->node.empty());
  EXPECT_EQ(second->opset, 0);
}

#ifndef NDEBUG
Status first_failure() { return fail(Code::InvalidModel, "one"); }

// Makes an error while an earlier one is alive in an Error, a Status or a Result.
void make_two(int kind) {
  switch (kind) {
    case 0: {
      const Error error = make_error(Code::InvalidModel, "one");
      make_error(Code::InvalidModel, "two");
      break;
    }
    case 1: {
      const Status status = first_failure();
      make_error(Code::InvalidModel, "two");
      break;
    }
    case 2: {
      Status status;
      status = first_failure();
      const Status copy = std::exchange(status, {});
      make_error(Code::InvalidModel, "two");
      break;
    }
    case 3: {
      Result<int> result = Failure(first_failure().error());
      const Result<int> moved = std::move(result);
      make_error(Code::InvalidModel, "two");
      break;
    }
    default: break;
  }
}

TEST(MakeErrorDeathTest, WhileAnotherIsAliveEndsDebugBuilds) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (int kind = 0; kind < 4; ++kind)
    EXPECT_DEATH(make_two(kind), R"(an error is made \(two\) while another is on its way: one)") << kind;
}

TEST(MakeError, MayFollowOneThatWasDestroyedOrForgotten) {
  Status status = first_failure();
  status = {};
  EXPECT_FALSE(first_failure());
  Result<int> result = Failure(first_failure().error());
  result = 1;
  const Status seen = first_failure();
  Error::forget();
  EXPECT_FALSE(seen);
  const Error error = make_error(Code::InvalidModel, "two");
  EXPECT_EQ(error->message.view(), "two");
}
#endif

Result<int> doubled(Result<int> number) {
  BROADLOOM_TRY(value, number);
  BROADLOOM_CHECK(Status{});
  return 2 * value;
}

TEST(BroadloomTry, GivesTheValueOrReturnsTheError) {
  EXPECT_EQ(*doubled(21), 42);
  EXPECT_TRUE(fails(doubled(fail(Code::UnknownOperator, "no {}", quoted("x"))), Code::UnknownOperator, "no 'x'"));
}

}  // namespace
}  // namespace broadloom::test::text_test
