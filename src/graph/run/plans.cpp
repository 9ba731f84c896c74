#include "graph/run/plans.h"

#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "graph/structure/model.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

constexpr std::size_t most_plans = 4;       // that are kept for the inputs, and behind each node that plans stop at
constexpr std::size_t most_following = 16;  // how often a run goes on with another plan
constexpr std::size_t most_seen = 32;       // dims without a plan that are remembered
constexpr std::size_t most_steps = 256;     // of all plans, besides eight for each node

std::size_t most_steps_of(const Graph& graph) { return most_steps + 8 * graph.order.size(); }

}  // namespace

// ---- Plans ----

std::uint64_t Plans::all_block_bytes_ = 0;

Plans::Plans(const Model& model, const Graph& graph, Plans& root) : model_(model), graph_(graph), root_(root) {}

Plans::Plans(const Model& model) : Plans(model, *model.graph, *this) {}

Plans::~Plans() { set_block({}); }

void Plans::set_block(StorageRef block) {
  if (block_) all_block_bytes_ -= block_->size();
  block_ = std::move(block);
  if (block_) all_block_bytes_ += block_->size();
}

bool Plans::release() {
  if (runs_ > 0) return false;
  const bool is_freed = !plans_.empty() || block_;
  plans_.clear();
  seen_.clear();
  steps_ = 0;
  root_.packed_.release_unused();
  computed_.release_unused();
  set_block({});
  return is_freed;
}

template <class Find>
Plan* Plans::find_in(std::vector<std::unique_ptr<Plan>>& list, Find find) {
  for (auto& plan : list) {
    const bool fits =
        std::all_of(plan->keys.begin(), plan->keys.end(), [&](const Plan::Key& key) { return key.fits(find(*key.value)); });
    if (!fits) continue;
    std::swap(plan, list.front());
    ++found_;
    return list.front().get();
  }
  return nullptr;
}

Plan* Plans::find(Inputs inputs) {
  return find_in(plans_, [&](const Value& value) { return inputs[value.input->number]; });
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

// Whether a plan pays that is run once: the last one did.
bool pay_once(const std::vector<std::unique_ptr<Plan>>& list) { return !list.empty() && list.front()->pays_once(); }

}  // namespace

bool Plans::is_worth_it(const std::vector<std::unique_ptr<Plan>>& list, std::vector<std::uint64_t>& seen, const Plan& plan) {
  // Dims that are others in each iteration have plans that nobody finds again.
  constexpr std::size_t most_in_vain = 16;
  if (pay_once(list)) return true;
  if (made_ > found_ + most_in_vain) return false;
  return list.empty() || remember(seen, plan.hash());
}

Plan* Plans::make(std::vector<std::unique_ptr<Plan>>& list, std::unique_ptr<Plan> plan, std::span<const PlanValue> constants,
                  bool has_frame) {
  if (!make_plan(*plan, graph_, model_.frame_size, constants, {root_.packed_, computed_, root_.numbers_, has_frame})) {
    Error::forget();
    is_off_ = is_off_ || (require_memory() && Watch::check(0));
    Error::forget();
    return nullptr;
  }
  ++made_;
  steps_ += plan->steps.size();
  if (list.size() == most_plans) {
    steps_ -= list.back()->count_steps();
    list.pop_back();
  }
  list.insert(list.begin(), std::move(plan));
  root_.packed_.release_unused();
  computed_.release_unused();
  return list.front().get();
}

Plan* Plans::find_or_make(Inputs inputs) {
  if (Plan* plan = find(inputs)) return plan;
  if (is_off_ || !require_memory(2 * inputs.size() + 64, sizeof(PlanValue))) return nullptr;
  auto plan = std::make_unique<Plan>();
  std::vector<PlanValue> defaults;
  for (const GraphInput& input : graph_.inputs) {
    const Tensor* given = inputs[input.number];
    const bool is_default = given == nullptr;
    const Tensor& tensor = is_default ? input.initializer->tensor : *given;
    if (is_default) {
      plan->keys.push_back({input.value, true});
    } else {
      plan->keys.push_back({input.value, false, tensor.dtype, tensor.layout, Plan::Key::room_of(tensor)});
    }
    std::vector<PlanValue>& list = is_default ? defaults : plan->starts;
    list.push_back({input.value, is_default ? tensor : Tensor{tensor.dtype, tensor.layout}});
  }
  if (!plans_.empty() && !pay_once(plans_) && !remember(seen_, plan->hash())) return nullptr;
  if (steps_ > most_steps_of(graph_)) release();
  return make(plans_, std::move(plan), defaults, false);
}

namespace {

void add_start(Plan& plan, const Value& value, std::span<const Tensor> frame) {
  const Tensor& tensor = frame[value.place];
  plan.keys.push_back({&value, false, tensor.dtype, tensor.layout, Plan::Key::room_of(tensor)});
  plan.starts.push_back({&value, Tensor{tensor.dtype, tensor.layout}});
}

}  // namespace

