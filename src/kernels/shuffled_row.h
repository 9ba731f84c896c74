// Short rows that all take their bytes from the same places of their sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/simd.h"

namespace broadloom {

// The plan of a row, made once and used for each: every vector of the row is made of one or two vectors of the source.
class ShuffledRow {
 public:
  static constexpr std::size_t most_bytes = 1024;

  // Plans a row of 16 to most_bytes bytes: item i is the one `offsets[i]` bytes behind the row's source. False when some
  // vector's bytes do not lie within two vectors.
  bool plan(std::span<const std::ptrdiff_t> offsets, std::size_t item_size);

  // Writes `rows` rows without gaps; their sources lie `step` bytes apart. Nothing is read from `end` on.
  void write(std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows, const std::byte* end) const;

  std::size_t bytes() const { return bytes_; }

 private:
  enum class Kind : std::uint8_t { copy, one, two };

  struct Source {
    std::ptrdiff_t offset;
    Vector lanes;  // 16 and above: not from this source
  };
  struct Part {
    std::size_t at;  // where in the row
    Source first;
    Source second;
    Kind kind;
  };
  std::span<const Part> parts() const { return {parts_, part_count_}; }
  bool plan_part(Part& part, std::span<const std::ptrdiff_t> offsets, std::size_t item_size);

  // Writes one part of some rows; loads nothing from `end` on, unless it is null.
  void write_part(const Part& part, std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                  const std::byte* end) const;
  template <Kind kind>
  void write_part(const Part& part, std::byte* to, const std::byte* from, std::ptrdiff_t step, std::size_t rows,
                  const std::byte* end) const;

  std::size_t bytes_ = 0;
  std::size_t part_count_ = 0;
  std::ptrdiff_t reach_ = 0;  // the end of what a row loads
  Part parts_[most_bytes / vector_bytes];
};

}  // namespace broadloom
