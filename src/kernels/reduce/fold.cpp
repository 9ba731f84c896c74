#include "kernels/reduce/fold.h"

#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/base/chosen.h"
#include "kernels/base/simd.h"
#include "kernels/base/uses.h"
#include "kernels/elementwise/operations.h"
#include "kernels/movement/copy.h"

namespace broadloom {
namespace {

struct Sum {
  template <class T>
  static constexpr T identity = 0;
  template <class L>
  static L of(const L& a, const L& b) {
    return a + b;
  }
};
struct Product {
  template <class T>
  static constexpr T identity = 1;
  template <class L>
  static L of(const L& a, const L& b) {
    return a * b;
  }
};
struct Least {
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::infinity();
  template <class L>
  static L of(const L& a, const L& b) {
    return min(a, b);
  }
};
struct Greatest {
  template <class T>
  static constexpr T identity = -std::numeric_limits<T>::infinity();
  template <class L>
  static L of(const L& a, const L& b) {
    return max(a, b);
  }
};

// The function applied to each element first, and the value that stands for a missing one.
struct AsItIs {
  template <class L>
  static L of(const L& x, const L&) {
    return x;
  }
  template <class L>
  static L padding(const L& identity, const L&) {
    return identity;
  }
};
struct SquareOfRest {
  template <class L>
  static L of(const L& x, const L& shift) {
    return (x - shift) * (x - shift);
  }
  template <class L>
  static L padding(const L&, const L& shift) {
    return shift;
  }
};

// The rest of a row goes on with the first vector.
template <class T, class Op, class Of>
[[gnu::noinline]] void add_rest(Lanes<T>* results, const std::byte* from, const Lanes<T>& shift, std::size_t count) {
  for (; count >= lanes_of<T>; count -= lanes_of<T>, from += vector_bytes, ++results) {
    *results = Op::of(*results, Of::of(load_lanes<T>(from), shift));
  }
  if (count == 0) return;
  std::byte last[vector_bytes];
  store_lanes(last, Of::padding(Lanes<T>{} + Op::template identity<T>, shift));
  std::memcpy(last, from, count * sizeof(T));
  *results = Op::of(*results, Of::of(load_lanes<T>(last), shift));
}

template <class T, class Op, class Of, std::size_t... i>
Lanes<T> lanes_of_row(const std::byte* from, const Lanes<T>& shift, std::size_t count, std::index_sequence<i...>) {
  constexpr std::size_t step = sizeof...(i) * lanes_of<T>;
  const Lanes<T> identity = Lanes<T>{} + Op::template identity<T>;
  // The results are several vectors, so that no addition waits for the one before.
  Lanes<T> results[] = {(static_cast<void>(i), identity)...};
  for (; count >= step; count -= step, from += step * sizeof(T)) {
    ((results[i] = Op::of(results[i], Of::of(load_lanes<T>(from + i * vector_bytes), shift))), ...);
  }
  if (count > 0) {
    Lanes<T> kept[] = {results[i]...};
    add_rest<T, Op, Of>(kept, from, shift, count);
    ((results[i] = kept[i]), ...);
  }
  return Op::of(Op::of(Op::of(results[0], results[1]), Op::of(results[2], results[3])),
                Op::of(Op::of(results[4], results[5]), Op::of(results[6], results[7])));
}

template <class T, class Op>
void write_combined(std::byte* to, Lanes<T> result) {
  std::byte halves[2 * vector_bytes];
  store_lanes(halves + vector_bytes, result);
  for (std::size_t width = vector_bytes / 2; width >= sizeof(T); width /= 2) {
    store_lanes(halves, result);
    result = Op::of(result, load_lanes<T>(halves + width));
  }
  store_lanes(halves, result);
  std::memcpy(to, halves, sizeof(T));
}

template <class T, class Op, class Of>
void row(std::byte* to, const std::byte* from, const std::byte* shift, std::size_t count) {
  const auto lanes = as<Lanes<T>>(splat<sizeof(T)>(shift));
  write_combined<T, Op>(to, lanes_of_row<T, Op, Of>(from, lanes, count, std::make_index_sequence<8>()));
}

// Instructions on integers take one cycle: one vector is enough.
template <class T, class Op>
void integer_row(std::byte* to, const std::byte* from, std::size_t count) {
  constexpr bool is_sum = std::is_same_v<Op, Sum>;
  // An element more than once is not part of a sum, and changes no extreme.
  std::byte last[vector_bytes] = {};
  if (!is_sum) store(last, splat<sizeof(T)>(to));
  if (is_sum) std::memcpy(last, to, sizeof(T));
  auto result = load_lanes<T>(last);
  for (; count >= lanes_of<T>; count -= lanes_of<T>, from += vector_bytes) result = Op::of(result, load_lanes<T>(from));
  if (count > 0) {
    if (is_sum) store(last, Vector{});
    copy_bytes(last, from, count * sizeof(T));
    result = Op::of(result, load_lanes<T>(last));
  }
  write_combined<T, Op>(to, result);
}

// Calls `function` for each vector of `bytes` bytes, with its offset and its number of bytes. The last vector may have fewer.
template <class Function>
void for_vectors(std::size_t bytes, Function function) {
  std::size_t at = 0;
  for (; at + vector_bytes <= bytes; at += vector_bytes) function(at, std::integral_constant<std::size_t, vector_bytes>());
  if (at < bytes) function(at, bytes - at);
}
template <class T, class Size>
Lanes<T> load_part(const std::byte* from, Size size) {
  if constexpr (std::is_same_v<Size, std::size_t>) {
    std::byte part[vector_bytes] = {};
    std::memcpy(part, from, size);
    return load_lanes<T>(part);
  } else {
    return load_lanes<T>(from);
  }
}
template <class T, class Size>
void store_part(std::byte* to, const Lanes<T>& lanes, Size size) {
  if constexpr (std::is_same_v<Size, std::size_t>) {
    std::byte part[vector_bytes];
    store_lanes(part, lanes);
    std::memcpy(to, part, size);
  } else {
    store_lanes(to, lanes);
  }
}

using Rows = const std::byte* const*;

// Combines the elements of some rows, one row after the other; unless `is_first`, with the elements at `to` first.
template <class T, class Op, bool is_first, std::size_t... i>
void add_rows(std::byte* to, Rows rows, std::size_t bytes, std::index_sequence<i...>) {
  for_vectors(bytes, [&](std::size_t at, auto size) {
    Lanes<T> result = load_part<T>(is_first ? rows[0] + at : to + at, size);
    ((static_cast<void>((!is_first || i > 0) && (result = Op::of(result, load_part<T>(rows[i] + at, size)), true))), ...);
    store_part<T>(to + at, result, size);
  });
}
template <class T, class Op, bool is_first>
void add_rows(std::byte* to, Rows rows, std::size_t count, std::size_t bytes) {
  if (count == 1) return add_rows<T, Op, is_first>(to, rows, bytes, std::make_index_sequence<1>());
  if (count == 2) return add_rows<T, Op, is_first>(to, rows, bytes, std::make_index_sequence<2>());
  if (count == 3) return add_rows<T, Op, is_first>(to, rows, bytes, std::make_index_sequence<3>());
  add_rows<T, Op, is_first>(to, rows, bytes, std::make_index_sequence<4>());
}

// The tree of the vectors of lanes_of_row for one lane of them: `rows` has 1, 2, 4 or 8 rows.
template <class T, class Op>
void combine_vectors(std::byte* to, Rows rows, std::size_t count, std::size_t bytes) {
  const auto at_row = [&](std::size_t i, std::size_t at, auto size) { return load_part<T>(rows[i] + at, size); };
  const auto pair = [&](std::size_t i, std::size_t at, auto size) {
    return Op::of(at_row(i, at, size), at_row(i + 1, at, size));
  };
  const auto four = [&](std::size_t at, auto size) { return Op::of(pair(0, at, size), pair(2, at, size)); };
  const auto write = [&](auto make) {
    for_vectors(bytes, [&](std::size_t at, auto size) { store_part<T>(to + at, make(at, size), size); });
  };
  if (count == 2) return write([&](std::size_t at, auto size) { return pair(0, at, size); });
  if (count == 4) return write([&](std::size_t at, auto size) { return four(at, size); });
  write([&](std::size_t at, auto size) { return Op::of(four(at, size), Op::of(pair(4, at, size), pair(6, at, size))); });
}

// The tree of the lanes. A sum begins with 0, so that it is never -0.
template <class T, class Op>
void combine_lanes(std::byte* to, Rows lanes, std::size_t bytes) {
  const Lanes<T> identity = Lanes<T>{} + Op::template identity<T>;
  for_vectors(bytes, [&](std::size_t at, auto size) {
    Lanes<T> result = Op::of(identity, load_part<T>(lanes[0] + at, size));
    if constexpr (lanes_of<T> == 4) {
      result = Op::of(result, load_part<T>(lanes[2] + at, size));
      result = Op::of(result, Op::of(load_part<T>(lanes[1] + at, size), load_part<T>(lanes[3] + at, size)));
    } else {
      result = Op::of(result, load_part<T>(lanes[1] + at, size));
    }
    store_part<T>(to + at, result, size);
  });
}

// A row is added in parts of `most_bytes`: the sums of all lanes then stay in the first-level cache.
template <class T>
constexpr std::size_t lane_count = 8 * lanes_of<T>;
constexpr std::size_t sum_bytes = std::size_t{16} * 1024;
template <class T>
constexpr std::size_t most_bytes = sum_bytes / lane_count<T>;
static_assert(most_bytes<float> >= Fold::most_dense);
constexpr std::size_t streams = 4;

// Combines the rows of all lanes, `rows` of them, 1 to lane_count.
template <class T, class Op>
void combine_all(std::byte* to, Rows rows, std::size_t count, std::size_t bytes) {
  constexpr std::size_t step = lanes_of<T>;
  alignas(16) std::byte lanes[step * most_bytes<T>];
  alignas(16) std::byte identity[most_bytes<T>];
  for (std::size_t i = 0; i < bytes; i += vector_bytes) store_lanes(identity + i, Lanes<T>{} + Op::template identity<T>);
  const std::size_t vectors = count > 4 * step ? 8 : count > 2 * step ? 4 : count > step ? 2 : 1;
  const std::byte* lane_rows[step];
  for (std::size_t lane = 0; lane < step; ++lane) {
    // Rows that are missing have the identity.
    const std::byte* row[8];
    for (std::size_t i = 0; i < vectors; ++i) row[i] = i * step + lane < count ? rows[i * step + lane] : identity;
    lane_rows[lane] = row[0];
    if (vectors == 1 || lane >= count) continue;
    combine_vectors<T, Op>(lanes + lane * most_bytes<T>, row, vectors, bytes);
    lane_rows[lane] = lanes + lane * most_bytes<T>;
  }
  combine_lanes<T, Op>(to, lane_rows, bytes);
}

template <class T, class Op>
void columns(std::byte* to, const std::byte* from, const std::ptrdiff_t* offsets, std::size_t rows, std::size_t count) {
  alignas(16) std::byte sums[sum_bytes];
  const std::byte* lanes[lane_count<T>];
  const std::size_t used = rows < lane_count<T> ? rows : lane_count<T>;
  for (std::size_t left = count * sizeof(T); left > 0;) {
    const std::size_t bytes = left < most_bytes<T> ? left : most_bytes<T>;
    for (std::size_t k = 0; k < used; ++k) lanes[k] = from + offsets[k];
    // Rows are read four at a time.
    for (std::size_t first = 0; rows > lane_count<T> && first < rows; first += streams * lane_count<T>) {
      for (std::size_t k = 0; k < lane_count<T> && first + k < rows; ++k) {
        const std::byte* taken[streams] = {};
        std::size_t some = 0;
        for (std::size_t i = first + k; some < streams && i < rows; i += lane_count<T>) taken[some++] = from + offsets[i];
        std::byte* sum = sums + k * most_bytes<T>;
        if (first > 0) {
          add_rows<T, Op, false>(sum, taken, some, bytes);
        } else if (some > 1) {
          add_rows<T, Op, true>(sum, taken, some, bytes);
          lanes[k] = sum;
        }
      }
    }
    combine_all<T, Op>(to, lanes, used, bytes);
    to += bytes;
    from += bytes;
    left -= bytes;
  }
}

// Reads lane_count rows, which lie one after the other, as one wide row.
template <class T, class Op>
void dense_columns(std::byte* to, const std::byte* from, std::size_t rows, std::size_t count) {
  alignas(16) std::byte sums[sum_bytes];
  const std::size_t bytes = count * sizeof(T);
  const std::size_t wide = lane_count<T> * bytes;
  if (rows < lane_count<T>) {
    const std::byte* lanes[lane_count<T>];
    for (std::size_t k = 0; k < rows; ++k) lanes[k] = from + k * bytes;
    return combine_all<T, Op>(to, lanes, rows, bytes);
  }
  bool is_first = true;
  for (std::size_t left = rows; left > 0; is_first = false) {
    const std::byte* taken[streams] = {};
    std::size_t some = 0;
    while (some < streams && left >= lane_count<T>) {
      taken[some++] = from;
      from += wide;
      left -= lane_count<T>;
    }
    if (some == 0) {
      taken[0] = from;
      add_rows<T, Op, false>(sums, taken, 1, left * bytes);
      break;
    }
    is_first ? add_rows<T, Op, true>(sums, taken, some, wide) : add_rows<T, Op, false>(sums, taken, some, wide);
  }
  // So are the rows of each vector.
  constexpr std::size_t step = lanes_of<T>;
  alignas(16) std::byte sum[step * most_bytes<T>];
  const std::byte* vectors[8];
  for (std::size_t i = 0; i < 8; ++i) vectors[i] = sums + i * step * bytes;
  combine_vectors<T, Op>(sum, vectors, 8, step * bytes);
  const std::byte* lanes[step];
  for (std::size_t i = 0; i < step; ++i) lanes[i] = sum + i * bytes;
  combine_lanes<T, Op>(to, lanes, bytes);
}

template <class T, class Op>
void combine(std::byte* to, const std::byte* with) {
  const Lanes<T> result = Op::of(as<Lanes<T>>(splat<sizeof(T)>(to)), as<Lanes<T>>(splat<sizeof(T)>(with)));
  std::memcpy(to, &result, sizeof(T));
}

template <class T>
constexpr Dtype dtype_of = std::is_same_v<T, float> ? Dtype::float32 : Dtype::float64;

template <class T, class Op, Operation operation>
constexpr Fold make_fold(Fold::Row squares = nullptr) {
  if constexpr (!chosen::has_fold(operation, dtype_of<T>)) return {};
  return {row<T, Op, AsItIs>, squares,        columns<T, Op>, dense_columns<T, Op>,
          lane_count<T>,      combine<T, Op>, operation,      sizeof(T)};
}
template <class T>
constexpr Fold folds[] = {make_fold<T, Sum, Operation::add>(row<T, Sum, SquareOfRest>),
                          make_fold<T, Product, Operation::multiply>(), make_fold<T, Least, Operation::minimum>(),
                          make_fold<T, Greatest, Operation::maximum>()};

template <class T>
Fold fold_for(Operation operation) {
  for (const Fold& fold : folds<T>) {
    if (fold.row == nullptr || fold.operation != operation) continue;
    check_fold(operation, dtype_of<T>);
    return fold;
  }
  return {};
}

struct RowOfIntegers {
  Operation operation;
  Dtype dtype;
  IntegerRow row;
};
template <Operation operation, Dtype dtype, class T, class Op>
constexpr RowOfIntegers row_of_integers{operation, dtype, chosen::has_fold(operation, dtype) ? integer_row<T, Op> : nullptr};
constexpr RowOfIntegers rows_of_integers[] = {
    row_of_integers<Operation::add, Dtype::int32, std::uint32_t, Sum>,
    row_of_integers<Operation::add, Dtype::int64, std::uint64_t, Sum>,
    row_of_integers<Operation::minimum, Dtype::int8, std::int8_t, operations::Minimum>,
    row_of_integers<Operation::minimum, Dtype::uint8, std::uint8_t, operations::Minimum>,
    row_of_integers<Operation::minimum, Dtype::int32, std::int32_t, operations::Minimum>,
    row_of_integers<Operation::maximum, Dtype::int8, std::int8_t, operations::Maximum>,
    row_of_integers<Operation::maximum, Dtype::uint8, std::uint8_t, operations::Maximum>,
    row_of_integers<Operation::maximum, Dtype::int32, std::int32_t, operations::Maximum>,
};

}  // namespace

IntegerRow integer_row_of(Operation operation, Dtype dtype) {
  for (const RowOfIntegers& one : rows_of_integers) {
    if (one.operation != operation || one.dtype != dtype) continue;
    check_fold(operation, dtype);
    return one.row;
  }
  return nullptr;
}

void Fold::all(std::byte* to, const std::byte* from, std::size_t count) const {
  static constexpr std::byte shift[8] = {};
  if (count <= most) return row(to, from, shift, count);
  const std::size_t half = first_half(count);
  alignas(8) std::byte rest[8];
  all(to, from, half);
  all(rest, from + half * item_size, count - half);
  combine(to, rest);
}

Fold fold_of(Operation operation, Dtype dtype) {
  if (dtype == Dtype::float32) return fold_for<float>(operation);
  if (dtype == Dtype::float64) return fold_for<double>(operation);
  return {};
}

}  // namespace broadloom
