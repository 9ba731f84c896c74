#include "ops/move/join.h"

#include "core/strings.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/strided.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

Result<Tensor> join_strings(std::span<const Tensor> parts, const SymbolicDims& dims) {
  const auto each = [&](auto use) -> Status {
    for (const Tensor& part : parts) {
      BROADLOOM_TRY(dense, densify(part));
      const auto* elements = reinterpret_cast<const StringRef*>(dense.data());
      for (std::int64_t i = 0; i < dense.count(); ++i) BROADLOOM_CHECK(use(string_at(dense, elements[i])));
    }
    return {};
  };
  std::int64_t bytes = 0;
  BROADLOOM_CHECK(each([&](std::string_view string) -> Status {
    bytes += static_cast<std::int64_t>(string.size());
    return {};
  }));
  BROADLOOM_TRY(writer, StringWriter::make(dims, bytes));
  BROADLOOM_CHECK(each([&](std::string_view string) { return writer.add(string); }));
  return writer.finish();
}

// Joins parts of a packed type, which may start within a byte.
Status join_packed(std::span<const Tensor> parts, Tensor& to) {
  const std::int64_t bits = info(to.dtype).bits;
  std::int64_t place = 0;
  for (const Tensor& part : parts) {
    BROADLOOM_TRY(dense, densify(part));
    const std::int64_t count = dense.count();
    if (place * bits % 8 == 0) {
      copy_bytes(to.data() + place * bits / 8, dense.data(), dense_size(dense));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t shift = (place + i) * bits % 8;
        std::byte& byte = to.data()[(place + i) * bits / 8];
        const unsigned before = shift == 0 ? 0U : std::to_integer<unsigned>(byte);
        byte = static_cast<std::byte>(before | packed_element(to.dtype, dense.data(), i) << shift);
      }
    }
    place += count;
  }
  return {};
}

}  // namespace

Result<Tensor> join(std::span<const Tensor> parts, Dtype dtype, const SymbolicDims& dims) {
  BROADLOOM_CHECK(checked_count(dims));
  if (dtype == Dtype::string) return join_strings(parts, dims);
  BROADLOOM_TRY(joined, make_tensor(dtype, dims));
  if (is_packed(dtype)) {
    BROADLOOM_CHECK(join_packed(parts, joined));
    return std::move(joined);
  }
  std::byte* to = joined.data();
  for (const Tensor& part : parts) {
    BROADLOOM_CHECK(materialize_watched(to, part.data(), part.layout, item_size(dtype)));
    to += dense_size(part);
  }
  return std::move(joined);
}

}  // namespace broadloom
