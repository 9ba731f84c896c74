#include "ops/products.h"

#include "kernels/convert.h"
#include "ops/dense.h"

namespace broadloom {

Layout axes_of(const Layout& layout, std::size_t first, std::size_t count) {
  return {layout.dims.values().subspan(first, count), layout.strides.values().subspan(first, count)};
}

Result<Tensor> products(const Tensor& output, const Factor& a, const Factor& b) {
  Tensor result = output;
  const Dtype computed = widening_of(output.dtype).dtype;
  if (computed != output.dtype) {
    BROADLOOM_TRY(wide, make_tensor(computed, output.dims()));
    result = std::move(wide);
  }
  BROADLOOM_CHECK(multiply(output.dtype, result.data(), a, b));
  return result;
}

void write_rounded(const Tensor& output, const Tensor& dense) {
  if (dense.data() == output.data()) return;
  convert(output.data(), output.dtype, dense.data(), dense.dtype, static_cast<std::size_t>(dense.count()));
}

Result<Tensor> in_type(const Tensor& tensor, Dtype dtype) {
  BROADLOOM_TRY(dense, densify(tensor));
  if (dense.dtype == dtype) return std::move(dense);
  BROADLOOM_TRY(result, make_tensor(dtype, dense.dims()));
  convert(result.data(), dtype, dense.data(), dense.dtype, static_cast<std::size_t>(dense.count()));
  return std::move(result);
}

}  // namespace broadloom
