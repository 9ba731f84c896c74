#include <cmath>
#include <limits>

#include "core/number.h"
#include "ops/call/dense.h"
#include "support/calls.h"
#include "support/random.h"

namespace broadloom::op {
extern const Operator cast, cast_like;
}

namespace broadloom::test::cast_test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Given text_attribute(std::string_view name, const std::string& text) {
  return {name, AttributeType::STRING, strings({}, {text})};
}

Result<Tensor> cast_to(const Tensor& input, Dtype to, std::vector<Given> given = {}) {
  given.push_back(int_attribute("to", static_cast<std::int64_t>(to)));
  return call(cast, {&input}, given);
}

bool is_real(Dtype dtype) { return info(dtype).kind == DtypeKind::real_float || info(dtype).kind == DtypeKind::mini_float; }

// Elements of a type that represents them exactly.
Tensor of(Dtype dtype, const std::vector<double>& values) {
  const Dims dims{static_cast<std::int64_t>(values.size())};
  Tensor tensor = must(make_tensor(dtype, dims));
  if (dtype == Dtype::int64 || dtype == Dtype::uint64) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      reinterpret_cast<std::int64_t*>(tensor.data())[i] = static_cast<std::int64_t>(values[i]);
    }
  } else {
    must(encode(dtype, values, tensor.data()));
  }
  return tensor;
}

std::vector<Dtype> numeric_types() {
  std::vector<Dtype> types;
  for (int id = 1; id <= dtype_count; ++id) {
    const auto dtype = static_cast<Dtype>(id);
    if (info(dtype).kind != DtypeKind::string && info(dtype).kind != DtypeKind::complex) types.push_back(dtype);
  }
  return types;
}

TEST(Cast, NumbersOfBothTypesStayEqualForAllPairsAndLengths) {
  for (const Dtype from : numeric_types()) {
    for (const Dtype to : numeric_types()) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 17U, 127U, 128U, 129U, 300U}) {
        std::vector<double> values(count);
        for (std::size_t i = 0; i < count; ++i)
          values[i] = from == Dtype::float8e8m0 || to == Dtype::float8e8m0 || i % 3 == 1 ? 1 : 0;
        EXPECT_EQ(bytes_of(must(cast_to(of(from, values), to))), bytes_of(of(to, values)))
            << info(from).name << " to " << info(to).name << ", " << count;
      }
    }
  }
}

TEST(Cast, IntegersLoseTheirHighBits) {
  const Tensor wide = int64s({6}, {200, -1, 256, 0x123456789, -129, 7});
  EXPECT_EQ(elements<std::int8_t>(must(cast_to(wide, Dtype::int8))), (std::vector<std::int8_t>{-56, -1, 0, -119, 127, 7}));
  EXPECT_EQ(elements<std::uint16_t>(must(cast_to(wide, Dtype::uint16))),
            (std::vector<std::uint16_t>{200, 65535, 256, 0x6789, 65407, 7}));
  EXPECT_EQ(elements<std::int32_t>(must(cast_to(wide, Dtype::int32)))[3], 0x23456789);
  EXPECT_EQ(bytes_of(must(cast_to(wide, Dtype::int4))), (Bytes{0xF8, 0x90, 0x7F}));
  EXPECT_EQ(bytes_of(must(cast_to(wide, Dtype::uint2))), (Bytes{0x4C, 0x0F}));
  EXPECT_EQ(elements<std::int64_t>(must(cast_to(must(cast_to(wide, Dtype::int2)), Dtype::int64))),
            (std::vector<std::int64_t>{0, -1, 0, 1, -1, -1}));
  EXPECT_EQ(elements<std::uint64_t>(must(cast_to(tensor_of<std::int8_t>(Dtype::int8, {1}, {-2}), Dtype::uint64)))[0],
            UINT64_MAX - 1);
}

