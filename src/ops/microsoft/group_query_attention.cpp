// com.microsoft: GroupQueryAttention, without quantised or windowed caches. onnxruntime: docs/ContribOperators.md.
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/attention/attend.h"
#include "ops/attention/rotary.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/checks.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("causal", INT, 1),
                                        with_default("do_rotary", INT, 0),
                                        one_of("k_quant_type", "NONE PER_TENSOR PER_CHANNEL"),
                                        with_default("kv_cache_bit_width", INT, 0),
                                        required("kv_num_heads", INT),
                                        with_default("local_window_size", INT, -1),
                                        required("num_heads", INT),
                                        with_default("qk_norm_epsilon", FLOAT, 1e-6F),
                                        with_default("qk_output", INT, 0),
                                        with_default("rotary_interleaved", INT, 0),
                                        with_default("scale", FLOAT, 0),
                                        with_default("sliding_window_cache", INT, 0),
                                        with_default("smooth_softmax", INT, 0),
                                        with_default("softcap", FLOAT, 0),
                                        one_of("v_quant_type", "NONE PER_TENSOR PER_CHANNEL")};
constexpr Parameter inputs[] = {{"query", T},
                                {"key", T, Optional},
                                {"value", T, Optional},
                                {"past_key", T, Optional},
                                {"past_value", T, Optional},
                                Parameter::list("seqlens_k", T1),
                                {"total_sequence_length", T1},
                                {"cos_cache", T, Optional},
                                {"sin_cache", T, Optional},
                                {"position_ids", Dtype::int64, Optional},
                                {"attention_bias", T, Optional},
                                {"head_sink", T, Optional},
                                {"k_scale", Dtype::float32, Optional},
                                {"v_scale", Dtype::float32, Optional},
                                {"q_norm_weight", T, Optional},
                                {"k_norm_weight", T, Optional}};
constexpr Parameter outputs[] = {
    {"output", T}, {"present_key", T, Optional}, {"present_value", T, Optional}, {"output_qk", T, Optional}};
constexpr Signature signature{attributes, inputs, outputs, {T, T1}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::single_floats, types::int32}}};

struct HeadCounts {
  std::int64_t queries;
  std::int64_t keys;
};

Result<HeadCounts> heads_of(const Call& call) {
  const HeadCounts heads{call.integer("num_heads"), call.integer("kv_num_heads")};
  if (heads.queries >= 1 && heads.keys >= 1 && heads.queries % heads.keys == 0) return heads;
  return fail(Code::InvalidArgument, "{} heads of queries cannot share {} heads of keys", heads.queries, heads.keys);
}

Status check_supported(const Call& call) {
  for (const std::string_view name : {"qk_output", "sliding_window_cache"}) {
    if (call.integer(name) > 0) return fail(Code::InvalidArgument, "{} {} is not supported", name, call.integer(name));
  }
  if (call.word("k_quant_type") != "NONE" || call.word("v_quant_type") != "NONE") {
    return fail(Code::InvalidArgument, "quantised caches are not supported");
  }
  for (std::size_t i = 12; i < std::size(inputs); ++i) {
    BROADLOOM_CHECK(refuse_input(call, i));
  }
  for (const std::size_t i : {1U, 3U, 7U}) {
    if ((call.input(i) == nullptr) == (call.input(i + 1) == nullptr)) continue;
    return fail(Code::InvalidArgument, "{} and {} are given together, or neither", quoted(inputs[i].name),
                quoted(inputs[i + 1].name));
  }
  const bool has_tables = call.input(7) != nullptr;
  if ((call.integer("do_rotary") != 0) != has_tables && !has_tables) {
    return fail(Code::InvalidArgument, "do_rotary needs cos_cache and sin_cache");
  }
  return {};
}

// The elements of a head.
Result<Size> head_size(const Call& call, const HeadCounts& heads) {
  const Tensor& query = *call.inputs[0];
  if (!query.is_ranked()) return unknown_size;
  if (query.dims().size() != 3) {
    return fail(Code::InvalidArgument, "'query' has dims {}, wanted three axes", query.dims().values());
  }
  const std::int64_t parts = heads.queries + (call.input(1) == nullptr ? 2 * heads.keys : 0);
  const Size width = query.dims()[2];
  if (width.is_number() && width.number() % parts != 0) {
    return fail(Code::InvalidArgument, "'query' has dims {}, whose last size is not a multiple of {} heads",
                query.dims().values(), parts);
  }
  return call.sizes().floor_divide(width, parts);
}

Result<Size> total_of(const Call& call) {
  BROADLOOM_TRY(list, read_integer(call, "total_sequence_length"));
  return list.has_length ? list[0] : unknown_size;
}

