// Writes short rows. Each row takes its bytes from one vector of the source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/base/simd.h"

namespace broadloom {

// The plan of a row, which is used for many rows: each vector of the result is a shuffle of a vector of the source.
// Reversed sources end at the end of their vector.
class Spread {
 public:
  static constexpr std::size_t most_vectors = 8;
  static constexpr std::size_t most_source_bytes = vector_bytes;
  static constexpr std::size_t most_row_bytes = most_vectors * vector_bytes;

  // Unit i of a row, of `unit_bytes` bytes, is the one `offsets[i]` bytes after the start of the row's source; sources are
  // `source_bytes` long, and start `step` bytes apart. At most most_source_bytes and most_row_bytes.
  Spread(std::span<const std::uint8_t> offsets, std::size_t unit_bytes, std::size_t source_bytes, std::ptrdiff_t step);
  // Sources without gaps.
  Spread(std::span<const std::uint8_t> offsets, std::size_t unit_bytes, std::size_t source_bytes)
      : Spread(offsets, unit_bytes, source_bytes, static_cast<std::ptrdiff_t>(source_bytes)) {}

  // Writes `count` rows without gaps, each from its own source. The first source starts at `from`.
  void write(std::byte* to, const std::byte* from, std::size_t count) const;

 private:
  void write_groups(std::byte* to, const std::byte* from, std::size_t groups) const;
  template <std::size_t... number>
  void write_groups(std::byte* to, const std::byte* from, std::size_t groups, std::index_sequence<number...>) const;

  std::size_t source_bytes_;
  std::ptrdiff_t step_;
  std::size_t distance_;  // of one source from the next, whichever comes first
  std::size_t row_bytes_;
  // A group is the rows that are made from one vector and stored together. The last vector may be used in part.
  std::size_t rows_;
  std::size_t vectors_;
  std::byte lanes_[(most_vectors + 1) * vector_bytes];
};

}  // namespace broadloom