TEST(Cast, FractionsAreDroppedTowardsZero) {
  const std::vector<float> values{1.9F, -1.9F, 0.5F, -0.5F, 100.99F};
  for (const Dtype from : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16}) {
    const Tensor input = must(cast_to(floats({5}, values), from));
    EXPECT_EQ(elements<std::int32_t>(must(cast_to(input, Dtype::int32)))[1], -1);
    EXPECT_EQ(elements<std::int8_t>(must(cast_to(input, Dtype::int8)))[1], -1);
    EXPECT_EQ(elements<std::int64_t>(must(cast_to(input, Dtype::int64)))[0], 1);
    EXPECT_EQ(elements<std::uint8_t>(must(cast_to(input, Dtype::uint8)))[2], 0);
  }
}

TEST(Cast, ANumberThatAnIntegerTypeCannotHoldIsAsOnX86) {
  const std::vector<float> values{infinity, -infinity, nan, 3e9F, 1e19F, 3e20F, -3e9F};
  for (const Dtype from : {Dtype::float32, Dtype::float64}) {
    const Tensor input = must(cast_to(floats({7}, values), from));
    EXPECT_EQ(elements<std::int32_t>(must(cast_to(input, Dtype::int32))), std::vector<std::int32_t>(7, INT32_MIN));
    EXPECT_EQ(elements<std::uint8_t>(must(cast_to(input, Dtype::uint8))), std::vector<std::uint8_t>(7, 0));
    EXPECT_EQ(elements<std::int64_t>(must(cast_to(input, Dtype::int64))),
              (std::vector<std::int64_t>{INT64_MIN, INT64_MIN, INT64_MIN, 3000000000, INT64_MIN, INT64_MIN, -3000000000}));
    EXPECT_EQ(elements<std::uint64_t>(must(cast_to(input, Dtype::uint64)))[4], static_cast<std::uint64_t>(1e19F));
    EXPECT_EQ(elements<std::uint32_t>(must(cast_to(input, Dtype::uint32)))[3], 3000000000U);
  }
  EXPECT_EQ(elements<std::uint8_t>(must(cast_to(floats({2}, {300, -1}), Dtype::uint8))), (std::vector<std::uint8_t>{44, 255}));
}

TEST(Cast, BoolIsTrueForNonzeroElements) {
  const std::vector<double> values{0, 1, 2, 0, 4};
  for (const Dtype from : numeric_types()) {
    if (from == Dtype::boolean || from == Dtype::float8e8m0 || info(from).bits == 2) continue;
    EXPECT_EQ(bytes_of(must(cast_to(of(from, values), Dtype::boolean))), (Bytes{0, 1, 1, 0, 1})) << info(from).name;
  }
  EXPECT_EQ(bytes_of(must(cast_to(floats({4}, {nan, -0.0F, 1e-40F, -infinity}), Dtype::boolean))), (Bytes{1, 0, 1, 1}));
}

TEST(Cast, IntegersAreRoundedOnce) {
  // Slightly above the middle between two float32, and between two bfloat16. A detour through double would lose the difference.
  const std::int64_t middle = (std::int64_t{1} << 60) + (std::int64_t{1} << 36);
  const Tensor input = int64s({4}, {middle, middle + 1, -middle - 1, INT64_MAX});
  EXPECT_EQ(elements<float>(must(cast_to(input, Dtype::float32))),
            (std::vector<float>{0x1p60F, 0x1.000002p60F, -0x1.000002p60F, 0x1p63F}));
  const std::int64_t coarse = (std::int64_t{1} << 60) + (std::int64_t{1} << 52);
  EXPECT_EQ(elements<std::uint16_t>(must(cast_to(int64s({3}, {coarse, coarse + 1, coarse - 1}), Dtype::bfloat16))),
            (std::vector<std::uint16_t>{0x5D80, 0x5D81, 0x5D80}));
  const Tensor large =
      tensor_of<std::uint64_t>(Dtype::uint64, {2}, {UINT64_MAX, (std::uint64_t{1} << 63) + (std::uint64_t{1} << 39) + 1});
  EXPECT_EQ(elements<float>(must(cast_to(large, Dtype::float32))), (std::vector<float>{0x1p64F, 0x1.000002p63F}));
  EXPECT_EQ(elements<double>(must(cast_to(large, Dtype::float64)))[0], 0x1p64);
}

