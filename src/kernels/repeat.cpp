#include "kernels/repeat.h"

#include <bit>

#include "kernels/copy.h"
#include "kernels/fill.h"
#include "kernels/simd.h"

namespace broadloom {
namespace {

template <std::size_t n>
using Numbers = std::make_index_sequence<n>;

// Which byte of the items becomes byte `byte` of the result.
constexpr std::size_t source_byte(std::size_t byte, std::size_t item_size, std::size_t times) {
  return byte / (item_size * times) * item_size + byte % item_size;
}

// ---- Few times: a vector of items becomes as many vectors as each is repeated times ----

// By constant shuffles: for items of 4 and 8 bytes these take one instruction each.
template <std::size_t item_size, std::size_t times, std::size_t number, std::size_t... byte>
Vector spread_part(Vector items, std::index_sequence<byte...>) {
  return shuffle(items, std::index_sequence<source_byte(number * vector_bytes + byte, item_size, times)...>());
}

template <std::size_t item_size, std::size_t... number>
void spread(std::byte* to, const std::byte* from, std::size_t vectors, std::index_sequence<number...>) {
  constexpr std::size_t times = sizeof...(number);
  for (; vectors > 0; --vectors) {
    const Vector items = load(from);
    (store(to + number * vector_bytes, spread_part<item_size, times, number>(items, Numbers<vector_bytes>())), ...);
    to += times * vector_bytes;
    from += vector_bytes;
  }
}

// By variable shuffles: 0.7 of the speed, for items of any size. A row of vectors for each item has half of that.
template <std::size_t... number>
void spread_by(const std::byte* lanes, std::byte* to, const std::byte* from, std::size_t vectors,
               std::index_sequence<number...>) {
  const Vector each_lanes[] = {load(lanes + number * vector_bytes)...};
  for (; vectors > 0; --vectors) {
    const Vector items = load(from);
    (store(to + number * vector_bytes, shuffle(items, each_lanes[number])), ...);
    to += sizeof...(number) * vector_bytes;
    from += vector_bytes;
  }
}

constexpr std::size_t most_spread = 7;

void spread_few(std::byte* to, const std::byte* from, std::size_t item_size, std::size_t vectors, std::size_t times) {
  switch (item_size * 16 + times) {
    case 0x42: return spread<4>(to, from, vectors, Numbers<2>());
    case 0x43: return spread<4>(to, from, vectors, Numbers<3>());
    case 0x44: return spread<4>(to, from, vectors, Numbers<4>());
    case 0x45: return spread<4>(to, from, vectors, Numbers<5>());
    case 0x82: return spread<8>(to, from, vectors, Numbers<2>());
    case 0x83: return spread<8>(to, from, vectors, Numbers<3>());
  }
  std::byte lanes[most_spread * vector_bytes];
  for (std::size_t i = 0; i < times * vector_bytes; ++i) lanes[i] = static_cast<std::byte>(source_byte(i, item_size, times));
  switch (times) {
    case 2: return spread_by(lanes, to, from, vectors, Numbers<2>());
    case 3: return spread_by(lanes, to, from, vectors, Numbers<3>());
    case 4: return spread_by(lanes, to, from, vectors, Numbers<4>());
    case 5: return spread_by(lanes, to, from, vectors, Numbers<5>());
    case 6: return spread_by(lanes, to, from, vectors, Numbers<6>());
    default: return spread_by(lanes, to, from, vectors, Numbers<most_spread>());
  }
}

// ---- More often: a row of vectors for each item ----

constexpr std::byte lanes_of_first_item(std::size_t item_size, std::size_t i) { return static_cast<std::byte>(i % item_size); }

template <std::size_t... i>
Vector load_lanes(std::size_t item_size, std::index_sequence<i...>) {
  static constexpr std::byte table[][vector_bytes] = {{lanes_of_first_item(1, i)...},
                                                      {lanes_of_first_item(2, i)...},
                                                      {lanes_of_first_item(4, i)...},
                                                      {lanes_of_first_item(8, i)...},
                                                      {lanes_of_first_item(16, i)...}};
  return load(table[std::countr_zero(item_size)]);
}

// Each item is loaded with what follows it, a whole vector. What the last vector of a row writes too far, the next row
// overwrites.
void write_rows(std::byte* to, const std::byte* from, std::size_t item_size, std::size_t count, std::size_t row_bytes) {
  const Vector lanes = load_lanes(item_size, Numbers<vector_bytes>());
  const std::size_t last = row_bytes < vector_bytes ? 0 : row_bytes - vector_bytes;
  for (; count > 0; --count) {
    const Vector pattern = shuffle(load(from), lanes);
    std::size_t i = 0;
    for (; i + 3 * vector_bytes < last; i += 4 * vector_bytes) {
      store(to + i, pattern);
      store(to + i + vector_bytes, pattern);
      store(to + i + 2 * vector_bytes, pattern);
      store(to + i + 3 * vector_bytes, pattern);
    }
    for (; i < last; i += vector_bytes) store(to + i, pattern);
    store(to + last, pattern);
    to += row_bytes;
    from += item_size;
  }
}

}  // namespace

void repeat_each(std::byte* to, const std::byte* from, std::size_t item_size, std::size_t count, std::size_t times) {
  constexpr std::size_t many = 256;               // fewer items are not worth a table of lanes
  constexpr std::size_t long_row = cached_block;  // is worth a fill of its own
  const std::size_t row_bytes = item_size * times;
  std::size_t done = 0;
  if (times <= most_spread && item_size < vector_bytes && count >= many) {
    const std::size_t vectors = count * item_size / vector_bytes;
    spread_few(to, from, item_size, vectors, times);
    done = vectors * vector_bytes / item_size;
  } else if (row_bytes < long_row) {
    // Not the items whose vector would reach beyond the last one. Rows are longer than items: no vector of the rows that
    // are left reaches beyond the last row.
    const std::size_t left_out = vector_bytes / item_size - 1;
    if (count > left_out) {
      done = count - left_out;
      write_rows(to, from, item_size, done, row_bytes);
    }
    if (row_bytes >= vector_bytes) {
      // The last items once more, where a vector can be loaded.
      std::byte last_items[2 * vector_bytes];
      copy_bytes(last_items, from + done * item_size, (count - done) * item_size);
      write_rows(to + done * row_bytes, last_items, item_size, count - done, row_bytes);
      return;
    }
  }
  for (; done < count; ++done) fill(to + done * row_bytes, from + done * item_size, item_size, times);
}

}  // namespace broadloom
