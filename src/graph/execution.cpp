#include "graph/execution.h"

#include <vector>

#include "core/memory.h"
#include "core/text.h"
#include "graph/control_flow.h"
#include "graph/model.h"

namespace broadloom {

Status Execution::run(const Graph& graph) {
  for (const Node* node : graph.order) {
    if (node->is_constant) continue;
    BROADLOOM_CHECK(require_memory());
    const Status status = run_node(*node);
    if (!status) {
      const Error error = status.error();
      return in_node(error->op.empty() ? in_operator(error, {*node->op, *node->version, node->opset}) : error, *node);
    }
    release(*node);
  }
  return {};
}

Status Execution::run_node(const Node& node) {
  if (node.graphs.empty()) return call(node);
  if (node.op == &if_operator) return run_if(node);
  return node.op == &loop ? run_loop(node) : run_scan(node);
}

Status Execution::call(const Node& node) {
  if (node.outputs.size() > 1) BROADLOOM_CHECK(require_memory(node.outputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  // Most nodes have one output: a list of its own for it takes 50 ns.
  Tensor only;
  std::vector<Tensor> several(node.outputs.size() == 1 ? 0 : node.outputs.size());
  const std::span<Tensor> outputs = several.empty() ? std::span(&only, node.outputs.size()) : std::span(several);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = &at(node.inputs[i]);
  }
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs};
  BROADLOOM_CHECK(broadloom::run(*node.op, call));
  if (!is_finished(call)) {
    // An input has no elements yet, and they are needed.
    for (const Value* input : node.inputs) {
      if (input != nullptr) BROADLOOM_CHECK(give_elements(*input));
    }
    BROADLOOM_CHECK(broadloom::run(*node.op, call));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != nullptr) at(node.outputs[i]) = std::move(outputs[i]);
  }
  return {};
}

Status Execution::give_elements(const Value& value) {
  Tensor& tensor = at(&value);
  if (tensor.has_elements()) return {};
  const Initializer* initializer = value.initializer;
  if (initializer == nullptr && value.input != nullptr) initializer = value.input->initializer;
  if (initializer == nullptr || initializer->sparse == nullptr) {
    const ExternalData* external = initializer == nullptr ? nullptr : initializer->external;
    return fail(Code::InvalidModel, "the external data of {}, in file {}, was not given: loadModel takes the option external",
                quoted(value.name), quoted(external == nullptr ? std::string_view() : external->location));
  }
  BROADLOOM_TRY(dense, make_tensor(tensor.dtype, tensor.dims()));
  BROADLOOM_CHECK(write_dense(*initializer->sparse, dense));
  tensor = std::move(dense);
  return {};
}

void Execution::release(const Node& node) {
  const auto free_after = [&](const Value* value) {
    if (value != nullptr && value->last_use == &node && !value->is_kept) at(value) = Tensor{};
  };
  for (const Value* value : node.inputs) free_after(value);
  for (const Value* value : node.outputs) free_after(value);
  for (const Capture& capture : node.captures) free_after(capture.value);
}

Result<bool> Execution::read_condition(const Value* value, std::string_view name) {
  BROADLOOM_CHECK(give_elements(*value));
  const Tensor& tensor = at(value);
  if (tensor.count() != 1) {
    return fail(Code::InvalidArgument, "{} has dims {}, wanted one element", quoted(name), tensor.dims().values());
  }
  return *tensor.data() != std::byte{0};
}

Status Execution::run_if(const Node& node) {
  BROADLOOM_TRY(condition, read_condition(node.inputs[0], "cond"));
  const Graph& branch = *node.graph(condition ? "then_branch" : "else_branch");
  BROADLOOM_CHECK(run(branch));
  std::size_t i = 0;
  for (const GraphOutput& output : branch.outputs) {
    BROADLOOM_CHECK(give_elements(*output.value));
    if (node.outputs[i] != nullptr) at(node.outputs[i]) = at(output.value);
    ++i;
  }
  free_outputs(branch);
  return {};
}

void Execution::free_outputs(const Graph& graph) {
  for (const GraphOutput& output : graph.outputs) {
    if (output.value->graph == &graph && !output.value->is_constant()) at(output.value) = Tensor{};
  }
}

}  // namespace broadloom
