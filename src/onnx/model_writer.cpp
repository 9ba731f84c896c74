#include "onnx/model_writer.h"

#include <algorithm>
#include <initializer_list>

#include "core/memory.h"
#include "graph/control_flow.h"
#include "graph/unique_names.h"
#include "onnx/attribute_proto.h"
#include "onnx/split_file.h"
#include "onnx/tensor_proto.h"

namespace broadloom {
namespace {

// Field numbers.
namespace model_proto {
constexpr std::uint32_t ir_version = 1, graph = 7, opset_import = 8, functions = 25;
}
namespace graph_proto {
constexpr std::uint32_t node = 1, initializer = 5, input = 11, output = 12, value_info = 13, quantization_annotation = 14,
                        sparse_initializer = 15;
}
namespace node_proto {
constexpr std::uint32_t input = 1, output = 2, name = 3, op_type = 4, attribute = 5, overload = 8;
}
namespace attribute_proto {
constexpr std::uint32_t name = 1, graph = 6, ref_attr_name = 21;
}
constexpr std::uint32_t tensor_name = 8, tensor_raw_data = 9;
namespace value_info_proto {
constexpr std::uint32_t name = 1, type = 2;
}

using Fields = std::initializer_list<std::uint32_t>;

bool is_in(std::uint32_t field, Fields fields) { return std::find(fields.begin(), fields.end(), field) != fields.end(); }

// Gives each value and node that is written a name that no other has.
class Namer {
 public:
  explicit Namer(Model& model) : model_(model), values_(model.arena), nodes_(model.arena) {}

  Status run() {
    // Those of inputs and outputs are the user's.
    const Graph& graph = *model_.graph;
    for (const GraphInput& input : graph.inputs) BROADLOOM_CHECK(name(*input.value));
    for (const GraphOutput& output : graph.outputs) BROADLOOM_CHECK(name(*output.value));
    // New names are none that a graph of an operator that is not known hides.
    for (const Graph& inner : model_.graphs()) {
      if (!inner.is_of_unknown()) continue;
      for (const GraphInput& input : inner.inputs) BROADLOOM_CHECK(values_.reserve(input.value->name));
      for (const GraphOutput& output : inner.outputs) BROADLOOM_CHECK(values_.reserve(output.value->name));
    }
    return name(*model_.graph);
  }

  // Gives back the names that there were before.
  void undo() {
    for (std::size_t i = changed_.size(); i-- > 0;) *changed_[i].name = changed_[i].before;
  }

 private:
  Status name(Graph& graph) {
    for (GraphInput& input : graph.inputs) BROADLOOM_CHECK(name(*input.value));
    // What is new comes last: the others keep their names.
    BROADLOOM_CHECK(name_initializers(graph, false));
    for (Node* node : graph.order) {
      if (!node->name.empty()) BROADLOOM_CHECK(claim(nodes_, node->name, node));
      for (Value* output : node->outputs) {
        if (output != nullptr) BROADLOOM_CHECK(name(*output));
      }
      for (const Subgraph& subgraph : node->graphs) BROADLOOM_CHECK(name(*subgraph.graph));
    }
    return name_initializers(graph, true);
  }

  Status name_initializers(Graph& graph, bool are_new) {
    for (Initializer& initializer : graph.initializers) {
      if (initializer.message.empty() == are_new) BROADLOOM_CHECK(name(*initializer.value));
    }
    return {};
  }

  // A graph of an operator that is not known keeps the names of its inputs and outputs, also those that hide others.
  Status name(Value& value) {
    const bool keeps_name = value.graph->is_of_unknown() && (value.input != nullptr || value.is_output);
    return keeps_name ? Status() : claim(values_, value.name, &value);
  }

  Status claim(UniqueNames& names, std::string_view& name, const void* owner) {
    const std::string_view before = name;
    BROADLOOM_CHECK(names.claim(name, owner));
    if (name.data() == before.data()) return {};
    BROADLOOM_CHECK(require_memory(changed_.size() + 1, 2 * sizeof(Change)));
    changed_.push_back({&name, before});
    return {};
  }

