// com.microsoft: SkipLayerNormalization, SkipSimplifiedLayerNormalization and EmbedLayerNormalization, normalisations of sums.
// onnxruntime: docs/ContribOperators.md.
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/reduction.h"
#include "ops/elementwise.h"
#include "ops/normalise/normalize.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("epsilon", FLOAT, 1e-12F), with_default("mask_index_type", INT, 0)};
constexpr Parameter layer_inputs[] = {{"input", T}, {"skip", T}, {"gamma", T}, {"beta", T, Optional}, {"bias", T, Optional}};
constexpr Parameter simplified_inputs[] = {{"input", T}, {"skip", T}, {"gamma", T}, {"bias", T, Optional}};
constexpr Parameter outputs[] = {
    {"output", T}, {"mean", U, Optional}, {"inv_std_var", U, Optional}, {"input_skip_bias_sum", T, Optional}};
constexpr Signature layer_signature{std::span(attributes).first<1>(), layer_inputs, outputs, {T, U}};
constexpr Signature simplified_signature{std::span(attributes).first<1>(), simplified_inputs, outputs, {T, U}};
constexpr OperatorVersion layer_versions[] = {{1, &layer_signature, {types::single_floats, types::float32}}};
constexpr OperatorVersion simplified_versions[] = {{1, &simplified_signature, {types::single_floats, types::float32}}};

constexpr Parameter embed_inputs[] = {{"input_ids", T1},
                                      {"segment_ids", T1, Optional},
                                      {"word_embedding", T},
                                      {"position_embedding", T},
                                      {"segment_embedding", T, Optional},
                                      {"gamma", T},
                                      {"beta", T},
                                      {"mask", T1, Optional},
                                      {"position_ids", T1, Optional}};
constexpr Parameter embed_outputs[] = {{"output", T}, {"mask_index", T1, Optional}, {"embedding_sum", T, Optional}};
constexpr Signature embed_signature{attributes, embed_inputs, embed_outputs, {T1, T}};
constexpr OperatorVersion embed_versions[] = {{1, &embed_signature, {types::int32, types::float32 | types::float16}}};

Status check_row(const Call& call, std::size_t input, Size size) {
  return call.input(input) == nullptr ? Status() : check_length(call, input, size);
}

Status prepare_skip(Call& call) {
  const Tensor& input = *call.inputs[0];
  const Tensor& skip = *call.inputs[1];
  if (!input.is_ranked()) return {};
  const SymbolicDims& dims = input.dims();
  if (dims.empty()) return fail(Code::InvalidArgument, "'input' is a scalar");
  for (std::size_t i = 2; i < call.inputs.size(); ++i) BROADLOOM_CHECK(check_row(call, i, dims[dims.size() - 1]));
  if (skip.is_ranked()) {
    const Result<SymbolicDims> both = broadcast_dims(dims.values(), skip.dims().values());
    if (!both) return Failure(both.error());
    if (both->size() > dims.size() || (are_numbers(dims) && are_numbers(*both) && *both != dims)) {
      return impossible("'skip' has dims {}, which do not stretch to {}", skip.dims().values(), dims.values());
    }
  }
  const SymbolicDims statistics = statistics_dims(dims.values(), dims.size() - 1);
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    call.outputs[i] = known_dims(call.output_types[i], i == 1 || i == 2 ? statistics : dims);
  }
  return {};
}

// Writes the normalised rows of sums, in float32, to the first outputs of the call, and the sums to output number `output`.
Status normalize_sums(const Call& call, const Tensor& sums, std::size_t gamma, std::size_t beta, std::size_t statistics,
                      std::size_t output) {
  const std::span<const std::int64_t> dims = sums.run_dims();
  const std::int64_t size = dims.back();
  Normalization how;
  how.has_mean = beta != 0;
  how.epsilon = static_cast<double>(call.number("epsilon"));
  BROADLOOM_CHECK(take(how.scale, *call.inputs[gamma], size, 1));
  if (how.has_mean && call.input(beta) != nullptr) BROADLOOM_CHECK(take(how.bias, *call.inputs[beta], size, 1));
  const Tensor* const from[] = {&sums};
  Call normal = call.with(from, call.outputs.first(std::min(call.outputs.size(), statistics)));
  BROADLOOM_CHECK(normalize(normal, three_axes(dims, dims.size() - 1, dims.size()), AxisSet(2), how));
  return call.outputs.size() > output ? write_rounded(call.outputs[output], sums) : Status();
}

template <bool is_simplified>
Status compute_skip(Call& call) {
  const SymbolicDims& dims = call.inputs[0]->dims();
  BROADLOOM_TRY(sums, make_tensor(Dtype::float32, dims));
  Program program;
  Program::Value value;
  const std::size_t inputs[] = {0, 1, is_simplified ? 3U : 4U};
  for (const std::size_t i : inputs) {
    if (call.input(i) == nullptr) continue;
    const Program::Value operand = converted(program, add_operand(program, *call.inputs[i], dims), Dtype::float32);
    value = i == 0 ? operand : program.apply(Operation::add, value, operand);
  }
  BROADLOOM_CHECK(program.run(value, sums.data(), in_memory(sums.count())));
  return normalize_sums(call, sums, 2, is_simplified ? 0 : 3, 3, 3);
}

