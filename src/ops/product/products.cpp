#include "ops/product/products.h"

#include <algorithm>
#include <cmath>

#include "core/count.h"
#include "core/memory.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/dense.h"
#include "ops/dims/product.h"

namespace broadloom {

Layout axes_of(const Layout& layout, std::size_t first, std::size_t count) {
  return {layout.dims.values().subspan(first, count), layout.strides.values().subspan(first, count)};
}

namespace {

// A factor of a product, whose elements have this layout. Its leading `batch` axes are the batch.
Factor factor_of(const Tensor& tensor, const Layout& layout, std::size_t batch, const SymbolicDims& batch_dims,
                 bool is_second) {
  const std::size_t axis = summed_axis(layout.dims.size(), is_second);
  const std::size_t kept = layout.dims.size() - batch - 1;
  return {data_of(tensor), broadcast_to(axes_of(layout, 0, batch), batch_dims),
          axes_of(layout, is_second ? layout.dims.size() - kept : batch, kept), axes_of(layout, axis, 1)};
}

// Whether the last axis of both batches repeats one matrix of b, and the rows of a that are multiplied by it are evenly spaced.
bool shares_matrix(const Layout& a, const Layout& b, std::size_t batch) {
  if (batch == 0 || a.dims[batch - 1] == 1 || (b.dims[batch - 1] != 1 && b.strides[batch - 1] != 0)) return false;
  return a.dims[batch] == 1 || a.strides[batch - 1] == a.dims[batch].number() * a.strides[batch];
}

Layout without_axis(const Layout& layout, std::size_t axis) {
  Layout rest{SymbolicDims(layout.dims.size() - 1), Dims(layout.dims.size() - 1)};
  for (std::size_t i = 0; i < rest.dims.size(); ++i) {
    rest.dims[i] = layout.dims[i < axis ? i : i + 1];
    rest.strides[i] = layout.strides[i < axis ? i : i + 1];
  }
  return rest;
}

}  // namespace

Factors factors_of_product(const Tensor& a, const Tensor& b, const SymbolicDims& y) {
  std::size_t batch_a = batch_rank(a.dims().size());
  std::size_t batch_b = batch_rank(b.dims().size());
  std::size_t batch = std::max(batch_a, batch_b);
  LayoutRef second = b.layout;
  if (batch_rank_of_second(b.layout) == 0) {
    second = axes_of(b.layout, batch_b, b.dims().size() - batch_b);
    batch = batch_a = batch_b = 0;
  }
  // The last axes of a batch count as rows, too, where these follow each other: heads that share keys, for one query.
  for (; batch_a == batch && batch_b == batch && shares_matrix(a.layout, second, batch); batch_a = batch_b = --batch)
    second = without_axis(second, batch - 1);
  const SymbolicDims dims(y.values().first(batch));
  return {factor_of(a, a.layout, batch_a, dims, false), factor_of(b, second, batch_b, dims, true)};
}

Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b, const std::byte* packed) {
  BROADLOOM_TRY(result, unrounded(output, accumulate_type_of(output.dtype).dtype));
  BROADLOOM_CHECK(multiply(output.dtype, result.data(), a, b, packed));
  return std::move(result);
}

// The stride of a single element does not matter.
Axis axis_of(const Layout& layout) {
  const std::int64_t extent = layout.dims.empty() ? 1 : layout.dims[0].number();
  return {extent, extent == 1 ? 0 : layout.strides[0]};
}

bool is_all(const Tensor& constant, const Axis& kept, const Axis& summed) {
  const std::int64_t step = summed.stride == 1 ? kept.stride : summed.stride;
  return std::min(kept.stride, summed.stride) == 1 && step == (summed.stride == 1 ? summed : kept).extent &&
         fills_storage(constant);
}

namespace {

// A dense matrix as packed columns.
class PackedColumns : public Storage::Substitute {
 public:
  PackedColumns(StorageRef packed, const Tensor& constant, const Axis& kept, const Axis& summed)
      : packed_(std::move(packed)),
        dtype_(constant.dtype),
        columns_(kept.extent),
        sums_(summed.extent),
        has_columns_(summed.stride == 1) {}
  void write(std::byte* to) const override {
    unpack_strips(to, packed_->data(), in_memory(columns_), in_memory(sums_), has_columns_, ItemTypes(dtype_));
  }

 private:
  StorageRef packed_;
  Dtype dtype_;
  std::int64_t columns_;
  std::int64_t sums_;
  bool has_columns_;
};

}  // namespace

Result<Ready> pack_columns(PackedOperands* packed, const Tensor& constant, Factor& b, std::int64_t rows) {
  if (!is_worth_packing(b, rows)) return Ready();
  const Axis kept = axis_of(b.kept);
  const Axis summed = axis_of(b.summed);
  const Tensor* const constants[] = {&constant};
  BROADLOOM_TRY(columns,
                packed->pack(PackedOperands::Kind::columns, constants, {kept.extent, kept.stride, summed.extent, summed.stride},
                             packed_columns_size(constant.dtype, b), [&](std::byte* to) {
                               b.data = constant.data();  // they may have been elsewhere
                               pack_columns(constant.dtype, to, b);
                               return Status();
                             }));
  Ready ready{columns, nullptr, nullptr};
  if (is_all(constant, kept, summed)) {
    ready.substitute = std::make_unique<PackedColumns>(columns, constant, kept, summed);
    ready.row_step = kept.stride;
  }
  return std::move(ready);
}

double work_of_products(const Call& call) {
  const Tensor& output = call.outputs[0];
  double product = output.is_ranked() ? static_cast<double>(output.count()) : 0;
  for (const Tensor* input : call.inputs)
    product *= input == nullptr ? 1.0 : std::max(static_cast<double>(input->count()), 1.0);
  return std::sqrt(product);
}

}  // namespace broadloom