Plan* Plans::find_or_make(std::span<const Tensor> frame) {
  // Where dims are others in each iteration, to look for a plan takes as long as the nodes do.
  constexpr std::size_t most_misses = 64;
  constexpr std::size_t tries = 16;
  if (misses_ > found_ + most_misses && !pay_once(plans_) && ++misses_ % tries != 0) return nullptr;
  Plan* const kept = find_in(plans_, [&](const Value& value) { return &frame[value.place]; });
  if (kept != nullptr) return kept;
  ++misses_;
  if (is_off_ || !require_memory(reads_.size() + 64, sizeof(PlanValue))) return nullptr;
  auto plan = std::make_unique<Plan>();
  for (const Value* value : reads_) {
    if (!frame[value->place].has_elements()) return nullptr;
    add_start(*plan, *value, frame);
  }
  if (!is_worth_it(plans_, seen_, *plan)) return nullptr;
  if (steps_ > most_steps_of(graph_)) release();
  return make(plans_, std::move(plan), {}, true);
}

Plan* Plans::find_next(Plan& before, std::span<const Tensor> frame) {
  const Node& node = *graph_.order[before.end];
  Plan* const kept = find_in(before.next, [&](const Value& value) { return &frame[value.place]; });
  if (kept != nullptr) return kept;
  if (before.depth + 1 == most_following || steps_ > most_steps_of(graph_) || is_off_) return nullptr;
  if (!require_memory(before.ends.size() + node.outputs.size(), sizeof(PlanValue))) return nullptr;
  auto plan = std::make_unique<Plan>();
  plan->depth = before.depth + 1;
  plan->first = before.end + 1;
  std::vector<PlanValue> constants;
  for (const PlanValue& value : before.ends) {
    const bool is_over =
        value.value->graph == &graph_ && !value.value->is_output && value.value->last_use->position <= before.end;
    if (is_over) continue;
    const bool is_constant = value.root == nullptr;
    std::vector<PlanValue>& list = is_constant ? constants : plan->starts;
    list.push_back({value.value, is_constant ? value.tensor : Tensor{value.tensor.dtype, value.tensor.layout}});
  }
  for (const Value* output : node.outputs) {
    if (output != nullptr && frame[output->place].has_elements()) add_start(*plan, *output, frame);
  }
  if (!is_worth_it(before.next, before.seen, *plan)) return nullptr;
  return make(before.next, std::move(plan), constants, true);
}

// ---- Graphs within the model's ----

Result<Plans*> Plans::within(const Graph& graph) {
  if (within_.size() <= graph.number) {
    BROADLOOM_CHECK(require_memory(model_.graphs().size(), sizeof(void*)));
    within_.resize(model_.graphs().size());
  }
  if (within_[graph.number] != nullptr) return within_[graph.number].get();
  std::size_t most = graph.inputs.size() + graph.outputs.size();
  for (const Node* node : graph.order) most += node->inputs.size();
  BROADLOOM_CHECK(require_memory(most, 2 * sizeof(void*)));
  BROADLOOM_CHECK(numbers_.begin(model_.frame_size));
  within_[graph.number] = std::unique_ptr<Plans>(new Plans(model_, graph, *this));
  Plans& plans = *within_[graph.number];
  const auto add = [&](const Value* value) {
    if (value == nullptr || value->is_constant() || (value->graph == &graph && value->input == nullptr)) return;
    const std::uint32_t known = numbers_.count();
    if (numbers_.number_of(value->place) == known) plans.reads_.push_back(value);
  };
  for (const GraphInput& input : graph.inputs) add(input.value);
  for (const Node* node : graph.order) {
    for (const Value* value : node->inputs) add(value);
  }
  for (const GraphOutput& output : graph.outputs) add(output.value);
  return &plans;
}

// ---- A run ----

Status Plans::place(Plan& plan) {
  const Count bytes = plan.workspace_bytes + plan.block_bytes;
  const StorageRef& block = root_.block_;
  if (bytes > 0 && (!block || bytes > block->size())) {
    root_.set_block({});
    BROADLOOM_TRY(allocated, Storage::allocate(bytes));
    root_.set_block(std::move(allocated));
  }
  std::byte* const data = block ? block->data() : nullptr;
  if (plan.placed_at == data) return {};
  plan.placed_at = data;
  for (const auto& root : plan.roots) {
    if (root->kind == PlanRoot::Kind::block) root->storage.place(data + in_memory(root->place));
  }
  return {};
}

class Plans::Run {
 public:
  Run(Plans& plans, Profile* profile) : plans_(plans), profile_(profile) {
    ++plans.runs_;
    ++plans.root_.runs_;
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    --plans_.runs_;
    --plans_.root_.runs_;
  }

