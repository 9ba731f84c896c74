// MatMul and Gemm: products of matrices. ONNX: onnx/defs/math/defs.cc and old.cc, MatMul and Gemm.
#include <optional>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/product.h"
#include "ops/elementwise.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr TypeSet numbers_13 = types::wide_numbers | types::added_13;

constexpr Parameter inputs[] = {{"A", T}, {"B", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{{}, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {
    {1, &signature, {types::floats}}, {9, &signature, {types::wide_numbers}}, {13, &signature, {numbers_13}}};

// ---- MatMul, as in numpy.matmul ----

Status prepare(Call& call) {
  if (!call.inputs[0]->is_ranked() || !call.inputs[1]->is_ranked()) return {};
  BROADLOOM_TRY(dims, product_dims(call.inputs[0]->dims().values(), call.inputs[1]->dims().values()));
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

Status compute_product(Call& call, const Factors& factors) {
  BROADLOOM_TRY(result, products(call.outputs[0], factors.a, factors.b, call.packed));
  return write_rounded(call.outputs[0], result);
}

Factors factors_of(const Call& call) { return factors_of_product(*call.inputs[0], *call.inputs[1], call.outputs[0].dims()); }

Status compute(Call& call) { return compute_product(call, factors_of(call)); }

// A product in the type of its elements.
class ReadyProduct : public ReadyCall {
 public:
  ReadyProduct(const Call& call, const Factors& factors, bool is_packed)
      : multiplication_(call.outputs[0].dtype, factors.a, factors.b, is_packed) {}
  bool can_finish() const override { return true; }
  Status run(const Call& call, std::byte* workspace) override { return run_and_finish(call, workspace, nullptr); }
  Status run_and_finish(const Call& call, std::byte*, Finish* finish) override {
    return multiplication_.run(call.outputs[0].data(), call.inputs[0]->data(), call.inputs[1]->data(), call.packed, finish);
  }

 private:
  Multiplication multiplication_;
};

bool is_computed_in_own_type(const Call& call) {
  const Dtype dtype = call.outputs[0].dtype;
  return accumulate_type_of(dtype).dtype == dtype;
}

Result<Ready> ready(const Call& call, PackedOperands* packed) {
  Factors factors = factors_of(call);
  const Tensor& b = *call.inputs[1];
  const bool is_constant = b.has_elements() && factors.b.batch.dims.empty();
  const std::int64_t rows = call.outputs[0].count() / std::max<std::int64_t>(factors.b.kept.count(), 1);
  Result<Ready> made = is_constant ? pack_columns(packed, b, factors.b, rows) : Ready();
  if (made && is_computed_in_own_type(call)) made->call = std::make_unique<ReadyProduct>(call, factors, bool{made->packed});
  return made;
}

// ---- Gemm: alpha * A * B + beta * C ----

constexpr AttributeSpec gemm_attributes[] = {with_default("alpha", FLOAT, 1), with_default("beta", FLOAT, 1),
                                             with_default("transA", INT, 0), with_default("transB", INT, 0),
                                             with_default("broadcast", INT, 0)};
constexpr Parameter gemm_inputs[] = {{"A", T}, {"B", T}, {"C", T}};
constexpr Parameter gemm_inputs_11[] = {{"A", T}, {"B", T}, {"C", T, Optional}};
constexpr Signature gemm_1{gemm_attributes, gemm_inputs, outputs, {T}};
constexpr Signature gemm_7{std::span(gemm_attributes).first<4>(), gemm_inputs, outputs, {T}};
constexpr Signature gemm_11{std::span(gemm_attributes).first<4>(), gemm_inputs_11, outputs, {T}};
constexpr OperatorVersion gemm_versions[] = {
    {1, &gemm_1, {types::floats}},       {6, &gemm_1, {types::floats}},         {7, &gemm_7, {types::floats}},
    {9, &gemm_7, {types::wide_numbers}}, {11, &gemm_11, {types::wide_numbers}}, {13, &gemm_11, {numbers_13}},
};

// Whether C has the result's dims or broadcasts to them. Before version 7, an attribute must request that.
bool is_bias(const Call& call, const SymbolicDims& dims, const SymbolicDims& bias) {
  const bool stretches = call.version.since_version >= 7 || call.integer("broadcast") != 0;
  if (bias.size() > 2 || (bias.size() < 2 && !stretches)) return false;
  for (std::size_t i = 0; i < bias.size(); ++i) {
    const Size own = bias[bias.size() - 1 - i];
    const Size wanted = dims[1 - i];
    if (differ(own, wanted) && !(stretches && own == 1)) return false;
  }
  return true;
}

Status prepare_gemm(Call& call) {
  Size sizes[2][2] = {{unknown_size, unknown_size}, {unknown_size, unknown_size}};
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensor& input = *call.inputs[i];
    if (!input.is_ranked()) continue;
    const SymbolicDims& dims = input.dims();
    if (dims.size() != 2) return impossible("cannot multiply {}, wanted a matrix", dims.values());
    const std::size_t first = call.integer(i == 0 ? "transA" : "transB") != 0 ? 1 : 0;
    sizes[i][0] = dims[first];
    sizes[i][1] = dims[1 - first];
  }
  const auto& [a, b] = sizes;
  if (differ(a[1], b[0])) {
    return impossible("cannot multiply {} by {}", std::span<const Size>(a), std::span<const Size>(b));
  }
  const SymbolicDims dims{a[0], b[1]};
  const Tensor* bias = call.input(2);
  if (bias != nullptr && bias->is_ranked() && !is_bias(call, dims, bias->dims())) {
    return impossible("cannot add {} to {}", bias->dims().values(), dims.values());
  }
  call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

Factor matrix_of(const Tensor& tensor, std::size_t kept) {
  return {data_of(tensor), {}, axes_of(tensor.layout, kept, 1), axes_of(tensor.layout, 1 - kept, 1)};
}

Factors gemm_factors_of(const Call& call) {
  return {matrix_of(*call.inputs[0], call.integer("transA") != 0 ? 1 : 0),
          matrix_of(*call.inputs[1], call.integer("transB") != 0 ? 0 : 1)};
}

// alpha * product + beta * bias, in the type of computation of the output. Both have that type, or the bias has the output's.
Program::Value add_bias(Program& program, const Tensor& output, const Tensor& product, const Tensor* bias, float alpha,
                        float beta) {
  Program::Value value = add_operand(program, product, product.dims());
  value = {value.number, output.dtype, product.dtype != output.dtype};
  if (alpha != 1) value = program.apply(Operation::multiply, value, program.constant(alpha, value));
  if (bias != nullptr) {
    Program::Value added = add_operand(program, *bias, output.dims());
    if (beta != 1) added = program.apply(Operation::multiply, added, program.constant(beta, added));
    value = program.apply(Operation::add, value, added);
  }
  return program.rounded(value);
}
Status add_bias(const Tensor& output, const Tensor& product, const Tensor* bias, float alpha, float beta) {
  Program program;
  const Program::Value value = add_bias(program, output, product, bias, alpha, beta);
  return program.run(value, output.data(), in_memory(output.count()));
}

bool is_integer(float value) { return std::floor(value) == value; }

Status compute_gemm(Call& call) {
  const Tensor& a = *call.inputs[0];
  const Tensor* bias = call.input(2);
  Tensor& output = call.outputs[0];
  const Factors factors = gemm_factors_of(call);
  const float alpha = call.number("alpha");
  const float beta = call.number("beta");
  if (alpha == 1 && bias == nullptr) return compute_product(call, factors);
  BROADLOOM_TRY(product, products(output, factors.a, factors.b, call.packed));
  // Integers are multiplied by fractions as float64, and the result is cast.
  if (types::integers.contains(a.dtype) && !(is_integer(alpha) && is_integer(beta))) {
    BROADLOOM_TRY(real, in_type(product, Dtype::float64));
    Tensor real_bias;
    if (bias != nullptr) {
      BROADLOOM_TRY(converted, in_type(*bias, Dtype::float64));
      real_bias = std::move(converted);
    }
    BROADLOOM_CHECK(add_bias(real, real, bias == nullptr ? nullptr : &real_bias, alpha, beta));
    return write_rounded(output, real);
  }
  return add_bias(output, product, bias, alpha, beta);
}

// A product with a bias.
class ReadyGemm : public ReadyProduct {
 public:
  ReadyGemm(const Call& call, const Factors& factors, bool is_packed) : ReadyProduct(call, factors, is_packed) {
    Program program;
    const Tensor& output = call.outputs[0];
    const auto value = add_bias(program, output, output, call.inputs[2], call.number("alpha"), call.number("beta"));
    bias_.emplace(program, value, in_memory(output.count()));
  }
  Count workspace_bytes() const override { return bias_->workspace_bytes(); }
  Status run_and_finish(const Call& call, std::byte* workspace, Finish* finish) override {
    BROADLOOM_CHECK(ReadyProduct::run_and_finish(call, workspace, nullptr));
    std::byte* const to = call.outputs[0].data();
    bias_->place(0, to);
    bias_->place(1, call.inputs[2]->data());
    BROADLOOM_CHECK(bias_->run(to, workspace));
    return finish == nullptr ? Status() : finish->run(to, in_memory(call.outputs[0].count()));
  }

 private:
  std::optional<Routine> bias_;
};

std::unique_ptr<ReadyCall> ready_gemm_call(const Call& call, bool is_packed) {
  const Factors factors = gemm_factors_of(call);
  const Tensor* bias = call.input(2);
  if (bias == nullptr && call.number("alpha") == 1) return std::make_unique<ReadyProduct>(call, factors, is_packed);
  const bool adds = bias != nullptr && bias->has_elements() && types::floats.contains(bias->dtype);
  return adds ? std::make_unique<ReadyGemm>(call, factors, is_packed) : nullptr;
}

Result<Ready> ready_gemm(const Call& call, PackedOperands* packed) {
  const Tensor& b = *call.inputs[1];
  Factor factor = gemm_factors_of(call).b;
  const std::int64_t rows = call.outputs[0].run_dims()[0];
  Result<Ready> made = b.has_elements() ? pack_columns(packed, b, factor, rows) : Ready();
  if (made && is_computed_in_own_type(call)) made->call = ready_gemm_call(call, bool{made->packed});
  return made;
}

}  // namespace

BROADLOOM_OPERATOR(op, gemm){
    .name = "Gemm",
    .versions = gemm_versions,
    .prepare = prepare_gemm,
    .compute = compute_gemm,
    .ready = ready_gemm,
    .extra_work = work_of_products,
    .kernels = loops(Operation::add, Operation::multiply) | computed_in(Dtype::float64),
};
BROADLOOM_OPERATOR(op, mat_mul){
    .name = "MatMul",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .ready = ready,
    .extra_work = work_of_products,
};

}  // namespace broadloom
