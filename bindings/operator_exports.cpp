// Operators: their rows, and one call.
#include <list>
#include <optional>
#include <vector>

#include "attributes.h"
#include "core/memory.h"
#include "core/text.h"
#include "exports.h"
#include "frame.h"
#include "ops/operators.h"
#include "tensors.h"

namespace broadloom {

// name -> number of the operator, or an error
BROADLOOM_EXPORT double findOperator() {
  const std::string_view name = FrameReader().string();
  const auto operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (operators[i]->name == name) return static_cast<double>(i);
  }
  const Error error = make_error(Code::UnknownOperator, "no operator {}", quoted(name));
  error->op.append("{}", clipped(name));
  return failure(error);
}

namespace {

void write_parameters(FrameWriter& frame, std::span<const Parameter> parameters) {
  frame.number(static_cast<double>(parameters.size()));
  for (const Parameter& parameter : parameters) {
    frame.string(parameter.name);
    frame.string(parameter.type);
    frame.number(static_cast<double>(parameter.option));
  }
}

}  // namespace

// number of the operator -> how many operators there are, its name, its versions: each since_version, attributes, inputs,
// outputs, type constraints. A set of types is a number whose bit n stands for TensorProto.DataType n.
BROADLOOM_EXPORT double describeOperator(int number) {
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

namespace {

// An input that is a list of integers: an int64 tensor of one axis, whose elements lie on the page.
struct List {
  explicit List(std::span<std::int64_t> integers)
      : storage(reinterpret_cast<std::byte*>(integers.data()), integers.size_bytes()) {
    tensor.dtype = Dtype::int64;
    tensor.layout = Layout{Dims(1, static_cast<std::int64_t>(integers.size())), Dims(1, 1)};
    tensor.storage = storage.share();
  }
  BorrowedStorage storage;
  Tensor tensor;
};

// The inputs of a call: tensors that JavaScript owns, and those that the call brings itself.
struct Inputs {
  InlineVector<const Tensor*, 8> tensors;
  std::optional<List> list;  // most operators take one
  std::list<List> more_lists;
};

// An input is a handle, 0 when left out, or -1 followed by a list of integers.
Status read_inputs(FrameReader& frame, Inputs& inputs) {
  inputs.tensors = InlineVector<const Tensor*, 8>(frame.size());
  for (const Tensor*& input : inputs.tensors) {
    const double handle = frame.number();
    if (handle > 0) input = &tensor_of(static_cast<std::uintptr_t>(handle));
    if (handle >= 0) continue;
    BROADLOOM_TRY(integers, frame.integers_in_place("list of integers"));
    input = inputs.list ? &inputs.more_lists.emplace_back(integers).tensor : &inputs.list.emplace(integers).tensor;
  }
  return {};
}

Status call(const Selection& selection, FrameReader& frame) {
  Inputs inputs;
  BROADLOOM_CHECK(read_inputs(frame, inputs));
  Attributes attributes;
  BROADLOOM_CHECK(read_attributes(frame, selection, attributes));
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
  Dtypes output_types(outputs.size());
  BROADLOOM_CHECK(check_call(selection, types, output_types, attributes));
  Call arguments{inputs.tensors.values(), attributes, output_types, outputs};
  BROADLOOM_CHECK(run_call(selection, arguments));
  BROADLOOM_CHECK(write_tensors(outputs));
  return {};
}

}  // namespace

// inputs, attributes -> tensors
BROADLOOM_EXPORT double callOperator(int number, double opset) {
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

}  // namespace broadloom
