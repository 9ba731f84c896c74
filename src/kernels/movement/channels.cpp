#include "kernels/movement/channels.h"

#include <algorithm>
#include <bit>

#include "core/count.h"
#include "kernels/movement/square.h"

namespace broadloom {
namespace {

// A copy of the channels: what is stored could change the caller's, for all that a compiler knows.
template <bool apart, std::size_t... number>
void write_squares(std::byte* to, const std::byte* from, ChannelSquares channels, std::index_sequence<number...>) {
  const Vector lanes = load(channels.lanes);
  // A square may have more rows than there are channels. Such a row loads the first channel, and is not stored.
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
void write_squares(std::byte* to, const std::byte* from, const ChannelSquares& channels) {
  switch (channels.side) {
    case 2: return write_squares<apart>(to, from, channels, std::make_index_sequence<2>());
    case 4: return write_squares<apart>(to, from, channels, std::make_index_sequence<4>());
    default: return write_squares<apart>(to, from, channels, std::make_index_sequence<most_channels>());
  }
}

}  // namespace

ChannelSquares::ChannelSquares(const Plane& plane, std::size_t item_size, bool separates)
    : are_separated(separates), count(separates ? plane.rows : plane.columns), lanes() {
  const std::size_t pixels = separates ? plane.columns : plane.rows;
  const std::size_t pixel_bytes = separates ? in_memory(plane.from_step) : count * item_size;
  side = std::max<std::size_t>(std::bit_ceil(std::max(count, pixel_bytes / item_size)), 2);
  const std::size_t unit = vector_bytes / side;
  const std::size_t step = vector_bytes / item_size * pixel_bytes;
  const std::size_t part = step / side;
  from_vector = separates ? static_cast<std::ptrdiff_t>(part) : plane.from_step;
  to_vector = separates ? plane.to_step : static_cast<std::ptrdiff_t>(part);
  from_square = static_cast<std::ptrdiff_t>(separates ? step : vector_bytes);
  to_square = static_cast<std::ptrdiff_t>(separates ? vector_bytes : step);
  // The last vector of a square may have more than its part.
  const std::size_t bytes = (pixels - 1) * pixel_bytes + count * item_size;
  const std::size_t square_bytes = step - part + vector_bytes;
  squares = bytes < square_bytes ? 0 : (bytes - square_bytes) / step + 1;
  written = squares * (vector_bytes / item_size);
  for (std::size_t channel = 0; channel < count; ++channel) {
    for (std::size_t i = 0; i < unit; ++i) {
      const std::size_t of_unit = channel * unit + i;
      const std::size_t of_pixels = i / item_size * pixel_bytes + channel * item_size + i % item_size;
      lanes[separates ? of_unit : of_pixels] = static_cast<std::byte>(separates ? of_pixels : of_unit);
    }
  }
}

void ChannelSquares::write(std::byte* to, const std::byte* from) const {
  if (are_separated) {
    write_squares<true>(to, from, *this);
  } else {
    write_squares<false>(to, from, *this);
  }
}

}  // namespace broadloom
