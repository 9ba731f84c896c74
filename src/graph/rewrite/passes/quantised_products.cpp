// Products of numbers that were quantised, and rows of quantised tables, as plans compute them.
#include <cmath>

#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "graph/rewrite/passes/quantised_numbers.h"
#include "kernels/products/settle.h"
#include "ops/call/dense.h"
#include "ops/named_operators.h"
#include "ops/product/quantised_product.h"
#include "ops/quantise/quantized_and_dequantized.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

namespace at = quantised_product_inputs;

bool is_factor(float factor) { return factor >= least_settled_factor && factor <= 1 / least_settled_factor; }

// A value has integers from `least` to `greatest`, times `factor`.
struct Grid {
  Value* factor;
  float least;
  float greatest;

  bool fits() const { return least >= -255 && greatest <= 255 && greatest - least <= 255; }
};

std::optional<Grid> grid_of(const Rewriter& rewriter, const Value* value) {
  constexpr int most_moved = 8;
  for (int moved = 0; moved < most_moved; ++moved) {
    const Node* node = rewriter.made_by(value);
    if (node == nullptr || node->inputs.empty()) return {};
    const bool is_moved = node->op == &op::transpose || node->op == &op::reshape || node->op == &op::squeeze ||
                          node->op == &op::unsqueeze || node->op == &op::identity;
    if (is_moved && node->is_checked()) {
      value = node->inputs[0];
      continue;
    }
    const bool is_product = node->op == &op::quantised_product;
    if (is_product || node->op == &op::quantized_and_dequantized) {
      const std::size_t first = is_product ? at::divisor : 1;
      const std::optional<float> least = number_of(rewriter, *node, first + 1);
      const std::optional<float> greatest = number_of(rewriter, *node, first + 2);
      const std::optional<float> factor = number_of(rewriter, *node, first + 3);
      if (!least || !greatest || !factor || !is_factor(*factor)) return {};
      return Grid{node->inputs[first + 3], *least, *greatest};
    }
    if (!is_dequantised(*node) || node->inputs[0] == nullptr || !types::bytes.contains(node->inputs[0]->dtype)) return {};
    const std::optional<float> factor = number_of(rewriter, *node, 1);
    const std::optional<float> zero = number_of(rewriter, *node, 2);
    if (!zero || !factor || !is_factor(*factor) || node->inputs[1]->dtype != Dtype::float32) return {};
    const QuantisedBounds bounds = quantised_bounds(info(node->inputs[0]->dtype));
    return Grid{node->inputs[1], static_cast<float>(bounds.least) - *zero, static_cast<float>(bounds.greatest) - *zero};
  }
  return {};
}

// The node that makes a constant matrix from elements of 8 bits, with one scale and zero point, or some for each column.
Node* constant_matrix(const Rewriter& rewriter, const Value& value, bool is_transposed) {
  Node* const node = dequantised_constant(rewriter, value, 2, is_transposed ? 0 : 1);
  if (node == nullptr) return nullptr;
  const Result<Tensor> dense = densify(*rewriter.constant(node->inputs[1]));
  if (!dense) return nullptr;
  const auto* const scales = reinterpret_cast<const float*>(dense->data());
  for (std::int64_t i = 0; i < dense->count(); ++i) {
    if (!is_factor(scales[i])) return nullptr;
  }
  return node;
}

// Whether a value has one number for each of `columns`, and adds to each row.
bool is_row(const Rewriter& rewriter, const Value& value, const Size& columns) {
  const Tensor& facts = rewriter.facts(value);
  if (value.dtype != Dtype::float32 || !facts.is_ranked() || !are_numbers(facts.dims().values())) return false;
  return facts.dims().size() == 1 && facts.dims()[0] == columns;
}

// A product with its bias, which may be nullptr.
struct Product {
  Node* node;
  Node* sum;  // an Add, or nullptr
  Value* bias;
};

Product product_of(const Rewriter& rewriter, const Value* value) {
  Node* node = rewriter.made_for(value, op::mat_mul);
  if (node != nullptr) return {node, nullptr, nullptr};
  node = rewriter.made_for(value, op::gemm);
  if (node != nullptr) return {node, nullptr, node->inputs.size() > 2 ? node->inputs[2] : nullptr};
  Node* const sum = rewriter.made_for(value, op::add);
  if (sum == nullptr || !sum->is_checked() || sum->inputs[0] == nullptr || sum->inputs[1] == nullptr) return {};
  for (std::size_t i = 0; i < 2; ++i) {
    node = rewriter.made_for(sum->inputs[i], op::mat_mul);
    if (node != nullptr) return {node, sum, sum->inputs[1 - i]};
  }
  return {};
}

