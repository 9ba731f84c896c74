#include "graph/execution.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/memory.h"
#include "core/text.h"
#include "graph/control_flow.h"
#include "graph/model.h"
#include "ops/elementwise.h"
#include "ops/transpose.h"

namespace broadloom {

double work_of(const Operator& op, const Call& call) {
  double work = 1;
  for (const Tensor* input : call.inputs) work += input == nullptr ? 0 : static_cast<double>(input->count());
  for (const Tensor& output : call.outputs) work += output.is_ranked() ? static_cast<double>(output.count()) : 0;
  return op.extra_work == nullptr ? work : work + op.extra_work(call);
}

Status Execution::run(const Graph& graph) {
  for (const Node* node : graph.order) {
    if (node->is_constant) continue;
    BROADLOOM_CHECK(require_memory());
    const Status status = profile_ == nullptr ? run(*node) : run_profiled(*node);
    if (!status) {
      const Error error = status.error();
      return in_node(error->op.empty() ? in_operator(error, {*node->op, *node->version, node->opset}) : error, *node);
    }
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
  if (node.graphs.empty()) return call(node);
  if (node.op == &if_operator) return run_if(node);
  return node.op == &loop ? run_loop(node) : run_scan(node);
}

Status Execution::call(const Node& node) {
  if (node.outputs.size() > 1) BROADLOOM_CHECK(require_memory(node.outputs.size(), most_layout_bytes + sizeof(Tensor)));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  // Most nodes have one output: a list of its own for it takes 50 ns.
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
  const bool waits = fuses_ && node.joins != nullptr;
  const bool is_joined =
      fuses_ && (node.transposed_by != nullptr ||
                 std::any_of(node.inputs.begin(), node.inputs.end(), [&](const Value* value) { return is_waiting(value); }));
  if (waits || is_joined) {
    BROADLOOM_CHECK(node.op->prepare(call));
    if (!waits && !is_finished(call)) BROADLOOM_CHECK(compute_with_joined(node, only));
  } else {
    BROADLOOM_CHECK(broadloom::run(*node.op, call));
  }
  if (!waits && !is_finished(call)) {
    // An input has no elements yet, and they are needed.
    for (const Value* input : node.inputs) {
      if (input != nullptr) BROADLOOM_CHECK(give_elements(*input));
    }
    BROADLOOM_CHECK(broadloom::run(*node.op, call));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != nullptr) at(node.outputs[i]) = std::move(outputs[i]);
  }
  return {};
}

Status Execution::spend(double work) {
  // A call of a few elements takes as long as this many elements of a large one.
  constexpr double of_call = 256;
  if (work_left_ == nullptr) return {};
  *work_left_ -= of_call + work;
  return *work_left_ < 0 ? fail(Code::OutOfMemory, "more steps than are allowed") : Status();
}

Status Execution::give_elements(const Value& value) {
  Tensor& tensor = at(&value);
  if (tensor.has_elements()) return {};
  const Initializer* initializer = value.initializer;
  if (initializer == nullptr && value.input != nullptr) initializer = value.input->initializer;
  if (initializer == nullptr || initializer->sparse == nullptr) {
    const ExternalData* external = initializer == nullptr ? nullptr : initializer->external;
    return fail(Code::InvalidModel, "the external data of {}, in file {}, was not given: loadModel takes the option external",
                quoted(value.name), quoted(external == nullptr ? std::string_view() : external->location));
  }
  BROADLOOM_TRY(dense, make_tensor(tensor.dtype, tensor.dims()));
  BROADLOOM_CHECK(write_dense(*initializer->sparse, dense));
  tensor = std::move(dense);
  return {};
}

namespace {

// The order of axes that a Transpose asks for; none where it fails, which it will say itself.
Dims order_of(const Node& node, std::size_t rank) {
  Result<Dims> order = read_order({*node.version, {}, node.attributes, node.output_types, {}}, rank);
  return order ? std::move(*order) : Dims();
}

}  // namespace

Status Execution::compute_with_joined(const Node& node, Tensor& output) {
  BROADLOOM_TRY(count, checked_count(output.dims()));
  Program program;
  BROADLOOM_TRY(value, add_node(node, output.dims(), program, 0, 0));
  // Where operands are smaller than the result, they are transposed in its place: the Transpose behind it finds elements as it
  // wants them. Normalising [224, 224, 3] of uint8 takes 0.8 of the time so.
  const bool is_larger = program.operand_bytes() < count * static_cast<std::int64_t>(item_size(output.dtype));
  const Dims order = node.transposed_by != nullptr && is_larger ? order_of(*node.transposed_by, output.dims().size()) : Dims();
  if (order.size() == 0) {
    BROADLOOM_TRY(result, make_tensor(output.dtype, output.dims()));
    BROADLOOM_CHECK(program.run(value, result.data(), static_cast<std::size_t>(count)));
    output = std::move(result);
    return {};
  }
  program.transpose(order);
  Dims dims(order.size()), back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto axis = static_cast<std::size_t>(order[i]);
    dims[i] = output.dims()[axis];
    back[axis] = static_cast<std::int64_t>(i);
  }
  BROADLOOM_TRY(result, make_tensor(output.dtype, dims));
  BROADLOOM_CHECK(program.run(value, result.data(), static_cast<std::size_t>(count)));
  result.layout = transposed_layout(result.layout, back);
  output = std::move(result);
  return {};
}

