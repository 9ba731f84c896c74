#include "graph/structure/model.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

constexpr std::size_t most_warnings = 100;

}  // namespace

Status check_feed(const ValueInfo& info, const Tensor& tensor) {
  if (!info.is_tensor()) {
    return fail(Code::UnsupportedType, "input {} is {}; only tensors can be fed", quoted(info.name), info.kind);
  }
  // Nodes were checked with the declared types.
  if (info.dtype == Dtype::undefined) {
    return fail(Code::UnsupportedType, "input {} declares no element type, so the model cannot run", quoted(info.name));
  }
  if (tensor.dtype != info.dtype) {
    return fail(Code::InvalidArgument, "input {} is {}, wanted {}", quoted(info.name), tensor.dtype, info.dtype);
  }
  if (!info.has_shape) return {};
  const std::span<const std::int64_t> dims = tensor.run_dims();
  bool fits = dims.size() == info.dims.size();
  auto size = dims.begin();
  for (const Dimension& dim : info.dims) {
    if (!fits) break;
    fits = dim.value < 0 || dim.value == *size;
    ++size;
  }
  if (fits) return {};
  const Error error = make_error(Code::InvalidArgument, "input {} has dims {}, wanted ", quoted(info.name), dims);
  append_dims(error->message, info);
  return Failure(error);
}

Result<Tensor> elements_of(const Value& value, const Initializer* initializer) {
  if (initializer != nullptr && initializer->tensor.has_elements()) {
    const Storage::Substitute* const substitute = initializer->tensor.storage->substitute();
    if (substitute == nullptr) return share(initializer->tensor);
    Tensor copy = initializer->tensor;
    BROADLOOM_TRY(storage, Storage::allocate(copy.storage->size()));
    substitute->write(storage->data());
    copy.storage = std::move(storage);
    return copy;
  }
  if (initializer == nullptr || initializer->sparse == nullptr) {
    const ExternalData* external = initializer == nullptr ? nullptr : initializer->external;
    return fail(Code::InvalidModel, "the external data of {}, in file {}, was not given: loadModel takes the option external",
                quoted(value.name), quoted(external == nullptr ? std::string_view() : external->location));
  }
  BROADLOOM_TRY(dense, make_tensor(initializer->tensor.dtype, initializer->tensor.dims()));
  BROADLOOM_CHECK(write_dense(*initializer->sparse, dense));
  return std::move(dense);
}

Failure no_input(std::string_view name, const Graph& graph) {
  const Error error = make_error(Code::InvalidArgument, "no input {}; the model has", quoted(name));
  const char* separator = "";
  for (const GraphInput& input : graph.inputs) {
    if (error->message.is_full()) break;
    error->message.append("{} {}", separator, quoted(input.info.name));
    separator = ",";
  }
  if (graph.inputs.size() == 0) error->message.append(" none");
  return Failure(error);
}

Result<std::vector<std::string_view>> size_names(const Model& model) {
  BROADLOOM_TRY(names, allocate_vector<std::string_view>(model.symbols.size()));
  for (const Name* symbol = model.symbols.last(); symbol != nullptr; symbol = symbol->next)
    names[symbol->number] = symbol->text;
  return std::move(names);
}

Failure in_node(Error error, const Node& node) {
  if (!error->node.empty()) return Failure(error);
  append_label(error->node, node);
  error->message.prepend("node {}: ", quoted(error->node.view()));
  return Failure(error);
}

Model::Model() = default;

Model::~Model() {
  for (Graph& one : graphs_) {
    one.nodes.destroy();
    one.calls.destroy();
    one.initializers.destroy();
  }
}

void Model::warn_with(const char* pattern, std::span<const Part> parts) const {
  if (warnings.size() > most_warnings || !require_memory()) return;
  Text text;
  if (warnings.size() == most_warnings) {
    text.append("there are more warnings than these");
  } else {
    text.append_parts(pattern, parts);
  }
  warnings.add(texts_).text = texts_.copy(text.view());
}

}  // namespace broadloom
