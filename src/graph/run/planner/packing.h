// Constants that calls read packed.
#pragma once

#include "graph/run/planner/known_values.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Makes the calls of a plan ready, with their constants in the order in which kernels read them. Constants that are only read
// so are let go.
class Packing {
 public:
  // Without `lets_go`, nodes of the graph read constants as they are.
  Packing(KnownValues& values, PackedOperands& packed, bool lets_go) : values_(values), packed_(packed), lets_go_(lets_go) {}

  Status make_ready(const Node& node, PlannedCall& planned);

 private:
  void let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute);

  KnownValues& values_;
  PackedOperands& packed_;
  bool lets_go_;
};

}  // namespace broadloom
