// What JavaScript can call: free functions over numbers. Arguments and results beyond a number or two pass through the
// page (frame.h). A function returns the page's address, or its negative when the page holds an error.
#include <emscripten/bind.h>

#include <vector>

#include "attributes.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/strings.h"
#include "core/text.h"
#include "frame.h"
#include "model/model.h"
#include "model/tensor_proto.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "tensors.h"

namespace broadloom {
namespace {

// ---- Memory ----

// Makes room for `bytes` on the page; also the start of every call that brings arguments larger than the page.
double reserve_page(double bytes) {
  Status status = require_memory();
  if (status) status = page().reserve(static_cast<std::size_t>(bytes));
  return finish(status);
}

// -> live tensors, bytes of tensor storage
double memory_use() {
  FrameWriter frame;
  frame.number(owned_tensors());
  frame.number(static_cast<double>(Storage::bytes_in_use()));
  return success();
}

// ---- Tensors ----

Status own_and_write(Tensor tensor) {
  BROADLOOM_CHECK(write_tensors({&tensor, 1}));
  return {};
}

Status check_length(Dtype dtype, const Dims& dims, std::int64_t given, std::int64_t wanted) {
  if (given == wanted) return {};
  return fail(Code::InvalidArgument, "data has {} entries, but {} of dims {} has {}", given, dtype, dims.values(), wanted);
}

Result<Dims> read_tensor_dims(FrameReader& frame) {
  BROADLOOM_CHECK(require_memory());
  BROADLOOM_TRY(dims, frame.integers("dims"));
  BROADLOOM_CHECK(checked_count(dims));
  return std::move(dims);
}

// dims, length of the typed array -> tensor, uninitialised; with a length of -1, one of zeros or empty strings
double create_tensor(int dtype_id, double length) {
  return finish([&]() -> Status {
    FrameReader frame;
    const auto dtype = static_cast<Dtype>(dtype_id);
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    const std::int64_t wanted = array_length(dtype, count_of(dims));
    if (length >= 0) BROADLOOM_CHECK(check_length(dtype, dims, static_cast<std::int64_t>(length), wanted));
    BROADLOOM_TRY(tensor, make_tensor(dtype, dims));
    if (length < 0) std::memset(tensor.data(), 0, tensor.storage->size());
    return own_and_write(std::move(tensor));
  }());
}

// The address of a tensor's bytes while it is being filled.
double tensor_bytes(double handle) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor_of(static_cast<std::uintptr_t>(handle)).data()));
}

// Checks what was copied into a tensor that create_tensor made: bool bytes, and padding. Disposes of a bad one.
double check_tensor(double handle) {
  Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
  clear_padding(tensor);
  if (tensor.dtype != Dtype::boolean) return success();
  const Status status = check_bools(tensor);
  if (!status) disown(static_cast<std::uintptr_t>(handle));
  return finish(status);
}

// dims, numbers -> tensor
double encode_tensor(int dtype_id) {
  return finish([&]() -> Status {
    FrameReader frame;
    const auto dtype = static_cast<Dtype>(dtype_id);
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    const std::span<const double> values = frame.numbers(frame.size());
    const std::int64_t count = count_of(dims);
    const std::int64_t wanted = info(dtype).kind == DtypeKind::complex ? 2 * count : count;
    BROADLOOM_CHECK(check_length(dtype, dims, static_cast<std::int64_t>(values.size()), wanted));
    BROADLOOM_TRY(tensor, make_tensor(dtype, dims));
    BROADLOOM_CHECK(encode(dtype, values, tensor.data()));
    return own_and_write(std::move(tensor));
  }());
}

Result<Tensor> read_string_tensor(FrameReader& frame, const Dims& dims) {
  const std::size_t length = frame.size();
  BROADLOOM_CHECK(check_length(Dtype::string, dims, static_cast<std::int64_t>(length), count_of(dims)));
  return take_strings(frame, dims);
}

