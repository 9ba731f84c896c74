// Files: tensors and models.
#include <memory>
#include <vector>

#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "graph/external.h"
#include "graph/infer.h"
#include "onnx/model_reader.h"
#include "onnx/split_file.h"
#include "onnx/tensor_proto.h"
#include "page_writer.h"
#include "tensors.h"
#include "value_infos.h"

// The host's clock: an import of the module (js/src/load.ts).
extern "C" double hostMilliseconds();

namespace broadloom {

namespace {

using FilePtr = std::unique_ptr<SplitFile>;

FilePtr file_at(double address) { return FilePtr(reinterpret_cast<SplitFile*>(static_cast<std::uintptr_t>(address))); }

// -> the file; what is wanted of it: to which address, from which offset, how many bytes; 0 when all is there
Status go_on(FilePtr file) {
  BROADLOOM_CHECK(file->next());
  const SplitFile::Part part = file->wanted();
  FrameWriter frame;
  frame.pointer(file.release());
  frame.pointer(part.to);
  frame.number(static_cast<double>(part.offset));
  frame.number(static_cast<double>(part.length));
  return {};
}

}  // namespace

// bytes of a file, whether it is a TensorProto and no ModelProto -> as go_on has it
double openFile(double size, double is_tensor) {
  return finish([&]() -> Status {
    if (size > static_cast<double>(SIZE_MAX)) return Failure(out_of_memory(size));
    const auto bytes = static_cast<std::size_t>(size);
    BROADLOOM_CHECK(require_memory(bytes / SplitFile::usual_hole, sizeof(Hole)));
    return go_on(std::make_unique<SplitFile>(is_tensor != 0 ? Message::tensor : Message::model, bytes));
  }());
}

// file of which what was wanted is there -> as go_on has it. After an error the file is freed.
double continueFile(double file) { return finish(go_on(file_at(file))); }

// file, which is freed -> tensor
double readTensorFile(double file) {
  return finish([&]() -> Status {
    const FilePtr owned = file_at(file);
    Source source = owned->source();
    WireReader message(source, "tensor");
    Tensor tensor = read_tensor_proto(message);
    if (!source.ok()) return Failure(source.error());
    return own_and_write(std::move(tensor));
  }());
}

// -> a uint8 tensor with the bytes of the tensor's TensorProto
double writeTensorFile(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(proto, write_tensor_proto(tensor_of(static_cast<std::uintptr_t>(handle))));
    return own_and_write(std::move(proto));
  }());
}

namespace {

Model& model_of(double handle) { return *reinterpret_cast<Model*>(static_cast<std::uintptr_t>(handle)); }

// What nodes are written with.
class NodeWriter {
 public:
  NodeWriter(PageWriter& to, const Inference& inference, std::span<const std::string_view> names)
      : to_(to), inference_(inference), names_(names) {}

  // nodes: their number, then each
  void write(const Graph& graph) {
    to_.number(static_cast<double>(graph.nodes.size()));
    for (const Node& node : graph.nodes) write(node);
  }

 private:
  // name, op_type, domain, since_version or 0, why it cannot run, inputs, outputs, graphs: the name of each and its nodes
  // The version is 0 where the node itself cannot run, not where a node in one of its graphs cannot.
  void write(const Node& node) {
    to_.string(node.name);
    to_.string(node.op_type);
    to_.string(node.domain);
    to_.number(node.error.empty() ? static_cast<std::int64_t>(node.version->since_version) : 0);
    write_reason(node);
    to_.number(static_cast<double>(node.inputs.size()));
    for (const Value* value : node.inputs) to_.string(value == nullptr ? std::string_view() : value->name);
    to_.number(static_cast<double>(node.outputs.size()));
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const Value* value = node.outputs[i];
      static const ValueInfo nothing;
      to_.string(value == nullptr ? std::string_view() : value->name);
      write_type(to_, value == nullptr || value->declared == nullptr ? nothing : *value->declared);
      to_.number(static_cast<double>(node.output_types[i]));
      write_dims(value);
    }
    to_.number(static_cast<double>(node.graphs.size()));
    for (const Subgraph& subgraph : node.graphs) {
      to_.string(subgraph.attribute);
      write(*subgraph.graph);
    }
  }

  void write_reason(const Node& node) {
    const Subgraph* subgraph = unsupported_graph(node);
    if (!node.error.empty() || subgraph == nullptr) return to_.string(node.error);
    Text text;
    text.append("a node in its {} cannot run", subgraph->attribute);
    to_.string(text.view());
  }

  // rank or -1, sizes: a number, -1 for an unknown one, -2 - n for the one with name n, or most negative and an expression
  void write_dims(const Value* value) {
    if (value == nullptr || !inference_[*value].is_ranked() || inference_.is_only_declared(*value)) return to_.number(-1.0);
    const Dims& dims = inference_[*value].dims();
    to_.number(static_cast<double>(dims.size()));
    for (const Size size : dims) write_size(size);
  }

  void write_size(Size size) {
    const Expressions& expressions = inference_.expressions();
    if (is_number(size)) return to_.number(size);
    if (const auto name = expressions.name_of(size)) return to_.number(-2.0 - *name);
    Text text;
    if (!expressions.append(text, size, names_)) return to_.number(-1.0);
    to_.number(-static_cast<double>(max_count));
    to_.string(text.view());
  }

