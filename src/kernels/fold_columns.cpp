#include "kernels/fold_columns.h"

#include <cstring>

#include "kernels/combine.h"

namespace broadloom {
namespace {

template <class T>
void add_each(std::byte* to, std::size_t step, const std::byte* from, std::size_t from_step, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += step * sizeof(T), from += from_step * sizeof(T)) {
    T sum;
    T element;
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&element, from, sizeof element);
    sum = static_cast<T>(sum + element);
    std::memcpy(to, &sum, sizeof sum);
  }
}

}  // namespace

void add_apart(std::byte* to, std::size_t step, const std::byte* from, std::size_t count, Dtype dtype) {
  // Contiguous ones are added by vectors.
  if (step == 1) return combine(Operation::add, dtype, to, from, count);
  switch (dtype) {
    case Dtype::float32: return add_each<float>(to, step, from, 1, count);
    case Dtype::float64: return add_each<double>(to, step, from, 1, count);
    case Dtype::complex64:
      for (std::size_t part = 0; part < 2; ++part) add_each<float>(to + part * 4, 2 * step, from + part * 4, 2, count);
      return;
    case Dtype::complex128:
      for (std::size_t part = 0; part < 2; ++part) add_each<double>(to + part * 8, 2 * step, from + part * 8, 2, count);
      return;
    case Dtype::boolean:
      for (std::size_t i = 0; i < count; ++i) to[i * step] |= from[i];
      return;
    default: break;
  }
  switch (item_size(dtype)) {
    case 1: return add_each<std::uint8_t>(to, step, from, 1, count);
    case 2: return add_each<std::uint16_t>(to, step, from, 1, count);
    case 4: return add_each<std::uint32_t>(to, step, from, 1, count);
    default: return add_each<std::uint64_t>(to, step, from, 1, count);
  }
}

}  // namespace broadloom
