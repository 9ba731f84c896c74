// com.microsoft: FusedMatMul, TransposeMatMul and FusedGemm, products with transposed operands, a factor and an activation.
// onnxruntime: docs/ContribOperators.md.
#include "ops/product/products.h"

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/inner_call.h"
#include "ops/elementwise.h"
#include "ops/named_operators.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec product_attributes[] = {with_default("alpha", FLOAT, 1), with_default("transA", INT, 0),
                                                with_default("transB", INT, 0), with_default("transBatchA", INT, 0),
                                                with_default("transBatchB", INT, 0)};
constexpr Parameter inputs[] = {{"A", T}, {"B", T}, {"C", T, Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature product_signature{product_attributes, std::span(inputs).first<2>(), outputs, {T}};
constexpr Signature transposed_signature{std::span(product_attributes).first<3>(), std::span(inputs).first<2>(), outputs, {T}};
constexpr OperatorVersion product_versions[] = {{1, &product_signature, {types::floats_13}}};
constexpr OperatorVersion transposed_versions[] = {{1, &transposed_signature, {types::floats_13}}};

constexpr AttributeSpec gemm_attributes[] = {with_default("alpha", FLOAT, 1), with_default("beta", FLOAT, 1),
                                             with_default("transA", INT, 0),  with_default("transB", INT, 0),
                                             {"activation", STRING},          {"activation_alpha", FLOAT},
                                             {"activation_beta", FLOAT},      {"activation_gamma", FLOAT}};
constexpr Signature gemm_signature{gemm_attributes, inputs, outputs, {T}};
constexpr OperatorVersion gemm_versions[] = {{1, &gemm_signature, {types::wide_numbers}}};

// A tensor's view with axes moved: first the batch's (its first axis becomes its last), then the matrix's.
Tensor moved(const Tensor& tensor, bool is_batch_moved, bool is_turned) {
  if (!tensor.is_ranked() || tensor.dims().size() < 2) return tensor;
  Tensor view = tensor;
  Layout layout = *tensor.layout;
  const std::size_t rank = layout.dims.size();
  const auto swap = [&](std::size_t a, std::size_t b) {
    std::swap(layout.dims[a], layout.dims[b]);
    std::swap(layout.strides[a], layout.strides[b]);
  };
  for (std::size_t i = 0; is_batch_moved && i + 2 < rank; ++i) swap(i, i + 1);
  if (is_turned) swap(rank - 2, rank - 1);
  view.layout = LayoutRef(layout);
  return view;
}

// The call of MatMul that a FusedMatMul makes.
class Product {
 public:
  explicit Product(const Call& call)
      : a_(moved(*call.inputs[0], call.integer("transBatchA") != 0, call.integer("transA") != 0)),
        b_(moved(*call.inputs[1], call.integer("transBatchB") != 0, call.integer("transB") != 0)),
        call_(call, op::mat_mul, inputs_, call.output_types, call.outputs, none_) {}
  InnerCall& call() { return call_; }

 private:
  Tensor a_;
  Tensor b_;
  const Tensor* inputs_[2] = {&a_, &b_};
  Attributes none_;
  InnerCall call_;
};

Status scale(const Tensor& output, float alpha) {
  if (alpha == 1) return {};
  Program program;
  const Program::Value value = add_operand(program, output, output.dims());
  const Program::Value scaled = program.apply(Operation::multiply, value, program.constant(static_cast<double>(alpha), value));
  return program.run(program.rounded(scaled), output.data(), in_memory(output.count()));
}

Status prepare_product(Call& call) { return Product(call).call().prepare(); }

Status compute_product(Call& call) {
  BROADLOOM_CHECK(Product(call).call().compute());
  return scale(call.outputs[0], call.number("alpha"));
}

Result<Ready> ready_product(const Call& call, PackedOperands* packed) {
  Result<Ready> product = Product(call).call().ready(packed);
  // The ready call has no factor.
  if (product && call.number("alpha") != 1) product->call = nullptr;
  return product;
}

// ---- FusedGemm ----

// The call of the operator that attribute 'activation' names, on the elements of the output.
class ActivationCall {
 public:
  ActivationCall(const Call& call, const Operator& op)
      : attributes_(attributes_of(call, op.versions.back())),
        input_(call.outputs[0]),
        call_(call, op, inputs_, call.output_types, call.outputs, attributes_) {
    input_.dtype = call.output_types[0];
  }
  const InnerCall& call() const { return call_; }

 private:
  static Attributes attributes_of(const Call& call, const OperatorVersion& version) {
    constexpr std::string_view names[] = {"alpha", "beta", "gamma"};
    constexpr std::string_view own[] = {"activation_alpha", "activation_beta", "activation_gamma"};
    Attributes attributes;
    for (std::size_t i = 0; i < 3; ++i) {
      const AttributeSpec* spec = find_spec(version, names[i]);
      const Attribute* given = call.attributes.find(own[i]);
      if (spec != nullptr && given != nullptr) attributes.add(*spec) = given->value;
    }
    return attributes;
  }

  Attributes attributes_;
  Tensor input_;
  const Tensor* inputs_[1] = {&input_};
  InnerCall call_;
};

// nullptr without an activation.
Result<const Operator*> activation_of(const Call& call) {
  const std::string_view name = call.word("activation");
  if (name.empty()) return nullptr;
  const Operator* op = find_operator("", name);
  if (op != nullptr && op->is_elementwise() && op->versions.back().inputs().size() == 1) return op;
  return impossible("activation is {}, which is not an elementwise operator of one input", quoted(name));
}

InnerCall gemm_call(const Call& call) {
  return {call, op::gemm, call.inputs, call.output_types, call.outputs, call.attributes};
}

Status prepare_gemm(Call& call) {
  BROADLOOM_TRY(activation, activation_of(call));
  if (activation != nullptr) BROADLOOM_CHECK(ActivationCall(call, *activation).call().check());
  return gemm_call(call).prepare();
}

Status compute_gemm(Call& call) {
  BROADLOOM_CHECK(gemm_call(call).compute());
  BROADLOOM_TRY(activation, activation_of(call));
  if (activation == nullptr) return {};
  const Tensor& output = call.outputs[0];
  Program program;
  const Program::Value value = add_operand(program, output, output.dims());
  BROADLOOM_TRY(result, ActivationCall(call, *activation).call().elements(program, {&value, 1}));
  return program.run(result, output.data(), in_memory(output.count()));
}

Result<Ready> ready_gemm(const Call& call, PackedOperands* packed) {
  Result<Ready> gemm = gemm_call(call).ready(packed);
  if (gemm && !call.word("activation").empty()) gemm->call = nullptr;
  return gemm;
}

constexpr Operator product_operator(std::string_view name, std::span<const OperatorVersion> versions) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = versions,
          .prepare = prepare_product,
          .compute = compute_product,
          .ready = ready_product,
          .extra_work = work_of_products,
          .kernels = loops(Operation::multiply),
          .calls = {&op::mat_mul}};
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, fused_gemm){
    .name = "FusedGemm",
    .domain = "com.microsoft",
    .versions = gemm_versions,
    .prepare = prepare_gemm,
    .compute = compute_gemm,
    .ready = ready_gemm,
    .extra_work = work_of_products,
    .calls = Callees{&op::gemm}.or_by_name(),
};
BROADLOOM_OPERATOR(op::microsoft, fused_mat_mul) = product_operator("FusedMatMul", product_versions);
BROADLOOM_OPERATOR(op::microsoft, transpose_mat_mul) = product_operator("TransposeMatMul", transposed_versions);

}  // namespace broadloom
