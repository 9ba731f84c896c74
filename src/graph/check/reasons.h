// The causes of unknown sizes and remaining subgraphs in a simplified model, and inputs that would fix them.
#pragma once

#include <vector>

#include "graph/infer/shape_inference.h"

namespace broadloom {

// The cause of an unknown size, condition or trip count.
struct Cause {
  enum class Kind : std::uint8_t {
    size,   // of an input's axis: by its name, or by input and axis
    rank,   // of an input that declares no shape
    value,  // the elements of an input
    made,   // by an operator, known only in a run
  };
  Kind kind = Kind::made;
  const Value* value = nullptr;  // the input, or the output of the operator
  std::int64_t axis = -1;        // -1: the rank is unknown, too
  std::string_view name;         // of the size
};

// A cause, and the number of nodes that depend on it.
struct DynamicSize {
  Cause cause;
  std::int64_t nodes = 0;
  std::int64_t shape_nodes = 0;  // nodes that only compute shapes
};

// A remaining node with subgraphs.
struct KeptGraph {
  const Node* node = nullptr;
  bool is_known = false;  // the trip count is a constant
  bool has_cause = false;
  Cause cause;  // of the condition or trip count
};

struct Reasons {
  std::vector<DynamicSize> sizes;  // in the order of the first nodes that depend on them
  std::vector<KeptGraph> graphs;
};

// `inference` must have run. The result points into the model.
Result<Reasons> find_reasons(const Model& model, const ShapeInference& inference);

}  // namespace broadloom
