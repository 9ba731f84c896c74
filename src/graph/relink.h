// Makes a model whole again whose graphs were rewritten.
#pragma once

#include "graph/model.h"

namespace broadloom {

// Each graph's order lists the nodes that it has now, and what is needed of its initializers says so. All that follows is set
// anew, in time that follows the size of the graphs: lists without what was dropped, places in the frame, who makes, reads and
// captures each value, and in which graph it is. Element types are check_model's.
Status relink(Model& model);

}  // namespace broadloom
