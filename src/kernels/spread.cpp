#include "kernels/spread.h"

#include <algorithm>

#include "kernels/copy.h"

namespace broadloom {

Spread::Spread(std::span<const std::uint8_t> offsets, std::size_t unit_bytes, std::size_t source_bytes)
    : source_bytes_(source_bytes),
      row_bytes_(offsets.size() * unit_bytes),
      rows_(std::min(vector_bytes / source_bytes, most_row_bytes / row_bytes_)),
      vectors_((rows_ * row_bytes_ + vector_bytes - 1) / vector_bytes) {
  // Units are written sixteen bytes wide, in their order: what is too much is overwritten by the next.
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::byte* to = lanes_;
  for (std::size_t row = 0; row < rows_; ++row) {
    for (const std::uint8_t offset : offsets) {
      const std::uint64_t low = 0x0706050403020100 + ones * (row * source_bytes + offset);
      const std::uint64_t high = low + ones * sizeof low;
      std::memcpy(to, &low, sizeof low);
      std::memcpy(to + sizeof low, &high, sizeof high);
      to += unit_bytes;
    }
  }
}

void Spread::write(std::byte* to, const std::byte* from, std::size_t count) const {
  const auto steps = [](std::size_t bytes, std::size_t last, std::size_t step) {
    return bytes < last ? 0 : (bytes - last) / step + 1;
  };
  // As many as neither load nor store beyond the end.
  const std::size_t groups = std::min(steps(count * source_bytes_, vector_bytes, rows_ * source_bytes_),
                                      steps(count * row_bytes_, vectors_ * vector_bytes, rows_ * row_bytes_));
  write_groups(to, from, groups);
  for (std::size_t done = groups * rows_; done < count; done += rows_) {
    const std::size_t rows = std::min(rows_, count - done);
    std::byte source[vector_bytes];
    std::byte result[most_row_bytes];
    copy_bytes(source, from + done * source_bytes_, rows * source_bytes_);
    write_groups(result, source, 1);
    copy_bytes(to + done * row_bytes_, result, rows * row_bytes_);
  }
}

void Spread::write_groups(std::byte* to, const std::byte* from, std::size_t groups) const {
  switch (vectors_) {
    case 1: return write_groups(to, from, groups, std::make_index_sequence<1>());
    case 2: return write_groups(to, from, groups, std::make_index_sequence<2>());
    case 3: return write_groups(to, from, groups, std::make_index_sequence<3>());
    case 4: return write_groups(to, from, groups, std::make_index_sequence<4>());
    case 5: return write_groups(to, from, groups, std::make_index_sequence<5>());
    case 6: return write_groups(to, from, groups, std::make_index_sequence<6>());
    case 7: return write_groups(to, from, groups, std::make_index_sequence<7>());
    default: return write_groups(to, from, groups, std::make_index_sequence<most_vectors>());
  }
}

template <std::size_t... number>
void Spread::write_groups(std::byte* to, const std::byte* from, std::size_t groups, std::index_sequence<number...>) const {
  const Vector lanes[] = {load(lanes_ + number * vector_bytes)...};
  const std::size_t source_step = rows_ * source_bytes_;
  const std::size_t step = rows_ * row_bytes_;
  for (; groups > 0; --groups) {
    const Vector source = load(from);
    (store(to + number * vector_bytes, shuffle(source, lanes[number])), ...);
    to += step;
    from += source_step;
  }
}

}  // namespace broadloom
