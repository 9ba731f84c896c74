#include "kernels/movement/spread.h"

#include <algorithm>

#include "core/count.h"
#include "kernels/movement/copy.h"

namespace broadloom {

Spread::Spread(std::span<const std::uint8_t> offsets, std::size_t unit_bytes, std::size_t source_bytes, std::ptrdiff_t step)
    : source_bytes_(source_bytes),
      step_(step),
      distance_(in_memory(step < 0 ? -step : step)),
      row_bytes_(offsets.size() * unit_bytes),
      rows_(distance_ == 0 || distance_ + source_bytes > vector_bytes
                ? 1
                : std::min((vector_bytes - source_bytes) / distance_ + 1, most_row_bytes / row_bytes_)),
      vectors_((rows_ * row_bytes_ + vector_bytes - 1) / vector_bytes) {
  // Units are written sixteen bytes wide, in their order: what is too much is overwritten by the next.
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::byte* to = lanes_;
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::size_t start = step < 0 ? vector_bytes - source_bytes - row * distance_ : row * distance_;
    for (const std::uint8_t offset : offsets) {
      const std::uint64_t low = 0x0706050403020100 + ones * (start + offset);
      const std::uint64_t high = low + ones * sizeof low;
      std::memcpy(to, &low, sizeof low);
      std::memcpy(to + sizeof low, &high, sizeof high);
      to += unit_bytes;
    }
  }
}

void Spread::write(std::byte* to, const std::byte* from, std::size_t count) const {
  if (count == 0) return;
  const auto steps = [](std::size_t bytes, std::size_t last, std::size_t step) {
    return bytes < last ? 0 : (bytes - last) / step + 1;
  };
  // The number of groups that neither load nor store beyond the end.
  const std::size_t sources = (count - 1) * distance_ + source_bytes_;
  const std::size_t groups = std::min(distance_ == 0 ? 0 : steps(sources, vector_bytes, rows_ * distance_),
                                      steps(count * row_bytes_, vectors_ * vector_bytes, rows_ * row_bytes_));
  const bool backwards = step_ < 0;
  write_groups(to, backwards ? from + source_bytes_ - vector_bytes : from, groups);
  for (std::size_t done = groups * rows_; done < count; done += rows_) {
    const std::size_t rows = std::min(rows_, count - done);
    const std::size_t bytes = (rows - 1) * distance_ + source_bytes_;
    const std::byte* first = from + static_cast<std::ptrdiff_t>(done) * step_;
    std::byte source[vector_bytes];
    std::byte result[most_row_bytes];
    copy_bytes(backwards ? source + vector_bytes - bytes : source, backwards ? first + source_bytes_ - bytes : first, bytes);
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
  const std::ptrdiff_t source_step = static_cast<std::ptrdiff_t>(rows_) * step_;
  const std::size_t step = rows_ * row_bytes_;
  for (; groups > 0; --groups) {
    const Vector source = load(from);
    (store(to + number * vector_bytes, shuffle(source, lanes[number])), ...);
    to += step;
    from += source_step;
  }
}

}  // namespace broadloom