Result<Program::Value> Execution::add_node(const Node& node, const Dims& dims, Program& program, std::size_t operands,
                                           std::size_t values) {
  Program::Value added[Program::most_operands];
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  values += node.op->most_added(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value* value = node.inputs[i];
    if (value == nullptr) continue;
    Tensor& tensor = at(value);
    inputs[i] = &tensor;
    if (is_waiting(value)) {
      const Node& producer = *value->producer;
      const std::size_t others = operands + inputs.size() - i - 1;
      const bool has_room =
          program.has_room(others + producer.inputs.size(), values + others + producer.op->most_added(producer.inputs.size()));
      if (has_room && tensor.dims() == dims) {
        BROADLOOM_TRY(element, add_node(producer, dims, program, others, values + others));
        added[i] = element;
        continue;
      }
      BROADLOOM_CHECK(compute_with_joined(producer, tensor));
    }
    BROADLOOM_CHECK(give_elements(*value));
    added[i] = add_operand(program, tensor, dims);
  }
  const Call call{*node.version, inputs.values(), node.attributes, node.output_types, {}};
  return add_elements(*node.op, call, program, {added, inputs.size()});
}

void Execution::release(const Node& node) {
  const auto free_after = [&](const Value* value) {
    if (value != nullptr && value->last_use == &node && !value->is_kept) at(value) = Tensor{};
  };
  if (node.joins != nullptr) return;
  if (node.depth > 0) release_joined(node, node);
  for (const Value* value : node.inputs) free_after(value);
  for (const Value* value : node.outputs) free_after(value);
  for (const Capture& capture : node.captures) free_after(capture.value);
}

void Execution::release_joined(const Node& node, const Node& root) {
  for (const Value* value : node.inputs) {
    if (value == nullptr || !joins_its_reader(*value) || value->producer->joins != &node) continue;
    const Node& producer = *value->producer;
    release_joined(producer, root);
    for (const Value* input : producer.inputs) {
      if (input != nullptr && input->last_use == &root && !input->is_kept) at(input) = Tensor{};
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

Status Execution::run_if(const Node& node) {
  BROADLOOM_TRY(condition, read_condition(node.inputs[0], "cond"));
  const Graph& branch = *node.graph(condition ? "then_branch" : "else_branch");
  BROADLOOM_CHECK(run(branch));
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

}  // namespace broadloom