  // Runs the steps; what outlives the plan is there until `leave`.
  template <class Find>
  Status steps(Plan& plan, Find find) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(plans_.place(plan));
    for (PlanValue& start : plan.starts) {
      Tensor tensor = find(*start.value);
      BROADLOOM_CHECK(tensor.storage->bring_back());
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
      BROADLOOM_TRY(storage, Storage::allocate(root->size));
      root->storage.place(storage->data());
      root->now = std::move(storage);
    }
    const StorageRef& block = plans_.root_.block_;
    std::byte* const workspace = block ? block->data() + in_memory(plan.block_bytes) : nullptr;
    if (profile_ != nullptr) return profiled_steps(plan, workspace);
    for (const PlanStep& step : plan.steps) BROADLOOM_CHECK(run_step(step, workspace));
    return {};
  }

  // Until another plan, or none, is run.
  static void leave(Plan& plan) {
    for (PlanValue& start : plan.starts) start.root->now = {};
    for (PlanRoot* root : plan.fresh) root->now = {};
  }

 private:
  static Status run_step(const PlanStep& step, std::byte* workspace) {
    Status status = step.run(workspace);
    if (status) status = Watch::check(Watch::of_node + step.bytes());
    return status ? status : Status(at_node(status.error(), *step.node));
  }
  Status profiled_steps(const Plan& plan, std::byte* workspace) {
    auto step = plan.steps.begin();
    for (std::size_t i = plan.first; i < plan.end; ++i) {
      const Node& node = *plans_.graph_.order[i];
      if (node.is_constant) continue;
      const Profile::Entry entry = profile_->enter();
      double bytes = 0;
      for (; step != plan.steps.end() && step->position == i; ++step) {
        BROADLOOM_CHECK(run_step(*step, workspace));
        bytes += step->bytes();
      }
      profile_->leave(node, entry, bytes, plan.find_outer(node));
    }
    // Fused nodes whose reader runs behind the plan.
    for (; step != plan.steps.end(); ++step) BROADLOOM_CHECK(run_step(*step, workspace));
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

void Plans::set_ends(const Plan& plan, std::span<Tensor> frame) const {
  for (const PlanValue& end : plan.ends) {
    if (end.value->graph == &graph_) frame[end.value->place] = end.now();
  }
}

Status Plans::go_on(Plan& first, Run& run, std::span<Tensor> frame, Execution& execution) {
  Plan* plan = &first;
  while (plan->end < graph_.order.size()) {
    execution.fuse(false);
    const Status status = execution.run(graph_, plan->end, plan->end + 1);
    execution.fuse(true);
    BROADLOOM_CHECK(status);
    Plan* const next = find_next(*plan, frame);
    if (next == nullptr) return execution.run(graph_, plan->end + 1, graph_.order.size());
    plan = next;
    const Active active(*plan, Run::leave);
    BROADLOOM_CHECK(run.steps(*plan, [&](const Value& value) -> const Tensor& { return frame[value.place]; }));
    for (const PlanValue& start : plan->starts) {
      if (!start.value->is_kept() && start.value->graph == &graph_) frame[start.value->place] = Tensor{};
    }
    set_ends(*plan, frame);
  }
  return {};
}

Result<std::vector<Tensor>> Plans::run(Plan& first, Inputs inputs, Profile* profile) {
  Run run(*this, profile);
  std::vector<Tensor> frame;
  {
    const Active active(first, Run::leave);
    BROADLOOM_CHECK(run.steps(first, [&](const Value& value) -> const Tensor& { return *inputs[value.input->number]; }));
    if (first.end == graph_.order.size()) {
      BROADLOOM_TRY(results, allocate_vector<Tensor>(first.ends.size()));
      for (std::size_t i = 0; i < results.size(); ++i) {
        BROADLOOM_TRY(result, share(first.ends[i].now()));
        results[i] = std::move(result);
      }
      return std::move(results);
    }
    BROADLOOM_TRY(tensors, make_frame(model_));
    frame = std::move(tensors);
    for (const GraphInput& input : graph_.inputs) {
      const Tensor* tensor = inputs[input.number];
      frame[input.value->place] = tensor == nullptr ? input.initializer->tensor : *tensor;
    }
    set_ends(first, frame);
  }
  Execution execution(frame);
  execution.write_to(profile);
  execution.leave_graphs_to(this);
  BROADLOOM_CHECK(go_on(first, run, frame, execution));
  return execution.take_results(graph_);
}

Result<bool> Plans::run_within(const Graph& graph, std::span<Tensor> frame, Execution& execution) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(found, within(graph));
  Plans& plans = *found;
  Plan* const first = plans.find_or_make(frame);
  if (first == nullptr) return false;
  Run run(plans, execution.profile());
  {
    const Active active(*first, Run::leave);
    BROADLOOM_CHECK(run.steps(*first, [&](const Value& value) -> const Tensor& { return frame[value.place]; }));
    plans.set_ends(*first, frame);
  }
  BROADLOOM_CHECK(plans.go_on(*first, run, frame, execution));
  return true;
}

}  // namespace broadloom
