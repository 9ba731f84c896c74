#include "kernels/elementwise/combine.h"

#include <algorithm>
#include <cstring>

#include "kernels/elementwise/operations.h"

namespace broadloom {
namespace {

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

// Integers that may wrap around are unsigned. The operation is the same for all elements: a loop for each would be no faster.
template <class T, class Wrapping>
void combine_each(Operation operation, std::byte* to, std::span<const std::ptrdiff_t> offsets, const std::byte* from,
                  std::size_t count) {
  const auto combined = [&](const Vector& x, const Vector& y) {
    const auto with = [&]<class Item, class Op>() { return as<Vector>(Op::of(as<Lanes<Item>>(x), as<Lanes<Item>>(y))); };
    if (operation == Operation::add) return with.template operator()<Wrapping, operations::Add>();
    if (operation == Operation::multiply) return with.template operator()<Wrapping, operations::Multiply>();
    if (operation == Operation::minimum) return with.template operator()<T, operations::Minimum>();
    return with.template operator()<T, operations::Maximum>();
  };
  for (const std::ptrdiff_t offset : offsets) {
    std::byte* at = to + offset;
    for (std::size_t i = 0; i < count; ++i, at += sizeof(T), from += sizeof(T)) {
      const Vector result = combined(splat<sizeof(T)>(at), splat<sizeof(T)>(from));
      std::memcpy(at, &result, sizeof(T));
    }
  }
}

}  // namespace

void combine(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, std::size_t count) {
  const bool is_sum = operation == Operation::add;
  const bool is_product = operation == Operation::multiply;
  if (dtype == Dtype::boolean && (is_sum || is_product)) operation = is_sum ? Operation::bit_or : Operation::bit_and;
  if (info(dtype).kind == DtypeKind::complex) {
    const bool is_double = dtype == Dtype::complex128;
    if (is_product) return is_double ? multiply_complex<double>(to, from, count) : multiply_complex<float>(to, from, count);
    dtype = is_double ? Dtype::float64 : Dtype::float32;
    count *= 2;
  }
  const Computation computation = computation_of(operation, dtype);
  const std::size_t item = item_size(dtype);
  alignas(vector_bytes) std::byte loaded[2][block_items * 4];
  for (std::size_t items; count > 0; count -= items, to += items * item, from += items * item) {
    items = computation.load == nullptr ? count : std::min(count, block_items);
    const std::byte* operands[] = {to, from};
    if (computation.load == nullptr) {
      computation.loop(to, operands, items);
      continue;
    }
    computation.load(loaded[0], &operands[0], items);
    computation.load(loaded[1], &operands[1], items);
    const std::byte* const wide[] = {loaded[0], loaded[1]};
    computation.loop(loaded[0], wide, items);
    computation.store(to, wide, items);
  }
}

void combine_blocks(Operation operation, Dtype dtype, std::byte* to, std::span<const std::ptrdiff_t> offsets,
                    const std::byte* from, std::size_t count) {
  // A call of a loop takes as long as some elements: single ones take a tenth of the time without.
  constexpr std::size_t few = 8;
  if (count <= few) {
    switch (dtype) {  // those that models mostly have
      case Dtype::float32: return combine_each<float, float>(operation, to, offsets, from, count);
      case Dtype::float64: return combine_each<double, double>(operation, to, offsets, from, count);
      case Dtype::int32: return combine_each<std::int32_t, std::uint32_t>(operation, to, offsets, from, count);
      case Dtype::int64: return combine_each<std::int64_t, std::uint64_t>(operation, to, offsets, from, count);
      default: break;
    }
  }
  for (const std::ptrdiff_t offset : offsets) {
    combine(operation, dtype, to + offset, from, count);
    from += count * item_size(dtype);
  }
}

}  // namespace broadloom
