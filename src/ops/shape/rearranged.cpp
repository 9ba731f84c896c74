#include "ops/shape/rearranged.h"

namespace broadloom {

Status set_rearranged(Call& call, const Layout& layout, const SymbolicDims& dims) {
  const Tensor& input = *call.inputs[0];
  call.outputs[0] = known_dims(input.dtype, dims);
  std::optional<LayoutRef> merged = reshape(layout, dims);
  if (!merged) return {};
  BROADLOOM_TRY(view, view_of(input, *std::move(merged)));
  call.outputs[0] = std::move(view);
  return {};
}

}  // namespace broadloom
