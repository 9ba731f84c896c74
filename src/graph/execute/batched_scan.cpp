// Scan of version 8, whose inputs and outputs have an axis of batches.
#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "graph/execute/execution.h"
#include "graph/execute/iterations.h"
#include "ops/call/dense.h"

namespace broadloom {

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

// One zero for all elements.
Result<Tensor> zeros(Dtype dtype, const Dims& dims) {
  constexpr std::int64_t widest_item = 16;
  BROADLOOM_TRY(storage, Storage::allocate(widest_item));
  std::fill_n(storage->data(), widest_item, std::byte{0});
  return Tensor{dtype, uniform_layout(dims), std::move(storage)};
}

// Adds zeros until there are results for the whole length.
Status add_padding(std::vector<Tensor>& items, const GraphOutput& output, Dtype dtype, std::int64_t length) {
  const Dims dims = items.empty() ? declared_dims(output.info) : Dims(items.front().run_dims());
  while (items.size() < in_memory(length)) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(Watch::check(Watch::of_node));
    BROADLOOM_TRY(padding, zeros(dtype, dims));
    BROADLOOM_CHECK(add_item(items, padding));
  }
  return {};
}

}  // namespace

Status Execution::run_batched_scan(const Node& node) {
  const Graph& body = *node.graph("body");
  BROADLOOM_TRY(parts, parts_of_body(node));
  BROADLOOM_CHECK(check_entries(node.attributes, "directions", parts.scan_inputs, true));
  BROADLOOM_CHECK(require_memory(parts.states + parts.scan_inputs + parts.scan_outputs, 4 * sizeof(Tensor)));
  BROADLOOM_TRY(inputs, read_batched(node, parts));
  const bool needs_proof = work_left_ != nullptr;
  std::vector<std::vector<Tensor>> results(parts.states + parts.scan_outputs);  // of each of the batch
  for (std::int64_t batch = 0; batch < inputs.batches; ++batch) {
    BROADLOOM_TRY(used, inputs.length_of(batch));
    BROADLOOM_TRY(iterations, start_iterations(parts));
    for (std::size_t i = 0; i < parts.states; ++i) iterations.states[i] = slice_at(inputs.tensors[i], 0, batch);
    for (std::int64_t i = 0; i < used; ++i) {
      BROADLOOM_CHECK(require_memory());
      set_scan_inputs(body, parts, [&](std::size_t input) {
        const bool is_reversed = entry_of(node.attributes, "directions", input) == 1;
        return slice_at(slice_at(inputs.tensors[parts.states + input], 0, batch), 0, is_reversed ? used - 1 - i : i);
      });
      BROADLOOM_CHECK(iterate(body, parts, iterations));
      free_outputs(body);
    }
    std::size_t number = 0;
    for (const GraphOutput& output : body.outputs) {
      const std::size_t i = number++;
      if (i < parts.states) {
        BROADLOOM_CHECK(add_item(results[i], iterations.states[i]));
      } else if (i < std::min(results.size(), node.output_types.size())) {
        std::vector<Tensor>& items = iterations.scanned[i - parts.states];
        BROADLOOM_CHECK(add_padding(items, output, node.output_types[i], inputs.length));
        BROADLOOM_TRY(stacked, stack_items(items, output, node.output_types[i], needs_proof));
        BROADLOOM_CHECK(add_item(results[i], stacked));
      }
    }
  }
  finish_loop(node, {});
  std::size_t number = 0;
  for (const GraphOutput& output : body.outputs) {
    const std::size_t i = number++;
    if (i >= node.outputs.size() || node.outputs[i] == nullptr) continue;
    BROADLOOM_TRY(stacked, stack_items(results[i], output, node.output_types[i], needs_proof));
    at(node.outputs[i]) = std::move(stacked);
  }
  return {};
}

}  // namespace broadloom
