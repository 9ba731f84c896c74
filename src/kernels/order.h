// Numbers of any type as keys that are compared alone, and places ranked by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"

namespace broadloom {

// Writes the keys of `count` numbers that lie `step` bytes apart: unsigned integers in the order of the numbers. Both zeros
// have one key, and all NaNs one, above infinity. For types of numbers and bool of 8 to 64 bits, without complex and 8-bit
// floating-point ones.
void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype);

// Which of two numbers comes first. No two are equal.
struct Order {
  bool (*comes_before)(const void* context, std::int64_t a, std::int64_t b);
  const void* context;
};

// Sorts in time n log n without memory.
void sort(std::int64_t* numbers, std::size_t count, const Order& order);
template <typename Before>
void sort(std::span<std::int64_t> numbers, const Before& comes_before) {
  sort(numbers.data(), numbers.size(),
       {[](const void* context, std::int64_t a, std::int64_t b) { return (*static_cast<const Before*>(context))(a, b); },
        &comes_before});
}

// Writes to `numbers` which `count` of the keys are the highest, in their order; of equal keys those that come first. There are
// as many keys at least.
void find_highest(std::int64_t* numbers, std::size_t count, std::span<const std::uint64_t> keys);

}  // namespace broadloom
