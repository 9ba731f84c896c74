#include "model/infer.h"

#include "core/memory.h"

namespace broadloom {
namespace {

// The number that stands for unknown size `number` in each run: different from those of all others there, and not 0 or 1,
// which broadcasts take for something else. The first ones are those of the names of sizes.
std::int64_t probe(std::size_t number, int run) {
  const auto signed_number = static_cast<std::int64_t>(number);
  return run == 0 ? signed_number + 2 : 2 * signed_number + 3;
}

}  // namespace

Status Inference::stand_in(const Value& value, const ValueInfo& info) {
  if (!info.has_shape) return {};
  const std::size_t first_unknown = unknown_sizes_;
  for (int run = 0; run < 2; ++run) {
    unknown_sizes_ = first_unknown;
    Dims dims(info.dims.size());
    std::int64_t* size = dims.begin();
    for (const Dimension& dim : info.dims) {
      const bool is_symbol = dim.symbol >= 0;
      *size++ = dim.value >= 0 ? dim.value : probe(is_symbol ? static_cast<std::size_t>(dim.symbol) : unknown_sizes_++, run);
    }
    BROADLOOM_TRY(tensor, make_stand_in(value.dtype == Dtype::undefined ? Dtype::float32 : value.dtype, dims));
    tensors_[run][value.number] = std::move(tensor);
  }
  values_[value.number].has_dims = true;
  return {};
}

void Inference::infer_outputs(const Node& node) {
  Inferred result{true, false, true};
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    const Inferred& input = values_[node.inputs[i]->number];
    const Use use = parameter_at(node.version->inputs, i)->use;
    if (!input.has_dims || (use == Use::Sizes && !input.has_elements)) return;
    if (use != Use::Dims && !input.has_elements) result.has_elements = false;
  }
  for (std::vector<Tensor>& tensors : tensors_) {
    if (!run_node(node, tensors)) return;
  }
  for (const Value* value : node.outputs) {
    if (value == nullptr) continue;
    const std::size_t rank = rank_of(value->number);
    // The rank, too, may depend on an unknown size.
    if (rank == tensors_[1][value->number].dims().size()) values_[value->number] = result;
  }
}

Status Inference::run() {
  BROADLOOM_CHECK(require_memory(model_.value_count, 2 * sizeof(Tensor) + sizeof(Inferred)));
  values_ = std::vector<Inferred>(model_.value_count);
  for (std::vector<Tensor>& tensors : tensors_) tensors = std::vector<Tensor>(model_.value_count);
  for (const GraphInput& input : model_.inputs) BROADLOOM_CHECK(stand_in(*input.value, input.info));
  for (const Initializer& initializer : model_.initializers) {
    const Value& value = *initializer.value;
    if (value.input != nullptr) continue;  // only a default, which a feed may replace
    for (std::vector<Tensor>& tensors : tensors_) tensors[value.number] = initializer.tensor;
    values_[value.number] = {true, false, !value.is_external};
  }
  for (const Node& node : model_.nodes) {
    BROADLOOM_CHECK(require_memory());
    if (node.op != nullptr && !node.inputs.empty()) infer_outputs(node);
    for (const Value* value : node.outputs) {
      if (value == nullptr || value->declared == nullptr || values_[value->number].has_dims) continue;
      BROADLOOM_CHECK(stand_in(*value, *value->declared));
      values_[value->number].is_only_declared = true;
    }
  }
  return {};
}

Inference::Size Inference::size_of(std::size_t value, std::size_t axis) const {
  const std::int64_t first = tensors_[0][value].dims()[axis];
  const std::int64_t second = tensors_[1][value].dims()[axis];
  if (first == second) return {first, 0};
  const auto number = static_cast<std::size_t>(first - probe(0, 0));
  return {-1, second == probe(number, 1) ? number : SIZE_MAX};
}

}  // namespace broadloom
