// Loop, and Scan from its version 9 on.
#include <algorithm>
#include <vector>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/execute/execution.h"
#include "graph/execute/iterations.h"
#include "graph/structure/control_flow.h"
#include "ops/call/dense.h"
#include "ops/dims/axes.h"

namespace broadloom {

namespace {

template <class T>
Result<Tensor> scalar(Dtype dtype, T value) {
  BROADLOOM_TRY(tensor, make_tensor(dtype, {}));
  *reinterpret_cast<T*>(tensor.data()) = value;
  return std::move(tensor);
}

// A view with the first axis moved to `axis`, and reversed on request.
Tensor with_first_axis_at(const Tensor& tensor, std::size_t axis, bool is_reversed) {
  Tensor result = tensor;
  LayoutRef layout(tensor.dims());
  Layout& view = layout.edit();
  const auto move = [&](const auto& from, auto& to) {
    std::copy(from.begin() + 1, from.begin() + 1 + axis, to.begin());
    std::copy(from.begin() + 1 + axis, from.end(), to.begin() + axis + 1);
    to[axis] = from[0];
  };
  move(tensor.layout->dims, view.dims);
  move(tensor.layout->strides, view.strides);
  const std::int64_t length = view.dims[axis].number();
  if (is_reversed && length > 0) {
    result.offset += (length - 1) * view.strides[axis];
    view.strides[axis] = -view.strides[axis];
  }
  result.layout = std::move(layout);
  return result;
}

Result<std::size_t> axis_of(const Node& node, std::string_view name, std::size_t i, std::size_t rank) {
  const std::int64_t axis = entry_of(node.attributes, name, i);
  const bool counts_from_end = node.version->since_version >= 11;
  const auto place = axis < 0 && !counts_from_end ? std::nullopt : axis_at(axis, rank);
  if (place) return *place;
  return fail(Code::InvalidArgument, "attribute {}: entry {} is {}, which is not an axis of {} axes", quoted(name), i, axis,
              rank);
}

// A scan input, and the axis along which it is sliced.
struct Sliced {
  Tensor tensor;
  std::size_t axis;
  bool is_reversed;

  Tensor at(std::int64_t i, std::int64_t length) const { return slice_at(tensor, axis, is_reversed ? length - 1 - i : i); }
};

}  // namespace

// Runs the body once. Its extra inputs and scan inputs must be set.
Status Execution::iterate(const Graph& body, const BodyParts& parts, Iterations& iterations) {
  std::size_t i = 0;
  for (const GraphInput& input : body.inputs) {
    const std::size_t state = i++ - parts.extra_inputs;
    if (state < parts.states) at(input.value) = iterations.states[state];
  }
  BROADLOOM_CHECK(spend(0));
  BROADLOOM_CHECK(Watch::check(Watch::of_node));
  BROADLOOM_CHECK(run_within(body));
  i = 0;
  for (const GraphOutput& output : body.outputs) {
    BROADLOOM_CHECK(give_elements(*output.value));
    const std::size_t number = i++;
    if (number < parts.extra_outputs) continue;
    const std::size_t state = number - parts.extra_outputs;
    if (state < parts.states) {
      iterations.states[state] = at(output.value);
    } else {
      BROADLOOM_CHECK(add_item(iterations.scanned[state - parts.states], at(output.value)));
    }
  }
  return {};
}

void Execution::finish_loop(const Node& node, std::span<Tensor> states) {
  const Graph& body = *node.graph("body");
  for (const GraphInput& input : body.inputs) at(input.value) = Tensor{};
  free_outputs(body);
  for (std::size_t i = 0; i < states.size() && i < node.outputs.size(); ++i) {
    if (node.outputs[i] != nullptr) at(node.outputs[i]) = std::move(states[i]);
  }
}

Status Execution::read_states(const Node& node, const BodyParts& parts, std::span<Tensor> states) {
  for (std::size_t i = 0; i < parts.states; ++i) {
    const Value* value = node.inputs[parts.first_state + i];
    BROADLOOM_CHECK(give_elements(*value));
    states[i] = at(value);
  }
  return {};
}

Status Execution::run_loop(const Node& node) {
  const Graph& body = *node.graph("body");
  BROADLOOM_TRY(parts, parts_of_body(node));
  BROADLOOM_TRY(iterations, start_iterations(parts));
  BROADLOOM_CHECK(read_states(node, parts, iterations.states));
  std::int64_t most = INT64_MAX;
  if (node.inputs[0] != nullptr) {
    BROADLOOM_CHECK(give_elements(*node.inputs[0]));
    const Tensor& trip_count = at(node.inputs[0]);
    if (trip_count.count() != 1) {
      return fail(Code::InvalidArgument, "'M' has dims {}, wanted one element", trip_count.dims().values());
    }
    most = *reinterpret_cast<const std::int64_t*>(trip_count.data());
  }
  bool goes_on = true;
  if (node.inputs[1] != nullptr) {
    BROADLOOM_TRY(condition, read_condition(node.inputs[1], "cond"));
    goes_on = condition;
  }
  for (std::int64_t i = 0; goes_on && i < most; ++i) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(number, scalar(Dtype::int64, i));
    BROADLOOM_TRY(condition, scalar(Dtype::boolean, goes_on));
    const auto input = body.inputs.begin();
    at((*input).value) = std::move(number);
    at((*++Chain<GraphInput>::Iterator(input)).value) = std::move(condition);
    BROADLOOM_CHECK(iterate(body, parts, iterations));
    BROADLOOM_TRY(next, read_condition((*body.outputs.begin()).value, "the condition that its body made"));
    goes_on = next;
    free_outputs(body);
  }
  finish_loop(node, iterations.states);
  std::size_t i = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t number = i++ - parts.extra_outputs;  // of the node's outputs
    if (number < parts.states || number >= node.outputs.size() || node.outputs[number] == nullptr) continue;
    BROADLOOM_TRY(stacked, stack_items(iterations.scanned[number - parts.states], output, node.output_types[number],
                                       work_left_ != nullptr));
    at(node.outputs[number]) = std::move(stacked);
  }
  return {};
}

