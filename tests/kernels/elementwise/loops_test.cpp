#include "kernels/elementwise/loops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/canaries.h"

namespace broadloom::test::loops_test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr Dtype numbers[] = {Dtype::float32, Dtype::float64, Dtype::int8,   Dtype::int16,  Dtype::int32,
                             Dtype::int64,   Dtype::uint8,   Dtype::uint16, Dtype::uint32, Dtype::uint64};

bool is_float(Dtype dtype) { return info(dtype).kind == DtypeKind::real_float; }

// Whether an operator uses the operation for the type.
bool is_allowed(Operation operation, Dtype dtype) {
  switch (operation) {
    case Operation::modulo:
    case Operation::bit_and:
    case Operation::bit_or:
    case Operation::bit_xor:
    case Operation::bit_not: return !is_float(dtype);
    case Operation::shift_left:
    case Operation::shift_right: return info(dtype).kind == DtypeKind::unsigned_integer;
    case Operation::power: return is_float(dtype) || dtype == Dtype::int32 || dtype == Dtype::int64;
    case Operation::absolute: return is_float(dtype) || info(dtype).kind == DtypeKind::signed_integer;
    case Operation::logical_not: return dtype == Dtype::uint8;
    case Operation::is_nan:
    case Operation::is_infinite:
    case Operation::is_positive_infinity:
    case Operation::is_negative_infinity:
    case Operation::square_root:
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
    case Operation::reciprocal: return is_float(dtype);
    default: return operation < Operation::exp || is_float(dtype);
  }
}

// A call for all elements must have the results of calls for single elements.
void expect_exact(InnerLoop loop, std::size_t from_size, std::size_t to_size, std::size_t count, std::size_t misalignment) {
  Guarded a(from_size * count, misalignment);
  Guarded b(from_size * count, misalignment + 1);
  const Bytes bytes = distinct_bytes(2 * from_size * count);
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(from_size * count);
  std::copy(bytes.begin(), middle, a.data());
  std::copy(middle, bytes.end(), b.data());
  Bytes wanted(to_size * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const from[] = {a.data() + i * from_size, b.data() + i * from_size};
    loop(wanted.data() + i * to_size, from, 1);
  }
  Guarded to(to_size * count, misalignment);
  const std::byte* const from[] = {a.data(), b.data()};
  loop(to.data(), from, count);
  ASSERT_EQ(to.written(), wanted) << count << " elements at " << misalignment;
  ASSERT_TRUE(to.intact()) << count << " elements at " << misalignment;
}

TEST(Loops, EveryCountAndAlignmentIsWrittenExactly) {
  for (int number = 0; number <= static_cast<int>(Operation::normal_distribution); ++number) {
    const auto operation = static_cast<Operation>(number);
    for (const Dtype dtype : numbers) {
      if (!is_allowed(operation, dtype)) continue;
      const Computation computation = computation_of(operation, dtype);
      const std::size_t size = item_size(computation.dtype);
      for (const std::size_t count : counts_around_vectors(32)) {
        for (const std::size_t misalignment : misalignments) {
          expect_exact(computation.loop, size, gives_bools(operation) ? 1 : size, count, misalignment);
          if (HasFatalFailure()) FAIL() << number << " of " << info(dtype).name;
        }
      }
    }
  }
}

TEST(Loops, ConversionsOfEveryCountAreExact) {
  for (const Dtype dtype : {Dtype::float16, Dtype::bfloat16, Dtype::int8, Dtype::uint8, Dtype::int16, Dtype::uint16}) {
    const bool is_half = info(dtype).kind == DtypeKind::mini_float;
    const Computation computation = computation_of(is_half ? Operation::add : Operation::divide, dtype);
    const std::size_t size = item_size(dtype);
    for (const std::size_t count : counts_around_vectors(32)) {
      for (const std::size_t misalignment : misalignments) {
        expect_exact(computation.load, size, item_size(computation.dtype), count, misalignment);
        expect_exact(computation.store, item_size(computation.dtype), size, count, misalignment);
        if (HasFatalFailure()) FAIL() << info(dtype).name;
      }
    }
  }
}

