#include "onnx/model_writer.h"

#include <algorithm>
#include <initializer_list>

#include "core/memory.h"
#include "graph/control_flow.h"
#include "graph/name_index.h"
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

// Gives each value that is written a name that no other has.
class Namer {
 public:
  explicit Namer(Model& model) : model_(model) {}

  Status run() {
    // Those of inputs and outputs are the user's.
    const Graph& graph = *model_.graph;
    for (const GraphInput& input : graph.inputs) {
      if (!input.is_dropped) BROADLOOM_CHECK(find_free(names_, input.value->name, input.value));
    }
    for (const GraphOutput& output : graph.outputs) {
      if (!output.is_dropped) BROADLOOM_CHECK(find_free(names_, output.value->name, output.value));
    }
    // New names are none that a graph of an operator that is not known hides.
    for (const Graph& inner : model_.graphs()) {
      if (!inner.is_of_unknown()) continue;
      for (const GraphInput& input : inner.inputs) BROADLOOM_CHECK(reserve(input.value->name));
      for (const GraphOutput& output : inner.outputs) BROADLOOM_CHECK(reserve(output.value->name));
    }
    return name(*model_.graph);
  }

 private:
  Status name(Graph& graph) {
    // A graph of an operator that is not known keeps its names, also those that hide others.
    const bool keeps_names = graph.is_of_unknown();
    for (GraphInput& input : graph.inputs) {
      if (!keeps_names) BROADLOOM_CHECK(find_free(names_, input.value->name, input.value));
    }
    // What is new comes last: the others keep their names.
    BROADLOOM_CHECK(name_initializers(graph, false));
    for (Node* node : graph.order) {
      if (!node->name.empty()) BROADLOOM_CHECK(find_free(nodes_, node->name, node));
      for (Value* output : node->outputs) {
        const bool is_named = output == nullptr || (keeps_names && output->is_output);
        if (!is_named) BROADLOOM_CHECK(find_free(names_, output->name, output));
      }
      for (const Subgraph& subgraph : node->graphs) BROADLOOM_CHECK(name(*subgraph.graph));
    }
    return name_initializers(graph, true);
  }

  // The name is nobody's: it can be had by values that have it in the file.
  Status reserve(std::string_view name) {
    const std::size_t number = names_.find_or_add(name, model_.arena).number;
    BROADLOOM_CHECK(require_memory(number == owners_.size() ? 2 * number + 64 : 1, sizeof(Entry)));
    if (number == owners_.size()) owners_.push_back({nullptr});
    return {};
  }

  Status name_initializers(Graph& graph, bool are_new) {
    for (Initializer& initializer : graph.initializers) {
      const bool is_kept = graph.is_of_unknown() && (initializer.value->is_output || initializer.value->input != nullptr);
      const bool is_named = !is_kept && initializer.value->is_needed && initializer.message.empty() == are_new;
      if (is_named) BROADLOOM_CHECK(find_free(names_, initializer.value->name, initializer.value));
    }
    return {};
  }

  // Changes the name if it is another owner's.
  Status find_free(NameIndex& index, std::string_view& name, const void* owner) {
    std::vector<Entry>& owners = &index == &names_ ? owners_ : node_owners_;
    const std::string_view base = name;
    std::size_t first = SIZE_MAX;
    while (true) {
      BROADLOOM_CHECK(require_memory());
      const std::size_t number = index.find_or_add(name, model_.arena).number;
      if (number == owners.size()) {
        if (number == owners.capacity()) BROADLOOM_CHECK(require_memory(2 * number + 64, sizeof(Entry)));
        owners.push_back({owner});
      }
      if (owners[number].owner == nullptr && name.data() == base.data()) owners[number].owner = owner;
      if (owners[number].owner == owner) return {};
      // Numbers go on where the last one of this name found a free one.
      first = std::min(first, number);
      BROADLOOM_CHECK(require_memory(base.size(), 2));
      const std::span<char> text = model_.arena.make_list<char>(base.size() + 12);
      char* end = std::copy(base.begin(), base.end(), text.data());
      *end++ = '_';
      Text digits;
      digits.append("{}", ++owners[first].last);
      end = std::copy(digits.view().begin(), digits.view().end(), end);
      name = {text.data(), static_cast<std::size_t>(end - text.data())};
    }
  }

  struct Entry {
    const void* owner = nullptr;
    std::int64_t last = 0;  // number behind the name
  };

  Model& model_;
  NameIndex names_;
  NameIndex nodes_;
  // By the numbers of the names.
  std::vector<Entry> owners_;
  std::vector<Entry> node_owners_;
};

class ModelWriter {
 public:
  ModelWriter(Model& model, const Inference& inference, std::span<const std::string_view> sizes, Source& source,
              const WriteOptions& options, WireWriter& to, std::vector<Hole>& holes)
      : model_(model), inference_(inference), sizes_(sizes), source_(source), options_(options), to_(to), holes_(holes) {}

