// Normalisations by numbers that are the same in every run, as plans compute them.
#include "core/memory.h"
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"
#include "ops/normalise/batch_normalization.h"

namespace broadloom {
// Before: y = BatchNormalization(x, scale, b, mean, variance).  After: y = (x - mean) * factor + b
Status split_batch_normalization(Rewriter& rewriter, Node& node) {
  if (node.op != &op::batch_normalization || !node.is_checked() || node.outputs.size() != 1 || node.opset < 7) return {};
  if (node.attributes.find_int("training_mode").value_or(0) != 0 || node.attributes.find_int("spatial").value_or(1) == 0)
    return {};
  const Tensor& x = rewriter.facts(*node.inputs[0]);
  if (!x.is_ranked() || x.dims().size() < 2) return {};
  // A call with other numbers of channels fails. The nodes might stretch them.
  const Size channels = x.dims()[1];
  Dims dims(x.dims().size() - 1, 1);
  Tensor numbers[5];  // copies: those of the rewriter move when it makes a value
  for (std::size_t i = 1; i < 5; ++i) {
    const Tensor* number = rewriter.constant(node.inputs[i]);
    if (number == nullptr || number->dtype != node.outputs[0]->dtype || !is_dense(*number)) return {};
    if (number->dims().size() != 1 || number->dims()[0] != channels) return {};
    numbers[i] = *number;
  }
  const Tensor& scale = numbers[1];
  if (!is_float(scale.dtype) || !require_memory(16, sizeof(Node))) return {};
  const Tensor* const given[] = {nullptr, &numbers[1], nullptr, nullptr, &numbers[4]};
  BROADLOOM_TRY(factors, batch_factors({*node.version, given, node.attributes, {}, {}}, scale.dtype));
  dims[0] = scale.count();
  const std::string_view name = node.outputs[0]->name;
  const auto constant = [&](Tensor tensor) {
    tensor.layout = dense_layout(dims);
    return &rewriter.new_constant(name, std::move(tensor));
  };
  Value* value = node.inputs[0];
  const auto apply = [&](const Operator& op, Tensor operand) -> Status {
    Value* inputs[] = {value, constant(std::move(operand))};
    value = &rewriter.new_value(name, scale.dtype);
    value->producer = &node;  // whose origin the new node has
    Node& added = rewriter.new_node(op, inputs, *value, node.opset);
    BROADLOOM_CHECK(rewriter.infer(added));
    return rewriter.keep(added);
  };
  BROADLOOM_CHECK(apply(op::sub, numbers[3]));
  BROADLOOM_CHECK(apply(op::mul, std::move(factors)));
  Value* inputs[] = {value, constant(numbers[2])};
  rewriter.become(node, op::add, inputs);
  rewriter.changed();
  return {};
}

}  // namespace broadloom
