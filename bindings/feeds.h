// The feeds of a model's run.
#pragma once

#include <list>
#include <vector>

#include "frame.h"
#include "graph/run/model_run.h"

namespace broadloom {

struct Feeds {
  std::vector<ModelRun::Feed> list;
  std::list<Tensor> own;  // tensors of values that were converted to the declared type
};

// Reads the number of feeds, then name, FeedForm and handle of each. Names lie on the page.
Result<Feeds> read_feeds(FrameReader& frame, const Model& model);

}  // namespace broadloom
