#include "kernels/find.h"

#include <cstring>

#include "kernels/convert.h"

namespace broadloom {
namespace {

void find_in_columns(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last) {
  constexpr std::size_t step = 8;
  for (std::size_t k = 0; k < rows.size; ++k) {
    const std::size_t number = is_last ? k : rows.size - 1 - k;
    const std::byte* row = marks + number * rows.inner;
    for (std::size_t i = 0; i < rows.inner; ++i) {
      // Most are false.
      std::uint64_t several = 0;
      while (i + step <= rows.inner) {
        std::memcpy(&several, row + i, step);
        if (several != 0) break;
        i += step;
      }
      if (i < rows.inner && row[i] != std::byte{0}) to[i] = static_cast<std::int64_t>(number);
    }
  }
}

}  // namespace

void find_marks(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last) {
  for (std::size_t block = 0; block < rows.outer; ++block) {
    if (rows.inner > 1) {
      find_in_columns(to, marks, rows, is_last);
    } else {
      std::size_t number = is_last ? rows.size - 1 : 0;
      while (marks[number] == std::byte{0}) number += is_last ? SIZE_MAX : 1;
      *to = static_cast<std::int64_t>(number);
    }
    to += rows.inner;
    marks += rows.size * rows.inner;
  }
}

void write_marks(std::byte* to, Dtype dtype, const std::int64_t* numbers, const RowsOf& rows) {
  const std::size_t size = item_size(dtype);
  const std::uint64_t one = round_to(dtype, 1);
  std::memset(to, 0, rows.outer * rows.size * rows.inner * size);
  for (std::size_t block = 0; block < rows.outer; ++block) {
    for (std::size_t i = 0; i < rows.inner; ++i) {
      const auto number = static_cast<std::size_t>(*numbers++);
      std::memcpy(to + (number * rows.inner + i) * size, &one, size);
    }
    to += rows.size * rows.inner * size;
  }
}

}  // namespace broadloom
