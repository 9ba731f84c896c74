// The operators there are: their names and rows.
#include "core/text.h"
#include "frame.h"
#include "functions.h"
#include "ops/operators.h"
#include "page_writer.h"
#include "tensors.h"

namespace broadloom {

// name -> number of the operator, or an error
double findOperator() {
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

void write_parameters(PageWriter& frame, std::span<const Parameter> parameters) {
  frame.number(static_cast<double>(parameters.size()));
  for (const Parameter& parameter : parameters) {
    frame.string(parameter.name);
    frame.string(parameter.variable == TypeVariable::none ? info(parameter.type).name : name_of(parameter.variable));
    frame.number(static_cast<double>(parameter.option));
  }
}

}  // namespace

// number of the operator -> how many operators there are, its name, its versions: each since_version, attributes, inputs,
// outputs, type constraints. A set of types is a number whose bit n stands for TensorProto.DataType n.
double describeOperator(int number) {
  const Operator& op = *all_operators()[static_cast<std::size_t>(number)];
  PageWriter frame(page().data());  // which has room for one
  frame.number(static_cast<double>(all_operators().size()));
  frame.string(op.name);
  frame.number(static_cast<double>(op.versions.size()));
  for (const OperatorVersion& version : op.versions) {
    frame.number(static_cast<std::int64_t>(version.since_version));
    frame.number(static_cast<double>(version.attributes().size()));
    for (const AttributeSpec& spec : version.attributes()) {
      frame.string(spec.name);
      frame.string(name_of(spec.type));
      frame.number(spec.required ? 1.0 : 0.0);
      frame.number(spec.default_int ? 1.0 : 0.0);
      frame.number(spec.default_int.value_or(0));
    }
    write_parameters(frame, version.inputs());
    write_parameters(frame, version.outputs());
    frame.number(static_cast<double>(version.types.size()));
    for (std::size_t i = 0; i < version.types.size(); ++i) {
      frame.string(name_of(version.signature->variables[i]));
      frame.number(static_cast<double>(version.types[i].bits()));
    }
  }
  return success();
}

}  // namespace broadloom