Status prepare(Call& call) {
  BROADLOOM_CHECK(check_supported(call));
  if (call.attributes.find_int("num_heads").value_or(0) > max_count / 4) return fail(Code::InvalidArgument, "too many heads");
  BROADLOOM_TRY(heads, heads_of(call));
  BROADLOOM_TRY(size, head_size(call, heads));
  BROADLOOM_TRY(total, total_of(call));
  const Sizes sizes = call.sizes();
  const Tensor& query = *call.inputs[0];
  const Size batch = query.is_ranked() ? query.dims()[0] : unknown_size;
  const Size length = query.is_ranked() ? query.dims()[1] : unknown_size;
  const Size hidden = sizes.multiply(heads.keys, size);
  BROADLOOM_CHECK(want_dims(call, 1, {batch, length, hidden}));
  BROADLOOM_CHECK(want_dims(call, 2, {batch, length, hidden}));
  Size present = total;
  if (const Tensor* past = call.input(3); past != nullptr) {
    const Size before = past->is_ranked() && past->dims().size() == 4 ? past->dims()[2] : unknown_size;
    BROADLOOM_CHECK(want_dims(call, 3, {batch, heads.keys, before, size}));
    BROADLOOM_CHECK(want_dims(call, 4, {batch, heads.keys, before, size}));
    present = sizes.maximum(before, total);
  }
  const Tensor& lengths = *call.inputs[5];
  if (lengths.is_ranked() && are_numbers(lengths.dims()) && batch.is_number() && lengths.count() != batch.number()) {
    return fail(Code::InvalidArgument, "'seqlens_k' has dims {}, wanted [{}]", lengths.dims().values(), batch);
  }
  BROADLOOM_CHECK(want_dims(call, 10, {batch, heads.queries, length, total}, true));
  BROADLOOM_CHECK(want_dims(call, 11, {heads.queries}));
  if (const Tensor* table = call.input(7); table != nullptr && table->is_ranked()) {
    const SymbolicDims& dims = table->dims();
    const bool is_table = dims.size() == 2;
    if (!is_table || (dims[1].is_number() && size.is_number() && 2 * dims[1].number() > size.number())) {
      return fail(Code::InvalidArgument, "'cos_cache' has dims {}, wanted two axes for heads of {}", dims.values(), size);
    }
    BROADLOOM_CHECK(want_dims(call, 8, {dims[0], dims[1]}));
  }
  const SymbolicDims dims[] = {{batch, length, sizes.multiply(heads.queries, size)},
                               {batch, heads.keys, present, size},
                               {batch, heads.keys, present, size},
                               {batch, heads.queries, length, total}};
  for (std::size_t i = 0; i < call.outputs.size(); ++i) call.outputs[i] = known_dims(call.output_types[i], dims[i]);
  return {};
}

// A part of the last axis as heads.
Tensor heads_at(const Tensor& tensor, std::int64_t first, std::int64_t heads, std::int64_t size) {
  Tensor view = tensor;
  Layout layout = *tensor.layout;
  view.offset += first * size * layout.strides[2];
  layout.dims[2] = heads * size;
  view.layout = LayoutRef(layout);
  return split_heads(view, heads);
}

// The sizes of a run.
struct Extents {
  HeadCounts heads;
  std::int64_t size;  // of a head
  std::int64_t batch;
  std::int64_t length;    // of new keys
  std::int64_t total;     // of keys
  std::int64_t capacity;  // of the past
  bool is_first() const { return length == total; }
  std::int64_t present() const { return std::max(capacity, total); }
};

Result<Extents> extents_of(const Call& call) {
  BROADLOOM_TRY(heads, heads_of(call));
  BROADLOOM_TRY(size, head_size(call, heads));
  BROADLOOM_TRY(total, total_of(call));
  const std::span<const std::int64_t> dims = call.inputs[0]->run_dims();
  const std::int64_t capacity = call.input(3) == nullptr ? 0 : call.inputs[3]->run_dims()[2];
  return Extents{heads, size.number(), dims[0], dims[1], total.number(), capacity};
}

std::int64_t* integers(const Tensor& tensor) { return reinterpret_cast<std::int64_t*>(tensor.data()); }

// The keys of each of the batch, less one; the number of those before the new ones; and the positions of the new ones.
struct Places {
  Tensor lengths;
  Tensor counts;
  Tensor positions;
};