  struct Change {
    std::string_view* name;
    std::string_view before;
  };

  Model& model_;
  UniqueNames values_;
  UniqueNames nodes_;
  std::vector<Change> changed_;
};

class ModelWriter {
 public:
  ModelWriter(Model& model, const ShapeInference& inference, std::span<const std::string_view> sizes, Source& source,
              const WriteOptions& options, WireWriter& to, std::vector<Hole>& holes)
      : model_(model), inference_(inference), sizes_(sizes), source_(source), options_(options), to_(to), holes_(holes) {}

  void write();
  // Declares the outputs in the model as they are in the file.
  void declare_outputs();

 private:
  // Copies a part of the source, with its holes.
  void copy(std::string_view part);
  // Copies the fields of a message but for these.
  void copy_others(std::string_view message, Fields left_out) { copy_others(WireReader(source_, message, "", -1), left_out); }
  void copy_others(WireReader message, Fields left_out);

  void write_graph(const Graph& graph, WireReader message);
  void write_node(const Node& node);
  void write_attribute(const Node& node, const WrittenAttribute& attribute);
  void write_initializer(const Initializer& initializer);
  void write_tensor(const Initializer& initializer);
  // What is declared of a value, beside what is known of it.
  enum class Declared : std::uint8_t {
    corrected,  // a number that does not follow goes
    improved,   // it stays: somebody asked for it
    kept,       // all of it stays as it is
  };
  struct Described {
    std::vector<Dimension> dims;
    bool has_shape = false;
    Dtype dtype = Dtype::undefined;
    bool is_same = false;  // as what the file declares
  };
  Described describe(const Value& value, const ValueInfo& info, Declared declared) const;
  void write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared);
  void write_type(const Described& known);
  void write_values(const Graph& graph);