TEST(Loops, TheFirstOperandMayBeTheResult) {
  Bytes values = distinct_bytes(400);
  const Bytes other = distinct_bytes(800);
  for (const Operation operation : {Operation::add, Operation::maximum, Operation::divide}) {
    const InnerLoop loop = computation_of(operation, Dtype::int32).loop;
    Bytes apart(values.size());
    const std::byte* const from[] = {values.data(), other.data() + 400};
    loop(apart.data(), from, 99);
    std::copy(values.end() - 4, values.end(), apart.end() - 4);
    loop(values.data(), from, 99);
    EXPECT_EQ(values, apart);
  }
}

// The results of an operation for single elements, computed in a wider type.
template <class Result, class T>
std::vector<Result> results(Operation operation, Dtype dtype, const std::vector<T>& a, const std::vector<T>& b = {}) {
  const Computation computation = computation_of(operation, dtype);
  const auto widened = [&](const std::vector<T>& values) {
    Bytes bytes(values.size() * item_size(computation.dtype));
    const std::byte* const from[] = {reinterpret_cast<const std::byte*>(values.data())};
    if (computation.load != nullptr) {
      computation.load(bytes.data(), from, values.size());
    } else {
      std::copy(from[0], from[0] + bytes.size(), bytes.data());
    }
    return bytes;
  };
  const Bytes first = widened(a);
  const Bytes second = widened(b);
  const std::byte* const from[] = {first.data(), second.data()};
  std::vector<Result> result(a.size());
  auto* to = reinterpret_cast<std::byte*>(result.data());
  if (computation.store == nullptr) {
    computation.loop(to, from, a.size());
  } else {
    Bytes wide(first.size());
    computation.loop(wide.data(), from, a.size());
    const std::byte* const computed[] = {wide.data()};
    computation.store(to, computed, a.size());
  }
  return result;
}

// Divides all pairs of bytes. For two bytes, divides all dividends by the divisors around limits and powers of two.
template <class T>
void expect_quotients(Dtype dtype) {
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> wanted;
  using Limits = std::numeric_limits<T>;
  for (int divisor = Limits::min(); divisor <= Limits::max(); ++divisor) {
    const int magnitude = std::abs(divisor);
    const bool is_taken = sizeof(T) == 1 || magnitude < 20 || magnitude > Limits::max() - 5 || (magnitude + 1) % 4096 < 3;
    for (int dividend = Limits::min(); is_taken && dividend <= Limits::max(); ++dividend) {
      a.push_back(static_cast<T>(dividend));
      b.push_back(static_cast<T>(divisor));
      wanted.push_back(static_cast<T>(divisor == 0 ? 0 : dividend / divisor));
    }
  }
  EXPECT_TRUE(results<T>(Operation::divide, dtype, a, b) == wanted) << info(dtype).name;
}

TEST(Loops, QuotientsOfSmallIntegersAreExact) {
  expect_quotients<std::int8_t>(Dtype::int8);
  expect_quotients<std::uint8_t>(Dtype::uint8);
  expect_quotients<std::int16_t>(Dtype::int16);
  expect_quotients<std::uint16_t>(Dtype::uint16);
}

TEST(Loops, HalvesAreComparedAsTheirFloats) {
  const std::uint16_t some[] = {0,      1,      2,      0x3FF,  0x400,  0x3BFF, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7C01, 0x7E00,
                                0x7FFF, 0x8000, 0x8001, 0x83FF, 0x8400, 0xBC00, 0xBC01, 0xFBFF, 0xFC00, 0xFC01, 0xFE00, 0xFFFF};
  std::vector<std::uint16_t> a;
  std::vector<std::uint16_t> b;
  for (unsigned pattern = 0; pattern <= 0xFFFF; ++pattern) {
    const auto half = static_cast<std::uint16_t>(pattern);
    const auto next = static_cast<std::uint16_t>(pattern + 1);
    for (const std::uint16_t other : some) {
      a.insert(a.end(), {half, other});
      b.insert(b.end(), {other, half});
    }
    a.insert(a.end(), {half, half, half});
    b.insert(b.end(), {half, next, static_cast<std::uint16_t>(half ^ 0x8000)});
  }
  const std::byte* const from[] = {reinterpret_cast<const std::byte*>(a.data()), reinterpret_cast<const std::byte*>(b.data())};
  for (const Operation operation : {Operation::equal, Operation::less, Operation::less_or_equal}) {
    std::vector<std::uint8_t> bools(a.size());
    half_loop_of(operation)(reinterpret_cast<std::byte*>(bools.data()), from, a.size());
    EXPECT_TRUE(bools == results<std::uint8_t>(operation, Dtype::float16, a, b)) << static_cast<int>(operation);
  }
}

