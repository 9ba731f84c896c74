// com.microsoft: MultiHeadAttention. onnxruntime: docs/ContribOperators.md.
#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/microsoft/attention_inputs.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("mask_filter_value", FLOAT, -10000),
                                        required("num_heads", INT),
                                        {"scale", FLOAT},
                                        with_default("unidirectional", INT, 0)};
constexpr Parameter inputs[] = {{"query", T},
                                {"key", T, Optional},
                                {"value", T, Optional},
                                {"bias", T, Optional},
                                {"key_padding_mask", Dtype::int32, Optional},
                                {"attention_bias", T, Optional},
                                {"past_key", T, Optional},
                                {"past_value", T, Optional},
                                {"past_sequence_length", Dtype::int32, Optional},
                                {"cache_indirection", Dtype::int32, Optional}};
constexpr Parameter outputs[] = {
    {"output", T}, {"present_key", T, Optional}, {"present_value", T, Optional}, {"qk", T, Optional}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::single_floats}}};

// [batch, length, heads, parts, size] as [batch, heads, length, size], of one part.
Tensor part_of_packed(const Tensor& tensor, std::int64_t part) {
  const Layout& from = *tensor.layout;
  Tensor view = tensor;
  view.offset += part * from.strides[3];
  view.layout = LayoutRef(Layout{SymbolicDims{from.dims[0], from.dims[2], from.dims[1], from.dims[4]},
                                 Dims{from.strides[0], from.strides[2], from.strides[1], from.strides[4]}});
  return view;
}

// The sizes of a call: packed queries are [batch, length, heads, 3, size], packed keys [batch, length, heads, 2, size].
struct Forms {
  Size batch = unknown_size;
  Size queries = unknown_size;
  Size keys = unknown_size;
  Size size = unknown_size;   // of a head
  Size width = unknown_size;  // of a head of values
};

Result<Forms> forms_of(const Call& call, std::int64_t heads) {
  Forms forms;
  const Sizes sizes = call.sizes();
  const Tensor& query = *call.inputs[0];
  const Tensor* key = call.input(1);
  const Tensor* value = call.input(2);
  if (!query.is_ranked() || (key != nullptr && !key->is_ranked()) || (value != nullptr && !value->is_ranked())) return forms;
  const SymbolicDims& q = query.dims();
  if (q.size() == 5) {
    if (key != nullptr || value != nullptr || differ(q[2], heads) || differ(q[3], 3)) {
      return fail(Code::InvalidArgument, "a packed query has dims {}, wanted {} heads of 3 parts, without keys", q.values(),
                  heads);
    }
    forms.batch = q[0];
    forms.queries = forms.keys = q[1];
    forms.size = forms.width = q[4];
    return forms;
  }
  BROADLOOM_CHECK(want_rank(call, 0, 3));
  forms.batch = q[0];
  if (key == nullptr) return fail(Code::InvalidArgument, "a query of dims {} needs keys", q.values());
  BROADLOOM_CHECK(check_heads(q[2], heads));
  forms.queries = q[1];
  forms.size = sizes.floor_divide(q[2], heads);
  const SymbolicDims& k = key->dims();
  const bool is_packed = k.size() == 5;
  const bool is_apart = k.size() == 4;
  if (is_packed) {
    BROADLOOM_CHECK(want_dims(call, 1, {forms.batch, k[1], heads, 2, forms.size}));
    forms.keys = k[1];
    forms.width = forms.size;
    if (value != nullptr) return fail(Code::InvalidArgument, "packed keys have the values");
    return forms;
  }
  if (value == nullptr) return fail(Code::InvalidArgument, "keys of dims {} need values", k.values());
  BROADLOOM_CHECK(want_rank(call, 2, is_apart ? 4 : 3));
  const SymbolicDims& v = value->dims();
  if (is_apart) {
    forms.keys = k[2];
    forms.width = v[3];
    BROADLOOM_CHECK(want_dims(call, 1, {forms.batch, heads, forms.keys, forms.size}));
    BROADLOOM_CHECK(want_dims(call, 2, {forms.batch, heads, forms.keys, forms.width}));
    return forms;
  }
  BROADLOOM_CHECK(want_rank(call, 1, 3));
  BROADLOOM_CHECK(check_heads(v[2], heads));
  forms.keys = k[1];
  forms.width = sizes.floor_divide(v[2], heads);
  BROADLOOM_CHECK(want_dims(call, 1, {forms.batch, forms.keys, q[2]}));
  BROADLOOM_CHECK(want_dims(call, 2, {forms.batch, forms.keys, v[2]}));
  return forms;
}

