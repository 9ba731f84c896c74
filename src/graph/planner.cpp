// Makes plans: runs every operator's rule for dims with what is known, and computes what follows from constants.
#include <algorithm>
#include <set>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "graph/computed_constants.h"
#include "graph/control_flow.h"
#include "graph/free_places.h"
#include "graph/fusion.h"
#include "graph/plan.h"
#include "kernels/order.h"
#include "ops/dense.h"
#include "ops/movement.h"
#include "ops/packed_operands.h"

namespace broadloom {
namespace {

// Whether elements of the type have addresses of their own, and no text elsewhere.
bool is_addressable(Dtype dtype) { return dtype != Dtype::string && !is_packed(dtype); }

class Planner : private FusionTensors {
 public:
  Planner(Plan& plan, const Graph& graph, PackedOperands& packed, ComputedConstants& computed, std::span<std::uint32_t> numbers)
      : plan_(plan), graph_(graph), packed_(packed), computed_(computed), numbers_(numbers) {
    // Nodes that run by themselves read what is not packed.
    lets_go_ = graph.outer == nullptr &&
               std::none_of(graph.order.begin(), graph.order.end(), [](const Node* node) { return runs_by_itself(*node); });
  }
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  ~Planner() {
    for (const Known& known : known_) numbers_[known.place] = 0;
  }

  Status run(std::span<const PlanValue> constants) {
    // Others point to what is known, which stays where it is.
    std::size_t most = constants.size() + plan_.starts.size() + graph_.outputs.size();
    for (const Node* node : graph_.order.subspan(plan_.first)) most += node->inputs.size() + node->outputs.size();
    BROADLOOM_CHECK(require_memory(most, sizeof(Known)));
    known_.reserve(most);
    for (const PlanValue& constant : constants) define(*constant.value, constant.tensor, nullptr);
    for (PlanValue& start : plan_.starts) {
      start.root = &add_root(PlanRoot::Kind::given, 0);
      start.tensor.storage = start.root->storage.share();
      define(*start.value, start.tensor, start.root);
    }
    const std::span<Node* const> order = graph_.order;
    plan_.end = plan_.first;
    for (; plan_.end < order.size(); ++plan_.end) {
      const Node& node = *order[plan_.end];
      if (node.is_constant) continue;
      BROADLOOM_CHECK(require_memory());
      BROADLOOM_CHECK(Watch::check(Watch::of_node));
      position_ = plan_.end;
      BROADLOOM_TRY(is_planned, add(node));
      if (!is_planned) break;
    }
    if (plan_.end < order.size()) BROADLOOM_CHECK(compute_waiting());
    BROADLOOM_CHECK(set_ends());
    place_roots();
    return {};
  }

 private:
  struct Known {
    Tensor tensor;
    PlanRoot* root = nullptr;
    bool is_defined = false;
    std::size_t place = 0;  // of the value in a frame
    bool is_fixed = false;  // its elements are equal in every plan
    bool is_alone = false;  // nobody outside of the plan reads its storage, except where it asks for the bytes
    std::uint32_t packed_reads = 0;
  };

  Known& entry(const Value& value) {
    std::uint32_t& number = numbers_[value.place];
    if (number == 0) {
      known_.push_back({{}, nullptr, false, value.place});
      number = static_cast<std::uint32_t>(known_.size());
    }
    return known_[number - 1];
  }
  Known& known(const Value& value) {
    Known& known = entry(value);
    if (!known.is_defined && value.is_constant()) {
      known.tensor = value.initializer->tensor;
      known.is_defined = known.is_fixed = true;
      const std::uint32_t owners = value.initializer->is_copy ? 3 : 2;
      known.is_alone = known.tensor.has_elements() && known.tensor.storage->references() == owners;
    }
    return known;
  }
  // Whether it has elements without a run.
  static bool is_constant(const Known& known) { return known.root == nullptr && known.tensor.has_elements(); }

