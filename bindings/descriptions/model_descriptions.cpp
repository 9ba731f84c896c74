// Descriptions of models as JSON.
#include "core/text.h"
#include "descriptions/json_page.h"
#include "functions.h"
#include "graph/infer/shape_inference.h"
#include "models.h"
#include "tensors.h"

namespace broadloom {

namespace {

void write_dtype(JsonWriter& to, Dtype dtype) {
  to.key("type");
  dtype == Dtype::undefined ? to.value(nullptr) : to.value(info(dtype).name);
}

void write_name(JsonWriter& to, std::int64_t number) {
  to.begin_list();
  to.value(number);
  to.end_list();
}

void write_value_info(JsonWriter& to, const ValueInfo& value) {
  to.begin_object();
  to.field("name", value.name);
  write_type(to, value);
  to.end_object();
}

}  // namespace

void write_names(JsonWriter& to, std::span<const std::string_view> names) {
  to.list("names", names, [&](std::string_view name) { to.value(name); });
}

void write_type(JsonWriter& to, const ValueInfo& value) {
  write_dtype(to, value.dtype);
  to.key("dims");
  if (!value.has_shape) return to.value(nullptr);
  to.list(value.dims, [&](const Dimension& dim) {
    if (dim.value >= 0) return to.value(dim.value);
    dim.symbol < 0 ? to.value(nullptr) : write_name(to, dim.symbol);
  });
}

void write_inputs_and_outputs(JsonWriter& to, const Graph& graph) {
  to.list("inputs", graph.inputs, [&](const GraphInput& input) {
    if (input.initializer == nullptr) write_value_info(to, input.info);
  });
  to.list("outputs", graph.outputs, [&](const GraphOutput& output) { write_value_info(to, output.info); });
}

namespace {

// Writes nodes as ModelNode in js/src/model/nodes.ts has them.
class NodeWriter {
 public:
  NodeWriter(JsonWriter& to, const Model& model, const ShapeInference& inference, std::span<const std::string_view> names)
      : to_(to), model_(model), inference_(inference), names_(names) {}

  void write(const Graph& graph) {
    to_.list(graph.nodes, [&](const Node& node) { write(node); });
  }

 private:
  void write(const Node& node) {
    to_.begin_object();
    to_.field("name", node.name);
    to_.field("operator", node.op_type);
    to_.field("domain", node.domain);
    to_.key("version");
    node.runs() ? to_.value(node.version->since_version) : to_.value(nullptr);
    to_.key("unsupported");
    write_reason(node);
    to_.list("inputs", node.inputs, [&](const Value* value) { to_.value(name_of(value)); });
    to_.key("outputs");
    to_.begin_list();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) write(node.outputs[i], node.output_types[i]);
    to_.end_list();
    to_.key("attributes");
    write_attributes(to_, node);
    const std::string_view doc = model_.records.nodes[node.record].doc;
    if (!doc.empty()) to_.field("docString", doc);
    if (!node.graphs.empty()) {
      to_.key("graphs");
      to_.begin_object();
      for (const Subgraph& subgraph : node.graphs) {
        to_.key(subgraph.attribute);
        write(*subgraph.graph);
      }
      to_.end_object();
    }
    to_.end_object();
  }

  static std::string_view name_of(const Value* value) { return value == nullptr ? std::string_view() : value->name; }

  void write_reason(const Node& node) {
    const Subgraph* subgraph = unsupported_graph(node);
    if (!node.runs()) return to_.value(node.fault->text);
    if (subgraph == nullptr) return to_.value(nullptr);
    Text text;
    text.append("a node in its {} cannot run", subgraph->attribute);
    to_.value(text.view());
  }

  void write(const Value* value, Dtype dtype) {
    to_.begin_object();
    to_.field("name", name_of(value));
    to_.key("declared");
    const ValueInfo* declared = value == nullptr ? nullptr : value->declared;
    if (declared == nullptr || (declared->dtype == Dtype::undefined && !declared->has_shape)) {
      to_.value(nullptr);
    } else {
      to_.begin_object();
      write_type(to_, *declared);
      to_.end_object();
    }
    to_.key("inferred");
    write_inferred(value, dtype);
    to_.end_object();
  }

  void write_inferred(const Value* value, Dtype dtype) {
    const bool is_ranked = value != nullptr && inference_[*value].is_ranked() && !inference_.is_only_declared(*value);
    if (dtype == Dtype::undefined && !is_ranked) return to_.value(nullptr);
    to_.begin_object();
    write_dtype(to_, dtype);
    to_.key("dims");
    is_ranked ? to_.list(inference_[*value].dims(), [&](Size size) { write_size(size); }) : to_.value(nullptr);
    to_.end_object();
  }

  void write_size(Size size) {
    if (size.is_number()) return to_.value(size.number());
    const Expressions& expressions = inference_.expressions();
    if (const auto name = expressions.name_of(size)) return write_name(to_, *name);
    Text text;
    expressions.append(text, size, names_) ? to_.value(text.view()) : to_.value(nullptr);
  }

  JsonWriter& to_;
  const Model& model_;
  const ShapeInference& inference_;
  std::span<const std::string_view> names_;
};

}  // namespace

// -> JSON: names of sizes, nodes
double describeNodes(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    ShapeInference inference(model);
    BROADLOOM_CHECK(inference.run());
    BROADLOOM_TRY(names, size_names(model));
    return write_json([&](JsonWriter& to) {
      to.begin_object();
      write_names(to, names);
      to.key("nodes");
      NodeWriter(to, model, inference, names).write(*model.graph);
      to.end_object();
    });
  }());
}

// -> JSON: the address and the location of each initializer whose elements are in another file
double describeExternal(double handle) {
  return finish([&]() -> Status {
    return write_json([&](JsonWriter& to) {
      to.begin_list();
      for (const Graph& graph : model_of(handle).graphs()) {
        for (const Initializer& initializer : graph.initializers) {
          if (!initializer.is_promised) continue;
          to.begin_object();
          to.field("address", reinterpret_cast<std::uintptr_t>(&initializer));
          to.field("location", initializer.external->location);
          to.end_object();
        }
      }
      to.end_list();
    });
  }());
}

}  // namespace broadloom
