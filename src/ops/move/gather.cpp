// Gather, GatherElements, GatherND: elements at indices. ONNX: onnx/defs/tensor/defs.cc and old.cc.
#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/movement/blocks.h"
#include "kernels/products/panels.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/move/indexed_offsets.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec axis_attribute[] = {with_default("axis", INT, 0)};
constexpr AttributeSpec batch_attribute[] = {with_default("batch_dims", INT, 0)};
constexpr Parameter inputs[] = {{"data", T}, {"indices", Tind}};
constexpr Parameter nd_inputs[] = {{"data", T}, {"indices", Dtype::int64}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{axis_attribute, inputs, outputs, {T, Tind}};
constexpr Signature nd_signature_11{{}, nd_inputs, outputs, {T}};
constexpr Signature nd_signature_12{batch_attribute, nd_inputs, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature, {types::all_opset_1, types::indices}},
    {11, &signature, {types::all_opset_1, types::indices}},
    {13, &signature, {types::all_opset_13, types::indices}},
};

constexpr OperatorVersion elements_versions[] = {
    {11, &signature, {types::all_opset_1, types::indices}},
    {13, &signature, {types::all_opset_13, types::indices}},
};

constexpr OperatorVersion nd_versions[] = {
    {11, &nd_signature_11, {types::all_opset_1}},
    {12, &nd_signature_12, {types::all_opset_1}},
    {13, &nd_signature_12, {types::all_opset_13}},
};

// Sets the output's dims: `places`, followed by the dims of a block, which are the dims of data from `axis` on.
Status set_dims(Call& call, std::span<const Size> places, std::size_t axis) {
  const std::span<const Size> block = call.inputs[0]->dims().values().subspan(axis);
  BROADLOOM_CHECK(check_rank(places.size() + block.size()));
  SymbolicDims dims(places.size() + block.size());
  std::copy(block.begin(), block.end(), std::copy(places.begin(), places.end(), dims.begin()));
  call.outputs[0] = known_dims(call.inputs[0]->dtype, dims);
  return {};
}

// Copies the blocks, which are the axes from `axis` on.
Status copy_places(Tensor& output, const Tensor& data, IndexedOffsets&& places, std::size_t axis) {
  const auto block = in_memory(count_of(data.run_dims().subspan(axis))) * item_size(data.dtype);
  std::byte* to = output.data();
  for (;;) {
    BROADLOOM_TRY(offsets, places.next());
    if (offsets.empty()) return {};
    BROADLOOM_CHECK(Watch::check(static_cast<double>(offsets.size()) * (4 + static_cast<double>(block) / 4)));
    gather_blocks(to, data.data(), offsets, block);
    to += offsets.size() * block;
  }
}

// The data with dense blocks: the axes from `axis` on.
Result<Tensor> with_dense_blocks(const Tensor& data, std::size_t axis) {
  const std::span<const std::int64_t> dims = data.run_dims();
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > axis;) {
    if (dims[i] != 1 && data.layout->strides[i] != stride) return densify(data);
    stride *= dims[i];
  }
  return data;
}

Status prepare(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (!data.is_ranked()) return {};
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), data.dims().size()));
  if (!indices.is_ranked()) return {};
  SymbolicDims places(axis + indices.dims().size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i < axis ? data.dims()[i] : indices.dims()[i - axis];
  BROADLOOM_CHECK(set_dims(call, places, axis + 1));
  // One index gives a view, unless the storage is exposed: then the whole storage would be copied.
  if (!data.has_elements() || !indices.has_elements() || data.storage->exposed || indices.count() != 1 || data.count() == 0) {
    return {};
  }
  const std::int64_t index = indices.dtype == Dtype::int64 ? *reinterpret_cast<const std::int64_t*>(indices.data())
                                                           : *reinterpret_cast<const std::int32_t*>(indices.data());
  const std::int64_t size = data.run_dims()[axis];
  const std::int64_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) return {};  // an error, if it is a number: compute says so
  LayoutRef layout(call.outputs[0].dims());
  Layout& view = layout.edit();
  for (std::size_t i = 0; i < data.dims().size(); ++i) {
    if (i != axis) view.strides[i < axis ? i : i + indices.dims().size() - 1] = data.layout->strides[i];
  }
  BROADLOOM_TRY(viewed, view_of(data, std::move(layout), place * data.layout->strides[axis]));
  call.outputs[0] = std::move(viewed);
  return {};
}