TEST(Cast, EveryFloat16IsReadAndWrittenAsByEncodeAndDecode) {
  std::vector<std::uint16_t> patterns(65536);
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<std::uint16_t>(i);
  const Tensor halves = tensor_of(Dtype::float16, {65536}, patterns);
  const std::vector<float> values = elements<float>(must(cast_to(halves, Dtype::float32)));
  std::vector<double> decoded(65536);
  decode(Dtype::float16, halves.data(), 65536, decoded.data());
  const auto written = elements<std::uint16_t>(must(cast_to(floats({65536}, values), Dtype::float16)));
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (std::isnan(decoded[i])) {
      EXPECT_TRUE(std::isnan(values[i]) && written[i] == i) << i;
    } else {
      EXPECT_TRUE(values[i] == decoded[i] && std::signbit(values[i]) == std::signbit(decoded[i]) && written[i] == i) << i;
    }
  }
}

TEST(Cast, TheDirectConversionToFloat16EqualsTheOneThroughDouble) {
  Random random;
  std::vector<float> values(1 << 18);
  for (float& value : values) {
    const auto exponent = static_cast<float>(random.between(-28, 18));
    value = std::ldexp(static_cast<float>(random.between(-4194304, 4194304)) * 0x1p-22F, static_cast<int>(exponent));
    // Includes middles between two of them.
    if (random.one_in(3))
      value = std::ldexp(std::round(std::ldexp(value, 11 - static_cast<int>(exponent))), static_cast<int>(exponent) - 11);
  }
  const Tensor input = floats({1 << 18}, values);
  EXPECT_EQ(bytes_of(must(cast_to(input, Dtype::float16))),
            bytes_of(must(cast_to(must(cast_to(input, Dtype::float64)), Dtype::float16))));
}

TEST(Cast, TheDirectConversionsOfBfloat16EqualTheOnesThroughDouble) {
  Random random;
  std::vector<std::uint32_t> patterns(1 << 16);
  for (std::uint32_t& pattern : patterns) {
    pattern = static_cast<std::uint32_t>(random.below(1U << 16) << 16 | (random.one_in(3) ? 0x8000U : random.below(1U << 16)));
  }
  const Tensor input = tensor_of(Dtype::float32, {1 << 16}, patterns);
  const Tensor direct = must(cast_to(input, Dtype::bfloat16));
  EXPECT_EQ(bytes_of(direct), bytes_of(must(cast_to(must(cast_to(input, Dtype::float64)), Dtype::bfloat16))));
  const auto back = elements<float>(must(cast_to(direct, Dtype::float32)));
  const auto wide = elements<double>(must(cast_to(direct, Dtype::float64)));
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_TRUE(back[i] == wide[i] || std::isnan(wide[i])) << i;
}

