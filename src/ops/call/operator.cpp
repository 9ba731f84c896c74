#include "ops/call/operator.h"

#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/movement.h"
#include "ops/elementwise.h"
#include "ops/operators.h"

namespace broadloom {
namespace {

bool is_word(std::string_view words, std::string_view text) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (word == text) return true;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return false;
}

Status check_attributes(const OperatorVersion& version, const Attributes& attributes) {
  for (const AttributeSpec& spec : version.attributes()) {
    if (spec.required && attributes.find(spec.name) == nullptr) {
      return fail(Code::InvalidArgument, "attribute {} is missing", quoted(spec.name));
    }
  }
  for (const auto& [spec, value] : attributes) {
    if (!spec->words.empty() && !is_word(spec->words, text_of(value))) {
      return fail(Code::InvalidArgument, "attribute {} is {}, wanted one of: {}", quoted(spec->name), quoted(text_of(value)),
                  spec->words);
    }
    const bool is_default = static_cast<float>(value.integer) == spec->default_number;
    if (spec->is_data_type && !is_default && !dtype_from_id(value.integer)) {
      return fail(Code::InvalidArgument, "attribute {} is {}, which is not an element type", quoted(spec->name), value.integer);
    }
  }
  return {};
}

[[gnu::noinline]] Status check_other_count(std::span<const Parameter> parameters, std::size_t count, std::string_view what) {
  std::size_t least = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool is_variadic = parameters[i].option == Option::Variadic;
    const auto arity = in_memory(is_variadic ? parameters[i].min_arity : 1);
    if (parameters[i].option != Option::Optional && arity > 0) least = i + arity;
  }
  const bool variadic = !parameters.empty() && parameters.back().option == Option::Variadic;
  const std::size_t most = parameters.size();
  if (count >= least && (variadic || count <= most)) return {};
  if (!variadic && most > least) return fail(Code::InvalidArgument, "takes {} to {} {}s, got {}", least, most, what, count);
  const char* pattern = variadic ? "takes {} or more {}s, got {}" : least == 1 ? "takes {} {}, got {}" : "takes {} {}s, got {}";
  return fail(Code::InvalidArgument, pattern, least, what, count);
}

// One value for each parameter is always right.
[[gnu::always_inline]] inline Status check_count(std::span<const Parameter> parameters, std::size_t count,
                                                 std::string_view what) {
  const bool is_each = count == parameters.size() && count > 0 && parameters.back().option != Option::Variadic;
  return is_each ? Status() : check_other_count(parameters, count, what);
}

[[gnu::cold]] Error unsupported(const Operator& op, const OperatorVersion& version, const Parameter& parameter, bool is_input,
                                Dtype dtype) {
  const Error error =
      make_error(Code::UnsupportedType, "{} {} cannot be {}; ", is_input ? "input" : "output", quoted(parameter.name), dtype);
  for (const OperatorVersion& other : op.versions) {
    // Type constraints have different names in versions, but parameters do not.
    for (const Parameter& candidate : is_input ? other.inputs() : other.outputs()) {
      if (candidate.name != parameter.name) continue;
      if (!other.types_of(candidate).contains(dtype)) continue;
      error->message.append("{}-{} (opset {}) allows it", op.name, other.since_version, other.since_version);
      return error;
    }
  }
  error->message.append("no version of {} allows it. Allowed:", op.name);
  const TypeSet allowed = version.types_of(parameter);
  for (int id = 1; id <= dtype_count; ++id) {
    if (allowed.contains(static_cast<Dtype>(id))) error->message.append(" {}", static_cast<Dtype>(id));
  }
  return error;
}

