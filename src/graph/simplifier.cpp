#include "graph/simplifier.h"

#include <algorithm>
#include <cstring>

#include "core/memory.h"
#include "graph/execution.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

// What a node may make with elements that are not weights, and computed for nothing if it turns out to be too large.
constexpr std::int64_t most_computed = std::int64_t{1} << 20;

// An operator that tells others in which type to compute stays where it is.
bool quantises(const Node& node) { return node.op != nullptr && node.op->traits.quantises; }

// Whether the elements are there, and none stands for what is not known.
bool is_known(const Tensor& tensor) {
  if (!tensor.has_elements() || !tensor.is_ranked()) return false;
  if (!std::all_of(tensor.dims().begin(), tensor.dims().end(), is_number)) return false;
  if (tensor.dtype != Dtype::int64) return true;
  if (tensor.count() == 0) return true;
  const auto* elements = reinterpret_cast<const std::int64_t*>(tensor.data());
  const Span span = span_of(tensor.layout);
  return std::all_of(elements + span.lowest, elements + span.highest + 1, is_number);
}

}  // namespace

void Simplifier::Seen::add(const void* bytes, std::size_t size) {
  const auto* first_byte = static_cast<const char*>(bytes);
  key.insert(key.end(), first_byte, first_byte + size);
}

void Simplifier::Seen::add(std::string_view text) {
  add(text.data(), text.size());
  key.push_back('\0');
}

void Simplifier::Seen::add(std::span<const std::int64_t> numbers) {
  add(static_cast<std::int64_t>(numbers.size()));
  add(numbers.data(), numbers.size_bytes());
}

std::size_t Simplifier::Seen::number(Arena& arena) {
  const std::string_view text{key.data(), key.size()};
  const Value* found = std::as_const(index).find(text);
  return found != nullptr ? found->number : index.find_or_add(arena.copy(text), arena).number;
}

Status Simplifier::run() {
  BROADLOOM_CHECK(require_memory(model().frame_size, 2 * (sizeof(void*) + sizeof(Tensor))));
  add_new_values();
  if (is_on(Pass::inline_if) && drops_failures()) BROADLOOM_CHECK(decide_conditions());
  BROADLOOM_CHECK(rewrite(*model().graph));
  // A caller may give any input, also one that has a default and that nobody reads.
  for (const GraphInput& input : model().graph->inputs) {
    if (!input.is_dropped) need(input.value);
  }
  BROADLOOM_CHECK(sweep(*model().graph));
  for (const Graph& graph : model().graphs()) {
    for (const Initializer& initializer : graph.initializers) {
      const Value& value = *initializer.value;
      if (value.is_needed || value.is_of_constant) continue;
      if (initializer.record != nullptr) progress().count(Pass::eliminate_unused_initializer);
      if (is_old(value)) dropped();
    }
  }
  return {};
}

// Exporters write an If where they could not know a rank. Often only one branch gives what the nodes behind it can take. Each
// condition takes two looks at the whole model, so there is a limit.
Status Simplifier::decide_conditions() {
  constexpr std::size_t most_nodes = std::size_t{1} << 15;
  std::size_t nodes = 0;
  for (const Graph& graph : model().graphs()) nodes += graph.nodes.size();
  std::size_t left = nodes == 0 || inference().fails() ? 0 : std::min<std::size_t>(most_nodes / nodes, 32);
  const Value* last = nullptr;
  for (const Node* node : model().graph->order) {
    if (node->op != &if_operator || left == 0) continue;
    const Value& condition = *node->inputs[0];
    if (condition.producer == nullptr || &condition == last || is_known(inference()[condition])) continue;
    last = &condition;
    --left;
    Tensor possible;
    int count = 0;
    for (const bool holds : {false, true}) {
      ShapeInference inference(model(), true);
      inference.assume(condition, holds);
      BROADLOOM_CHECK(inference.run());
      if (inference.fails()) continue;
      possible = inference[condition];
      ++count;
    }
    if (count == 1) set_constant(*node->inputs[0], std::move(possible));
  }
  return {};
}