// dims, strings -> tensor
double create_strings() {
  return finish([&]() -> Status {
    FrameReader frame;
    BROADLOOM_TRY(dims, read_tensor_dims(frame));
    BROADLOOM_TRY(tensor, read_string_tensor(frame, dims));
    return own_and_write(std::move(tensor));
  }());
}

// strings -> replaces the elements of a string tensor; other tensors that shared them keep theirs
double replace_strings(double handle) {
  return finish([&]() -> Status {
    FrameReader frame;
    Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(replaced, read_string_tensor(frame, tensor.dims()));
    tensor = std::move(replaced);
    return {};
  }());
}

// The address of a tensor's dense bytes, for a writable view; negative for an error.
double tensor_data(double handle) {
  Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
  Status status = require_memory();
  if (status) status = expose(tensor);
  if (!status) return failure(status.error());
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(tensor.data()));
}

// -> address of the string references (offset and length, 32 bits each), address of their text
double tensor_strings(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(dense, densify(tensor));
    tensor = std::move(dense);
    FrameWriter frame;
    frame.pointer(tensor.data());
    frame.pointer(tensor.storage->text ? tensor.storage->text->data() : nullptr);
    return {};
  }());
}

// -> the elements as numbers
double unpack_tensor(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    const Tensor& tensor = tensor_of(static_cast<std::uintptr_t>(handle));
    BROADLOOM_TRY(bytes, dense_bytes(Dtype::float64, tensor.count()));
    BROADLOOM_TRY(dense, densify(tensor));
    if (static_cast<std::uint64_t>(bytes) > SIZE_MAX) return Failure(out_of_memory(static_cast<double>(bytes)));
    BROADLOOM_CHECK(page().reserve(static_cast<std::size_t>(bytes)));
    decode(dense.dtype, dense.data(), dense.count(), reinterpret_cast<double*>(page().data()));
    return {};
  }());
}

void dispose_tensor(double handle) { disown(static_cast<std::uintptr_t>(handle)); }

// ---- Operators ----

// name -> number of the operator, or an error
double find_operator_number() {
  const std::string_view name = FrameReader().string();
  const auto operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (operators[i]->name == name) return static_cast<double>(i);
  }
  const Error error = make_error(Code::UnknownOperator, "no operator {}", quoted(name));
  error->op.append("{}", clipped(name));
  return failure(error);
}

void write_parameters(FrameWriter& frame, std::span<const Parameter> parameters) {
  frame.number(static_cast<double>(parameters.size()));
  for (const Parameter& parameter : parameters) {
    frame.string(parameter.name);
    frame.string(parameter.type);
    frame.number(static_cast<double>(parameter.option));
  }
}

// number of the operator -> how many operators there are, its name, its versions: each since_version, attributes, inputs,
// outputs, type constraints. A set of types is a number whose bit n stands for TensorProto.DataType n.
double describe_operator(int number) {
  const Operator& op = *all_operators()[static_cast<std::size_t>(number)];
  FrameWriter frame;
  frame.number(static_cast<double>(all_operators().size()));
  frame.string(op.name);
  frame.number(static_cast<double>(op.versions.size()));
  for (const OperatorVersion& version : op.versions) {
    frame.number(version.since_version);
    frame.number(static_cast<double>(version.attributes.size()));
    for (const AttributeSpec& spec : version.attributes) {
      frame.string(spec.name);
      frame.string(name_of(spec.type));
      frame.number(spec.required ? 1.0 : 0.0);
      frame.number(spec.default_int ? 1.0 : 0.0);
      frame.number(spec.default_int.value_or(0));
    }
    write_parameters(frame, version.inputs);
    write_parameters(frame, version.outputs);
    frame.number(static_cast<double>(version.constraints.size()));
    for (const TypeConstraint& constraint : version.constraints) {
      frame.string(constraint.name);
      frame.number(static_cast<double>(constraint.types.bits()));
    }
  }
  return success();
}

