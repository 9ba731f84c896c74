// Shape rules of operators that do not run here: networks keep their shapes behind convolutions and matrix products.
//
// Nothing was checked of their nodes: any number of inputs and outputs, attributes of any type and value, inputs of any type.
// What does not fit a rule leaves outputs unknown, and never fails.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/expressions.h"
#include "core/tensor.h"
#include "ops/operator.h"

namespace broadloom {

// A node of such an operator.
struct RuleCall {
  std::span<const Tensor* const> inputs;  // nullptr for one that is left out
  const Attributes& attributes;
  std::int64_t opset;         // of the default domain; 0 when it is not imported
  std::uint8_t argument;      // what the rule's row says
  std::span<Tensor> outputs;  // unranked to begin with
  Expressions* expressions;

  Sizes sizes() const { return Sizes(expressions); }
};

// The one row of such an operator, for all its versions.
struct ShapeRule {
  std::string_view name;
  // Sets the dims of outputs. What it says holds in every run that does not fail. It does not ask for types.
  void (*infer)(RuleCall& call);
  std::uint8_t argument = 0;  // for the rule, which says what it means
  // Those of the first outputs: see `type_of` in shape_rules.cpp.
  std::uint8_t types[3] = {};
};

// The rules of a domain, in ASCII order of their names: of ONNX's own (""), com.microsoft, and ai.onnx.ml.
std::span<const ShapeRule> shape_rules(std::string_view domain);
// The rule for an operator, or nullptr.
const ShapeRule* find_shape_rule(std::string_view domain, std::string_view name);

// Whether an input has another rank than the operator takes: then the node fails in every run.
bool has_wrong_rank(const ShapeRule& rule, std::span<const Tensor* const> inputs);

// Sets the element types of outputs that are `undefined`, as far as the rule knows them; those that follow from an input of
// unknown_type have it, too. An input of type `undefined` is left out.
void set_rule_types(const ShapeRule& rule, std::span<const Dtype> inputs, const Attributes& attributes,
                    std::span<Dtype> outputs);

}  // namespace broadloom
