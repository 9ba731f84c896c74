#include "kernels/channels.h"

#include <algorithm>
#include <bit>

#include "kernels/square.h"

namespace broadloom {
namespace {

// Both go by squares of units of several items, and one shuffle puts items in order within each vector: of the source where
// channels are put apart, else of the result.
struct Streams {
  std::size_t channels;
  std::size_t side;
  // From vector to vector of a square, and from square to square.
  std::ptrdiff_t from_vector;
  std::ptrdiff_t to_vector;
  std::ptrdiff_t from_square;
  std::ptrdiff_t to_square;
  std::byte lanes[vector_bytes];
};

// A copy of the streams: what is stored could change the caller's, for all that a compiler knows.
template <bool apart, std::size_t... number>
void write_squares(std::byte* to, const std::byte* from, Streams streams, std::size_t count, std::index_sequence<number...>) {
  const Vector lanes = load(streams.lanes);
  // Of channels that are none, the first one is loaded, and nothing stored.
  const std::ptrdiff_t offsets[] = {apart || number < streams.channels ? times(number, streams.from_vector) : 0 ...};
  for (; count > 0; --count) {
    if constexpr (apart) {
      const auto rows = transposed(Square<sizeof...(number)>{{shuffle(load(from + offsets[number]), lanes)...}});
      ((number < streams.channels ? store(to + times(number, streams.to_vector), rows.rows[number]) : void()), ...);
    } else {
      const auto columns = transposed(Square<sizeof...(number)>{{load(from + offsets[number])...}});
      (store(to + times(number, streams.to_vector), shuffle(columns.rows[number], lanes)), ...);
    }
    from += streams.from_square;
    to += streams.to_square;
  }
}

template <bool apart>
void write_squares(std::byte* to, const std::byte* from, const Streams& streams, std::size_t count) {
  switch (streams.side) {
    case 2: return write_squares<apart>(to, from, streams, count, std::make_index_sequence<2>());
    case 4: return write_squares<apart>(to, from, streams, count, std::make_index_sequence<4>());
    default: return write_squares<apart>(to, from, streams, count, std::make_index_sequence<most_channels>());
  }
}

std::size_t side_of(std::size_t channels) { return std::max<std::size_t>(std::bit_ceil(channels), 2); }

// The number of windows of `bytes` bytes, one every `step` bytes, that fit into `all` bytes.
std::size_t steps(std::size_t all, std::size_t bytes, std::size_t step) { return all < bytes ? 0 : (all - bytes) / step + 1; }

}  // namespace

std::size_t interleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  const std::size_t side = side_of(plane.columns);
  const std::size_t unit = vector_bytes / side;
  // The source's rows are the result's few columns, without gaps.
  const std::size_t row_bytes = plane.columns * item_size;
  const std::size_t step = vector_bytes * plane.columns;
  const std::size_t part = step / side;
  Streams streams{plane.columns,
                  side,
                  plane.from_step,
                  static_cast<std::ptrdiff_t>(part),
                  vector_bytes,
                  static_cast<std::ptrdiff_t>(step),
                  {}};
  for (std::size_t i = 0; i < part; ++i) {
    const std::size_t column = i % row_bytes / item_size;
    streams.lanes[i] = static_cast<std::byte>(column * unit + i / row_bytes * item_size + i % item_size);
  }
  const std::size_t count = steps(plane.rows * row_bytes, std::max(step, step - part + vector_bytes), step);
  write_squares<false>(to, from, streams, count);
  return count * (vector_bytes / item_size);
}

std::size_t deinterleave(std::byte* to, const std::byte* from, const Plane& plane, std::size_t item_size) {
  const auto from_step = static_cast<std::size_t>(plane.from_step);
  const std::size_t side = side_of(std::max(plane.rows, from_step / item_size));
  const std::size_t unit = vector_bytes / side;
  const std::size_t step = vector_bytes / item_size * from_step;
  const std::size_t part = step / side;
  Streams streams{plane.rows,   side, static_cast<std::ptrdiff_t>(part), plane.to_step, static_cast<std::ptrdiff_t>(step),
                  vector_bytes, {}};
  for (std::size_t i = 0; i < plane.rows * unit; ++i) {
    streams.lanes[i] = static_cast<std::byte>(i / unit * item_size + i % unit / item_size * from_step + i % item_size);
  }
  const std::size_t bytes = (plane.columns - 1) * from_step + plane.rows * item_size;
  const std::size_t count = steps(bytes, step - part + vector_bytes, step);
  write_squares<true>(to, from, streams, count);
  return count * (vector_bytes / item_size);
}

}  // namespace broadloom
