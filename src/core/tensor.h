// A tensor is a storage, an offset and a layout: the storage's bytes, the position of element 0 in it, and dims and strides.
#pragma once

#include <cassert>
#include <cstdint>

#include "core/count.h"
#include "core/dtype.h"
#include "core/layout.h"
#include "core/storage.h"

namespace broadloom {

// Before a run, less may be known: a tensor may have no elements (no storage), symbolic sizes (core/size.h),
// or no rank (is_ranked).
struct Tensor {
  Dtype dtype = Dtype::undefined;
  LayoutRef layout;
  StorageRef storage;
  std::int64_t offset = 0;  // of element 0 from the storage's start, in elements

  Tensor() = default;
  Tensor(Dtype its_dtype, LayoutRef its_layout, StorageRef its_storage = {}, std::int64_t its_offset = 0)
      : dtype(its_dtype), layout(std::move(its_layout)), storage(std::move(its_storage)), offset(its_offset) {}
  Tensor(const Tensor& other) = default;
  Tensor(Tensor&& other) noexcept = default;
  // Not inlined, because they are used everywhere.
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  const SymbolicDims& dims() const {
    assert(is_ranked());
    return layout->dims;
  }
  // In a run, and wherever all of them are numbers.
  std::span<const std::int64_t> run_dims() const { return numbers_of(dims()); }
  std::int64_t count() const { return count_of(run_dims()); }
  bool has_elements() const { return static_cast<bool>(storage); }
  bool is_ranked() const { return !layout.is_unranked(); }
  // The address of element 0. For packed types it is the address of the storage, and the reader adds the offset.
  std::byte* data() const {
    return offset == 0 ? storage->data() : storage->data() + offset * static_cast<std::int64_t>(info(dtype).bits / 8);
  }
};

// Whether the elements lie in row-major order and without gaps from data() on. Elements of a packed type must start at the
// first bit of the storage and end with the storage.
bool is_dense(const Tensor& tensor);

// The bytes of `count` dense elements; packed types are rounded up to whole bytes. Fails if the bytes, not only
// the elements, exceed max_count.
Result<std::int64_t> dense_bytes(Dtype dtype, std::int64_t count);

// dense_bytes for elements that are about to be made: also fails if they exceed limits.elements or limits.bytes
// (core/limits.h).
Result<std::int64_t> bytes_to_make(Dtype dtype, std::int64_t count);

// The length of an array of `count` elements, in a typed array of JavaScript or a typed field of a TensorProto:
// complex numbers take two, packed types share bytes.
std::int64_t array_length(Dtype dtype, std::int64_t count);

// The bytes of the tensor's elements if they were dense. Its storage may have more or fewer.
inline std::size_t dense_size(const Tensor& tensor) { return in_memory(dense_bytes(tensor.dtype, tensor.count()).value_or(0)); }

// A dense tensor with uninitialised elements. `dims` must have passed checked_count.
Result<Tensor> make_tensor(Dtype dtype, const SymbolicDims& dims);

// A tensor with known dims, or without, and without elements.
inline Tensor known_dims(Dtype dtype, const SymbolicDims& dims) { return {dtype, uniform_layout(dims)}; }
inline Tensor unranked(Dtype dtype) { return {dtype, LayoutRef::unranked()}; }

// A dense int64 tensor of dims [values.size()].
Result<Tensor> make_vector(std::span<const Size> values);
inline Result<Tensor> make_vector(std::span<const std::int64_t> values) { return make_vector(sizes_of(values)); }

// The elements of a dense int64 tensor. Before a run they may be symbolic.
inline std::span<const Size> size_elements(const Tensor& tensor) {
  assert(tensor.dtype == Dtype::int64);
  return {reinterpret_cast<const Size*>(tensor.data()), in_memory(tensor.count())};
}
inline std::span<Size> size_elements(Tensor& tensor) {
  assert(tensor.dtype == Dtype::int64);
  return {reinterpret_cast<Size*>(tensor.data()), in_memory(tensor.count())};
}

// Whether it has elements that may be symbolic before a run: int32 or int64.
inline bool has_size_elements(const Tensor& tensor) {
  return (tensor.dtype == Dtype::int32 || tensor.dtype == Dtype::int64) && tensor.has_elements();
}

// The element at `offset` from element 0 of an int32 or int64 tensor, as a size before a run.
Size size_at(const Tensor& tensor, std::int64_t offset);
// Sets it. An int32 element that cannot hold the size becomes unknown_size.
void set_size_at(Tensor& tensor, std::int64_t offset, Size size);

// Whether no element is symbolic. The tensor has dims that are numbers.
bool are_elements_numbers(const Tensor& tensor);

// Copies the elements of a rank-1 int64 tensor of any layout.
void read_int64(const Tensor& tensor, std::int64_t* to);

// Element `index` of the packed elements at `data`, in the low bits.
unsigned packed_element(Dtype dtype, const std::byte* data, std::int64_t index);

// Fails if one of the `count` bools at `data` is neither 0 nor 1.
Status check_bools(const std::byte* data, std::int64_t count);

// Zeroes the unused bits of the last byte of `count` dense elements of a packed type at `data`.
void clear_padding(Dtype dtype, std::int64_t count, std::byte* data);

}  // namespace broadloom
