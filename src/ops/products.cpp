#include "ops/products.h"

#include <algorithm>
#include <cmath>

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
