// Sort keys for numbers of any type, and sorting.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

// Writes the keys of `count` numbers with a distance of `step` bytes: unsigned integers in the order of the numbers. Both zeros
// have the same key, and so do all NaNs, above infinity. For numeric types and bool of 8 to 64 bits, except complex and 8-bit
// floating-point ones.
void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype);

// The order of two numbers. No two are equal.
struct Order {
  bool (*comes_before)(const void* context, std::int64_t a, std::int64_t b);
  const void* context;
  const Status* stop = nullptr;  // sorting ends when a comparison sets it to an error
};

// Sorts in time n log n, without allocating. Returns what `stop` says.
Status sort(std::int64_t* numbers, std::size_t count, const Order& order);
template <typename Before>
void sort(std::span<std::int64_t> numbers, const Before& comes_before) {
  [[maybe_unused]] const Status done =
      sort(numbers.data(), numbers.size(),
           {[](const void* context, std::int64_t a, std::int64_t b) { return (*static_cast<const Before*>(context))(a, b); },
            &comes_before});
  assert(done);
}

// The key of a number, and its place in a row.
struct Ranked {
  std::uint64_t key;
  std::int64_t index;
};

// Sorts in time n: the highest key comes first, and equal keys stay in their order. `scratch` has room for the same number of
// items.
Status rank(std::span<Ranked> items, Ranked* scratch);

// Numbers that have keys, `step` bytes apart.
struct NumberRow {
  const std::byte* from;
  std::ptrdiff_t step;
  std::size_t size;
  Dtype dtype;
};

// The items that `find_highest` needs room for.
std::size_t room_of_highest(std::size_t count, std::size_t size);

// Writes the `count` highest numbers of a row, or with `is_lowest` the lowest ones, to the begin of `found`, in order. Of equal
// numbers, it takes the first ones. `count` must be 1 to the size of the row.
Status find_highest(Ranked* found, std::size_t count, const NumberRow& row, bool is_lowest);

}  // namespace broadloom
