#include "core/tensor.h"

#include <algorithm>
#include <cstring>

#include "core/limits.h"
#include "core/text.h"

namespace broadloom {

Tensor::~Tensor() = default;
Tensor& Tensor::operator=(const Tensor& other) = default;
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;

bool is_dense(const Tensor& tensor) {
  if (!is_dense(tensor.layout)) return false;
  if (!is_packed(tensor.dtype)) return true;
  if (tensor.offset != 0 || dense_size(tensor) != tensor.storage->size()) return false;
  // A view of the first elements may end within the storage's last byte, and other elements follow in that byte. In an exposed
  // storage, these bits may come from the holder of the writable view, and no other tensor shares it.
  const std::int64_t used_bits = tensor.count() * info(tensor.dtype).bits % 8;
  return used_bits == 0 || tensor.storage->exposed ||
         std::to_integer<unsigned>(tensor.storage->data()[dense_size(tensor) - 1]) >> used_bits == 0;
}

Result<std::int64_t> dense_bytes(Dtype dtype, std::int64_t count) {
  const std::int64_t bits = info(dtype).bits;
  if (bits < 8) {
    const std::int64_t per_byte = 8 / bits;
    return count / per_byte + (count % per_byte != 0 ? 1 : 0);
  }
  const std::int64_t item_bytes = bits / 8;
  if (static_cast<double>(count) * static_cast<double>(item_bytes) > static_cast<double>(max_count)) {
    return fail(Code::OutOfMemory, "{} elements of {} have more than 2^53 - 1 bytes", count, dtype);
  }
  return count * item_bytes;
}

Result<std::int64_t> bytes_to_make(Dtype dtype, std::int64_t count) {
  if (static_cast<double>(count) > limits.elements) {
    return exceeds("elements", "a tensor has {} elements, more than {}", count, limits.elements);
  }
  BROADLOOM_TRY(bytes, dense_bytes(dtype, count));
  if (static_cast<double>(bytes) > limits.bytes) {
    return exceeds("bytes", "a tensor has {} bytes, more than {}", bytes, limits.bytes);
  }
  return bytes;
}

std::int64_t array_length(Dtype dtype, std::int64_t count) {
  if (info(dtype).kind == DtypeKind::complex) return 2 * count;
  return is_packed(dtype) ? dense_bytes(dtype, count).value_or(0) : count;
}

Result<Tensor> make_tensor(Dtype dtype, const SymbolicDims& dims) {
  BROADLOOM_TRY(bytes, bytes_to_make(dtype, count_of(dims)));
  BROADLOOM_TRY(storage, Storage::allocate(bytes));
  return Tensor{dtype, dense_layout(dims), std::move(storage)};
}

Result<Tensor> make_vector(std::span<const Size> values) {
  BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, {static_cast<std::int64_t>(values.size())}));
  std::copy(values.begin(), values.end(), size_elements(tensor).begin());
  return std::move(tensor);
}

Size size_at(const Tensor& tensor, std::int64_t offset) {
  if (tensor.dtype == Dtype::int32) return Size::of_int32(reinterpret_cast<const std::int32_t*>(tensor.data())[offset]);
  assert(tensor.dtype == Dtype::int64);
  return reinterpret_cast<const Size*>(tensor.data())[offset];
}

void set_size_at(Tensor& tensor, std::int64_t offset, Size size) {
  if (tensor.dtype == Dtype::int32) {
    reinterpret_cast<std::int32_t*>(tensor.data())[offset] = size.int32();
  } else {
    assert(tensor.dtype == Dtype::int64);
    reinterpret_cast<Size*>(tensor.data())[offset] = size;
  }
}

bool are_elements_numbers(const Tensor& tensor) {
  if (!has_size_elements(tensor) || tensor.count() == 0) return true;
  const Span span = span_of(tensor.layout);
  for (std::int64_t i = span.lowest; i <= span.highest; ++i) {
    if (!size_at(tensor, i).is_number()) return false;
  }
  return true;
}

void read_int64(const Tensor& tensor, std::int64_t* to) {
  const auto* data = reinterpret_cast<const std::int64_t*>(tensor.data());
  const std::int64_t stride = tensor.layout->strides[0];
  for (std::int64_t i = 0; i < tensor.run_dims()[0]; ++i) to[i] = data[i * stride];
}

unsigned packed_element(Dtype dtype, const std::byte* data, std::int64_t index) {
  const std::int64_t bits = info(dtype).bits;
  return (std::to_integer<unsigned>(data[index * bits / 8]) >> (index * bits % 8)) & ((1U << bits) - 1U);
}

Status check_bools(const std::byte* data, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(data[i]);
    if (byte > 1) return fail(Code::InvalidArgument, "element {} is {}, which bool cannot hold", i, byte);
  }
  return {};
}

void clear_padding(Dtype dtype, std::int64_t count, std::byte* data) {
  const int bits = info(dtype).bits;
  if (bits >= 8) return;
  const int per_byte = 8 / bits;
  const auto used_bits = static_cast<unsigned>(count % per_byte) * static_cast<unsigned>(bits);
  if (used_bits == 0) return;
  std::byte& last = data[count / per_byte];
  last &= static_cast<std::byte>((1U << used_bits) - 1U);
}

}  // namespace broadloom