// ---- On the way down ----

bool Simplifier::is_passed_by(const Node& node) {
  const Same same = unchanged(node);
  if (same.value == nullptr || !is_on(same.pass) || !replace(*node.outputs[0], *same.value)) return false;
  changed(same.pass);
  return true;
}

Status Simplifier::rewrite(Graph& graph) {
  add_constants(graph);
  Seen seen;
  find_repeated_constants(graph, seen);
  for (Node* node : graph.order) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(rewrite(graph, *node, seen));
  }
  for (GraphOutput& output : graph.outputs) output.value = &resolved(*output.value);
  BROADLOOM_CHECK(require_memory(seen.first.size() + seen.kept.size(), sizeof(void*)));
  graph.order = model().arena.make_list<Node*>(seen.first.size() + seen.kept.size());
  std::copy(seen.kept.begin(), seen.kept.end(), std::copy(seen.first.begin(), seen.first.end(), graph.order.begin()));
  return {};
}

Status Simplifier::rewrite(Graph& graph, Node& node, Seen& seen) {
  const auto keep = [&]() -> Status {
    BROADLOOM_CHECK(require_memory(seen.kept.size(), 2 * sizeof(void*)));
    seen.kept.push_back(&node);
    return {};
  };
  if (node.is_constant) {
    Value* value = node.outputs.empty() ? nullptr : node.outputs[0];
    // What a graph gives is made by a node; sparse tensors stay where every runtime knows them.
    if (value == nullptr || value->is_output || value->initializer->sparse != nullptr) return keep();
    if (!is_on(Pass::extract_constant_to_initializer)) return keep();
    value->producer = nullptr;
    value->is_produced = false;
    value->is_defined = true;
    changed(Pass::extract_constant_to_initializer);
    return {};
  }
  for (Value*& input : node.inputs) {
    if (input != nullptr) input = &resolved(*input);
  }
  if (is_passed_by(node)) return {};
  bool is_known_node = !node.outputs.empty() && node.runs();
  for (const Value* output : node.outputs) {
    if (output == nullptr || !is_known_node) continue;
    const Tensor& tensor = facts(*output);
    is_known_node = tensor.dtype == output->dtype && is_known(tensor);
  }
  if (!is_on(Pass::fold_constants)) {
    // All is kept.
  } else if (is_known_node && !quantises(node)) {
    for (Value* output : node.outputs) {
      if (output != nullptr) set_constant(*output, facts(*output));
    }
  } else if (node.outputs.empty() || !are_constants(node)) {
    BROADLOOM_CHECK(node.graphs.empty() ? evaluate(node) : run_loop(graph, node));
  }
  const bool is_computed = !node.outputs.empty() && are_constants(node);
  // One with graphs may stay all the same, with what these read.
  if (is_computed && node.graphs.empty()) return keep();
  if (node.op == &if_operator && is_on(Pass::inline_if)) {
    const Tensor* condition = constant(node.inputs[0]);
    if (condition != nullptr && condition->count() == 1) return inline_branch(graph, node, seen);
  }
  if (node.op == &loop && node.is_checked() && options().most_iterations > 0 && !is_computed) {
    BROADLOOM_TRY(is_unrolled, unroll(graph, node, seen));
    if (is_unrolled) return {};
  }
  for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(rewrite(*subgraph.graph));
  if (is_computed) return keep();
  BROADLOOM_CHECK(change(graph, node));
  if (options().keeps == Keeps::values) {
    BROADLOOM_CHECK(fuse(graph, node, seen));
    if (!node.outputs.empty() && node.outputs[0] != nullptr && is_replaced(*node.outputs[0])) return {};
  }
  // A change may have made it one that changes nothing.
  if (is_passed_by(node)) return {};
  if (find_repeated(node, seen)) return {};
  return keep();
}

