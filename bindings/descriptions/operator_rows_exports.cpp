// The operators there are: their names and rows.
#include <algorithm>

#include "core/text.h"
#include "descriptions/json_page.h"
#include "frame.h"
#include "functions.h"
#include "graph/structure/control_flow.h"
#include "ops/operators.h"
#include "tensors.h"

namespace broadloom {

// name -> number of the operator, or an error
double findOperator() {
  const std::string_view name = FrameReader().string();
  const auto operators = all_operators();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (operators[i]->name == name) return static_cast<double>(i);
  }
  const Operator* op = find_graph_operator("", name);
  const Error error = op != nullptr && op->runs()
                          ? make_error(Code::UnknownOperator,
                                       "no operator {} of single calls: it runs graphs, which only models have", quoted(name))
                          : no_operator("", name);
  error->op.append("{}", clipped(name));
  return failure(error);
}

namespace {

void write_attribute(JsonWriter& to, const AttributeSpec& spec) {
  to.begin_object();
  to.field("name", spec.name);
  to.field("type", name_of(spec.type));
  to.field("required", spec.required);
  if (spec.default_number) {
    to.field("default", *spec.default_number);
  } else if (!spec.required && !spec.words.empty()) {
    to.field("default", spec.first_word());
  }
  if (!spec.words.empty()) {
    to.key("choices");
    to.begin_list();
    for (std::string_view rest = spec.words; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      to.value(word);
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    to.end_list();
  }
  if (spec.is_data_type) to.field("isDataType", true);
  to.end_object();
}

void write_parameters(JsonWriter& to, std::string_view key, std::span<const Parameter> parameters) {
  constexpr const char* options[] = {"Single", "Optional", "Variadic"};
  to.list(key, parameters, [&](const Parameter& parameter) {
    to.begin_object();
    to.field("name", parameter.name);
    to.field("type", parameter.variable == TypeVariable::none ? info(parameter.type).name : name_of(parameter.variable));
    to.field("option", options[static_cast<std::size_t>(parameter.option)]);
    to.end_object();
  });
}

void write_constraints(JsonWriter& to, const OperatorVersion& version) {
  to.begin_object();
  for (std::size_t i = 0; i < version.types.size(); ++i) {
    const TypeVariable variable = version.signature->variables[i];
    if (variable == TypeVariable::none) continue;
    to.key(name_of(variable));
    to.begin_list();
    for (int id = 1; id <= dtype_count; ++id) {
      const Dtype dtype = *dtype_from_id(id);
      if (version.types[i].contains(dtype)) to.value(info(dtype).name);
    }
    to.end_list();
  }
  to.end_object();
}

}  // namespace

// number of the operator -> JSON: Operator in js/src/calls/operators.ts; null after the last one
double describeOperator(int number) {
  return finish(write_json([&](JsonWriter& to) {
    const auto operators = all_operators();
    if (static_cast<std::size_t>(number) >= operators.size()) return to.value(nullptr);
    const Operator& op = *operators[static_cast<std::size_t>(number)];
    to.begin_object();
    to.field("name", op.name);
    to.list("versions", op.versions, [&](const OperatorVersion& version) {
      to.begin_object();
      to.field("sinceVersion", version.since_version);
      to.list("attributes", version.attributes(), [&](const AttributeSpec& spec) { write_attribute(to, spec); });
      write_parameters(to, "inputs", version.inputs());
      write_parameters(to, "outputs", version.outputs());
      to.key("typeConstraints");
      write_constraints(to, version);
      to.end_object();
    });
    to.end_object();
  }));
}

double newestOpset() { return static_cast<double>(newest_opset); }

}  // namespace broadloom
