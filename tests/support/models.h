// Loads and runs models made in memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/run/model_run.h"
#include "onnx/model_reader.h"
#include "support/proto.h"
#include "support/tensors.h"

namespace broadloom::test {

using ModelPtr = std::unique_ptr<Model>;
using Feeds = std::vector<std::pair<std::string, Tensor>>;

inline std::vector<ModelRun::Feed> list_of(const Feeds& feeds) {
  std::vector<ModelRun::Feed> list;
  for (const auto& [name, tensor] : feeds) list.push_back({name, &tensor});
  return list;
}

// The operators of the nodes that run, in order.
inline std::string operators_of(const Model* model) {
  if (model == nullptr) return "the same";
  std::string text;
  for (const Node* one : model->graph->order) {
    if (!one->is_constant) text += (text.empty() ? "" : " ") + std::string(one->op_type);
  }
  return text;
}

// The outcome of a run, for comparison.
struct RunOutcome {
  std::string error;  // with the node; empty if the run succeeded
  std::vector<Tensor> outputs;
};

inline std::string error_text(const Result<std::vector<Tensor>>& results) {
  if (results) return {};
  const ErrorDetails& details = *results.error().operator->();
  return std::to_string(static_cast<int>(details.code)) + " " + std::string(details.op.view()) + " " +
         std::string(details.node.view()) + ": " + std::string(details.message.view());
}

inline void expect_same_bits(const std::vector<Tensor>& outputs, const std::vector<Tensor>& wanted) {
  ASSERT_EQ(outputs.size(), wanted.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    ASSERT_EQ(outputs[i].dtype, wanted[i].dtype);
    ASSERT_EQ(outputs[i].dims(), wanted[i].dims());
    if (outputs[i].count() > std::int64_t{1} << 26) continue;  // a lazy result that does not fit in memory
    if (outputs[i].dtype == Dtype::string) {
      EXPECT_EQ(string_elements(outputs[i]), string_elements(wanted[i]));
    } else {
      EXPECT_TRUE(test::bytes_of(outputs[i]) == test::bytes_of(wanted[i])) << "output " << i;
    }
  }
}

// Asks for the outputs by name, from the last to the first and then the first alone. They must equal the outputs of a whole
// run.
inline void expect_outputs_by_name(ModelRun& runs, const std::vector<ModelRun::Feed>& feeds, std::vector<Tensor> wanted) {
  std::vector<std::string_view> names;
  for (const GraphOutput& output : runs.model().graph->outputs) names.insert(names.begin(), output.info.name);
  std::reverse(wanted.begin(), wanted.end());
  while (!names.empty()) {
    for (const bool optimizes : {false, true, true}) {
      expect_same_bits(must(runs.run(feeds, {optimizes, nullptr, names})), wanted);
    }
    if (names.size() == 1) return;
    names.erase(names.begin(), names.end() - 1);
    wanted.erase(wanted.begin(), wanted.end() - 1);
  }
}

// Runs the model node by node, and then twice optimised: the second run uses the plan of the first. All runs must have the same
// outcome, with the same bits. So must runs that are asked for the outputs by name.
inline Result<std::vector<Tensor>> run(ModelRun& runs, const Feeds& feeds) {
  const std::vector<ModelRun::Feed> list = list_of(feeds);
  RunOutcome outcomes[2];
  for (const bool optimizes : {false, true}) {
    Result<std::vector<Tensor>> results = runs.run(list, {optimizes});
    RunOutcome& outcome = outcomes[optimizes ? 1 : 0];
    outcome.error = error_text(results);
    if (results) outcome.outputs = std::move(*results);
    if (!outcome.error.empty()) Error::forget();
  }
  Result<std::vector<Tensor>> results = runs.run(list);
  const std::string error = error_text(results);
  for (const RunOutcome& wanted : outcomes) {
    EXPECT_EQ(error, wanted.error);
    if (results && wanted.error.empty()) expect_same_bits(*results, wanted.outputs);
  }
  if (results) expect_outputs_by_name(runs, list, *results);
  return results;
}
inline Result<std::vector<Tensor>> run(const Model& model, const Feeds& feeds = {}) {
  ModelRun runs(model);
  return run(runs, feeds);
}

inline ModelPtr load(const Graph& graph, std::int64_t opset = 25) { return must(read_model(model(graph, opset))); }

inline Tensor run_one(const Graph& graph, const Feeds& feeds = {}, std::int64_t opset = 25) {
  const ModelPtr loaded = load(graph, opset);
  const std::vector<Tensor> outputs = must(run(*loaded, feeds));
  EXPECT_EQ(outputs.size(), 1U);
  return outputs.front();
}

// Whether loading fails with this code, and with `part` in the message.
inline testing::AssertionResult refuses(const Graph& graph, Code code, std::string_view part, std::int64_t opset = 25) {
  return fails(read_model(model(graph, opset)), code, part);
}

// A graph of one node without inputs, whose output is "y".
inline Graph one_constant(const std::vector<Proto>& attributes) {
  return {{node("Constant", {}, {"y"}, attributes, "c")}, {}, {value_info("y", Dtype::undefined)}};
}

// The records of a chain as a vector.
template <class T>
std::vector<const T*> records(const Chain<T>& chain) {
  std::vector<const T*> list;
  for (const T& record : chain) list.push_back(&record);
  return list;
}

// Names as a vector, for comparison.
template <class Infos>
Names names_of(const Infos& infos) {
  Names names;
  for (const auto& one : infos) names.emplace_back(one.info.name);
  return names;
}

inline Names warnings_of(const Model& model) {
  Names texts;
  for (const Warning& warning : model.warnings) texts.emplace_back(warning.text);
  return texts;
}

}  // namespace broadloom::test
