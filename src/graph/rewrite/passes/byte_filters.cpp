// Filters of convolutions that were quantised stay in bytes, as plans read them.
#include "core/memory.h"
#include "graph/rewrite/passes/node_passes.h"
#include "graph/rewrite/passes/quantised_numbers.h"
#include "kernels/convolution/planar.h"
#include "ops/convolution/convolution.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = Conv(x, DequantizeLinear(w, scale, zero), b), of a constant w of 8 bits with one scale, or one for each filter
// After: y = Conv(x, w, b, scale, zero), which dequantises filters while it reads them
Status keep_filters_in_bytes(Rewriter& rewriter, Node& node) {
  namespace at = byte_filter_inputs;
  if (node.outputs[0]->dtype != Dtype::float32 || has_byte_filters(node)) return {};
  const Value& filters = *node.inputs[at::w];
  const Tensor& facts = rewriter.facts(filters);
  if (!facts.is_ranked() || !are_numbers(facts.dims()) || !rewriter.has_one_reader(filters)) return {};
  // These filters are few, and have kernels of their own: those of depthwise convolutions, and those of planar ones.
  const bool is_depthwise = facts.run_dims()[1] == 1 && node.attributes.find_int("group").value_or(1) > 1;
  const bool is_planar = facts.run_dims()[0] <= static_cast<std::int64_t>(PlanarConvolution::most_results);
  Node* const before = dequantised_constant(rewriter, filters, facts.dims().size(), 0);
  if (is_depthwise || is_planar || before == nullptr || !require_memory(8, sizeof(void*))) return {};
  Value* inputs[at::how_many] = {node.inputs[at::x], before->inputs[0], node.inputs.size() > 2 ? node.inputs[2] : nullptr,
                                 before->inputs[1], before->inputs.size() > 2 ? before->inputs[2] : nullptr};
  rewriter.set_inputs(node, inputs);
  node.version = &conv_of_bytes;
  node.is_changed = true;
  rewriter.let_go(*before);
  rewriter.changed();
  return {};
}

}  // namespace broadloom