TEST(Loops, SignsOfHalvesAreThoseOfTheirFloats) {
  std::vector<std::uint16_t> halves(0x10000);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint16_t> signs(halves.size());
  const std::byte* const from[] = {reinterpret_cast<const std::byte*>(halves.data())};
  half_loop_of(Operation::sign)(reinterpret_cast<std::byte*>(signs.data()), from, halves.size());
  EXPECT_TRUE(signs == results<std::uint16_t>(Operation::sign, Dtype::float16, halves));
}

TEST(Loops, LoopsOfHalvesOfEveryCountAreExact) {
  for (const std::size_t count : counts_around_vectors(32)) {
    for (const std::size_t misalignment : misalignments) {
      expect_exact(half_loop_of(Operation::less), 2, 1, count, misalignment);
      expect_exact(half_loop_of(Operation::sign), 2, 2, count, misalignment);
      if (HasFatalFailure()) FAIL();
    }
  }
}

template <class T>
void expect_shifts(Dtype dtype) {
  constexpr T all = std::numeric_limits<T>::max();
  constexpr auto width = static_cast<T>(std::numeric_limits<T>::digits);
  const auto last = static_cast<T>(width - 1);
  const std::vector<T> values{1, all, all, all, all, all, 5, 0};
  const std::vector<T> amounts{last, 1, last, width, static_cast<T>(width + 1), all, 0, 3};
  const std::vector<T> left{static_cast<T>(T{1} << last), static_cast<T>(all - 1), static_cast<T>(T{1} << last), 0, 0, 0, 5, 0};
  const std::vector<T> right{0, static_cast<T>(all / 2), 1, 0, 0, 0, 5, 0};
  EXPECT_EQ(results<T>(Operation::shift_left, dtype, values, amounts), left) << info(dtype).name;
  EXPECT_EQ(results<T>(Operation::shift_right, dtype, values, amounts), right) << info(dtype).name;
}

TEST(Loops, ShiftsByTheWidthAndMoreGiveZero) {
  expect_shifts<std::uint8_t>(Dtype::uint8);
  expect_shifts<std::uint16_t>(Dtype::uint16);
  expect_shifts<std::uint32_t>(Dtype::uint32);
  expect_shifts<std::uint64_t>(Dtype::uint64);
}

template <class T>
void expect_bitwise(Dtype dtype) {
  const std::vector<T> a{0, 1, static_cast<T>(-1), 12, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  const std::vector<T> b{static_cast<T>(-1), 3, 5, 10, 1, 0};
  std::vector<T> wanted[4];
  for (std::size_t i = 0; i < a.size(); ++i) {
    wanted[0].push_back(static_cast<T>(a[i] & b[i]));
    wanted[1].push_back(static_cast<T>(a[i] | b[i]));
    wanted[2].push_back(static_cast<T>(a[i] ^ b[i]));
    wanted[3].push_back(static_cast<T>(~a[i]));
  }
  EXPECT_EQ(results<T>(Operation::bit_and, dtype, a, b), wanted[0]) << info(dtype).name;
  EXPECT_EQ(results<T>(Operation::bit_or, dtype, a, b), wanted[1]) << info(dtype).name;
  EXPECT_EQ(results<T>(Operation::bit_xor, dtype, a, b), wanted[2]) << info(dtype).name;
  EXPECT_EQ(results<T>(Operation::bit_not, dtype, a), wanted[3]) << info(dtype).name;
}

TEST(Loops, BitwiseOperationsTakeEveryIntegerType) {
  expect_bitwise<std::int8_t>(Dtype::int8);
  expect_bitwise<std::int16_t>(Dtype::int16);
  expect_bitwise<std::int32_t>(Dtype::int32);
  expect_bitwise<std::int64_t>(Dtype::int64);
  expect_bitwise<std::uint8_t>(Dtype::uint8);
  expect_bitwise<std::uint16_t>(Dtype::uint16);
  expect_bitwise<std::uint32_t>(Dtype::uint32);
  expect_bitwise<std::uint64_t>(Dtype::uint64);
}

template <class T>
void expect_signs(Dtype dtype) {
  const std::vector<T> values{0, 1, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), static_cast<T>(-7)};
  std::vector<T> wanted;
  for (const T value : values) wanted.push_back(static_cast<T>((value > 0) - (value < 0)));
  EXPECT_EQ(results<T>(Operation::sign, dtype, values), wanted) << info(dtype).name;
}

