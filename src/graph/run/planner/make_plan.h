// Makes plans. The planner has four parts: what follows from constants, what is packed of them, the places of values, and the
// steps, which ask the others.
#pragma once

#include "graph/run/planner/constants.h"
#include "graph/run/planner/known_values.h"
#include "ops/packed_operands.h"

namespace broadloom {

// Tables that the plans of a graph share; those of all graphs of a model share what is packed.
struct PlannerTables {
  PackedOperands& packed;
  ComputedConstants& computed;
  PlaceNumbers& numbers;
  bool has_frame;  // of a run that goes on, which has the model's constants, too
};

// Makes a plan for the graph's nodes from `plan.first` on; its keys, and its starts without roots, are set.
// `constants` are values that are known without a run, besides the model's own. Fails when there is no memory, and where the
// graph's outputs are not to be had by a plan.
Status make_plan(Plan& plan, const Graph& graph, std::size_t frame_size, std::span<const PlanValue> constants,
                 const PlannerTables& tables);

}  // namespace broadloom
