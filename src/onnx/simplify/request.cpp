#include "onnx/simplify/request.h"

#include <algorithm>
#include <utility>

#include "core/memory.h"
#include "core/text.h"
#include "graph/structure/name_index.h"
#include "graph/structure/relink.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

[[gnu::cold]] Failure list_known(const Error error, std::span<const std::string_view> known) {
  error->message.append("; the model has");
  const char* separator = "";
  for (const std::string_view one : known) {
    if (error->message.is_full()) break;
    error->message.append("{} {}", separator, quoted(one));
    separator = ",";
  }
  if (known.empty()) error->message.append(" none");
  return Failure(error);
}

[[gnu::cold]] Failure no_name(const char* kind, std::string_view name, std::span<const std::string_view> known) {
  return list_known(make_error(Code::InvalidArgument, "no {} {}", kind, quoted(name)), known);
}

// The input of this name, or an error that lists the model's inputs.
Result<GraphInput*> find_input(Model& model, std::string_view name) {
  const Value* value = model.find(name);
  if (value != nullptr && value->input != nullptr) return value->input;
  return no_input(name, *model.graph);
}

// Gives an inlined node the model's opset. It means the same there (fits_opset in model_reader.cpp).
Status take_opset(const Model& model, Node& node) {
  if (node.op == nullptr || node.opset == model.opset || model.opset == 0) return {};
  BROADLOOM_TRY(version, select_version(*node.op, model.opset));
  node.version = version;
  node.opset = model.opset;
  return {};
}

}  // namespace

const FixedSize* RequestedModel::find_size(std::string_view name) const {
  const Name* known = sizes_.find(name);
  return known == nullptr ? nullptr : &request_.sizes[known->number];
}

// The number of a name that request_.shapes gives.
const FixedSize* RequestedModel::find_given(std::string_view name) const {
  const FixedSize* size = find_size(name);
  const Name* known = size != nullptr ? nullptr : given_names_.find(name);
  return known == nullptr ? size : &given_sizes_[known->number];
}

Status RequestedModel::fix_size(std::string_view name, std::int64_t size) {
  BROADLOOM_CHECK(require_memory(request_.sizes.size() + 1, 2 * sizeof(FixedSize)));
  const std::string_view text = arena_.copy(name);
  if (sizes_.find_or_add(text, arena_).number == request_.sizes.size()) request_.sizes.push_back({text, size});
  return {};
}

// ---- Checks ----

Status RequestedModel::check(Model& model) {
  const std::vector<FixedSize> sizes = std::exchange(request_.sizes, {});
  for (const FixedSize& size : sizes) BROADLOOM_CHECK(fix_size(size.name, size.size));
  BROADLOOM_CHECK(check_names(model));
  return check_shapes(model);
}

Status RequestedModel::check_names(const Model& model) {
  BROADLOOM_CHECK(require_memory(model.graph->outputs.size(), 2 * sizeof(std::string_view)));
  std::vector<std::string_view> sizes;
  NameIndex listed;
  for (const GraphInput& input : model.graph->inputs) {
    for (const Dimension& dim : input.info.dims) {
      if (dim.value >= 0 || dim.name.empty()) continue;
      BROADLOOM_CHECK(require_memory(sizes.size() + 16, 2 * sizeof(std::string_view)));
      if (listed.find_or_add(dim.name, arena_).number == sizes.size()) sizes.push_back(dim.name);
    }
  }
  for (const SimplifyRequest::Shape& shape : request_.shapes) {
    for (const Dimension& dim : shape.dims) listed.find_or_add(dim.name, arena_);
  }
  for (const FixedSize& size : request_.sizes) {
    if (std::as_const(listed).find(size.name) == nullptr) return no_name("size", size.name, sizes);
  }
  std::vector<std::string_view> outputs;
  NameIndex known;
  for (const GraphOutput& output : model.graph->outputs) {
    outputs.push_back(output.info.name);
    known.find_or_add(output.info.name, arena_);
  }
  if (request_.has_outputs && request_.outputs.empty())
    return list_known(make_error(Code::InvalidArgument, "outputs is an empty list, wanted names of outputs"), outputs);
  for (const std::string_view name : request_.outputs) {
    if (std::as_const(known).find(name) == nullptr) return no_name("output", name, outputs);
  }
  return {};
}

