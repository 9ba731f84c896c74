// Attention. ONNX: onnx/defs/nn/defs.cc, Attention.
//
// Computed in float32, or float64 where queries have that type, whatever softmax_precision asks for; rounded once.
#include <cmath>

#include "core/text.h"
#include "kernels/movement/strided.h"
#include "ops/attention/attend.h"
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

constexpr AttributeSpec attributes[] = {with_default("is_causal", INT, 0),
                                        {"kv_num_heads", INT},
                                        {"q_num_heads", INT},
                                        with_default("qk_matmul_output_mode", INT, 0),
                                        {"scale", FLOAT},
                                        with_default("softcap", FLOAT, 0),
                                        {"softmax_precision", INT},
                                        with_default("left_window_size", INT, -1),
                                        with_default("right_window_size", INT, -1)};
constexpr Parameter inputs[] = {{"Q", T1},
                                {"K", T1},
                                {"V", T2},
                                {"attn_mask", U, Optional},
                                {"past_key", T1, Optional},
                                {"past_value", T2, Optional},
                                {"nonpad_kv_seqlen", Dtype::int64, Optional}};
constexpr Parameter outputs[] = {
    {"Y", T1}, {"present_key", T1, Optional}, {"present_value", T2, Optional}, {"qk_matmul_output", T1, Optional}};
constexpr Signature signature_23{std::span(attributes).first<7>(), std::span(inputs).first<6>(), outputs, {T1, T2, U}};
constexpr Signature signature_24{std::span(attributes).first<7>(), inputs, outputs, {T1, T2, U}};
constexpr Signature signature_25{attributes, inputs, outputs, {T1, T2, U}};
constexpr TypeSet masks = types::fixed_size | types::added_13;
constexpr OperatorVersion versions[] = {{23, &signature_23, {types::floats_13, types::floats_13, masks}},
                                        {24, &signature_24, {types::floats_13, types::floats_13, masks}},
                                        {25, &signature_25, {types::floats_13, types::floats_13, masks}}};

// Sizes that several inputs have: each is what the first of them says.
class Common {
 public:
  explicit Common(const Call& call) : call_(call) {}

  // Fails if the input says otherwise than those before.
  Status unite(Size& size, Size own, std::size_t input) {
    if (differ(size, own)) {
      return fail(Code::InvalidArgument, "{} has dims {}, wanted {} where it has {}", quoted(inputs[input].name),
                  call_.inputs[input]->dims().values(), size, own);
    }
    if (!size.is_number()) size = own;
    return {};
  }

 private:
  const Call& call_;
};

struct Sizes4 {
  Size batch = unknown_size;
  Size heads = unknown_size;
  Size length = unknown_size;
  Size size = unknown_size;
};

// The sizes of Q, K or V with heads apart.
Result<Sizes4> sizes_of_heads(const Call& call, std::size_t input, Size heads) {
  const Tensor& tensor = *call.inputs[input];
  if (!tensor.is_ranked()) return Sizes4{.heads = heads};
  const SymbolicDims& dims = tensor.dims();
  if (dims.size() == 4) return Sizes4{dims[0], dims[1], dims[2], dims[3]};
  if (dims[2].is_number() && heads.is_number() && dims[2].number() % heads.number() != 0) {
    return fail(Code::InvalidArgument, "{} has dims {}, whose last size is not a multiple of {} heads",
                quoted(inputs[input].name), dims.values(), heads);
  }
  return Sizes4{dims[0], heads, dims[1], call.sizes().floor_divide(dims[2], heads)};
}

Status check_attributes(const Call& call) {
  const std::int64_t mode = call.integer("qk_matmul_output_mode");
  if (mode < 0 || mode > 3) return fail(Code::InvalidArgument, "qk_matmul_output_mode is {}, wanted 0 to 3", mode);
  const std::int64_t precision = call.attributes.find_int("softmax_precision").value_or(1);
  const std::optional<Dtype> type = dtype_from_id(precision);
  if (!type || !types::floats_13.contains(*type)) {
    return fail(Code::InvalidArgument, "softmax_precision is {}, wanted a floating-point type", precision);
  }
  for (const std::string_view name : {"left_window_size", "right_window_size"}) {
    const std::int64_t size = call.attributes.find_int(name).value_or(-1);
    if (size < -1) return fail(Code::InvalidArgument, "{} is {}, wanted -1 or more", name, size);
  }
  return {};
}

