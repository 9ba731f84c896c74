#include "kernels/reduce/running.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/limits.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

// Between looks at the time.
constexpr std::size_t items_at_once = 4096;

constexpr std::size_t most_columns = 64;

// Some elements as they are added, and back.
template <class T, class Wide>
Wide load_wide(const std::byte* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  return static_cast<Wide>(x);
}
template <class T, class Wide>
void store_wide(std::byte* to, const Wide& wide) {
  const auto x = static_cast<T>(wide);
  std::memcpy(to, &x, sizeof x);
}
template <class T, class Wide>
requires(sizeof(Wide) == vector_bytes) Wide load_wide(const std::byte* from) {
  if constexpr (std::is_same_v<Wide, Lanes<T>>) {
    return load_lanes<T>(from);
  } else {
    return as<Wide>(promote_first(splat<vector_bytes / 2>(from)));
  }
}
template <class T, class Wide>
requires(sizeof(Wide) == vector_bytes) void store_wide(std::byte* to, const Wide& wide) {
  constexpr bool is_same = std::is_same_v<Wide, Lanes<T>>;
  const Vector x = is_same ? as<Vector>(wide) : demoted(as<Vector>(wide));
  std::memcpy(to, &x, is_same ? vector_bytes : vector_bytes / 2);
}

// Walks along rows side by side, so that no addition waits for the one before. `Wide` is the sum of one row, or a vector with
// the sums of several; there are at most `most` of them. The next element of a row lies `step` bytes further, and the next row
// `gap` bytes.
template <class T, class Sum, class Wide, std::size_t most>
Status run_side_by_side(const RunningForm& running, std::byte* to, const std::byte* from, std::size_t size, std::size_t count,
                        std::size_t step, std::size_t gap) {
  // -0 keeps the sign of a zero. It is never a result itself.
  const auto start = static_cast<Sum>(running.is_product ? 1 : running.is_exclusive ? 0 : -0.0);
  Wide sums[most];
  for (std::size_t i = 0; i < count * sizeof(Wide); i += sizeof start) {
    std::memcpy(reinterpret_cast<std::byte*>(sums) + i, &start, sizeof start);
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (k % items_at_once == 0) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(std::min(items_at_once, size - k) * count)));
    }
    std::size_t at = (running.is_reverse ? size - 1 - k : k) * step;
    for (std::size_t i = 0; i < count; ++i, at += gap) {
      const Wide before = sums[i];
      const auto x = load_wide<T, Wide>(from + at);
      // The branch is the same for all: two loops would be no faster.
      sums[i] = running.is_product ? before * x : before + x;
      store_wide<T>(to + at, running.is_exclusive ? before : sums[i]);
    }
  }
  return {};
}

template <class T, class Sum>
Status run_rows(const RunningForm& running, std::byte* to, const std::byte* from, const RowsOf& rows) {
  constexpr std::size_t many = 8;
  constexpr std::size_t width = lanes_of<Sum>;
  constexpr auto run = run_side_by_side<T, Sum, Sum, many>;
  constexpr auto run_vectors = run_side_by_side<T, Sum, Lanes<Sum>, most_columns / width>;
  const std::size_t step = rows.inner * sizeof(T);
  const std::size_t block_bytes = rows.size * step;
  for (std::size_t block = 0, some = 1; block < rows.outer;
       block += some, to += some * block_bytes, from += some * block_bytes) {
    if (rows.inner == 1) {
      some = std::min(many, rows.outer - block);
      BROADLOOM_CHECK(run(running, to, from, rows.size, some, step, block_bytes));
      continue;
    }
    for (std::size_t first = 0; first < rows.inner;) {
      const std::size_t left = rows.inner - first;
      const std::size_t columns = left < width ? left : std::min(most_columns, left / width * width);
      const std::size_t at = first * sizeof(T);
      if (left < width) {
        BROADLOOM_CHECK(run(running, to + at, from + at, rows.size, columns, step, sizeof(T)));
      } else {
        BROADLOOM_CHECK(run_vectors(running, to + at, from + at, rows.size, columns / width, step, width * sizeof(T)));
      }
      first += columns;
    }
  }
  return {};
}

}  // namespace

Status run_along(const RunningForm& running, Dtype dtype, std::byte* to, const std::byte* from, const RowsOf& rows) {
  const bool is_narrow = item_size(dtype) == sizeof(std::uint32_t);
  const auto run = dtype == Dtype::float32   ? run_rows<float, double>
                   : dtype == Dtype::float64 ? run_rows<double, double>
                   : is_narrow               ? run_rows<std::uint32_t, std::uint32_t>
                                             : run_rows<std::uint64_t, std::uint64_t>;
  return run(running, to, from, rows);
}

}  // namespace broadloom
