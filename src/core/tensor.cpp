#include "core/tensor.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"

namespace broadloom {

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

std::int64_t array_length(Dtype dtype, std::int64_t count) {
  if (info(dtype).kind == DtypeKind::complex) return 2 * count;
  return is_packed(dtype) ? dense_bytes(dtype, count).value_or(0) : count;
}

Result<Tensor> make_tensor(Dtype dtype, const Dims& dims) {
  BROADLOOM_TRY(bytes, dense_bytes(dtype, count_of(dims)));
  BROADLOOM_TRY(storage, Storage::allocate(bytes));
  return Tensor{dtype, dense_layout(dims), std::move(storage)};
}

Result<Tensor> make_stand_in(Dtype dtype, const Dims& dims) {
  constexpr std::int64_t widest_item = 16;
  BROADLOOM_TRY(storage, Storage::allocate(widest_item));
  std::memset(storage->data(), 0, widest_item);
  return Tensor{dtype, uniform_layout(dims), std::move(storage)};
}

Result<Tensor> make_vector(std::span<const std::int64_t> values) {
  BROADLOOM_TRY(tensor, make_tensor(Dtype::int64, Dims{static_cast<std::int64_t>(values.size())}));
  std::copy(values.begin(), values.end(), reinterpret_cast<std::int64_t*>(tensor.data()));
  return std::move(tensor);
}

void read_int64(const Tensor& tensor, std::int64_t* to) {
  const auto* data = reinterpret_cast<const std::int64_t*>(tensor.data());
  const std::int64_t stride = tensor.layout->strides[0];
  for (std::int64_t i = 0; i < tensor.layout->dims[0]; ++i) to[i] = data[i * stride];
}

std::byte packed_splat(Dtype dtype, std::byte element) {
  const int bits = info(dtype).bits;
  unsigned byte = std::to_integer<unsigned>(element) & ((1U << bits) - 1U);
  for (int filled = bits; filled < 8; filled *= 2) byte |= byte << filled;
  return static_cast<std::byte>(byte);
}

Status check_bools(const Tensor& tensor) {
  const std::int64_t count = tensor.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto byte = std::to_integer<unsigned>(tensor.data()[i]);
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