// Whether inputs have their heads apart; nullopt if no rank is known.
Result<std::optional<bool>> find_rank(const Call& call) {
  std::optional<bool> has_heads;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!call.inputs[i]->is_ranked()) continue;
    const std::size_t rank = call.inputs[i]->dims().size();
    if (rank != 3) BROADLOOM_CHECK(want_rank(call, i, 4));
    if (has_heads) BROADLOOM_CHECK(want_rank(call, i, *has_heads ? 4 : 3));
    has_heads = rank == 4;
  }
  return has_heads;
}

// The heads of queries or of keys, which inputs of three axes need as an attribute.
Result<Size> read_heads(const Call& call, std::string_view name, std::optional<bool> has_heads) {
  const std::optional<std::int64_t> given = call.attributes.find_int(name);
  if (has_heads && *has_heads && given && call.version.since_version >= 25) {
    return fail(Code::InvalidArgument, "{} is for inputs of three axes, but these have four", name);
  }
  if (!has_heads || *has_heads) return unknown_size;
  if (!given || *given < 1) return fail(Code::InvalidArgument, "inputs of three axes need {}, of 1 or more", name);
  return Size(*given);
}

Status check_mask(const Call& call, std::span<const Size> scores) {
  const Tensor* mask = call.input(3);
  if (mask == nullptr || !mask->is_ranked()) return {};
  const SymbolicDims& dims = mask->dims();
  bool is_mask = !dims.empty() && dims.size() <= 4;
  for (std::size_t i = 0; is_mask && i < dims.size(); ++i) {
    const Size own = dims[dims.size() - 1 - i];
    const Size full = scores[3 - i];
    is_mask = i == 0 ? !own.is_number() || !full.is_number() || own.number() <= full.number() : own == 1 || !differ(own, full);
  }
  return is_mask ? Status() : impossible("attn_mask has dims {}, which do not stretch to {}", dims.values(), scores);
}

Status check_given(const Call& call) {
  if ((call.input(4) == nullptr) != (call.input(5) == nullptr)) {
    return fail(Code::InvalidArgument, "past_key and past_value are given together, or neither");
  }
  if (call.input(4) != nullptr && call.input(6) != nullptr) {
    return fail(Code::InvalidArgument, "nonpad_kv_seqlen is for caches outside of the operator, without past_key");
  }
  return {};
}