  Model& model_;
  const ShapeInference& inference_;
  std::span<const std::string_view> sizes_;  // names
  Source& source_;
  const WriteOptions& options_;
  WireWriter& to_;
  std::vector<Hole>& holes_;
};

void ModelWriter::copy(std::string_view part) {
  const char* end = part.data() + part.size();
  const std::span<const Hole> holes = source_.holes_in(part);
  for (std::size_t i = holes.size(); i-- > 0;) {
    const char* place = source_.place_of(holes[i]);
    to_.bytes(place + 1, end - place - 1);
    to_.hole(holes[i], holes_);
    end = place;
  }
  to_.bytes(part.data(), end - part.data());
}

void ModelWriter::copy_others(WireReader message, Fields left_out) {
  std::vector<std::string_view> fields;
  for (message.rewind(); message.next();) {
    const bool is_copied = !is_in(message.field(), left_out);
    const std::string_view field = message.field_bytes();
    if (!is_copied) continue;
    if (fields.size() == fields.capacity() && !require_memory(fields.size() + 8, 2 * sizeof(std::string_view))) return;
    fields.push_back(field);
  }
  for (std::size_t i = fields.size(); i-- > 0;) copy(fields[i]);
}

// It writes from the end of the file to its start.
void ModelWriter::write() {
  WireReader message(source_, "");
  std::int64_t ir_version = 0;
  for (message.rewind(); message.next();) {
    if (message.field() == model_proto::ir_version) ir_version = message.integer();
  }
  const std::int64_t end = to_.size();
  for (message.rewind(); message.next();) {
    if (message.field() != model_proto::graph) continue;
    write_graph(*model_.graph, {message, "graph"});
    break;
  }
  to_.message(model_proto::graph, end);
  for (const Import& import : model_.added_imports) {
    const std::int64_t import_end = to_.size();
    to_.number(2, import.version);
    to_.name(1, {import.domain});
    to_.message(model_proto::opset_import, import_end);
  }
  copy_others(message, model_.has_calls ? Fields{model_proto::ir_version, model_proto::graph}
                                        : Fields{model_proto::ir_version, model_proto::graph, model_proto::functions});
  to_.number(model_proto::ir_version, std::max(ir_version, first_ir_version_with_defaults));
}

void ModelWriter::write_graph(const Graph& graph, WireReader message) {
  using namespace graph_proto;
  write_values(graph);
  const auto backwards = [](const auto& chain, const auto& write) {
    std::vector<decltype(&*chain.begin())> all;
    if (!require_memory(chain.size(), sizeof(void*))) return;
    all.reserve(chain.size());
    for (auto& one : chain) all.push_back(&one);
    for (std::size_t i = all.size(); i-- > 0;) write(*all[i]);
  };
  // A Loop or Scan without iterations has nothing but these to tell the dims of its outputs.
  const bool is_of_loop = graph.owner != nullptr && (graph.owner->op == &loop || graph.owner->op == &scan);
  backwards(graph.outputs, [&](const GraphOutput& one) {
    write_info(output, *one.value, &one.info, is_of_loop ? Declared::kept : Declared::improved);
  });
  backwards(graph.inputs, [&](const GraphInput& one) { write_info(input, *one.value, &one.info, Declared::improved); });
  backwards(graph.initializers, [&](const Initializer& one) {
    if (one.value->producer == nullptr) write_initializer(one);
  });
  backwards(graph.annotations, [&](const Annotation& one) {
    const std::int64_t end = to_.size();
    copy(one.message);
    to_.message(quantization_annotation, end);
  });
  copy_others(message, {node, initializer, input, output, value_info, quantization_annotation, sparse_initializer});
  for (std::size_t i = graph.order.size(); i-- > 0;) write_node(*graph.order[i]);
}

// value_info: what the file has of values that are left, and all that is known, if that is asked for.
void ModelWriter::write_values(const Graph& graph) {
  for (std::size_t i = graph.order.size(); i-- > 0;) {
    const Node& node = *graph.order[i];
    for (std::size_t j = node.outputs.size(); j-- > 0;) {
      const Value* value = node.outputs[j];
      if (value == nullptr || value->is_output) continue;
      const bool is_declared = value->declared != nullptr && !value->declared->message.empty();
      if (is_declared || options_.writes_value_info) {
        write_info(graph_proto::value_info, *value, is_declared ? value->declared : nullptr, Declared::corrected);
      }
    }
  }
}

// A ValueInfoProto. What is known of an output of nodes goes before what is declared.
void ModelWriter::write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared) {
  static const ValueInfo nothing;
  if (info == nullptr) info = &nothing;
  const std::int64_t end = to_.size();
  if (!require_memory(most_axes, sizeof(Dimension))) return;
  const Described known = describe(value, *info, declared);
  if (info == &nothing && known.dtype == Dtype::undefined) return;
  if (!info->message.empty() && known.is_same && info->name == value.name) {
    copy(info->message);
    to_.message(field, end);
    return;
  }
  if (!info->message.empty()) {
    if (known.is_same) {
      copy_others(info->message, {value_info_proto::name});
    } else {
      copy_others(info->message, {value_info_proto::name, value_info_proto::type});
    }
  }
  if (info->message.empty() || !known.is_same) write_type(known);
  to_.name(value_info_proto::name, {value.name});
  to_.message(field, end);
}

void ModelWriter::write_type(const Described& known) {
  const std::int64_t type_end = to_.size();
  for (std::size_t i = known.dims.size(); i-- > 0;) {
    const Dimension& dim = known.dims[i];
    const std::int64_t dim_end = to_.size();
    if (dim.value >= 0) {
      to_.number(1, dim.value);
    } else if (!dim.name.empty()) {
      to_.name(2, {dim.name});
    }
    to_.message(1, dim_end);
  }
  if (known.has_shape) to_.message(2, type_end);
  if (known.dtype != Dtype::undefined) to_.number(1, static_cast<std::int64_t>(known.dtype));
  to_.message(1, type_end);  // tensor_type
  to_.message(value_info_proto::type, type_end);
}

