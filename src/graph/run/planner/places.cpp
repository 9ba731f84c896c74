#include "graph/run/planner/places.h"

#include "graph/run/planner/free_places.h"
#include "kernels/order/order.h"

namespace broadloom {

PlanRoot& Places::add(PlanRoot::Kind kind, std::size_t bytes) {
  plan_.roots.push_back(std::make_unique<PlanRoot>(kind, bytes));
  PlanRoot& root = *plan_.roots.back();
  root.first_step = root.last_step = plan_.steps.size();
  return root;
}

void Places::add_end(const Value& value, const Tensor& tensor, PlanRoot* root) {
  if (root != nullptr) {
    root->is_at_end = true;
    if (root->kind == PlanRoot::Kind::block) root->kind = PlanRoot::Kind::fresh;
  }
  plan_.ends.push_back({&value, tensor, root});
}

void Places::assign() {
  FreePlaces block;
  std::vector<std::int64_t> by_start;  // numbers of roots, which are in the order of their first steps
  for (std::size_t i = 0; i < plan_.roots.size(); ++i) {
    if (plan_.roots[i]->kind == PlanRoot::Kind::block) by_start.push_back(static_cast<std::int64_t>(i));
  }
  const auto root_at = [&](std::int64_t number) -> PlanRoot& { return *plan_.roots[in_memory(number)]; };
  std::vector<std::int64_t> by_end = by_start;
  sort(by_end,
       [&](std::int64_t a, std::int64_t b) { return std::pair(root_at(a).last_step, a) < std::pair(root_at(b).last_step, b); });
  auto ended = by_end.begin();
  for (const std::int64_t number : by_start) {
    PlanRoot& root = root_at(number);
    for (; ended != by_end.end() && root_at(*ended).last_step < root.first_step; ++ended) {
      block.give(root_at(*ended).place, padded_place(root_at(*ended).size));
    }
    root.place = block.take(padded_place(root.size));
  }
  plan_.block_bytes = block.size();
  for (const auto& root : plan_.roots) {
    if (root->kind == PlanRoot::Kind::fresh) plan_.fresh.push_back(root.get());
  }
}

}  // namespace broadloom
