// Loads and runs models made in memory.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/model.h"
#include "onnx/model_reader.h"
#include "support/proto.h"
#include "support/tensors.h"

namespace broadloom::test {

using ModelPtr = std::unique_ptr<Model>;
using Feeds = std::vector<std::pair<std::string, Tensor>>;

inline Result<std::vector<Tensor>> run(const Model& model, const Feeds& feeds = {}) {
  std::vector<Model::Feed> list;
  for (const auto& [name, tensor] : feeds) list.push_back({name, &tensor});
  return model.run(list);
}

inline ModelPtr load(const Graph& graph, std::int64_t opset = 25) { return must(read_model(model(graph, opset))); }

inline Tensor run_one(const Graph& graph, const Feeds& feeds = {}, std::int64_t opset = 25) {
  const ModelPtr loaded = load(graph, opset);
  const std::vector<Tensor> outputs = must(run(*loaded, feeds));
  EXPECT_EQ(outputs.size(), 1U);
  return outputs.front();
}

// Whether loading fails with this code and text.
inline testing::AssertionResult refuses(const Graph& graph, Code code, std::string_view part, std::int64_t opset = 25) {
  return fails(read_model(model(graph, opset)), code, part);
}

// A graph of one node without inputs, whose output is "y".
inline Graph one_constant(const std::vector<Proto>& attributes) {
  return {{node("Constant", {}, {"y"}, attributes, "c")}, {}, {value_info("y", Dtype::undefined)}};
}

// The records of a chain, by their places.
template <class T>
std::vector<const T*> records(const Chain<T>& chain) {
  std::vector<const T*> list;
  for (const T& record : chain) list.push_back(&record);
  return list;
}

// Names as vectors, to compare.
template <class Infos>
Names names_of(const Infos& infos) {
  Names names;
  for (const auto& one : infos) names.emplace_back(one.info.name);
  return names;
}

}  // namespace broadloom::test