  void define(const Value& value, Tensor tensor, PlanRoot* root) {
    entry(value) = {std::move(tensor), root, true, value.place};
    defined_.push_back(&value);
  }
  static std::uint64_t address_of(const Storage& storage) { return reinterpret_cast<std::uintptr_t>(&storage); }
  PlanRoot& add_root(PlanRoot::Kind kind, std::size_t bytes) {
    plan_.roots.push_back(std::make_unique<PlanRoot>(kind, bytes));
    PlanRoot& root = *plan_.roots.back();
    root_of_.insert({address_of(*root.storage.share()), plan_.roots.size() - 1});
    root.first_step = root.last_step = plan_.steps.size();
    return root;
  }
  // The root of the tensor's storage; nullptr for a constant.
  PlanRoot* root_of(const Tensor& tensor) const {
    if (!tensor.has_elements()) return nullptr;
    const std::uint64_t address = address_of(*tensor.storage);
    const auto found = root_of_.lower_bound({address, 0});
    return found == root_of_.end() || found->first != address ? nullptr : plan_.roots[in_memory(found->second)].get();
  }

  static bool runs_by_itself(const Node& node) { return node.op->traits.has_graphs || node.op->traits.depends_on_data; }

  // False when the node has to run by itself.
  Result<bool> add(const Node& node) {
    if (runs_by_itself(node)) return false;
    const std::size_t count = node.outputs.size();
    if (count > 1) {
      BROADLOOM_CHECK(require_memory(count, sizeof(PlanRoot)));
      BROADLOOM_CHECK(require_outputs(count));
    }
    BROADLOOM_CHECK(require_memory(node.inputs.size() + 1, 2 * sizeof(Tensor) + sizeof(void*)));
    // For the rule for dims: elements that are not known are given to it only as what a view can be made of.
    std::vector<Tensor> seen(node.inputs.size());
    std::vector<const Tensor*> inputs(node.inputs.size());
    bool are_constant = true;
    bool are_fixed = true;
    bool is_addressed = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (node.inputs[i] == nullptr) continue;
      const Known& input = known(*node.inputs[i]);
      if (!input.is_defined || (!input.tensor.has_elements() && !is_waiting(node.inputs[i]))) return false;
      seen[i] = input.tensor;
      inputs[i] = &seen[i];
      are_fixed = are_fixed && input.is_fixed;
      if (is_constant(input)) continue;
      are_constant = false;
      is_addressed = is_addressed && is_addressable(input.tensor.dtype);
      if (node.op->asks_for(i)) return false;
      if (i > 0) seen[i].storage = {};
    }
    std::vector<Tensor> outputs(count, unranked(Dtype::undefined));
    Call call{*node.version, inputs, node.attributes, node.output_types, outputs};
    if (!prepare(node, call)) return false;
    for (const Tensor& output : outputs) {
      if (!output.is_ranked() || !are_numbers(output.dims())) return false;
      if (output.has_elements()) continue;
      is_addressed = is_addressed && is_addressable(output.dtype);
      if (checked_bytes(output) == too_many) return false;
    }
    bool is_new = false;
    if (are_constant && !is_finished(call) && is_small(call)) {
      is_new = !are_fixed || !computed_.find(node, outputs);
      if (is_new && !compute(node, call)) return false;
      if (is_new && are_fixed) computed_.add(node, outputs);
    }
    if (is_finished(call)) {
      for (std::size_t i = 0; i < count; ++i) {
        set(node, i, outputs[i], root_of(outputs[i]));
        if (node.outputs[i] == nullptr) continue;
        BROADLOOM_CHECK(copy_small_view(node, *node.outputs[i]));
        Known& output = entry(*node.outputs[i]);
        output.is_fixed = are_fixed;
        output.is_alone = is_new;
      }
      return true;
    }
    if (!is_addressed) return false;
    return add_step(node, call);
  }

