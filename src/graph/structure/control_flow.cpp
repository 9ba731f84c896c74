#include "graph/structure/control_flow.h"

#include "core/count.h"
#include "core/text.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

// The sequence and optional types of later versions are not supported.

constexpr AttributeSpec branches[] = {required("else_branch", GRAPH), required("then_branch", GRAPH)};
constexpr Parameter if_inputs[] = {{"cond", B}};
constexpr Parameter if_outputs[] = {Parameter::heterogeneous("outputs", V, 1)};

constexpr Signature if_signature{branches, if_inputs, if_outputs, {V, B}};

constexpr OperatorVersion if_row(int since, TypeSet types) { return {since, &if_signature, {types, Dtype::boolean}}; }

constexpr OperatorVersion if_versions[] = {
    if_row(1, types::all_opset_1),   if_row(11, types::all_opset_1),  if_row(13, types::all_opset_1),
    if_row(16, types::all_opset_13), if_row(19, types::all_opset_19), if_row(21, types::all_opset_21),
    if_row(23, types::all_opset_23), if_row(24, types::all_opset_24), if_row(25, types::all_opset_25)};

constexpr AttributeSpec body[] = {required("body", GRAPH)};
constexpr Parameter loop_inputs_1[] = {{"M", I, Optional}, {"cond", B, Optional}, Parameter::heterogeneous("v_initial", V, 1)};
constexpr Parameter loop_inputs[] = {{"M", I, Optional}, {"cond", B, Optional}, Parameter::heterogeneous("v_initial", V, 0)};
constexpr Parameter loop_outputs[] = {Parameter::heterogeneous("v_final_and_scan_outputs", V, 1)};

constexpr Signature loop_1{body, loop_inputs_1, loop_outputs, {V, I, B}};
constexpr Signature loop_signature{body, loop_inputs, loop_outputs, {V, I, B}};

constexpr OperatorVersion loop_row(int since, TypeSet types) {
  return {since, since == 1 ? &loop_1 : &loop_signature, {types, Dtype::int64, Dtype::boolean}};
}

constexpr OperatorVersion loop_versions[] = {
    loop_row(1, types::all_opset_1),   loop_row(11, types::all_opset_1),  loop_row(13, types::all_opset_1),
    loop_row(16, types::all_opset_13), loop_row(19, types::all_opset_19), loop_row(21, types::all_opset_21),
    loop_row(23, types::all_opset_23), loop_row(24, types::all_opset_24), loop_row(25, types::all_opset_25)};

constexpr AttributeSpec scan_8[] = {required("body", GRAPH), {"directions", INTS}, required("num_scan_inputs", INT)};
constexpr AttributeSpec scan_9[] = {required("body", GRAPH),    required("num_scan_inputs", INT),
                                    {"scan_input_axes", INTS},  {"scan_input_directions", INTS},
                                    {"scan_output_axes", INTS}, {"scan_output_directions", INTS}};
constexpr Parameter scan_inputs_8[] = {{"sequence_lens", I, Optional},
                                       Parameter::heterogeneous("initial_state_and_scan_inputs", V, 1)};
constexpr Parameter scan_inputs[] = {Parameter::heterogeneous("initial_state_and_scan_inputs", V, 1)};
constexpr Parameter scan_outputs[] = {Parameter::heterogeneous("final_state_and_scan_outputs", V, 1)};

constexpr Signature scan_signature_8{scan_8, scan_inputs_8, scan_outputs, {I, V}};
constexpr Signature scan_signature{scan_9, scan_inputs, scan_outputs, {V}};

constexpr OperatorVersion scan_row(int since, TypeSet types) { return {since, &scan_signature, {types}}; }

constexpr OperatorVersion scan_versions[] = {{8, &scan_signature_8, {Dtype::int64, types::all_opset_1}},
                                             scan_row(9, types::all_opset_1),
                                             scan_row(11, types::all_opset_1),
                                             scan_row(16, types::all_opset_13),
                                             scan_row(19, types::all_opset_19),
                                             scan_row(21, types::all_opset_21),
                                             scan_row(23, types::all_opset_23),
                                             scan_row(24, types::all_opset_24),
                                             scan_row(25, types::all_opset_25)};

// Shape inference follows the graphs (shape_inference.h).
Status prepare(Call&) { return {}; }

}  // namespace

constinit const Operator if_operator{
    .name = "If",
    .versions = if_versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .traits = {.depends_on_data = true, .has_graphs = true},
};
constinit const Operator loop{
    .name = "Loop",
    .versions = loop_versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .traits = {.depends_on_data = true, .has_graphs = true},
};
constinit const Operator scan{
    .name = "Scan",
    .versions = scan_versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .traits = {.depends_on_data = true, .has_graphs = true},
};

const Operator* find_graph_operator(std::string_view domain, std::string_view name) {
  if (is_default_domain(domain)) {
    for (const Operator* op : {&if_operator, &loop, &scan}) {
      if (op->name == name) return op;
    }
  }
  return find_operator(domain, name);
}

Result<BodyParts> parts_of_body(const Node& node) {
  const Graph& graph = *node.graph("body");
  const std::size_t inputs = node.inputs.size();
  BodyParts parts;
  if (node.op == &loop) {
    parts.first_state = parts.extra_inputs = 2;
    parts.extra_outputs = 1;
    parts.states = inputs - 2;
  } else {
    parts.first_state = node.version->since_version == 8 ? 1 : 0;
    const std::int64_t scanned = node.attributes.find_int("num_scan_inputs").value_or(0);
    const std::size_t given = inputs - parts.first_state;
    if (scanned < 1 || static_cast<std::uint64_t>(scanned) > given) {
      return fail(Code::InvalidArgument, "num_scan_inputs is {}, wanted 1 to {}", scanned, given);
    }
    parts.scan_inputs = in_memory(scanned);
    parts.states = given - parts.scan_inputs;
  }
  const std::size_t wanted = parts.extra_inputs + parts.states + parts.scan_inputs;
  if (graph.inputs.size() != wanted) {
    return fail(Code::InvalidArgument, "the body has {} inputs, wanted {}", graph.inputs.size(), wanted);
  }
  const std::size_t least = parts.extra_outputs + parts.states;
  if (graph.outputs.size() < least) {
    return fail(Code::InvalidArgument, "the body has {} outputs, wanted {} or more", graph.outputs.size(), least);
  }
  parts.scan_outputs = graph.outputs.size() - least;
  if (node.outputs.size() > parts.states + parts.scan_outputs) {
    return fail(Code::InvalidArgument, "the node has {} outputs, but its body makes {}", node.outputs.size(),
                parts.states + parts.scan_outputs);
  }
  return parts;
}

}  // namespace broadloom
