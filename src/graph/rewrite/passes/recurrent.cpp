// LSTM, GRU and RNN.
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

// A state of zeros that a recurrent operator begins with is the one that it has without.
// Before: LSTM(x, w, r, b, l, zeros); GRU, RNN, too.  After: LSTM(x, w, r, b, l)
Status eliminate_zero_states(Rewriter& rewriter, Node& node) {
  if (node.op != &op::lstm && node.op != &op::gru && node.op != &op::rnn) return {};
  for (std::size_t i = 5; i < node.inputs.size() && i < 7; ++i) {
    const Value* state = node.inputs[i];
    const Node* maker = rewriter.made_by(state);
    const Tensor* filled = rewriter.constant(state);
    bool is_zero = are_all(filled, false);
    if (maker != nullptr && maker->op == &op::expand) is_zero = are_all(rewriter.constant(maker->inputs[0]), false);
    if (maker != nullptr && maker->op == &op::constant_of_shape) {
      filled = maker->attributes.find_tensor("value");
      is_zero = filled == nullptr || are_all(filled, false);
    }
    if (!is_zero) continue;
    rewriter.replace_input(node, i, nullptr);
    rewriter.changed();
  }
  return {};
}

}  // namespace broadloom
