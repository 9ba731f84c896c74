// Constants that calls read packed.
#pragma once

#include "graph/run/planner/known_values.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Makes the calls of a plan ready, with their constants in the order in which kernels read them. Constants that the graph only
// reads so are let go: whoever else reads them asks for their bytes.
class Packing {
 public:
  Packing(const Graph& graph, KnownValues& values, PackedOperands& packed) : graph_(graph), values_(values), packed_(packed) {}

  Status make_ready(const Node& node, PlannedCall& planned);

 private:
  void let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute);

  const Graph& graph_;
  KnownValues& values_;
  PackedOperands& packed_;
};

}  // namespace broadloom