// Fixes the size of an axis. If the axis has a name that is trusted, all axes of that name get the same number.
Status RequestedModel::check_size(const ValueInfo& info, std::size_t axis, const Dimension& declared, std::int64_t size) {
  if (declared.value >= 0 && declared.value != size) {
    return fail(Code::InvalidArgument, "size {} for axis {} of input {}, which is declared as {}", size, axis,
                quoted(info.name), declared.value);
  }
  if (declared.value >= 0 || declared.symbol < 0) return {};
  const FixedSize* known = find_size(declared.name);
  if (known != nullptr && known->size != size) {
    return fail(Code::InvalidArgument, "size {} for axis {} of input {}: {} is {} elsewhere", size, axis, quoted(info.name),
                quoted(declared.name), known->size);
  }
  return request_.options.trusts_names ? fix_size(declared.name, size) : Status();
}

// A name that the caller gives to axes is one size: if one of the axes declares a number, all of them have that number.
Status RequestedModel::check_given_name(const ValueInfo& info, std::size_t axis, std::string_view name, std::int64_t size) {
  const FixedSize* known = find_given(name);
  if (known != nullptr && known->size != size) {
    return fail(Code::InvalidArgument, "size {} for axis {} of input {}: {} is {} elsewhere", size, axis, quoted(info.name),
                quoted(name), known->size);
  }
  if (known != nullptr) return {};
  if (request_.options.trusts_names) return fix_size(name, size);
  BROADLOOM_CHECK(require_memory(given_sizes_.size() + 1, 2 * sizeof(FixedSize)));
  given_sizes_.push_back({name, size});
  given_names_.find_or_add(name, arena_);
  return {};
}

Status RequestedModel::check_shapes(Model& model) {
  for (SimplifyRequest::Shape& shape : request_.shapes) {
    BROADLOOM_TRY(input, find_input(model, shape.input));
    const ValueInfo& info = input->info;
    if (!info.has_shape) BROADLOOM_CHECK(check_rank(shape.dims.size()));
    if (info.has_shape && info.dims.size() != shape.dims.size()) {
      const Error error = make_error(Code::InvalidArgument, "{} size{s} for input {}, which is declared as ", shape.dims.size(),
                                     quoted(info.name));
      append_dims(error->message, info);
      return Failure(error);
    }
    std::size_t axis = 0;
    for (const Dimension& declared : info.dims) {
      const Dimension& given = shape.dims[axis];
      if (given.value >= 0) BROADLOOM_CHECK(check_size(info, axis, declared, given.value));
      if (declared.value >= 0 && !given.name.empty()) BROADLOOM_CHECK(check_given_name(info, axis, given.name, declared.value));
      ++axis;
    }
  }
  for (SimplifyRequest::Value& given : request_.values) {
    BROADLOOM_TRY(input, find_input(model, given.input));
    if (given.form != FeedForm::tensor) {
      BROADLOOM_TRY(tensor, declared_tensor(input->info, given.tensor, given.form));
      given.tensor = std::move(tensor);
      given.form = FeedForm::tensor;
    }
    BROADLOOM_CHECK(check_feed(input->info, given.tensor));
    std::size_t axis = 0;
    for (const Dimension& declared : input->info.dims) {
      BROADLOOM_CHECK(check_size(input->info, axis, declared, given.tensor.run_dims()[axis]));
      ++axis;
    }
  }
  return {};
}

// ---- The requested model ----

Status RequestedModel::apply(Model& model) {
  fix_sizes(model);
  BROADLOOM_CHECK(set_shapes(model));
  BROADLOOM_CHECK(set_values(model));
  choose_outputs(model);
  BROADLOOM_CHECK(find_needed_annotations(model));
  for (Graph& graph : model.graphs()) {
    for (Node& node : graph.nodes) {
      if (!model.has_calls) BROADLOOM_CHECK(take_opset(model, node));
    }
  }
  return relink(model);
}

// Replaces the names of fixed sizes by their numbers in all declarations. Outputs of loop bodies stay as they are: if a Loop
// makes no iteration, names of their sizes stand for 0.
void RequestedModel::fix_sizes(Model& model) {
  if (request_.sizes.empty()) return;
  const auto fix = [&](ValueInfo& info) {
    for (Dimension& dim : info.dims) {
      const FixedSize* size = dim.value >= 0 || dim.name.empty() ? nullptr : find_size(dim.name);
      if (size == nullptr) continue;
      dim.value = size->size;
      dim.name = {};
      dim.symbol = -1;
      if (info.record != 0) model.records.others.at(info.record).is_changed = true;
    }
  };
  for (Graph& graph : model.graphs()) {
    const bool is_body = graph.attribute == "body";
    for (GraphInput& input : graph.inputs) fix(input.info);
    for (GraphOutput& output : graph.outputs) {
      if (!is_body) fix(output.info);
    }
    for (Node& node : graph.nodes) {
      for (Value* value : node.outputs) {
        const bool is_declared = value != nullptr && value->declared != nullptr;
        if (is_declared && !(is_body && value->is_output)) fix(*value->declared);
      }
    }
  }
}

