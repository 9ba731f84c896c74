// com.microsoft: MultiHeadAttention and Attention. onnxruntime: docs/ContribOperators.md.
//
// Masks of lengths [batch] and [2 * batch] and of flags [batch, keys] and [batch, queries, keys] are supported. A hidden key's
// score gets mask_filter_value.
#include <cmath>

#include "core/text.h"
#include "kernels/convert.h"
#include "ops/arguments.h"
#include "ops/attention/attend.h"
#include "ops/dense.h"
#include "ops/elementwise.h"
#include "ops/operators.h"
#include "ops/products.h"
#include "ops/row_tiles.h"
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

constexpr AttributeSpec packed_attributes[] = {with_default("mask_filter_value", FLOAT, -10000),
                                               required("num_heads", INT),
                                               {"scale", FLOAT},
                                               with_default("unidirectional", INT, 0),
                                               with_default("do_rotary", INT, 0),
                                               with_default("past_present_share_buffer", INT, 0),
                                               {"qkv_hidden_sizes", INTS},
                                               with_default("rotary_embedding_dim", INT, 0)};
constexpr Parameter packed_inputs[] = {{"input", T},
                                       {"weights", T},
                                       {"bias", T, Optional},
                                       {"mask_index", Dtype::int32, Optional},
                                       {"past", T, Optional},
                                       {"attention_bias", T, Optional},
                                       {"past_sequence_length", Dtype::int32, Optional}};
constexpr Parameter packed_outputs[] = {{"output", T}, {"present", T, Optional}};
constexpr Signature packed_signature{packed_attributes, packed_inputs, packed_outputs, {T}};
constexpr OperatorVersion packed_versions[] = {{1, &packed_signature, {types::single_floats}}};

Status want_rank(const Call& call, std::size_t input, std::size_t rank) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked() || tensor->dims().size() == rank) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted {} ax{i}s", quoted(call.version.inputs()[input].name),
              tensor->dims().values(), rank);
}

// Fails where an input is given that no kernel here reads.
Status refuse(const Call& call, std::size_t input) {
  if (call.input(input) == nullptr) return {};
  return fail(Code::InvalidArgument, "{} is not supported", quoted(call.version.inputs()[input].name));
}

Result<std::int64_t> heads_of(const Call& call) {
  const std::int64_t heads = call.integer("num_heads");
  if (heads >= 1) return heads;
  return fail(Code::InvalidArgument, "num_heads is {}, wanted 1 or more", heads);
}

Status check_heads(Size size, std::int64_t heads) {
  if (!size.is_number() || size.number() % heads == 0) return {};
  return fail(Code::InvalidArgument, "{} elements are not those of {} heads", size, heads);
}

// Fails unless an input has the wanted dims. If it broadcasts, each of them may be 1 instead.
Status check_dims(const Call& call, std::size_t input, std::span<const Size> wanted, bool broadcasts) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked()) return {};
  BROADLOOM_CHECK(want_rank(call, input, wanted.size()));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Size own = tensor->dims()[i];
    if (!differ(own, wanted[i]) || (broadcasts && own == 1)) continue;
    return fail(Code::InvalidArgument, "{} has dims {}, wanted {}", quoted(call.version.inputs()[input].name),
                tensor->dims().values(), wanted);
  }
  return {};
}

// Checks a mask of flags or lengths.
Status check_mask(const Call& call, std::size_t input, Size batch, Size queries, Size total) {
  const Tensor* mask = call.input(input);
  if (mask == nullptr || !mask->is_ranked()) return {};
  const SymbolicDims& dims = mask->dims();
  const Sizes sizes = call.sizes();
  const bool is_mask = (dims.size() == 1 && (!differ(dims[0], batch) || !differ(dims[0], sizes.multiply(2, batch)))) ||
                       (dims.size() == 2 && !differ(dims[0], batch) && !differ(dims[1], total)) ||
                       (dims.size() == 3 && !differ(dims[0], batch) && !differ(dims[1], queries) && !differ(dims[2], total));
  if (is_mask) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted those of lengths or flags of {} keys",
              quoted(call.version.inputs()[input].name), dims.values(), total);
}

