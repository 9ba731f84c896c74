// Arithmetic with an operand that changes nothing.
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

namespace {

// Adding 0 turns -0 into 0. Subtracting -0 does so, too. A first power is computed as any other: its last bits may differ
// from its base's, and runtimes that compute powers of integers in double round them.
bool is_exact(const Node& node) { return is_whole(node.inputs[0]->dtype) || (node.op != &op::add && node.op != &op::pow); }

Status eliminate_unit(Rewriter& rewriter, Node& node) {
  Value* second = node.inputs.size() > 1 ? node.inputs[1] : nullptr;
  if (second == nullptr || node.version->since_version < 7) return {};
  Value& first = *node.inputs[0];
  const Value& output = *node.outputs[0];
  const Operator* op = node.op;
  const bool is_inexact = !is_exact(node);
  const auto is_neutral = [&](const Tensor* operand, bool is_second) {
    const bool is_unit = is_second && (op == &op::div || (op == &op::pow && is_inexact));
    return ((op == &op::mul || is_unit || op == &op::logical_and) && are_all(operand, true)) ||
           (((op == &op::sub && is_second) || op == &op::add || op == &op::logical_or) && are_all(operand, false));
  };
  if (rewriter.have_same_dims(first, output) && is_neutral(rewriter.constant(second), true)) {
    rewriter.pass_by(node, first);
  } else if (rewriter.have_same_dims(*second, output) && is_neutral(rewriter.constant(&first), false)) {
    rewriter.pass_by(node, *second);
  }
  return {};
}

}  // namespace

// Before: y = x * 1, x / 1, x - 0, i + 0 of integers, b and true, b or false.  After: x
Status eliminate_nop_with_unit(Rewriter& rewriter, Node& node) {
  return is_exact(node) ? eliminate_unit(rewriter, node) : Status();
}

// Before: y = x + 0.  After: x, with -0 where the sum has 0
Status eliminate_nop_add(Rewriter& rewriter, Node& node) { return is_exact(node) ? Status() : eliminate_unit(rewriter, node); }

// Before: y = Pow(x, 1).  After: x, with the last bits that Pow may change
Status eliminate_nop_pow(Rewriter& rewriter, Node& node) { return is_exact(node) ? Status() : eliminate_unit(rewriter, node); }

}  // namespace broadloom