bool is_plain_gemm(const Node& node) {
  const auto is_one = [&](std::string_view name) {
    const Attribute* attribute = node.attributes.find(name);
    return attribute == nullptr || attribute->value.number == 1;
  };
  return is_one("alpha") && is_one("beta") && node.attributes.find_int("transA").value_or(0) == 0;
}

}  // namespace

// Before: y = quantized_and_dequantized(MatMul(a, DequantizeLinear(b)), ...), where a was quantised. Or a Gemm, or an Add of a
// row, or a product of two values that were quantised.
// After: y = quantised_product(a, b, ...)
Status join_quantised_product(Rewriter& rewriter, Node& node) {
  const Product product = product_of(rewriter, node.inputs[0]);
  Node* const made = product.node;
  if (made == nullptr || !made->is_checked() || made->outputs[0]->dtype != Dtype::float32) return {};
  const bool is_gemm = made->op == &op::gemm;
  if (is_gemm && !is_plain_gemm(*made)) return {};
  const bool is_transposed = is_gemm && made->attributes.find_int("transB").value_or(0) != 0;
  const std::optional<float> divisor = number_of(rewriter, node, 1);
  const std::optional<Grid> a = grid_of(rewriter, made->inputs[0]);
  if (!divisor || !is_factor(*divisor) || !a || !a->fits() || !require_memory(8, sizeof(Node))) return {};

  Value* inputs[at::how_many] = {made->inputs[0], made->inputs[1], node.inputs[1], node.inputs[2], node.inputs[3],
                                 node.inputs[4],  a->factor,       nullptr,        nullptr,        product.bias};
  Node* const weights = constant_matrix(rewriter, *made->inputs[1], is_transposed);
  if (weights != nullptr) {
    const std::span<const Size> dims = rewriter.constant(weights->inputs[0])->dims().values();
    if (product.bias != nullptr && !is_row(rewriter, *product.bias, dims[is_transposed ? 0 : 1])) return {};
    inputs[at::b] = weights->inputs[0];
    inputs[at::b_scale] = weights->inputs[1];
    inputs[at::b_zero] = weights->inputs.size() > 2 ? weights->inputs[2] : nullptr;
  } else {
    const std::optional<Grid> b = grid_of(rewriter, made->inputs[1]);
    if (!b || !b->fits() || is_gemm || product.bias != nullptr) return {};
    BROADLOOM_TRY(least, make_tensor(Dtype::float32, Dims()));
    *reinterpret_cast<float*>(least.data()) = b->least;
    inputs[at::b_scale] = b->factor;
    inputs[at::b_zero] = &rewriter.new_constant(node.outputs[0]->name, std::move(least));
  }
  rewriter.become(node, op::quantised_product, inputs);
  if (product.sum != nullptr) rewriter.let_go(*product.sum);
  rewriter.let_go(*made);
  if (weights != nullptr) rewriter.let_go(*weights);
  if (is_transposed) set_attribute(node, "transB").integer = 1;
  rewriter.changed();
  return {};
}

// Before: y = Gather(DequantizeLinear(table, scale, zero), indices), of a constant table with one scale
// After: y = DequantizeLinear(Gather(table, indices), scale, zero): the table stays in bytes
Status dequantize_after_gather(Rewriter& rewriter, Node& node) {
  Node* const before = node.inputs[0]->producer;
  if (before == nullptr || before->op != &op::dequantize_linear || !is_dequantised(*before) || !node.is_checked()) return {};
  Value* const table = before->inputs[0];
  if (table == nullptr || !types::bytes.contains(table->dtype) || rewriter.constant(table) == nullptr) return {};
  const bool has_one_scale = number_of(rewriter, *before, 1) && number_of(rewriter, *before, 2);
  if (!has_one_scale || before->attributes.find_int("block_size").value_or(0) != 0) return {};
  if (node.inputs.size() != 2 || node.inputs[1] == nullptr || !require_memory(8, sizeof(Node))) return {};
  const std::int64_t axis = node.attributes.find_int("axis").value_or(0);
  Value& rows = rewriter.new_value(node.outputs[0]->name, table->dtype);
  rows.producer = &node;  // whose origin the new node has
  Value* gathered[] = {table, node.inputs[1]};
  Node& gather = rewriter.new_node(op::gather, gathered, rows, node.opset);
  set_attribute(gather, "axis").integer = axis;
  BROADLOOM_CHECK(rewriter.infer(gather));
  BROADLOOM_CHECK(rewriter.keep(gather));
  Value* inputs[] = {&rows, before->inputs[1], before->inputs.size() > 2 ? before->inputs[2] : nullptr};
  rewriter.become(node, op::dequantize_linear, inputs);
  rewriter.let_go(*before);
  rewriter.changed();
  return {};
}

}  // namespace broadloom
