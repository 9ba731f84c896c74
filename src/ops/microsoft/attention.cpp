// com.microsoft: Attention and QAttention, whose queries, keys and values are projections of one input, of numbers or of
// quantised elements. onnxruntime: docs/ContribOperators.md.
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/inner_call.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/microsoft/attention_inputs.h"
#include "ops/named_operators.h"
#include "ops/product/integer_product.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("mask_filter_value", FLOAT, -10000),
                                        required("num_heads", INT),
                                        {"scale", FLOAT},
                                        with_default("unidirectional", INT, 0),
                                        with_default("do_rotary", INT, 0),
                                        with_default("past_present_share_buffer", INT, 0),
                                        {"qkv_hidden_sizes", INTS},
                                        with_default("rotary_embedding_dim", INT, 0)};
constexpr Parameter inputs[] = {{"input", T},
                                {"weights", T},
                                {"bias", T, Optional},
                                {"mask_index", Dtype::int32, Optional},
                                {"past", T, Optional},
                                {"attention_bias", T, Optional},
                                {"past_sequence_length", Dtype::int32, Optional}};
constexpr Parameter outputs[] = {{"output", T}, {"present", T, Optional}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::single_floats}}};

constexpr AttributeSpec quantised_attributes[] = {with_default("do_rotary", INT, 0),
                                                  with_default("mask_filter_value", FLOAT, -10000),
                                                  required("num_heads", INT),
                                                  with_default("past_present_share_buffer", INT, 0),
                                                  {"scale", FLOAT},
                                                  with_default("unidirectional", INT, 0)};
constexpr Parameter quantised_inputs[] = {{"input", T1},
                                          {"weight", T2},
                                          {"bias", T3},
                                          {"input_scale", T3},
                                          {"weight_scale", T3},
                                          {"mask_index", Dtype::int32, Optional},
                                          {"input_zero_point", T1, Optional},
                                          {"weight_zero_point", T2, Optional},
                                          {"past", T3, Optional}};
constexpr Parameter quantised_outputs[] = {{"output", T3}, {"present", T3, Optional}};
constexpr Signature quantised_signature{quantised_attributes, quantised_inputs, quantised_outputs, {T1, T2, T3}};
constexpr OperatorVersion quantised_versions[] = {
    {1, &quantised_signature, {types::bytes, types::bytes, types::float32 | types::float16}}};

constexpr std::uint8_t absent = ProductInputs::none;
constexpr ProductInputs product_places{0, 1, {6, 7, 3, 4, absent, absent, 2}};

// Inputs that the two operators have at other places.
struct Places {
  std::size_t mask;
  std::size_t past;
  std::size_t added;  // to scores
  std::size_t unsupported;
};
bool is_quantised(const Call& call) { return call.version.signature == &quantised_signature; }
Places places_of(const Call& call) { return is_quantised(call) ? Places{5, 8, absent, absent} : Places{3, 4, 5, 6}; }

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

Status prepare(Call& call) {
  BROADLOOM_TRY(heads, read_heads(call));
  const Places at = places_of(call);
  BROADLOOM_CHECK(refuse_input(call, at.unsupported));
  if (call.integer("do_rotary") != 0 || call.integer("past_present_share_buffer") != 0) {
    return fail(Code::InvalidArgument, "only do_rotary 0 and past_present_share_buffer 0 are supported");
  }
  BROADLOOM_CHECK(want_rank(call, 0, 3));
  BROADLOOM_CHECK(want_rank(call, 1, 2));
  BROADLOOM_CHECK(want_rank(call, at.past, 5));
  BROADLOOM_TRY(hidden, hidden_sizes(call, heads));
  const Sizes sizes = call.sizes();
  const Tensor& input = *call.inputs[0];
  const Size batch = input.is_ranked() ? input.dims()[0] : unknown_size;
  const Size length = input.is_ranked() ? input.dims()[1] : unknown_size;
  const Size width = sizes.add(sizes.add(hidden[0], hidden[1]), hidden[2]);
  BROADLOOM_CHECK(want_dims(call, 1, {input.is_ranked() ? input.dims()[2] : unknown_size, width}));
  BROADLOOM_CHECK(want_dims(call, 2, {width}));
  if (is_quantised(call)) {
    Tensor projected = unranked(Dtype::float32);
    Call product = call.with(call.inputs, {&projected, 1});
    BROADLOOM_CHECK(prepare_integer_product(product, product_places));
  }
  const Size size = sizes.floor_divide(hidden[0], heads);
  Size total = length;
  const Tensor* past = call.input(at.past);
  if (past != nullptr || call.outputs.size() > 1) {
    if (differ(hidden[0], hidden[2])) return fail(Code::InvalidArgument, "a past needs values as large as keys");
    const Size before = past == nullptr ? Size(0) : past->is_ranked() ? past->dims()[3] : unknown_size;
    if (past != nullptr) BROADLOOM_CHECK(want_dims(call, at.past, {2, batch, heads, before, size}));
    total = sizes.add(total, before);
  }
  BROADLOOM_CHECK(check_mask(call, at.mask, batch, length, total));
  BROADLOOM_CHECK(want_dims(call, at.added, {batch, heads, length, total}, true));
  call.outputs[0] = known_dims(call.output_types[0], {batch, length, hidden[2]});
  if (call.outputs.size() > 1) call.outputs[1] = known_dims(call.output_types[1], {2, batch, heads, total, size});
  return {};
}

