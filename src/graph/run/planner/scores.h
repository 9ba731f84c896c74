// Finds attention among the steps of a plan: a product, a softmax of its rows, and programs before and after that, where nobody
// else reads their results.
#pragma once

#include <optional>

#include "graph/run/planner/private_steps.h"

namespace broadloom {

// The steps that make input 0 of a MatMul, if it is the softmax of scores. The steps of the node's inputs have been planned.
std::optional<RowBlockParts> find_scores(PrivateSteps& steps, const Node& node);

// A dense layout of a result; or one in which a Transpose that alone reads it has its elements in order, if it moves rows
// alone.
LayoutRef layout_for_reader(const Value& value, const SymbolicDims& dims);

// The second factor of a product where it lies, before a Reshape that makes one axis of heads and their repeats, which would
// copy each repeat: as [batch, groups, repeats, rows, columns]. So do exporters write heads that share keys and values.
struct Repeated {
  PlanStep* step = nullptr;  // of the Reshape
  Tensor tensor;

  // Gives the first factor and the result these axes, if both can have them.
  bool split(Tensor& first, Tensor& result) const;
};
std::optional<Repeated> find_repeated(PrivateSteps& steps, const Node& node);

}  // namespace broadloom
