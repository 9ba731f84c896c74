#include "kernels/order.h"

#include <cstring>

#include "kernels/simd.h"

namespace broadloom {
namespace {

// Of floating-point types: the bits of infinity, above which are those of NaNs.
std::uint64_t infinity_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float16: return 0x7C00;
    case Dtype::bfloat16: return 0x7F80;
    case Dtype::float32: return 0x7F800000;
    case Dtype::float64: return 0x7FF0000000000000;
    default: return 0;
  }
}

constexpr auto comes_before = [](const Ranked& a, const Ranked& b) {
  return a.key > b.key || (a.key == b.key && a.number < b.number);
};

}  // namespace

void order_keys(std::uint64_t* to, const std::byte* from, std::ptrdiff_t step, std::size_t count, Dtype dtype) {
  const DtypeInfo& type = info(dtype);
  const std::uint64_t infinity = infinity_of(dtype);
  const std::uint64_t sign = std::uint64_t{1} << (static_cast<unsigned>(type.bits) - 1U);
  // Signed numbers are in order when their sign bit is turned, floating-point ones if, of negative ones, all others are, too.
  const std::uint64_t turned = infinity != 0 || type.kind == DtypeKind::signed_integer ? sign : 0;
  with_item_size(item_size(dtype), [&]<std::size_t size>() {
    for (std::size_t i = 0; i < count; ++i, from += step) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, from, size < sizeof bits ? size : sizeof bits);
      if (infinity != 0) {
        const std::uint64_t magnitude = bits & (sign - 1);
        if (magnitude == 0 || magnitude > infinity) bits = magnitude == 0 ? 0 : sign - 1;
        if ((bits & sign) != 0) bits ^= sign - 1;
      }
      to[i] = bits ^ turned;
    }
  });
}

void Highest::add(std::span<const std::uint64_t> keys, std::uint64_t flip) {
  for (const std::uint64_t key : keys) {
    const Ranked one{key ^ flip, count_++};
    if (count_ <= places_.size()) {
      places_[count_ - 1] = one;
      if (count_ == places_.size()) make_heap(places_.data(), places_.size(), comes_before);
    } else if (one.key > places_[0].key) {
      places_[0] = one;
      sink(places_.data(), 0, places_.size(), comes_before);
    }
  }
}

void Highest::sort() { sort_heap(places_.data(), places_.size(), comes_before); }

}  // namespace broadloom
