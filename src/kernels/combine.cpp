#include "kernels/combine.h"

#include <algorithm>
#include <cstring>

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

}  // namespace broadloom