Status prepare(Call& call) {
  BROADLOOM_TRY(heads, read_heads(call));
  BROADLOOM_CHECK(refuse_input(call, 8));
  BROADLOOM_CHECK(refuse_input(call, 9));
  if ((call.input(6) == nullptr) != (call.input(7) == nullptr)) {
    return fail(Code::InvalidArgument, "past_key and past_value are given together, or neither");
  }
  BROADLOOM_TRY(forms, forms_of(call, heads));
  const Sizes sizes = call.sizes();
  Size total = forms.keys;
  if (const Tensor* past = call.input(6); past != nullptr) {
    const Size before = past->is_ranked() && past->dims().size() == 4 ? past->dims()[2] : unknown_size;
    BROADLOOM_CHECK(want_dims(call, 6, {forms.batch, heads, before, forms.size}));
    BROADLOOM_CHECK(want_dims(call, 7, {forms.batch, heads, before, forms.width}));
    total = sizes.add(total, before);
  }
  const Size hidden = sizes.multiply(sizes.multiply(2, heads), forms.size);
  BROADLOOM_CHECK(want_dims(call, 3, {sizes.add(hidden, sizes.multiply(heads, forms.width))}));
  BROADLOOM_CHECK(check_mask(call, 4, forms.batch, forms.queries, total));
  BROADLOOM_CHECK(want_dims(call, 5, {forms.batch, heads, forms.queries, total}, true));
  const SymbolicDims dims[] = {{forms.batch, forms.queries, sizes.multiply(heads, forms.width)},
                               {forms.batch, heads, total, forms.size},
                               {forms.batch, heads, total, forms.width},
                               {forms.batch, heads, forms.queries, total}};
  for (std::size_t i = 0; i < call.outputs.size(); ++i) call.outputs[i] = known_dims(call.output_types[i], dims[i]);
  return {};
}

// Adds a bias of [heads * size], which begins at `first`, to [batch, heads, length, size].
Result<Tensor> with_bias(const Tensor& tensor, const Tensor* bias, std::int64_t first) {
  if (bias == nullptr) return tensor;
  const std::span<const std::int64_t> dims = tensor.run_dims();
  BROADLOOM_TRY(sum, make_tensor(tensor.dtype, tensor.dims()));
  Tensor part = part_of_last(*bias, first, dims[1] * dims[3]);
  const std::int64_t step = part.layout->strides[0];
  part.layout = LayoutRef(Layout{SymbolicDims{1, dims[1], 1, dims[3]}, Dims{0, dims[3] * step, 0, step}});
  BROADLOOM_CHECK(apply(Operation::add, sum, tensor, part));
  return sum;
}

Status compute(Call& call) {
  BROADLOOM_TRY(heads, read_heads(call));
  const Tensor& query = *call.inputs[0];
  const Tensor* key = call.input(1);
  const Tensor* bias = call.input(3);
  Tensor parts[3];
  const auto apart = [&](const Tensor& tensor) { return tensor.dims().size() == 4 ? tensor : split_heads(tensor, heads); };
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::size_t at = in_memory(i);
    if (key == nullptr) {
      parts[at] = part_of_packed(query, i);
    } else if (i > 0 && key->dims().size() == 5) {
      parts[at] = part_of_packed(*key, i - 1);
    } else {
      parts[at] = apart(*call.inputs[at]);
    }
  }
  const std::int64_t hidden = heads * parts[0].run_dims()[3];
  // Keys that have their heads apart already have their bias.
  const bool is_cached = key != nullptr && key->dims().size() == 4;
  for (std::int64_t i = 0; i < (is_cached ? 1 : 3); ++i) {
    BROADLOOM_TRY(sum, with_bias(parts[i], bias, i * hidden));
    parts[i] = std::move(sum);
  }
  Attended task;
  task.query = parts[0];
  BROADLOOM_TRY(keys, with_past(call, 6, 1, parts[1]));
  BROADLOOM_TRY(values, with_past(call, 7, 2, parts[2]));
  task.key = std::move(keys);
  task.value = std::move(values);
  // Queries end with the keys, so the last one sees all. onnxruntime's CPU lets the others see the first keys alone.
  const std::int64_t before = call.input(6) == nullptr ? 0 : call.inputs[6]->run_dims()[2];
  task.offset = std::max(before, task.key.run_dims()[2] - task.query.run_dims()[2]);
  set_options(task, call);
  BROADLOOM_TRY(added, added_to_scores(call, 4, 5, task));
  task.added = std::move(added);
  task.output = split_heads(call.outputs[0], heads);
  if (call.outputs.size() > 3) task.scores = &call.outputs[3];
  return attend(task);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, multi_head_attention){
    .name = "MultiHeadAttention",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .kernels = attention_kernels,
};

}  // namespace broadloom
