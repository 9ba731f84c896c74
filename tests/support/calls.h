// Calls an operator by the same steps as the bindings and models.
#pragma once

#include <string_view>
#include <vector>

#include "ops/call/operator.h"
#include "support/tensors.h"

// ONNX's names of operators. A test declares those that it names.
namespace broadloom {
namespace op {}
using namespace op;
}  // namespace broadloom

namespace broadloom::test {

// An attribute's value, made from a C++ value; a missing one by default.
struct Value : AttributeValue {
  Value() = default;
  Value(std::int64_t its_integer) {
    is_present = true;
    integer = its_integer;
  }
  Value(float its_number) {
    is_present = true;
    number = its_number;
  }
  Value(Tensor its_tensor) {
    is_present = true;
    tensor = std::move(its_tensor);
  }
  Value(SparseTensor its_tensor) {
    is_present = true;
    sparse.push_back(std::move(its_tensor));
  }
};

// A node's attribute.
struct Given {
  std::string_view name;
  AttributeType type;
  Value value;
};

struct Options {
  std::int64_t opset = newest_opset;
  std::size_t outputs = 1;
};

// nullptr means an omitted input.
inline Result<std::vector<Tensor>> call_all(const Operator& op, const std::vector<const Tensor*>& inputs,
                                            const std::vector<Given>& given = {}, Options options = {}) {
  BROADLOOM_TRY(version, select_version(op, options.opset));
  const Selection selection{op, *version, options.opset};
  Attributes attributes;
  for (const Given& one : given) {
    const AttributeSpec* spec = find_spec(selection.version, one.name);
    const Status admitted = admit_attribute(selection, attributes, spec, one.name, one.type);
    if (!admitted) return Failure(in_operator(admitted.error(), selection));
    if (spec != nullptr) attributes.add(*spec) = one.value;
  }
  ElementTypes types(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != nullptr) types[i] = ElementType(inputs[i]->dtype);
  }
  Dtypes output_types(options.outputs);
  BROADLOOM_CHECK(check_call(selection, types, output_types, attributes));
  std::vector<Tensor> outputs(options.outputs);
  Call call{*version, inputs, attributes, output_types, outputs};
  BROADLOOM_CHECK(run_call(selection, call));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i].dtype, output_types[i]) << op.name << " gives another type than was announced";
  }
  return outputs;
}

inline Result<Tensor> call(const Operator& op, const std::vector<const Tensor*>& inputs, const std::vector<Given>& given = {},
                           std::int64_t opset = newest_opset) {
  BROADLOOM_TRY(outputs, call_all(op, inputs, given, {opset, 1}));
  return outputs.front();
}

inline Given tensor_attribute(std::string_view name, Tensor tensor) { return {name, AttributeType::TENSOR, std::move(tensor)}; }
inline Given int_attribute(std::string_view name, std::int64_t value) { return {name, AttributeType::INT, value}; }

}  // namespace broadloom::test
