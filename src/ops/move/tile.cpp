// Tile: repeats the input along its axes. ONNX: onnx/defs/tensor/defs.cc and old.cc, Tile.
#include <cmath>

#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/strided.h"
#include "ops/call/operator.h"
#include "ops/shape/rearranged.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs_1[] = {{"input", T}, {"tiles", T}, {"axis", T}};
constexpr Parameter inputs_6[] = {{"input", T}, Parameter::list("repeats", T1)};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_1{{}, inputs_1, outputs, {T, T1}};
constexpr Signature signature_6{{}, inputs_6, outputs, {T, T1}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats, Dtype::int64}},
    {6, &signature_6, {types::all_opset_1, Dtype::int64}},
    {13, &signature_6, {types::all_opset_13, Dtype::int64}},
};

// Reads an integer, which version 1 may give as a floating-point scalar.
Result<std::int64_t> read_whole(const Call& call, std::size_t input) {
  const Tensor& tensor = *call.inputs[input];
  const std::string_view name = call.version.inputs()[input].name;
  if (tensor.count() != 1) {
    return fail(Code::InvalidArgument, "{} has dims {}, wanted one element", quoted(name), tensor.dims().values());
  }
  double value;
  convert(reinterpret_cast<std::byte*>(&value), Dtype::float64, tensor.data(), tensor.dtype, 1);
  if (std::abs(value) <= 0x1p53 && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return fail(Code::InvalidArgument, "{} is {}, wanted an integer", quoted(name), value);
}

// The number of repeats of each axis; unknown_size if it is unknown.
Result<SymbolicDims> read_repeats(const Call& call, std::size_t rank) {
  Result<SymbolicDims> repeats(tl::in_place, rank, unknown_size);
  if (call.version.since_version >= 6) {
    BROADLOOM_TRY(list, read_list(call, "repeats"));
    if (list.has_length) *repeats = list.values;
  } else if (call.inputs[1]->has_elements() && call.inputs[2]->has_elements()) {
    BROADLOOM_TRY(tiles, read_whole(call, 1));
    BROADLOOM_TRY(number, read_whole(call, 2));
    BROADLOOM_TRY(axis, resolve_axis("axis", number, rank));
    *repeats = SymbolicDims(rank, 1);
    (*repeats)[axis] = tiles;
  }
  return repeats;
}

// Two axes for each axis: one for the repeats with stride 0, and the axis itself.
Layout repeated(const Layout& from, const SymbolicDims& dims) {
  Layout layout{SymbolicDims(2 * dims.size()), Dims(2 * dims.size())};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    layout.dims[2 * i] = from.dims[i] == 0 ? 0 : dims[i].number() / from.dims[i].number();
    layout.dims[2 * i + 1] = from.dims[i];
    layout.strides[2 * i + 1] = from.strides[i];
  }
  return layout;
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  const bool has_lists = call.inputs[1]->has_elements() && call.inputs.back()->has_elements();
  if (!input.is_ranked() || (call.is_run() && !has_lists)) return {};
  SymbolicDims dims = input.dims();
  BROADLOOM_TRY(repeats, read_repeats(call, dims.size()));
  if (repeats.size() != dims.size()) {
    return fail(Code::InvalidArgument, "repeats has {} entr{y}, but input has {} ax{i}s", repeats.size(), dims.size());
  }
  const Sizes sizes = call.sizes();
  bool are_known = input.has_elements();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i].is_negative()) {
      return fail(Code::InvalidArgument, "axis {} is repeated {} time{s}; that cannot be negative", i, repeats[i]);
    }
    are_known = are_known && repeats[i].is_number();
    dims[i] = sizes.multiply(dims[i], repeats[i]);
  }
  call.outputs[0] = known_dims(input.dtype, dims);
  if (!are_known) return {};
  if (!are_numbers(dims)) {
    return fail(Code::InvalidArgument, "{} repeated {} times has too many elements", input.dims().values(), repeats.values());
  }
  BROADLOOM_CHECK(check_sizes(dims));
  return set_rearranged(call, repeated(input.layout, dims), dims);
}

Status compute(Call& call) {
  const Tensor& input = *call.inputs[0];
  Tensor& output = call.outputs[0];
  return materialize_watched(output.data(), input.data(), repeated(input.layout, output.dims()), item_size(input.dtype));
}

}  // namespace

BROADLOOM_OPERATOR(op, tile){
    .name = "Tile",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({0}),
};

}  // namespace broadloom
