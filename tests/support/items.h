// Vectors of items, as kernels read and write them.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "support/random.h"

namespace broadloom::test {

template <class T>
const std::byte* address(const std::vector<T>& items) {
  return reinterpret_cast<const std::byte*>(items.data());
}
template <class T>
std::byte* address(std::vector<T>& items) {
  return reinterpret_cast<std::byte*>(items.data());
}

// Random items from `low` to `high`.
template <class T>
std::vector<T> random_items(Random& random, std::size_t count, double low, double high) {
  std::vector<T> items(count);
  for (T& item : items) {
    if constexpr (std::is_integral_v<T>) {
      item = static_cast<T>(random.between(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
    } else {
      item = static_cast<T>(random.real(low, high));
    }
  }
  return items;
}

// Whether two vectors have the same bits.
template <class T>
bool have_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace broadloom::test
