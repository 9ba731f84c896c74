// Finds attention among the steps of a plan: a product, a softmax of its rows, and programs before and after that, where nobody
// else reads their results.
#pragma once

#include <optional>
#include <vector>

#include "graph/run/planner/private_steps.h"

namespace broadloom {

// The steps before a product of weights and values.
struct Scores {
  // A program over all scores.
  struct Change {
    PlanStep* step;
    StorageRef scores;  // before it runs
    bool is_before_softmax;
  };

  PlanStep* product = nullptr;
  PlanStep* softmax = nullptr;
  std::vector<Change> changes;  // in the order in which they run; the first one may finish the product

  RowBlockParts parts(const Tensor& weights, const Tensor& value, const Tensor& output) const;
  void give_to(const Node& by, PrivateSteps& steps) const;
};

// The scores that input 0 of a MatMul is made of, if they are; the steps of its inputs have been planned.
std::optional<Scores> find_scores(PrivateSteps& steps, const Node& node);

// A dense layout of a result; or one in which a Transpose that alone reads it has its elements in order, if it moves rows
// alone.
LayoutRef layout_for_reader(const Value& value, const SymbolicDims& dims);

// The second factor of a product where it lies, before a Reshape that makes one axis of heads and their repeats, which would
// copy each repeat: as [batch, groups, repeats, rows, columns]. So do exporters write heads that share keys and values.
struct Repeated {
  PlanStep* step = nullptr;
  Tensor tensor;

  // The first factor in these axes, if it and the result, which changes, can have them.
  std::optional<Tensor> split(const Tensor& first, Tensor& result) const;
};
std::optional<Repeated> find_repeated(PrivateSteps& steps, const Node& node);

}  // namespace broadloom
