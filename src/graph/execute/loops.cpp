// Loop and Scan.
#include <algorithm>
#include <vector>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/execute/execution.h"
#include "graph/structure/control_flow.h"
#include "ops/dense.h"
#include "ops/join.h"
#include "ops/shapes/axes.h"

namespace broadloom {

// The results of a body's iterations so far.
struct Iterations {
  std::vector<Tensor> states;
  std::vector<std::vector<Tensor>> scanned;  // for each scan output, one tensor per iteration
};

namespace {

Result<Iterations> start(const BodyParts& parts) {
  BROADLOOM_CHECK(require_memory(parts.states + parts.scan_outputs, sizeof(std::vector<Tensor>) + sizeof(Tensor)));
  return Iterations{std::vector<Tensor>(parts.states), std::vector<std::vector<Tensor>>(parts.scan_outputs)};
}

Status add(std::vector<Tensor>& list, const Tensor& tensor) {
  if (list.size() == list.capacity()) BROADLOOM_CHECK(require_memory(2 * list.size() + 8, sizeof(Tensor)));
  list.push_back(tensor);
  return {};
}

template <class T>
Result<Tensor> scalar(Dtype dtype, T value) {
  BROADLOOM_TRY(tensor, make_tensor(dtype, {}));
  *reinterpret_cast<T*>(tensor.data()) = value;
  return std::move(tensor);
}

// One zero for all elements.
Result<Tensor> zeros(Dtype dtype, const Dims& dims) {
  constexpr std::int64_t widest_item = 16;
  BROADLOOM_TRY(storage, Storage::allocate(widest_item));
  std::fill_n(storage->data(), widest_item, std::byte{0});
  return Tensor{dtype, uniform_layout(dims), std::move(storage)};
}

Dims inserted(const Dims& dims, std::size_t axis, std::int64_t size) {
  Dims result(dims.size() + 1, size);
  for (std::size_t i = 0; i < dims.size(); ++i) result[i < axis ? i : i + 1] = dims[i];
  return result;
}

// The dims of a scan output without iterations: those that the body declares, with 0 for unknown sizes.
Dims declared_dims(const ValueInfo& info) {
  Dims dims(info.dims.size());
  std::int64_t* to = dims.begin();
  for (const Dimension& dim : info.dims) *to++ = std::max<std::int64_t>(dim.value, 0);
  return dims;
}

// Stacks tensors along a new first axis. Without tensors, the dims are those that the file declares, which are not
// proven.
Result<Tensor> stack(std::span<const Tensor> tensors, const GraphOutput& output, Dtype dtype, bool needs_proof) {
  if (tensors.empty() && needs_proof) return fail(Code::InvalidArgument, "{} was not made", quoted(output.info.name));
  const Dims item = tensors.empty() ? declared_dims(output.info) : Dims(tensors.front().run_dims());
  for (const Tensor& tensor : tensors) {
    if (tensor.dims() == item) continue;
    return fail(Code::InvalidArgument, "its body made {} with dims {}, and in another iteration with {}",
                quoted(output.info.name), item.values(), tensor.dims().values());
  }
  BROADLOOM_CHECK(check_rank(item.size() + 1));
  return join(tensors, dtype, inserted(item, 0, static_cast<std::int64_t>(tensors.size())));
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

// A view of one index of an axis, without that axis.
Tensor slice(const Tensor& tensor, std::size_t axis, std::int64_t index) {
  const Layout& from = tensor.layout;
  LayoutRef layout(SymbolicDims(from.dims.size() - 1));
  Layout& view = layout.edit();
  for (std::size_t i = 0; i < view.dims.size(); ++i) {
    view.dims[i] = from.dims[i < axis ? i : i + 1];
    view.strides[i] = from.strides[i < axis ? i : i + 1];
  }
  return {tensor.dtype, std::move(layout), tensor.storage, tensor.offset + index * from.strides[axis]};
}

// Entry `i` of a list of flags or axes; 0 if the list is omitted.
std::int64_t entry(const Attributes& attributes, std::string_view name, std::size_t i) {
  const Tensor* list = attributes.find_tensor(name);
  return list == nullptr ? 0 : reinterpret_cast<const std::int64_t*>(list->data())[i];
}

Status check_list(const Attributes& attributes, std::string_view name, std::size_t size, bool are_flags) {
  const Tensor* list = attributes.find_tensor(name);
  if (list == nullptr) return {};
  if (list->count() != static_cast<std::int64_t>(size)) {
    return fail(Code::InvalidArgument, "attribute {} has {} entr{y}, wanted {}", quoted(name), list->count(), size);
  }
  for (std::size_t i = 0; are_flags && i < size; ++i) {
    const std::int64_t flag = entry(attributes, name, i);
    if (flag != 0 && flag != 1) {
      return fail(Code::InvalidArgument, "attribute {}: entry {} is {}, wanted 0 or 1", quoted(name), i, flag);
    }
  }
  return {};
}

Result<std::size_t> axis_of(const Node& node, std::string_view name, std::size_t i, std::size_t rank) {
  const std::int64_t axis = entry(node.attributes, name, i);
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

  Tensor at(std::int64_t i, std::int64_t length) const { return slice(tensor, axis, is_reversed ? length - 1 - i : i); }
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
      BROADLOOM_CHECK(add(iterations.scanned[state - parts.states], at(output.value)));
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
  BROADLOOM_TRY(iterations, start(parts));
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
    BROADLOOM_TRY(stacked,
                  stack(iterations.scanned[number - parts.states], output, node.output_types[number], work_left_ != nullptr));
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
  BROADLOOM_CHECK(check_list(node.attributes, "scan_input_axes", parts.scan_inputs, false));
  BROADLOOM_CHECK(check_list(node.attributes, "scan_input_directions", parts.scan_inputs, true));
  BROADLOOM_CHECK(check_list(node.attributes, "scan_output_axes", parts.scan_outputs, false));
  BROADLOOM_CHECK(check_list(node.attributes, "scan_output_directions", parts.scan_outputs, true));
  BROADLOOM_TRY(iterations, start(parts));
  BROADLOOM_CHECK(read_states(node, parts, iterations.states));
  BROADLOOM_TRY(inputs, allocate_vector<Sliced>(parts.scan_inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value* value = node.inputs[parts.states + i];
    BROADLOOM_CHECK(give_elements(*value));
    BROADLOOM_TRY(tensor, share(at(value)));
    BROADLOOM_TRY(axis, axis_of(node, "scan_input_axes", i, tensor.dims().size()));
    inputs[i] = {std::move(tensor), axis, entry(node.attributes, "scan_input_directions", i) == 1};
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
    BROADLOOM_TRY(stacked, stack(iterations.scanned[scanned], output, node.output_types[i], work_left_ != nullptr));
    BROADLOOM_TRY(axis, axis_of(node, "scan_output_axes", scanned, stacked.dims().size()));
    at(node.outputs[i]) = with_first_axis_at(stacked, axis, entry(node.attributes, "scan_output_directions", scanned) == 1);
  }
  return {};
}

// Scan-8: the first axis of all inputs and outputs is the batch. The second axis of scan inputs and outputs is the length, and
// each element of the batch may use less of it. Unused parts of outputs are zero.
struct BatchedInputs {
  std::vector<Tensor> tensors;  // states, then scan inputs
  std::int64_t batches = -1;
  std::int64_t length = -1;
  Tensor lengths = {};  // those that are used, if they are given

  // Takes input `number` of the node. Fails if its dims do not fit the inputs before.
  Status take(std::size_t number, Tensor tensor, bool is_scanned) {
    if (tensor.dims().size() < (is_scanned ? 2U : 1U)) {
      return fail(Code::InvalidArgument, "input {} has dims {}, wanted an axis of batches{}", number, tensor.dims().values(),
                  is_scanned ? " and one to scan" : "");
    }
    const std::span<const std::int64_t> dims = tensor.run_dims();
    if (batches < 0) batches = dims[0];
    if (is_scanned && length < 0) length = dims[1];
    if (dims[0] != batches || (is_scanned && dims[1] != length)) {
      return fail(Code::InvalidArgument, "input {} has dims {}, but others have {} batches, and {} slices", number,
                  tensor.dims().values(), batches, length);
    }
    tensors.push_back(std::move(tensor));
    return {};
  }
  Result<std::int64_t> length_of(std::int64_t batch) const {
    const std::int64_t used = lengths.has_elements() ? reinterpret_cast<const std::int64_t*>(lengths.data())[batch] : length;
    if (used >= 0 && used <= length) return used;
    return fail(Code::InvalidArgument, "'sequence_lens': entry {} is {}, wanted 0 to {}", batch, used, length);
  }
};

Result<BatchedInputs> Execution::read_batched(const Node& node, const BodyParts& parts) {
  BatchedInputs inputs;
  for (std::size_t i = 1; i <= parts.states + parts.scan_inputs; ++i) {
    BROADLOOM_CHECK(give_elements(*node.inputs[i]));
    BROADLOOM_TRY(tensor, share(at(node.inputs[i])));
    BROADLOOM_CHECK(inputs.take(i, std::move(tensor), i > parts.states));
  }
  if (node.inputs[0] == nullptr) return inputs;
  BROADLOOM_CHECK(give_elements(*node.inputs[0]));
  BROADLOOM_TRY(lengths, densify(at(node.inputs[0])));
  if (lengths.dims() != Dims{inputs.batches}) {
    return fail(Code::InvalidArgument, "'sequence_lens' has dims {}, wanted [{}]", lengths.dims().values(), inputs.batches);
  }
  inputs.lengths = std::move(lengths);
  return inputs;
}

namespace {

// Adds zeros until there are results for the whole length.
Status add_padding(std::vector<Tensor>& items, const GraphOutput& output, Dtype dtype, std::int64_t length) {
  const Dims dims = items.empty() ? declared_dims(output.info) : Dims(items.front().run_dims());
  while (items.size() < in_memory(length)) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(Watch::check(Watch::of_node));
    BROADLOOM_TRY(padding, zeros(dtype, dims));
    BROADLOOM_CHECK(add(items, padding));
  }
  return {};
}

}  // namespace

Status Execution::run_batched_scan(const Node& node) {
  const Graph& body = *node.graph("body");
  BROADLOOM_TRY(parts, parts_of_body(node));
  BROADLOOM_CHECK(check_list(node.attributes, "directions", parts.scan_inputs, true));
  BROADLOOM_CHECK(require_memory(parts.states + parts.scan_inputs + parts.scan_outputs, 4 * sizeof(Tensor)));
  BROADLOOM_TRY(inputs, read_batched(node, parts));
  const bool needs_proof = work_left_ != nullptr;
  std::vector<std::vector<Tensor>> results(parts.states + parts.scan_outputs);  // of each of the batch
  for (std::int64_t batch = 0; batch < inputs.batches; ++batch) {
    BROADLOOM_TRY(used, inputs.length_of(batch));
    BROADLOOM_TRY(iterations, start(parts));
    for (std::size_t i = 0; i < parts.states; ++i) iterations.states[i] = slice(inputs.tensors[i], 0, batch);
    for (std::int64_t i = 0; i < used; ++i) {
      BROADLOOM_CHECK(require_memory());
      set_scan_inputs(body, parts, [&](std::size_t input) {
        const bool is_reversed = entry(node.attributes, "directions", input) == 1;
        return slice(slice(inputs.tensors[parts.states + input], 0, batch), 0, is_reversed ? used - 1 - i : i);
      });
      BROADLOOM_CHECK(iterate(body, parts, iterations));
      free_outputs(body);
    }
    std::size_t number = 0;
    for (const GraphOutput& output : body.outputs) {
      const std::size_t i = number++;
      if (i < parts.states) {
        BROADLOOM_CHECK(add(results[i], iterations.states[i]));
      } else if (i < std::min(results.size(), node.output_types.size())) {
        std::vector<Tensor>& items = iterations.scanned[i - parts.states];
        BROADLOOM_CHECK(add_padding(items, output, node.output_types[i], inputs.length));
        BROADLOOM_TRY(stacked, stack(items, output, node.output_types[i], needs_proof));
        BROADLOOM_CHECK(add(results[i], stacked));
      }
    }
  }
  finish_loop(node, {});
  std::size_t number = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t i = number++;
    if (i >= node.outputs.size() || node.outputs[i] == nullptr) continue;
    BROADLOOM_TRY(stacked, stack(results[i], output, node.output_types[i], needs_proof));
    at(node.outputs[i]) = std::move(stacked);
  }
  return {};
}

}  // namespace broadloom
