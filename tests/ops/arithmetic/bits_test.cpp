// BitCast, BitShift and the bitwise operators.
#include "support/before_run.h"
#include "support/calls.h"
#include "support/layouts.h"

namespace broadloom::op {
extern const Operator bit_cast, bit_shift, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, transpose;
}

namespace broadloom::test::bits_test {
namespace {

Given direction(const std::string& text) { return {"direction", AttributeType::STRING, strings({}, {text})}; }
Result<Tensor> cast_bits(const Tensor& x, Dtype to) {
  return call(bit_cast, {&x}, {int_attribute("to", static_cast<std::int64_t>(to))});
}

// ---- BitShift ----

template <class T>
void expect_shifted(Dtype dtype) {
  constexpr int bits = std::numeric_limits<T>::digits;
  const T all = std::numeric_limits<T>::max();
  const Tensor x = tensor_of<T>(dtype, {2, 1}, {all, 5});
  const Tensor by = tensor_of<T>(dtype, {5}, {0, 1, bits - 1, bits, all});
  const auto left = [&](T value, int n) { return static_cast<T>(static_cast<T>(value) << n); };
  EXPECT_EQ(elements<T>(must(call(bit_shift, {&x, &by}, {direction("LEFT")}))),
            (std::vector<T>{all, left(all, 1), left(all, bits - 1), 0, 0, 5, 10, left(5, bits - 1), 0, 0}));
  EXPECT_EQ(elements<T>(must(call(bit_shift, {&x, &by}, {direction("RIGHT")}))),
            (std::vector<T>{all, static_cast<T>(all >> 1U), 1, 0, 0, 5, 2, 0, 0, 0}));
}

TEST(BitShift, DropsBitsThatAreShiftedOutAndAllBitsForShiftsOfTheWidthOrMore) {
  expect_shifted<std::uint8_t>(Dtype::uint8);
  expect_shifted<std::uint16_t>(Dtype::uint16);
  expect_shifted<std::uint32_t>(Dtype::uint32);
  expect_shifted<std::uint64_t>(Dtype::uint64);
}

TEST(BitShift, WantsADirectionAndUnsignedIntegers) {
  const Tensor x = tensor_of<std::uint8_t>(Dtype::uint8, {1}, {1});
  EXPECT_TRUE(fails(call(bit_shift, {&x, &x}), Code::InvalidArgument, "BitShift-11: attribute 'direction' is missing"));
  EXPECT_TRUE(fails(call(bit_shift, {&x, &x}, {direction("left")}), Code::InvalidArgument, "attribute 'direction'"));
  const Tensor y = tensor_of<std::int8_t>(Dtype::int8, {1}, {1});
  EXPECT_TRUE(fails(call(bit_shift, {&y, &y}, {direction("LEFT")}), Code::UnsupportedType, "BitShift-11"));
  const Tensor wide = tensor_of<std::uint16_t>(Dtype::uint16, {1}, {1});
  EXPECT_TRUE(fails(call(bit_shift, {&x, &wide}, {direction("LEFT")}), Code::InvalidArgument,
                    "input 'Y' is uint16, but another input of type T is uint8"));
}

// ---- And, or, xor, not ----

template <class T>
void expect_bitwise(Dtype dtype) {
  const T low = 0b1100;
  const auto high = static_cast<T>(~T{0b1010});
  const Tensor a = tensor_of<T>(dtype, {2, 1}, {low, high});
  const Tensor b = tensor_of<T>(dtype, {2}, {0b0110, high});
  const auto as = [](auto value) { return static_cast<T>(value); };
  EXPECT_EQ(elements<T>(must(call(bitwise_and, {&a, &b}))),
            (std::vector<T>{as(low & 0b0110), as(low & high), as(high & 0b0110), high}));
  EXPECT_EQ(elements<T>(must(call(bitwise_or, {&a, &b}))),
            (std::vector<T>{as(low | 0b0110), as(low | high), as(high | 0b0110), high}));
  EXPECT_EQ(elements<T>(must(call(bitwise_xor, {&a, &b}))),
            (std::vector<T>{as(low ^ 0b0110), as(low ^ high), as(high ^ 0b0110), 0}));
  EXPECT_EQ(elements<T>(must(call(bitwise_not, {&a}))), (std::vector<T>{as(~low), 0b1010}));
}

TEST(Bitwise, OperatorsTakeEveryInteger) {
  expect_bitwise<std::int8_t>(Dtype::int8);
  expect_bitwise<std::int16_t>(Dtype::int16);
  expect_bitwise<std::int32_t>(Dtype::int32);
  expect_bitwise<std::int64_t>(Dtype::int64);
  expect_bitwise<std::uint8_t>(Dtype::uint8);
  expect_bitwise<std::uint16_t>(Dtype::uint16);
  expect_bitwise<std::uint32_t>(Dtype::uint32);
  expect_bitwise<std::uint64_t>(Dtype::uint64);
  const Tensor truth = bools({1}, {1});
  EXPECT_TRUE(fails(call(bitwise_and, {&truth, &truth}), Code::UnsupportedType, "BitwiseAnd-18"));
}

// ---- BitCast ----

TEST(BitCast, SharesTheBitsOfAnyLayout) {
  const Tensor x = floats({3}, {1, -0.F, -2});
  const Tensor bits = must(cast_bits(x, Dtype::uint32));
  EXPECT_EQ(bits.dtype, Dtype::uint32);
  EXPECT_EQ(bits.data(), x.data());
  EXPECT_EQ(elements<std::uint32_t>(bits), (std::vector<std::uint32_t>{0x3F800000, 0x80000000, 0xC0000000}));
  const Tensor turned = must(call(transpose, {&x}));
  EXPECT_EQ(elements<float>(must(cast_bits(must(cast_bits(turned, Dtype::int32)), Dtype::float32))), elements<float>(turned));
}

TEST(BitCast, GoesBetweenAllTypesOfOneSizeAndNoOthers) {
  for (int from = 1; from <= dtype_count; ++from) {
    for (int to = 1; to <= dtype_count; ++to) {
      const auto source = static_cast<Dtype>(from);
      const auto target = static_cast<Dtype>(to);
      if (source == Dtype::string || target == Dtype::string) continue;
      const Tensor x = zeros(source, {2, 3});
      const Result<Tensor> result = cast_bits(x, target);
      if (info(source).bits == info(target).bits) {
        EXPECT_TRUE(succeeds(result)) << info(source).name << " to " << info(target).name;
        EXPECT_EQ(list(result->dims()), (List{2, 3}));
        EXPECT_EQ(bytes_of(*result), bytes_of(x));
      } else {
        EXPECT_TRUE(fails(result, Code::InvalidArgument, "BitCast-26: cannot cast the bits of"));
      }
    }
  }
  const Tensor x = floats({1}, {1});
  EXPECT_TRUE(
      fails(cast_bits(x, Dtype::int64), Code::InvalidArgument, "cannot cast the bits of float32 to int64: their sizes differ"));
  EXPECT_TRUE(fails(cast_bits(x, Dtype::string), Code::UnsupportedType, "BitCast-26"));
  EXPECT_TRUE(fails(cast_bits(strings({1}, {"a"}), Dtype::int8), Code::UnsupportedType, "BitCast-26"));
}

TEST(BitCast, ToBoolTurnsNonzeroBytesIntoOne) {
  const Tensor x = tensor_of<std::uint8_t>(Dtype::uint8, {4}, {0, 1, 2, 255});
  EXPECT_EQ(bytes_of(must(cast_bits(x, Dtype::boolean))), (Bytes{0, 1, 1, 1}));
  EXPECT_EQ(bytes_of(x), (Bytes{0, 1, 2, 255}));
  const Tensor truth = bools({2}, {1, 0});
  EXPECT_EQ(must(cast_bits(truth, Dtype::boolean)).data(), truth.data());
  EXPECT_EQ(bytes_of(must(cast_bits(truth, Dtype::int8))), (Bytes{1, 0}));
}

using BitCastBeforeRun = BeforeRun;
TEST_F(BitCastBeforeRun, GivesNoBitsOfSizesToOtherTypes) {
  Tensor x = must(make_tensor(Dtype::int64, {2}));
  const Size list[] = {n(), 5};
  std::memcpy(x.data(), list, sizeof list);
  EXPECT_EQ(sizes(bit_cast, {x}, {int_attribute("to", static_cast<int>(Dtype::uint64))}), "2");
  EXPECT_FALSE(outputs_[0].has_elements());
  EXPECT_EQ(sizes(bit_cast, {x}, {int_attribute("to", static_cast<int>(Dtype::int64))}), "2");
  EXPECT_TRUE(outputs_[0].has_elements());
  // The result would be a size, which these bits are not.
  const Tensor bits = tensor_of<std::uint64_t>(Dtype::uint64, {1}, {0xC000000000000000U});
  EXPECT_EQ(sizes(bit_cast, {bits}, {int_attribute("to", static_cast<int>(Dtype::int64))}), "1");
  EXPECT_FALSE(outputs_[0].has_elements());
}

TEST(BitCast, WantsAType) {
  const Tensor x = floats({1}, {1});
  EXPECT_TRUE(fails(call(bit_cast, {&x}), Code::InvalidArgument, "BitCast-26: attribute 'to' is missing"));
  EXPECT_TRUE(fails(call(bit_cast, {&x}, {int_attribute("to", 99)}), Code::InvalidArgument, "attribute 'to'"));
  EXPECT_TRUE(fails(call(bit_cast, {&x}, {int_attribute("to", 1)}, 25), Code::UnknownOperator, "BitCast"));
}

}  // namespace
}  // namespace broadloom::test::bits_test
