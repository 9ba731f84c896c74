// Sort keys for numbers of any type, and ranking by keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"

namespace broadloom {

// Writes the keys of `count` numbers with a distance of `step` bytes: unsigned integers in the order of the numbers. Both zeros
// have the same key, and so do all NaNs, above infinity. For numeric types and bool of 8 to 64 bits, except complex and 8-bit
// floating-point ones.
void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype);

// The order of two numbers. No two are equal.
struct Order {
  bool (*comes_before)(const void* context, std::int64_t a, std::int64_t b);
  const void* context;
};

// Sorts in time n log n, without allocating.
void sort(std::int64_t* numbers, std::size_t count, const Order& order);
template <typename Before>
void sort(std::span<std::int64_t> numbers, const Before& comes_before) {
  sort(numbers.data(), numbers.size(),
       {[](const void* context, std::int64_t a, std::int64_t b) { return (*static_cast<const Before*>(context))(a, b); },
        &comes_before});
}

// Writes the indices of the `count` highest keys to `numbers`, in order. Of equal keys, it takes the first ones. There must be
// at least `count` keys.
void find_highest(std::int64_t* numbers, std::size_t count, std::span<const std::uint64_t> keys);

}  // namespace broadloom
