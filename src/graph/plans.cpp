#include "graph/plans.h"

#include <algorithm>
#include <cassert>

#include "core/memory.h"
#include "graph/model.h"
#include "ops/dense.h"
#include "ops/movement.h"

namespace broadloom {
namespace {

constexpr std::size_t most_plans = 4;    // that are kept for the inputs, and behind each node that plans stop at
constexpr std::size_t most_depth = 16;   // how often a run goes on with another plan
constexpr std::size_t most_seen = 32;    // so many dims are remembered that have no plan
constexpr std::size_t most_steps = 256;  // of all plans, besides eight for each node

std::uint64_t add_to_hash(std::uint64_t hash, std::uint64_t number) { return (hash ^ number) * 0x100000001b3U; }

std::uint64_t hash_of(std::span<const Plan::Key> keys) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const Plan::Key& key : keys) {
    hash = add_to_hash(hash, key.is_default ? 1 : 2);
    if (key.is_default) continue;
    hash = add_to_hash(hash, static_cast<std::uint64_t>(key.dtype));
    for (const Dims* list : {&key.layout->dims, &key.layout->strides}) {
      hash = add_to_hash(hash, list->size());
      for (const std::int64_t number : *list) hash = add_to_hash(hash, static_cast<std::uint64_t>(number));
    }
  }
  return hash;
}

bool is_same(const Layout& a, const Layout& b) { return &a == &b || (a.dims == b.dims && a.strides == b.strides); }

}  // namespace

bool Plan::Key::fits(const Tensor* tensor) const {
  if (tensor == nullptr) return is_default;
  return !is_default && tensor->dtype == dtype && tensor->has_elements() && is_same(tensor->layout, layout);
}

// ---- Steps ----

#ifndef NDEBUG
namespace {

// Compute writes to the outputs that it is given; it puts no others in their place.
bool is_in_place(const PlannedCall& call) {
  return std::all_of(call.made.begin(), call.made.end(), [&](const Tensor& output) { return output.storage->is_shared(); });
}

}  // namespace
#endif

Status PlanStep::run(std::byte* workspace) const {
  if (program == nullptr) {
    const Status status = compute_movement(*node->op, call->call);
    assert(is_in_place(*call));
    return status;
  }
  for (std::size_t i = 0; i < program->operands.size(); ++i) program->routine.place(i, program->operands[i].data());
  program->routine.run(program->result.data(), workspace);
  return {};
}

double PlanStep::bytes() const {
  if (program != nullptr) return static_cast<double>(dense_size(program->result));
  double bytes = 0;
  for (const Tensor& output : call->made) bytes += static_cast<double>(dense_size(output));
  return bytes;
}

// ---- Plans ----

Plans* Plans::first_ = nullptr;

Plans::Plans(const Model& model) : model_(model), next_(first_) {
  first_ = this;
  set_reclaim(release_all);
}

