// Copies records of graphs: nodes with their attributes, graphs within them, and whole models.
#pragma once

#include <memory>
#include <vector>

#include "graph/model.h"

namespace broadloom {

// Copies records into the arena of a model. A value that a copied node or graph makes gets a copy with a place of its own. Any
// other value is read where it is, unless it was given a copy. Tensors share their storage, and texts stay where they are.
// Annotations and declared sizes of values are not copied. Annotations name values, and copies get other names. Declared sizes
// hold in one iteration of a body.
class Copier {
 public:
  // Values to copy have places before `places`.
  Copier(Model& to, std::size_t places) : model_(to), copies_(places) {}

  // From now on copies read `copy` where the value was read.
  void set(const Value& value, Value& copy) { copies_[value.place] = &copy; }
  // The copy of a value; the value itself where it has none. nullptr stays.
  Value* copy_of(Value* value) const;

  // Copies a node to the end of a graph's nodes, not into its order. Reads of its inputs are counted.
  Result<Node*> copy(const Node& node, Graph& graph);
  // Copies a graph's records into an empty graph, except calls of functions.
  Status copy(const Graph& from, Graph& to);

 private:
  Value& copy(const Value& value, Graph& graph);
  void copy(const ValueInfo& from, ValueInfo& to);
  Initializer& copy(const Initializer& from, Value& value);

  Model& model_;
  std::vector<Value*> copies_;  // by place
};

// A model that computes the same, has the same inputs and outputs in the same order, and shares the texts of the first one,
// which must outlive it. Each of its nodes has an origin there. It has neither names to be fed by nor warnings.
Result<std::unique_ptr<Model>> copy_model(const Model& model);

}  // namespace broadloom
