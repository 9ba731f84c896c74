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

Axis axis_of(const Layout& layout) {
  return layout.dims.empty() ? Axis{1, 0} : Axis{layout.dims[0].number(), layout.strides[0]};
}

bool is_same(const Axis& a, const Axis& b) { return a.extent == b.extent && (a.stride == b.stride || a.extent == 1); }

}  // namespace

Result<StorageRef> PackedOperands::pack(const Tensor& constant, const Factor& b, std::int64_t rows) {
  const Axis kept = axis_of(b.kept);
  const Axis summed = axis_of(b.summed);
  if (!is_worth_packing(constant.dtype, b, rows)) return StorageRef();
  const auto [first, last] = entries_.equal_range(b.data);
  for (auto at = first; at != last; ++at) {
    const Entry& entry = at->second;
    if (entry.dtype == constant.dtype && is_same(entry.kept, kept) && is_same(entry.summed, summed)) return entry.packed;
  }
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(packed, Storage::allocate(static_cast<std::int64_t>(packed_columns_size(constant.dtype, b))));
  pack_columns(constant.dtype, packed->data(), b);
  entries_.insert({b.data, {constant.storage, constant.dtype, kept, summed, packed}});
  return packed;
}

void PackedOperands::release_unused() {
  for (auto at = entries_.begin(); at != entries_.end();)
    at = at->second.packed->is_shared() ? std::next(at) : entries_.erase(at);
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
