// The part of a model that computes some of its values.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "graph/run/model_run.h"

namespace broadloom {

struct Extract {
  std::vector<const Value*> values;  // of the model's graph
  // Its outputs are copies of `values`, in their order. It has the nodes that these need, and the inputs that those read.
  std::unique_ptr<Model> model;
  std::unique_ptr<ModelRun> run;    // its runs
  std::vector<std::size_t> inputs;  // the numbers of its inputs among the inputs of the model
};

// Makes the part for values of the model's graph. It shares the model's texts, and the elements of its initializers.
Result<std::unique_ptr<Extract>> extract(const Model& model, std::span<const Value* const> values);

}  // namespace broadloom
