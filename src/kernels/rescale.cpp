#include "kernels/rescale.h"

#include <cstring>

#include "kernels/simd.h"

namespace broadloom {
namespace {

// FourColumns columns at a time.
using FourColumns = Lanes<float>;
constexpr std::size_t four = lanes_of<float>;

FourColumns scaled(const std::byte* sums, const std::byte* scales) {
  return __builtin_convertvector(load_lanes<std::int32_t>(sums), FourColumns) * load_lanes<float>(scales);
}

struct AsNumbers {
  static constexpr std::size_t item_size = sizeof(float);
  const std::byte* bias;

  void write(std::byte* to, const FourColumns& x, std::size_t column) const {
    store_lanes(to, bias == nullptr ? x : x + load_lanes<float>(bias + column * sizeof(float)));
  }
};

struct AsIntegers {
  static constexpr std::size_t item_size = 1;
  FourColumns least;
  FourColumns greatest;
  FourColumns zero;

  void write(std::byte* to, FourColumns x, std::size_t) const {
    // From here on to the next power of two, the least step is 1: an addition rounds, and sums have integers in their low bits.
    constexpr float magic = 0x1.8p23F;
    // A NaN becomes the least.
    x = least < x ? x : least;
    x = x < greatest ? x : greatest;
    const auto halves = first_halves<4>(as<Vector>(x + magic + zero), as<Vector>(x));
    const auto bytes = as<Lanes<std::uint32_t>>(first_halves<2>(halves, halves));
    const std::uint32_t first = bytes[0];
    std::memcpy(to, &first, sizeof first);
  }
};

template <class Write>
void write_scaled(std::byte* to, const std::byte* sums, const std::byte* scales, std::size_t rows, std::size_t columns,
                  const Write& how) {
  alignas(vector_bytes) std::byte last[3][vector_bytes] = {};
  constexpr std::size_t size = Write::item_size;
  const std::size_t whole = columns / four * four;
  const std::size_t rest = columns - whole;
  std::memcpy(last[0], scales + whole * 4, rest * 4);
  for (std::size_t row = 0; row < rows; ++row, to += columns * size, sums += columns * 4) {
    for (std::size_t i = 0; i < whole; i += four) how.write(to + i * size, scaled(sums + i * 4, scales + i * 4), i);
    if (rest == 0) continue;
    std::memcpy(last[1], sums + whole * 4, rest * 4);
    how.write(last[2], scaled(last[1], last[0]), whole);
    std::memcpy(to + whole * size, last[2], rest * size);
  }
}

}  // namespace

void Rescaling::run(std::byte* result, const std::byte* sums, std::size_t rows, std::size_t columns) const {
  const auto* const factors = reinterpret_cast<const std::byte*>(scales);
  if (to == Dtype::float32) {
    return write_scaled(result, sums, factors, rows, columns, AsNumbers{reinterpret_cast<const std::byte*>(bias)});
  }
  const float low = to == Dtype::int8 ? -128 : 0;
  const FourColumns zeros = FourColumns{} + zero;
  write_scaled(result, sums, factors, rows, columns, AsIntegers{low - zeros, low + 255 - zeros, zeros});
}

}  // namespace broadloom
