// Constants that calls read packed.
#pragma once

#include "graph/run/planner/known_values.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Makes the calls of a plan ready, with their constants in the order in which kernels read them. Constants that the graph only
// reads so, or row by row, are let go: whoever else reads them asks for their bytes.
class Packing {
 public:
  Packing(const Graph& graph, KnownValues& values, PackedOperands& packed) : graph_(graph), values_(values), packed_(packed) {}

  Status make_ready(const Node& node, PlannedCall& planned);
  // Whether a constant input of the node, which may have been let go, needs no bytes until make_ready asks for them: the rule
  // for dims makes views of it at most.
  static bool waits_for(const Node& node, std::size_t input, const Tensor& tensor);
  // The outputs of a node are finished. Those that are views of a constant are read in its place.
  void add_views(const Node& node);
  // All calls are ready: what they read where it lies is there.
  Status finish();

 private:
  // Packed columns, and the step from one to the next in the storage of the constant that they were packed of.
  struct Rows {
    const StorageRef& packed;
    std::int64_t step;
  };
  // A call that reads a constant matrix where it lies, and may read packed columns that are its rows.
  struct RowReader {
    Known* constant;
    PlannedCall* call;
  };

  Known& constant_of(const Value& value);
  void let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute, const Rows& rows);

  const Graph& graph_;
  KnownValues& values_;
  PackedOperands& packed_;
  std::vector<RowReader> row_readers_;
};

}  // namespace broadloom