// The sum of the mask (its filter value) and the bias, which is added to scores.
Result<Tensor> added_to_scores(const Call& call, std::size_t mask_input, std::size_t bias_input, const Attended& task) {
  const SymbolicDims full{task.query.dims()[0], task.query.dims()[1], task.query.dims()[2], task.key.dims()[2]};
  Tensor added;
  const Tensor* bias = call.input(bias_input);
  if (bias != nullptr) {
    BROADLOOM_TRY(numbers, in_type(*bias, Dtype::float32));
    added = std::move(numbers);
  }
  if (const Tensor* given = call.input(mask_input); given != nullptr) {
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

// A part of the last axis.
Tensor part_of_last(const Tensor& tensor, std::int64_t first, std::int64_t size) {
  Tensor view = tensor;
  const std::size_t last = tensor.dims().size() - 1;
  view.offset += first * tensor.layout->strides[last];
  Layout layout = *tensor.layout;
  layout.dims[last] = size;
  view.layout = LayoutRef(layout);
  return view;
}

// [batch, length, heads, parts, size] as [batch, heads, length, size], of one part.
Tensor part_of_packed(const Tensor& tensor, std::int64_t part) {
  const Layout& from = *tensor.layout;
  Tensor view = tensor;
  view.offset += part * from.strides[3];
  view.layout = LayoutRef(Layout{SymbolicDims{from.dims[0], from.dims[2], from.dims[1], from.dims[4]},
                                 Dims{from.strides[0], from.strides[2], from.strides[1], from.strides[4]}});
  return view;
}

// ---- MultiHeadAttention ----

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
    const Size wanted[] = {forms.batch, k[1], heads, 2, forms.size};
    BROADLOOM_CHECK(check_dims(call, 1, wanted, false));
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
    const Size wanted_k[] = {forms.batch, heads, forms.keys, forms.size};
    const Size wanted_v[] = {forms.batch, heads, forms.keys, forms.width};
    BROADLOOM_CHECK(check_dims(call, 1, wanted_k, false));
    BROADLOOM_CHECK(check_dims(call, 2, wanted_v, false));
    return forms;
  }
  BROADLOOM_CHECK(want_rank(call, 1, 3));
  BROADLOOM_CHECK(check_heads(v[2], heads));
  forms.keys = k[1];
  forms.width = sizes.floor_divide(v[2], heads);
  const Size wanted_k[] = {forms.batch, forms.keys, q[2]};
  const Size wanted_v[] = {forms.batch, forms.keys, v[2]};
  BROADLOOM_CHECK(check_dims(call, 1, wanted_k, false));
  BROADLOOM_CHECK(check_dims(call, 2, wanted_v, false));
  return forms;
}

Status prepare(Call& call) {
  BROADLOOM_TRY(heads, heads_of(call));
  BROADLOOM_CHECK(refuse(call, 8));
  BROADLOOM_CHECK(refuse(call, 9));
  if ((call.input(6) == nullptr) != (call.input(7) == nullptr)) {
    return fail(Code::InvalidArgument, "past_key and past_value are given together, or neither");
  }
  BROADLOOM_TRY(forms, forms_of(call, heads));
  const Sizes sizes = call.sizes();
  Size total = forms.keys;
  if (const Tensor* past = call.input(6); past != nullptr) {
    const Size before = past->is_ranked() && past->dims().size() == 4 ? past->dims()[2] : unknown_size;
    const Size wanted_k[] = {forms.batch, heads, before, forms.size};
    const Size wanted_v[] = {forms.batch, heads, before, forms.width};
    BROADLOOM_CHECK(check_dims(call, 6, wanted_k, false));
    BROADLOOM_CHECK(check_dims(call, 7, wanted_v, false));
    total = sizes.add(total, before);
  }
  const Size hidden = sizes.multiply(2 * heads, forms.size);
  const Size wanted_bias[] = {sizes.add(hidden, sizes.multiply(heads, forms.width))};
  BROADLOOM_CHECK(check_dims(call, 3, wanted_bias, false));
  BROADLOOM_CHECK(check_mask(call, 4, forms.batch, forms.queries, total));
  const Size wanted_added[] = {forms.batch, heads, forms.queries, total};
  BROADLOOM_CHECK(check_dims(call, 5, wanted_added, true));
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
  BROADLOOM_TRY(heads, heads_of(call));
  const Tensor& query = *call.inputs[0];
  const Tensor* key = call.input(1);
  const Tensor* bias = call.input(3);
  Tensor parts[3];
  const auto apart = [&](const Tensor& tensor) { return tensor.dims().size() == 4 ? tensor : split_heads(tensor, heads); };
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
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
  Tensor* const kept[] = {&task.key, &task.value};
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensor* past = call.input(6 + i);
    Tensor joined = parts[i + 1];
    if (call.outputs.size() > i + 1) {
      joined = call.outputs[i + 1];
    } else if (past != nullptr) {
      SymbolicDims dims = joined.dims();
      dims[2] = dims[2].number() + past->run_dims()[2];
      BROADLOOM_TRY(made, make_tensor(joined.dtype, dims));
      joined = std::move(made);
    }
    if (past != nullptr || call.outputs.size() > i + 1) join_past(joined, past, parts[i + 1]);
    *kept[i] = std::move(joined);
  }
  if (call.input(6) != nullptr) task.offset = call.inputs[6]->run_dims()[2];
  set_options(task, call);
  BROADLOOM_TRY(added, added_to_scores(call, 4, 5, task));
  task.added = std::move(added);
  task.output = split_heads(call.outputs[0], heads);
  if (call.outputs.size() > 3) task.scores = &call.outputs[3];
  return attend(task);
}

