#include "graph/execute/iterations.h"

#include <algorithm>

#include "core/memory.h"
#include "core/text.h"
#include "ops/move/join.h"

namespace broadloom {

Result<Iterations> start_iterations(const BodyParts& parts) {
  BROADLOOM_CHECK(require_memory(parts.states + parts.scan_outputs, sizeof(std::vector<Tensor>) + sizeof(Tensor)));
  return Iterations{std::vector<Tensor>(parts.states), std::vector<std::vector<Tensor>>(parts.scan_outputs)};
}

Status add_item(std::vector<Tensor>& list, const Tensor& tensor) {
  if (list.size() == list.capacity()) BROADLOOM_CHECK(require_memory(2 * list.size() + 8, sizeof(Tensor)));
  list.push_back(tensor);
  return {};
}

namespace {

Dims inserted(const Dims& dims, std::size_t axis, std::int64_t size) {
  Dims result(dims.size() + 1, size);
  for (std::size_t i = 0; i < dims.size(); ++i) result[i < axis ? i : i + 1] = dims[i];
  return result;
}

}  // namespace

Dims declared_dims(const ValueInfo& info) {
  Dims dims(info.dims.size());
  std::int64_t* to = dims.begin();
  for (const Dimension& dim : info.dims) *to++ = std::max<std::int64_t>(dim.value, 0);
  return dims;
}

Result<Tensor> stack_items(std::span<const Tensor> tensors, const GraphOutput& output, Dtype dtype, bool needs_proof) {
  if (tensors.empty() && needs_proof) return fail(Code::InvalidArgument, "{} was not made", quoted(output.info.name));
  const Dims item = tensors.empty() ? declared_dims(output.info) : Dims(tensors.front().run_dims());
  for (const Tensor& tensor : tensors) {
    if (tensor.dims() == item) continue;
    return fail(Code::InvalidArgument, "its body made {} with dims {}, and in another iteration with {}",
                quoted(output.info.name), item.values(), tensor.dims().values());
  }
  BROADLOOM_CHECK(check_rank(item.size() + 1));
  return join(tensors, dtype, inserted(item, 0, static_cast<std::int64_t>(tensors.size())));
}

Tensor slice_at(const Tensor& tensor, std::size_t axis, std::int64_t index) {
  const Layout& from = tensor.layout;
  LayoutRef layout(SymbolicDims(from.dims.size() - 1));
  Layout& view = layout.edit();
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    view.dims[i] = from.dims[i < axis ? i : i + 1];
    view.strides[i] = from.strides[i < axis ? i : i + 1];
  }
  return {tensor.dtype, std::move(layout), tensor.storage, tensor.offset + index * from.strides[axis]};
}

std::int64_t entry_of(const Attributes& attributes, std::string_view name, std::size_t i) {
  const Tensor* list = attributes.find_tensor(name);
  return list == nullptr ? 0 : reinterpret_cast<const std::int64_t*>(list->data())[i];
}

Status check_entries(const Attributes& attributes, std::string_view name, std::size_t size, bool are_flags) {
  const Tensor* list = attributes.find_tensor(name);
  if (list == nullptr) return {};
  if (list->count() != static_cast<std::int64_t>(size)) {
    return fail(Code::InvalidArgument, "attribute {} has {} entr{y}, wanted {}", quoted(name), list->count(), size);
  }
  for (std::size_t i = 0; are_flags && i < size; ++i) {
    const std::int64_t flag = entry_of(attributes, name, i);
    if (flag != 0 && flag != 1) {
      return fail(Code::InvalidArgument, "attribute {}: entry {} is {}, wanted 0 or 1", quoted(name), i, flag);
    }
  }
  return {};
}

}  // namespace broadloom
