// The plans of a model: made for dims that come, kept for the last few.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/execution.h"
#include "graph/plan.h"
#include "ops/products.h"

namespace broadloom {

class Model;

class Plans {
 public:
  explicit Plans(const Model& model);
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  ~Plans();

  // A tensor for each input of the graph, nullptr for one that was not fed.
  using Inputs = std::span<const Tensor* const>;

  // The plan that is kept for these inputs, or nullptr. Inputs that a plan is kept for have been checked.
  Plan* find(Inputs inputs);
  // The same, or a new plan. nullptr where planning does not pay: dims that come once, or outputs that no plan can give. The
  // inputs have been checked.
  Plan* find_or_make(Inputs inputs);

  // Runs the graph. The frame is only made where the plan does not reach the graph's end. Fails with nothing done but time
  // spent; then the run may be tried again without a plan if memory was short.
  Result<std::vector<Tensor>> run(Plan& plan, Inputs inputs, Profile* profile);

  // Frees all plans, and the block, unless a run has them. False when there is nothing to free.
  bool release();
  // Frees what can be freed, of every model. Called when memory is short.
  static bool release_all();

 private:
  class Run;

  bool is_new_worth_it(const Plan* before, std::uint64_t hash);
  Plan* make(std::vector<std::unique_ptr<Plan>>& list, std::unique_ptr<Plan> plan, std::span<const PlanValue> constants);
  // The plan behind the node at the end of another one, which has run.
  Plan* find_next(Plan& before, std::span<const Tensor> frame);
  Status place(Plan& plan);

  const Model& model_;
  std::vector<std::unique_ptr<Plan>> plans_;  // the one that was last used is the first
  std::vector<std::uint64_t> seen_;
  PackedOperands packed_;
  StorageRef block_;
  std::size_t steps_ = 0;  // of all plans
  bool is_off_ = false;
  bool is_running_ = false;
  Plans* next_ = nullptr;  // of another model
  static Plans* first_;
};

}  // namespace broadloom