Status Simplifier::inline_branch(Graph& graph, Node& node, Seen& seen) {
  const bool condition = *constant(node.inputs[0])->data() != std::byte{0};
  Graph& branch = const_cast<Graph&>(*node.graph(condition ? "then_branch" : "else_branch"));
  changed(Pass::inline_if);
  add_constants(branch);
  take_initializers(graph, branch);
  for (Node* inner : branch.order) {
    BROADLOOM_CHECK(require_memory());
    for (Value* value : inner->outputs) {
      if (value == nullptr) continue;
      value->graph = &graph;
      // Whoever reads the If's output will read it.
      if (value->is_output) ++value->reads;
      value->is_output = false;
    }
    for (const Subgraph& subgraph : inner->graphs) subgraph.graph->outer = &graph;
  }
  for (Node* inner : branch.order) BROADLOOM_CHECK(rewrite(graph, *inner, seen));
  std::size_t i = 0;
  for (const GraphOutput& output : branch.outputs) {
    Value* given = node.outputs[i++];
    if (given == nullptr) continue;
    Value& made = resolved(*output.value);
    if (replace(*given, made)) continue;
    Value* inputs[] = {&made};
    Node& identity = new_node(graph, op::identity, inputs, *given, node.opset);
    BROADLOOM_CHECK(require_memory(seen.kept.size(), 2 * sizeof(void*)));
    if (const Tensor* elements = constant(&made)) set_constant(*given, *elements);
    seen.kept.push_back(&identity);
  }
  return {};
}

void Simplifier::find_repeated_constants(Graph& graph, Seen& seen) {
  if (!is_on(Pass::eliminate_duplicate_initializer)) return;
  constexpr std::size_t most_bytes = 16384;
  for (const Initializer& initializer : graph.initializers) {
    Value& value = *initializer.value;
    const Tensor& tensor = initializer.tensor;
    if (value.input != nullptr || value.is_output || tensor.dtype == Dtype::string || !require_memory()) continue;
    const bool is_left = initializer.external != nullptr && initializer.sparse == nullptr;
    if (!is_left && (!tensor.has_elements() || !is_dense(tensor) || dense_size(tensor) > most_bytes)) continue;
    seen.key.clear();
    seen.add(is_left ? "left" : "constant");
    seen.add(static_cast<std::int64_t>(tensor.dtype));
    seen.add(tensor.dims().values());
    if (is_left) {
      seen.add(initializer.external->location);
      seen.add(initializer.external->offset);
      seen.add(initializer.external->length);
    } else {
      seen.add(tensor.data(), dense_size(tensor));
    }
    const std::size_t number = seen.number(keys_);
    if (number == seen.values.size()) {
      seen.values.push_back(&value);
      seen.nodes.push_back(nullptr);
    } else if (is_read(value) && replace(value, *seen.values[number])) {
      changed(Pass::eliminate_duplicate_initializer);
    }
  }
}

// Adds what tells the node's attributes from others. False where that cannot be said.
bool Simplifier::add_attributes(const Node& node, Seen& seen) {
  if (!node.is_changed && node.written_attributes != 0) {
    seen.add("written");
    seen.add(static_cast<std::int64_t>(node.written_attributes));
    return true;
  }
  if (!node.has_comparable_attributes()) return false;
  for (const Attribute& one : node.attributes) {
    seen.add(one.spec->name);
    seen.add(static_cast<std::int64_t>(one.spec->type));
    seen.add(one.value.integer);
    seen.add(&one.value.number, sizeof one.value.number);
    const Tensor& tensor = one.value.tensor;
    if (!tensor.has_elements()) continue;
    seen.add(static_cast<std::int64_t>(tensor.dtype));
    seen.add(tensor.dims().values());
    seen.add(tensor.data(), dense_size(tensor));
  }
  return true;
}

