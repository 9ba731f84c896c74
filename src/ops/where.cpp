// Where: elements of one tensor or of another. ONNX: onnx/defs/tensor/defs.cc and old.cc, Where.
#include <algorithm>
#include <array>

#include "kernels/select.h"
#include "kernels/strided.h"
#include "ops/arguments.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum TypeVariable;

constexpr Parameter inputs[] = {{"condition", B}, {"X", T}, {"Y", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{{}, inputs, outputs, {B, T}};

constexpr OperatorVersion versions[] = {
    {9, &signature, {Dtype::boolean, types::all_opset_1}},
    {16, &signature, {Dtype::boolean, types::all_opset_13}},
};

Status prepare(Call& call) {
  Dims dims;
  for (const Tensor* input : call.inputs) {
    if (!input->is_ranked()) return {};
    BROADLOOM_TRY(broadcast, broadcast_dims(input->dims(), dims));
    dims = std::move(broadcast);
  }
  call.outputs[0] = known_dims(call.inputs[1]->dtype, dims);
  return {};
}

constexpr std::size_t operand_count = 3;

// An operand block by block: where it lies densely it is read in place, else it is written to a block that stays in the
// first-level cache.
struct Operand {
  static constexpr std::size_t block_bytes = std::size_t{4} * 1024;

  const std::byte* data;
  std::size_t item_size;
  LayoutRef layout;                    // of all
  LayoutRef part;                      // of a block
  const std::byte* written = nullptr;  // what the block holds already: repeated operands find it again
  std::int64_t written_count = 0;
  std::byte block[block_bytes];

  const std::byte* read(std::int64_t place, std::int64_t extent) {
    const std::byte* from = data + place * static_cast<std::int64_t>(item_size);
    part.edit().dims[0] = extent;
    if (is_dense(*part)) return from;
    const std::int64_t count = part->count();
    if (written != from || written_count < count) materialize(block, from, part, item_size);
    written = from;
    written_count = count;
    return block;
  }
};

using Operands = Operand[operand_count];
using Offsets = std::array<std::int64_t, operand_count>;  // in elements

// Fewer axes for all: those of size 1 are dropped, and neighbours merged that are so for each. Returns how many are left, which
// is at least one; `dims` has one, too.
std::size_t merge_axes(Operands& operands, Dims& dims) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t extent = dims[i];
    if (extent == 1) continue;
    const bool is_next = rank > 0 && std::all_of(operands, operands + operand_count, [&](const Operand& operand) {
                           return operand.layout->strides[rank - 1] == extent * operand.layout->strides[i];
                         });
    if (!is_next) dims[rank++] = 1;
    dims[rank - 1] *= extent;
    for (Operand& operand : operands) operand.layout.edit().strides[rank - 1] = operand.layout->strides[i];
  }
  return std::max<std::size_t>(rank, 1);
}

// A block has all axes behind this one, and so many indices of this one at most.
struct Split {
  std::size_t axis;
  std::int64_t most;
};

// Writes the axes from `axis` on.
std::byte* write(std::byte* to, Operands& operands, const Dims& dims, std::size_t axis, Split split, const Offsets& places) {
  const std::int64_t extent = dims[axis];
  const std::int64_t step = axis == split.axis ? split.most : 1;
  for (std::int64_t i = 0; i < extent; i += step) {
    Offsets next = places;
    for (std::size_t o = 0; o < operand_count; ++o) next[o] += i * operands[o].layout->strides[axis];
    if (axis < split.axis) {
      to = write(to, operands, dims, axis + 1, split, next);
      continue;
    }
    const std::int64_t part = std::min(split.most, extent - i);
    const std::byte* from[operand_count];
    for (std::size_t o = 0; o < operand_count; ++o) from[o] = operands[o].read(next[o], part);
    const auto count = static_cast<std::size_t>(operands[0].part->count());
    select_items(to, from[0], from[1], from[2], operands[1].item_size, count);
    to += count * operands[1].item_size;
  }
  return to;
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  const std::size_t item = item_size(output.dtype);
  if (output.count() == 0) return {};
  const auto is_whole = [&](const Tensor* input) { return input->dims() == output.dims() && is_dense(*input); };
  if (std::all_of(call.inputs.begin(), call.inputs.end(), is_whole)) {
    select_items(output.data(), call.inputs[0]->data(), call.inputs[1]->data(), call.inputs[2]->data(), item,
                 static_cast<std::size_t>(output.count()));
    return {};
  }
  Operands operands;
  Dims dims = output.dims().empty() ? Dims{1} : output.dims();
  for (std::size_t o = 0; o < operand_count; ++o) {
    operands[o].data = call.inputs[o]->data();
    operands[o].item_size = o == 0 ? 1 : item;
    operands[o].layout = broadcast_to(call.inputs[o]->layout, dims);
  }
  const std::size_t rank = merge_axes(operands, dims);
  // The innermost axes that fit into a block, and of the one before as much as does.
  auto block = static_cast<std::int64_t>(Operand::block_bytes / item);
  std::size_t split = rank - 1;
  for (; split > 0 && dims[split] <= block; --split) block /= dims[split];
  for (Operand& operand : operands) {
    operand.part = LayoutRef(Dims(dims.values().subspan(split, rank - split)));
    for (std::size_t i = split; i < rank; ++i) operand.part.edit().strides[i - split] = operand.layout->strides[i];
  }
  write(output.data(), operands, dims, 0, {split, block}, {});
  return {};
}

}  // namespace

constinit const Operator op::where{"Where", versions, nullptr, prepare, compute, 6};

}  // namespace broadloom
