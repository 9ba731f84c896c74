// Reshape, Flatten, Squeeze and Unsqueeze: the same elements in the same order, under other dims.
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

bool is_reshape(const Node& node) { return node.op != nullptr && node.op->traits.is_reshape; }

}  // namespace

// Before: y = Reshape(x, the dims of x); Flatten, Squeeze, Unsqueeze, and several in a row, too.  After: x
Status eliminate_nop_reshape(Rewriter& rewriter, Node& node) {
  if (!is_reshape(node)) return {};
  // The last Reshape of a row may come back to the dims where the first began. Rows can be as long as the file.
  constexpr int most_steps = 16;
  Value* value = node.inputs[0];
  for (int step = 0; step <= most_steps; ++step) {
    if (rewriter.have_same_dims(*value, *node.outputs[0])) {
      rewriter.pass_by(node, *value);
      break;
    }
    const Node* inner = rewriter.made_by(value);
    if (inner == nullptr || !is_reshape(*inner) || inner->inputs.empty() || inner->inputs[0] == nullptr) break;
    value = &rewriter.resolved(*inner->inputs[0]);
  }
  return {};
}

// Before: y = Reshape(Reshape(x, s), t).  After: y = Reshape(x, t)
Status merge_reshapes(Rewriter& rewriter, Node& node) {
  if (!is_reshape(node)) return {};
  const Node* inner = rewriter.made_by(node.inputs[0]);
  if (inner == nullptr || !is_reshape(*inner) || !inner->is_checked()) return {};
  if (inner->inputs[0] == nullptr) return {};
  Value& data = rewriter.resolved(*inner->inputs[0]);
  if (node.op == &op::reshape && node.version->since_version >= 5 && node.attributes.find_int("allowzero").value_or(0) == 0) {
    const std::optional<Dims> target = rewriter.integers(node, "shape");
    bool fits = target.has_value();
    // A 0 copies a size of the dims before.
    for (std::size_t i = 0; fits && i < target->size(); ++i)
      fits = (*target)[i] != 0 || rewriter.have_same_size(data, *node.inputs[0], i);
    if (fits) rewriter.read(node, 0, data);
    return {};
  }
  if (!rewriter.has_one_reader(*node.inputs[0])) return {};
  // merge_squeezes has these.
  if (inner->op == node.op && (node.op == &op::unsqueeze || node.op == &op::squeeze)) return {};
  // Another pair is a Reshape, if at most one size is not known.
  const Tensor& made = rewriter.facts(*node.outputs[0]);
  if (!made.is_ranked() || node.opset < 5) return {};
  Dims target(made.dims().size());
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const Size size = made.dims()[i];
    if (size == 0) return {};
    target[i] = size.is_number() ? size.number() : -1;
    if (!size.is_number()) ++unknown;
  }
  if (unknown > 1) return {};
  BROADLOOM_TRY(shape, rewriter.new_integers(node.outputs[0]->name, target));
  Value* inputs[] = {&data, shape};
  if (rewriter.become(node, op::reshape, inputs)) rewriter.changed();
  return {};
}

}  // namespace broadloom
