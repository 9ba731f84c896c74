// A tensor is a storage plus a layout: an element type, dims and strides over counted bytes.
#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/layout.h"
#include "core/storage.h"

namespace broadloom {

struct Tensor {
  Dtype dtype = Dtype::undefined;
  LayoutRef layout;
  StorageRef storage;

  Tensor() = default;
  Tensor(Dtype its_dtype, LayoutRef its_layout, StorageRef its_storage)
      : dtype(its_dtype), layout(std::move(its_layout)), storage(std::move(its_storage)) {}

  const Dims& dims() const { return layout->dims; }
  std::int64_t count() const { return layout->count(); }
  std::byte* data() const { return storage->data(); }
};

// Bytes of `count` elements lying densely; packed types are rounded up to whole bytes. Fails when the bytes, not only
// the elements, number more than max_count.
Result<std::int64_t> dense_bytes(Dtype dtype, std::int64_t count);

// Entries of an array that holds `count` elements, be it a typed array of JavaScript or a typed field of a TensorProto:
// complex numbers take two, packed types share bytes.
std::int64_t array_length(Dtype dtype, std::int64_t count);

// Bytes that the tensor's elements take when they lie densely. Its storage may have more or fewer.
inline std::size_t dense_size(const Tensor& tensor) {
  return static_cast<std::size_t>(dense_bytes(tensor.dtype, tensor.count()).value_or(0));
}

// A dense tensor with uninitialised elements. `dims` must have passed checked_count.
Result<Tensor> make_tensor(Dtype dtype, const Dims& dims);

// A tensor of `dims`, however large, whose elements are all one and the same zero: stands for one whose elements are not
// known. `dims` need not have been checked.
Result<Tensor> make_stand_in(Dtype dtype, const Dims& dims);

// A dense int64 tensor of dims [values.size()].
Result<Tensor> make_vector(std::span<const std::int64_t> values);

// Copies the elements of a rank-1 int64 tensor of any layout.
void read_int64(const Tensor& tensor, std::int64_t* to);

// For packed types: the byte of one element repeated, from its value in the low bits.
std::byte packed_splat(Dtype dtype, std::byte element);

// Fails when a byte of a dense bool tensor is neither 0 nor 1.
Status check_bools(const Tensor& tensor);

// Zeroes the bits of the last byte that no element uses, when `count` elements of a packed type lie densely at `data`.
void clear_padding(Dtype dtype, std::int64_t count, std::byte* data);

}  // namespace broadloom
