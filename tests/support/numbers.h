// Writes and reads elements of tensors of any type as numbers.
#pragma once

#include <cmath>

#include "core/number.h"
#include "support/layouts.h"

namespace broadloom::test {

using Numbers = std::vector<double>;

inline Tensor tensor_of_numbers(Dtype dtype, const List& dims, const Numbers& values) {
  Tensor tensor = must(make_tensor(dtype, dims_of(dims)));
  must(encode(dtype, values, tensor.data()));
  return tensor;
}

inline Numbers numbers_of(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  Numbers values(static_cast<std::size_t>(dense.count()));
  if (dense.dtype == Dtype::int64 || dense.dtype == Dtype::uint64) {
    const std::vector<std::int64_t> integers = elements<std::int64_t>(dense);
    return {integers.begin(), integers.end()};
  }
  decode(dense.dtype, dense.data(), dense.count(), values.data());
  return values;
}

// Random numbers that the type can represent.
inline Numbers random_numbers(Random& random, Dtype dtype, std::size_t count, double low, double high) {
  Numbers values(count);
  for (double& value : values) value = random.real(low, high);
  return numbers_of(tensor_of_numbers(dtype, {static_cast<std::int64_t>(count)}, values));
}

// A tensor of integers from -4 to 4, of any layout. All sums of their products are exact.
inline Tensor random_tensor(Random& random, Dtype dtype, const List& dims) {
  Numbers values(static_cast<std::size_t>(must(checked_count(dims_of(dims)))));
  const bool is_unsigned = info(dtype).kind == DtypeKind::unsigned_integer;
  for (double& value : values) value = static_cast<double>(random.between(is_unsigned ? 0 : -4, 4));
  const Tensor tensor = tensor_of_numbers(dtype, dims, values);
  return random.one_in(2) ? scrambled(tensor, random) : tensor;
}

// The tolerance for results of a type, relative to the larger of their magnitude and 1.
inline double precision_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::float64: return 1e-13;
    case Dtype::float32: return 4e-6;
    case Dtype::float16: return 6e-4;
    default: return 5e-3;  // bfloat16
  }
}

inline testing::AssertionResult are_near(const Tensor& tensor, const Numbers& wanted, double precision) {
  const Numbers values = numbers_of(tensor);
  if (values.size() != wanted.size()) return testing::AssertionFailure() << values.size() << " elements, not " << wanted.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) && std::isnan(wanted[i])) continue;
    if (values[i] == wanted[i]) continue;
    // float16 has no greater numbers.
    const bool overflows = tensor.dtype == Dtype::float16 && std::abs(wanted[i]) * (1 + precision) >= 65520;
    if (overflows && std::isinf(values[i]) && std::signbit(values[i]) == std::signbit(wanted[i])) continue;
    if (!(std::abs(values[i] - wanted[i]) <= precision * std::max(1.0, std::abs(wanted[i])))) {
      return testing::AssertionFailure() << "element " << i << " is " << values[i] << ", wanted " << wanted[i];
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace broadloom::test