TEST(Cast, SmallFloatsSaturateOrNot) {
  struct Row {
    Dtype dtype;
    std::vector<std::uint8_t> saturated;
    std::vector<std::uint8_t> other;
  };
  const std::vector<float> values{0, -0.0F, nan, infinity, -infinity, 1e6F, -1e6F, 1};
  const Row rows[] = {
      {Dtype::float8e4m3fn, {0, 0x80, 0x7F, 0x7E, 0xFE, 0x7E, 0xFE, 0x38}, {0, 0x80, 0x7F, 0x7F, 0xFF, 0x7F, 0xFF, 0x38}},
      {Dtype::float8e4m3fnuz, {0, 0, 0x80, 0x7F, 0xFF, 0x7F, 0xFF, 0x40}, {0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40}},
      {Dtype::float8e5m2, {0, 0x80, 0x7E, 0x7B, 0xFB, 0x7B, 0xFB, 0x3C}, {0, 0x80, 0x7E, 0x7C, 0xFC, 0x7C, 0xFC, 0x3C}},
      {Dtype::float8e5m2fnuz, {0, 0, 0x80, 0x7F, 0xFF, 0x7F, 0xFF, 0x40}, {0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40}},
  };
  for (const auto& [dtype, saturated, other] : rows) {
    EXPECT_EQ(bytes_of(must(cast_to(floats({8}, values), dtype))), saturated) << info(dtype).name;
    EXPECT_EQ(bytes_of(must(cast_to(floats({8}, values), dtype, {int_attribute("saturate", 0)}))), other) << info(dtype).name;
    const Tensor like = zeros(dtype, {});
    const Tensor input = floats({8}, values);
    EXPECT_EQ(bytes_of(must(call(cast_like, {&input, &like}, {int_attribute("saturate", 0)}))), other) << info(dtype).name;
  }
  EXPECT_EQ(bytes_of(must(cast_to(floats({8}, values), Dtype::float4e2m1))), (Bytes{0x80, 0x78, 0x7F, 0x2F}));
  // Only types of 8 bits use the attribute.
  EXPECT_EQ(elements<std::uint16_t>(must(cast_to(floats({3}, {65519, 65520, -1e6F}), Dtype::float16))),
            (std::vector<std::uint16_t>{0x7BFF, 0x7C00, 0xFC00}));
  EXPECT_EQ(elements<std::uint16_t>(must(cast_to(floats({2}, {3.4e38F, nan}), Dtype::bfloat16))),
            (std::vector<std::uint16_t>{0x7F80, 0x7FC0}));
}

TEST(Cast, PowersOfTwoAreRoundedByTheMode) {
  const std::vector<float> values{1, 1.25F, 1.5F, 1.75F, -3, 0, nan, infinity, 3e38F, 1e-45F};
  const auto with = [&](const std::string& mode, std::int64_t saturate) {
    return bytes_of(must(cast_to(floats({10}, values), Dtype::float8e8m0,
                                 {text_attribute("round_mode", mode), int_attribute("saturate", saturate)})));
  };
  EXPECT_EQ(with("up", 1), (Bytes{127, 128, 128, 128, 129, 0, 255, 255, 254, 0}));
  EXPECT_EQ(with("up", 0), (Bytes{127, 128, 128, 128, 129, 0, 255, 255, 255, 0}));
  EXPECT_EQ(with("down", 0), (Bytes{127, 127, 127, 127, 128, 0, 255, 255, 254, 0}));
  EXPECT_EQ(with("nearest", 1), (Bytes{127, 127, 128, 128, 129, 0, 255, 255, 254, 0}));
  EXPECT_EQ(with("nearest", 0)[8], 255);
  EXPECT_TRUE(fails(cast_to(floats({}, {1}), Dtype::float8e8m0, {text_attribute("round_mode", "sideways")}),
                    Code::InvalidArgument, "attribute 'round_mode' is 'sideways', wanted one of: up down nearest"));
}

TEST(Cast, NumbersAreReadFromTexts) {
  const std::vector<std::string> texts{
      "3.14", "1e-5", "1E8", "nan", "+INF", "-Infinity", " -0 ", "16777217.0000000000000000000001", ".5", "1e400"};
  const auto read = elements<float>(must(cast_to(strings({10}, texts), Dtype::float32)));
  EXPECT_TRUE(std::isnan(read[3]) && std::signbit(read[6]));
  EXPECT_EQ(read[0], 3.14F);
  EXPECT_EQ(read[1], 1e-5F);
  EXPECT_EQ(read[2], 1e8F);
  EXPECT_EQ(read[4], infinity);
  EXPECT_EQ(read[5], -infinity);
  EXPECT_EQ(read[7], 16777218.0F);
  EXPECT_EQ(read[8], 0.5F);
  EXPECT_EQ(read[9], infinity);
  EXPECT_EQ(elements<std::int64_t>(must(cast_to(strings({4}, {"-9223372036854775808", "100.5", "-2.9", "1e3"}), Dtype::int64))),
            (std::vector<std::int64_t>{INT64_MIN, 100, -2, 1000}));
  EXPECT_EQ(elements<std::uint64_t>(must(cast_to(strings({1}, {"18446744073709551615"}), Dtype::uint64)))[0], UINT64_MAX);
  EXPECT_EQ(bytes_of(must(cast_to(strings({3}, {"0", "1", "-0.5"}), Dtype::boolean))), (Bytes{0, 1, 1}));
  EXPECT_EQ(bytes_of(must(cast_to(strings({3}, {"-8", "7", "1"}), Dtype::int4))), (Bytes{0x78, 0x01}));
  EXPECT_EQ(elements<std::uint16_t>(must(cast_to(strings({1}, {"65519.99999999999999999"}), Dtype::float16)))[0], 0x7BFF);
}

