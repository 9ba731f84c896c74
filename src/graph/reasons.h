// Why sizes and graphs of a simplified model stayed open, and what would fix them.
#pragma once

#include <vector>

#include "graph/shape_inference.h"

namespace broadloom {

// What something hangs on.
struct Cause {
  enum class Kind : std::uint8_t {
    size,   // of an input's axis: its name, or its place
    rank,   // of an input that declares no shape
    value,  // of an input: what it holds
    made,   // by an operator that tells only when it runs
  };
  Kind kind = Kind::made;
  const Value* value = nullptr;  // the input, or the output of the operator
  std::int64_t axis = -1;        // -1: not even the rank is known
  std::string_view name;         // of the size
};

// A cause, and how many of the nodes hang on it.
struct DynamicSize {
  Cause cause;
  std::int64_t nodes = 0;
  std::int64_t shape_nodes = 0;  // that compute shapes alone
};

// A node with graphs that is still there.
struct KeptGraph {
  const Node* node = nullptr;
  bool is_known = false;  // the trip count is a constant
  bool has_cause = false;
  Cause cause;  // of the condition or trip count
};

struct Reasons {
  std::vector<DynamicSize> sizes;  // in the order in which nodes come upon them
  std::vector<KeptGraph> graphs;
};

// `inference` has run. What it returns points into the model.
Result<Reasons> find_reasons(const Model& model, const ShapeInference& inference);

}  // namespace broadloom
