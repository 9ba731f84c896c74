// Inferred sizes of a model's values, as text.
#pragma once

#include <string>
#include <vector>

#include "graph/infer/shape_inference.h"
#include "support/models.h"

namespace broadloom::test {

// The sizes of a value: numbers, names, expressions, or "?"; or "unknown".
inline std::string sizes_of(const Model& model, const ShapeInference& inference, const Value& value) {
  if (!inference[value].is_ranked() || inference.is_only_declared(value)) return "unknown";
  std::vector<std::string_view> names(model.symbols.size());
  for (const Name* one = model.symbols.last(); one != nullptr; one = one->next) names[one->number] = one->text;
  std::string sizes;
  for (const broadloom::Size size : inference[value].dims()) {
    Text text;
    sizes += sizes.empty() ? "" : " ";
    if (size.is_number()) {
      sizes += std::to_string(size.number());
    } else {
      sizes += inference.expressions().append(text, size, names) ? text.view() : "?";
    }
  }
  return sizes;
}

// The sizes of the last node's output.
inline std::string sizes_of(const Graph& graph, std::int64_t opset = 25) {
  const ModelPtr loaded = must(read_model(model(graph, opset), {Unsupported::allowed}));
  ShapeInference inference(*loaded);
  EXPECT_TRUE(inference.run());
  return sizes_of(*loaded, inference, *records(loaded->graph->nodes).back()->outputs[0]);
}

}  // namespace broadloom::test