// Copies rows of a matrix that is there as packed columns, one for each row.
Status copy_packed_rows(Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  const auto depth = in_memory(dims[1].number());
  const ItemTypes types(call.inputs[0]->dtype);
  // Offsets are the numbers of rows, in bytes of one item.
  const Tensor numbers(types.dtype, Layout{dims, {1, 0}});
  IndexedOffsets places(IndexedOffsets::Kind::on_axis, numbers, *call.inputs[1], 0);
  std::byte* to = call.outputs[0].data();
  for (;;) {
    BROADLOOM_TRY(offsets, places.next());
    if (offsets.empty()) return {};
    BROADLOOM_CHECK(Watch::check(static_cast<double>(offsets.size()) * (4 + static_cast<double>(depth))));
    for (const std::ptrdiff_t offset : offsets) {
      unpack_column(to, call.packed, in_memory(offset) / types.size, depth, types);
      to += depth * types.size;
    }
  }
}

Status compute(Call& call) {
  const Tensor& indices = *call.inputs[1];
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  if (call.packed != nullptr) return copy_packed_rows(call);
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), call.inputs[0]->dims().size()));
  BROADLOOM_TRY(data, with_dense_blocks(*call.inputs[0], axis + 1));
  return copy_places(output, data, IndexedOffsets(IndexedOffsets::Kind::on_axis, data, indices, axis), axis + 1);
}

// A constant matrix may be there as packed columns alone: then compute gets them.
Result<Ready> ready(const Call& call, PackedOperands*) {
  const Tensor& data = *call.inputs[0];
  Ready made;
  if (!data.has_elements() || data.dims().size() != 2 || !types::single_floats.contains(data.dtype)) return std::move(made);
  const std::span<const std::int64_t> dims = data.run_dims();
  const Dims& strides = data.layout->strides;
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), 2));
  made.may_read_rows = axis == 0 && is_all(data, {dims[0], strides[0]}, {dims[1], strides[1]});
  return std::move(made);
}

Status prepare_elements(Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  BROADLOOM_CHECK(check_elements(call));
  if (indices.is_ranked()) {
    call.outputs[0] = known_dims(data.dtype, indices.dims());
  } else if (data.is_ranked()) {
    call.outputs[0] = known_dims(data.dtype, SymbolicDims(data.dims().size(), unknown_size));
  }
  return {};
}

Status compute_elements(Call& call) {
  const Tensor& data = *call.inputs[0];
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  const std::size_t rank = data.dims().size();
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), rank));
  return copy_places(output, data, IndexedOffsets(IndexedOffsets::Kind::of_elements, data, *call.inputs[1], axis), rank);
}

Status prepare_nd(Call& call) {
  BROADLOOM_TRY(first, check_tuples(call, call.integer("batch_dims")));
  if (first == 0) return {};
  const std::span<const Size> list = call.inputs[1]->dims().values();
  return set_dims(call, list.first(list.size() - 1), first);
}

Status compute_nd(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  const Tensor& indices = *call.inputs[1];
  const auto batch_axes = in_memory(call.integer("batch_dims"));
  const auto first = batch_axes + in_memory(indices.run_dims().back());
  BROADLOOM_TRY(data, with_dense_blocks(*call.inputs[0], first));
  return copy_places(output, data, IndexedOffsets(IndexedOffsets::Kind::of_tuples, data, indices, batch_axes), first);
}

}  // namespace

BROADLOOM_OPERATOR(op, gather){
    .name = "Gather",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .data_movement_inputs = inputs_at({0}),
    .ready = ready,
};
BROADLOOM_OPERATOR(op, gather_elements){
    .name = "GatherElements",
    .versions = elements_versions,
    .prepare = prepare_elements,
    .compute = compute_elements,
    .data_movement_inputs = inputs_at({0}),
};
BROADLOOM_OPERATOR(op, gather_nd){
    .name = "GatherND",
    .versions = nd_versions,
    .prepare = prepare_nd,
    .compute = compute_nd,
    .data_movement_inputs = inputs_at({0}),
};

}  // namespace broadloom