// ---- EmbedLayerNormalization ----

Status prepare_embed(Call& call) {
  const Tensor& ids = *call.inputs[0];
  const Tensor& words = *call.inputs[2];
  for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 7U, 8U}) {
    const Tensor* input = call.input(i);
    if (input == nullptr || !input->is_ranked() || input->dims().size() == 2) continue;
    return fail(Code::InvalidArgument, "{} has dims {}, wanted two axes", quoted(embed_inputs[i].name), input->dims().values());
  }
  if ((call.input(1) == nullptr) != (call.input(4) == nullptr)) {
    return fail(Code::InvalidArgument, "segment_ids and segment_embedding are given together, or neither");
  }
  const Size size = words.is_ranked() ? words.dims()[1] : unknown_size;
  for (const std::size_t i : {3U, 4U}) {
    const Tensor* table = call.input(i);
    if (table == nullptr || !table->is_ranked() || !differ(table->dims()[1], size)) continue;
    return fail(Code::InvalidArgument, "{} has dims {}, wanted {} as the last", quoted(embed_inputs[i].name),
                table->dims().values(), size);
  }
  BROADLOOM_CHECK(check_length(call, 5, size));
  BROADLOOM_CHECK(check_length(call, 6, size));
  SymbolicDims dims{unknown_size, unknown_size, size};
  if (ids.is_ranked()) {
    dims[0] = ids.dims()[0];
    dims[1] = ids.dims()[1];
    for (const std::size_t i : {1U, 7U, 8U}) {
      const Tensor* input = call.input(i);
      if (input == nullptr || !input->is_ranked()) continue;
      const SymbolicDims& own = input->dims();
      if (!differ(own[1], dims[1]) && (!differ(own[0], dims[0]) || (i == 8 && own[0] == 1))) continue;
      return fail(Code::InvalidArgument, "{} has dims {}, wanted {}", quoted(embed_inputs[i].name), own.values(),
                  ids.dims().values());
    }
  }
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    call.outputs[i] = known_dims(call.output_types[i], i == 1 ? SymbolicDims{dims[0]} : dims);
  }
  return {};
}

Result<Tensor> dense_input(const Call& call, std::size_t i, Dtype dtype) {
  return call.input(i) == nullptr ? Tensor() : in_type(*call.inputs[i], dtype);
}

Status compute_embed(Call& call) {
  const std::span<const std::int64_t> dims = call.outputs[0].run_dims();
  const std::int64_t rows = dims[0] * dims[1];
  BROADLOOM_TRY(sums, make_tensor(Dtype::float32, call.outputs[0].dims()));
  std::memset(sums.data(), 0, dense_size(sums));
  constexpr std::size_t tables[] = {2, 3, 4};
  constexpr std::size_t indices[] = {0, 8, 1};
  for (std::size_t part = 0; part < 3; ++part) {
    if (call.input(tables[part]) == nullptr) continue;
    BROADLOOM_TRY(table, dense_input(call, tables[part], Dtype::float32));
    BROADLOOM_TRY(ids, dense_input(call, indices[part], Dtype::int32));
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t at = ids.has_elements() && ids.count() < rows ? row % dims[1] : row;
      const std::int64_t id = ids.has_elements() ? reinterpret_cast<const std::int32_t*>(ids.data())[at] : row % dims[1];
      if (id < 0 || id >= table.run_dims()[0]) {
        return fail(Code::InvalidArgument, "index {} is not one of the {} of {}", id, table.run_dims()[0],
                    quoted(embed_inputs[tables[part]].name));
      }
      float* const to = reinterpret_cast<float*>(sums.data()) + row * dims[2];
      const float* const from = reinterpret_cast<const float*>(table.data()) + id * dims[2];
      for (std::int64_t i = 0; i < dims[2]; ++i) to[i] += from[i];
    }
  }
  if (call.outputs.size() > 1) {
    auto* const counts = reinterpret_cast<std::int32_t*>(call.outputs[1].data());
    BROADLOOM_TRY(mask, dense_input(call, 7, Dtype::int32));
    for (std::int64_t batch = 0; batch < dims[0]; ++batch) {
      counts[batch] = 0;
      for (std::int64_t i = 0; mask.has_elements() && i < dims[1]; ++i) {
        counts[batch] += reinterpret_cast<const std::int32_t*>(mask.data())[batch * dims[1] + i] == 1 ? 1 : 0;
      }
    }
  }
  return normalize_sums(call, sums, 5, 6, 1, 2);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, embed_layer_normalization){
    .name = "EmbedLayerNormalization",
    .domain = "com.microsoft",
    .versions = embed_versions,
    .prepare = prepare_embed,
    .compute = compute_embed,
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op::microsoft, skip_layer_normalization){
    .name = "SkipLayerNormalization",
    .domain = "com.microsoft",
    .versions = layer_versions,
    .prepare = prepare_skip,
    .compute = compute_skip<false>,
    .kernels = normalize_kernels,
};
BROADLOOM_OPERATOR(op::microsoft, skip_simplified_layer_normalization){
    .name = "SkipSimplifiedLayerNormalization",
    .domain = "com.microsoft",
    .versions = simplified_versions,
    .prepare = prepare_skip,
    .compute = compute_skip<true>,
    .kernels = normalize_kernels,
};

}  // namespace broadloom
