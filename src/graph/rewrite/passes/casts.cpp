// Casts that change no type, or two in a row.
#include "graph/rewrite/passes/elements.h"
#include "graph/rewrite/passes/node_passes.h"
#include "kernels/elementwise/convert.h"
#include "ops/named_operators.h"

namespace broadloom {
namespace {

// The bits of a floating-point number's significand, with the one that is not stored; 0 of other types.
int significand_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::bfloat16: return 8;
    case Dtype::float16: return 11;
    case Dtype::float32: return 24;
    case Dtype::float64: return 53;
    default: return 0;
  }
}

// Whether every number of the first type is one of the second.
bool holds_all_of(Dtype from, Dtype to) {
  const int significand = significand_bits(to);
  if (significand == 0 && (!is_whole(to) || info(to).bits < 8)) return false;
  if (from == Dtype::boolean) return true;
  if (!is_whole(from)) return is_half(from) ? significand >= 24 : from == Dtype::float32 && to == Dtype::float64;
  const bool has_sign = info(from).kind == DtypeKind::signed_integer;
  if (significand > 0) return info(from).bits - (has_sign ? 1 : 0) <= significand;
  return info(from).bits < info(to).bits && (!has_sign || info(to).kind == DtypeKind::signed_integer);
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
