#include "kernels/channels.h"

#include <algorithm>
#include <bit>

#include "kernels/square.h"

namespace broadloom {
namespace {

// A copy of the channels: what is stored could change the caller's, for all that a compiler knows.
template <bool apart, std::size_t... number>
void write_squares(std::byte* to, const std::byte* from, Channels channels, std::index_sequence<number...>) {
  const Vector lanes = load(channels.lanes);
  // Of channels that are none, the first one is loaded, and nothing stored.
  const std::ptrdiff_t offsets[] = {apart || number < channels.count ? times(number, channels.from_vector) : 0 ...};
  for (std::size_t left = channels.squares; left > 0; --left) {
    if constexpr (apart) {
      const auto rows = transposed(Square<sizeof...(number)>{{shuffle(load(from + offsets[number]), lanes)...}});
      ((number < channels.count ? store(to + times(number, channels.to_vector), rows.rows[number]) : void()), ...);
    } else {
      const auto columns = transposed(Square<sizeof...(number)>{{load(from + offsets[number])...}});
      (store(to + times(number, channels.to_vector), shuffle(columns.rows[number], lanes)), ...);
    }
    from += channels.from_square;
    to += channels.to_square;
  }
}

template <bool apart>
void write_squares(std::byte* to, const std::byte* from, const Channels& channels) {
  switch (channels.side) {
    case 2: return write_squares<apart>(to, from, channels, std::make_index_sequence<2>());
    case 4: return write_squares<apart>(to, from, channels, std::make_index_sequence<4>());
    default: return write_squares<apart>(to, from, channels, std::make_index_sequence<most_channels>());
  }
}

std::size_t side_of(std::size_t channels) { return std::max<std::size_t>(std::bit_ceil(channels), 2); }

// The number of windows of `bytes` bytes, one every `step` bytes, that fit into `all` bytes.
std::size_t steps(std::size_t all, std::size_t bytes, std::size_t step) { return all < bytes ? 0 : (all - bytes) / step + 1; }

}  // namespace

Channels interleaving(const Plane& plane, std::size_t item_size) {
  const std::size_t side = side_of(plane.columns);
  const std::size_t unit = vector_bytes / side;
  // The source's rows are the result's few columns, without gaps.
  const std::size_t row_bytes = plane.columns * item_size;
  const std::size_t step = vector_bytes * plane.columns;
  const std::size_t part = step / side;
  const std::size_t squares = steps(plane.rows * row_bytes, std::max(step, step - part + vector_bytes), step);
  Channels channels{.are_separated = false,
                    .count = plane.columns,
                    .side = side,
                    .from_vector = plane.from_step,
                    .to_vector = static_cast<std::ptrdiff_t>(part),
                    .from_square = vector_bytes,
                    .to_square = static_cast<std::ptrdiff_t>(step),
                    .squares = squares,
                    .written = squares * (vector_bytes / item_size),
                    .lanes = {}};
  for (std::size_t i = 0; i < part; ++i) {
    const std::size_t column = i % row_bytes / item_size;
    channels.lanes[i] = static_cast<std::byte>(column * unit + i / row_bytes * item_size + i % item_size);
  }
  return channels;
}

Channels separation(const Plane& plane, std::size_t item_size) {
  const auto from_step = static_cast<std::size_t>(plane.from_step);
  const std::size_t side = side_of(std::max(plane.rows, from_step / item_size));
  const std::size_t unit = vector_bytes / side;
  const std::size_t step = vector_bytes / item_size * from_step;
  const std::size_t part = step / side;
  const std::size_t bytes = (plane.columns - 1) * from_step + plane.rows * item_size;
  const std::size_t squares = steps(bytes, step - part + vector_bytes, step);
  Channels channels{.are_separated = true,
                    .count = plane.rows,
                    .side = side,
                    .from_vector = static_cast<std::ptrdiff_t>(part),
                    .to_vector = plane.to_step,
                    .from_square = static_cast<std::ptrdiff_t>(step),
                    .to_square = vector_bytes,
                    .squares = squares,
                    .written = squares * (vector_bytes / item_size),
                    .lanes = {}};
  for (std::size_t i = 0; i < plane.rows * unit; ++i) {
    channels.lanes[i] = static_cast<std::byte>(i / unit * item_size + i % unit / item_size * from_step + i % item_size);
  }
  return channels;
}

void write_channels(std::byte* to, const std::byte* from, const Channels& channels) {
  if (channels.are_separated) {
    write_squares<true>(to, from, channels);
  } else {
    write_squares<false>(to, from, channels);
  }
}

}  // namespace broadloom