Status prepare(Call& call) {
  BROADLOOM_CHECK(check_attributes(call));
  Common common(call);
  BROADLOOM_TRY(has_heads, find_rank(call));
  BROADLOOM_TRY(query_heads, read_heads(call, "q_num_heads", has_heads));
  BROADLOOM_TRY(key_heads, read_heads(call, "kv_num_heads", has_heads));
  BROADLOOM_TRY(q, sizes_of_heads(call, 0, query_heads));
  BROADLOOM_TRY(k, sizes_of_heads(call, 1, key_heads));
  BROADLOOM_TRY(v, sizes_of_heads(call, 2, key_heads));
  BROADLOOM_CHECK(check_given(call));
  BROADLOOM_CHECK(common.unite(q.batch, k.batch, 1));
  BROADLOOM_CHECK(common.unite(q.size, k.size, 1));
  BROADLOOM_CHECK(common.unite(q.batch, v.batch, 2));
  BROADLOOM_CHECK(common.unite(k.heads, v.heads, 2));
  BROADLOOM_CHECK(common.unite(k.length, v.length, 2));
  const Sizes sizes = call.sizes();
  Size total = k.length;
  Size past = unknown_size;
  for (std::size_t i = 4; i < 6 && call.input(i) != nullptr; ++i) {
    if (!call.inputs[i]->is_ranked()) continue;
    BROADLOOM_CHECK(want_rank(call, i, 4));
    const SymbolicDims& dims = call.inputs[i]->dims();
    BROADLOOM_CHECK(common.unite(q.batch, dims[0], i));
    BROADLOOM_CHECK(common.unite(k.heads, dims[1], i));
    BROADLOOM_CHECK(common.unite(past, dims[2], i));
    BROADLOOM_CHECK(common.unite(i == 4 ? q.size : v.size, dims[3], i));
  }
  if (call.input(4) != nullptr) total = sizes.add(past, total);
  if (q.heads.is_number() && k.heads.is_number() && (k.heads == 0 ? q.heads != 0 : q.heads.number() % k.heads.number() != 0)) {
    return fail(Code::InvalidArgument, "{} heads of queries cannot share {} heads of keys", q.heads, k.heads);
  }
  if (const Tensor* lengths = call.input(6); lengths != nullptr && lengths->is_ranked()) {
    BROADLOOM_CHECK(want_rank(call, 6, 1));
    BROADLOOM_CHECK(common.unite(q.batch, lengths->dims()[0], 6));
  }
  const Size scores[] = {q.batch, q.heads, q.length, total};
  BROADLOOM_CHECK(check_mask(call, scores));
  if (has_heads) {
    const SymbolicDims dims = *has_heads ? SymbolicDims{q.batch, q.heads, q.length, v.size}
                                         : SymbolicDims{q.batch, q.length, sizes.multiply(q.heads, v.size)};
    call.outputs[0] = known_dims(call.output_types[0], dims);
  }
  const SymbolicDims others[] = {{q.batch, k.heads, total, q.size}, {q.batch, k.heads, total, v.size}, SymbolicDims(scores)};
  for (std::size_t i = 1; i < call.outputs.size(); ++i) call.outputs[i] = known_dims(call.output_types[i], others[i - 1]);
  return {};
}

Status compute(Call& call) {
  const bool has_heads = call.inputs[0]->dims().size() == 4;
  const auto heads_of = [&](std::size_t i, std::string_view name) {
    return has_heads ? *call.inputs[i] : split_heads(*call.inputs[i], call.integer(name));
  };
  Attended task;
  task.query = heads_of(0, "q_num_heads");
  BROADLOOM_TRY(key, with_past(call, 4, 1, heads_of(1, "kv_num_heads")));
  BROADLOOM_TRY(value, with_past(call, 5, 2, heads_of(2, "kv_num_heads")));
  task.key = std::move(key);
  task.value = std::move(value);
  task.output = has_heads ? call.outputs[0] : split_heads(call.outputs[0], call.integer("q_num_heads"));
  const Attribute* scale = call.attributes.find("scale");
  const auto size = static_cast<double>(task.query.run_dims()[3]);
  task.scale = scale != nullptr ? static_cast<double>(scale->value.number) : 1 / std::sqrt(size);
  task.cap = static_cast<double>(call.number("softcap"));
  if (call.input(4) != nullptr) task.offset = call.inputs[4]->run_dims()[2];
  task.lengths = call.input(6);
  task.left = call.attributes.find_int("left_window_size").value_or(-1);
  task.right = call.attributes.find_int("right_window_size").value_or(-1);
  if (call.integer("is_causal") != 0) task.right = 0;
  if (const Tensor* mask = call.input(3); mask != nullptr) {
    BROADLOOM_TRY(added, added_by_mask(*mask, attention_type(task.query.dtype)));
    const SymbolicDims& query = task.query.dims();
    added.layout = broadcast_to(added.layout, {query[0], query[1], query[2], added.dims()[added.dims().size() - 1]});
    task.added = std::move(added);
  }
  if (call.outputs.size() > 3) {
    task.scores = &call.outputs[3];
    task.stage = static_cast<Attended::Stage>(call.integer("qk_matmul_output_mode"));
  }
  return attend(task);
}

}  // namespace

BROADLOOM_OPERATOR(op, attention){
    .name = "Attention",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .kernels = attention_kernels,
};

}  // namespace broadloom
