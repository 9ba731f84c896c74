#include "ops/microsoft/attention_inputs.h"

#include <cmath>

#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/elementwise.h"

namespace broadloom {

Result<std::int64_t> read_heads(const Call& call) {
  const std::int64_t heads = call.integer("num_heads");
  if (heads >= 1) return heads;
  return fail(Code::InvalidArgument, "num_heads is {}, wanted 1 or more", heads);
}

Status check_heads(Size size, std::int64_t heads) {
  if (!size.is_number() || size.number() % heads == 0) return {};
  return fail(Code::InvalidArgument, "{} elements are not a multiple of {} heads", size, heads);
}

namespace {

// Whether Attention's mask_index hides nothing: exporters give it one column where they have no mask.
bool hides_nothing(const Call& call, std::size_t input, Size batch, Size total) {
  const SymbolicDims& dims = call.inputs[input]->dims();
  return call.version.inputs()[input].name == "mask_index" && dims.size() == 2 && dims[1] == 1 && total != 1 &&
         (dims[0] == 1 || !differ(dims[0], batch));
}

}  // namespace

Status check_mask(const Call& call, std::size_t input, Size batch, Size queries, Size total) {
  const Tensor* mask = call.input(input);
  if (mask == nullptr || !mask->is_ranked()) return {};
  const SymbolicDims& dims = mask->dims();
  const Sizes sizes = call.sizes();
  // Lengths alone, lengths and starts, or lengths before sums that kernels of packed rows need.
  const Size packed = sizes.add(sizes.multiply(3, batch), 2);
  const bool is_mask = (dims.size() == 1 &&
                        (!differ(dims[0], batch) || !differ(dims[0], sizes.multiply(2, batch)) || !differ(dims[0], packed))) ||
                       hides_nothing(call, input, batch, total) ||
                       (dims.size() == 2 && !differ(dims[0], batch) && !differ(dims[1], total)) ||
                       (dims.size() == 3 && !differ(dims[0], batch) && !differ(dims[1], queries) && !differ(dims[2], total));
  if (is_mask) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted the dims of lengths or flags of {} keys",
              quoted(call.version.inputs()[input].name), dims.values(), total);
}

Result<Tensor> added_to_scores(const Call& call, std::size_t mask_input, std::size_t bias_input, const Attended& task) {
  const SymbolicDims full{task.query.dims()[0], task.query.dims()[1], task.query.dims()[2], task.key.dims()[2]};
  Tensor added;
  const Tensor* bias = call.input(bias_input);
  if (bias != nullptr) {
    BROADLOOM_TRY(numbers, in_type(*bias, Dtype::float32));
    added = std::move(numbers);
  }
  const Tensor* given = call.input(mask_input);
  if (given != nullptr && !hides_nothing(call, mask_input, full[0], full[3])) {
    BROADLOOM_TRY(mask, densify(*given));
    const std::span<const std::int64_t> dims = mask.run_dims();
    const std::int64_t batch = full[0].number();
    const std::int64_t keys = full[3].number();
    const std::int64_t rows = dims.size() == 3 ? dims[1] : 1;
    BROADLOOM_TRY(numbers, make_tensor(Dtype::float32, {batch, 1, rows, keys}));
    const auto* const flags = reinterpret_cast<const std::int32_t*>(mask.data());
    auto* to = reinterpret_cast<float*>(numbers.data());
    for (std::int64_t row = 0; row < batch * rows; ++row) {
      for (std::int64_t i = 0; i < keys; ++i) {
        const bool has_start = dims.size() == 1 && dims[0] == 2 * batch;
        const bool is_shown =
            dims.size() == 1 ? i < flags[row] && (!has_start || i >= flags[batch + row]) : flags[row * keys + i] != 0;
        *to++ = is_shown ? 0 : call.number("mask_filter_value");
      }
    }
    if (!added.has_elements()) {
      added = std::move(numbers);
    } else {
      BROADLOOM_TRY(sum, make_tensor(Dtype::float32, full));
      BROADLOOM_CHECK(apply(Operation::add, sum, added, numbers));
      added = std::move(sum);
    }
  }
  if (added.has_elements()) added.layout = broadcast_to(added.layout, full);
  return added;
}

void set_options(Attended& task, const Call& call) {
  const Attribute* scale = call.attributes.find("scale");
  task.scale = scale != nullptr ? static_cast<double>(scale->value.number)
                                : 1 / std::sqrt(static_cast<double>(task.query.run_dims()[3]));
  if (call.integer("unidirectional") != 0) task.right = 0;
}

Tensor part_of_last(const Tensor& tensor, std::int64_t first, std::int64_t size) {
  Tensor view = tensor;
  const std::size_t last = tensor.dims().size() - 1;
  view.offset += first * tensor.layout->strides[last];
  Layout layout = *tensor.layout;
  layout.dims[last] = size;
  view.layout = LayoutRef(layout);
  return view;
}

}  // namespace broadloom
