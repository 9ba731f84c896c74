#include "kernels/products/blockwise.h"

#include <algorithm>

#include "core/limits.h"
#include "kernels/base/simd.h"
#include "kernels/movement/packed.h"
#include "kernels/products/tiles.h"

namespace broadloom {
namespace {

// The number of columns that are unpacked at a time: the panels of one tile.
constexpr std::size_t unpacked_columns = tile_panels * panel_bytes / sizeof(float);
constexpr std::size_t unpacked_row = tile_depth * sizeof(float);
constexpr std::size_t rows_at_a_time = 64;

template <std::size_t... quarter>
void write_sixteen(std::byte* to, const Vector& bytes, const Lanes<float>& zero, float scale, std::index_sequence<quarter...>) {
  const Vector halves[] = {extended<std::uint16_t, std::uint8_t, 0>(bytes), extended<std::uint16_t, std::uint8_t, 1>(bytes)};
  const auto write = [&](std::size_t i, const Vector& words) {
    const auto x = __builtin_convertvector(as<Lanes<std::int32_t>>(words), Lanes<float>);
    store_lanes(to + i * vector_bytes, (x - zero) * scale);
  };
  (write(quarter, extended<std::uint32_t, std::uint16_t, quarter % 2>(halves[quarter / 2])), ...);
}

// Writes elements `first` to `first + count` of a column as float32. There is room for a multiple of 16.
void unpack_column(std::byte* to, const BlockwiseWeights& weights, std::size_t column, std::size_t first, std::size_t count) {
  const std::size_t block_bytes = weights.block_size * weights.bits / 8;
  const std::size_t before = column * weights.blocks();
  alignas(vector_bytes) std::byte bytes[tile_depth];
  for (std::size_t done = 0; done < count;) {
    const std::size_t place = first + done;
    const std::size_t block = before + place / weights.block_size;
    const std::size_t in_block = place % weights.block_size;
    const std::size_t some = std::min(weights.block_size - in_block, count - done);
    const std::byte* from = weights.data + block * block_bytes;
    if (weights.bits == 8) {
      std::copy_n(from + in_block, some, bytes);
    } else {
      unpack(bytes, from, in_block, some, weights.bits);
    }
    const float zero = weights.zeros == nullptr ? static_cast<float>(1U << (weights.bits - 1)) : weights.zeros[block];
    for (std::size_t i = 0; i < some; i += vector_bytes) {
      write_sixteen(to + (done + i) * sizeof(float), load(bytes + i), Lanes<float>{} + zero, weights.scales[block],
                    std::make_index_sequence<4>());
    }
    done += some;
  }
}

}  // namespace

std::size_t blockwise_workspace_bytes() { return 2 * unpacked_columns * unpacked_row; }

Status multiply_blockwise(std::byte* to, const std::byte* a, std::size_t rows, const BlockwiseWeights& weights,
                          const std::byte* bias, std::byte* workspace) {
  const ItemTypes types(Dtype::float32);
  const WriteBlock write = write_block_of(Dtype::float32);
  std::byte* const panels = workspace + unpacked_columns * unpacked_row;
  const std::size_t pitch = weights.columns * sizeof(float);
  const std::size_t row_bytes = weights.sums * sizeof(float);
  constexpr auto panel_step = static_cast<std::ptrdiff_t>(panel_bytes);
  for (std::size_t x = 0; x < weights.columns; x += unpacked_columns) {
    const std::size_t width = std::min(unpacked_columns, weights.columns - x);
    for (std::size_t done = 0; done < weights.sums; done += tile_depth) {
      const std::size_t depth = std::min(tile_depth, weights.sums - done);
      BROADLOOM_CHECK(Watch::check(steps_of_products(rows + 8, width, depth)));
      for (std::size_t i = 0; i < width; ++i) unpack_column(workspace + i * unpacked_row, weights, x + i, done, depth);
      const Matrix matrix{workspace, static_cast<std::ptrdiff_t>(unpacked_row), sizeof(float)};
      pack_panels(panels, depth * panel_bytes, matrix, width, depth, types);
      const bool adds = done > 0;
      for (std::size_t y = 0; y < rows; y += rows_at_a_time) {
        const std::byte* at[rows_at_a_time];
        const std::size_t count = std::min(rows_at_a_time, rows - y);
        for (std::size_t i = 0; i < count; ++i) at[i] = a + (y + i) * row_bytes + done * sizeof(float);
        write({to + y * pitch + x * sizeof(float), pitch, adds, adds || bias == nullptr ? nullptr : bias + x * sizeof(float)},
              {at, count}, {panels, times(depth, panel_step), panel_step, width}, depth);
      }
    }
  }
  return {};
}

}  // namespace broadloom
