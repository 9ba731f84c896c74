#include "graph/execute/execution.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/limits.h"
#include "core/memory.h"
#include "core/strings.h"
#include "core/text.h"
#include "graph/structure/control_flow.h"
#include "graph/structure/model.h"
#include "ops/call/dense.h"

namespace broadloom {

double work_of(const Operator& op, const Call& call) {
  double work = 1;
  for (const Tensor* input : call.inputs) {
    if (input != nullptr) work += static_cast<double>(input->count()) + bytes_of_strings(*input);
  }
  for (const Tensor& output : call.outputs) work += output.is_ranked() ? static_cast<double>(output.count()) : 0;
  return op.extra_work == nullptr ? work : work + op.extra_work(call);
}

namespace {

// The steps of a call, for the clock.
double steps_of(const Call& call) {
  double steps = Watch::of_node;
  const auto add = [&](const Tensor& tensor) {
    if (!tensor.has_elements()) return;
    // An element takes a few steps; one that is a text, or made of one, many.
    steps += static_cast<double>(tensor.count()) * (tensor.dtype == Dtype::string ? 64 : 4) + bytes_of_strings(tensor);
  };
  for (const Tensor* input : call.inputs) {
    if (input != nullptr) add(*input);
  }
  for (const Tensor& output : call.outputs) add(output);
  return steps;
}

}  // namespace

Failure at_node(const Error& error, const Node& node) {
  return in_node(error->op.empty() ? in_operator(error, {*node.op, *node.version, node.opset}) : error, node);
}

Status Execution::run(const Graph& graph, std::size_t first, std::size_t end) {
  for (const Node* node : graph.order.subspan(first, end - first)) {
    if (node->is_constant) continue;
    BROADLOOM_CHECK(require_memory());
    const Status status = profile_ == nullptr ? run(*node) : run_profiled(*node);
    if (!status) return at_node(status.error(), *node);
    release(*node);
  }
  return {};
}

namespace {

bool shares(const Tensor& output, const Tensor& input) { return input.has_elements() && &*input.storage == &*output.storage; }

}  // namespace

Status Execution::run_profiled(const Node& node) {
  const Profile::Entry entry = profile_->enter();
  BROADLOOM_CHECK(run(node));
  double bytes = 0;
  for (const Value* output : node.outputs) {
    if (output == nullptr || !at(output).has_elements()) continue;
    const bool is_view = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const Value* input) { return input != nullptr && shares(at(output), at(input)); });
    if (!is_view) bytes += static_cast<double>(at(output).storage->size());
  }
  profile_->leave(node, entry, bytes);
  return {};
}

Status Execution::run(const Node& node) {
  for (const Value* input : node.inputs) {
    if (input != nullptr && at(input).has_elements()) BROADLOOM_CHECK(at(input).storage->bring_back());
  }
  if (node.graphs.empty()) return call(node);
  if (node.op == &if_operator) return run_if(node);
  return node.op == &loop ? run_loop(node) : run_scan(node);
}

Status Execution::call(const Node& node) {
  if (node.outputs.size() > 1) BROADLOOM_CHECK(require_outputs(node.outputs.size()));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  // Most nodes have one output, and allocating a list takes 50 ns.
  Tensor only;
  std::vector<Tensor> several(node.outputs.size() == 1 ? 0 : node.outputs.size());
  const std::span<Tensor> outputs = several.empty() ? std::span(&only, node.outputs.size()) : std::span(several);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] != nullptr) inputs[i] = &at(node.inputs[i]);
  }
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs};
  if (work_left_ != nullptr) {
    BROADLOOM_CHECK(node.op->prepare(call));
    BROADLOOM_CHECK(spend(work_of(*node.op, call)));
  }
  const FusedNode& fused = fusion_of(node);
  const bool waits = fuses_ && fused.reader != nullptr;
  const bool is_fused =
      fuses_ && (fused.transposed_by != nullptr ||
                 std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Value* value) { return is_waiting(value); }));
  if (waits || is_fused) {
    BROADLOOM_CHECK(node.op->prepare(call));
    if (!waits && !is_finished(call)) BROADLOOM_CHECK(compute_with_fused(node, only));
  } else {
    BROADLOOM_CHECK(broadloom::run(*node.op, call));
  }
  if (!waits && !is_finished(call)) {
    // An input has no elements yet, but the node needs them.
    for (const Value* input : node.inputs) {
      if (input != nullptr) BROADLOOM_CHECK(give_elements(*input));
    }
    BROADLOOM_CHECK(broadloom::run(*node.op, call));
  }
  BROADLOOM_CHECK(Watch::check(steps_of(call)));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == nullptr) continue;
    at(node.outputs[i]) = std::move(outputs[i]);
    release_excess_of_view(node, *node.outputs[i]);
  }
  return {};
}

void Execution::release_excess_of_view(const Node& node, const Value& output) {
  Tensor& tensor = at(&output);
  if (!tensor.has_elements() || tensor.storage->size() <= small_storage) return;
  for (const Value* input : node.inputs) {
    if (input != nullptr && shares(tensor, at(input)) && outlives(output, *input)) return release_excess(tensor);
  }
}

