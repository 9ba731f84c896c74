#include "kernels/elementwise/loops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/count.h"
#include "kernels/base/chosen.h"
#include "kernels/base/uses.h"
#include "kernels/elementwise/convert.h"
#include "kernels/elementwise/functions.h"
#include "kernels/elementwise/operations.h"

namespace broadloom {
namespace {

using namespace operations;

// ---- Loops over vectors ----

// The masks of comparisons, one for each lane of `width` bytes of a vector.
template <class T, class Op, std::size_t width, class... From>
Vector masks(From... from) {
  if constexpr (width == sizeof(T)) {
    return as<Vector>(Op::of(load_lanes<T>(from)...));
  } else {
    constexpr std::size_t next = vector_bytes / (2 * width) * sizeof(T);
    return first_halves<2 * width>(masks<T, Op, 2 * width>(from...), masks<T, Op, 2 * width>(from + next...));
  }
}

// Bools: comparisons of two operands, numbered 0 and 1, or of one with a constant.
template <class T, class Op, std::size_t... operand>
void bools(std::byte* to, const std::byte* const* from, std::size_t count) {
  constexpr std::size_t step = vector_bytes;
  std::size_t i = 0;
  for (; i + step <= count; i += step) {
    const auto bytes = as<Lanes<std::uint8_t>>(masks<T, Op, 1>(from[operand] + i * sizeof(T)...));
    store_lanes(to + i, bytes & 1);
  }
  finish(bools<T, Op, operand...>, {sizeof...(operand), sizeof(T), 1, step}, to, from, i, count);
}
template <class T, class Op>
constexpr InnerLoop comparison = bools<T, Op, 0, 1>;
template <class T, class Op>
constexpr InnerLoop test = bools<T, Op, 0>;

// Operations without a SIMD instruction.
template <class T, class Op>
void scalar(std::byte* to, const std::byte* const* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T a;
    T b;
    std::memcpy(&a, from[0] + i * sizeof(T), sizeof(T));
    std::memcpy(&b, from[1] + i * sizeof(T), sizeof(T));
    const T result = Op::of(a, b);
    std::memcpy(to + i * sizeof(T), &result, sizeof(T));
  }
}

// ---- The table ----

// By computed type. nullptr for 8- and 16-bit integers: they are computed in int32, with the loop of the last column if there
// is one.
constexpr Dtype columns[] = {Dtype::float32, Dtype::float64, Dtype::int8,   Dtype::int16,  Dtype::int32, Dtype::int64,
                             Dtype::uint8,   Dtype::uint16,  Dtype::uint32, Dtype::uint64, Dtype::int32};
constexpr std::size_t small_integers = std::size(columns) - 1;
using Row = std::array<InnerLoop, std::size(columns)>;

using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using I64 = std::int64_t;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Loops that serve signed and unsigned integers: the results have the same bits.
template <template <class, class> class Over, class Op>
constexpr Row of_integers() {
  constexpr InnerLoop loops[] = {Over<U8, Op>::loop, Over<U16, Op>::loop, Over<U32, Op>::loop, Over<U64, Op>::loop};
  return {nullptr, nullptr, loops[0], loops[1], loops[2], loops[3], loops[0], loops[1], loops[2], loops[3]};
}
template <template <class, class> class Over, class Op>
constexpr Row of_numbers() {
  Row row = of_integers<Over, Op>();
  row[0] = Over<float, Op>::loop;
  row[1] = Over<double, Op>::loop;
  return row;
}
template <class T, class Op>
struct OverBinary {
  static constexpr InnerLoop loop = binary < T, Op, std::is_same_v<T, float> ? 4 : 1 > ;
};
template <class T, class Op>
struct OverComparison {
  static constexpr InnerLoop loop = comparison<T, Op>;
};
template <class T, class Op>
struct OverUnary {
  static constexpr InnerLoop loop = unary<T, Op>;
};

template <class Op>
constexpr Row wrapping = of_numbers<OverBinary, Op>();

constexpr Row product() {
  Row row{binary<float, Multiply, 4>, binary<double, Multiply>, binary<U8, MultiplyBytes>,
          binary<U16, Multiply>,      binary<U32, Multiply>,    binary<U64, Multiply>};
  for (std::size_t i = 6; i < small_integers; ++i) row[i] = row[i - 4];
  return row;
}

template <class Op>
constexpr Row integer_division(InnerLoop of_float, InnerLoop of_double, InnerLoop of_small = nullptr) {
  return {of_float, of_double, nullptr,         nullptr,         scalar<I32, Op>, scalar<I64, Op>,
          nullptr,  nullptr,   scalar<U32, Op>, scalar<U64, Op>, of_small};
}

template <class Op>
constexpr Row extremes{binary<float, Op>, binary<double, Op>, binary<I8, Op>,  binary<I16, Op>, binary<I32, Op>,
                       binary<I64, Op>,   binary<U8, Op>,     binary<U16, Op>, binary<U32, Op>, binary<U64, Op>};

template <class Op>
constexpr Row ordering{comparison<float, Op>, comparison<double, Op>, comparison<I8, Op>, nullptr,
                       comparison<I32, Op>,   comparison<I64, Op>,    comparison<U8, Op>, nullptr,
                       comparison<U32, Op>,   comparison<U64, Op>};

// Smaller integers are computed in int32, and their shifts are below 256.
template <class Op>
constexpr Row shifting{nullptr, nullptr, nullptr, nullptr,         scalar<U32, Op>,
                       nullptr, nullptr, nullptr, scalar<U32, Op>, scalar<U64, Op>};

template <class Op>
constexpr Row of_floats{unary<float, Op>, unary<double, Op>};

constexpr Row rows[] = {
    wrapping<Add>,
    wrapping<Subtract>,
    product(),
    integer_division<Quotient>(binary<float, Divide, 4>, binary<double, Divide>, binary<I32, SmallQuotient>),
    integer_division<Modulo>(nullptr, nullptr),
    integer_division<Remainder>(scalar<float, Remainder>, scalar<double, Remainder>),
    extremes<Minimum>,
    extremes<Maximum>,
    of_numbers<OverComparison, Equal>(),
    ordering<Less>,
    ordering<LessOrEqual>,
    of_integers<OverBinary, And>(),
    of_integers<OverBinary, Or>(),
    of_integers<OverBinary, Xor>(),
    shifting<Shifted<Left>>,
    shifting<Shifted<Right>>,
    {nullptr, nullptr, nullptr, nullptr, scalar<I32, Power>, scalar<I64, Power>},
    {test<float, IsNan>, test<double, IsNan>},
    {test<float, IsInfinite<true, true>>, test<double, IsInfinite<true, true>>},
    {test<float, IsInfinite<true, false>>, test<double, IsInfinite<true, false>>},
    {test<float, IsInfinite<false, true>>, test<double, IsInfinite<false, true>>},
    of_numbers<OverUnary, Negate>(),
    {unary<float, WithoutSign<U32>>, unary<double, WithoutSign<U64>>, unary<U8, Absolute<I8>>, unary<U16, Absolute<I16>>,
     unary<U32, Absolute<I32>>, unary<U64, Absolute<I64>>},
    of_floats<SquareRoot>,
    of_floats<Floor>,
    of_floats<Ceil>,
    of_floats<Round>,
    of_floats<Reciprocal>,
    {unary<float, Sign>, unary<double, Sign>, unary<I8, Sign>, unary<I16, Sign>, unary<I32, Sign>, unary<I64, Sign>,
     unary<U8, Sign>, unary<U16, Sign>, unary<U32, Sign>, unary<U64, Sign>},
    of_integers<OverUnary, BitNot>(),
    {nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, unary<U8, Not>},
};

// From `Operation::exp` on.
constexpr const MathFunction* function_rows[] = {
    &functions::exp,      &functions::expm1, &functions::log,  &functions::log1p, &functions::sigmoid,
    &functions::softplus, &functions::sinh,  &functions::cosh, &functions::tanh,  &functions::asinh,
    &functions::acosh,    &functions::atanh, &functions::sin,  &functions::cos,   &functions::tan,
    &functions::asin,     &functions::acos,  &functions::atan, &functions::erf,   &functions::normal_distribution,
};
static_assert(std::size(rows) == place_of(Operation::exp));

// Bools are computed as uint8.
constexpr bool has_loop(std::size_t operation, Dtype column) {
  const auto its_operation = static_cast<Operation>(operation);
  return chosen::has_loop(its_operation, column) || (column == Dtype::uint8 && chosen::has_loop(its_operation, Dtype::boolean));
}

// The loops that this module has.
constexpr auto table = [] {
  std::array<Row, std::size(rows)> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (std::size_t k = 0; k < std::size(columns); ++k) {
      if (has_loop(i, columns[k])) result[i][k] = rows[i][k];
    }
  }
  return result;
}();
constexpr auto function_table = [] {
  std::array<const MathFunction*, std::size(function_rows)> result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t operation = std::size(rows) + i;
    if (has_loop(operation, Dtype::float32) || has_loop(operation, Dtype::float64)) result[i] = function_rows[i];
  }
  return result;
}();

