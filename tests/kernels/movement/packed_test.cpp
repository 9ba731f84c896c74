#include "kernels/movement/packed.h"

#include <gtest/gtest.h>

#include "support/canaries.h"
#include "support/cases.h"
#include "support/exact.h"
#include "support/lists.h"
#include "support/random.h"

namespace broadloom::test::packed_test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t widths[] = {2, 4};

std::size_t packed_bytes(std::size_t count, std::size_t bits) { return (count * bits + 7) / 8; }

// Reads one bit at a time.
unsigned element_at(const std::byte* from, std::size_t number, std::size_t bits) {
  unsigned value = 0;
  for (std::size_t i = 0; i < bits; ++i) {
    const std::size_t bit = number * bits + i;
    value |= (std::to_integer<unsigned>(from[bit / 8]) >> bit % 8 & 1U) << i;
  }
  return value;
}

void put(Bytes& to, std::size_t number, std::size_t bits, unsigned value) {
  for (std::size_t i = 0; i < bits; ++i) {
    const std::size_t bit = number * bits + i;
    to[bit / 8] |= static_cast<std::byte>((value >> i & 1U) << bit % 8);
  }
}

TEST(Packed, ElementsAreUnpackedFromEveryStartAndOfEveryCount) {
  for (const std::size_t bits : widths) {
    for (std::size_t first = 0; first < 9; ++first) {
      for (std::size_t count = 0; count < 70; ++count) {
        const Exact source(packed_bytes(first + count, bits));
        Guarded to(count, count % 16);
        unpack(to.data(), source.data(), first, count, bits);
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(std::to_integer<unsigned>(to.written()[i]), element_at(source.data(), first + i, bits)) << bits << ' ' << i;
        ASSERT_TRUE(to.intact());
      }
    }
  }
}

TEST(Packed, SignedElementsGetTheirSigns) {
  for (const std::size_t bits : widths) {
    const int end = 1 << bits;
    for (std::size_t count = 0; count < 40; ++count) {
      Guarded elements(count, 3);
      for (std::size_t i = 0; i < count; ++i) elements.data()[i] = static_cast<std::byte>(static_cast<int>(i) % end);
      extend_signs(elements.data(), count, bits);
      for (std::size_t i = 0; i < count; ++i) {
        const int pattern = static_cast<int>(i) % end;
        ASSERT_EQ(static_cast<std::int8_t>(elements.data()[i]), pattern < end / 2 ? pattern : pattern - end);
      }
      ASSERT_TRUE(elements.intact());
    }
  }
}

TEST(Packed, LowBitsArePackedAndTheLastByteIsPaddedWithZeros) {
  for (const std::size_t bits : widths) {
    for (std::size_t count = 0; count < 70; ++count) {
      const Exact source(count);
      Guarded to(packed_bytes(count, bits), count % 16);
      pack(to.data(), source.data(), count, bits);
      Bytes expected(packed_bytes(count, bits));
      for (std::size_t i = 0; i < count; ++i) put(expected, i, bits, std::to_integer<unsigned>(source.data()[i]));
      ASSERT_EQ(to.written(), expected) << bits << " bits, " << count;
      ASSERT_TRUE(to.intact());
    }
  }
}

void expect_packed(const Layout& layout, std::size_t bits, std::int64_t before = 0) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  const auto count = static_cast<std::size_t>(layout.count());
  for (std::size_t axis = 0; axis < layout.dims.size() && count > 0; ++axis) {
    const std::int64_t reach = (layout.run_dims()[axis] - 1) * layout.strides[axis];
    (reach < 0 ? first : last) += reach;
  }
  const std::int64_t offset = before - first;
  const Exact source(count == 0 ? 0 : packed_bytes(static_cast<std::size_t>(offset + last + 1), bits));
  Guarded to(packed_bytes(count, bits), 3);
  materialize_packed(to.data(), source.data(), offset, layout, bits);
  Bytes expected(packed_bytes(count, bits));
  for (std::size_t i = 0; i < count; ++i) {
    auto left = static_cast<std::int64_t>(i);
    std::int64_t number = offset;
    for (std::size_t axis = layout.dims.size(); axis-- > 0; left /= layout.run_dims()[axis])
      number += left % layout.run_dims()[axis] * layout.strides[axis];
    put(expected, i, bits, element_at(source.data(), static_cast<std::size_t>(number), bits));
  }
  ASSERT_EQ(to.written(), expected) << testing::PrintToString(list(layout.dims)) << " strides "
                                    << testing::PrintToString(list(layout.strides)) << ' ' << bits << " bits, offset "
                                    << offset;
  ASSERT_TRUE(to.intact());
}

TEST(Packed, EachKindOfLayoutIsWrittenDensely) {
  for (const std::size_t bits : widths) {
    for (const std::int64_t before : {0, 1, 2, 3, 4}) {
      expect_packed({{}, {}}, bits, before);
      expect_packed({{0, 3}, {3, 1}}, bits, before);
      for (const std::int64_t count : {1, 2, 3, 4, 5, 1023, 1024, 1025, 4097}) {
        expect_packed({{count}, {1}}, bits, before);
        expect_packed({{count}, {-1}}, bits, before);
        expect_packed({{count}, {0}}, bits, before);
        expect_packed({{count, 3}, {1, 0}}, bits, before);
        expect_packed({{3, count}, {0, 1}}, bits, before);
        expect_packed({{5, count}, {1, 5}}, bits, before);
        expect_packed({{5, count}, {-count - 3, 1}}, bits, before);
      }
      expect_packed({{3, 2, 8}, {32, -12, 1}}, bits, before);  // whole bytes
      expect_packed({{7, 4, 16}, {0, -16, 1}}, bits, before);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Packed, RandomLayoutsEqualTheWalkBitByBit) {
  Random random;
  for (int round = 0; round < cases(); ++round) {
    const auto rank = static_cast<std::size_t>(round % 6);
    Layout layout{Dims(rank), Dims(rank)};
    const std::int64_t unit = random.one_in(2) ? 1 : 4;  // whole bytes have a separate path
    for (std::size_t axis = 0; axis < rank; ++axis) {
      layout.dims[axis] = random.one_in(40) ? 0 : random.between(1, 7) * (axis + 1 == rank ? unit : 1);
      layout.strides[axis] = axis + 1 == rank && !random.one_in(4) ? 1 : random.between(-6, 6) * unit;
    }
    expect_packed(layout, widths[random.below(2)], random.between(0, 4) * unit);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace broadloom::test::packed_test