  // As release_excess (ops/dense.h), in advance: a step that copies the view, where it outlives the value that has its
  // elements.
  Status copy_small_view(const Node& node, const Value& value) {
    constexpr std::size_t least_part = 16;
    const Known& view = known(value);
    PlanRoot* const root = view.root;
    if (root == nullptr || root->size <= small_storage || view.tensor.count() == 0 || !is_addressable(view.tensor.dtype))
      return {};
    if (Count(dense_size(view.tensor)) >= root->size / least_part) return {};
    const bool is_last = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Value* input) {
      return input != nullptr && known(*input).root == root && broadloom::outlives(value, *input);
    });
    if (!is_last) return {};
    const Tensor from = view.tensor;
    PlanRoot& copy = add_root(PlanRoot::Kind::block, dense_size(from));
    const Tensor to{from.dtype, dense_layout(from.dims()), copy.storage.share()};
    Program program;
    const Program::Value elements = program.operand(from.dtype, nullptr, from.layout);
    const Tensor* const operands[] = {&from};
    auto planned = std::make_unique<PlannedProgram>(program, elements, operands, to);
    use(root);
    push({&node, position_, nullptr, std::move(planned)});
    Known& own = entry(value);
    own.tensor = to;
    own.root = &copy;
    return {};
  }

  [[gnu::noinline]] static Status bring_back(std::span<const Tensor* const> tensors) {
    for (const Tensor* tensor : tensors) {
      if (tensor != nullptr && tensor->has_elements()) BROADLOOM_CHECK(tensor->storage->bring_back());
    }
    return {};
  }
  static bool prepare(const Node& node, Call& call) {
    if (node.op->prepare(call)) return true;
    Error::forget();
    return false;
  }
  static bool compute(const Node& node, Call& call) {
    if (bring_back(call.inputs) && complete(*node.op, call) && is_finished(call)) return true;
    Error::forget();
    return false;
  }

  static constexpr std::uint64_t too_many = UINT64_MAX;
  static std::uint64_t checked_bytes(const Tensor& tensor) {
    const Result<std::int64_t> count = checked_count(tensor.dims());
    if (count) {
      const Result<std::int64_t> bytes = bytes_to_make(tensor.dtype, *count);
      const std::uint64_t size = bytes ? static_cast<std::uint64_t>(*bytes) : 0;
      if (bytes) return size <= SIZE_MAX ? size : too_many;
    }
    Error::forget();
    return too_many;
  }

  // Whether what follows from constants may be kept: it is small, or not much larger than they are.
  static bool is_small(const Call& call) {
    constexpr double always = 64 * 1024;
    constexpr double factor = 4;
    double from = 0;
    double to = 0;
    for (const Tensor* input : call.inputs) from += input == nullptr ? 0 : static_cast<double>(input->storage->size());
    for (const Tensor& output : call.outputs) to += output.has_elements() ? 0 : static_cast<double>(checked_bytes(output));
    return to <= always || to <= factor * from;
  }

  void set(const Node& node, std::size_t i, Tensor tensor, PlanRoot* root) {
    if (node.outputs[i] != nullptr) define(*node.outputs[i], std::move(tensor), root);
  }

  Result<bool> add_step(const Node& node, Call& call) {
    if (has_program(node, call)) {
      Tensor& output = call.outputs[0];
      const Value& value = *node.outputs[0];
      define(value, output, nullptr);
      if (fusion_of(node).reader == nullptr) {
        BROADLOOM_CHECK(compute_fused(node));
      } else {
        waiting_.push_back(&node);
      }
      return true;
    }
    if (!node.op->computes()) return false;
    const bool is_empty = call.is_empty();
    if (!is_empty && !check_operands(*node.op, call)) {
      Error::forget();
      return false;
    }
    for (const Value* input : node.inputs) {
      if (input != nullptr && is_waiting(input)) BROADLOOM_CHECK(compute_fused(*input->producer));
    }
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
      Tensor& output = call.outputs[i];
      PlanRoot* root = root_of(output);
      if (!output.has_elements()) {
        root = &add_root(PlanRoot::Kind::block, dense_size(output));
        output = {output.dtype, result_layout(output.layout), root->storage.share()};
      }
      if (node.outputs[i] != nullptr) set(node, i, output, root);
    }
    if (is_empty) return true;
    const std::vector<const Tensor*> from = list_of_inputs(node);
    auto planned = std::make_unique<PlannedCall>(node, from, std::vector<Tensor>(call.outputs.begin(), call.outputs.end()));
    BROADLOOM_CHECK(make_ready(node, *planned));
    for (const Value* input : node.inputs) use(input);
    push({&node, position_, std::move(planned), nullptr});
    return true;
  }

  static bool has_program(const Node& node, const Call& call) {
    if (!node.op->is_elementwise() || node.outputs.size() != 1 || node.outputs[0] == nullptr) return false;
    ElementTypes types(call.inputs.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      types[i] = call.inputs[i] == nullptr ? ElementType() : ElementType(call.inputs[i]->dtype);
    }
    return broadloom::has_program(*node.op, *node.version, types.values(), call.outputs[0].dtype);
  }

  std::vector<const Tensor*> list_of_inputs(const Node& node) {
    std::vector<const Tensor*> list(node.inputs.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (node.inputs[i] != nullptr) list[i] = &known(*node.inputs[i]).tensor;
    }
    return list;
  }

  Status make_ready(const Node& node, PlannedCall& planned) {
    if (node.op->ready == nullptr) return {};
    constexpr std::size_t most_ready_bytes = std::size_t{16} * 1024;
    BROADLOOM_CHECK(require_memory(most_ready_bytes));
    // Only what does not change has elements for `ready`.
    std::vector<Tensor> seen = planned.inputs;
    std::vector<const Tensor*> inputs(seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (node.inputs[i] == nullptr) continue;
      if (!is_constant(known(*node.inputs[i]))) seen[i].storage = {};
      inputs[i] = &seen[i];
    }
    const Call call{*node.version, inputs, node.attributes, node.output_types, planned.made};
    Result<Ready> ready = node.op->ready(call, &packed_);
    if (!ready) {
      Error::forget();  // there is no memory: each run does it
      return bring_back(inputs);
    }
    planned.packed = std::move(ready->packed);
    planned.call.packed = planned.packed ? planned.packed->data() : nullptr;
    planned.ready = std::move(ready->call);
    if (ready->substitute == nullptr) return bring_back(inputs);
    if (lets_go_ && !seen[0].has_elements()) let_go(*node.inputs[1], std::move(ready->substitute));
    return {};
  }

  // A constant was packed for one of its readers. After the last one, its bytes are no longer needed.
  void let_go(const Value& value, std::unique_ptr<Storage::Substitute> substitute) {
    Known& constant = known(value);
    const bool is_last = ++constant.packed_reads == value.uses && !value.is_output;
    if (is_last && constant.is_alone) constant.tensor.storage->let_go(std::move(substitute));
  }

  void use(const Value* value) {
    if (value == nullptr) return;
    use(known(*value).root);
  }
  void use(PlanRoot* root) { use(root, plan_.steps.size()); }
  static void use(PlanRoot* root, std::size_t step) {
    if (root != nullptr) root->last_step = std::max(root->last_step, step);
  }
  void push(PlanStep step) {
    need_workspace(step);
    plan_.steps.push_back(std::move(step));
  }
  void need_workspace(const PlanStep& step) {
    plan_.workspace_bytes = std::max(plan_.workspace_bytes, padded_place(step.workspace_bytes()));
  }

  // ---- Elementwise nodes ----

  Tensor& at(const Value& value) override { return known(value).tensor; }
  Status give_elements(const Value&) override { return {}; }

  Status compute_fused(const Node& node) override {
    Known& output = entry(*node.outputs[0]);
    FusedProgram fused;
    BROADLOOM_CHECK(fused.build(node, output.tensor, *this));
    const Dtype dtype = output.tensor.dtype;
    if (PlanStep* step = finished_step(fused, dtype)) {
      const Tensor written = step->call->made[0];
      output.tensor = {dtype, fused.layout(), written.storage};
      output.root = root_of(written);
      step->program = std::make_unique<PlannedProgram>(fused.program, fused.result, fused.operands(), output.tensor);
      const auto number = in_memory(step - plan_.steps.data());
      for (const Tensor* operand : fused.operands()) use(root_of(*operand), number);
      need_workspace(*step);
      return {};
    }
    BROADLOOM_TRY(bytes, bytes_to_make(dtype, static_cast<std::int64_t>(fused.count())));
    PlanRoot& root = add_root(PlanRoot::Kind::block, in_memory(bytes));
    output.tensor = {dtype, fused.layout(), root.storage.share()};
    output.root = &root;
    if (fused.count() == 0) return {};
    const Tensor written{dtype, dense_layout(fused.dims()), root.storage.share()};
    auto planned = std::make_unique<PlannedProgram>(fused.program, fused.result, fused.operands(), written);
    for (const Tensor* operand : fused.operands()) use(root_of(*operand), plan_.steps.size());
    push({&node, position_, nullptr, std::move(planned)});
    return {};
  }

  // The call whose only output is replaced by the program, part by part: what the program reads besides is there before.
  // nullptr if there is none.
  PlanStep* finished_step(const FusedProgram& fused, Dtype dtype) {
    const std::span<const Tensor* const> operands = fused.operands();
    PlanStep* found = nullptr;
    std::size_t last = 0;  // behind the last step that writes an operand
    for (const Tensor* operand : operands) {
      const PlanRoot* root = root_of(*operand);
      if (root == nullptr || root->kind == PlanRoot::Kind::given) continue;
      last = std::max(last, root->first_step + 1);
    }
    if (last == 0 || fused.count() == 0) return nullptr;
    PlanStep& step = plan_.steps[last - 1];
    if (step.call == nullptr || step.program != nullptr || step.call->ready == nullptr || !step.call->ready->can_finish())
      return nullptr;
    const Tensor& made = step.call->made[0];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (root_of(*operands[i]) != root_of(made)) continue;
      const Value& value = *fused.values()[i];
      const bool is_whole =
          have_same_positions(operands[i]->layout, fused.layout()) && operands[i]->offset == 0 && value.producer == step.node;
      const bool is_private = value.is_private() && value.graph == &graph_;
      if (!is_whole || !is_private) return nullptr;
      found = fused.reads()[i] == value.uses ? &step : nullptr;
    }
    return found != nullptr && item_size(made.dtype) == item_size(dtype) ? found : nullptr;
  }

  Status compute_waiting() {
    for (const Node* node : waiting_) {
      const bool is_needed = fusion_of(*node).reader->position >= plan_.end;
      if (is_needed && is_waiting(node->outputs[0])) BROADLOOM_CHECK(compute_fused(*node));
    }
    return {};
  }

  // ---- The end ----

  bool outlives(const Value& value) const {
    if (value.is_output || value.graph != &graph_) return true;
    return plan_.end < graph_.order.size() && value.last_use != nullptr && value.last_use->position >= plan_.end;
  }
  void add_end(const Value& value) {
    const Known& end = known(value);
    if (end.root != nullptr) {
      end.root->is_at_end = true;
      if (end.root->kind == PlanRoot::Kind::block) end.root->kind = PlanRoot::Kind::fresh;
    }
    plan_.ends.push_back({&value, end.tensor, end.root});
  }

  Status set_ends() {
    if (plan_.end == graph_.order.size()) {
      for (const GraphOutput& output : graph_.outputs) {
        if (!known(*output.value).tensor.has_elements()) return fail(Code::InvalidArgument, "an output has no elements yet");
        add_end(*output.value);
      }
      return {};
    }
    for (const Value* value : defined_) {
      if (outlives(*value) && known(*value).tensor.has_elements()) add_end(*value);
    }
    return {};
  }

  void place_roots() {
    FreePlaces block;
    std::vector<std::int64_t> by_start;  // numbers of roots, which are in the order of their first steps
    for (std::size_t i = 0; i < plan_.roots.size(); ++i) {
      if (plan_.roots[i]->kind == PlanRoot::Kind::block) by_start.push_back(static_cast<std::int64_t>(i));
    }
    const auto root_at = [&](std::int64_t number) -> PlanRoot& { return *plan_.roots[in_memory(number)]; };
    std::vector<std::int64_t> by_end = by_start;
    sort(by_end, [&](std::int64_t a, std::int64_t b) {
      return std::pair(root_at(a).last_step, a) < std::pair(root_at(b).last_step, b);
    });
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

  Plan& plan_;
  const Graph& graph_;
  PackedOperands& packed_;
  ComputedConstants& computed_;
  std::span<std::uint32_t> numbers_;  // behind one, of what is known of the values at these places
  std::vector<Known> known_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> root_of_;  // addresses of storages, and numbers of roots in the plan
  std::vector<const Value*> defined_;
  std::vector<const Node*> waiting_;
  std::size_t position_ = 0;
  bool lets_go_ = false;
};

}  // namespace

Status make_plan(Plan& plan, const Graph& graph, std::span<const PlanValue> constants, PackedOperands& packed,
                 ComputedConstants& computed, std::span<std::uint32_t> numbers) {
  return Planner(plan, graph, packed, computed, numbers).run(constants);
}

}  // namespace broadloom
