// The optimized copy that a model runs as.
#pragma once

#include <memory>

#include "graph/model.h"

namespace broadloom {

// A copy of a model that can run, after the passes that keep all (graph/passes): each run ends as one of the model does. Only
// the text of an error may differ. nullptr where there is nothing to gain, or no memory.
std::unique_ptr<Model> optimized(const Model& model);

}  // namespace broadloom