[[gnu::cold]] Error no_attribute(const Selection& selection, std::string_view name) {
  const auto& [op, version, opset] = selection;
  const Error error = make_error(Code::InvalidArgument, "no attribute {}", quoted(name));
  for (const OperatorVersion& other : op.versions) {
    if (find_spec(other, name) == nullptr) continue;
    const std::span<const Parameter> inputs = version.inputs();
    const std::size_t input = input_named(version, name);
    if (input == inputs.size()) {
      error->message.append("; it came with {}-{}", op.name, other.since_version);
    } else {
      error->message.append(": {}-{} takes it as an input, after {}", op.name, version.since_version,
                            quoted(inputs[input - 1].name));
    }
    return error;
  }
  const char* pattern = version.attributes().empty() ? "; {}-{} has none" : "; {}-{} has";
  error->message.append(pattern, op.name, version.since_version);
  const char* separator = " ";
  for (const AttributeSpec& spec : version.attributes()) {
    error->message.append("{}{}", separator, quoted(spec.name));
    separator = ", ";
  }
  return error;
}

// The element types of the type variables, from a call's inputs; absent if no input has the variable.
using Bindings = std::array<ElementType, std::tuple_size_v<decltype(OperatorVersion::types)>>;

// Even if types are not allowed, prepare may read all required inputs and write all outputs.
Status check_arity(const Selection& selection, std::span<const ElementType> inputs, std::size_t outputs) {
  const OperatorVersion& version = selection.version;
  BROADLOOM_CHECK(check_input_count(selection, inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Parameter& parameter = *parameter_at(version.inputs(), i);
    if (!inputs[i].is_absent() || parameter.option == Option::Optional) continue;
    return fail(Code::InvalidArgument, "input {} ({}) is missing", i, quoted(parameter.name));
  }
  return check_count(version.outputs(), outputs, "output");
}

Status check_inputs(const Operator& op, const OperatorVersion& version, std::span<const ElementType> inputs,
                    Bindings& bindings) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Parameter& parameter = *parameter_at(version.inputs(), i);
    const ElementType type = inputs[i];
    if (type.is_absent()) continue;
    if (type.is_known() && !version.types_of(parameter).contains(type.dtype())) {
      return Failure(unsupported(op, version, parameter, true, type.dtype()));
    }
    if (parameter.variable == TypeVariable::none || !parameter.is_homogeneous) continue;
    ElementType& bound = bindings[version.position_of(parameter.variable)];
    if (!bound.is_known()) bound = type;
    if (type.is_known() && bound != type) {
      return fail(Code::InvalidArgument, "input {} is {}, but another input of type {} is {}", quoted(parameter.name),
                  type.dtype(), name_of(parameter.variable), bound.dtype());
    }
  }
  return {};
}

// The type of an output. `bound` was checked before.
Result<ElementType> output_type(const Operator& op, const Parameter& parameter, TypeSet allowed, ElementType bound,
                                ElementType first_bound, const Attributes& attributes) {
  if (!bound.is_absent()) return bound;
  if (op.output_type == nullptr || parameter.variable == TypeVariable::none) return ElementType(allowed.single());
  BROADLOOM_TRY(type, op.output_type(attributes));
  return type == Dtype::undefined ? first_bound : ElementType(type);
}

Status set_output_types(const Operator& op, const OperatorVersion& version, std::span<ElementType> outputs,
                        const Bindings& bindings, const Attributes& attributes) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Parameter& parameter = *parameter_at(version.outputs(), i);
    const TypeSet allowed = version.types_of(parameter);
    if (outputs[i].is_absent()) {
      const bool is_free = parameter.variable == TypeVariable::none;
      const ElementType bound = is_free ? ElementType() : bindings[version.position_of(parameter.variable)];
      BROADLOOM_TRY(type, output_type(op, parameter, allowed, bound, bindings[0], attributes));
      outputs[i] = type;
    }
    if (outputs[i].is_known() && !allowed.contains(outputs[i].dtype())) {
      return Failure(unsupported(op, version, parameter, false, outputs[i].dtype()));
    }
  }
  return {};
}

}  // namespace

