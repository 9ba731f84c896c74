#include "core/dims.h"

namespace broadloom {

void Dims::allocate_heap() { heap_ = new std::int64_t[size_]; }

void Dims::free_heap() { delete[] heap_; }

void Dims::copy_inline(std::int64_t* to, const std::int64_t* from) {
  static_assert(inline_capacity == 8);
  using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = std::int64_t;
  const auto* pairs = reinterpret_cast<const Pair*>(from);
  const Pair first = pairs[0];
  const Pair second = pairs[1];
  const Pair third = pairs[2];
  const Pair fourth = pairs[3];
  auto* copies = reinterpret_cast<Pair*>(to);
  copies[0] = first;
  copies[1] = second;
  copies[2] = third;
  copies[3] = fourth;
}

}  // namespace broadloom
