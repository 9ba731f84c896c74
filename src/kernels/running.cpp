#include "kernels/running.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/limits.h"

namespace broadloom {
namespace {

// Rows that are walked along side by side.
constexpr std::size_t most_columns = 64;

template <class T, class Wide>
void run_columns(const Running& running, std::byte* to, const std::byte* from, const RowsOf& rows, std::size_t columns) {
  Wide sums[most_columns];
  // -0 keeps the sign of a zero. It is never a result itself.
  const double start = running.is_product ? 1 : running.is_exclusive ? 0 : -0.0;
  std::fill_n(sums, columns, static_cast<Wide>(start));
  for (std::size_t k = 0; k < rows.size && !Watch::is_over(static_cast<double>(columns)); ++k) {
    const std::size_t row = (running.is_reverse ? rows.size - 1 - k : k) * rows.inner * sizeof(T);
    for (std::size_t i = 0; i < columns; ++i) {
      T x;
      std::memcpy(&x, from + row + i * sizeof x, sizeof x);
      const Wide before = sums[i];
      sums[i] = running.is_product ? before * static_cast<Wide>(x) : before + static_cast<Wide>(x);
      x = static_cast<T>(running.is_exclusive ? before : sums[i]);
      std::memcpy(to + row + i * sizeof x, &x, sizeof x);
    }
  }
}

template <class T, class Wide>
void run_rows(const Running& running, std::byte* to, const std::byte* from, const RowsOf& rows) {
  for (std::size_t block = 0; block < rows.outer; ++block) {
    for (std::size_t first = 0; first < rows.inner; first += most_columns) {
      const std::size_t place = (block * rows.size * rows.inner + first) * sizeof(T);
      run_columns<T, Wide>(running, to + place, from + place, rows, std::min(most_columns, rows.inner - first));
    }
  }
}

}  // namespace

void run_along(const Running& running, Dtype dtype, std::byte* to, const std::byte* from, const RowsOf& rows) {
  if (dtype == Dtype::float32) {
    run_rows<float, double>(running, to, from, rows);
  } else if (dtype == Dtype::float64) {
    run_rows<double, double>(running, to, from, rows);
  } else {
    run_rows<std::uint64_t, std::uint64_t>(running, to, from, rows);
  }
}

}  // namespace broadloom
