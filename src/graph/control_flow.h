// If, Loop and Scan: operators with graphs in their attributes. Their rows are like those of others; what runs them is
// execution.h. ONNX: onnx/defs/controlflow/defs.cc and old.cc.
#pragma once

#include "graph/graph.h"

namespace broadloom {

extern const Operator if_operator;
extern const Operator loop;
extern const Operator scan;

// The operator of this name in a domain, with graphs or without; nullptr for one that is not known.
const Operator* find_graph_operator(std::string_view domain, std::string_view name);

// How the inputs and outputs of a Loop or Scan pass through its body: `states` values that every iteration gets and makes
// anew; and what is sliced along an axis on the way in, and put together on the way out.
struct BodyParts {
  std::size_t first_state = 0;  // the node's input that is the first state
  std::size_t states = 0;
  std::size_t scan_inputs = 0;   // the node's last inputs
  std::size_t scan_outputs = 0;  // the node's last outputs
  std::size_t extra_inputs = 0;  // of the body, before the states: Loop's iteration number and condition
  std::size_t extra_outputs = 0;
};

// Fails when the body has not as many inputs and outputs as the node asks for.
Result<BodyParts> parts_of_body(const Node& node);

}  // namespace broadloom