Plans::~Plans() {
  Plans** at = &first_;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

bool Plans::release() {
  if (is_running_ || (plans_.empty() && !block_)) return false;
  plans_.clear();
  seen_.clear();
  steps_ = 0;
  packed_.release_unused();
  block_ = {};
  return true;
}

bool Plans::release_all() {
  bool is_freed = false;
  for (Plans* plans = first_; plans != nullptr; plans = plans->next_) is_freed = plans->release() || is_freed;
  return is_freed;
}

Plan* Plans::find(Inputs inputs) {
  for (auto& plan : plans_) {
    const bool fits = std::all_of(plan->keys.begin(), plan->keys.end(),
                                  [&](const Plan::Key& key) { return key.fits(inputs[key.value->input->number]); });
    if (!fits) continue;
    std::swap(plan, plans_.front());
    return plans_.front().get();
  }
  return nullptr;
}

namespace {

// Whether it was there; it is now.
bool remember(std::vector<std::uint64_t>& seen, std::uint64_t hash) {
  const auto found = std::find(seen.begin(), seen.end(), hash);
  if (found != seen.end()) {
    seen.erase(found);
    return true;
  }
  if (seen.size() == most_seen) seen.erase(seen.begin());
  seen.push_back(hash);
  return false;
}

}  // namespace

Plan* Plans::make(std::vector<std::unique_ptr<Plan>>& list, std::unique_ptr<Plan> plan, std::span<const PlanValue> constants) {
  if (!make_plan(*plan, model_, constants, packed_)) {
    Error::forget();
    is_off_ = is_off_ || require_memory();
    Error::forget();
    return nullptr;
  }
  steps_ += plan->steps.size();
  if (list.size() == most_plans) list.pop_back();
  list.insert(list.begin(), std::move(plan));
  packed_.release_unused();
  return list.front().get();
}

Plan* Plans::find_or_make(Inputs inputs) {
  if (Plan* plan = find(inputs)) return plan;
  if (is_off_ || !require_memory(2 * inputs.size() + 64, sizeof(PlanValue))) return nullptr;
  auto plan = std::make_unique<Plan>();
  std::vector<PlanValue> defaults;
  for (const GraphInput& input : model_.graph->inputs) {
    const Tensor* given = inputs[input.number];
    const bool is_default = given == nullptr;
    const Tensor& tensor = is_default ? input.initializer->tensor : *given;
    plan->keys.push_back({input.value, is_default, tensor.dtype, is_default ? LayoutRef() : tensor.layout});
    std::vector<PlanValue>& list = is_default ? defaults : plan->starts;
    list.push_back({input.value, is_default ? tensor : Tensor{tensor.dtype, tensor.layout}});
  }
  // The first dims have a plan at once, others when they come again.
  if (!plans_.empty() && !remember(seen_, hash_of(plan->keys))) return nullptr;
  const std::size_t most = most_steps + 8 * model_.graph->order.size();
  if (steps_ > most) release();
  return make(plans_, std::move(plan), defaults);
}

Plan* Plans::find_next(Plan& before, std::span<const Tensor> frame) {
  const Node& node = *model_.graph->order[before.end];
  const auto fits = [&](const std::unique_ptr<Plan>& plan) {
    return std::all_of(plan->keys.begin(), plan->keys.end(),
                       [&](const Plan::Key& key) { return key.fits(&frame[key.value->place]); });
  };
  const auto found = std::find_if(before.next.begin(), before.next.end(), fits);
  if (found != before.next.end()) {
    std::swap(*found, before.next.front());
    return before.next.front().get();
  }
  const std::size_t most = most_steps + 8 * model_.graph->order.size();
  if (before.depth + 1 == most_depth || steps_ > most || is_off_) return nullptr;
  if (!require_memory(before.ends.size() + node.outputs.size(), sizeof(PlanValue))) return nullptr;
  auto plan = std::make_unique<Plan>();
  plan->depth = before.depth + 1;
  plan->first = before.end + 1;
  std::vector<PlanValue> constants;
  for (const PlanValue& value : before.ends) {
    if (!value.value->is_output && value.value->last_use->position <= before.end) continue;
    const bool is_constant = value.root == nullptr;
    std::vector<PlanValue>& list = is_constant ? constants : plan->starts;
    list.push_back({value.value, is_constant ? value.tensor : Tensor{value.tensor.dtype, value.tensor.layout}});
  }
  for (const Value* output : node.outputs) {
    if (output == nullptr || !frame[output->place].has_elements()) continue;
    const Tensor& tensor = frame[output->place];
    plan->keys.push_back({output, false, tensor.dtype, tensor.layout});
    plan->starts.push_back({output, Tensor{tensor.dtype, tensor.layout}});
  }
  if (!before.next.empty() && !remember(before.seen, hash_of(plan->keys))) return nullptr;
  return make(before.next, std::move(plan), constants);
}

// ---- A run ----

Status Plans::place(Plan& plan) {
  const std::uint64_t bytes = plan.block_bytes + plan.workspace_bytes;
  if (bytes > 0 && (!block_ || block_->size() < bytes)) {
    block_ = {};
    if (bytes > static_cast<std::uint64_t>(max_count)) return Failure(out_of_memory(static_cast<double>(bytes)));
    BROADLOOM_TRY(block, Storage::allocate(static_cast<std::int64_t>(bytes)));
    block_ = std::move(block);
  }
  std::byte* const data = block_ ? block_->data() : nullptr;
  if (plan.placed_at == data) return {};
  plan.placed_at = data;
  for (const auto& root : plan.roots) {
    if (root->kind == PlanRoot::Kind::block) root->storage.place(data + root->place);
  }
  return {};
}

class Plans::Run {
 public:
  Run(Plans& plans, Profile* profile) : plans_(plans), profile_(profile) { plans.is_running_ = true; }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { plans_.is_running_ = false; }

  // Runs the steps; what outlives the plan is there until `leave`.
  template <class Find>
  Status steps(Plan& plan, Find find) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(plans_.place(plan));
    for (PlanValue& start : plan.starts) {
      Tensor tensor = find(*start.value);
      // A copy of exposed storage has the elements where the whole tensor finds them, and not where a view of it does.
      if (start.root->is_at_end) {
        BROADLOOM_TRY(storage, share_storage(tensor));
        tensor.storage = std::move(storage);
      }
      start.root->storage.place(tensor.data());
      start.root->now = std::move(tensor.storage);
      start.root->offset = tensor.offset;
    }
    for (PlanRoot* root : plan.fresh) {
      BROADLOOM_TRY(storage, Storage::allocate(static_cast<std::int64_t>(root->size)));
      root->storage.place(storage->data());
      root->now = std::move(storage);
    }
    std::byte* const workspace = plans_.block_ ? plans_.block_->data() + plan.block_bytes : nullptr;
    if (profile_ != nullptr) return profiled_steps(plan, workspace);
    for (const PlanStep& step : plan.steps) {
      const Status status = step.run(workspace);
      if (!status) return at_node(status.error(), *step.node);
    }
    return {};
  }

  // Until another plan, or none, is run.
  static void leave(Plan& plan) {
    for (PlanValue& start : plan.starts) start.root->now = {};
    for (PlanRoot* root : plan.fresh) root->now = {};
  }

 private:
  Status profiled_steps(const Plan& plan, std::byte* workspace) {
    auto step = plan.steps.begin();
    for (std::size_t i = plan.first; i < plan.end; ++i) {
      const Node& node = *plans_.model_.graph->order[i];
      if (node.is_constant) continue;
      const Profile::Entry entry = profile_->enter();
      double bytes = 0;
      for (; step != plan.steps.end() && step->position == i; ++step) {
        const Status status = step->run(workspace);
        if (!status) return at_node(status.error(), *step->node);
        bytes += step->bytes();
      }
      profile_->leave(node, entry, bytes);
    }
    // Fused nodes whose reader runs behind the plan.
    for (; step != plan.steps.end(); ++step) {
      const Status status = step->run(workspace);
      if (!status) return at_node(status.error(), *step->node);
    }
    return {};
  }

  Plans& plans_;
  Profile* profile_;
};