Status RequestedModel::set_shapes(Model& model) {
  for (const SimplifyRequest::Shape& shape : request_.shapes) {
    BROADLOOM_TRY(input, find_input(model, shape.input));
    ValueInfo& info = input->info;
    if (!info.has_shape) {
      for (std::size_t i = 0; i < shape.dims.size(); ++i) info.dims.add(model.arena);
    }
    info.has_shape = true;
    if (info.record != 0) model.records.others.at(info.record).is_changed = true;
    std::size_t axis = 0;
    for (Dimension& dim : info.dims) {
      const Dimension& given = shape.dims[axis++];
      if (given.value >= 0) dim.value = given.value;
      if (given.value >= 0 || given.name.empty() || dim.value >= 0) continue;
      const FixedSize* size = find_given(given.name);
      dim.name = given.name;
      dim.is_given = true;
      dim.symbol = static_cast<std::int32_t>(model.symbols.find_or_add(model.arena.copy(given.name), model.arena).number);
      if (size != nullptr) dim.value = size->size;
    }
  }
  return {};
}

Status RequestedModel::set_values(Model& model) {
  const auto make_constant = [](GraphInput& input) {
    input.is_dropped = true;
    input.value->input = nullptr;
    input.value->initializer = input.initializer;
  };
  for (const SimplifyRequest::Value& given : request_.values) {
    BROADLOOM_TRY(input, find_input(model, given.input));
    if (input->initializer == nullptr) input->initializer = &model.graph->initializers.add(model.arena);
    Initializer& initializer = *input->initializer;
    initializer.value = input->value;
    BROADLOOM_TRY(dense, densify(given.tensor));
    initializer.tensor = std::move(dense);
    initializer.external = nullptr;
    initializer.sparse.reset();
    initializer.record = 0;
    make_constant(*input);
  }
  for (GraphInput& input : model.graph->inputs) {
    const bool has_default = input.initializer != nullptr && !input.is_dropped;
    if (has_default && model.ir_version < first_ir_version_with_defaults) make_constant(input);
  }
  return {};
}

void RequestedModel::choose_outputs(Model& model) {
  if (!request_.has_outputs) return;
  NameIndex kept;
  for (const std::string_view name : request_.outputs) kept.find_or_add(name, arena_);
  for (GraphOutput& output : model.graph->outputs) {
    output.is_dropped = std::as_const(kept).find(output.info.name) == nullptr;
  }
}

namespace {

// Marks, by their places, the values that the outputs of the graph need.
void need(const Graph& graph, std::vector<bool>& needed) {
  for (const GraphOutput& output : graph.outputs) {
    if (!output.is_dropped) needed[output.value->place] = true;
  }
  for (const NamedValue& named : graph.named) needed[named.value->place] = true;
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    const Node& node = *graph.order[i];
    const bool is_needed =
        node.outputs.empty() || std::any_of(node.outputs.begin(), node.outputs.end(),
                                            [&](const Value* value) { return value != nullptr && needed[value->place]; });
    if (!is_needed) continue;
    for (const Value* input : node.inputs) {
      if (input != nullptr) needed[input->place] = true;
    }
    for (const Subgraph& subgraph : node.graphs) need(*subgraph.graph, needed);
  }
}

}  // namespace

// An annotation of what no output needs goes with it. All others stay, whatever becomes of the nodes around.
Status RequestedModel::find_needed_annotations(Model& model) {
  if (request_.options.skipped.test(place_of(Pass::eliminate_dead_code))) return {};
  std::vector<bool> needed;
  for (const Graph& graph : model.graphs()) {
    if (graph.annotations.size() == 0) continue;
    if (needed.empty()) {
      BROADLOOM_CHECK(require_memory(model.frame_size, 1));
      needed.resize(model.frame_size);
      need(*model.graph, needed);
    }
    for (Annotation& annotation : graph.annotations) {
      annotation.is_needed = annotation.value == nullptr || needed[annotation.value->place];
    }
  }
  return {};
}

}  // namespace broadloom
