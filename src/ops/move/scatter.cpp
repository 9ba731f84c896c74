// ScatterElements (formerly Scatter), ScatterND: replace or reduce elements at indices. ONNX:
// onnx/defs/tensor/defs.cc and old.cc.
#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/combine.h"
#include "kernels/movement/blocks.h"
#include "kernels/movement/strided.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/move/indexed_offsets.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec axis = with_default("axis", INT, 0);
constexpr AttributeSpec reduction_16 = one_of("reduction", "none add mul");
constexpr AttributeSpec reduction_18 = one_of("reduction", "none add mul max min");
constexpr AttributeSpec axis_attribute[] = {axis};
constexpr AttributeSpec elements_attributes_16[] = {axis, reduction_16};
constexpr AttributeSpec elements_attributes_18[] = {axis, reduction_18};
constexpr AttributeSpec nd_attributes_16[] = {reduction_16};
constexpr AttributeSpec nd_attributes_18[] = {reduction_18};
constexpr Parameter inputs[] = {{"data", T}, {"indices", Tind}, {"updates", T}};
constexpr Parameter nd_inputs[] = {{"data", T}, {"indices", Dtype::int64}, {"updates", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature elements_signature{axis_attribute, inputs, outputs, {T, Tind}};
constexpr Signature elements_signature_16{elements_attributes_16, inputs, outputs, {T, Tind}};
constexpr Signature elements_signature_18{elements_attributes_18, inputs, outputs, {T, Tind}};
constexpr Signature nd_signature{{}, nd_inputs, outputs, {T}};
constexpr Signature nd_signature_16{nd_attributes_16, nd_inputs, outputs, {T}};
constexpr Signature nd_signature_18{nd_attributes_18, nd_inputs, outputs, {T}};

constexpr OperatorVersion scatter_versions[] = {
    {9, &elements_signature, {types::all_opset_1, types::indices}},
    {11, &elements_signature, {types::all_opset_1, types::indices}},
};

constexpr OperatorVersion elements_versions[] = {
    {11, &elements_signature, {types::all_opset_1, types::indices}},
    {13, &elements_signature, {types::all_opset_13, types::indices}},
    {16, &elements_signature_16, {types::all_opset_13, types::indices}},
    {18, &elements_signature_18, {types::all_opset_13, types::indices}},
};

constexpr OperatorVersion nd_versions[] = {
    {11, &nd_signature, {types::all_opset_1}},
    {13, &nd_signature, {types::all_opset_13}},
    {16, &nd_signature_16, {types::all_opset_13}},
    {18, &nd_signature_18, {types::all_opset_13}},
};

bool is_reduced(const Call& call) {
  const std::string_view word = call.word("reduction");
  return !word.empty() && word != "none";
}

Status check_updates(const Call& call, std::span<const Size> places, std::span<const Size> block) {
  const Tensor& updates = *call.inputs[2];
  if (!updates.is_ranked()) return {};
  const SymbolicDims& dims = updates.dims();
  bool fits = dims.size() == places.size() + block.size();
  for (std::size_t i = 0; fits && i < dims.size(); ++i) {
    const Size wanted = i < places.size() ? places[i] : block[i - places.size()];
    fits = !differ(wanted, dims[i]);
  }
  if (fits) return {};
  return fail(Code::InvalidArgument, "updates has dims {}, wanted the places {}, then the block {}", dims.values(), places,
              block);
}

// The output has the dims of the data. Fails for a reduction that the type does not have.
Status set_dims(Call& call) {
  const Tensor& data = *call.inputs[0];
  const bool is_complex = data.dtype == Dtype::complex64 || data.dtype == Dtype::complex128;
  const std::string_view reduction = call.word("reduction");
  const bool has_order = reduction.starts_with('m') && reduction != "mul";
  if (is_reduced(call) && (data.dtype == Dtype::string || (is_complex && has_order))) {
    return fail(Code::UnsupportedType, "reduction {} is not defined for {}", quoted(reduction), data.dtype);
  }
  if (data.is_ranked()) call.outputs[0] = known_dims(data.dtype, data.dims());
  return {};
}

Status prepare_elements(Call& call) {
  BROADLOOM_CHECK(check_elements(call));
  const Tensor& indices = *call.inputs[1];
  if (indices.is_ranked()) BROADLOOM_CHECK(check_updates(call, indices.dims(), {}));
  return set_dims(call);
}

Status prepare_nd(Call& call) {
  BROADLOOM_TRY(first, check_tuples(call, 0));
  if (first > 0) {
    const std::span<const Size> places = call.inputs[1]->dims().values();
    BROADLOOM_CHECK(check_updates(call, places.first(places.size() - 1), call.inputs[0]->dims().values().subspan(first)));
  }
  return set_dims(call);
}

// Copies the data, and writes updates to the blocks at the indices.
Status write_updates(Call& call, IndexedOffsets::Kind kind, std::size_t counted_axis, std::size_t block_axis) {
  const Tensor& data = *call.inputs[0];
  Tensor& output = call.outputs[0];
  const bool reduced = is_reduced(call);
  // Before a run, elements may be expressions, which can only be moved.
  if (reduced && !call.is_run()) {
    output.storage = {};
    return {};
  }
  BROADLOOM_CHECK(materialize_watched(output.data(), data.data(), data.layout, item_size(data.dtype)));
  BROADLOOM_TRY(updates, densify(*call.inputs[2]));
  if (updates.count() == 0) return {};
  const auto block = in_memory(count_of(data.dims().values().subspan(block_axis)));
  const std::size_t bytes = block * item_size(data.dtype);
  const std::string_view word = call.word("reduction");
  const Operation operation = word == "add"   ? Operation::add
                              : word == "mul" ? Operation::multiply
                              : word == "max" ? Operation::maximum
                                              : Operation::minimum;
  IndexedOffsets places(kind, output, *call.inputs[1], counted_axis);
  const std::byte* from = updates.data();
  for (;;) {
    BROADLOOM_TRY(offsets, places.next());
    if (offsets.empty()) return {};
    BROADLOOM_CHECK(Watch::check(static_cast<double>(offsets.size()) * (4 + static_cast<double>(bytes) / 4)));
    if (reduced) {
      combine_blocks(operation, data.dtype, output.data(), offsets, from, block);
    } else {
      scatter_blocks(output.data(), offsets, from, bytes, bytes);
    }
    from += offsets.size() * bytes;
  }
}

Status compute_elements(Call& call) {
  const std::size_t rank = call.inputs[0]->dims().size();
  BROADLOOM_TRY(counted, resolve_axis("axis", call.integer("axis"), rank));
  return write_updates(call, IndexedOffsets::Kind::of_elements, counted, rank);
}

Status compute_nd(Call& call) {
  return write_updates(call, IndexedOffsets::Kind::of_tuples, 0, in_memory(call.inputs[1]->run_dims().back()));
}

// Bools have a logical sum and product.
constexpr Kernels scatter_kernels =
    loops(Operation::add, Operation::multiply, Operation::minimum, Operation::maximum, Operation::bit_or, Operation::bit_and);

}  // namespace

BROADLOOM_OPERATOR(op, scatter){
    .name = "Scatter",
    .versions = scatter_versions,
    .prepare = prepare_elements,
    .compute = compute_elements,
    .data_movement_inputs = inputs_at({0, 2}),
    .kernels = scatter_kernels,
};
BROADLOOM_OPERATOR(op, scatter_elements){
    .name = "ScatterElements",
    .versions = elements_versions,
    .prepare = prepare_elements,
    .compute = compute_elements,
    .data_movement_inputs = inputs_at({0, 2}),
    .kernels = scatter_kernels,
};
BROADLOOM_OPERATOR(op, scatter_nd){
    .name = "ScatterND",
    .versions = nd_versions,
    .prepare = prepare_nd,
    .compute = compute_nd,
    .data_movement_inputs = inputs_at({0, 2}),
    .kernels = scatter_kernels,
};

}  // namespace broadloom
