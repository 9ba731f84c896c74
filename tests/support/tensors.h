// Tensors from lists, and lists from tensors of any layout.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/strings.h"
#include "core/tensor.h"
#include "ops/call/dense.h"
#include "support/expect.h"
#include "support/lists.h"

namespace broadloom::test {

using Bytes = std::vector<std::uint8_t>;

// A dense tensor whose bytes are those of `elements`.
template <class T>
Tensor tensor_of(Dtype dtype, const SymbolicDims& dims, const std::vector<T>& elements) {
  Tensor tensor = must(make_tensor(dtype, dims));
  if (dense_size(tensor) != elements.size() * sizeof(T)) {
    ADD_FAILURE() << "a test gives " << elements.size() * sizeof(T) << " bytes for " << dense_size(tensor);
    std::abort();
  }
  if (!elements.empty()) std::memcpy(tensor.data(), elements.data(), elements.size() * sizeof(T));
  return tensor;
}

inline Tensor floats(const SymbolicDims& dims, const std::vector<float>& elements) {
  return tensor_of(Dtype::float32, dims, elements);
}

inline Tensor int64s(const SymbolicDims& dims, const SizeList& elements) {
  return tensor_of<broadloom::Size>(Dtype::int64, dims, elements);
}

inline Tensor flag(bool value) { return tensor_of<std::uint8_t>(Dtype::boolean, {}, {static_cast<std::uint8_t>(value)}); }

// An int64 tensor of one axis with these sizes.
inline Tensor shape_of(const SizeList& sizes) { return int64s({static_cast<std::int64_t>(sizes.size())}, sizes); }

inline Tensor strings(const SymbolicDims& dims, const std::vector<std::string>& elements) {
  std::int64_t bytes = 0;
  for (const std::string& element : elements) bytes += static_cast<std::int64_t>(element.size());
  StringWriter writer = must(StringWriter::make(dims, bytes));
  for (const std::string& element : elements) must(writer.add(element));
  return writer.finish();
}

// A tensor of any type whose bytes are all zero.
inline Tensor zeros(Dtype dtype, const SymbolicDims& dims) {
  Tensor tensor = must(make_tensor(dtype, dims));
  std::memset(tensor.data(), 0, tensor.storage->size());
  return tensor;
}

// The elements in row-major order.
template <class T>
std::vector<T> elements(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  std::vector<T> values(dense_size(dense) / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), dense.data(), values.size() * sizeof(T));
  return values;
}

inline Bytes bytes_of(const Tensor& tensor) { return elements<std::uint8_t>(tensor); }

inline std::vector<std::string> string_elements(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  std::vector<std::string> values;
  const auto* refs = reinterpret_cast<const StringRef*>(dense.data());
  for (std::int64_t i = 0; i < dense.count(); ++i) values.emplace_back(string_at(dense, refs[i]));
  return values;
}

inline bool all_strides_are_zero(const Tensor& tensor) {
  for (const std::int64_t stride : tensor.layout->strides) {
    if (stride != 0) return false;
  }
  return true;
}

}  // namespace broadloom::test
