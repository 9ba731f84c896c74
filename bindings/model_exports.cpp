// Files: tensors and models.
#include <vector>

#include "core/memory.h"
#include "frame.h"
#include "functions.h"
#include "model/infer.h"
#include "model/tensor_proto.h"
#include "page_writer.h"
#include "tensors.h"

namespace broadloom {

// bytes of a TensorProto -> tensor
double readTensorFile(double size) {
  return finish([&]() -> Status {
    const std::string_view file(reinterpret_cast<const char*>(page().data()), static_cast<std::size_t>(size));
    Source source(file);
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

// type or 0, rank or -1, sizes: a number, -1 for an unknown one, -2 - n for the one with name n of the model
void write_type(PageWriter& to, const ValueInfo& info) {
  to.number(static_cast<double>(info.dtype));
  to.number(info.has_shape ? static_cast<double>(info.dims.size()) : -1.0);
  for (const Dimension& dim : info.dims) to.number(dim.value >= 0 ? dim.value : std::int64_t{-2} - dim.symbol);
}

void write_value_info(PageWriter& to, const ValueInfo& info) {
  to.string(info.name);
  write_type(to, info);
}

// rank or -1, sizes; here an unknown one may also have a number that no name has
void write_inferred(PageWriter& to, const Inference& inference, const Value* value) {
  if (value == nullptr || !inference[value->number].has_dims || inference[value->number].is_only_declared) {
    return to.number(-1.0);
  }
  const std::size_t rank = inference.rank_of(value->number);
  to.number(static_cast<double>(rank));
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Inference::Size size = inference.size_of(value->number, axis);
    to.number(size.value >= 0 ? static_cast<double>(size.value) : -2.0 - static_cast<double>(size.symbol));
  }
}

std::string_view name_of(const Value* value) { return value == nullptr ? std::string_view() : value->name; }

// name, op_type, domain, since_version or 0, why it cannot run, inputs, outputs
void write_node(PageWriter& to, const Inference& inference, const Node& node) {
  to.string(node.name);
  to.string(node.op_type);
  to.string(node.domain);
  to.number(node.error.empty() ? node.version->since_version : 0);
  to.string(node.error);
  to.number(static_cast<double>(node.inputs.size()));
  for (const Value* value : node.inputs) to.string(name_of(value));
  to.number(static_cast<double>(node.outputs.size()));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const Value* value = node.outputs[i];
    static const ValueInfo nothing;
    to.string(name_of(value));
    write_type(to, value == nullptr || value->declared == nullptr ? nothing : *value->declared);
    to.number(static_cast<double>(node.output_types[i]));
    write_inferred(to, inference, value);
  }
}

}  // namespace

// bytes of a ModelProto -> handle, opset or 0, names of sizes from the last to the first, inputs without a default, outputs:
// their number, then each
double readModelFile(double size, int unsupported) {
  return finish([&]() -> Status {
    const std::string_view file(reinterpret_cast<const char*>(page().data()), static_cast<std::size_t>(size));
    BROADLOOM_TRY(model, Model::load(file, static_cast<Unsupported>(unsupported)));
    BROADLOOM_CHECK(write_page([&](PageWriter& to) {
      to.number(static_cast<double>(reinterpret_cast<std::uintptr_t>(model.get())));
      to.number(static_cast<double>(model->opset));
      to.number(static_cast<double>(model->symbol_count));
      for (const Value* symbol = model->last_symbol; symbol != nullptr; symbol = symbol->next) to.string(symbol->name);
      double required = 0;
      for (const GraphInput& input : model->inputs) required += input.has_default ? 0 : 1;
      to.number(required);
      for (const GraphInput& input : model->inputs) {
        if (!input.has_default) write_value_info(to, input.info);
      }
      to.number(static_cast<double>(model->outputs.size()));
      for (const GraphOutput& output : model->outputs) write_value_info(to, output.info);
    }));
    static_cast<void>(model.release());
    return {};
  }());
}

// -> nodes: their number, then each
double describeNodes(double handle) {
  return finish([&]() -> Status {
    const Model& model = model_of(handle);
    Inference inference(model);
    BROADLOOM_CHECK(inference.run());
    return write_page([&](PageWriter& to) {
      to.number(static_cast<double>(model.nodes.size()));
      for (const Node& node : model.nodes) write_node(to, inference, node);
    });
  }());
}

// number of feeds, then name and handle of each -> tensors
double runModel(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    FrameReader frame;
    std::vector<Model::Feed> feeds(frame.size());
    for (Model::Feed& feed : feeds) {
      feed.name = frame.string();
      feed.tensor = &tensor_of(frame.handle());
    }
    BROADLOOM_TRY(outputs, model_of(handle).run(feeds));
    BROADLOOM_CHECK(write_tensors(outputs));
    return {};
  }());
}

void disposeModel(double handle) { delete &model_of(handle); }

}  // namespace broadloom
