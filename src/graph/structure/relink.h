// Makes a model consistent after its graphs were rewritten.
#pragma once

#include "graph/structure/model.h"

namespace broadloom {

// Each graph's order must list its current nodes, and needed initializers must be marked. Sets all derived data
// again, in linear time: lists without dropped records, places in the frame, the producer, readers and
// captures of each value, and its graph. check_model sets element types.
Status relink(Model& model);

}  // namespace broadloom
