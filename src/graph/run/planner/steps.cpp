// Makes plans: runs every operator's rule for dims with what is known, and computes what follows from constants.
#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "graph/fusion/fusion.h"
#include "graph/run/growth.h"
#include "graph/run/planner/constants.h"
#include "graph/run/planner/make_plan.h"
#include "graph/run/planner/packing.h"
#include "graph/run/planner/places.h"
#include "graph/run/planner/scores.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// Whether elements of the type have addresses of their own, and no text elsewhere.
bool is_addressable(Dtype dtype) { return dtype != Dtype::string && !is_packed(dtype); }

bool runs_by_itself(const Node& node) { return node.op->traits.has_graphs || node.op->traits.depends_on_data; }

class Planner : private FusionTensors {
 public:
  Planner(Plan& plan, const Graph& graph, const PlannerTables& tables)
      : plan_(plan),
        graph_(graph),
        computed_(tables.computed),
        values_(tables.numbers, tables.has_frame),
        places_(plan),
        packing_(graph, values_, tables.packed),
        steps_(plan, graph, values_, places_) {}

  Status run(std::size_t frame_size, std::span<const PlanValue> constants) {
    std::size_t most = constants.size() + plan_.starts.size() + graph_.outputs.size();
    for (const Node* node : graph_.order.subspan(plan_.first)) most += node->inputs.size() + node->outputs.size();
    BROADLOOM_CHECK(values_.begin(frame_size, most));
    for (const PlanValue& constant : constants) values_.define(*constant.value, constant.tensor, nullptr);
    for (PlanValue& start : plan_.starts) {
      start.root = &places_.add(PlanRoot::Kind::given, 0);
      start.tensor.storage = start.root->storage.share();
      values_.define(*start.value, start.tensor, start.root);
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
    BROADLOOM_CHECK(packing_.finish());
    BROADLOOM_CHECK(set_ends());
    places_.assign();
    std::erase_if(plan_.steps, [](const PlanStep& step) { return step.is_empty(); });
    return {};
  }

 private:
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
      const Known& input = values_[*node.inputs[i]];
      if (!input.is_defined || (!input.tensor.has_elements() && !is_waiting(node.inputs[i]))) return false;
      seen[i] = input.tensor;
      inputs[i] = &seen[i];
      are_fixed = are_fixed && input.is_fixed;
      // A plan of another graph may have let the bytes go.
      if (input.tensor.has_elements() && !Packing::waits_for(node, i, input.tensor))
        BROADLOOM_CHECK(input.tensor.storage->bring_back());
      if (input.is_constant()) continue;
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
      if (bytes_to_make(output) == too_many) return false;
    }
    auto outcome = ComputedConstants::Outcome::found;
    if (are_constant && !is_finished(call) && ComputedConstants::may_keep(call)) {
      outcome = computed_.compute(node, call, are_fixed);
      if (outcome == ComputedConstants::Outcome::none) return false;
    }
    if (is_finished(call)) {
      for (std::size_t i = 0; i < count; ++i) {
        set(node, i, outputs[i], root_of(node, outputs[i]));
        if (node.outputs[i] == nullptr) continue;
        BROADLOOM_CHECK(copy_small_view(node, *node.outputs[i]));
        Known& output = values_.entry(*node.outputs[i]);
        output.is_fixed = are_fixed;
        output.is_alone = outcome == ComputedConstants::Outcome::made;
      }
      packing_.add_views(node);
      return true;
    }
    if (!is_addressed) return false;
    return add_step(node, call);
  }

  // The root of an output that prepare finished: a view of a first input has its storage. nullptr for a constant.
  PlanRoot* root_of(const Node& node, const Tensor& output) {
    if (!output.has_elements() || node.inputs.empty() || node.inputs[0] == nullptr) return nullptr;
    const Known& first = values_[*node.inputs[0]];
    const bool is_view = first.tensor.has_elements() && &*first.tensor.storage == &*output.storage;
    return is_view ? first.root : nullptr;
  }

  // As release_excess (ops/call/dense.h), in advance: a step that copies the view, where it outlives the value that has its
  // elements.
  Status copy_small_view(const Node& node, const Value& value) {
    constexpr std::size_t least_part = 16;
    const Known& view = values_[value];
    PlanRoot* const root = view.root;
    if (root == nullptr || root->size <= small_storage || view.tensor.count() == 0 || !is_addressable(view.tensor.dtype))
      return {};
    if (Count(dense_size(view.tensor)) >= root->size / least_part) return {};
    const bool is_last = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Value* input) {
      return input != nullptr && values_[*input].root == root && broadloom::outlives(value, *input);
    });
    if (!is_last) return {};
    const Tensor from = view.tensor;
    PlanRoot& copy = places_.add(PlanRoot::Kind::block, dense_size(from));
    const Tensor to{from.dtype, dense_layout(from.dims()), copy.storage.share()};
    Program program;
    const Program::Value elements = program.operand(from.dtype, nullptr, from.layout);
    const Tensor* const operands[] = {&from};
    auto planned = std::make_unique<PlannedProgram>(program, elements, operands, to);
    places_.use(root);
    push({&node, position_, nullptr, std::move(planned)});
    Known& own = values_.entry(value);
    own.tensor = to;
    own.root = &copy;
    return {};
  }

  static bool prepare(const Node& node, Call& call) {
    if (node.op->prepare(call)) return true;
    Error::forget();
    return false;
  }
  void set(const Node& node, std::size_t i, Tensor tensor, PlanRoot* root) {
    if (node.outputs[i] != nullptr) values_.define(*node.outputs[i], std::move(tensor), root);
  }

  Result<bool> add_step(const Node& node, Call& call) {
    if (has_program(node, call)) {
      Tensor& output = call.outputs[0];
      const Value& value = *node.outputs[0];
      values_.define(value, output, nullptr);
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
    std::optional<Repeated> repeated = is_empty ? std::nullopt : find_repeated(steps_, node);
    if (!is_empty && add_row_blocks(node, call.outputs[0], repeated)) return true;
    // The next iteration of a body would write to the same places.
    if (!is_empty && !values_.has_frame()) append(plan_, node, values_, call.outputs[0]);
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
      Tensor& output = call.outputs[i];
      PlanRoot* root = root_of(node, output);
      if (!output.has_elements()) {
        root = &places_.add(PlanRoot::Kind::block, dense_size(output));
        output = {output.dtype, result_layout(output.layout), root->storage.share()};
      }
      if (node.outputs[i] != nullptr) set(node, i, output, root);
    }
    if (is_empty) return true;
    std::vector<const Tensor*> from = list_of_inputs(node);
    std::vector<Tensor> made(call.outputs.begin(), call.outputs.end());
    Tensor first;
    if (repeated) {
      first = *from[0];
      if (repeated->split(first, made[0])) {
        from = {&first, &repeated->tensor};
        steps_.give(*repeated->step, node);
      }
    }
    auto planned = std::make_unique<PlannedCall>(node, from, std::move(made));
    BROADLOOM_CHECK(packing_.make_ready(node, *planned));
    for (const Value* input : node.inputs) {
      if (input != nullptr) places_.use(values_[*input].root);
    }
    push({&node, position_, std::move(planned), nullptr});
    return true;
  }

  // The product of a softmax of a product is computed with both, some rows at a time.
  bool add_row_blocks(const Node& node, Tensor output, const std::optional<Repeated>& repeated) {
    std::optional<RowBlockParts> parts = find_scores(steps_, node);
    if (!parts) return false;
    PlanRoot& root = places_.add(PlanRoot::Kind::block, dense_size(output));
    output = {output.dtype, layout_for_reader(*node.outputs[0], output.dims()), root.storage.share()};
    Tensor weights = values_[*node.inputs[0]].tensor;
    Tensor written = output;
    const bool is_split = repeated && repeated->split(weights, written);
    parts->weights = &weights;
    parts->value = is_split ? &repeated->tensor : &values_[*node.inputs[1]].tensor;
    parts->output = &written;
    auto blocks = RowBlocks::make(*parts);
    if (blocks == nullptr) {
      root.kind = PlanRoot::Kind::none;
      return false;
    }
    places_.use(values_[*node.inputs[1]].root);
    if (is_split) steps_.give(*repeated->step, node);
    steps_.give(*parts->product, node);
    steps_.give(*parts->softmax, node);
    for (const RowBlockParts::Change& change : parts->changes) steps_.give(*change.step, node);
    set(node, 0, std::move(output), &root);
    push({&node, position_, nullptr, nullptr, std::move(blocks)});
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
      if (node.inputs[i] != nullptr) list[i] = &values_[*node.inputs[i]].tensor;
    }
    return list;
  }

  void push(PlanStep step) {
    need_workspace(step);
    plan_.steps.push_back(std::move(step));
  }
  void need_workspace(const PlanStep& step) {
    plan_.workspace_bytes = std::max(plan_.workspace_bytes, padded_place(step.workspace_bytes()));
  }

  // ---- Elementwise nodes ----

  Tensor& at(const Value& value) override { return values_[value].tensor; }
  Status give_elements(const Value&) override { return {}; }

  Status compute_fused(const Node& node) override {
    Known& output = values_.entry(*node.outputs[0]);
    FusedProgram fused;
    BROADLOOM_CHECK(fused.build(node, output.tensor, *this));
    const Dtype dtype = output.tensor.dtype;
    if (PlanStep* step = finished_step(fused, dtype)) {
      const Tensor written = step->call->made[0];
      output.tensor = {dtype, fused.layout(), written.storage};
      output.root = values_[*step->node->outputs[0]].root;
      step->program = std::make_unique<PlannedProgram>(fused.program, fused.result, fused.operands(), output.tensor);
      const auto number = in_memory(step - plan_.steps.data());
      for (const Value* value : fused.values()) Places::use(values_[*value].root, number);
      steps_.set_reads(*step->program, node, fused);
      need_workspace(*step);
      return {};
    }
    BROADLOOM_TRY(bytes, bytes_to_make(dtype, static_cast<std::int64_t>(fused.count())));
    PlanRoot& root = places_.add(PlanRoot::Kind::block, in_memory(bytes));
    output.tensor = {dtype, fused.layout(), root.storage.share()};
    output.root = &root;
    if (fused.count() == 0) return {};
    const Tensor written{dtype, dense_layout(fused.dims()), root.storage.share()};
    auto planned = std::make_unique<PlannedProgram>(fused.program, fused.result, fused.operands(), written);
    for (const Value* value : fused.values()) places_.use(values_[*value].root);
    steps_.set_reads(*planned, node, fused);
    push({&node, position_, nullptr, std::move(planned)});
    return {};
  }

  // The call whose only output is replaced by the program, part by part: what the program reads besides is there before.
  // nullptr if there is none.
  PlanStep* finished_step(const FusedProgram& fused, Dtype dtype) {
    const std::span<const Tensor* const> operands = fused.operands();
    PlanStep* found = nullptr;
    std::size_t last = 0;  // behind the last step that writes an operand
    for (const Value* value : fused.values()) {
      const PlanRoot* root = values_[*value].root;
      if (root == nullptr || (root->kind == PlanRoot::Kind::given && !root->is_appended)) continue;
      last = std::max(last, root->first_step + 1);
    }
    if (last == 0 || fused.count() == 0) return nullptr;
    PlanStep& step = plan_.steps[last - 1];
    if (step.call == nullptr || step.program != nullptr || step.call->ready == nullptr || !step.call->ready->can_finish())
      return nullptr;
    const Value* const written = step.node->outputs[0];
    if (written == nullptr) return nullptr;
    const Tensor& made = step.call->made[0];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Value& value = *fused.values()[i];
      if (values_[value].root != values_[*written].root) continue;
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
  // False when it has no elements there.
  bool add_end(const Value& value) {
    const Known& end = values_[value];
    if (!end.tensor.has_elements()) return false;
    places_.add_end(value, end.tensor, end.root);
    return true;
  }

  Status set_ends() {
    if (plan_.end == graph_.order.size()) {
      for (const GraphOutput& output : graph_.outputs) {
        if (!add_end(*output.value)) return fail(Code::InvalidArgument, "an output has no elements yet");
        const Known& end = values_[*output.value];
        if (end.is_constant()) BROADLOOM_CHECK(end.tensor.storage->bring_back());
      }
      return {};
    }
    for (const Value* value : values_.defined()) {
      if (outlives(*value)) add_end(*value);
    }
    return {};
  }

  Plan& plan_;
  const Graph& graph_;
  ComputedConstants& computed_;
  KnownValues values_;
  Places places_;
  Packing packing_;
  PrivateSteps steps_;
  std::vector<const Node*> waiting_;  // fused nodes whose reader was not planned yet
  std::size_t position_ = 0;
};

}  // namespace

Status make_plan(Plan& plan, const Graph& graph, std::size_t frame_size, std::span<const PlanValue> constants,
                 const PlannerTables& tables) {
  return Planner(plan, graph, tables).run(frame_size, constants);
}

}  // namespace broadloom
