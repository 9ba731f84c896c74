// Writes ModelProto, GraphProto and NodeProto. ONNX: onnx/onnx.proto.
#include "onnx/node_model.h"

#include <algorithm>

#include "core/count.h"
#include "onnx/attribute_proto.h"
#include "onnx/tensor_proto.h"

namespace broadloom {
namespace {

// ONNX: onnx/helper.py, VERSION_TABLE. IR versions start at 3. Each number is the last opset before the next IR version. Opset
// 28 was not released when this was written; ONNX's main branch gives its IR version.
std::int64_t oldest_ir_version(std::int64_t opset) {
  static constexpr std::int8_t last_opsets[] = {8, 9, 10, 11, 14, 18, 20, 22, 23, 24, 27};
  std::int64_t version = 3;
  for (const std::int8_t last : last_opsets) version += opset > last ? 1 : 0;
  return version;
}

// An input or output of the call. An omitted one has neither name nor tensor.
struct NamedTensor {
  ValueName name;
  const Tensor* tensor = nullptr;
};

// The inputs up to the last present one, then all outputs.
class Values {
 public:
  Values(const OperatorVersion& version, const Call& call) : version_(version), call_(call), inputs_(call.inputs.size()) {
    while (inputs_ > 0 && call.inputs[inputs_ - 1] == nullptr) --inputs_;
  }

  std::size_t size() const { return inputs_ + call_.outputs.size(); }
  bool is_input(std::size_t i) const { return i < inputs_; }
  NamedTensor operator[](std::size_t i) const;

 private:
  const OperatorVersion& version_;
  const Call& call_;
  std::size_t inputs_;
};

NamedTensor Values::operator[](std::size_t i) const {
  const std::span<const Parameter> parameters = is_input(i) ? version_.inputs() : version_.outputs();
  const std::size_t position = is_input(i) ? i : i - inputs_;
  const Tensor* tensor = is_input(i) ? call_.inputs[i] : &call_.outputs[position];
  if (tensor == nullptr) return {};
  const Parameter& parameter = *parameter_at(parameters, position);
  NamedTensor value{{parameter.name}, tensor};
  if (parameter.option == Option::Variadic) value.name.number = static_cast<int>(position - (parameters.size() - 1));
  // If an input has the same name as this output, the output gets a number that no input has.
  for (const Parameter& input : version_.inputs()) {
    if (!is_input(i) && input.name == parameter.name) value.name.number = static_cast<int>(i);
  }
  return value;
}

// ValueInfoProto.
void write_value_info(WireWriter& to, std::uint32_t field, const NamedTensor& value) {
  const std::int64_t end = to.size();
  const std::span<const std::int64_t> dims = value.tensor->run_dims();
  for (std::size_t i = dims.size(); i-- > 0;) {
    const std::int64_t dim_end = to.size();
    to.number(1, dims[i]);
    to.message(1, dim_end);
  }
  to.message(2, end);  // shape
  to.number(1, static_cast<std::int64_t>(value.tensor->dtype));
  to.message(1, end);  // tensor_type
  to.message(2, end);  // type
  to.name(1, value.name);
  to.message(field, end);
}

void write_model(WireWriter& to, const Selection& selection, const Attributes& attributes, const Values& values) {
  to.number(2, selection.opset);
  to.message(8, 0);
  const std::int64_t graph_end = to.size();
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i].tensor != nullptr) write_value_info(to, values.is_input(i) ? 11 : 12, values[i]);
  }
  to.name(2, {selection.op.name});
  const std::int64_t node_end = to.size();
  for (const Attribute& attribute : attributes) write_attribute(to, 5, attribute);
  to.name(4, {selection.op.name});
  for (std::size_t i = values.size(); i-- > 0;) to.name(values.is_input(i) ? 1 : 2, values[i].name);
  to.message(1, node_end);
  to.message(7, graph_end);
  to.name(2, {"broadloom"});
  to.number(1, oldest_ir_version(selection.opset));
}

}  // namespace

Result<std::vector<Tensor>> write_node_model(const Selection& selection, const Call& call) {
  const Values values(selection.version, call);
  const auto left_out = in_memory(std::count(call.inputs.begin(), call.inputs.end(), nullptr));
  std::vector<Tensor> files(1 + call.inputs.size() + call.outputs.size() - left_out);
  Tensor* next = files.data();
  BROADLOOM_TRY(model, write_file([&](WireWriter& to) { write_model(to, selection, call.attributes, values); }));
  *next++ = std::move(model);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const NamedTensor value = values[i];
    if (value.tensor == nullptr) continue;
    BROADLOOM_TRY(file, write_tensor_proto(*value.tensor, value.name));
    *next++ = std::move(file);
  }
  return files;
}

}  // namespace broadloom
