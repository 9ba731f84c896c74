#include "kernels/order/find.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "kernels/elementwise/convert.h"

namespace broadloom {
namespace {

// How many bytes are looked at together: most marks are false.
constexpr std::size_t step = 8;

bool has_mark(const std::byte* marks) {
  std::uint64_t several;
  std::memcpy(&several, marks, step);
  return several != 0;
}

// The number of the first mark, or of the last; `size` without one.
std::size_t find_in_row(const std::byte* marks, std::size_t size, bool is_last) {
  if (is_last) {
    std::size_t end = size;
    while (end >= step && !has_mark(marks + end - step)) end -= step;
    while (end > 0 && marks[end - 1] == std::byte{0}) --end;
    return end == 0 ? size : end - 1;
  }
  std::size_t i = 0;
  while (i + step <= size && !has_mark(marks + i)) i += step;
  while (i < size && marks[i] == std::byte{0}) ++i;
  return i;
}

bool find_in_columns(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last) {
  std::fill_n(to, rows.inner, -1);
  for (std::size_t k = 0; k < rows.size; ++k) {
    const std::size_t number = is_last ? k : rows.size - 1 - k;
    const std::byte* row = marks + number * rows.inner;
    for (std::size_t i = 0; i < rows.inner; ++i) {
      while (i + step <= rows.inner && !has_mark(row + i)) i += step;
      if (i < rows.inner && row[i] != std::byte{0}) to[i] = static_cast<std::int64_t>(number);
    }
  }
  return std::find(to, to + rows.inner, -1) == to + rows.inner;
}

}  // namespace

bool find_marks(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last) {
  bool are_found = true;
  for (std::size_t block = 0; block < rows.outer && are_found; ++block) {
    if (rows.inner > 1) {
      are_found = find_in_columns(to, marks, rows, is_last);
    } else {
      const std::size_t number = find_in_row(marks, rows.size, is_last);
      are_found = number < rows.size;
      *to = static_cast<std::int64_t>(number);
    }
    to += rows.inner;
    marks += rows.size * rows.inner;
  }
  return are_found;
}

void write_marks(std::byte* to, Dtype dtype, const std::int64_t* numbers, const RowsOf& rows) {
  const std::size_t size = item_size(dtype);
  const std::uint64_t one = round_to(dtype, 1);
  std::memset(to, 0, rows.outer * rows.size * rows.inner * size);
  for (std::size_t block = 0; block < rows.outer; ++block) {
    for (std::size_t i = 0; i < rows.inner; ++i) {
      const auto number = in_memory(*numbers++);
      std::memcpy(to + (number * rows.inner + i) * size, &one, size);
    }
    to += rows.size * rows.inner * size;
  }
}

}  // namespace broadloom
