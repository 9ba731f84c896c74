// Emscripten 3.1.6 has no std::bit_cast.
#pragma once

#include <cstring>

namespace broadloom {

// The bits of a value as another type of the same size.
template <class To, class From>
To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

}  // namespace broadloom
