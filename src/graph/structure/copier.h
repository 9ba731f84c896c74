// Copies records of graphs: nodes with their attributes and subgraphs, and whole models.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph/structure/model.h"

namespace broadloom {

// Copies records into the arena of a model. A value that a copied node or graph produces gets a copy with its own place. Any
// other value is shared, unless set() gave it a copy. Tensors share their storage, and texts are not copied.
// Annotations and declared sizes of values are not copied: annotations name values, and copies get other names; declared sizes
// hold in one iteration of a body.
class Copier {
 public:
  // All values to copy must have places below `places`.
  Copier(Model& to, std::size_t places) : model_(to), copies_(places) {}

  // Later copies read `copy` instead of the value.
  void set(const Value& value, Value& copy) { copies_[value.place] = &copy; }
  // The copy of a value, or the value itself if it has none. nullptr stays nullptr.
  Value* copy_of(Value* value) const;

  // Copies a node to the end of a graph's nodes, but not into its order. The uses of its inputs are not counted.
  Result<Node*> copy(const Node& node, Graph& graph);
  // Copies a graph's records into an empty graph, except calls of functions.
  Status copy(const Graph& from, Graph& to);
  // Copies the records that these values of the graph need. The values become the outputs, in their order. Inputs keep their
  // numbers.
  Status copy_part(const Graph& from, Graph& to, std::span<const Value* const> values);

 private:
  // Copies all records but outputs; with `needed`, those of values whose places it marks.
  Status copy_body(const Graph& from, Graph& to, const std::vector<std::uint8_t>* needed);
  Value& copy(const Value& value, Graph& graph);
  void copy(const ValueInfo& from, ValueInfo& to);
  Initializer& copy(const Initializer& from, Value& value);

  Model& model_;
  std::vector<Value*> copies_;  // by place
};

// A model with the same results and the same inputs and outputs in the same order. It shares the texts of the original,
// which must outlive it. Each of its nodes has an origin there. It has no index of names and no warnings.
Result<std::unique_ptr<Model>> copy_model(const Model& model);
// A copy of the part that these values of the model's graph need. They are its outputs, in their order. Its inputs, which may
// be fewer, keep their numbers.
Result<std::unique_ptr<Model>> copy_part(const Model& model, std::span<const Value* const> values);

}  // namespace broadloom
