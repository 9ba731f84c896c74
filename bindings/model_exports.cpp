// Files: tensors and models.
#include <memory>
#include <vector>

#include "core/limits.h"
#include "core/memory.h"
#include "descriptions/json_page.h"
#include "feeds.h"
#include "frame.h"
#include "functions.h"
#include "graph/structure/external.h"
#include "models.h"
#include "onnx/model_reader.h"
#include "onnx/other_formats.h"
#include "onnx/split_file.h"
#include "onnx/tensor_proto.h"
#include "tensors.h"

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
    BROADLOOM_CHECK(check_file_bytes(size));
    if (!Count::of(size).is_addressable()) return Failure(out_of_memory(Count::of(size)));
    const std::size_t bytes = in_memory(Count::of(size));
    BROADLOOM_CHECK(require_memory(bytes / SplitFile::default_min_span, sizeof(ExternalSpan)));
    return go_on(std::make_unique<SplitFile>(is_tensor != 0 ? Message::tensor : Message::model, bytes));
  }());
}

// file, whose wanted bytes are there -> as go_on has it. After an error the file is freed.
double continueFile(double file) { return finish(go_on(file_at(file))); }

// file, which is freed -> tensor
double readTensorFile(double file) {
  return finish([&]() -> Status {
    const FilePtr owned = file_at(file);
    Source source = owned->source();
    WireReader message(source, "tensor");
    Tensor tensor = read_tensor_proto(message);
    if (!source.ok()) return Failure(in_other_format(source.error(), source.bytes(), Message::tensor));
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

// file, which is freed; the options as JSON (ModelRequest in js/src/model/load-model.ts) -> JSON: handle, count of nodes, opset
// or null, warnings, names of sizes, inputs, outputs
double readModelFile(double file) {
  return finish([&]() -> Status {
    const FilePtr owned = file_at(file);
    ReadOptions options;
    bool optimizes = true;
    JsonReader json = FrameReader().json();
    for (json.begin(); json.next();) {
      const std::string_view key = json.key();
      const bool flag = json.truth();
      if (key == "allowUnsupported") options.unsupported = flag ? Unsupported::allowed : Unsupported::refused;
      if (key == "external") options.gets_external = flag;
      if (key == "anyShapes") options.opens_empty_shapes = flag;
      if (key == "optimize") optimizes = flag;
    }
    const GrowthAhead ahead(owned->structure_bytes());  // what the records of a model take is of that size
    Source source = owned->source();
    BROADLOOM_TRY(model, read_model(source, options));
    BROADLOOM_TRY(names, size_names(*model));
    auto open = std::make_unique<OpenModel>(std::move(model));
    open->runs.optimizes = optimizes;
    const Model& content = *open->model;
    BROADLOOM_CHECK(write_json([&](JsonWriter& to) {
      to.begin_object();
      to.field("handle", reinterpret_cast<std::uintptr_t>(open.get()));
      to.field("nodeCount", content.graph->nodes.size());
      to.key("opset");
      content.opset == 0 ? to.value(nullptr) : to.value(content.opset);
      to.list("warnings", content.warnings, [&](const Warning& warning) { to.value(warning.text); });
      write_names(to, names);
      write_inputs_and_outputs(to, *content.graph);
      to.end_object();
    }));
    static_cast<void>(open.release());
    return {};
  }());
}

// model, how many of its warnings are known -> JSON: the others, which runs added; returns 0 where there are none
double newWarnings(double handle, double known) {
  const Chain<Warning>& warnings = model_of(handle).warnings;
  if (static_cast<double>(warnings.size()) == known) return 0;
  return finish([&]() -> Status {
    return write_json([&](JsonWriter& to) {
      double number = 0;
      to.begin_list();
      for (const Warning& warning : warnings) {
        if (number++ >= known) to.value(warning.text);
      }
      to.end_list();
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

namespace {

// The arguments of runModel and profileModel. Names lie on the page.
struct Request {
  Feeds feeds;
  std::vector<std::string_view> outputs;
};

Result<Request> read_request(const Model& model) {
  BROADLOOM_CHECK(require_memory());
  FrameReader frame;
  BROADLOOM_TRY(feeds, read_feeds(frame, model));
  Request request{std::move(feeds), {}};
  if (const std::size_t count = frame.size(); count > 0) {
    BROADLOOM_TRY(outputs, allocate_vector<std::string_view>(count));
    for (std::string_view& name : outputs) name = frame.string();
    request.outputs = std::move(outputs);
  }
  return request;
}

// Microseconds, by the host's clock.
double now() { return 1000 * hostMilliseconds(); }

void write_label(JsonWriter& to, std::string_view key, const Node& node) {
  Text label;
  append_label(label, node);
  to.field(key, label.view());
}

}  // namespace

// feeds (feeds.h); number of names of outputs, 0 for the model's own, then each -> tensors
double runModel(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    BROADLOOM_TRY(request, read_request(model));
    ModelRun& runs = open_model(handle).runs;
    BROADLOOM_TRY(outputs, runs.run(request.feeds.list, {runs.optimizes, nullptr, request.outputs}));
    BROADLOOM_CHECK(write_tensors(outputs));
    return {};
  }());
}

// as runModel is given -> JSON: NodeProfile in js/src/model/model.ts, for each node
double profileModel(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    BROADLOOM_TRY(request, read_request(model));
    // A first run also does what is done once.
    ModelRun& runs = open_model(handle).runs;
    BROADLOOM_CHECK(runs.run(request.feeds.list, {runs.optimizes, nullptr, request.outputs}));
    BROADLOOM_TRY(profile, Profile::make(*model.graph, now));
    BROADLOOM_CHECK(runs.run(request.feeds.list, {runs.optimizes, &profile, request.outputs}));
    return write_json([&](JsonWriter& to) {
      to.list(profile.rows(), [&](const Profile::Row& row) {
        to.begin_object();
        write_label(to, "node", *row.node);
        to.field("operator", row.node->op_type);
        to.field("microseconds", row.microseconds);
        to.field("bytes", row.bytes);
        to.field("calls", row.calls);
        if (runs.optimizes && row.fused_into != nullptr) write_label(to, "fusedInto", *row.fused_into);
        to.end_object();
      });
    });
  }());
}

void disposeModel(double handle) { delete &open_model(handle); }

}  // namespace broadloom