TEST(Cast, TextsOtherThanNumbersAreRefused) {
  for (const char* text : {"", "x", "1e", "1e+", "--1", "1.2.3", "0x10", "1 2", ".", "e5"}) {
    EXPECT_TRUE(fails(cast_to(strings({2}, {"1", text}), Dtype::float32), Code::InvalidArgument, "Cast-25: element 1 is '"))
        << text;
  }
  EXPECT_TRUE(
      fails(cast_to(strings({1}, {"128"}), Dtype::int8), Code::InvalidArgument, "element 0 is '128', which int8 cannot hold"));
  EXPECT_TRUE(fails(cast_to(strings({1}, {"-1"}), Dtype::uint64), Code::InvalidArgument, "which uint64 cannot hold"));
  EXPECT_TRUE(fails(cast_to(strings({1}, {"NaN"}), Dtype::int32), Code::InvalidArgument, "which int32 cannot hold"));
}

TEST(Cast, NumbersAreWrittenSoThatTheyReadBack) {
  const std::vector<float> values{0.47892547F, 1, -2.5F, nan, infinity, -infinity, 1e8F, 12345678, 1e-5F, 0.0001F, 16777216, 0};
  EXPECT_EQ(string_elements(must(cast_to(floats({12}, values), Dtype::string))),
            (std::vector<std::string>{"0.47892547", "1", "-2.5", "NaN", "INF", "-INF", "1e+08", "12345678", "1e-05", "0.0001",
                                      "16777216", "0"}));
  EXPECT_EQ(string_elements(must(cast_to(int64s({3}, {INT64_MIN, 0, INT64_MAX}), Dtype::string))),
            (std::vector<std::string>{"-9223372036854775808", "0", "9223372036854775807"}));
  EXPECT_EQ(string_elements(must(cast_to(tensor_of<std::uint64_t>(Dtype::uint64, {1}, {UINT64_MAX}), Dtype::string)))[0],
            "18446744073709551615");
  EXPECT_EQ(string_elements(must(cast_to(tensor_of<std::uint8_t>(Dtype::int4, {3}, {0xF8, 0x07}), Dtype::string))),
            (std::vector<std::string>{"-8", "-1", "7"}));
  EXPECT_EQ(string_elements(
                must(cast_to(tensor_of<double>(Dtype::float64, {3}, {0.1, 5e-324, 1.7976931348623157e308}), Dtype::string))),
            (std::vector<std::string>{"0.1", "5e-324", "1.7976931348623157e+308"}));
  EXPECT_EQ(string_elements(must(cast_to(tensor_of<std::uint16_t>(Dtype::float16, {1}, {0x2E66}), Dtype::string)))[0], "0.1");
}

