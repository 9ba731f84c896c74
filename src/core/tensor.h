// A tensor is a storage, an offset and a layout: where element 0 lies in counted bytes, and dims and strides from there.
#pragma once

#include <cassert>
#include <cstdint>

#include "core/dtype.h"
#include "core/layout.h"
#include "core/storage.h"

namespace broadloom {

// Before a run less may be known of a tensor: it may have no elements (no storage), sizes that are no numbers (core/size.h),
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
  // Out of line: they are used everywhere.
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  const Dims& dims() const {
    assert(is_ranked());
    return layout->dims;
  }
  std::int64_t count() const { return count_of(dims()); }
  bool has_elements() const { return static_cast<bool>(storage); }
  bool is_ranked() const { return !layout.is_unranked(); }
  // Element 0. Elements of packed types have no address: theirs is that of the storage, and the offset is the reader's.
  std::byte* data() const {
    return offset == 0 ? storage->data() : storage->data() + offset * static_cast<std::int64_t>(info(dtype).bits / 8);
  }
};

// Whether the elements lie in row-major order and without gaps from data() on; those of a packed type from the first bit of
// the storage on, with nothing behind them.
bool is_dense(const Tensor& tensor);

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

// A dense int64 tensor of dims [values.size()].
Result<Tensor> make_vector(std::span<const std::int64_t> values);

// Copies the elements of a rank-1 int64 tensor of any layout.
void read_int64(const Tensor& tensor, std::int64_t* to);

// One element of a packed type, in the low bits: number `index` of those that lie at `data`.
unsigned packed_element(Dtype dtype, const std::byte* data, std::int64_t index);

// Fails when one of the `count` bools at `data` is a byte that is neither 0 nor 1.
Status check_bools(const std::byte* data, std::int64_t count);

// Zeroes the bits of the last byte that no element uses, when `count` elements of a packed type lie densely at `data`.
void clear_padding(Dtype dtype, std::int64_t count, std::byte* data);

}  // namespace broadloom