  void write();

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
  void write_tensor(const Tensor& tensor);
  // What is declared of a value, beside what is known of it.
  enum class Declared : std::uint8_t {
    corrected,  // a number that does not follow goes
    improved,   // it stays: somebody asked for it
    kept,       // all of it stays as it is
  };
  void write_info(std::uint32_t field, const Value& value, const ValueInfo* info, Declared declared);
  void write_values(const Graph& graph);

  Model& model_;
  const Inference& inference_;
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

namespace {

bool is_written(const Value& value) {
  if (value.is_needed || (value.input != nullptr && !value.input->is_dropped)) return true;
  const Node* node = value.producer;
  // A node that stays makes all of its outputs.
  return node != nullptr && std::any_of(node->outputs.begin(), node->outputs.end(),
                                        [](const Value* one) { return one != nullptr && one->is_needed; });
}

}  // namespace

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
  // A Loop without iterations has nothing but these to tell the dims of its outputs.
  const bool is_of_loop = graph.owner != nullptr && graph.owner->op == &loop;
  backwards(graph.outputs, [&](const GraphOutput& one) {
    if (!one.is_dropped) write_info(output, *one.value, &one.info, is_of_loop ? Declared::kept : Declared::improved);
  });
  backwards(graph.inputs, [&](const GraphInput& one) {
    if (!one.is_dropped) write_info(input, *one.value, &one.info, Declared::improved);
  });
  backwards(graph.initializers, [&](const Initializer& one) {
    if (one.value->is_needed && one.value->producer == nullptr) write_initializer(one);
  });
  backwards(graph.annotations, [&](const Annotation& one) {
    if (one.value != nullptr && !is_written(*one.value)) return;
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
  const bool is_open = value.input == nullptr && declared != Declared::kept;
  const Tensor* known = is_open && inference_.knows(value) ? &inference_[value] : nullptr;
  if (known != nullptr && (!known->is_ranked() || !info->is_tensor())) known = nullptr;
  const std::size_t rank = known != nullptr ? known->dims().size() : info->dims.size();
  const bool has_shape = known != nullptr || info->has_shape;
  if (!require_memory(rank, sizeof(Dimension))) return;
  std::vector<Dimension> dims(rank);
  bool is_same = info->has_shape == has_shape && info->dims.size() == rank && !info->is_changed;
  std::size_t axis = 0;
  if (info->dims.size() == rank) {
    for (const Dimension& dim : info->dims) {
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
      dim.value = size;
      dim.name = {};
    } else if (name) {
      const std::string_view text = sizes_[*name];
      is_same = is_same && dim.value < 0 && dim.name == text;
      dim = {nullptr, -1, text};
    } else if (dim.value >= 0) {
      // It is declared as a number, which does not follow.
      if (declared == Declared::corrected) {
        is_same = false;
        dim = {};
      }
    }
  }
  const Dtype dtype = info->dtype != Dtype::undefined || !info->is_tensor() ? info->dtype : value.dtype;
  if (info == &nothing && dtype == Dtype::undefined) return;
  is_same = is_same && dtype == info->dtype;
  if (!info->message.empty() && is_same && info->name == value.name) {
    copy(info->message);
    to_.message(field, end);
    return;
  }
  if (!info->message.empty()) {
    if (is_same) {
      copy_others(info->message, {value_info_proto::name});
    } else {
      copy_others(info->message, {value_info_proto::name, value_info_proto::type});
    }
  }
  if (info->message.empty() || !is_same) {
    const std::int64_t type_end = to_.size();
    for (std::size_t i = rank; i-- > 0;) {
      const std::int64_t dim_end = to_.size();
      if (dims[i].value >= 0) {
        to_.number(1, dims[i].value);
      } else if (!dims[i].name.empty()) {
        to_.name(2, {dims[i].name});
      }
      to_.message(1, dim_end);
    }
    if (has_shape) to_.message(2, type_end);
    if (dtype != Dtype::undefined) to_.number(1, static_cast<std::int64_t>(dtype));
    to_.message(1, type_end);  // tensor_type
    to_.message(value_info_proto::type, type_end);
  }
  to_.name(value_info_proto::name, {value.name});
  to_.message(field, end);
}

void ModelWriter::write_initializer(const Initializer& initializer) {
  const std::int64_t end = to_.size();
  const std::string_view name = initializer.value->name;
  if (initializer.message.empty()) {
    write_tensor(initializer.tensor);
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
void ModelWriter::write_tensor(const Tensor& tensor) {
  if (tensor.dtype == Dtype::string || dense_size(tensor) < SplitFile::usual_hole) {
    return write_tensor_proto(to_, tensor, {});
  }
  const std::int64_t end = to_.size();
  Hole hole;
  hole.length = dense_size(tensor);
  hole.bytes = Tensor(Dtype::uint8, dense_layout({static_cast<std::int64_t>(hole.length)}), tensor.storage,
                      tensor.data() - tensor.storage->data());
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

Result<WrittenFile> write_model(Model& model, const Inference& inference, Source& source, const WriteOptions& options) {
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
  return file;
}

}  // namespace broadloom
