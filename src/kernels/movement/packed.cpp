#include "kernels/movement/packed.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "core/count.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

// Calls a loop over many bytes that is compiled for this number of bits. Other code of this file is compiled once.
template <class Kernel>
void with_bits(std::size_t bits, Kernel kernel) {
  return bits == 4 ? kernel.template operator()<4>() : kernel.template operator()<2>();
}

// How many elements are in a byte, as a power of two.
unsigned log_per_byte(std::size_t bits) { return bits == 4 ? 1 : 2; }

std::byte element(const std::byte* from, std::size_t number, std::size_t bits) {
  const unsigned log = log_per_byte(bits);
  const std::size_t place = number & ((std::size_t{1} << log) - 1);
  return from[number >> log] >> (place * bits) & static_cast<std::byte>((1U << bits) - 1);
}

// The elements of a layout in their order, packed a block at a time.
class Packer {
 public:
  Packer(std::byte* to, const std::byte* from, std::size_t bits) : to_(to), from_(from), bits_(bits) {}

  void write(std::int64_t number, std::span<const Axis> axes) {
    const Axis& axis = axes.front();
    if (axes.size() == 1) return write_row(number, axis.stride, in_memory(axis.extent));
    for (std::int64_t i = 0; i < axis.extent; ++i) write(number + i * axis.stride, axes.subspan(1));
  }

  void finish() { pack(to_, block_, held_, bits_); }

 private:
  void write_row(std::int64_t number, std::int64_t stride, std::size_t count) {
    while (count > 0) {
      const std::size_t part = std::min(count, sizeof block_ - held_);
      std::byte* block = block_ + held_;
      if (stride == 1) {
        unpack(block, from_, in_memory(number), part, bits_);
        number += static_cast<std::int64_t>(part);
      } else {
        for (std::size_t i = 0; i < part; ++i, number += stride) block[i] = element(from_, in_memory(number), bits_);
      }
      held_ += part;
      count -= part;
      if (held_ < sizeof block_) continue;
      finish();
      to_ += sizeof block_ >> log_per_byte(bits_);
      held_ = 0;
    }
  }

  std::byte* to_;
  const std::byte* from_;
  std::size_t bits_;
  std::size_t held_ = 0;
  std::byte block_[1024];  // whole bytes of the result
};

// Where rows begin and end with bytes, bytes are moved. `axes` has at least one.
bool has_whole_bytes(std::int64_t offset, std::span<const Axis> axes, std::int64_t per) {
  if (offset % per != 0 || axes.back().stride != 1 || axes.back().extent % per != 0) return false;
  return std::all_of(axes.begin(), axes.end() - 1, [&](const Axis& axis) { return axis.stride % per == 0; });
}

void write_bytes(std::byte* to, const std::byte* from, std::span<const Axis> axes, std::int64_t per) {
  Layout layout{Dims(axes.size()), Dims(axes.size())};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    layout.dims[i] = axes[i].extent;
    layout.strides[i] = axes[i].stride / per;
  }
  layout.dims[axes.size() - 1] = axes.back().extent / per;
  layout.strides[axes.size() - 1] = 1;
  materialize(to, from, layout, 1);
}

// One element everywhere, also in the bits of the last byte that are then cleared.
void fill_packed(std::byte* to, std::byte element, std::size_t count, std::size_t bits) {
  const unsigned ones = 0xff / ((1U << bits) - 1);
  const auto byte = static_cast<std::byte>(std::to_integer<unsigned>(element) * ones);
  const std::size_t bytes = count >> log_per_byte(bits);
  fill(to, &byte, 1, bytes);
  const std::size_t left = count - (bytes << log_per_byte(bits));
  if (left > 0) to[bytes] = byte & static_cast<std::byte>((1U << (left * bits)) - 1);
}

// The halves of sixteen bytes, of each the low one first.
template <std::size_t... number>
void unpack_sixteen(std::byte* to, const std::byte* from, std::index_sequence<number...>) {
  constexpr std::size_t half = vector_bytes / 2;
  const auto bytes = load_lanes<std::uint8_t>(from);
  const auto low = as<Vector>(bytes & 15);
  const auto high = as<Vector>(bytes >> 4);
  store(to, shuffle(low, high, std::index_sequence<(number / 2 + number % 2 * vector_bytes)...>()));
  store(to + vector_bytes, shuffle(low, high, std::index_sequence<(half + number / 2 + number % 2 * vector_bytes)...>()));
}

}  // namespace

void unpack(std::byte* to, const std::byte* from, std::size_t first, std::size_t count, std::size_t bits) {
  with_bits(bits, [&]<std::size_t size>() {
    constexpr std::size_t per = 8 / size;
    constexpr std::byte mask{(1 << size) - 1};
    std::size_t i = 0;
    for (; i < count && (first + i) % per != 0; ++i) to[i] = element(from, first + i, size);
    const std::byte* bytes = from + (first + i) / per;
    for (; size == 4 && i + 2 * vector_bytes <= count; i += 2 * vector_bytes, bytes += vector_bytes) {
      unpack_sixteen(to + i, bytes, std::make_index_sequence<vector_bytes>());
    }
    for (; i + per <= count; i += per, ++bytes) {
      for (std::size_t j = 0; j < per; ++j) to[i + j] = *bytes >> (j * size) & mask;
    }
    for (; i < count; ++i) to[i] = element(from, first + i, size);
  });
}

void extend_signs(std::byte* elements, std::size_t count, std::size_t bits) {
  const auto sign = static_cast<std::uint8_t>(1U << (bits - 1));
  const auto extended = [&](const auto& bytes) { return (bytes ^ sign) - sign; };
  std::size_t i = 0;
  for (; i + vector_bytes <= count; i += vector_bytes) {
    store_lanes(elements + i, extended(load_lanes<std::uint8_t>(elements + i)));
  }
  for (; i < count; ++i) elements[i] = static_cast<std::byte>(extended(std::to_integer<int>(elements[i])));
}

void pack(std::byte* to, const std::byte* from, std::size_t count, std::size_t bits) {
  with_bits(bits, [&]<std::size_t size>() {
    constexpr std::size_t per = 8 / size;
    constexpr std::byte mask{(1 << size) - 1};
    for (; count > 0; ++to) {
      const std::size_t elements = std::min(count, per);
      std::byte byte{};
      for (std::size_t i = 0; i < elements; ++i) byte |= (from[i] & mask) << (i * size);
      *to = byte;
      from += elements;
      count -= elements;
    }
  });
}

void materialize_packed(std::byte* to, const std::byte* from, std::int64_t offset, const Layout& layout, std::size_t bits) {
  const std::int64_t count = layout.count();
  if (count == 0) return;
  const MergedAxes merged = merge_axes(layout);
  const std::span<const Axis> axes = merged.values();
  const std::int64_t per = std::int64_t{1} << log_per_byte(bits);
  if (axes.empty() || (axes.size() == 1 && axes[0].stride == 0)) {
    fill_packed(to, element(from, in_memory(offset), bits), in_memory(count), bits);
  } else if (has_whole_bytes(offset, axes, per)) {
    write_bytes(to, from + offset / per, axes, per);
  } else {
    Packer packer(to, from, bits);
    packer.write(offset, axes);
    packer.finish();
  }
}

}  // namespace broadloom
