#include "kernels/fold.h"

#include <cstring>
#include <limits>
#include <utility>

#include "kernels/simd.h"

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

template <class T, class Op, class Of, std::size_t... i>
Lanes<T> lanes_of_row(const std::byte* from, const Lanes<T>& shift, std::size_t count, std::index_sequence<i...>) {
  constexpr std::size_t step = sizeof...(i) * lanes_of<T>;
  const Lanes<T> identity = Lanes<T>{} + Op::template identity<T>;
  // So many that no addition waits for the one before.
  Lanes<T> results[] = {(static_cast<void>(i), identity)...};
  for (; count >= step; count -= step, from += step * sizeof(T)) {
    ((results[i] = Op::of(results[i], Of::of(load_lanes<T>(from + i * vector_bytes), shift))), ...);
  }
  for (; count >= lanes_of<T>; count -= lanes_of<T>, from += vector_bytes) {
    results[0] = Op::of(results[0], Of::of(load_lanes<T>(from), shift));
  }
  if (count > 0) {
    std::byte last[vector_bytes];
    store_lanes(last, Of::padding(identity, shift));
    std::memcpy(last, from, count * sizeof(T));
    results[1] = Op::of(results[1], Of::of(load_lanes<T>(last), shift));
  }
  return Op::of(Op::of(Op::of(results[0], results[1]), Op::of(results[2], results[3])),
                Op::of(Op::of(results[4], results[5]), Op::of(results[6], results[7])));
}

template <class T, class Op, class Of>
void row(std::byte* to, const std::byte* from, const std::byte* shift, std::size_t count) {
  const auto lanes = as<Lanes<T>>(splat<sizeof(T)>(shift));
  Lanes<T> result = lanes_of_row<T, Op, Of>(from, lanes, count, std::make_index_sequence<8>());
  std::byte halves[2 * vector_bytes];
  store_lanes(halves + vector_bytes, result);
  for (std::size_t width = vector_bytes / 2; width >= sizeof(T); width /= 2) {
    store_lanes(halves, result);
    result = Op::of(result, load_lanes<T>(halves + width));
  }
  store_lanes(halves, result);
  std::memcpy(to, halves, sizeof(T));
}

template <class T, class Op>
void columns(std::byte* to, const std::byte* from, std::size_t step, std::size_t rows, std::size_t count) {
  std::size_t i = 0;
  for (; i + lanes_of<T> <= count; i += lanes_of<T>, to += vector_bytes, from += vector_bytes) {
    auto result = load_lanes<T>(to);
    const std::byte* element = from;
    for (std::size_t k = 0; k < rows; ++k, element += step) result = Op::of(result, load_lanes<T>(element));
    store_lanes(to, result);
  }
  for (; i < count; ++i, to += sizeof(T), from += sizeof(T)) {
    auto result = as<Lanes<T>>(splat<sizeof(T)>(to));
    const std::byte* element = from;
    for (std::size_t k = 0; k < rows; ++k, element += step) result = Op::of(result, as<Lanes<T>>(splat<sizeof(T)>(element)));
    std::memcpy(to, &result, sizeof(T));
  }
}

template <class T, class Op>
constexpr Fold fold{row<T, Op, AsItIs>, nullptr, columns<T, Op>};
template <class T>
constexpr Fold folds[] = {
    {row<T, Sum, AsItIs>, row<T, Sum, SquareOfRest>, columns<T, Sum>}, fold<T, Least>, fold<T, Greatest>, {}};

}  // namespace

Fold fold_of(Operation operation, Dtype dtype) {
  const std::size_t number = operation == Operation::add       ? 0
                             : operation == Operation::minimum ? 1
                             : operation == Operation::maximum ? 2
                                                               : 3;
  if (dtype == Dtype::float32) return folds<float>[number];
  if (dtype == Dtype::float64) return folds<double>[number];
  return {};
}

}  // namespace broadloom
