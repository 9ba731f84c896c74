// Tensors with strided layouts, and access to single elements.
#pragma once

#include "support/random.h"
#include "support/tensors.h"

namespace broadloom::test {

// The row-major index of the element of `dims` at `coordinates`.
inline std::int64_t number_of(const List& dims, const List& coordinates) {
  std::int64_t number = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) number = number * dims[i] + coordinates[i];
  return number;
}
inline List coordinates_of(const List& dims, std::int64_t number) {
  List coordinates(dims.size());
  for (std::size_t i = dims.size(); i-- > 0; number /= dims[i]) coordinates[i] = number % dims[i];
  return coordinates;
}

// The tensor's elements in a strided layout: the order of axes in memory is reversed, and some axes are backwards.
inline Tensor scrambled(const Tensor& tensor, Random& random) {
  const List dims = list(tensor.dims());
  LayoutRef layout(tensor.dims());
  std::int64_t step = 1;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool goes_back = random.one_in(2);
    layout.edit().strides[i] = goes_back ? -step : step;
    if (goes_back) offset += (dims[i] - 1) * step;
    step *= dims[i];
  }
  if (tensor.count() == 0) return tensor;
  Tensor result{tensor.dtype, layout, must(make_tensor(tensor.dtype, tensor.dims())).storage, offset};
  const auto size = static_cast<std::int64_t>(item_size(tensor.dtype));
  const Tensor dense = must(densify(tensor));
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const List at = coordinates_of(dims, i);
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) place += at[axis] * layout->strides[axis];
    std::memcpy(result.data() + place * size, dense.data() + i * size, static_cast<std::size_t>(size));
  }
  return result;
}

// Distinct elements, of any type of whole bytes except strings.
inline Tensor distinct(Dtype dtype, const List& dims) {
  Tensor tensor = must(make_tensor(dtype, dims_of(dims)));
  for (std::size_t i = 0; i < dense_size(tensor); ++i) tensor.data()[i] = static_cast<std::byte>((i * 37 + i / 7) & 127);
  return tensor;
}

inline Tensor indices_of(bool is_wide, const List& dims, const List& values) {
  if (is_wide) return int64s(dims_of(dims), values);
  return tensor_of(Dtype::int32, dims_of(dims), std::vector<std::int32_t>(values.begin(), values.end()));
}

inline Bytes item_at(const Tensor& dense, std::int64_t number) {
  const Bytes bytes = bytes_of(dense);
  const auto size = static_cast<std::ptrdiff_t>(item_size(dense.dtype));
  return {bytes.begin() + number * size, bytes.begin() + (number + 1) * size};
}

inline constexpr Dtype item_types[] = {Dtype::int8, Dtype::float16, Dtype::float32, Dtype::complex64, Dtype::complex128};

inline List random_dims(Random& random, std::size_t rank, std::int64_t most = 4) {
  List dims(rank);
  for (auto& size : dims) size = random.between(1, most);
  return dims;
}

inline Tensor bools(const List& dims, const Bytes& values) { return tensor_of(Dtype::boolean, dims_of(dims), values); }

}  // namespace broadloom::test