Result<Places> read_places(const Call& call, const Extents& run) {
  const Tensor* given = call.input(9);
  const bool has_positions = given != nullptr && given->count() == run.batch * run.length && given->count() > 0;
  // As the schema says, the first element alone counts where a first prompt is processed.
  const std::int64_t origin = run.is_first() && has_positions ? *integers(*given) : 0;
  BROADLOOM_TRY(lengths, in_type(*call.inputs[5], Dtype::int64));
  BROADLOOM_TRY(counts, make_tensor(Dtype::int64, {run.batch}));
  BROADLOOM_TRY(positions, make_tensor(Dtype::int64, {run.batch, run.length}));
  lengths.layout = dense_layout({run.batch});
  for (std::int64_t i = 0; i < run.batch; ++i) {
    const std::int64_t own = integers(lengths)[i];
    const std::int64_t before = run.is_first() ? 0 : own + 1 - run.length;
    if (own < 0 || own >= run.present() || before < 0 || before > run.capacity || before + run.length > run.present()) {
      return fail(Code::InvalidArgument, "seqlens_k is {} for {} new keys, after {} and with {} in all", own, run.length,
                  run.capacity, run.total);
    }
    integers(counts)[i] = before;
    for (std::int64_t k = 0; k < run.length; ++k) integers(positions)[i * run.length + k] = origin + before + k;
  }
  return Places{lengths, counts, has_positions && !run.is_first() ? *given : positions};
}

Result<Tensor> rotated(const Call& call, const Tensor& part, const Places& places) {
  if (call.integer("do_rotary") == 0) return part;
  BROADLOOM_TRY(to, make_tensor(part.dtype, part.dims()));
  BROADLOOM_CHECK(rotate({.from = part,
                          .to = to,
                          .cosines = *call.inputs[7],
                          .sines = *call.inputs[8],
                          .positions = &places.positions,
                          .rotated = 2 * call.inputs[7]->run_dims()[1],
                          .are_adjacent = call.integer("rotary_interleaved") != 0}));
  return std::move(to);
}

// The new keys (1) or values (2) after those before.
Result<Tensor> present_of(const Call& call, const Extents& run, std::size_t output, const Tensor& now, const Tensor& counts) {
  const SymbolicDims dims{run.batch, run.heads.keys, run.present(), run.size};
  const bool is_output = call.outputs.size() > output;
  BROADLOOM_TRY(joined, is_output ? Result<Tensor>(call.outputs[output]) : make_tensor(now.dtype, dims));
  BROADLOOM_CHECK(join_past(joined, call.input(2 + output), now, &counts));
  return std::move(joined);
}

Status compute(Call& call) {
  BROADLOOM_TRY(run, extents_of(call));
  BROADLOOM_TRY(places, read_places(call, run));
  const bool is_packed = call.input(1) == nullptr;
  const auto part = [&](std::size_t i) {
    const std::int64_t first = is_packed ? run.heads.queries + (i == 1 ? 0 : run.heads.keys) : 0;
    return heads_at(*call.inputs[is_packed ? 0 : i], first, run.heads.keys, run.size);
  };
  BROADLOOM_TRY(query, rotated(call, heads_at(*call.inputs[0], 0, run.heads.queries, run.size), places));
  BROADLOOM_TRY(new_key, rotated(call, part(1), places));
  BROADLOOM_TRY(key, present_of(call, run, 1, new_key, places.counts));
  BROADLOOM_TRY(value, present_of(call, run, 2, part(2), places.counts));
  Attended task{query, key, value, split_heads(call.outputs[0], run.heads.queries)};
  task.lengths = &places.lengths;
  task.more = 1;
  task.ends_with_keys = !run.is_first();
  const auto scale = static_cast<double>(call.number("scale"));
  task.scale = scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(run.size));
  task.cap = static_cast<double>(call.number("softcap"));
  if (call.integer("causal") != 0) task.right = 0;
  const std::int64_t window = call.integer("local_window_size");
  if (window > 0) task.left = window - 1;
  if (call.input(10) != nullptr) {
    BROADLOOM_TRY(added, in_type(*call.inputs[10], Dtype::float32));
    added.layout = broadcast_to(added.layout, {run.batch, run.heads.queries, run.length, run.total});
    task.added = std::move(added);
  }
  if (const Tensor* sinks = call.input(11); sinks != nullptr) {
    BROADLOOM_TRY(numbers, in_type(*sinks, Dtype::float32));
    task.sinks = std::move(numbers);
  } else if (call.integer("smooth_softmax") > 0) {
    // As if 1 were added to the sum of powers.
    BROADLOOM_TRY(zero, make_tensor(Dtype::float32, {1}));
    *reinterpret_cast<float*>(zero.data()) = 0;
    task.sinks = {Dtype::float32, uniform_layout({run.heads.queries}), zero.storage};
  }
  // The output of scores is zeros, because qk_output is 0.
  if (call.outputs.size() > 3) std::memset(call.outputs[3].data(), 0, dense_size(call.outputs[3]));
  return attend(task);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, group_query_attention){
    .name = "GroupQueryAttention",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .inputs_asked_for = inputs_at({6}),
    .kernels = attention_kernels,
};

}  // namespace broadloom
