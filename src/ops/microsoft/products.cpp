// com.microsoft: FusedMatMul, TransposeMatMul and FusedGemm, products with transposed operands, a factor and an activation.
// onnxruntime: docs/ContribOperators.md.
#include "ops/products.h"

#include "core/count.h"
#include "core/text.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/elementwise.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr TypeSet floats = types::floats | types::added_13;
constexpr TypeSet numbers = types::floats | types::int32 | types::int64 | types::uint32 | types::uint64;

constexpr AttributeSpec product_attributes[] = {with_default("alpha", FLOAT, 1), with_default("transA", INT, 0),
                                                with_default("transB", INT, 0), with_default("transBatchA", INT, 0),
                                                with_default("transBatchB", INT, 0)};
constexpr Parameter inputs[] = {{"A", T}, {"B", T}, {"C", T, Optional}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature product_signature{product_attributes, std::span(inputs).first<2>(), outputs, {T}};
constexpr Signature transposed_signature{std::span(product_attributes).first<3>(), std::span(inputs).first<2>(), outputs, {T}};
constexpr OperatorVersion product_versions[] = {{1, &product_signature, {floats}}};
constexpr OperatorVersion transposed_versions[] = {{1, &transposed_signature, {floats}}};

constexpr AttributeSpec gemm_attributes[] = {with_default("alpha", FLOAT, 1), with_default("beta", FLOAT, 1),
                                             with_default("transA", INT, 0),  with_default("transB", INT, 0),
                                             {"activation", STRING},          {"activation_alpha", FLOAT},
                                             {"activation_beta", FLOAT},      {"activation_gamma", FLOAT}};
constexpr Signature gemm_signature{gemm_attributes, inputs, outputs, {T}};
constexpr OperatorVersion gemm_versions[] = {{1, &gemm_signature, {numbers}}};

// A tensor's view with axes moved: first the batch's (its first axis goes behind the others), then the matrix's.
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
        call_{op::mat_mul.versions.back(), inputs_, none_, call.output_types, call.outputs, call.expressions, call.packed} {}
  Call& call() { return call_; }

 private:
  Tensor a_;
  Tensor b_;
  const Tensor* inputs_[2] = {&a_, &b_};
  Attributes none_;
  Call call_;
};

Status scale(const Tensor& output, float alpha) {
  if (alpha == 1) return {};
  Program program;
  const Program::Value value = add_operand(program, output, output.dims());
  const Program::Value scaled = program.apply(Operation::multiply, value, program.constant(static_cast<double>(alpha), value));
  return program.run(program.rounded(scaled), output.data(), in_memory(output.count()));
}

Status prepare_product(Call& call) { return op::mat_mul.prepare(Product(call).call()); }

Status compute_product(Call& call) {
  BROADLOOM_CHECK(op::mat_mul.compute(Product(call).call()));
  return scale(call.outputs[0], call.number("alpha"));
}

Result<StorageRef> pack_product(const Call& call, PackedOperands& packed) {
  Result<StorageRef> columns = op::mat_mul.pack(Product(call).call(), packed);
  // The ready call has no factor.
  if (call.number("alpha") != 1) packed.ready.reset();
  return columns;
}

// ---- FusedGemm ----

// The operator of ONNX that an activation is.
Result<const Operator*> activation_of(const Call& call) {
  const std::string_view name = call.word("activation");
  if (name.empty()) return nullptr;
  const Operator* op = find_operator("", name);
  const bool is_activation = op != nullptr && op->is_elementwise() && op->versions.back().inputs().size() == 1;
  if (is_activation) return op;
  return fail(Code::InvalidArgument, "activation is {}, which is not an operator of one input", quoted(name));
}

Call gemm_call(const Call& call) {
  return {op::gemm.versions.back(), call.inputs, call.attributes, call.output_types, call.outputs,
          call.expressions,         call.packed};
}

Status prepare_gemm(Call& call) {
  BROADLOOM_CHECK(activation_of(call));
  Call gemm = gemm_call(call);
  return op::gemm.prepare(gemm);
}

Status compute_gemm(Call& call) {
  Call gemm = gemm_call(call);
  BROADLOOM_CHECK(op::gemm.compute(gemm));
  BROADLOOM_TRY(activation, activation_of(call));
  if (activation == nullptr) return {};
  const OperatorVersion& version = activation->versions.back();
  Attributes attributes;
  constexpr std::string_view names[] = {"alpha", "beta", "gamma"};
  constexpr std::string_view own[] = {"activation_alpha", "activation_beta", "activation_gamma"};
  for (std::size_t i = 0; i < 3; ++i) {
    const AttributeSpec* spec = find_spec(version, names[i]);
    const Attribute* given = call.attributes.find(own[i]);
    if (spec != nullptr && given != nullptr) attributes.add(*spec) = given->value;
  }
  Tensor& output = call.outputs[0];
  const Tensor* const from[] = {&output};
  const Call of{version, from, attributes, call.output_types, call.outputs};
  Program program;
  const Program::Value value = add_operand(program, output, output.dims());
  const Program::Value result = add_elements(*activation, of, program, {&value, 1});
  return program.run(result, output.data(), in_memory(output.count()));
}

Result<StorageRef> pack_gemm(const Call& call, PackedOperands& packed) {
  Result<StorageRef> columns = op::gemm.pack(gemm_call(call), packed);
  if (!call.word("activation").empty()) packed.ready.reset();
  return columns;
}

constexpr Operator product_operator(std::string_view name, std::span<const OperatorVersion> versions) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = versions,
          .prepare = prepare_product,
          .compute = compute_product,
          .pack = pack_product,
          .extra_work = work_of_products};
}

}  // namespace

constinit const Operator op::microsoft::fused_gemm{
    .name = "FusedGemm",
    .domain = "com.microsoft",
    .versions = gemm_versions,
    .prepare = prepare_gemm,
    .compute = compute_gemm,
    .pack = pack_gemm,
    .extra_work = work_of_products,
};
constinit const Operator op::microsoft::fused_mat_mul = product_operator("FusedMatMul", product_versions);
constinit const Operator op::microsoft::transpose_mat_mul = product_operator("TransposeMatMul", transposed_versions);

}  // namespace broadloom
