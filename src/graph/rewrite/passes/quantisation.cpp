// Elements that are quantised and dequantised again, as plans compute them.
#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "graph/rewrite/passes/quantised_numbers.h"
#include "ops/call/dense.h"
#include "ops/named_operators.h"
#include "ops/quantise/quantized_and_dequantized.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

bool is_one_of(const Node& node, const Operator& op, const Operator& of_microsoft) {
  return (node.op == &op || node.op == &of_microsoft) && node.is_checked() && node.outputs.size() == 1;
}

}  // namespace

std::optional<float> number_of(const Rewriter& rewriter, const Node& node, std::size_t input) {
  if (input >= node.inputs.size() || node.inputs[input] == nullptr) return 0;
  const Tensor* tensor = rewriter.constant(node.inputs[input]);
  if (tensor == nullptr || tensor->dims().size() > 1 || tensor->count() != 1) return {};
  const Result<Tensor> number = in_type(*tensor, Dtype::float32);
  if (!number) return {};
  return *reinterpret_cast<const float*>(number->data());
}

bool is_dequantised(const Node& node) {
  return is_one_of(node, op::dequantize_linear, op::microsoft::dequantize_linear) && node.outputs[0]->dtype == Dtype::float32;
}

Node* dequantised_constant(const Rewriter& rewriter, const Value& value, std::size_t rank, std::size_t axis) {
  Node* const node = value.producer;
  if (node == nullptr || !is_dequantised(*node) || node->inputs[0] == nullptr) return nullptr;
  const Tensor* elements = rewriter.constant(node->inputs[0]);
  const Tensor* scale = rewriter.constant(node->inputs[1]);
  if (elements == nullptr || scale == nullptr || scale->dtype != Dtype::float32) return nullptr;
  if (elements->dims().size() != rank || !types::bytes.contains(elements->dtype)) return nullptr;
  if (node->attributes.find_int("block_size").value_or(0) != 0) return nullptr;
  const std::int64_t given = node->attributes.find_int("axis").value_or(1);
  const bool is_by_index = (given < 0 ? given + static_cast<std::int64_t>(rank) : given) == static_cast<std::int64_t>(axis) &&
                           node->version->since_version != 10;  // which has one number for all
  const auto fits = [&](const Tensor& parameter) {
    if (parameter.dims().size() > 1) return false;
    return parameter.count() == 1 || (is_by_index && parameter.count() == elements->run_dims()[axis]);
  };
  const bool has_zero = node->inputs.size() > 2 && node->inputs[2] != nullptr;
  const Tensor* const zero = has_zero ? rewriter.constant(node->inputs[2]) : nullptr;
  return fits(*scale) && (!has_zero || (zero != nullptr && fits(*zero))) ? node : nullptr;
}

// Before: y = DequantizeLinear(QuantizeLinear(x, s, z), t, z)
// After: y = round(min(max(x / s, least - z), greatest - z)) * t, as one elementwise node
Status join_quantisation(Rewriter& rewriter, Node& node) {
  if (!is_one_of(node, op::dequantize_linear, op::microsoft::dequantize_linear)) return {};
  const Value& quantised = *node.inputs[0];
  Node* const before = quantised.producer;
  if (before == nullptr || quantised.uses != 1) return {};
  if (!is_one_of(*before, op::quantize_linear, op::microsoft::quantize_linear)) return {};
  const std::int64_t precision = before->attributes.find_int("precision").value_or(0);
  if (precision != 0 && dtype_from_id(precision) != Dtype::float32) return {};
  const bool is_float32 = before->inputs[0]->dtype == Dtype::float32 && before->inputs[1]->dtype == Dtype::float32 &&
                          node.outputs[0]->dtype == Dtype::float32;
  if (!is_float32 || quantised.dtype == Dtype::undefined) return {};
  const DtypeInfo& type = info(quantised.dtype);
  if (type.kind == DtypeKind::mini_float) return {};
  const std::optional<float> numbers[] = {number_of(rewriter, *before, 1), number_of(rewriter, *before, 2),
                                          number_of(rewriter, node, 1), number_of(rewriter, node, 2)};
  for (const std::optional<float>& number : numbers) {
    if (!number) return {};
  }
  if (numbers[1] != numbers[3] || !require_memory(8, sizeof(Node))) return {};
  const float zero = *numbers[1];
  Value* inputs[5] = {before->inputs[0]};
  const QuantisedBounds bounds = quantised_bounds(type);
  const float constants[] = {*numbers[0], static_cast<float>(bounds.least) - zero, static_cast<float>(bounds.greatest) - zero,
                             *numbers[2]};
  for (std::size_t i = 0; i < std::size(constants); ++i) {
    BROADLOOM_TRY(tensor, make_tensor(Dtype::float32, Dims()));
    *reinterpret_cast<float*>(tensor.data()) = constants[i];
    inputs[1 + i] = &rewriter.new_constant(node.outputs[0]->name, std::move(tensor));
  }
  rewriter.become(node, op::quantized_and_dequantized, inputs);
  rewriter.let_go(*before);
  rewriter.changed();
  return {};
}

}  // namespace broadloom
