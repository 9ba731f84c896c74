#include "core/dims.h"

namespace broadloom {

void Dims::allocate_heap() { data_ = new std::int64_t[size_]; }

void Dims::free_heap() { delete[] data_; }

void Dims::copy_inline(std::int64_t* to, const std::int64_t* from) {
  // Memcpy of so few bytes is a load.
  struct Pair {
    std::int64_t values[2];
  };
  static_assert(sizeof inline_ == 4 * sizeof(Pair));
  Pair first;
  Pair second;
  Pair third;
  Pair fourth;
  std::memcpy(&first, from, sizeof(Pair));
  std::memcpy(&second, from + 2, sizeof(Pair));
  std::memcpy(&third, from + 4, sizeof(Pair));
  std::memcpy(&fourth, from + 6, sizeof(Pair));
  std::memcpy(to, &first, sizeof(Pair));
  std::memcpy(to + 2, &second, sizeof(Pair));
  std::memcpy(to + 4, &third, sizeof(Pair));
  std::memcpy(to + 6, &fourth, sizeof(Pair));
}

}  // namespace broadloom
