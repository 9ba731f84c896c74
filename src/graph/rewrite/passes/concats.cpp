// Concats of Concats.
#include <algorithm>
#include <vector>

#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = Concat(a, Concat(b, c)).  After: y = Concat(a, b, c)
// A list that is long already stays: each join writes it anew.
Status merge_concats(Rewriter& rewriter, Node& node) {
  constexpr std::size_t most_inputs = 64;
  const std::optional<std::int64_t> axis = node.attributes.find_int("axis");
  for (std::size_t i = 0; i < node.inputs.size();) {
    const Node* inner = rewriter.made_for(node.inputs[i], op::concat);
    const std::size_t count = inner == nullptr ? most_inputs : node.inputs.size() - 1 + inner->inputs.size();
    if (count >= most_inputs || inner->attributes.find_int("axis") != axis) {
      ++i;
      continue;
    }
    BROADLOOM_CHECK(require_memory());
    std::vector<Value*> list(count);
    Value** to = std::copy_n(node.inputs.data(), i, list.data());
    to = std::copy(inner->inputs.begin(), inner->inputs.end(), to);
    std::copy_n(node.inputs.data() + i + 1, node.inputs.size() - i - 1, to);
    rewriter.set_inputs(node, list);
    rewriter.changed();
  }
  return {};
}

}  // namespace broadloom