// Nodes that do the same with the same are one. So are nodes that make a list of the same sizes: of two, the first is enough.
bool Simplifier::find_repeated(Node& node, Seen& seen) {
  if (!is_on(Pass::eliminate_common_subexpression)) return false;
  if (!is_default_domain(node.domain) || node.outputs.empty() || node.outputs[0] == nullptr || !node.graphs.empty())
    return false;
  if (node.op == nullptr || node.op->traits.is_random) return false;
  const auto look_up = [&]() -> const Node* {
    const std::size_t number = seen.number(keys_);
    if (number < seen.values.size()) return seen.nodes[number];
    seen.values.push_back(node.outputs[0]);
    seen.nodes.push_back(&node);
    return nullptr;
  };
  const auto give = [&](const Node& other) {
    if (other.outputs.size() != node.outputs.size()) return false;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      // What is an output has a name of its own to keep.
      const Value* output = node.outputs[i];
      if (output == nullptr) continue;
      if (output->is_output || other.outputs[i] == nullptr || !can_replace(*output, *other.outputs[i])) return false;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != nullptr) replace(*node.outputs[i], *other.outputs[i]);
    }
    changed(Pass::eliminate_common_subexpression);
    return true;
  };
  if (!require_memory()) return false;
  seen.key.clear();
  const Tensor& made = facts(*node.outputs[0]);
  if (drops_failures() && node.outputs.size() == 1 && made.dtype == Dtype::int64 && made.has_elements() && made.is_ranked() &&
      is_dense(made)) {
    const auto* elements = reinterpret_cast<const Size*>(made.data());
    if (std::find(elements, elements + made.count(), unknown_size) == elements + made.count()) {
      seen.add("sizes");
      seen.add(made.dims().values());
      seen.add(elements, dense_size(made));
      const Node* other = look_up();
      return other != nullptr && give(*other);
    }
  }
  seen.add("node");
  seen.add(node.op_type);
  seen.add(static_cast<std::int64_t>(node.outputs.size()));
  seen.add(static_cast<std::int64_t>(node.inputs.size()));
  for (const Value* input : node.inputs) seen.add(input == nullptr ? -1 : static_cast<std::int64_t>(input->place));
  if (!add_attributes(node, seen)) return false;
  const Node* other = look_up();
  return other != nullptr && give(*other);
}

// ---- Constants ----

// Computes a node whose inputs are all constants, if it runs here.
Status Simplifier::evaluate(Node& node) {
  if (!node.runs() || !node.graphs.empty() || node.inputs.empty()) return {};
  if (quantises(node)) return {};
  bool lacks_elements = false;
  for (const Value* input : node.inputs) {
    if (input == nullptr || constant(input) != nullptr) continue;
    if (!can_load(*input)) return {};
    lacks_elements = true;
  }
  if (lacks_elements) {
    want_elements(node);
    return {};
  }
  BROADLOOM_CHECK(require_memory(node.inputs.size(), most_layout_bytes + sizeof(Tensor)));
  BROADLOOM_CHECK(require_outputs(node.outputs.size()));
  InlineVector<const Tensor*, 8> inputs(node.inputs.size());
  std::int64_t freed = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == nullptr) continue;
    inputs[i] = constant(node.inputs[i]);
    if (has_one_reader(*node.inputs[i])) freed += bytes_of(*inputs[i]);
  }
  std::vector<Tensor> outputs(node.outputs.size());
  Call call{*node.version, inputs.values(), node.attributes, node.output_types, outputs};
  // What fails here fails in every run: the model says so when it runs.
  if (!node.op->prepare(call)) return {};
  const std::int64_t limit = std::max(most_computed, progress().growth_left + freed);
  for (const Tensor& output : outputs) {
    const bool fits = output.is_ranked() && (output.has_elements() || bytes_of(output) <= limit);
    if (!fits) {
      ++progress().too_large;
      return {};
    }
  }
  progress().work_left -= work_of(*node.op, call);
  if (progress().work_left < 0) {
    ++progress().too_large;
    return {};
  }
  if (!is_finished(call) && (!node.op->computes() || !complete(*node.op, call) || !is_finished(call))) return {};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] != nullptr && outputs[i].dtype == node.outputs[i]->dtype) {
      set_constant(*node.outputs[i], std::move(outputs[i]));
    }
  }
  return {};
}

