// Steps whose results have one reader, which may do their work itself.
#pragma once

#include "graph/fusion/fusion.h"
#include "graph/run/planner/known_values.h"
#include "graph/run/planner/places.h"

namespace broadloom {

class PrivateSteps {
 public:
  PrivateSteps(Plan& plan, const Graph& graph, KnownValues& values, Places& places)
      : plan_(plan), graph_(graph), values_(values), places_(places) {}

  // The step that makes all elements of a value, in order, if these have one reader: a node that reads them once, or a program,
  // which `reads_all`. Else nullptr.
  PlanStep* writer_of(const Value& value, bool reads_all = false);
  // Sets what the program makes and reads.
  void set_reads(PlannedProgram& program, const Node& node, const FusedProgram& fused);
  // The facts of a value of the plan.
  const Known& known(const Value& value) { return values_[value]; }

  // The next step, of the node `by`, does what this one would have done. The step becomes empty, and its result is nowhere.
  void give(PlanStep& step, const Node& by);

 private:
  Plan& plan_;
  const Graph& graph_;
  KnownValues& values_;
  Places& places_;
};

}  // namespace broadloom
