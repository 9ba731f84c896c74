// Files: tensors and models.
#include <vector>

#include "core/memory.h"
#include "exports.h"
#include "frame.h"
#include "model/model.h"
#include "model/tensor_proto.h"
#include "tensors.h"

namespace broadloom {

// bytes of a TensorProto -> tensor
BROADLOOM_EXPORT double readTensor(double size) {
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
BROADLOOM_EXPORT double writeTensor(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(proto, write_tensor_proto(tensor_of(static_cast<std::uintptr_t>(handle))));
    return own_and_write(std::move(proto));
  }());
}

namespace {

Model& model_of(double handle) { return *reinterpret_cast<Model*>(static_cast<std::uintptr_t>(handle)); }

std::size_t frame_bytes(const ValueInfo& info) {
  std::size_t bytes = FrameWriter::string_bytes(info.name) + 3 * 8;
  for (const Dimension& dim : info.dims) bytes += 8 + FrameWriter::string_bytes(dim.name);
  return bytes;
}

// name, type, rank or -1, dims: a size, -1 for an unknown one, -2 and a name
void write_value_info(FrameWriter& frame, const ValueInfo& info) {
  frame.string(info.name);
  frame.number(static_cast<double>(info.dtype));
  frame.number(info.has_shape ? static_cast<double>(info.dims.size()) : -1.0);
  for (const Dimension& dim : info.dims) {
    if (!dim.name.empty() && dim.value < 0) {
      frame.number(-2.0);
      frame.string(dim.name);
    } else {
      frame.number(dim.value);
    }
  }
}

}  // namespace

// bytes of a ModelProto -> handle, inputs without a default, outputs: their number, then each
BROADLOOM_EXPORT double loadModel(double size) {
  return finish([&]() -> Status {
    BROADLOOM_TRY(model, Model::load({reinterpret_cast<const char*>(page().data()), static_cast<std::size_t>(size)}));
    std::size_t bytes = 3 * 8;
    std::int64_t required = 0;
    for (const GraphInput& input : model->inputs) {
      bytes += frame_bytes(input.info);
      if (!input.has_default) ++required;
    }
    for (const GraphOutput& output : model->outputs) bytes += frame_bytes(output.info);
    BROADLOOM_TRY(frame, FrameWriter::make(bytes));
    frame.pointer(model.get());
    frame.number(required);
    for (const GraphInput& input : model->inputs) {
      if (!input.has_default) write_value_info(frame, input.info);
    }
    frame.number(static_cast<double>(model->outputs.size()));
    for (const GraphOutput& output : model->outputs) write_value_info(frame, output.info);
    static_cast<void>(model.release());
    return {};
  }());
}

// number of feeds, then name and handle of each -> tensors
BROADLOOM_EXPORT double runModel(double handle) {
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

BROADLOOM_EXPORT void disposeModel(double handle) { delete &model_of(handle); }

}  // namespace broadloom
