#include "graph/run/planner/private_steps.h"

namespace broadloom {

PlanStep* PrivateSteps::writer_of(const Value& of, bool reads_all) {
  const PlanRoot* const root = values_[of].root;
  if (root == nullptr || root->kind != PlanRoot::Kind::block || root->first_step >= plan_.steps.size()) return nullptr;
  PlanStep& step = plan_.steps[root->first_step];
  const Value* made = nullptr;
  if (step.program != nullptr) made = step.program->made;
  if (step.program == nullptr && step.call != nullptr) made = step.node->outputs[0];
  for (const Value* value = &of;; reads_all = false) {
    const Known& known = values_[*value];
    if (known.root != root || value->graph != &graph_ || !value->is_private()) return nullptr;
    if (value->uses != 1 && !reads_all) return nullptr;
    if (known.tensor.offset != 0 || dense_size(known.tensor) != root->size || !is_dense(known.tensor.layout)) return nullptr;
    if (value == made) return &step;
    // A view of all elements, as by Reshape.
    const Node* const producer = value->producer;
    if (producer == nullptr || producer->inputs.empty() || producer->inputs[0] == nullptr) return nullptr;
    value = producer->inputs[0];
  }
}

void PrivateSteps::set_reads(PlannedProgram& program, const Node& node, const FusedProgram& fused) {
  program.made = node.outputs[0];
  program.reads.assign(fused.values().begin(), fused.values().end());
  std::size_t last = 0;
  for (std::size_t i = 0; i < program.reads.size(); ++i) {
    const Value& value = *program.reads[i];
    const PlanRoot* const root = values_[value].root;
    if (root == nullptr || !value.is_private() || value.graph != &graph_ || fused.reads()[i] != value.uses) continue;
    if (root->first_step < last) continue;
    last = root->first_step;
    program.last_read = &value;
  }
}

void PrivateSteps::give(PlanStep& step, const Node& by) {
  if (step.is_empty()) return;
  const auto use = [&](const Value* value) {
    if (value != nullptr) places_.use(values_[*value].root);
  };
  if (step.call != nullptr) {
    for (const Value* value : step.node->inputs) use(value);
  }
  if (step.program != nullptr) {
    for (const Value* value : step.program->reads) use(value);
    plan_.within.emplace_back(step.program->made->producer, &by);
  }
  plan_.within.emplace_back(step.node, &by);
  values_[*step.node->outputs[0]].root->kind = PlanRoot::Kind::none;
  step.call = nullptr;
  step.program = nullptr;
}

}  // namespace broadloom
