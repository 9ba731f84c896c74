#include "ops/call/movement.h"

#include <cstring>
#include <vector>

#include "core/count.h"
#include "core/memory.h"
#include "core/strings.h"
#include "core/text.h"
#include "kernels/movement/packed.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// The type of unpacked elements, one byte each.
constexpr Dtype unpacked_type = Dtype::uint8;

Result<Tensor> unpacked(const Tensor& tensor) {
  BROADLOOM_TRY(dense, densify(tensor));
  BROADLOOM_TRY(bytes, make_tensor(unpacked_type, tensor.dims()));
  const auto count = in_memory(tensor.count());
  unpack(bytes.data(), dense.storage->data(), 0, count, in_memory(info(tensor.dtype).bits));
  return std::move(bytes);
}

// The inputs of a call, with some of them replaced.
struct Inputs {
  std::vector<Tensor> replaced;
  InlineVector<const Tensor*, 8> tensors;
};

Result<Inputs> copy_inputs(const Call& call) {
  BROADLOOM_CHECK(require_memory(call.inputs.size(), sizeof(Tensor) + sizeof(void*) + most_layout_bytes));
  return Inputs{std::vector<Tensor>(call.inputs.size()), InlineVector<const Tensor*, 8>(call.inputs)};
}

Status compute_packed(const Operator& op, Call& call, Dtype dtype) {
  BROADLOOM_TRY(inputs, copy_inputs(call));
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr || !op.moves(i)) continue;
    BROADLOOM_TRY(bytes, unpacked(*call.inputs[i]));
    inputs.replaced[i] = std::move(bytes);
    inputs.tensors[i] = &inputs.replaced[i];
  }
  std::vector<Tensor> outputs(call.outputs.begin(), call.outputs.end());
  for (Tensor& output : outputs) {
    if (output.dtype != dtype) continue;
    BROADLOOM_TRY(bytes, make_tensor(unpacked_type, output.dims()));
    output = std::move(bytes);
  }
  Call moving = call.with(inputs.tensors.values(), outputs);
  BROADLOOM_CHECK(op.compute(moving));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (call.outputs[i].dtype != dtype) continue;
    const auto count = in_memory(outputs[i].count());
    pack(call.outputs[i].storage->data(), outputs[i].data(), count, in_memory(info(dtype).bits));
  }
  return {};
}

// A dense copy with its strings in `text`, from `offset` on.
Result<Tensor> with_text(const Tensor& tensor, const StorageRef& text, std::int64_t offset) {
  BROADLOOM_TRY(dense, densify(tensor));
  BROADLOOM_TRY(moved, make_tensor(Dtype::string, tensor.dims()));
  const auto* from = reinterpret_cast<const StringRef*>(dense.data());
  auto* to = reinterpret_cast<StringRef*>(moved.data());
  const std::int64_t count = tensor.count();
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = {from[i].length == 0 ? 0 : from[i].offset + static_cast<std::uint32_t>(offset), from[i].length};
  }
  moved.storage->text = text;
  return std::move(moved);
}

std::int64_t text_bytes(const Tensor& tensor) {
  return tensor.storage->text ? static_cast<std::int64_t>(tensor.storage->text->size()) : 0;
}

Status compute_strings(const Operator& op, Call& call) {
  BROADLOOM_TRY(inputs, copy_inputs(call));
  std::int64_t bytes = 0;
  StorageRef text;
  std::size_t texts = 0;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr || !op.moves(i) || text_bytes(*call.inputs[i]) == 0) continue;
    bytes += text_bytes(*call.inputs[i]);
    text = call.inputs[i]->storage->text;
    ++texts;
  }
  if (texts > 1) {
    if (bytes > UINT32_MAX) {
      return fail(Code::OutOfMemory, "strings of one tensor have {} bytes; at most 2^32 - 1 are possible", bytes);
    }
    BROADLOOM_TRY(merged, Storage::allocate(bytes));
    text = std::move(merged);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (call.inputs[i] == nullptr || !op.moves(i)) continue;
      const std::int64_t size = text_bytes(*call.inputs[i]);
      if (size > 0) std::memcpy(text->data() + offset, call.inputs[i]->storage->text->data(), in_memory(size));
      BROADLOOM_TRY(moved, with_text(*call.inputs[i], text, offset));
      inputs.replaced[i] = std::move(moved);
      inputs.tensors[i] = &inputs.replaced[i];
      offset += size;
    }
  }
  Call moving = call.with(inputs.tensors.values(), call.outputs);
  BROADLOOM_CHECK(op.compute(moving));
  for (Tensor& output : call.outputs) {
    if (output.dtype == Dtype::string) output.storage->text = text;
  }
  return {};
}

}  // namespace

Status compute_movement(const Operator& op, Call& call) {
  const Dtype dtype = call.outputs.empty() ? Dtype::undefined : call.outputs[0].dtype;
  if (op.data_movement_inputs == 0 || dtype == Dtype::undefined) return op.compute(call);
  if (is_packed(dtype)) return compute_packed(op, call, dtype);
  return dtype == Dtype::string ? compute_strings(op, call) : op.compute(call);
}

}  // namespace broadloom
