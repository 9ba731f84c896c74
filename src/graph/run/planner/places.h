// The roots of a plan's values, and their places in its block.
#pragma once

#include "graph/run/plan.h"

namespace broadloom {

class Places {
 public:
  explicit Places(Plan& plan) : plan_(plan) {}

  // A root that the next step writes.
  PlanRoot& add(PlanRoot::Kind kind, std::size_t bytes);
  // The next step, or another one, reads the root; nullptr: a constant.
  void use(PlanRoot* root) { use(root, plan_.steps.size()); }
  static void use(PlanRoot* root, std::size_t step) {
    if (root != nullptr) root->last_step = std::max(root->last_step, step);
  }
  // A value exists where the plan ends.
  void add_end(const Value& value, const Tensor& tensor, PlanRoot* root);
  // Gives each root of the block its place. Roots whose steps do not overlap may have the same.
  void assign();

 private:
  Plan& plan_;
};

}  // namespace broadloom
