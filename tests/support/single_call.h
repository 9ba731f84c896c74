// The call of the one node of a model, by the same steps as the bindings and models.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/calls.h"
#include "support/lists.h"
#include "support/microsoft.h"
#include "support/models.h"
#include "support/official_case.h"

namespace broadloom::test {

using Inputs = std::vector<const Tensor*>;

struct SingleCall {
  ModelPtr model;
  const Node* node = nullptr;
  Inputs inputs;  // nullptr where one is omitted
};

// Nothing if the model has other nodes, initializers or graphs within, or does not run. `given` are the inputs of its graph.
inline std::optional<SingleCall> single_call(const std::string& file, const std::vector<Tensor>& given) {
  Result<ModelPtr> model = read_model(file);
  if (!model) {
    Error::forget();
    return {};
  }
  const std::vector<const Node*> nodes = records((*model)->graph->nodes);
  if (nodes.size() != 1 || !nodes[0]->runs() || nodes[0]->op->traits.has_graphs) return {};
  SingleCall call{std::move(*model), nodes[0], {}};
  for (const broadloom::Value* value : call.node->inputs) {
    const Tensor* tensor = nullptr;
    std::size_t i = 0;
    for (const GraphInput& input : call.model->graph->inputs) {
      if (value != nullptr && i < given.size() && input.info.name == value->name) tensor = &given[i];
      ++i;
    }
    if (value != nullptr && tensor == nullptr) return {};
    call.inputs.push_back(tensor);
  }
  return call;
}

inline Result<std::vector<Tensor>> call_node(const Node& node, const Attributes& attributes, const Inputs& inputs) {
  const Selection selection{*node.op, *node.version, node.opset};
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) types[i] = ElementType(inputs[i]->dtype);
  }
  Dtypes output_types(node.outputs.size());
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{*node.version, inputs, attributes, output_types, outputs};
  BROADLOOM_CHECK(check_call(selection, types, output_types, attributes));
  BROADLOOM_CHECK(run_call(selection, call));
  return outputs;
}

// Visits the call of each official case, and of each case of onnxruntime's, up to the first failure.
template <class Visit>
void for_each_official_call(Visit visit) {
  for (const std::filesystem::path& folder : official_folders()) {
    SCOPED_TRACE(folder.string());
    const OfficialCase one = official_case(folder);
    if (const std::optional<SingleCall> call = single_call(one.file, one.inputs)) visit(*call);
    if (testing::Test::HasFailure()) return;
  }
}

template <class Visit>
void for_each_microsoft_call(Visit visit) {
  for (const MicrosoftCase& one : microsoft_cases(BROADLOOM_MICROSOFT)) {
    SCOPED_TRACE(one.name);
    if (const std::optional<SingleCall> call = single_call(one.model, one.inputs)) visit(*call);
    if (testing::Test::HasFailure()) return;
  }
}

// The calls of a test: it is of worth only where many run.
struct CallCounts {
  int seen = 0;
  int ran = 0;
  int failed = 0;

  void expect_many_ran() const {
    std::printf("%d calls ran, %d failed\n", ran, failed);
    EXPECT_GT(ran, 1000);
  }
};

}  // namespace broadloom::test
