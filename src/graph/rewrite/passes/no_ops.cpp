// Nodes of single operators that give what they get.
#include <algorithm>

#include "graph/rewrite/passes/node_passes.h"

namespace broadloom {

// Before: y = Identity(x).  After: x
Status eliminate_identity(Rewriter& rewriter, Node& node) {
  rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Dropout(x), not in training.  After: x
Status eliminate_nop_dropout(Rewriter& rewriter, Node& node) {
  if (node.outputs.size() > 1 && node.outputs[1] != nullptr && rewriter.is_read(*node.outputs[1])) return {};
  if (node.opset < 7 && node.attributes.find_int("is_test").value_or(0) == 0) return {};
  const Value* training = node.inputs.size() > 2 ? node.inputs[2] : nullptr;
  const Tensor* mode = rewriter.constant(training);
  if (training != nullptr && (mode == nullptr || mode->count() != 1 || *mode->data() != std::byte{0})) return {};
  rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Concat(x); Sum, Max, Min, Mean of one, too.  After: x
Status eliminate_nop_concat(Rewriter& rewriter, Node& node) {
  if (node.op->traits.is_identity_of_one && node.inputs.size() == 1) rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Relu(Relu(x)); Ceil, Floor, Round, Sign, Abs, too.  After: y = Relu(x)
Status eliminate_consecutive_idempotent_ops(Rewriter& rewriter, Node& node) {
  Value& input = *node.inputs[0];
  if (node.op->traits.is_idempotent && rewriter.made_by(&input, *node.op) != nullptr) rewriter.pass_by(node, input);
  return {};
}

namespace {

Status eliminate_same_dims(Rewriter& rewriter, Node& node) {
  if (rewriter.have_same_dims(*node.inputs[0], *node.outputs[0])) rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

}  // namespace

// Before: y = Expand(x, dims that x has).  After: x
Status eliminate_nop_expand(Rewriter& rewriter, Node& node) { return eliminate_same_dims(rewriter, node); }

// Before: y = Tile(x, [1, ...]).  After: x
Status eliminate_nop_tile(Rewriter& rewriter, Node& node) { return eliminate_same_dims(rewriter, node); }

// Before: y = Split(x) into one.  After: x
Status eliminate_nop_split(Rewriter& rewriter, Node& node) {
  return node.outputs.size() == 1 ? eliminate_same_dims(rewriter, node) : Status();
}

// Before: y = Pad(x, zeros).  After: x
Status eliminate_nop_pad(Rewriter& rewriter, Node& node) {
  if (!rewriter.have_same_dims(*node.inputs[0], *node.outputs[0])) return {};
  const std::optional<Dims> pads = rewriter.integers(node, node.opset < 2 ? "paddings" : "pads");
  if (pads && std::all_of(pads->begin(), pads->end(), [](std::int64_t pad) { return pad == 0; })) {
    rewriter.pass_by(node, *node.inputs[0]);
  }
  return {};
}

}  // namespace broadloom
