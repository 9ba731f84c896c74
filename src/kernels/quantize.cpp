#include "kernels/quantize.h"

namespace broadloom {

template <class T>
void quantize(std::byte* to, const std::byte* const* from, std::size_t count) {
  // From here on to the next power of two, the least step is 1, so that an addition rounds. Sums have integers in their low
  // bits.
  constexpr T magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  constexpr std::size_t step = lanes_of<T>;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto operand = [&](std::size_t k) { return load_lanes<T>(from[k] + i * sizeof(T)); };
    const Lanes<T> zero = operand(1);
    const Lanes<T> least = operand(2) - zero;
    const Lanes<T> greatest = operand(3) - zero;
    Lanes<T> x = operand(0);
    x = x > least ? x : least;
    x = x < greatest ? x : greatest;
    store_lanes(to + i * sizeof(T), x + magic + zero);
  }
  finish(quantize<T>, {4, sizeof(T), sizeof(T), step}, to, from, i, count);
}

template void quantize<float>(std::byte* to, const std::byte* const* from, std::size_t count);
template void quantize<double>(std::byte* to, const std::byte* const* from, std::size_t count);

void dequantize(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<float>;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto difference = load_lanes<std::int32_t>(from[0] + i * 4) - load_lanes<std::int32_t>(from[1] + i * 4);
    store_lanes(to + i * 4, __builtin_convertvector(difference, Lanes<float>) * load_lanes<float>(from[2] + i * 4));
  }
  finish(dequantize, {3, 4, 4, step}, to, from, i, count);
}

}  // namespace broadloom
