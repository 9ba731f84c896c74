#include "kernels/combine.h"

#include <cstring>
#include <type_traits>

#include "kernels/mini_floats.h"

namespace broadloom {
namespace {

// Sums and products of integers are those of unsigned ones, which wrap; narrow ones would be promoted to int.
template <class T>
struct Wrapping {
  using Type = T;
};
template <class T>
requires std::is_integral_v<T>
struct Wrapping<T> {
  using Type = std::conditional_t<(sizeof(T) < 8), std::uint32_t, std::uint64_t>;
};

template <class T>
T combined(Reduction reduction, T a, T b) {
  using Wide = typename Wrapping<T>::Type;
  switch (reduction) {
    case Reduction::add: return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b));
    case Reduction::mul: return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b));
    case Reduction::max: return a < b ? b : a;
    default: return b < a ? b : a;
  }
}

template <class T>
void combine_numbers(Reduction reduction, std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T a;
    T b;
    std::memcpy(&a, to + i * sizeof a, sizeof a);
    std::memcpy(&b, from + i * sizeof b, sizeof b);
    a = combined(reduction, a, b);
    std::memcpy(to + i * sizeof a, &a, sizeof a);
  }
}

void combine_halves(Reduction reduction, bool is_bfloat, std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t a;
    std::uint16_t b;
    std::memcpy(&a, to + i * sizeof a, sizeof a);
    std::memcpy(&b, from + i * sizeof b, sizeof b);
    const float result = is_bfloat ? combined(reduction, from_bfloat16(a), from_bfloat16(b))
                                   : combined(reduction, from_float16(a), from_float16(b));
    a = is_bfloat ? to_bfloat16(result) : to_float16(result);
    std::memcpy(to + i * sizeof a, &a, sizeof a);
  }
}

template <class T>
void multiply_complex(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T a[2];
    T b[2];
    std::memcpy(a, to + i * sizeof a, sizeof a);
    std::memcpy(b, from + i * sizeof b, sizeof b);
    const T product[2] = {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
    std::memcpy(to + i * sizeof a, product, sizeof a);
  }
}

}  // namespace

void combine(Reduction reduction, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count) {
  using enum Dtype;
  const bool is_product = reduction == Reduction::mul;
  switch (dtype) {
    // Of 0 and 1, the sum that is not above 1 is the greater one, and the product the lower.
    case boolean:
      return combine_numbers<std::uint8_t>(reduction == Reduction::add ? Reduction::max
                                           : is_product                ? Reduction::min
                                                                       : reduction,
                                           to, from, count);
    case uint8: return combine_numbers<std::uint8_t>(reduction, to, from, count);
    case int8: return combine_numbers<std::int8_t>(reduction, to, from, count);
    case uint16: return combine_numbers<std::uint16_t>(reduction, to, from, count);
    case int16: return combine_numbers<std::int16_t>(reduction, to, from, count);
    case uint32: return combine_numbers<std::uint32_t>(reduction, to, from, count);
    case int32: return combine_numbers<std::int32_t>(reduction, to, from, count);
    case uint64: return combine_numbers<std::uint64_t>(reduction, to, from, count);
    case int64: return combine_numbers<std::int64_t>(reduction, to, from, count);
    case float64: return combine_numbers<double>(reduction, to, from, count);
    case float16:
    case bfloat16: return combine_halves(reduction, dtype == bfloat16, to, from, count);
    case complex64:
      return is_product ? multiply_complex<float>(to, from, count) : combine_numbers<float>(reduction, to, from, 2 * count);
    case complex128:
      return is_product ? multiply_complex<double>(to, from, count) : combine_numbers<double>(reduction, to, from, 2 * count);
    default: return combine_numbers<float>(reduction, to, from, count);
  }
}

}  // namespace broadloom
