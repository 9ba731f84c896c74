#include "graph/rewrite/passes/node_passes.h"

#include "ops/named_operators.h"
#include "ops/quantise/quantized_and_dequantized.h"

namespace broadloom {
namespace {

// Nodes that give what they get are looked for before all others, and again when these have changed a node.
enum class Stage : std::uint8_t { no_op, node };

// The least that a node must have for a pass. All except `nothing` include the first input and output.
enum class Needs : std::uint8_t {
  nothing,
  values,
  one_type,     // known and the same, of its first input and output
  known_types,  // it does not run with types that its operator refuses
  checked,      // all is as the schema wants it
};

struct NodePass {
  Pass pass;
  Stage stage;
  Needs needs;
  const Operator* op;  // nullptr: any
  Status (*run)(Rewriter& rewriter, Node& node);
};

constexpr NodePass node_passes[] = {
#define NODE_PASS(name, kind, keeps, use, stage, op, needs, ...) {Pass::name, Stage::stage, Needs::needs, op, name},
#define ALSO(name, stage, op, needs) {Pass::name, Stage::stage, Needs::needs, op, name},
#include "graph/rewrite/passes/passes.inc"
};

bool has(const Node& node, Needs needs) {
  if (needs == Needs::nothing) return true;
  if (node.inputs.empty() || node.inputs[0] == nullptr || node.outputs.empty() || node.outputs[0] == nullptr) return false;
  const Dtype dtype = node.inputs[0]->dtype;
  switch (needs) {
    case Needs::one_type: return dtype == node.outputs[0]->dtype && dtype != Dtype::undefined;
    case Needs::known_types: return !node.has_refused_types();
    case Needs::checked: return node.is_checked();
    default: return true;
  }
}

Status run(Stage stage, Rewriter& rewriter, Node& node) {
  for (const NodePass& one : node_passes) {
    if (one.stage != stage) continue;
    // An earlier pass may have made it a node of another operator.
    if (node.op == nullptr || (one.op != nullptr && one.op != node.op)) continue;
    if (!has(node, one.needs) || !rewriter.begin(one.pass)) continue;
    BROADLOOM_CHECK(one.run(rewriter, node));
    rewriter.check(&node);
    if (rewriter.is_passed_by(node)) break;
  }
  return {};
}

}  // namespace

Status eliminate_no_op(Rewriter& rewriter, Node& node) { return run(Stage::no_op, rewriter, node); }

Status improve(Rewriter& rewriter, Node& node) { return run(Stage::node, rewriter, node); }

}  // namespace broadloom
