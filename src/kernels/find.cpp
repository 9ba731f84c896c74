#include "kernels/find.h"

#include <cstring>

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

}  // namespace broadloom