// ---- Attention: projections of one input ----

// The sizes of queries, of keys and of values; unknown before they are known.
Result<SymbolicDims> hidden_sizes(const Call& call, std::int64_t heads) {
  BROADLOOM_TRY(given, read_list(call, "qkv_hidden_sizes"));
  const Tensor& weights = *call.inputs[1];
  SymbolicDims hidden(3, unknown_size);
  if (given.is_given && given.size() == 3) {
    hidden = given.values;
  } else if (given.is_given && given.size() > 0) {
    return fail(Code::InvalidArgument, "qkv_hidden_sizes has {} entries, wanted 3", given.size());
  } else if (weights.is_ranked()) {
    hidden = SymbolicDims(3, call.sizes().floor_divide(weights.dims()[1], 3));
  }
  for (const Size size : hidden) {
    BROADLOOM_CHECK(check_heads(size, heads));
    if (size.is_number() && size.number() < 1)
      return fail(Code::InvalidArgument, "a hidden size is {}, wanted 1 or more", size);
  }
  if (differ(hidden[0], hidden[1])) {
    return fail(Code::InvalidArgument, "queries of {} elements cannot meet keys of {}", hidden[0], hidden[1]);
  }
  return hidden;
}

Status prepare_packed(Call& call) {
  BROADLOOM_TRY(heads, heads_of(call));
  BROADLOOM_CHECK(refuse(call, 6));
  if (call.integer("do_rotary") != 0 || call.integer("past_present_share_buffer") != 0) {
    return fail(Code::InvalidArgument, "only do_rotary 0 and past_present_share_buffer 0 are supported");
  }
  BROADLOOM_CHECK(want_rank(call, 0, 3));
  BROADLOOM_CHECK(want_rank(call, 1, 2));
  BROADLOOM_CHECK(want_rank(call, 4, 5));
  BROADLOOM_TRY(hidden, hidden_sizes(call, heads));
  const Sizes sizes = call.sizes();
  const Tensor& input = *call.inputs[0];
  const Size batch = input.is_ranked() ? input.dims()[0] : unknown_size;
  const Size length = input.is_ranked() ? input.dims()[1] : unknown_size;
  const Size width = sizes.add(sizes.add(hidden[0], hidden[1]), hidden[2]);
  const Size wanted_weights[] = {input.is_ranked() ? input.dims()[2] : unknown_size, width};
  const Size wanted_bias[] = {width};
  BROADLOOM_CHECK(check_dims(call, 1, wanted_weights, false));
  BROADLOOM_CHECK(check_dims(call, 2, wanted_bias, false));
  const Size size = sizes.floor_divide(hidden[0], heads);
  Size total = length;
  const Tensor* past = call.input(4);
  if (past != nullptr || call.outputs.size() > 1) {
    if (differ(hidden[0], hidden[2])) return fail(Code::InvalidArgument, "a past needs values as large as keys");
    const Size before = past == nullptr ? Size(0) : past->is_ranked() ? past->dims()[3] : unknown_size;
    const Size wanted[] = {2, batch, heads, before, size};
    if (past != nullptr) BROADLOOM_CHECK(check_dims(call, 4, wanted, false));
    total = sizes.add(total, before);
  }
  BROADLOOM_CHECK(check_mask(call, 3, batch, length, total));
  const Size wanted_added[] = {batch, heads, length, total};
  BROADLOOM_CHECK(check_dims(call, 5, wanted_added, true));
  call.outputs[0] = known_dims(call.output_types[0], {batch, length, hidden[2]});
  if (call.outputs.size() > 1) call.outputs[1] = known_dims(call.output_types[1], {2, batch, heads, total, size});
  return {};
}