namespace {

// The length of the scan inputs along their axes. Fails if they differ.
Result<std::int64_t> common_length(std::span<const Sliced> inputs) {
  const std::int64_t length = inputs[0].tensor.run_dims()[inputs[0].axis];
  for (const Sliced& input : inputs) {
    const std::int64_t own = input.tensor.run_dims()[input.axis];
    if (own == length) continue;
    return fail(Code::InvalidArgument, "scan inputs have {} and {} slices, wanted equally many", length, own);
  }
  return length;
}

}  // namespace

Status Execution::run_scan(const Node& node) {
  if (node.version->since_version == 8) return run_batched_scan(node);
  const Graph& body = *node.graph("body");
  BROADLOOM_TRY(parts, parts_of_body(node));
  BROADLOOM_CHECK(check_entries(node.attributes, "scan_input_axes", parts.scan_inputs, false));
  BROADLOOM_CHECK(check_entries(node.attributes, "scan_input_directions", parts.scan_inputs, true));
  BROADLOOM_CHECK(check_entries(node.attributes, "scan_output_axes", parts.scan_outputs, false));
  BROADLOOM_CHECK(check_entries(node.attributes, "scan_output_directions", parts.scan_outputs, true));
  BROADLOOM_TRY(iterations, start_iterations(parts));
  BROADLOOM_CHECK(read_states(node, parts, iterations.states));
  BROADLOOM_TRY(inputs, allocate_vector<Sliced>(parts.scan_inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value* value = node.inputs[parts.states + i];
    BROADLOOM_CHECK(give_elements(*value));
    BROADLOOM_TRY(tensor, share(at(value)));
    BROADLOOM_TRY(axis, axis_of(node, "scan_input_axes", i, tensor.dims().size()));
    inputs[i] = {std::move(tensor), axis, entry_of(node.attributes, "scan_input_directions", i) == 1};
  }
  BROADLOOM_TRY(length, common_length(inputs));
  for (std::int64_t i = 0; i < length; ++i) {
    BROADLOOM_CHECK(require_memory());
    set_scan_inputs(body, parts, [&](std::size_t input) { return inputs[input].at(i, length); });
    BROADLOOM_CHECK(iterate(body, parts, iterations));
    free_outputs(body);
  }
  finish_loop(node, iterations.states);
  std::size_t number = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t i = number++;
    if (i < parts.states || i >= node.outputs.size() || node.outputs[i] == nullptr) continue;
    const std::size_t scanned = i - parts.states;
    BROADLOOM_TRY(stacked, stack_items(iterations.scanned[scanned], output, node.output_types[i], work_left_ != nullptr));
    BROADLOOM_TRY(axis, axis_of(node, "scan_output_axes", scanned, stacked.dims().size()));
    at(node.outputs[i]) = with_first_axis_at(stacked, axis, entry_of(node.attributes, "scan_output_directions", scanned) == 1);
  }
  return {};
}

}  // namespace broadloom
