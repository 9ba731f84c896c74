// The plans of a model's graphs: made for dims that come, kept for the last few.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/execute/execution.h"
#include "graph/run/plan.h"
#include "graph/run/planner/make_plan.h"

namespace broadloom {

class Model;

// The plans of one graph. The plans of the model's graph own the plans of all graphs within it.
class Plans final : private Reclaimable, private GraphRunner {
 public:
  explicit Plans(const Model& model);
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  ~Plans();

  // A tensor for each input of the graph, nullptr for one that was not fed.
  using Inputs = std::span<const Tensor* const>;

  // The plan that is kept for these inputs, or nullptr. Inputs that a plan is kept for have been checked.
  Plan* find(Inputs inputs);
  // A plan that is kept, or a new plan. nullptr where planning does not pay: dims that come once, or outputs that no plan can
  // give. The inputs have been checked.
  Plan* find_or_make(Inputs inputs);

  // Runs the graph. The frame is only made where the plan does not reach the graph's end. Fails with nothing done but time
  // spent; then the run may be tried again without a plan if memory was short.
  Result<std::vector<Tensor>> run(Plan& plan, Inputs inputs, Profile* profile);
  // False where there is no plan.
  Result<bool> run_within(const Graph& graph, std::span<Tensor> frame, Execution& execution) override;

  // Frees all plans, and the block, unless a run has them. False when there is nothing to free.
  bool release() override;
  // The bytes of all blocks.
  static std::uint64_t block_bytes() { return all_block_bytes_; }

 private:
  class Run;

  Plans(const Model& model, const Graph& graph, Plans& root);

  // The plans of a graph within the model's.
  Result<Plans*> within(const Graph& graph);
  // Finds a plan, and puts it in front. `find` gives the tensor of a value.
  template <class Find>
  Plan* find_in(std::vector<std::unique_ptr<Plan>>& list, Find find);
  // Whether another plan pays, for keys that have none. The first dims have a plan at once, others when they come again.
  bool is_worth_it(const std::vector<std::unique_ptr<Plan>>& list, std::vector<std::uint64_t>& seen, const Plan& plan);
  Plan* make(std::vector<std::unique_ptr<Plan>>& list, std::unique_ptr<Plan> plan, std::span<const PlanValue> constants,
             bool has_frame);
  // The plan for a graph within the model's.
  Plan* find_or_make(std::span<const Tensor> frame);
  // The plan behind the node at the end of another one, which has run.
  Plan* find_next(Plan& before, std::span<const Tensor> frame);
  // Runs the nodes behind a plan. The frame has the plan's ends.
  Status go_on(Plan& first, Run& run, std::span<Tensor> frame, Execution& execution);
  void set_ends(const Plan& plan, std::span<Tensor> frame) const;
  Status place(Plan& plan);
  void set_block(StorageRef block);

  const Model& model_;
  const Graph& graph_;
  Plans& root_;                               // the plans of the model's graph
  std::vector<const Value*> reads_;           // of a graph within: its inputs, and what it reads of graphs around it
  std::vector<std::unique_ptr<Plan>> plans_;  // the one that was last used is the first
  std::vector<std::uint64_t> seen_;
  ComputedConstants computed_;
  std::size_t steps_ = 0;  // of all plans
  std::size_t runs_ = 0;   // runs that go on: of this graph, or of any graph where this is the model's
  std::size_t found_ = 0;  // how often a plan was found that was kept
  std::size_t made_ = 0;
  std::size_t misses_ = 0;  // how often a graph within had no plan
  bool is_off_ = false;
  // Members that only the plans of the model's graph use.
  StorageRef block_;  // no plan has anything there while another one runs
  PlaceNumbers numbers_;
  PackedOperands packed_;
  std::vector<std::unique_ptr<Plans>> within_;  // by the numbers of their graphs
  static std::uint64_t all_block_bytes_;
};

}  // namespace broadloom
