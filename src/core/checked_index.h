// The bounds of our own vectors. Where the standard library checks its own, in tests, these are checked as well.
#pragma once

#include <cstddef>

namespace broadloom {

inline std::size_t checked_index(std::size_t i, [[maybe_unused]] std::size_t size) {
#ifdef _GLIBCXX_ASSERTIONS
  if (i >= size) __builtin_trap();
#endif
  return i;
}

}  // namespace broadloom