TEST(Cast, RandomNumbersSurviveTextsBitForBit) {
  Random random;
  for (const Dtype dtype :
       {Dtype::float64, Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::float8e5m2, Dtype::int64, Dtype::uint32}) {
    Tensor input = zeros(dtype, {500});
    for (std::size_t i = 0; i < dense_size(input); ++i) input.data()[i] = static_cast<std::byte>(random.below(256));
    // NaNs have many patterns; Cast writes one.
    if (is_real(dtype)) {
      const Tensor wide = must(cast_to(input, Dtype::float64));
      for (std::int64_t i = 0; i < 500; ++i) {
        const auto size = static_cast<std::int64_t>(item_size(dtype));
        if (std::isnan(elements<double>(wide)[static_cast<std::size_t>(i)]))
          std::memset(input.data() + i * size, 0, item_size(dtype));
      }
    }
    const Tensor texts = must(cast_to(input, Dtype::string));
    const Tensor read_back = must(cast_to(texts, dtype, {int_attribute("saturate", 0)}));
    EXPECT_EQ(bytes_of(read_back), bytes_of(input)) << info(dtype).name;
  }
}

TEST(Cast, TheSameTypeIsAView) {
  const Tensor input = floats({2}, {1, 2});
  EXPECT_EQ(must(cast_to(input, Dtype::float32)).data(), input.data());
  EXPECT_EQ(must(call(cast_like, {&input, &input})).data(), input.data());
}

TEST(Cast, ViewsAreReadByTheirLayout) {
  Tensor input = floats({3}, {1, 2, 3});
  Layout reversed{{2, 3}, {0, -1}};
  input.layout = LayoutRef(reversed);
  input.offset = 2;
  EXPECT_EQ(elements<std::int32_t>(must(cast_to(input, Dtype::int32))), (std::vector<std::int32_t>{3, 2, 1, 3, 2, 1}));
  EXPECT_EQ(string_elements(must(cast_to(input, Dtype::string)))[2], "1");
}

TEST(Cast, VersionOneNamesTheTypeByAWord) {
  const Tensor input = floats({2}, {1.5F, 0});
  const auto cast_1 = [&](const std::string& to) { return call(cast, {&input}, {text_attribute("to", to)}, 1); };
  EXPECT_EQ(elements<std::int64_t>(must(cast_1("INT64"))), (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(must(cast_1("DOUBLE")).dtype, Dtype::float64);
  EXPECT_EQ(must(cast_1("FLOAT")).dtype, Dtype::float32);
  EXPECT_EQ(must(cast_1("BOOL")).dtype, Dtype::boolean);
  EXPECT_EQ(must(cast_1("FLOAT16")).dtype, Dtype::float16);
  EXPECT_TRUE(fails(cast_1("FLOAT32"), Code::InvalidArgument, "attribute 'to' is 'FLOAT32', which is not an element type"));
  EXPECT_TRUE(fails(cast_1("STRING"), Code::UnsupportedType, "output 'output' cannot be string"));
  for (const std::int64_t opset : {6, 9, 13, 19, 21, 23, 24, 25}) {
    EXPECT_EQ(elements<std::int64_t>(must(call(cast, {&input}, {int_attribute("to", 7)}, opset))),
              (std::vector<std::int64_t>{1, 0}));
  }
  EXPECT_TRUE(
      fails(call(cast, {&input}, {int_attribute("to", 14)}), Code::UnsupportedType, "output 'output' cannot be complex64"));
}

TEST(Cast, BeforeARunTheDimsAreThoseOfTheInput) {
  Expressions expressions;
  const OperatorVersion& version = *must(select_version(cast, 25));
  Tensor input{Dtype::float32, uniform_layout({2, expressions.name(0)})};
  const Tensor* in[] = {&input};
  const Attributes attributes;
  const Dtype types[] = {Dtype::int32};
  Tensor output{Dtype::int32, LayoutRef::unranked()};
  Call before{version, in, attributes, types, {&output, 1}, &expressions};
  must(cast.prepare(before));
  EXPECT_EQ(output.dims(), input.dims());
  input.layout = LayoutRef::unranked();
  output = {Dtype::int32, LayoutRef::unranked()};
  must(cast.prepare(before));
  EXPECT_FALSE(output.is_ranked());
}

}  // namespace
}  // namespace broadloom::test::cast_test