// The product of the input and the weights.
struct Projection {
  Projection(const Call& of, std::span<Tensor> projected)
      : call{op::mat_mul.versions.back(), of.inputs.first(2), none, of.output_types, projected, nullptr, of.packed} {}
  Attributes none;
  Call call;
};

// Keys (0) or values (1) of a past or present state.
Tensor state_of(const Tensor& tensor, std::int64_t part) {
  Tensor view = tensor;
  const Layout& from = *tensor.layout;
  view.offset += part * from.strides[0];
  view.layout = LayoutRef(Layout{SymbolicDims(from.dims.values().subspan(1)), Dims(from.strides.values().subspan(1))});
  return view;
}

Result<Tensor> make_projected(const Call& call) {
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  return make_tensor(call.inputs[0]->dtype, {dims[0], dims[1], call.inputs[1]->run_dims()[1]});
}

Status compute_packed(Call& call) {
  BROADLOOM_TRY(heads, heads_of(call));
  BROADLOOM_TRY(hidden, hidden_sizes(call, heads));
  BROADLOOM_TRY(projected, make_projected(call));
  Projection projection(call, {&projected, 1});
  BROADLOOM_CHECK(op::mat_mul.compute(projection.call));
  if (call.input(2) != nullptr) BROADLOOM_CHECK(apply(Operation::add, projected, projected, *call.inputs[2]));
  const std::int64_t size = hidden[0].number();
  Attended task;
  task.query = split_heads(part_of_last(projected, 0, size), heads);
  task.key = split_heads(part_of_last(projected, size, size), heads);
  task.value = split_heads(part_of_last(projected, 2 * size, hidden[2].number()), heads);
  const Tensor* past = call.input(4);
  if (past != nullptr || call.outputs.size() > 1) {
    const std::span<const std::int64_t> dims = task.key.run_dims();
    task.offset = past == nullptr ? 0 : past->run_dims()[3];
    Tensor present = call.outputs.size() > 1 ? call.outputs[1] : Tensor();
    if (!present.has_elements()) {
      BROADLOOM_TRY(made, make_tensor(task.key.dtype, {2, dims[0], dims[1], dims[2] + task.offset, dims[3]}));
      present = std::move(made);
    }
    Tensor* const kept[] = {&task.key, &task.value};
    for (std::int64_t i = 0; i < 2; ++i) {
      const Tensor joined = state_of(present, i);
      const Tensor before = past == nullptr ? Tensor() : state_of(*past, i);
      join_past(joined, past == nullptr ? nullptr : &before, *kept[i]);
      *kept[i] = joined;
    }
  }
  set_options(task, call);
  BROADLOOM_TRY(added, added_to_scores(call, 3, 5, task));
  task.added = std::move(added);
  task.output = split_heads(call.outputs[0], heads);
  return attend(task);
}

Result<StorageRef> pack(const Call& call, PackedOperands& packed) {
  BROADLOOM_TRY(projected, make_projected(call));
  Projection projection(call, {&projected, 1});
  Result<StorageRef> columns = op::mat_mul.pack(projection.call, packed);
  packed.ready.reset();
  return columns;
}

}  // namespace

constinit const Operator op::microsoft::attention{
    .name = "Attention",
    .domain = "com.microsoft",
    .versions = packed_versions,
    .prepare = prepare_packed,
    .compute = compute_packed,
    .pack = pack,
};
constinit const Operator op::microsoft::multi_head_attention{
    .name = "MultiHeadAttention",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
