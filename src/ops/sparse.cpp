#include "ops/sparse.h"

#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

Status check_dims(std::span<const std::int64_t> dims) {
  if (dims.empty()) return fail(Code::InvalidArgument, "sparse tensor: dims are empty; it needs at least one axis");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 1) {
      return fail(Code::InvalidArgument, "sparse tensor: dims {}: axis {} is {}, below 1", dims, i, dims[i]);
    }
  }
  BROADLOOM_CHECK(checked_count(dims));
  return {};
}

// Whether the indices are coordinates (one row of `rank` numbers each) or linear.
Result<bool> indices_are_coordinates(const Tensor& indices, std::int64_t count, std::size_t rank) {
  if (indices.dtype != Dtype::int64) {
    return fail(Code::InvalidArgument, "sparse tensor: indices are {}, wanted int64", indices.dtype);
  }
  const std::span<const std::int64_t> dims = indices.run_dims();
  const auto columns = static_cast<std::int64_t>(rank);
  if (dims.size() == 1 && dims[0] == count) return false;
  if (dims.size() == 2 && dims[0] == count && dims[1] == columns) return true;
  return fail(Code::InvalidArgument, "sparse tensor: indices have dims {}, wanted [{}] or [{}, {}]", dims, count, count,
              columns);
}

// The row-major position of index number `i`.
Result<std::int64_t> position(const std::int64_t* index, bool coordinates, const Dims& dims, std::int64_t count,
                              std::int64_t i) {
  if (!coordinates) {
    if (*index < 0 || *index >= count) {
      return fail(Code::InvalidArgument, "sparse tensor: index {} is {}, outside 0 to {}", i, *index, count - 1);
    }
    return *index;
  }
  std::int64_t linear = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= dims[axis]) {
      return fail(Code::InvalidArgument, "sparse tensor: index {} is {}, outside dims {}", i, std::span(index, dims.size()),
                  dims.values());
    }
    linear = linear * dims[axis] + index[axis];
  }
  return linear;
}

// The positions of the values, from linear indices or coordinates.
class ValueOffsets {
 public:
  static Result<ValueOffsets> of(const SparseTensor& sparse) {
    ValueOffsets offsets(sparse.dims);
    if (sparse.indices.dtype == Dtype::undefined) return offsets;
    BROADLOOM_TRY(are_coordinates, indices_are_coordinates(sparse.indices, sparse.values.count(), sparse.dims.size()));
    BROADLOOM_TRY(indices, densify(sparse.indices));
    offsets.row_ = are_coordinates ? sparse.dims.size() : 1;
    offsets.are_coordinates_ = are_coordinates;
    offsets.indices_ = std::move(indices);
    return offsets;
  }
  std::span<const std::int64_t> index(std::int64_t i) const {
    return {reinterpret_cast<const std::int64_t*>(indices_.data()) + i * static_cast<std::int64_t>(row_), row_};
  }
  // The row-major position.
  Result<std::int64_t> operator[](std::int64_t i) const {
    return position(index(i).data(), are_coordinates_, dims_, count_of(dims_), i);
  }

 private:
  explicit ValueOffsets(const Dims& dims) : dims_(dims) {}
  Dims dims_;
  Tensor indices_;
  std::size_t row_ = 1;
  bool are_coordinates_ = false;
};

void put(Tensor& to, std::int64_t position, const Tensor& from, std::int64_t i) {
  const auto bits = static_cast<std::int64_t>(info(to.dtype).bits);
  if (bits >= 8) {
    const std::int64_t size = bits / 8;
    std::memcpy(to.data() + position * size, from.data() + i * size, in_memory(size));
    return;
  }
  const unsigned element = packed_element(to.dtype, from.data(), i);
  to.data()[position * bits / 8] |= static_cast<std::byte>(element << (position * bits % 8));
}

}  // namespace

Status check_sparse(const SparseTensor& sparse) {
  BROADLOOM_CHECK(check_dims(sparse.dims));
  if (sparse.values.dims().size() != 1) {
    return fail(Code::InvalidArgument, "sparse tensor: values have dims {}, wanted one axis", sparse.values.dims().values());
  }
  const std::int64_t count = sparse.values.count();
  if (sparse.indices.dtype == Dtype::undefined && count > 0) {
    return fail(Code::InvalidArgument, "sparse tensor: {} values without indices", count);
  }
  BROADLOOM_TRY(offsets, ValueOffsets::of(sparse));
  std::int64_t previous = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    BROADLOOM_TRY(place, offsets[i]);
    if (place <= previous) {
      return fail(Code::InvalidArgument, "sparse tensor: index {} is {}; indices must be strictly ascending", i,
                  offsets.index(i));
    }
    previous = place;
  }
  return {};
}

Status write_dense(const SparseTensor& sparse, Tensor& to) {
  BROADLOOM_TRY(offsets, ValueOffsets::of(sparse));
  BROADLOOM_TRY(values, densify(sparse.values));
  std::memset(to.data(), 0, to.storage->size());
  to.storage->text = values.storage->text;
  for (std::int64_t i = 0; i < values.count(); ++i) {
    BROADLOOM_TRY(place, offsets[i]);
    put(to, place, values, i);
  }
  return {};
}

}  // namespace broadloom
