#include "kernels/elementwise/quantize.h"

#include <algorithm>
#include <cmath>

namespace broadloom {
namespace {

// From here on to the next power of two, the least step is 1, so that an addition rounds. Sums have integers in their low bits.
template <class T>
constexpr T magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);

// In this form each bound is one instruction.
template <class Floats>
Floats clamped(Floats x, const Floats& least, const Floats& greatest) {
  x = least < x ? x : least;
  return x < greatest ? x : greatest;
}

}  // namespace

template <class T>
void quantize(std::byte* to, const std::byte* const* from, std::size_t count) {
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
    const Lanes<T> x = load_lanes<T>(dividends + at) / load_lanes<T>(divisors + at);
    store_lanes(to + at, clamped(x, least, greatest) + magic<T> + zero);
  }
  finish(quantize<T>, {5, sizeof(T), sizeof(T), step}, to, from, i, count);
}

template void quantize<float>(std::byte* to, const std::byte* const* from, std::size_t count);
template void quantize<double>(std::byte* to, const std::byte* const* from, std::size_t count);

void quantize_and_dequantize(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = lanes_of<float>;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto operand = [&](std::size_t number) { return load_lanes<float>(from[number] + i * sizeof(float)); };
    const Lanes<float> x = clamped<Lanes<float>>(operand(0) / operand(1), operand(2), operand(3));
    store_lanes(to + i * sizeof(float), (x + magic<float> - magic<float>)*operand(4));
  }
  finish(quantize_and_dequantize, {5, 4, 4, step}, to, from, i, count);
}

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

DynamicLevels dynamic_levels(float least, float greatest) {
  if (least > 0) least = 0;
  if (greatest < 0) greatest = 0;
  constexpr float most = 255;
  const float scale = least == greatest ? 1 : (greatest - least) / most;
  const float place = -least / scale;
  return {scale, std::nearbyint(place > 0 ? std::min(place, most) : 0)};
}

}  // namespace broadloom
