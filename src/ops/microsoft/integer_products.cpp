// com.microsoft: MatMulIntegerToFloat and DynamicQuantizeMatMul, products of quantised matrices as numbers, and QGemm, whose
// results are numbers or quantised. onnxruntime: docs/ContribOperators.md.
#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/checks.h"
#include "ops/named_operators.h"
#include "ops/product/integer_product.h"
#include "ops/product/products.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum Option;
using enum TypeVariable;

constexpr Parameter inputs[] = {{"A", T1},
                                {"B", T2},
                                {"a_scale", T3},
                                {"b_scale", T3},
                                {"a_zero_point", T1, Optional},
                                {"b_zero_point", T2, Optional},
                                {"bias", T3, Optional}};
constexpr Parameter outputs[] = {{"Y", T3}};
constexpr Signature signature{{}, inputs, outputs, {T1, T2, T3}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::bytes, types::bytes, types::float32 | types::float16}}};

constexpr std::uint8_t absent = ProductInputs::none;
constexpr ProductInputs places{0, 1, {4, 5, 2, 3, absent, absent, 6}};

Status prepare(Call& call) { return prepare_integer_product(call, places); }
Result<Ready> ready(const Call& call, PackedOperands* packed) { return ready_integer_product(call, places, packed); }

// ---- DynamicQuantizeMatMul ----

constexpr Parameter dynamic_inputs[] = {
    {"A", T1}, {"B", T2}, {"b_scale", T1}, {"b_zero_point", T2, Optional}, {"bias", T1, Optional}};
constexpr Parameter dynamic_outputs[] = {{"Y", T1}};
constexpr Signature dynamic_signature{{}, dynamic_inputs, dynamic_outputs, {T1, T2}};
constexpr OperatorVersion dynamic_versions[] = {{1, &dynamic_signature, {types::float32, types::bytes}}};

Status prepare_dynamic(Call& call) { return prepare_integer_product(call, {0, 1, {absent, 3, absent, 2, absent, absent, 4}}); }

// The call of MatMulIntegerToFloat with the first operand as DynamicQuantizeLinear makes it.
class DynamicProduct {
 public:
  explicit DynamicProduct(const Call& call)
      : quantized_{known_dims(Dtype::uint8, call.inputs[0]->dims()), known_dims(Dtype::float32, {}),
                   known_dims(Dtype::uint8, {})},
        inputs_{&quantized_[0], call.inputs[1], &quantized_[1], call.inputs[2], &quantized_[2], call.input(3), call.input(4)},
        call_(call, op::microsoft::mat_mul_integer_to_float, inputs_, call.output_types, call.outputs, none_) {
    quantized_[0].layout.make_dense();
  }
  InnerCall& call() { return call_; }

  Status quantize(const Call& call) {
    for (Tensor& tensor : quantized_) {
      BROADLOOM_TRY(made, make_tensor(tensor.dtype, tensor.dims()));
      tensor = std::move(made);
    }
    constexpr Dtype dtypes[] = {Dtype::uint8, Dtype::float32, Dtype::uint8};
    return InnerCall(call, op::dynamic_quantize_linear, call.inputs.first(1), dtypes, quantized_, none_).compute();
  }

 private:
  Tensor quantized_[3];
  const Tensor* inputs_[7];
  Attributes none_;
  InnerCall call_;
};

Status run_dynamic(const Call& call, ReadyCall& ready, std::byte* workspace, Finish*) {
  DynamicProduct product(call);
  BROADLOOM_CHECK(product.quantize(call));
  return product.call().run(ready, workspace);
}

Result<Ready> ready_dynamic(const Call& call, PackedOperands* packed) {
  return around(DynamicProduct(call).call().ready(packed), run_dynamic);
}

// ---- QGemm ----

// Without a zero point, results are float32.
constexpr AttributeSpec gemm_attributes[] = {with_default("alpha", AttributeType::FLOAT, 1),
                                             with_default("transA", AttributeType::INT, 0),
                                             with_default("transB", AttributeType::INT, 0)};
constexpr Parameter gemm_inputs[] = {{"A", T1},
                                     {"a_scale", Dtype::float32},
                                     {"a_zero_point", T1},
                                     {"B", T2},
                                     {"b_scale", Dtype::float32},
                                     {"b_zero_point", T2},
                                     {"C", Dtype::int32, Optional},
                                     {"y_scale", Dtype::float32, Optional},
                                     {"y_zero_point", T3, Optional}};
