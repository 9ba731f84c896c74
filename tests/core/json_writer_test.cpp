#include "core/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace broadloom::json_writer_test {
namespace {

// Returns the bytes that `write` writes, after a pass that counts them.
template <class Write>
std::string json(const Write& write) {
  JsonWriter counter(nullptr);
  write(counter);
  std::string text(counter.size() + 1, '\xFF');
  JsonWriter writer(text.data());
  write(writer);
  EXPECT_EQ(writer.size(), counter.size());
  EXPECT_EQ(text.back(), '\xFF') << "more bytes than were counted";
  text.pop_back();
  return text;
}

std::string value(const auto& of) {
  return json([&](JsonWriter& to) { to.value(of); });
}

TEST(JsonWriter, CommasStandBetweenValues) {
  const std::string text = json([](JsonWriter& to) {
    to.begin_object();
    to.field("a", 1);
    to.key("b");
    to.begin_list();
    to.end_list();
    to.key("c");
    to.begin_object();
    to.end_object();
    to.list("d", std::vector{1, 2, 3}, [&](int item) { to.value(item); });
    to.list("e", std::vector{1, 2}, [&](int item) {
      to.begin_object();
      to.field("x", item);
      to.field("y", nullptr);
      to.end_object();
    });
    to.field("f", true);
    to.field("g", false);
    to.end_object();
  });
  EXPECT_EQ(text, R"({"a":1,"b":[],"c":{},"d":[1,2,3],"e":[{"x":1,"y":null},{"x":2,"y":null}],"f":true,"g":false})");
}

TEST(JsonWriter, QuotesBackslashesAndControlCharactersAreEscaped) {
  EXPECT_EQ(value("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(value("\b\f\n\r\t\x1F\x7F"), "\"\\u0008\\u000c\\u000a\\u000d\\u0009\\u001f\x7F\"");
  EXPECT_EQ(value(std::string_view("a\0b", 3)), "\"a\\u0000b\"");
  EXPECT_EQ(value(""), "\"\"");
  EXPECT_EQ(json([](JsonWriter& to) {
              to.begin_object();
              to.field("\n\"", 1);
              to.end_object();
            }),
            "{\"\\u000a\\\"\":1}");
}

TEST(JsonWriter, EmptyTextMayHaveNoAddress) { EXPECT_EQ(value(std::string_view()), "\"\""); }

TEST(JsonWriter, TextStaysUtf8) { EXPECT_EQ(value("größe 形状 😀 \u2028"), "\"größe 形状 😀 \u2028\""); }

TEST(JsonWriter, InvalidUtf8IsReplaced) {
  const std::string replaced = "\uFFFD";
  EXPECT_EQ(value("a\xFFz"), "\"a" + replaced + "z\"");
  EXPECT_EQ(value("\xE5\xBD"), "\"" + replaced + replaced + "\"") << "cut in the middle of a character";
  EXPECT_EQ(value("\xE5\xBD\""), "\"" + replaced + replaced + "\\\"\"") << "the quote is escaped";
  EXPECT_EQ(value("\xED\xA0\x80"), "\"" + replaced + replaced + replaced + "\"") << "a surrogate";
  EXPECT_EQ(value("\xC0\x80"), "\"" + replaced + replaced + "\"") << "not the shortest form";
}

TEST(JsonWriter, IntegersKeepAllDigits) {
  EXPECT_EQ(value(0), "0");
  EXPECT_EQ(value(-7), "-7");
  EXPECT_EQ(value(std::size_t{1000}), "1000");
  EXPECT_EQ(value((std::int64_t{1} << 53) - 1), "9007199254740991");
  EXPECT_EQ(value(-(std::int64_t{1} << 53) + 1), "-9007199254740991");
  EXPECT_EQ(value(std::int64_t{1} << 53), "\"9007199254740992\"") << "JavaScript cannot tell it from the next one";
  EXPECT_EQ(value(std::numeric_limits<std::int64_t>::max()), "\"9223372036854775807\"");
  EXPECT_EQ(value(std::numeric_limits<std::int64_t>::min()), "\"-9223372036854775808\"");
}

TEST(JsonWriter, NumbersReadBackTheSame) {
  EXPECT_EQ(value(0.01), "0.01");
  EXPECT_EQ(value(-0.0), "-0");
  EXPECT_EQ(value(100.0), "100");
  EXPECT_EQ(value(1e20), "100000000000000000000");
  EXPECT_EQ(value(1e21), "1e+21");
  EXPECT_EQ(value(-2.5e-7), "-2.5e-07");
  EXPECT_EQ(value(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(value(static_cast<double>(1.67326319217681884765625F)), "1.6732631921768188");
  std::vector<double> numbers = {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
                                 std::numeric_limits<double>::denorm_min()};
  std::mt19937_64 random(27);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  for (const double number : numbers) EXPECT_EQ(std::strtod(value(number).c_str(), nullptr), number) << value(number);
}

TEST(JsonWriter, NaNAndInfinitiesAreNull) {
  EXPECT_EQ(value(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(value(-std::numeric_limits<double>::infinity()), "null");
}

}  // namespace
}  // namespace broadloom::json_writer_test
