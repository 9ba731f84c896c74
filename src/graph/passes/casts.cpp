// Casts that change no type, or two in a row.
#include "graph/passes/elements.h"
#include "graph/passes/node_passes.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

// Whether every number of the first type is one of the second.
bool holds_all_of(Dtype from, Dtype to) {
  using enum Dtype;
  const DtypeKind first = info(from).kind;
  const DtypeKind second = info(to).kind;
  const bool is_half = from == float16 || from == bfloat16;
  if (to == float32) return is_half || from == boolean;
  if (to == float64) return is_half || from == boolean || from == float32 || (is_whole(from) && info(from).bits <= 32);
  if (!is_whole(to) || info(to).bits < 8) return false;
  if (from == boolean) return true;
  if (!is_whole(from) || info(from).bits >= info(to).bits) return false;
  return first == second || second == DtypeKind::signed_integer;
}

}  // namespace

// Before: y = Cast(x, to the type of x).  After: x
Status eliminate_nop_cast(Rewriter& rewriter, Node& node) {
  rewriter.pass_by(node, *node.inputs[0]);
  return {};
}

// Before: y = Cast(Cast(x, wider), to).  After: y = Cast(x, to)
Status merge_casts(Rewriter& rewriter, Node& node) {
  const Node* inner = rewriter.made_by(node.inputs[0], op::cast);
  if (inner == nullptr || inner->inputs[0] == nullptr) return {};
  Value& data = rewriter.resolved(*inner->inputs[0]);
  if (data.dtype == Dtype::undefined || !holds_all_of(data.dtype, node.inputs[0]->dtype)) return {};
  const Dtype to = node.outputs[0]->dtype;
  if (to == Dtype::undefined || to == Dtype::string || info(to).bits < 8) return {};
  // Numbers of a larger type that do not fit into a smaller one are nowhere said to become the same ones from every type.
  const bool fits = to == data.dtype || holds_all_of(data.dtype, to);
  if (fits) rewriter.read(node, 0, data);
  return {};
}

}  // namespace broadloom
