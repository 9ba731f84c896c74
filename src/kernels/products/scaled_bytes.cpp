#include "kernels/products/scaled_bytes.h"

#include <cstdint>
#include <cstring>

#include "kernels/base/simd.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

constexpr std::size_t width = panel_bytes / sizeof(float);

// 2^23, to which a byte adds its number where it is the lowest one of the float. So bytes become floats by a shuffle, and lose
// 2^23 with their zero point, exactly. By conversions of integers, filters of 512 times 512 took 1.15 times as long.
constexpr float base = 0x1p23F;
constexpr std::uint16_t high_half = 0x4B00;

}  // namespace

void write_scale_records(std::byte* to, const ByteScales& scales, std::size_t first, std::size_t columns) {
  const std::size_t panels = (columns + width - 1) / width;
  std::memset(to, 0, panels * scale_record);
  for (std::size_t i = 0; i < columns; ++i) {
    std::byte* const at = to + i / width * scale_record + i % width * sizeof(float);
    std::memcpy(at, scales.scales + times(first + i, scales.scale_step), sizeof(float));
    std::byte zero = scales.zeros == nullptr ? std::byte{} : scales.zeros[times(first + i, scales.zero_step)];
    flip_bytes(&zero, 1, scales.dtype);
    const float number = base + static_cast<float>(std::to_integer<std::uint8_t>(zero));
    std::memcpy(at + panel_bytes, &number, sizeof(number));
  }
}

void flip_bytes(std::byte* data, std::size_t count, Dtype dtype) {
  if (dtype == Dtype::uint8) return;
  for (std::size_t i = 0; i < count; ++i) data[i] ^= std::byte{0x80};
}

void widen_bytes(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step, std::size_t rows,
                 const std::byte* record) {
  const auto left = load_lanes<float>(record);
  const auto right = load_lanes<float>(record + vector_bytes);
  const auto left_zeros = load_lanes<float>(record + panel_bytes);
  const auto right_zeros = load_lanes<float>(record + panel_bytes + vector_bytes);
  const Vector high = splat<sizeof(high_half)>(reinterpret_cast<const std::byte*>(&high_half));
  for (std::size_t i = 0; i < rows; ++i, to += to_step, from += from_step) {
    const auto words = as<Vector>(as<Lanes<std::uint16_t>>(load_widened(from)) & 0xFF);
    const Vector low = shuffle(words, high, std::index_sequence<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>());
    const Vector last =
        shuffle(words, high, std::index_sequence<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>());
    store_lanes(to, (as<Lanes<float>>(low) - left_zeros) * left);
    store_lanes(to + vector_bytes, (as<Lanes<float>>(last) - right_zeros) * right);
  }
}

}  // namespace broadloom
