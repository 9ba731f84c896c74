#include "core/strings.h"

#include <string>
#include <vector>

#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test::strings_test {
namespace {

std::string utf8(std::uint32_t code) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 63))};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
}

// Whether the bytes are one character: encoding the decoded character in the shortest form must give the same bytes.
bool is_one_character(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::uint32_t code = 0;
  if (bytes.size() == 1) code = at(0);
  if (bytes.size() == 2) code = (at(0) & 31) << 6 | (at(1) & 63);
  if (bytes.size() == 3) code = (at(0) & 15) << 12 | (at(1) & 63) << 6 | (at(2) & 63);
  if (bytes.size() == 4) code = (at(0) & 7) << 18 | (at(1) & 63) << 12 | (at(2) & 63) << 6 | (at(3) & 63);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return !is_surrogate && code <= 0x10FFFF && utf8(code) == bytes;
}

TEST(IsUtf8, EveryCharacterOfUnicodeIs) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(is_utf8(utf8(code)), !is_surrogate) << code;
  }
}

TEST(IsUtf8, SingleBytesFromEightyOnAreNot) {
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(is_utf8(std::string(1, static_cast<char>(byte))), byte < 0x80) << byte;
}

TEST(IsUtf8, EverySequenceOfTwoBytesIsJudgedByItsCharacters) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const std::string bytes{static_cast<char>(bits >> 8), static_cast<char>(bits)};
    const bool two_ascii = bits < 0x8000 && (bits & 0x80) == 0;
    ASSERT_EQ(is_utf8(bytes), two_ascii || is_one_character(bytes)) << bits;
  }
}

TEST(IsUtf8, EverySequenceOfThreeBytesWithAThreeByteLeadIsJudgedByItsCharacter) {
  for (int bits = 0xE00000; bits < 0xF00000; ++bits) {
    const std::string bytes{static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
    ASSERT_EQ(is_utf8(bytes), is_one_character(bytes)) << bits;
  }
}

TEST(IsUtf8, SequencesOfFourBytesAreJudgedByTheirCharacter) {
  for (int lead = 0xF0; lead < 0x100; ++lead) {
    for (int second = 0; second < 256; ++second) {
      for (const int third : {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF}) {
        for (const int fourth : {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF}) {
          const std::string bytes{static_cast<char>(lead), static_cast<char>(second), static_cast<char>(third),
                                  static_cast<char>(fourth)};
          ASSERT_EQ(is_utf8(bytes), is_one_character(bytes)) << lead << " " << second << " " << third << " " << fourth;
        }
      }
    }
  }
}

TEST(IsUtf8, ACharacterThatIsCutOffIsNot) {
  for (const std::uint32_t code : {0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const std::string whole = utf8(code);
    for (std::size_t length = 1; length < whole.size(); ++length) {
      EXPECT_FALSE(is_utf8(whole.substr(0, length))) << code << " cut to " << length;
      EXPECT_FALSE(is_utf8("ok" + whole.substr(0, length))) << code << " cut to " << length;
    }
  }
}

TEST(IsUtf8, OverlongFormsSurrogatesAndHighValuesAreNot) {
  for (const std::string bytes : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
                                  "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF"}) {
    EXPECT_FALSE(is_utf8(bytes)) << testing::PrintToString(bytes);
  }
}

TEST(IsUtf8, TheEmptyStringAndNulBytesAre) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8(std::string("a\0b", 3)));
}

std::vector<std::string> elements(const Tensor& tensor) {
  std::vector<std::string> strings;
  const auto* refs = reinterpret_cast<const StringRef*>(tensor.data());
  for (std::int64_t i = 0; i < tensor.count(); ++i) strings.emplace_back(string_at(tensor, refs[i]));
  return strings;
}

TEST(StringWriter, GivesItsStringsBackInOrder) {
  const std::vector<std::string> strings{"one", "", "\xE2\x82\xAC", std::string("a\0b", 3)};
  StringWriter writer = must(StringWriter::make({2, 2}, 9));
  for (const std::string& string : strings) EXPECT_TRUE(succeeds(writer.add(string)));
  const Tensor tensor = writer.finish();
  EXPECT_EQ(tensor.dtype, Dtype::string);
  EXPECT_EQ(list(tensor.dims()), (List{2, 2}));
  EXPECT_EQ(elements(tensor), strings);
}

TEST(StringWriter, WritesNoStringsAndEmptyStrings) {
  EXPECT_EQ(elements(must(StringWriter::make({0}, 0)).finish()), std::vector<std::string>{});
  StringWriter writer = must(StringWriter::make({2}, 0));
  EXPECT_TRUE(succeeds(writer.add("")));
  EXPECT_TRUE(succeeds(writer.add("")));
  EXPECT_EQ(elements(writer.finish()), (std::vector<std::string>{"", ""}));
}

TEST(StringWriter, RefusesInvalidUtf8WithTheIndexOfTheString) {
  StringWriter writer = must(StringWriter::make({2}, 3));
  EXPECT_TRUE(succeeds(writer.add("ok")));
  EXPECT_TRUE(fails(writer.add("\xFF"), Code::InvalidArgument, "string 1 is not UTF-8"));
}

TEST(StringWriter, MoreThanFourGibibytesOfTextAreOutOfMemory) {
  EXPECT_TRUE(fails(StringWriter::make({1}, std::int64_t{1} << 32), Code::OutOfMemory, "4294967296 bytes"));
  EXPECT_TRUE(fails(StringWriter::make({1}, INT64_MAX), Code::OutOfMemory));
}

TEST(StringWriter, TextIsFreedWithTheTensor) {
  const std::size_t before = Storage::bytes_in_use();
  {
    const Tensor tensor = must(StringWriter::make({3}, 100)).finish();
    EXPECT_EQ(Storage::bytes_in_use(), before + 124);
  }
  EXPECT_EQ(Storage::bytes_in_use(), before);
}

TEST(StringAt, AnElementOfZeroBitsIsTheEmptyStringWithoutAText) {
  const Tensor tensor = must(make_tensor(Dtype::string, {1}));
  EXPECT_EQ(string_at(tensor, StringRef{0, 0}), "");
}

}  // namespace
}  // namespace broadloom::test::strings_test