// What is known of an output of nodes goes before what is declared.
ModelWriter::Described ModelWriter::describe(const Value& value, const ValueInfo& info, Declared declared) const {
  const bool is_open = value.input == nullptr && declared != Declared::kept;
  const Tensor* known = is_open && inference_.knows(value) ? &inference_[value] : nullptr;
  if (known != nullptr && (!known->is_ranked() || !info.is_tensor())) known = nullptr;
  const std::size_t rank = known != nullptr ? known->dims().size() : info.dims.size();
  Described result{std::vector<Dimension>(rank), known != nullptr || info.has_shape};
  std::vector<Dimension>& dims = result.dims;
  bool is_same = info.has_shape == result.has_shape && info.dims.size() == rank && !info.is_changed;
  std::size_t axis = 0;
  if (info.dims.size() == rank) {
    for (const Dimension& dim : info.dims) {
      dims[axis] = dim;
      dims[axis++].next = nullptr;
    }
  }
  for (axis = 0; known != nullptr && axis < rank; ++axis) {
    const Size size = known->dims()[axis];
    const std::optional<std::uint32_t> name = inference_.expressions().name_of(size);
    Dimension& dim = dims[axis];
    if (is_number(size)) {
      is_same = is_same && dim.value == size;
      dim = {nullptr, size, {}, -1};
    } else if (name) {
      const std::string_view text = sizes_[*name];
      is_same = is_same && dim.value < 0 && dim.name == text;
      dim = {nullptr, -1, text, static_cast<std::int32_t>(*name)};
    } else if (dim.value >= 0) {
      // It is declared as a number, which does not follow.
      if (declared == Declared::corrected) {
        is_same = false;
        dim = {};
      }
    }
  }
  result.dtype = info.dtype != Dtype::undefined || !info.is_tensor() ? info.dtype : value.dtype;
  // An output without a type stays without.
  const bool lacks_dtype = declared == Declared::corrected && result.dtype != Dtype::undefined && !info.has_dtype;
  result.is_same = is_same && result.dtype == info.dtype && !lacks_dtype;
  return result;
}

void ModelWriter::declare_outputs() {
  for (GraphOutput& output : model_.graph->outputs) {
    if (!require_memory(most_axes, sizeof(Dimension))) return;
    ValueInfo& info = output.info;
    const Described known = describe(*output.value, info, Declared::improved);
    info.name = output.value->name;
    info.has_shape = known.has_shape;
    info.dtype = known.dtype;
    info.dims.clear();
    for (const Dimension& dim : known.dims) {
      Dimension& added = info.dims.add(model_.arena);
      added.value = dim.value;
      added.name = dim.name;
      added.symbol = dim.symbol;
    }
  }
}

void ModelWriter::write_initializer(const Initializer& initializer) {
  const std::int64_t end = to_.size();
  const std::string_view name = initializer.value->name;
  if (initializer.message.empty()) {
    write_tensor(initializer);
    to_.name(tensor_name, {name});
    return to_.message(graph_proto::initializer, end);
  }
  if (initializer.sparse == nullptr) {
    copy_others(initializer.message, {tensor_name});
    to_.name(tensor_name, {name});
    return to_.message(graph_proto::initializer, end);
  }
  constexpr std::uint32_t values = 1;
  copy_others(initializer.message, {values});
  WireReader message(source_, initializer.message, "", -1);
  const std::int64_t values_end = to_.size();
  while (message.next()) {
    if (message.field() != values) continue;
    copy_others(message.bytes(), {tensor_name});
    break;
  }
  to_.name(tensor_name, {name});
  to_.message(values, values_end);
  to_.message(graph_proto::sparse_initializer, end);
}

// Large elements stay where they are in memory, and are a hole.
void ModelWriter::write_tensor(const Initializer& initializer) {
  const Tensor& tensor = initializer.tensor;
  if (tensor.dtype == Dtype::string || dense_size(tensor) < SplitFile::usual_hole) {
    return write_tensor_proto(to_, tensor, {});
  }
  const std::int64_t end = to_.size();
  Hole hole;
  hole.length = dense_size(tensor);
  if (initializer.external != nullptr) {
    hole.origin = initializer.external->offset;
  } else {
    hole.bytes = Tensor(Dtype::uint8, dense_layout({static_cast<std::int64_t>(hole.length)}), tensor.storage,
                        tensor.data() - tensor.storage->data());
  }
  to_.hole(hole, holes_);
  to_.message(tensor_raw_data, end);
  to_.number(2, static_cast<std::int64_t>(tensor.dtype));
  write_numbers(to_, 1, tensor.dims().values());
}

