#include "ops/products.h"

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "kernels/convert.h"
#include "ops/dense.h"

namespace broadloom {

Layout axes_of(const Layout& layout, std::size_t first, std::size_t count) {
  return {layout.dims.values().subspan(first, count), layout.strides.values().subspan(first, count)};
}

Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed) {
  Tensor result = output;
  const Dtype computed = accumulate_type_of(output.dtype).dtype;
  if (computed != output.dtype) {
    BROADLOOM_TRY(wide, make_tensor(computed, output.dims()));
    result = std::move(wide);
  }
  BROADLOOM_CHECK(multiply(output.dtype, result.data(), a, b, packed));
  return result;
}

namespace {

// The stride of a single element does not matter.
Axis axis_of(const Layout& layout) {
  const std::int64_t extent = layout.dims.empty() ? 1 : layout.dims[0].number();
  return {extent, extent == 1 ? 0 : layout.strides[0]};
}

}  // namespace

Result<StorageRef> pack_columns(PackedOperands& packed, const Tensor& constant, const Factor& b, std::int64_t rows) {
  if (!is_worth_packing(constant.dtype, b, rows)) return StorageRef();
  const Axis kept = axis_of(b.kept);
  const Axis summed = axis_of(b.summed);
  const Tensor* const constants[] = {&constant};
  return packed.pack(PackedOperands::Kind::columns, constants, {kept.extent, kept.stride, summed.extent, summed.stride},
                     packed_columns_size(constant.dtype, b), [&](std::byte* to) { pack_columns(constant.dtype, to, b); });
}

double work_of_products(const Call& call) {
  const Tensor& output = call.outputs[0];
  double product = output.is_ranked() ? static_cast<double>(output.count()) : 0;
  for (const Tensor* input : call.inputs)
    product *= input == nullptr ? 1.0 : std::max(static_cast<double>(input->count()), 1.0);
  return std::sqrt(product);
}

void write_rounded(const Tensor& output, const Tensor& dense) {
  if (dense.data() == output.data()) return;
  convert(output.data(), output.dtype, dense.data(), dense.dtype, static_cast<std::size_t>(dense.count()));
}

}  // namespace broadloom
