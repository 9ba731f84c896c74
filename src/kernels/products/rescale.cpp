#include "kernels/products/rescale.h"

#include <cstring>

#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// FourColumns columns at a time.
using FourColumns = Lanes<float>;
constexpr std::size_t four = lanes_of<float>;

FourColumns scaled(const std::byte* sums, const std::byte* scales) {
  return __builtin_convertvector(load_lanes<std::int32_t>(sums), FourColumns) * load_lanes<float>(scales);
}

struct Bounds {
  FourColumns least;
  FourColumns greatest;
  FourColumns zero;
};

// The bytes of four integers.
std::uint32_t quantised(FourColumns x, const Bounds& bounds) {
  // From here on to the next power of two, the least step is 1: an addition rounds, and sums have integers in their low bits.
  constexpr float magic = 0x1.8p23F;
  // A NaN becomes the least.
  x = bounds.least < x ? x : bounds.least;
  x = x < bounds.greatest ? x : bounds.greatest;
  const auto halves = first_halves<4>(as<Vector>(x + magic + bounds.zero), as<Vector>(x));
  return as<Lanes<std::uint32_t>>(first_halves<2>(halves, halves))[0];
}

}  // namespace

void Rescaling::run(std::byte* result, const std::byte* sums, std::size_t rows, std::size_t columns) const {
  const auto* const factors = reinterpret_cast<const std::byte*>(scales);
  const auto* const added = reinterpret_cast<const std::byte*>(bias);
  const bool is_float = to == Dtype::float32;
  const std::size_t size = is_float ? sizeof(float) : 1;
  const FourColumns zeros = FourColumns{} + zero;
  const float low = to == Dtype::int8 ? -128 : 0;
  const Bounds bounds{low - zeros, low + 255 - zeros, zeros};
  alignas(vector_bytes) std::byte last[3][vector_bytes] = {};
  const std::size_t whole = columns / four * four;
  const std::size_t rest = columns - whole;
  std::memcpy(last[0], factors + whole * 4, rest * 4);
  const auto write = [&](std::byte* at, FourColumns x, std::size_t column) {
    if (!is_float) {
      const std::uint32_t bytes = quantised(x, bounds);
      std::memcpy(at, &bytes, sizeof bytes);
    } else {
      store_lanes(at, added == nullptr ? x : x + load_lanes<float>(added + column * 4));
    }
  };
  for (std::size_t row = 0; row < rows; ++row, result += columns * size, sums += columns * 4) {
    for (std::size_t i = 0; i < whole; i += four) write(result + i * size, scaled(sums + i * 4, factors + i * 4), i);
    if (rest == 0) continue;
    std::memcpy(last[1], sums + whole * 4, rest * 4);
    write(last[2], scaled(last[1], last[0]), whole);
    std::memcpy(result + whole * size, last[2], rest * size);
  }
}

}  // namespace broadloom