Row row_of(Operation operation) {
  const auto number = place_of(operation);
  if (number >= std::size(table)) {
    const MathFunction& function = *function_table[number - std::size(table)];
    return {function.of_float, function.of_double};
  }
  Row row = table[number];
  if (operation == Operation::power) {
    row[0] = functions::pow.of_float;
    row[1] = functions::pow.of_double;
  }
  return row;
}

template <Operation operation>
constexpr InnerLoop if_chosen(InnerLoop loop_of_halves) {
  return has_loop(place_of(operation), Dtype::float16) ? loop_of_halves : nullptr;
}

std::size_t column_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32: return 0;
    case Dtype::float64: return 1;
    case Dtype::int8: return 2;
    case Dtype::int16: return 3;
    case Dtype::int32: return 4;
    case Dtype::int64: return 5;
    case Dtype::uint16: return 7;
    case Dtype::uint32: return 8;
    case Dtype::uint64: return 9;
    default: return 6;  // uint8 and bool
  }
}

}  // namespace

Computation computation_of(Operation operation, Dtype dtype) {
  const Row row = row_of(operation);
  AccumulateType accumulate = accumulate_type_of(dtype);
  InnerLoop loop = row[column_of(accumulate.dtype)];
  if (!is_half(dtype) && row[column_of(dtype)] != nullptr) {
    accumulate = {dtype, nullptr, nullptr};
    loop = row[column_of(dtype)];
  } else if (accumulate.dtype != dtype && !is_half(dtype) && row[small_integers] != nullptr) {
    loop = row[small_integers];
  }
  check_loop(operation, accumulate.dtype);
  Computation result{loop, accumulate.dtype, accumulate.load, accumulate.store};
  if (gives_bools(operation)) result.store = nullptr;
  return result;
}

InnerLoop half_loop_of(Operation operation) {
  switch (operation) {
    case Operation::equal: return if_chosen<Operation::equal>(comparison<I16, OfHalves<Equal>>);
    case Operation::less: return if_chosen<Operation::less>(comparison<I16, OfHalves<Less>>);
    case Operation::less_or_equal: return if_chosen<Operation::less_or_equal>(comparison<I16, OfHalves<LessOrEqual>>);
    case Operation::sign: return if_chosen<Operation::sign>(unary<I16, SignOfHalf>);
    default: return nullptr;
  }
}

}  // namespace broadloom