constexpr Parameter gemm_outputs[] = {{"Y", T3}};
constexpr Signature gemm_signature{gemm_attributes, gemm_inputs, gemm_outputs, {T1, T2, T3}};
constexpr OperatorVersion gemm_versions[] = {{1, &gemm_signature, {types::bytes, types::bytes, types::float32 | types::bytes}}};

constexpr ProductInputs gemm_places{0, 3, {2, 5, 1, 4, 7, 8, absent}, 6};

Result<Dtype> gemm_type(const Attributes&) { return Dtype::float32; }

Tensor turned(const Tensor& matrix, bool is_turned) {
  if (!is_turned || !matrix.is_ranked()) return matrix;
  constexpr std::int64_t order[] = {1, 0};
  Tensor view = matrix;
  view.layout = transposed_layout(matrix.layout, order);
  return view;
}

// A QGemm call whose matrices are transposed views where 'transA' and 'transB' ask for them.
class GemmCall {
 public:
  explicit GemmCall(const Call& call)
      : a_(turned(*call.inputs[0], call.integer("transA") != 0)),
        b_(turned(*call.inputs[3], call.integer("transB") != 0)),
        call_(call.with(std::span(inputs_).first(call.inputs.size()), call.outputs)) {
    std::copy(call.inputs.begin(), call.inputs.end(), inputs_);
    inputs_[0] = &a_;
    inputs_[3] = &b_;
  }
  Call& call() { return call_; }

 private:
  Tensor a_;
  Tensor b_;
  const Tensor* inputs_[9] = {};
  Call call_;
};

Status prepare_gemm(Call& call) {
  for (const std::size_t i : {0U, 3U}) BROADLOOM_CHECK(want_rank(call, i, 2));
  const Tensor* zero = call.input(8);
  if (zero != nullptr && zero->dtype == Dtype::float32) {
    return fail(Code::InvalidArgument, "'y_zero_point' is float32, wanted uint8 or int8");
  }
  BROADLOOM_CHECK(prepare_integer_product(GemmCall(call).call(), gemm_places));
  const Tensor* added = call.input(6);
  const Tensor& y = call.outputs[0];
  if (added == nullptr || !added->is_ranked() || !y.is_ranked()) return {};
  const Result<SymbolicDims> sum = broadcast_dims(added->dims().values(), y.dims().values());
  bool fits = sum && sum->size() == 2;
  if (!sum) Error::forget();
  for (std::size_t i = 0; fits && i < 2; ++i) fits = !differ((*sum)[i], y.dims()[i]);
  return fits ? Status() : impossible("cannot add {} to {}", added->dims().values(), y.dims().values());
}

Status run_gemm(const Call& call, ReadyCall& product, std::byte* workspace, Finish*) {
  return product.run(GemmCall(call).call(), workspace);
}

Result<Ready> ready_gemm(const Call& call, PackedOperands* packed) {
  return around(ready_integer_product(GemmCall(call).call(), gemm_places, packed), run_gemm);
}

double work_of_gemm(const Call& call) {
  const double results = static_cast<double>(call.outputs[0].count());
  const std::span<const std::int64_t> a = call.inputs[0]->run_dims();
  return results * static_cast<double>(a[call.integer("transA") != 0 ? 0 : 1]);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, q_gemm){
    .name = "QGemm",
    .domain = "com.microsoft",
    .versions = gemm_versions,
    .output_type = gemm_type,
    .prepare = prepare_gemm,
    .compute = run_once<ready_gemm>,
    .ready = ready_gemm,
    .extra_work = work_of_gemm,
};
BROADLOOM_OPERATOR(op::microsoft, dynamic_quantize_mat_mul){
    .name = "DynamicQuantizeMatMul",
    .domain = "com.microsoft",
    .versions = dynamic_versions,
    .prepare = prepare_dynamic,
    .compute = run_once<ready_dynamic>,
    .ready = ready_dynamic,
    .extra_work = work_of_products,
    .calls = {&op::microsoft::mat_mul_integer_to_float, &op::dynamic_quantize_linear},
};
BROADLOOM_OPERATOR(op::microsoft, mat_mul_integer_to_float){
    .name = "MatMulIntegerToFloat",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = run_once<ready>,
    .ready = ready,
    .extra_work = work_of_products,
};

}  // namespace broadloom
