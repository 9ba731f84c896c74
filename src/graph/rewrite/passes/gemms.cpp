// Fusions into Gemm.
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "ops/named_operators.h"

namespace broadloom {

// Before: y = MatMul(a, b) + c, of matrices.  After: y = Gemm(a, b, c)
Status fuse_matmul_add_bias_into_gemm(Rewriter& rewriter, Node& node) {
  std::size_t data = 0;
  const Node* product = rewriter.made_by(node.inputs[0], op::mat_mul);
  if (product == nullptr && node.inputs.size() > 1) product = rewriter.made_by(node.inputs[data = 1], op::mat_mul);
  if (product == nullptr || node.inputs.size() != 2 || !rewriter.has_one_reader(*node.inputs[data]) || node.opset < 7)
    return {};
  const auto rank = [&](const Value* value) {
    const bool is_known = value != nullptr && rewriter.facts(*value).is_ranked();
    return is_known ? rewriter.facts(*value).dims().size() : most_axes + 1;
  };
  Value* added = node.inputs[1 - data];
  if (rank(product->inputs[0]) != 2 || rank(product->inputs[1]) != 2 || rank(added) > 2) return {};
  if (!is_float(node.outputs[0]->dtype) || !rewriter.have_same_dims(*node.inputs[data], *node.outputs[0])) return {};
  Value* inputs[] = {product->inputs[0], product->inputs[1], added};
  if (!rewriter.become(node, op::gemm, inputs)) return {};
  rewriter.changed();
  return {};
}

// Before: y = Gemm(Transpose(a), b).  After: y = Gemm(a, b, transA = 1)
Status fuse_transpose_into_gemm(Rewriter& rewriter, Node& node) {
  constexpr std::string_view names[] = {"transA", "transB"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Node* inner = rewriter.made_by(node.inputs[i], op::transpose);
    if (inner == nullptr || inner->inputs[0] == nullptr) continue;
    const Tensor* perm = inner->attributes.find_tensor("perm");
    if (perm != nullptr && (perm->count() != 2 || *reinterpret_cast<const std::int64_t*>(perm->data()) != 1)) continue;
    rewriter.read(node, i, *inner->inputs[0]);
    std::int64_t& transposes = set_attribute(node, names[i]).integer;
    transposes = transposes == 0 ? 1 : 0;
    node.is_changed = true;
  }
  return {};
}

}  // namespace broadloom