// The inputs of a call: tensors that JavaScript owns, and those that the call brings itself.
struct Inputs {
  std::vector<const Tensor*> tensors;
  std::vector<Tensor> lists;  // those inputs that are lists; room for all is reserved when the first one comes
};

// An input is a handle, 0 when left out, or -1 followed by a list of integers: an int64 tensor of one axis.
Status read_inputs(FrameReader& frame, Inputs& inputs) {
  const std::size_t count = frame.size();
  inputs.tensors = std::vector<const Tensor*>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double handle = frame.number();
    if (handle > 0) inputs.tensors[i] = &tensor_of(static_cast<std::uintptr_t>(handle));
    if (handle >= 0) continue;
    BROADLOOM_TRY(list, frame.integer_tensor("list of integers"));
    inputs.lists.reserve(count);
    inputs.tensors[i] = &inputs.lists.emplace_back(std::move(list));
  }
  return {};
}

Status call(const Selection& selection, FrameReader& frame) {
  Inputs inputs;
  BROADLOOM_CHECK(read_inputs(frame, inputs));
  BROADLOOM_TRY(attributes, read_attributes(frame, selection));
  Dtypes types(inputs.tensors.size(), Dtype::undefined);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (inputs.tensors[i] != nullptr) types[i] = inputs.tensors[i]->dtype;
  }
  Tensor only_output;
  std::vector<Tensor> several;
  std::span<Tensor> outputs(&only_output, 1);
  if (selection.version.outputs.size() != 1) {
    several = std::vector<Tensor>(selection.version.outputs.size());
    outputs = several;
  }
  BROADLOOM_TRY(output_types, check_call(selection, types, outputs.size(), attributes));
  Call arguments{inputs.tensors, attributes, output_types, outputs};
  BROADLOOM_CHECK(run_call(selection, arguments));
  BROADLOOM_CHECK(write_tensors(outputs));
  return {};
}

// inputs, attributes -> tensors
double call_operator(int number, double opset) {
  const Operator& op = *all_operators()[static_cast<std::size_t>(number)];
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(version, select_version(op, static_cast<std::int64_t>(opset)));
    const Selection selection{op, *version, static_cast<std::int64_t>(opset)};
    FrameReader frame;
    Status status = call(selection, frame);
    if (!status && status.error()->op.empty()) return Failure(in_operator(status.error(), selection));
    return status;
  }());
}

// ---- Files ----

// bytes of a TensorProto -> tensor
double read_tensor(double size) {
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
double write_tensor(double handle) {
  return finish([&]() -> Status {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_TRY(proto, write_tensor_proto(tensor_of(static_cast<std::uintptr_t>(handle))));
    return own_and_write(std::move(proto));
  }());
}

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

// bytes of a ModelProto -> handle, inputs without a default, outputs: their number, then each
double load_model(double size) {
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
double run_model(double handle) {
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

void dispose_model(double handle) { delete &model_of(handle); }

}  // namespace
}  // namespace broadloom

EMSCRIPTEN_BINDINGS(broadloom) {
  using namespace broadloom;
  using emscripten::function;
  function("reservePage", &reserve_page);
  function("memoryUse", &memory_use);
  function("createTensor", &create_tensor);
  function("tensorBytes", &tensor_bytes);
  function("checkTensor", &check_tensor);
  function("encodeTensor", &encode_tensor);
  function("createStrings", &create_strings);
  function("replaceStrings", &replace_strings);
  function("tensorData", &tensor_data);
  function("tensorStrings", &tensor_strings);
  function("unpackTensor", &unpack_tensor);
  function("disposeTensor", &dispose_tensor);
  function("findOperator", &find_operator_number);
  function("describeOperator", &describe_operator);
  function("callOperator", &call_operator);
  function("readTensor", &read_tensor);
  function("writeTensor", &write_tensor);
  function("loadModel", &load_model);
  function("runModel", &run_model);
  function("disposeModel", &dispose_model);
}
