// Models that JavaScript owns, by handle, and parts of their descriptions in JSON. js/src/model/nodes.ts has the other side.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/json_writer.h"
#include "graph/run/model_run.h"

namespace broadloom {

// A model, and its runs.
struct OpenModel {
  explicit OpenModel(std::unique_ptr<Model> its_model) : model(std::move(its_model)), runs(*model) {}

  const std::unique_ptr<Model> model;
  ModelRun runs;
};

inline OpenModel& open_model(double handle) { return *reinterpret_cast<OpenModel*>(static_cast<std::uintptr_t>(handle)); }
inline const Model& model_of(double handle) { return *open_model(handle).model; }

// A size is written as a number, as null if it is unknown, as a text if it is an expression, and, if it is a name of the model,
// as a list of one number: the name's place in write_names. A file can give one long name to many sizes.

// The pair "names": all names that the model has for sizes.
void write_names(JsonWriter& to, std::span<const std::string_view> names);
// The pairs "type" and "dims" of a declared value.
void write_type(JsonWriter& to, const ValueInfo& value);
// The pairs "type" and "dims" of a tensor.
void write_type(JsonWriter& to, const Tensor& tensor);
// The attributes that the node gives: a list of DescribedAttribute in js/src/model/attributes.ts.
void write_attributes(JsonWriter& to, const Node& node);
// The pairs "inputs" and "outputs" of the graph, without inputs that have a default.
void write_inputs_and_outputs(JsonWriter& to, const Graph& graph);

}  // namespace broadloom