// Sets in the frame what the node and its graphs read. False where that is not the same in every run, or where a node does not
// run here. `depth` is that of the graph around.
bool Simplifier::can_run(const Node& node, std::size_t depth, std::span<Tensor> frame) const {
  if (!node.runs() || node.op->traits.is_random) return false;
  const auto is_given = [&](Value* value) {
    if (value == nullptr) return true;
    const bool is_inside = value->graph->depth > depth;
    const Tensor* elements = is_inside ? nullptr : constant(&resolved(*value));
    if (is_inside && value->initializer != nullptr) elements = &value->initializer->tensor;
    if (elements != nullptr) frame[value->place] = *elements;
    // Elements that are not written out yet, those of sparse ones, may be more than the file is worth.
    return elements != nullptr ? elements->has_elements() : is_inside;
  };
  bool can = std::all_of(node.inputs.begin(), node.inputs.end(), is_given);
  for (const Subgraph& subgraph : node.graphs) {
    for (const Node* inner : subgraph.graph->order) can = can && (inner->is_constant || can_run(*inner, depth, frame));
    for (const GraphOutput& output : subgraph.graph->outputs) can = can && is_given(output.value);
  }
  return can;
}

// Computes a Loop or Scan that is the same in every run. Its iterations, which the file only names, have a limit of their own.
Status Simplifier::run_loop(const Graph& graph, const Node& node) {
  constexpr double most_work = 1 << 22;
  if (node.op == &if_operator || !reads_constants(node)) return {};
  progress().loop_work_left -= static_cast<double>(model().frame_size);
  if (progress().loop_work_left < 0) return {};
  BROADLOOM_CHECK(require_memory(model().frame_size, sizeof(Tensor)));
  std::vector<Tensor> frame(constants().begin(), constants().end());
  if (!can_run(node, graph.depth, frame)) return {};
  double work = std::min(progress().loop_work_left, most_work);
  progress().loop_work_left -= work;
  // What fails here fails in every run, unless it is too much.
  const bool has_run = static_cast<bool>(Execution(frame, &work).run(node));
  progress().loop_work_left += work;
  if (work < 0) ++progress().too_large;
  if (!has_run) return {};
  for (Value* output : node.outputs) {
    if (output == nullptr || frame[output->place].dtype != output->dtype) continue;
    set_constant(*output, std::move(frame[output->place]));
  }
  return {};
}

// Asks for the elements that a computation needs, if what it makes will not be too large. Those that are loaded now are not
// kept for the next round: it asks for them again.
void Simplifier::want_elements(const Node& node) {
  std::int64_t wanted = 0;
  std::int64_t freed = 0;
  for (const Value* input : node.inputs) {
    if (input == nullptr) continue;
    const Tensor* elements = constant(input);
    const bool loads = elements == nullptr || is_left(*input);
    const std::int64_t bytes = bytes_of(loads ? input->initializer->tensor : *elements);
    if (loads) wanted += bytes;
    if (has_one_reader(*input)) freed += bytes;
  }
  if (wanted > 2 * most_wanted || !may_want(wanted)) return;
  for (const Value* output : node.outputs) {
    if (output == nullptr) continue;
    const Tensor& tensor = facts(*output);
    const bool has_dims = tensor.is_ranked() && std::all_of(tensor.dims().begin(), tensor.dims().end(), is_number);
    if (!has_dims || tensor.dtype == Dtype::undefined) return;
    freed -= bytes_of({tensor.dtype, uniform_layout(tensor.dims())});
  }
  if (-freed > progress().growth_left) return;
  for (const Value* input : node.inputs) {
    if (input != nullptr && is_left(*input)) want(*input);
  }
}

