#include "core/json_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace broadloom::json_reader_test {
namespace {

using namespace std::string_view_literals;

TEST(JsonReader, ReadsMembersListsTextsIntegersAndTruths) {
  std::string text =
      R"({"sizes":[["batch",1],["n",-20]],"empty":[],"nothing":{},"keeps":true,"drops":false,"last":9007199254740991})";
  JsonReader json(text.data());
  std::vector<std::string> read;
  for (json.begin(); json.next();) {
    const std::string name(json.key());
    read.push_back(name);
    if (name == "keeps" || name == "drops") {
      read.emplace_back(json.truth() ? "yes" : "no");
    } else if (name == "last") {
      read.push_back(std::to_string(json.integer()));
    } else {
      for (json.begin(); json.next();) {
        json.begin();
        EXPECT_TRUE(json.next());
        read.emplace_back(json.text());
        EXPECT_TRUE(json.next());
        read.push_back(std::to_string(json.integer()));
        EXPECT_FALSE(json.next());
      }
    }
  }
  EXPECT_EQ(read, (std::vector<std::string>{"sizes", "batch", "1", "n", "-20", "empty", "nothing", "keeps", "yes", "drops",
                                            "no", "last", "9007199254740991"}));
}

TEST(JsonReader, TakesBackWhatTextsHaveEscaped) {
  std::string text = R"(["a\"b\\c\/d\b\f\n\r\t\u001f\u0000","😀",""])";
  JsonReader json(text.data());
  json.begin();
  EXPECT_TRUE(json.next());
  EXPECT_EQ(json.text(), "a\"b\\c/d\b\f\n\r\t\x1f\0"sv);
  EXPECT_TRUE(json.next());
  EXPECT_EQ(json.text(), "😀");
  EXPECT_TRUE(json.next());
  EXPECT_EQ(json.text(), "");
  EXPECT_FALSE(json.next());
}

TEST(JsonReader, TellsTextsAndNulls) {
  std::string text = R"([null,"",0])";
  JsonReader json(text.data());
  json.begin();
  EXPECT_TRUE(json.next() && json.is_null() && !json.is_text());
  json.null();
  EXPECT_TRUE(json.next() && json.is_text() && !json.is_null());
  EXPECT_EQ(json.text(), "");
  EXPECT_TRUE(json.next() && !json.is_text() && !json.is_null());
  EXPECT_EQ(json.integer(), 0);
  EXPECT_FALSE(json.next());
}

TEST(JsonReader, CountsTheItemsOfAList) {
  for (const auto& [text, count] : std::vector<std::pair<std::string, std::size_t>>{
           {"[]", 0}, {"[1]", 1}, {R"(["a,]\",\\",{"b":[1,2],"c":0},[[],[3,4]]])", 3}}) {
    std::string copy = text;
    EXPECT_EQ(JsonReader(copy.data()).count(), count) << text;
  }
}

}  // namespace
}  // namespace broadloom::json_reader_test
