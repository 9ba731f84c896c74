// The optimized copy of a model, which runs in its place.
#pragma once

#include <memory>

#include "graph/structure/model.h"

namespace broadloom {

// A copy of a supported model after the exact passes (graph/passes): each run has the outcome of a run of the model. Only
// the text of an error may differ. nullptr if there is nothing to gain, or no memory.
std::unique_ptr<Model> optimized(const Model& model);

}  // namespace broadloom
