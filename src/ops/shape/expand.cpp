// Expand: two-way broadcast to a shape, as a layout with stride 0. ONNX: onnx/defs/math/defs.cc and old.cc, Expand.
#include <algorithm>
#include <optional>

#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/shape/shape_input.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs[] = {{"input", T}, {"shape", Dtype::int64}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{{}, inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {8, &signature, {types::all_opset_1}},
    {13, &signature, {types::all_opset_13}},
};

// The input's layout, broadcast to a list of sizes, in one walk: half of the time of a rule that knows errors and symbols.
// Nothing for sizes that it does not take.
std::optional<LayoutRef> broadcast_usual(const Layout& from, const Tensor& shape) {
  if (shape.layout->dims.size() != 1 || shape.dims()[0].number() > static_cast<std::int64_t>(most_axes)) return std::nullopt;
  const auto* const sizes = reinterpret_cast<const Size*>(shape.data());
  const std::size_t own = from.dims.size();
  const auto given = in_memory(shape.dims()[0].number());
  const std::size_t rank = std::max(own, given);
  LayoutRef result = LayoutRef::of_rank(rank);
  Layout& layout = result.edit();
  double count = 1;
  for (std::size_t behind = 1; behind <= rank; ++behind) {
    const Size dim = behind <= own ? from.dims.data()[own - behind] : Size(1);
    const Size size = behind <= given ? sizes[static_cast<std::int64_t>(given - behind) * shape.layout->strides[0]] : Size(1);
    Size broadcast = 0;
    if (!broadcast_size(broadcast, dim, size) || broadcast.word() < 0) return std::nullopt;
    layout.dims.data()[rank - behind] = broadcast;
    layout.strides.data()[rank - behind] = behind <= own && broadcast == dim ? from.strides.data()[own - behind] : 0;
    if (broadcast.word() > 1) count *= static_cast<double>(broadcast.word());
  }
  if (count > static_cast<double>(max_count)) return std::nullopt;
  return result;
}

Result<LayoutRef> broadcast_any(const Call& call, const Tensor& input) {
  BROADLOOM_TRY(shape, read_shape(call, 1, "shape"));
  BROADLOOM_TRY(dims, broadcast_dims(input.dims(), shape));
  return broadcast_to(input.layout, dims);
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!has_known_length(call, 1) || !input.is_ranked()) return {};
  std::optional<LayoutRef> layout;
  if (call.is_run()) layout = broadcast_usual(input.layout, *call.inputs[1]);
  if (!layout) {
    BROADLOOM_TRY(other, broadcast_any(call, input));
    layout = std::move(other);
  }
  BROADLOOM_TRY(storage, share_storage(input));
  Tensor& output = call.outputs[0];
  output.dtype = input.dtype;
  output.layout = std::move(*layout);
  output.storage = std::move(storage);
  output.offset = input.offset;
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, expand){
    .name = "Expand",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
};

}  // namespace broadloom