  PageWriter& to_;
  const Inference& inference_;
  std::span<const std::string_view> names_;
};

}  // namespace

// file, which is freed, what may be unsupported, 1 if elements in other files will be given and 2 if every node is computed by
// itself -> handle, opset or 0, names of sizes, warnings, inputs without a default, outputs: their number, then each
double readModelFile(double file, int unsupported, int flags) {
  return finish([&]() -> Status {
    const FilePtr owned = file_at(file);
    const GrowthAhead ahead(owned->structure_bytes());  // what the records of a model take is of that size
    Source source = owned->source();
    BROADLOOM_TRY(model, read_model(source, {static_cast<Unsupported>(unsupported), (flags & 1) != 0}));
    model->optimizes = (flags & 2) == 0;
    BROADLOOM_TRY(names, size_names(*model));
    BROADLOOM_CHECK(write_page([&](PageWriter& to) {
      to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(model.get())));
      to.number(static_cast<double>(model->opset));
      to.number(static_cast<double>(names.size()));
      for (const std::string_view name : names) to.string(name);
      to.number(static_cast<double>(model->warnings.size()));
      for (const Warning& warning : model->warnings) to.string(warning.text);
      double required = 0;
      for (const GraphInput& input : model->graph->inputs) required += input.initializer != nullptr ? 0 : 1;
      to.number(required);
      for (const GraphInput& input : model->graph->inputs) {
        if (input.initializer == nullptr) write_value_info(to, input.info);
      }
      to.number(static_cast<double>(model->graph->outputs.size()));
      for (const GraphOutput& output : model->graph->outputs) write_value_info(to, output.info);
    }));
    static_cast<void>(model.release());
    return {};
  }());
}

// -> initializers whose elements are in other files: their number, then for each its address and location
double describeExternal(double handle) {
  return finish([&]() -> Status {
    return write_page([&](PageWriter& to) {
      double count = 0;
      const auto each = [&](auto use) {
        for (const Graph& graph : model_of(handle).graphs()) {
          for (const Initializer& initializer : graph.initializers) {
            if (initializer.is_promised) use(initializer);
          }
        }
      };
      each([&](const Initializer&) { ++count; });
      to.number(count);
      each([&](const Initializer& initializer) {
        to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(&initializer)));
        to.string(initializer.external->location);
      });
    });
  }());
}

namespace {

Initializer& initializer_at(double address) { return *reinterpret_cast<Initializer*>(static_cast<std::uintptr_t>(address)); }

}  // namespace

// address of an initializer, bytes of its file -> address of its elements, where they start in the file, how many bytes they
// are
double allocateExternal(double address, double file_bytes) {
  return finish([&]() -> Status {
    Initializer& initializer = initializer_at(address);
    BROADLOOM_CHECK(allocate_external(initializer, static_cast<std::int64_t>(file_bytes)));
    FrameWriter frame;
    frame.pointer(initializer.tensor.data());
    frame.number(initializer.external->offset);
    frame.number(static_cast<double>(initializer.tensor.storage->size()));
    return {};
  }());
}

// Checks the elements that were copied there.
double checkExternal(double address) {
  return finish([&]() -> Status { return check_external(initializer_at(address)); }());
}

// -> nodes
double describeNodes(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    Inference inference(model);
    BROADLOOM_CHECK(inference.run());
    BROADLOOM_TRY(names, size_names(model));
    return write_page([&](PageWriter& to) { NodeWriter(to, inference, names).write(*model.graph); });
  }());
}

namespace {

Result<std::vector<Model::Feed>> read_feeds() {
  BROADLOOM_CHECK(require_memory());
  FrameReader frame;
  BROADLOOM_TRY(feeds, allocate_vector<Model::Feed>(frame.size()));
  for (Model::Feed& feed : feeds) {
    feed.name = frame.string();
    feed.tensor = &tensor_of(frame.handle());
  }
  return std::move(feeds);
}

// Microseconds, by the host's clock.
double now() { return 1000 * hostMilliseconds(); }

}  // namespace

// number of feeds, then name and handle of each -> tensors
double runModel(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_TRY(feeds, read_feeds());
    BROADLOOM_TRY(outputs, model_of(handle).run(feeds));
    BROADLOOM_CHECK(write_tensors(outputs));
    return {};
  }());
}

// number of feeds, then name and handle of each -> rows: their number, then label of the node, operator, microseconds, bytes,
// calls, and the label of the node that it is fused into or nothing
double profileModel(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_TRY(feeds, read_feeds());
    const Model& model = model_of(handle);
    // A first run also does what is done once.
    BROADLOOM_CHECK(model.run(feeds));
    BROADLOOM_TRY(profile, Profile::make(*model.graph, now));
    BROADLOOM_CHECK(model.run(feeds, {model.optimizes, &profile}));
    return write_page([&](PageWriter& to) {
      to.number(static_cast<double>(profile.rows().size()));
      for (const Profile::Row& row : profile.rows()) {
        Text label;
        append_label(label, *row.node);
        to.string(label.view());
        to.string(row.node->op_type);
        to.number(row.microseconds);
        to.number(row.bytes);
        to.number(static_cast<double>(row.calls));
        label = {};
        if (model.optimizes && row.node->joins != nullptr) append_label(label, *row.node->runs_with);
        to.string(label.view());
      }
    });
  }());
}

void disposeModel(double handle) { delete &model_of(handle); }

}  // namespace broadloom