TEST(Loops, SignsAreMinusOneZeroOrOne) {
  expect_signs<float>(Dtype::float32);
  expect_signs<double>(Dtype::float64);
  expect_signs<std::int8_t>(Dtype::int8);
  expect_signs<std::int16_t>(Dtype::int16);
  expect_signs<std::int32_t>(Dtype::int32);
  expect_signs<std::int64_t>(Dtype::int64);
  expect_signs<std::uint16_t>(Dtype::uint16);
  expect_signs<std::uint64_t>(Dtype::uint64);
  const auto odd = results<float>(Operation::sign, Dtype::float32, std::vector<float>{-0.0F, NAN, -1e-45F, -INFINITY});
  EXPECT_FALSE(std::signbit(odd[0]));
  EXPECT_TRUE(std::isnan(odd[1]));
  EXPECT_EQ(odd[2], -1);
  EXPECT_EQ(odd[3], -1);
}

template <class T>
void expect_rounding(Dtype dtype) {
  const T large = T{1} / std::numeric_limits<T>::epsilon();
  const std::vector<T> values{T{0.5}, T{1.5}, T{2.5}, T{-0.5}, T{-1.5}, T{0.75}, large / 2 + T{0.5}, large + 1, T{-0.25}};
  const std::vector<T> wanted{0, 2, 2, -T{0}, -2, 1, large / 2, large + 1, -T{0}};
  const std::vector<T> rounded = results<T>(Operation::round, dtype, values);
  EXPECT_EQ(rounded, wanted);
  EXPECT_TRUE(std::signbit(rounded[3]) && std::signbit(rounded[8]));
}

TEST(Loops, RoundingGoesToTheEvenNeighbourInTies) {
  expect_rounding<float>(Dtype::float32);
  expect_rounding<double>(Dtype::float64);
}

TEST(Loops, ReciprocalsAreQuotients) {
  const std::vector<double> values{4, -0.0, INFINITY, 3};
  EXPECT_EQ(results<double>(Operation::reciprocal, Dtype::float64, values), (std::vector<double>{0.25, -INFINITY, 0, 1 / 3.0}));
}

template <class T>
void expect_tests(Dtype dtype, const std::vector<T>& values) {
  using Bools = std::vector<std::uint8_t>;
  EXPECT_EQ(results<std::uint8_t>(Operation::is_nan, dtype, values), (Bools{0, 0, 0, 1, 1}));
  EXPECT_EQ(results<std::uint8_t>(Operation::is_infinite, dtype, values), (Bools{0, 1, 1, 0, 0}));
  EXPECT_EQ(results<std::uint8_t>(Operation::is_positive_infinity, dtype, values), (Bools{0, 1, 0, 0, 0}));
  EXPECT_EQ(results<std::uint8_t>(Operation::is_negative_infinity, dtype, values), (Bools{0, 0, 1, 0, 0}));
}

TEST(Loops, InfinitiesAndNansAreFoundInEveryFloatingPointType) {
  expect_tests<float>(Dtype::float32, {3e38F, INFINITY, -INFINITY, NAN, -NAN});
  expect_tests<double>(Dtype::float64, {1e308, INFINITY, -INFINITY, NAN, -NAN});
  expect_tests<std::uint16_t>(Dtype::float16, {0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfc01});
  expect_tests<std::uint16_t>(Dtype::bfloat16, {0x7f7f, 0x7f80, 0xff80, 0x7fc0, 0xff81});
}

}  // namespace
}  // namespace broadloom::test::loops_test
