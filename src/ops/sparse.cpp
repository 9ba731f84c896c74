#include "ops/sparse.h"

#include <cstring>

#include "core/text.h"
#include "ops/dense.h"

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
  const Dims& dims = indices.dims();
  const auto columns = static_cast<std::int64_t>(rank);
  if (dims.size() == 1 && dims[0] == count) return false;
  if (dims.size() == 2 && dims[0] == count && dims[1] == columns) return true;
  return fail(Code::InvalidArgument, "sparse tensor: indices have dims {}, wanted [{}] or [{}, {}]", dims.values(), count,
              count, columns);
}

// The position in row-major order that index number `i` names.
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

void put(Tensor& to, std::int64_t position, const Tensor& from, std::int64_t i) {
  const auto bits = static_cast<std::int64_t>(info(to.dtype).bits);
  if (bits >= 8) {
    const std::int64_t size = bits / 8;
    std::memcpy(to.data() + position * size, from.data() + i * size, static_cast<std::size_t>(size));
    return;
  }
  const auto mask = static_cast<unsigned>((1 << bits) - 1);
  const auto element = std::to_integer<unsigned>(from.data()[i * bits / 8]) >> (i * bits % 8) & mask;
  to.data()[position * bits / 8] |= static_cast<std::byte>(element << (position * bits % 8));
}

}  // namespace

Result<Tensor> to_dense(const SparseTensor& sparse) {
  BROADLOOM_CHECK(check_dims(sparse.dims));
  if (sparse.values.dims().size() != 1) {
    return fail(Code::InvalidArgument, "sparse tensor: values have dims {}, wanted one axis", sparse.values.dims().values());
  }
  const std::int64_t values_count = sparse.values.count();
  const bool has_indices = sparse.indices.dtype != Dtype::undefined;
  if (!has_indices && values_count > 0) {
    return fail(Code::InvalidArgument, "sparse tensor: {} values without indices", values_count);
  }
  bool coordinates = false;
  Tensor indices;
  if (has_indices) {
    BROADLOOM_TRY(are_coordinates, indices_are_coordinates(sparse.indices, values_count, sparse.dims.size()));
    coordinates = are_coordinates;
    BROADLOOM_TRY(dense_indices, densify(sparse.indices));
    indices = std::move(dense_indices);
  }
  BROADLOOM_TRY(values, densify(sparse.values));
  BROADLOOM_TRY(dense, make_tensor(values.dtype, sparse.dims));
  std::memset(dense.data(), 0, dense.storage->size());
  dense.storage->text = values.storage->text;

  const std::int64_t count = dense.count();
  const auto row = static_cast<std::int64_t>(coordinates ? sparse.dims.size() : 1);
  std::int64_t previous = -1;
  for (std::int64_t i = 0; i < values_count; ++i) {
    const auto* index = reinterpret_cast<const std::int64_t*>(indices.data()) + i * row;
    BROADLOOM_TRY(linear, position(index, coordinates, sparse.dims, count, i));
    if (linear <= previous) {
      return fail(Code::InvalidArgument, "sparse tensor: index {} is {}; indices must be strictly ascending", i,
                  std::span(index, static_cast<std::size_t>(row)));
    }
    previous = linear;
    put(dense, linear, values, i);
  }
  return std::move(dense);
}

}  // namespace broadloom
