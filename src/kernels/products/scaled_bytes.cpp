#include "kernels/products/scaled_bytes.h"

#include <cstdint>
#include <cstring>

#include "kernels/base/simd.h"
#include "kernels/movement/planes.h"

namespace broadloom {
namespace {

constexpr std::size_t width = panel_bytes / sizeof(float);

template <std::size_t half>
[[gnu::always_inline]] inline Lanes<float> floats_of(const Vector& words) {
  return __builtin_convertvector(as<Lanes<std::int32_t>>(extended<std::int32_t, std::int16_t, half>(words)), Lanes<float>);
}

}  // namespace

void write_scale_records(std::byte* to, const ByteScales& scales, std::size_t first, std::size_t columns) {
  const std::size_t panels = (columns + width - 1) / width;
  std::memset(to, 0, panels * scale_record);
  const bool is_unsigned = scales.dtype == Dtype::uint8;
  for (std::size_t i = 0; i < columns; ++i) {
    std::byte* const record = to + i / width * scale_record;
    std::memcpy(record + i % width * sizeof(float), scales.scales + times(first + i, scales.scale_step), sizeof(float));
    const std::byte zero = scales.zeros == nullptr ? std::byte{} : scales.zeros[times(first + i, scales.zero_step)];
    const int number = is_unsigned ? std::to_integer<std::uint8_t>(zero) - 128 : std::to_integer<std::int8_t>(zero);
    const auto word = static_cast<std::int16_t>(number);
    std::memcpy(record + panel_bytes + i % width * sizeof(word), &word, sizeof(word));
  }
}

void flip_bytes(std::byte* data, std::size_t count, Dtype dtype) {
  if (dtype != Dtype::uint8) return;
  for (std::size_t i = 0; i < count; ++i) data[i] ^= std::byte{0x80};
}

void widen_bytes(std::byte* to, std::size_t to_step, const std::byte* from, std::size_t from_step, std::size_t rows,
                 const std::byte* record) {
  const auto left = load_lanes<float>(record);
  const auto right = load_lanes<float>(record + vector_bytes);
  const auto zeros = load_lanes<std::uint16_t>(record + panel_bytes);
  for (std::size_t i = 0; i < rows; ++i, to += to_step, from += from_step) {
    const auto words = as<Vector>(as<Lanes<std::uint16_t>>(load_widened(from)) - zeros);
    store_lanes(to, floats_of<0>(words) * left);
    store_lanes(to + vector_bytes, floats_of<1>(words) * right);
  }
}

}  // namespace broadloom