namespace {

// Puts what a plan began with away when the run is over.
class Active {
 public:
  Active(Plan& plan, void (*leave)(Plan&)) : plan_(plan), leave_(leave) {}
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
  ~Active() { leave_(plan_); }

 private:
  Plan& plan_;
  void (*leave_)(Plan&);
};

}  // namespace

Result<std::vector<Tensor>> Plans::run(Plan& first, Inputs inputs, Profile* profile) {
  const Graph& graph = *model_.graph;
  Run run(*this, profile);
  BROADLOOM_TRY(results, allocate_vector<Tensor>(graph.outputs.size()));
  const auto take_results = [&](const Plan& plan) -> Status {
    for (std::size_t i = 0; i < results.size(); ++i) {
      BROADLOOM_TRY(result, share(plan.ends[i].now()));
      results[i] = std::move(result);
    }
    return {};
  };
  std::vector<Tensor> frame;
  {
    const Active active(first, Run::leave);
    BROADLOOM_CHECK(run.steps(first, [&](const Value& value) -> const Tensor& { return *inputs[value.input->number]; }));
    if (first.end == graph.order.size()) {
      BROADLOOM_CHECK(take_results(first));
      return std::move(results);
    }
    BROADLOOM_TRY(tensors, model_.make_frame());
    frame = std::move(tensors);
    for (const GraphInput& input : graph.inputs) {
      const Tensor* tensor = inputs[input.number];
      frame[input.value->place] = tensor == nullptr ? input.initializer->tensor : *tensor;
    }
    for (const PlanValue& end : first.ends) frame[end.value->place] = end.now();
  }
  Execution execution(frame);
  execution.write_to(profile);
  Plan* plan = &first;
  while (plan->end < graph.order.size()) {
    execution.fuse(false);
    BROADLOOM_CHECK(execution.run(graph, plan->end, plan->end + 1));
    execution.fuse(true);
    Plan* const next = find_next(*plan, frame);
    if (next == nullptr) {
      BROADLOOM_CHECK(execution.run(graph, plan->end + 1, graph.order.size()));
      return model_.take_results(execution, frame);
    }
    plan = next;
    const Active active(*plan, Run::leave);
    BROADLOOM_CHECK(run.steps(*plan, [&](const Value& value) -> const Tensor& { return frame[value.place]; }));
    if (plan->end == graph.order.size()) {
      BROADLOOM_CHECK(take_results(*plan));
      return std::move(results);
    }
    for (const PlanValue& start : plan->starts) {
      if (!start.value->is_kept) frame[start.value->place] = Tensor{};
    }
    for (const PlanValue& end : plan->ends) frame[end.value->place] = end.now();
  }
  return std::move(results);
}

}  // namespace broadloom
