#include "kernels/loops.h"

#include <gtest/gtest.h>

#include "support/canaries.h"

namespace broadloom {
namespace {

using test::Guarded;
using Bytes = std::vector<std::byte>;

constexpr Dtype numbers[] = {Dtype::float32, Dtype::float64, Dtype::int8,   Dtype::int16,  Dtype::int32,
                             Dtype::int64,   Dtype::uint8,   Dtype::uint16, Dtype::uint32, Dtype::uint64};

bool is_float(Dtype dtype) { return info(dtype).kind == DtypeKind::real_float; }

// Whether an operator computes it.
bool is_allowed(Operation operation, Dtype dtype) {
  switch (operation) {
    case Operation::modulo: return !is_float(dtype);
    case Operation::absolute: return is_float(dtype) || info(dtype).kind == DtypeKind::signed_integer;
    case Operation::bit_and:
    case Operation::bit_or:
    case Operation::bit_xor:
    case Operation::logical_not: return dtype == Dtype::uint8;
    case Operation::square_root:
    case Operation::floor:
    case Operation::ceil: return is_float(dtype);
    default: return true;
  }
}

// One element after the other is what the loop must give for all at once.
void expect_exact(Loop loop, std::size_t from_size, std::size_t to_size, std::size_t count, std::size_t misalignment) {
  Guarded a(from_size * count, misalignment);
  Guarded b(from_size * count, misalignment + 1);
  const Bytes bytes = test::distinct_bytes(2 * from_size * count);
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
  for (int number = 0; number <= static_cast<int>(Operation::logical_not); ++number) {
    const auto operation = static_cast<Operation>(number);
    for (const Dtype dtype : numbers) {
      if (!is_allowed(operation, dtype)) continue;
      const Computation computation = computation_of(operation, dtype);
      const std::size_t size = item_size(computation.dtype);
      for (const std::size_t count : test::counts_around_vectors(32)) {
        for (const std::size_t misalignment : test::misalignments) {
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
    for (const std::size_t count : test::counts_around_vectors(32)) {
      for (const std::size_t misalignment : test::misalignments) {
        expect_exact(computation.load, size, item_size(computation.dtype), count, misalignment);
        expect_exact(computation.store, item_size(computation.dtype), size, count, misalignment);
        if (HasFatalFailure()) FAIL() << info(dtype).name;
      }
    }
  }
}

TEST(Loops, TheFirstOperandMayBeTheResult) {
  Bytes values = test::distinct_bytes(400);
  const Bytes other = test::distinct_bytes(800);
  for (const Operation operation : {Operation::add, Operation::maximum, Operation::divide}) {
    const Loop loop = computation_of(operation, Dtype::int32).loop;
    Bytes apart(values.size());
    const std::byte* const from[] = {values.data(), other.data() + 400};
    loop(apart.data(), from, 99);
    std::copy(values.end() - 4, values.end(), apart.end() - 4);
    loop(values.data(), from, 99);
    EXPECT_EQ(values, apart);
  }
}

}  // namespace
}  // namespace broadloom