Status Execution::spend(double work) {
  // The fixed cost of a call, in elements of a large one.
  constexpr double of_call = 256;
  if (work_left_ == nullptr) return {};
  *work_left_ -= of_call + work;
  return *work_left_ < 0 ? fail(Code::OutOfMemory, "more steps than are allowed") : Status();
}

Status Execution::give_elements(const Value& value) {
  Tensor& tensor = at(&value);
  if (tensor.has_elements()) return tensor.storage->bring_back();
  const Initializer* initializer = value.initializer;
  if (initializer == nullptr && value.input != nullptr) initializer = value.input->initializer;
  BROADLOOM_TRY(elements, elements_of(value, initializer));
  tensor = std::move(elements);
  return {};
}

Status Execution::compute_with_fused(const Node& node, Tensor& output) {
  FusedProgram fused;
  BROADLOOM_CHECK(fused.build(node, output, *this));
  for (const Tensor* operand : fused.operands()) BROADLOOM_CHECK(operand->storage->bring_back());
  BROADLOOM_TRY(made, make_tensor(output.dtype, fused.dims()));
  BROADLOOM_CHECK(fused.program.run(fused.result, made.data(), fused.count()));
  BROADLOOM_CHECK(Watch::check());
  made.layout = fused.layout();
  output = std::move(made);
  return {};
}

void Execution::release(const Node& node) {
  const auto free_after = [&](const Value* value) {
    if (value != nullptr && value->last_use == &node && !value->is_kept()) at(value) = Tensor{};
  };
  const FusedNode& fused = fusion_of(node);
  if (fused.reader != nullptr) return;
  if (fused.is_elementwise) release_fused(node, node);
  for (const Value* value : node.inputs) free_after(value);
  for (const Value* value : node.outputs) free_after(value);
  for (const Capture& capture : node.captures) free_after(capture.value);
}

void Execution::release_fused(const Node& node, const Node& root) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr || !is_fused_into_reader(*value) || fusion_of(*value->producer).reader != &node) continue;
    const std::span<Value* const> before = node.inputs.first(i);
    if (std::find(before.begin(), before.end(), value) != before.end()) continue;
    const Node& producer = *value->producer;
    release_fused(producer, root);
    for (const Value* input : producer.inputs) {
      if (input != nullptr && input->last_use == &root && !input->is_kept()) at(input) = Tensor{};
    }
  }
}

Result<bool> Execution::read_condition(const Value* value, std::string_view name) {
  BROADLOOM_CHECK(give_elements(*value));
  const Tensor& tensor = at(value);
  if (tensor.count() != 1) {
    return fail(Code::InvalidArgument, "{} has dims {}, wanted one element", quoted(name), tensor.dims().values());
  }
  return *tensor.data() != std::byte{0};
}

Status Execution::run_within(const Graph& graph) {
  if (runner_ == nullptr) return run(graph);
  const bool fused_outside = std::exchange(fuses_, true);
  const Result<bool> is_planned = runner_->run_within(graph, frame_, *this);
  const Status status = !is_planned ? Failure(is_planned.error()) : *is_planned ? Status() : run(graph);
  fuses_ = fused_outside;
  return status;
}

Status Execution::run_if(const Node& node) {
  BROADLOOM_TRY(condition, read_condition(node.inputs[0], "cond"));
  const Graph& branch = *node.graph(condition ? "then_branch" : "else_branch");
  BROADLOOM_CHECK(run_within(branch));
  std::size_t i = 0;
  for (const GraphOutput& output : branch.outputs) {
    BROADLOOM_CHECK(give_elements(*output.value));
    if (node.outputs[i] != nullptr) at(node.outputs[i]) = at(output.value);
    ++i;
  }
  free_outputs(branch);
  return {};
}

void Execution::free_outputs(const Graph& graph) {
  for (const GraphOutput& output : graph.outputs) {
    if (output.value->graph == &graph && !output.value->is_constant()) at(output.value) = Tensor{};
  }
}

Result<std::vector<Tensor>> make_frame(const Model& model) {
  BROADLOOM_TRY(frame, allocate_vector<Tensor>(model.frame_size));
  for (const Graph& one : model.graphs()) {
    for (const Initializer& initializer : one.initializers) {
      if (initializer.value->input == nullptr) frame[initializer.value->place] = initializer.tensor;
    }
  }
  return std::move(frame);
}

Result<std::vector<Tensor>> Execution::take_results(const Graph& graph) {
  BROADLOOM_TRY(results, allocate_vector<Tensor>(graph.outputs.size()));
  Tensor* next = results.data();
  for (const GraphOutput& output : graph.outputs) {
    BROADLOOM_CHECK(give_elements(*output.value));
    BROADLOOM_TRY(result, share(frame_[output.value->place]));
    *next++ = std::move(result);
  }
  return std::move(results);
}

}  // namespace broadloom
