// If, Loop and Scan: operators with graphs in their attributes. They have schemas like other operators, and Execution runs them
// (execution.h). ONNX: onnx/defs/controlflow/defs.cc and old.cc.
#pragma once

#include "graph/structure/graph.h"

namespace broadloom {

extern const Operator if_operator;
extern const Operator loop;
extern const Operator scan;

// The operator of this name in a domain, including those with graphs; nullptr if it is unknown.
const Operator* find_graph_operator(std::string_view domain, std::string_view name);

// The inputs and outputs of a Loop or Scan and of its body: `states` values that every iteration reads and computes
// again; scan inputs, which are sliced along an axis; and scan outputs, which are concatenated.
struct BodyParts {
  std::size_t first_state = 0;  // the node's input that is the first state
  std::size_t states = 0;
  std::size_t scan_inputs = 0;   // the node's last inputs
  std::size_t scan_outputs = 0;  // the node's last outputs
  std::size_t extra_inputs = 0;  // of the body, before the states: Loop's iteration number and condition
  std::size_t extra_outputs = 0;
};

// Fails if the numbers of inputs and outputs of the body do not fit the node.
Result<BodyParts> parts_of_body(const Node& node);

}  // namespace broadloom
