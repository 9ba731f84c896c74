#include "kernels/quantize.h"

namespace broadloom {

template <class T>
void quantize(std::byte* to, const std::byte* const* from, std::size_t count) {
  // From here on to the next power of two, the least step is 1, so that an addition rounds. Sums have integers in their low
  // bits.
  constexpr T magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  constexpr std::size_t step = lanes_of<T>;
  const std::byte* const dividends = from[0];
  const std::byte* const divisors = from[1];
  const std::byte* const zeros = from[2];
  const std::byte* const lows = from[3];
  const std::byte* const highs = from[4];
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const std::size_t at = i * sizeof(T);
    const auto zero = load_lanes<T>(zeros + at);
    const Lanes<T> least = load_lanes<T>(lows + at) - zero;
    const Lanes<T> greatest = load_lanes<T>(highs + at) - zero;
    Lanes<T> x = load_lanes<T>(dividends + at) / load_lanes<T>(divisors + at);
    // In this form each is one instruction.
    x = least < x ? x : least;
    x = x < greatest ? x : greatest;
    store_lanes(to + at, x + magic + zero);
  }
  finish(quantize<T>, {5, sizeof(T), sizeof(T), step}, to, from, i, count);
}

template void quantize<float>(std::byte* to, const std::byte* const* from, std::size_t count);
template void quantize<double>(std::byte* to, const std::byte* const* from, std::size_t count);

void dequantize(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<float>;
  const std::byte* const elements = from[0];
  const std::byte* const zeros = from[1];
  const std::byte* const scales = from[2];
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto difference = load_lanes<std::int32_t>(elements + i * 4) - load_lanes<std::int32_t>(zeros + i * 4);
    store_lanes(to + i * 4, __builtin_convertvector(difference, Lanes<float>) * load_lanes<float>(scales + i * 4));
  }
  finish(dequantize, {3, 4, 4, step}, to, from, i, count);
}

}  // namespace broadloom