void ModelWriter::write_node(const Node& node) {
  using namespace node_proto;
  const std::int64_t end = to_.size();
  if (node.is_changed) {
    for (const Attribute& one : node.attributes) broadloom::write_attribute(to_, attribute, one);
    if (!node.message.empty()) copy_others(node.message, {input, output, name, attribute, op_type, overload});
    to_.name(op_type, {node.op_type});
  } else {
    for (std::size_t i = node.written.size(); i-- > 0;) write_attribute(node, node.written[i]);
    copy_others(node.message, {input, output, name, attribute});
  }
  if (!node.name.empty()) to_.name(name, {node.name});
  const auto write_names = [&](std::uint32_t field, std::span<Value* const> values) {
    for (std::size_t i = values.size(); i-- > 0;)
      to_.name(field, {values[i] == nullptr ? std::string_view() : values[i]->name});
  };
  write_names(output, node.outputs);
  write_names(input, node.inputs);
  to_.message(graph_proto::node, end);
}

void ModelWriter::write_attribute(const Node& node, const WrittenAttribute& attribute) {
  using namespace attribute_proto;
  const std::int64_t end = to_.size();
  WireReader message(source_, attribute.message, "", -1);
  const Graph* subgraph = node.graph(attribute.name);
  if (subgraph != nullptr) {
    copy_others(message, {name, graph, ref_attr_name});
    const std::int64_t graph_end = to_.size();
    write_graph(*subgraph, WireReader(source_, subgraph->message, "", -1));
    to_.message(graph, graph_end);
    to_.name(name, {attribute.name});
  } else {
    const AttributeHeader header = read_unchecked_header(message);
    if (header.name == attribute.name && header.reference.empty()) {
      copy(attribute.message);
    } else {
      copy_others(message, {name, ref_attr_name});
      to_.name(name, {attribute.name});
    }
  }
  to_.message(node_proto::attribute, end);
}

}  // namespace

Result<std::int64_t> count_bytes(Model& model, const ShapeInference& inference, Source& source) {
  Namer names(model);
  BROADLOOM_CHECK(names.run());
  BROADLOOM_TRY(sizes, size_names(model));
  std::vector<Hole> holes;
  WireWriter counter(nullptr);
  ModelWriter(model, inference, sizes, source, {}, counter, holes).write();
  names.undo();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  return counter.size();
}

Result<WrittenFile> write_model(Model& model, const ShapeInference& inference, Source& source, const WriteOptions& options) {
  BROADLOOM_CHECK(Namer(model).run());
  BROADLOOM_TRY(sizes, size_names(model));
  WrittenFile file;
  WireWriter counter(nullptr);
  ModelWriter(model, inference, sizes, source, options, counter, file.holes).write();
  if (!counter.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // The limit of protobuf.
  if (counter.size() > INT32_MAX) {
    return fail(Code::InvalidModel, "the file would have {} bytes; 2147483647 are the most", counter.size());
  }
  BROADLOOM_TRY(structure, make_tensor(Dtype::uint8, {counter.written_bytes()}));
  BROADLOOM_CHECK(require_memory(static_cast<std::size_t>(counter.size() / static_cast<std::int64_t>(SplitFile::usual_hole)),
                                 2 * sizeof(Hole)));
  WireWriter writer(structure.data() + counter.written_bytes());
  ModelWriter(model, inference, sizes, source, options, writer, file.holes).write();
  if (!writer.ok()) return Failure(Error());
  if (!source.ok()) return Failure(source.error());
  // They were counted from the end.
  std::reverse(file.holes.begin(), file.holes.end());
  for (Hole& hole : file.holes) {
    hole.at = static_cast<std::size_t>(counter.written_bytes()) - hole.at;
    hole.offset = static_cast<std::size_t>(counter.size()) - hole.offset;
  }
  file.structure = std::move(structure);
  file.bytes = counter.size();
  ModelWriter(model, inference, sizes, source, options, counter, file.holes).declare_outputs();
  return file;
}

}  // namespace broadloom
