#include "kernels/elementwise/bytes.h"

#include <cstring>

#include "core/bits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// Signed bytes with 128 added are unsigned ones in the same order.
Vector without_signs(const Vector& bytes, std::uint8_t sign) { return as<Vector>(as<Lanes<std::uint8_t>>(bytes) ^ sign); }

// Four of sixteen bytes as numbers that are larger by `above`: as its low bits. The compiler converts lane by lane.
constexpr float above = 0x1p23F;
template <std::size_t quarter>
Lanes<float> numbers(const Vector& bytes) {
  const Vector words = extended<std::uint16_t, std::uint8_t, quarter / 2>(bytes);
  const Vector integers = extended<std::uint32_t, std::uint16_t, quarter % 2>(words);
  return as<Lanes<float>>(as<Lanes<std::uint32_t>>(integers) | bits_as<std::uint32_t>(above));
}

// The results for unsigned bytes, as the low bits of integers. Inlined, so that the numbers stay in registers.
template <std::size_t quarter>
[[gnu::always_inline]] inline Vector combined(const Vector& a, const Vector& b, const BytePair& how) {
  // From here on to the next power of two, the least step is 1, so that an addition rounds.
  constexpr float magic = 0x1.8p23F;
  const Lanes<float> x = numbers<quarter>(a) - (how.zeros[0] + above);
  const Lanes<float> y = numbers<quarter>(b) - (how.zeros[1] + above);
  Lanes<float> result = how.is_product ? x * y * how.scales[0] : x * how.scales[0] + y * how.scales[1];
  const Lanes<float> least = Lanes<float>{} - how.zeros[2];
  const Lanes<float> greatest = least + 255.0F;
  // In this form each is one instruction. A NaN becomes the least.
  result = least < result ? result : least;
  result = result < greatest ? result : greatest;
  return as<Vector>(result + magic + how.zeros[2]);
}

void combine_vectors(std::byte* to, const std::byte* a, const std::byte* b, std::size_t count, const BytePair& pair) {
  const BytePair how = pair;  // which `to` does not overlap
  const std::uint8_t sign = how.is_signed ? 0x80 : 0;
  for (std::size_t i = 0; i < count; i += vector_bytes) {
    const Vector x = without_signs(load(a + i), sign);
    const Vector y = without_signs(load(b + i), sign);
    const Vector first = first_halves<4>(combined<0>(x, y, how), combined<1>(x, y, how));
    const Vector second = first_halves<4>(combined<2>(x, y, how), combined<3>(x, y, how));
    store(to + i, without_signs(first_halves<2>(first, second), sign));
  }
}

}  // namespace

void replace_bytes(std::byte* to, const std::byte* from, const std::byte* table, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = table[std::to_integer<std::size_t>(from[i])];
}

void combine_bytes(std::byte* to, const std::byte* a, const std::byte* b, std::size_t count, const BytePair& pair) {
  BytePair how = pair;
  for (float& zero : how.zeros) zero += how.is_signed ? 128 : 0;
  const std::size_t whole = count / vector_bytes * vector_bytes;
  combine_vectors(to, a, b, whole, how);
  std::byte rest[3][vector_bytes] = {};
  std::memcpy(rest[0], a + whole, count - whole);
  std::memcpy(rest[1], b + whole, count - whole);
  combine_vectors(rest[2], rest[0], rest[1], vector_bytes, how);
  std::memcpy(to + whole, rest[2], count - whole);
}

}  // namespace broadloom