// ---- On the way up ----

Result<bool> Simplifier::materialise(Node& node) {
  std::int64_t cost = node.caller == nullptr ? -static_cast<std::int64_t>(node.written_bytes) : 0;
  for (const Value* output : node.outputs) {
    if (output == nullptr || !output->is_needed) continue;
    cost += bytes_of(*constant(output)) + static_cast<std::int64_t>(output->name.size());
  }
  for (const Value* input : node.inputs) {
    // The model that a run's copy was made of keeps what it has.
    const bool is_freed = options().keeps != Keeps::all && input != nullptr && has_one_reader(*input) && !input->is_needed &&
                          input->initializer != nullptr;
    if (is_freed) cost -= bytes_of(input->initializer->tensor);
  }
  // By this the node makes more of what it reads. A node that reads large results let these be computed for something.
  std::int64_t added = options().grows ? 0 : cost;
  for (const Value* input : node.inputs) {
    const Tensor* read = constant(input);
    if (read != nullptr && added > 0) added -= bytes_of(*read);
  }
  if ((cost > 0 && cost > progress().growth_left) || (added > 0 && added > progress().unasked_left)) {
    ++progress().too_large;
    return false;
  }
  progress().growth_left -= cost;
  if (added > 0) progress().unasked_left -= added;
  for (Value* output : node.outputs) {
    if (output == nullptr || !output->is_needed) continue;
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(dense, densify(*constant(output)));
    if (output->is_output) {
      become(node, op::constant, {});
      set_attribute(node, "value", std::move(dense));
      return false;
    }
    make_initializer(*output, std::move(dense));
  }
  return true;
}

Status Simplifier::sweep(Graph& graph) {
  for (const GraphOutput& output : graph.outputs) {
    if (!output.is_dropped) need(output.value);
  }
  for (const GraphInput& input : graph.inputs) {
    if (graph.is_of_unknown()) need(input.value);
  }
  for (const NamedValue& named : graph.named) need(named.value);
  if (is_skipped(Pass::eliminate_unused_initializer)) {
    for (const Initializer& initializer : graph.initializers) need(initializer.value);
  }
  std::size_t first = graph.order.size();
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    BROADLOOM_CHECK(require_memory());
    Node& node = *graph.order[i];
    const bool is_needed =
        node.outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(),
                                            [](const Value* value) { return value != nullptr && value->is_needed; });
    const bool is_computed =
        !node.is_constant && are_constants(node) && !node.outputs.empty() && (drops_failures() || reads_constants(node));
    const bool is_dropped_unread = is_computed || node.is_constant || is_skipped(Pass::eliminate_dead_code) == false;
    if (!is_needed && is_dropped_unread) {
      if (node.record != nullptr) progress().count(is_computed ? Pass::fold_constants : Pass::eliminate_dead_code);
      if (node.position != new_position) dropped();
      continue;
    }
    // One of several outputs that the graph gives stays the node's.
    const bool has_output = std::any_of(node.outputs.begin(), node.outputs.end(),
                                        [](const Value* value) { return value != nullptr && value->is_output; });
    if (is_computed && (!has_output || node.outputs.size() == 1)) {
      BROADLOOM_TRY(is_dropped, materialise(node));
      if (is_dropped || node.op == &op::constant) changed(Pass::fold_constants);
      if (is_dropped) continue;
    }
    for (Value* input : node.inputs) need(input);
    for (const Subgraph& subgraph : node.graphs) BROADLOOM_CHECK(sweep(*subgraph.graph));
    graph.order[--first] = &node;
  }
  graph.order = graph.order.subspan(first);
  return {};
}

}  // namespace broadloom