namespace {

Dtype type_from(const TypeSource& source, std::span<const ElementType> inputs, const Attributes& attributes) {
  if (!source.attribute.empty()) {
    const Attribute* given = attributes.find(source.attribute);
    const bool is_number = given != nullptr && given->spec->type == AttributeType::INT;
    if (is_number && given->value.integer != 0) return dtype_from_id(given->value.integer).value_or(Dtype::undefined);
  }
  if (source.input < 0) return source.type;
  const auto i = static_cast<std::uint8_t>(source.input);
  return i < inputs.size() ? inputs[i].dtype() : Dtype::undefined;
}

}  // namespace

void set_types(const Operator& op, std::span<const ElementType> inputs, std::span<ElementType> outputs,
               const Attributes& attributes) {
  for (std::size_t i = 0; i < std::min(outputs.size(), op.type_sources.size()); ++i) {
    if (!outputs[i].is_known()) outputs[i] = ElementType(type_from(op.type_sources[i], inputs, attributes));
  }
}

std::string_view name_of(TypeVariable variable) {
  constexpr std::string_view names[] = {"", "T", "T1", "T2", "T3", "T4", "TS", "Tind", "B", "I", "M", "U", "V"};
  return names[place_of(variable)];
}

namespace {

[[gnu::cold, gnu::noinline]] Failure not_in_opset(const Operator& op, std::int64_t opset) {
  const Error error = make_error(Code::UnknownOperator, "{}: not in opset {}; its first version is {}-{}", op.name, opset,
                                 op.name, op.versions.front().since_version);
  error->op.append("{}", op.name);
  error->opset = opset;
  return Failure(error);
}

}  // namespace

Result<const OperatorVersion*> select_version(const Operator& op, std::int64_t opset) {
  const OperatorVersion& newest = newest_version(op, opset);
  if (newest.since_version > opset) return not_in_opset(op, opset);
  return &newest;
}

const OperatorVersion& newest_version(const Operator& op, std::int64_t opset) {
  const OperatorVersion* newest = &op.versions.front();
  for (const OperatorVersion& version : op.versions) {
    if (version.since_version <= opset) newest = &version;
  }
  return *newest;
}

const AttributeSpec* find_spec(const OperatorVersion& version, std::string_view name) {
  for (const AttributeSpec& spec : version.attributes()) {
    if (same_name(spec.name, name)) return &spec;
  }
  return nullptr;
}

Status admit_attribute(const Selection& selection, const Attributes& attributes, const AttributeSpec* spec,
                       std::string_view name, AttributeType type) {
  if (spec == nullptr) {
    return name.starts_with("__") ? Status() : Failure(no_attribute(selection, name));
  }
  if (type != spec->type) {
    return fail(Code::InvalidArgument, "attribute {} is {}, wanted {}", quoted(name), name_of(type), name_of(spec->type));
  }
  if (attributes.find(name) != nullptr) return fail(Code::InvalidArgument, "attribute {} is given twice", quoted(name));
  return {};
}

Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<Dtype> outputs,
                  const Attributes& attributes) {
  ElementTypes types(outputs.size());
  BROADLOOM_CHECK(check_call(selection, inputs, std::span(types.data(), types.size()), attributes));
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = types[i].dtype();
  return {};
}

Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<ElementType> outputs,
                  const Attributes& attributes) {
  const auto& [op, version, opset] = selection;
  Bindings bindings{};
  Status status = check_arity(selection, inputs, outputs.size());
  if (status) status = check_attributes(version, attributes);
  if (status) status = check_inputs(op, version, inputs, bindings);
  if (status) status = set_output_types(op, version, outputs, bindings, attributes);
  if (status) status = check_types_of_module(inputs);
  if (status) status = check_types_of_module(outputs);
  if (!status) return Failure(in_operator(status.error(), selection));
  return {};
}

Status check_input_count(const Selection& selection, std::size_t count) {
  const auto& [op, version, opset] = selection;
  const Status status = check_count(version.inputs(), count, "input");
  const std::size_t first = version.inputs().size();
  if (status || count <= first) return status;
  // Later versions may take an attribute as an input.
  for (const OperatorVersion& other : op.versions) {
    if (other.inputs().size() <= first || find_spec(version, other.inputs()[first].name) == nullptr) continue;
    status.error()->message.append(": before {}-{}, {} is an attribute: {} {}: ... {}", op.name, other.since_version,
                                   quoted(other.inputs()[first].name), "{", other.inputs()[first].name, "}");
    break;
  }
  return status;
}