// The product of the input and the weights.
struct Projection {
  Projection(const Call& of, std::span<Tensor> projected)
      : call(of, op::mat_mul, of.inputs.first(2), of.output_types.first(1), projected, none) {}
  Attributes none;
  InnerCall call;
};

// Keys (0) or values (1) of a past or present state.
Tensor state_of(const Tensor& tensor, std::int64_t part) {
  Tensor view = tensor;
  const Layout& from = *tensor.layout;
  view.offset += part * from.strides[0];
  view.layout = LayoutRef(Layout{SymbolicDims(from.dims.values().subspan(1)), Dims(from.strides.values().subspan(1))});
  return view;
}

// The dims of the product, without elements.
Tensor projected_form(const Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  return known_dims(call.output_types[0], {dims[0], dims[1], call.inputs[1]->dims()[1]});
}

Result<Tensor> make_projected(const Call& call) { return make_tensor(call.output_types[0], projected_form(call).dims()); }

// The outputs, from the queries, keys and values side by side.
Status attend_projected(const Call& call, const Tensor& projected) {
  BROADLOOM_TRY(heads, read_heads(call));
  BROADLOOM_TRY(hidden, hidden_sizes(call, heads));
  const Places at = places_of(call);
  const std::int64_t size = hidden[0].number();
  Attended task;
  task.query = split_heads(part_of_last(projected, 0, size), heads);
  task.key = split_heads(part_of_last(projected, size, size), heads);
  task.value = split_heads(part_of_last(projected, 2 * size, hidden[2].number()), heads);
  const Tensor* past = call.input(at.past);
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
      BROADLOOM_CHECK(join_past(joined, past == nullptr ? nullptr : &before, *kept[i]));
      *kept[i] = joined;
    }
  }
  set_options(task, call);
  BROADLOOM_TRY(added, added_to_scores(call, at.mask, at.added, task));
  task.added = std::move(added);
  task.output = split_heads(call.outputs[0], heads);
  return attend(task);
}

Status compute(Call& call) {
  BROADLOOM_TRY(projected, make_projected(call));
  Projection projection(call, {&projected, 1});
  BROADLOOM_CHECK(projection.call.compute());
  if (call.input(2) != nullptr) BROADLOOM_CHECK(apply(Operation::add, projected, projected, *call.inputs[2]));
  return attend_projected(call, projected);
}

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  Tensor projected = projected_form(call);
  Result<Ready> projection = Projection(call, {&projected, 1}).call.ready(packed);
  if (projection) projection->call = nullptr;
  return projection;
}

// ---- QAttention ----

Call product_call(const Call& call, std::span<Tensor> projected) { return call.with(call.inputs, projected); }

Status run_quantised(const Call& call, ReadyCall& product, std::byte* workspace, Finish*) {
  BROADLOOM_TRY(projected, make_projected(call));
  BROADLOOM_CHECK(product.run(product_call(call, {&projected, 1}), workspace));
  return attend_projected(call, projected);
}

Result<Ready> ready_quantised(const Call& call, PackedOperands* packed) {
  Tensor projected = projected_form(call);
  return around(ready_integer_product(product_call(call, {&projected, 1}), product_places, packed), run_quantised);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, attention){
    .name = "Attention",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .ready = ready,
    .kernels = attention_kernels,
    .calls = {&op::mat_mul},
};
BROADLOOM_OPERATOR(op::microsoft, q_attention){
    .name = "QAttention",
    .domain = "com.microsoft",
    .versions = quantised_versions,
    .prepare = prepare,
    .compute = run_once<ready_quantised>,
    .ready = ready_quantised,
    .kernels = attention_kernels,
};

}  // namespace broadloom
