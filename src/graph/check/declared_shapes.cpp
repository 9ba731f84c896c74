// Dims that a model declares of its values, beside the inferred ones.
#include "core/memory.h"
#include "core/text.h"
#include "graph/infer/shape_inference.h"

namespace broadloom {
namespace {

bool is_declared(const Value& value) { return value.declared != nullptr && value.declared->has_shape; }

// Calls use(value) for each value that nodes make and the model declares dims of.
template <class Use>
void each_declared(const Model& model, const Use& use) {
  for (const Graph& graph : model.graphs()) {
    for (const Node& node : graph.nodes) {
      for (const Value* value : node.outputs) {
        if (value != nullptr && is_declared(*value)) use(*value);
      }
    }
  }
}

}  // namespace

Tensor ShapeInference::declared(const Value& value, const ValueInfo& info) {
  if (!info.has_shape) return unranked(value.dtype);
  SymbolicDims dims(info.dims.size());
  std::size_t axis = 0;
  for (const Dimension& dim : info.dims) {
    const bool has_name = dim.symbol >= 0 && (trusts_names_ || dim.is_given);
    dims[axis] = dim.value >= 0 ? Size(dim.value)
                 : has_name     ? expressions_.name(static_cast<std::uint32_t>(dim.symbol))
                                : fresh(value, axis);
    ++axis;
  }
  return known_dims(value.dtype, dims);
}

bool ShapeInference::contradicts(const Value& value) const {
  const SymbolicDims& dims = tensors_[value.place].dims();
  if (dims.size() != value.declared->dims.size()) return true;
  const Size* size = dims.begin();
  for (const Dimension& dim : value.declared->dims) {
    if (dim.value >= 0 && differ(*size, dim.value)) return true;
    ++size;
  }
  return false;
}

void ShapeInference::warn_of_contradictions(Model& model) const {
  each_declared(model, [&](const Value& value) {
    const Tensor& tensor = (*this)[value];
    if (!tensor.is_ranked() || !contradicts(value)) return;
    Text declared;
    append_dims(declared, *value.declared);
    model.warn("{} is declared as {}, but is {}", quoted(value.name), declared.view(), tensor.dims().values());
  });
}

Status warn_of_contradictions(Model& model) {
  bool has_declared = false;
  each_declared(model, [&](const Value&) { has_declared = true; });
  if (!has_declared) return {};
  ShapeInference inference(model);
  BROADLOOM_CHECK(inference.run());
  inference.warn_of_contradictions(model);
  return {};
}

// A run does not check the dims that a model declares for outputs of nodes. So inference must not use them, unless the model
// cannot run.
Status ShapeInference::take_declared(const Node& node) {
  if (needs_proof_) return {};
  for (const Value* value : node.outputs) {
    if (value == nullptr || !is_declared(*value)) continue;
    Tensor& tensor = at(value);
    const bool is_known = tensor.is_ranked() && is_only_declared_[value->place] == 0;
    if (is_known && (are_numbers(tensor.dims()) || contradicts(*value))) continue;
    BROADLOOM_CHECK(require_memory());
    Tensor taken = declared(*value, *value->declared);
    if (is_known) {
      SymbolicDims dims = taken.dims();
      for (std::size_t i = 0; i < dims.size(); ++i) {
        const Size own = tensor.dims()[i];
        if (expressions_.is_named(own) || !expressions_.is_named(dims[i])) dims[i] = own;
      }
      taken.layout = uniform_layout(dims);
    } else {
      is_only_declared_[value->place] = 1;
    }
    tensor = std::move(taken);
  }
  return {};
}

}  // namespace broadloom
