// Common subexpressions: nodes that compute the same, and initializers with the same elements.
#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "graph/rewrite/passes/graph_passes.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

// Adds what tells the node's attributes from others. False where that cannot be said.
bool add_attributes(const Model& model, const Node& node, ValueNumbers& numbers) {
  const std::size_t number = model.records.nodes[node.is_changed ? 0 : node.record].same_attributes;
  if (number != 0) {
    numbers.add("written");
    numbers.add(static_cast<std::int64_t>(number));
    return true;
  }
  if (!node.has_comparable_attributes()) return false;
  for (const Attribute& one : node.attributes) {
    numbers.add(one.spec->name);
    numbers.add(static_cast<std::int64_t>(one.spec->type));
    numbers.add(one.value.integer);
    numbers.add(&one.value.number, sizeof one.value.number);
    const Tensor& tensor = one.value.tensor;
    if (!tensor.has_elements()) continue;
    numbers.add(static_cast<std::int64_t>(tensor.dtype));
    numbers.add(tensor.run_dims());
    numbers.add(tensor.data(), dense_size(tensor));
  }
  return true;
}

// Lets all who read what the node makes read what the other one does. False where one of them keeps its name.
bool replace_outputs(Rewriter& rewriter, const Node& node, const Node& other) {
  if (other.outputs.size() != node.outputs.size()) return false;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    // An output has a name of its own to keep.
    const Value* output = node.outputs[i];
    if (output == nullptr) continue;
    if (output->is_output || other.outputs[i] == nullptr || !rewriter.can_replace(*output, *other.outputs[i])) return false;
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != nullptr) rewriter.replace(*node.outputs[i], *other.outputs[i]);
  }
  rewriter.changed();
  return true;
}

// The node goes, if another one has the key. Else it has it from now on.
bool merge(Rewriter& rewriter, Node& node) {
  const ValueNumbers::Entry* found = rewriter.scope().numbers.find_or_add({&node, node.outputs[0]}, rewriter.keys());
  return found != nullptr && found->node != nullptr && replace_outputs(rewriter, node, *found->node);
}

}  // namespace

// Before: initializers a and b with the same elements.  After: a, read in place of b
void eliminate_duplicate_initializers(Rewriter& rewriter) {
  if (!rewriter.begin(Pass::eliminate_duplicate_initializer)) return;
  constexpr std::size_t most_bytes = 16384;
  ValueNumbers& numbers = rewriter.scope().numbers;
  const bool are_nodes = rewriter.options().skipped.test(place_of(Pass::extract_constant_to_initializer));
  for (const Initializer& initializer : rewriter.graph().initializers) {
    Value& value = *initializer.value;
    // A Constant that stays a node may stand behind who reads the other value.
    if (are_nodes && value.producer != nullptr && rewriter.options().keeps != Keeps::all) continue;
    const Tensor& tensor = initializer.tensor;
    if (value.input != nullptr || value.is_output || tensor.dtype == Dtype::string || !require_memory()) continue;
    const bool is_left = initializer.external != nullptr && initializer.sparse == nullptr;
    if (!is_left && (!tensor.has_elements() || !is_dense(tensor) || dense_size(tensor) > most_bytes)) continue;
    numbers.begin(is_left ? "left" : "constant");
    numbers.add(static_cast<std::int64_t>(tensor.dtype));
    numbers.add(tensor.run_dims());
    if (is_left) {
      numbers.add(initializer.external->location);
      numbers.add(initializer.external->offset);
      numbers.add(initializer.external->length);
    } else {
      numbers.add(tensor.data(), dense_size(tensor));
    }
    const ValueNumbers::Entry* found = numbers.find_or_add({nullptr, &value}, rewriter.keys());
    if (found != nullptr && rewriter.is_read(value) && rewriter.replace(value, *found->value)) rewriter.changed();
  }
}

// Before: a = Op(x); b = Op(x).  After: a, read in place of b
// Before: two nodes that make a list of equal sizes.  After: the first, read in place of the second
bool eliminate_common_subexpression(Rewriter& rewriter, Node& node) {
  if (!rewriter.begin(Pass::eliminate_common_subexpression)) return false;
  if (!is_default_domain(node.domain) || node.outputs.empty() || node.outputs[0] == nullptr || !node.graphs.empty())
    return false;
  if (node.op == nullptr || node.op->traits.is_random) return false;
  if (!require_memory()) return false;
  ValueNumbers& numbers = rewriter.scope().numbers;
  const Tensor& made = rewriter.facts(*node.outputs[0]);
  if (rewriter.drops_failures() && node.outputs.size() == 1 && made.dtype == Dtype::int64 && made.has_elements() &&
      made.is_ranked() && is_dense(made)) {
    const std::span<const Size> elements = size_elements(made);
    if (std::find(elements.begin(), elements.end(), unknown_size) == elements.end()) {
      numbers.begin("sizes");
      numbers.add(made.run_dims());
      numbers.add(elements.data(), elements.size_bytes());
      return merge(rewriter, node);
    }
  }
  numbers.begin("node");
  numbers.add(node.op_type);
  // A function's nodes may be of another opset, in which the operator computes something else.
  numbers.add(static_cast<std::int64_t>(node.version->since_version));
  numbers.add(static_cast<std::int64_t>(node.outputs.size()));
  numbers.add(static_cast<std::int64_t>(node.inputs.size()));
  for (const Value* input : node.inputs) numbers.add(input == nullptr ? -1 : static_cast<std::int64_t>(input->place));
  if (!add_attributes(rewriter.model(), node, numbers)) return false;
  return merge(rewriter, node);
}

}  // namespace broadloom