bool has_program(const Operator& op, const OperatorVersion& version, std::span<const ElementType> inputs, Dtype output) {
  if (op.elements == nullptr || inputs.size() > Program::most_operands) return false;
  const auto is_read = [](Dtype dtype) {
    if (dtype == Dtype::string || dtype == Dtype::undefined) return false;
    const DtypeInfo& type = info(dtype);
    return type.bits >= 8 && type.bits <= 64 && (type.bits > 8 || type.kind != DtypeKind::mini_float);
  };
  for (const ElementType type : inputs) {
    if (!type.is_absent() && !is_read(type.dtype())) return false;
  }
  const bool broadcasts = version.since_version >= 7 || inputs.size() == 1 || !op.domain.empty();
  if (!is_read(output) || !broadcasts) return false;
  // Operators with `output_type` convert elements.
  return op.output_type == nullptr || Program::can_convert(output, inputs[0].dtype());
}

namespace {

bool computes_elements(const Operator& op, const Call& call) {
  if (op.elements == nullptr || (op.traits.computes_sizes && has_sizes(call))) return false;
  ElementTypes types(call.inputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (call.inputs[i] != nullptr) types[i] = ElementType(call.inputs[i]->dtype);
  }
  return has_program(op, call.version, types.values(), call.outputs[0].dtype);
}

}  // namespace

Status finished_by_prepare(Call&) { return {}; }

bool Call::is_empty() const {
  return std::all_of(outputs.begin(), outputs.end(), [](const Tensor& it) { return it.count() == 0; });
}

Status check_operands(const Operator& op, const Call& call) {
  Count most;
  const auto see = [&most](const Tensor& tensor) {
    most = std::max(most, (Count(tensor.count()) * info(tensor.dtype).bits + 7) / 8);
  };
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] != nullptr && !op.moves(i)) see(*call.inputs[i]);
  }
  for (const Tensor& output : call.outputs) see(output);
  return most.is_addressable() ? Status() : Failure(out_of_memory(most));
}

Status complete(const Operator& op, Call& call) {
  [[maybe_unused]] const Running running(op, call);
  for (const Tensor* input : call.inputs) {
    if (input != nullptr && !input->has_elements()) return {};
  }
  const bool is_elementwise = computes_elements(op, call);
  if (is_elementwise) {
    for (const Tensor* input : call.inputs) {
      const LayoutRef* order = input == nullptr ? nullptr : order_of(*input, call.outputs[0].dims());
      if (order == nullptr) continue;
      call.outputs[0].layout = *order;
      break;
    }
  }
  for (Tensor& output : call.outputs) {
    if (output.has_elements()) continue;
    BROADLOOM_CHECK(checked_count(output.dims()));
    BROADLOOM_TRY(tensor, make_tensor(output.dtype, output.dims()));
    tensor.layout = result_layout(output.layout);
    output = std::move(tensor);
  }
  if (call.is_empty()) return {};
  if (!is_elementwise) BROADLOOM_CHECK(check_operands(op, call));
  BROADLOOM_CHECK(is_elementwise ? compute_elements(op, call) : compute_movement(op, call));
  return Watch::check();
}

Status run_call(const Selection& selection, Call& call) {
  Status status = run(selection.op, call);
  if (!status) return Failure(in_operator(status.error(), selection));
  return {};
}

Error in_operator(Error error, const Selection& selection) {
  error->message.prepend("{}-{}: ", selection.op.name, selection.version.since_version);
  if (!selection.op.domain.empty()) error->message.prepend("{}.", selection.op.domain);
  error->op.clear();
  error->op.append("{}", selection.op.name);
  error->opset = selection.opset;
  return error;
}

}  // namespace broadloom
