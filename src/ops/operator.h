// What an operator is: rows of data, one per version, a rule for dims, and a few lines of work.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/dtype.h"
#include "core/expressions.h"
#include "core/inline_vector.h"
#include "core/memory.h"
#include "core/tensor.h"
#include "kernels/program.h"
#include "ops/attribute.h"

namespace broadloom {

// ---- Rows, in the terms of ONNX's schemas (onnx/defs/schema.h, OpSchema) ----

enum class Option : std::uint8_t { Single, Optional, Variadic };

// The variable of a type constraint: what a call has under one variable is of one element type.
enum class TypeVariable : std::uint8_t { none, T, T1, T2, T3, Tind, B, I, U, V };

// The name that the schemas give it.
std::string_view name_of(TypeVariable variable);

struct Parameter {
  using enum Option;
  constexpr Parameter(std::string_view its_name, TypeVariable its_variable, Option its_option = Single)
      : name(its_name), variable(its_variable), option(its_option) {}
  constexpr Parameter(std::string_view its_name, Dtype its_type, Option its_option = Single)
      : name(its_name), type(its_type), option(its_option) {}
  // A variadic one that stands for `its_min_arity` or more, each with a type of its own.
  constexpr static Parameter heterogeneous(std::string_view its_name, TypeVariable its_variable, std::int8_t its_min_arity) {
    Parameter parameter(its_name, its_variable, Variadic);
    parameter.is_homogeneous = false;
    parameter.min_arity = its_min_arity;
    return parameter;
  }

  std::string_view name;
  TypeVariable variable = TypeVariable::none;
  Dtype type = Dtype::undefined;  // the only one, where there is no variable
  Option option;
  bool is_homogeneous = true;  // whether all that a variadic one stands for have one type
  std::int8_t min_arity = 1;   // the least number of those
};

// What versions share that differ in their types.
struct Signature {
  std::span<const AttributeSpec> attributes;
  std::span<const Parameter> inputs;
  std::span<const Parameter> outputs;
  std::array<TypeVariable, 3> variables;
};

// The version stands first, as in ONNX's texts; where pointers have 32 bits it pads nothing.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct OperatorVersion {
  std::int32_t since_version;
  const Signature* signature;
  // What each variable of the signature allows. Sequence and optional types are not listed: Broadloom runs tensors.
  std::array<TypeSet, 3> types;

  std::span<const AttributeSpec> attributes() const { return signature->attributes; }
  std::span<const Parameter> inputs() const { return signature->inputs; }
  std::span<const Parameter> outputs() const { return signature->outputs; }
  // The position of a type variable in `types`; that of `none` is of no use.
  std::size_t position_of(TypeVariable variable) const {
    const auto& variables = signature->variables;
    std::size_t i = 0;
    while (i + 1 < variables.size() && variables[i] != variable) ++i;
    return i;
  }
  [[gnu::always_inline]] TypeSet types_of(const Parameter& parameter) const {
    return parameter.variable == TypeVariable::none ? TypeSet(parameter.type) : types[position_of(parameter.variable)];
  }
};

// ---- Calls ----

using Dtypes = InlineVector<Dtype, 8>;
using ElementTypes = InlineVector<ElementType, 8>;

// One call. Arity, attributes and types were checked against the version before (check_call).
struct Call {
  const OperatorVersion& version;
  std::span<const Tensor* const> inputs;  // nullptr for an optional input that is left out; those at the end may be absent
  const Attributes& attributes;
  std::span<const Dtype> output_types;  // before a run, some may not be known
  std::span<Tensor> outputs;
  Expressions* expressions = nullptr;  // before a run: those that sizes may be
  const std::byte* packed = nullptr;   // of a planned run: Operator::pack made it

  bool is_run() const { return expressions == nullptr; }
  Sizes sizes() const { return Sizes(expressions); }

  // An input, or nullptr where it is left out.
  const Tensor* input(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  // The value of an attribute, else its default in the version's row, else 0 or "".
  std::int64_t integer(std::string_view name) const;
  float number(std::string_view name) const;
  std::string_view word(std::string_view name) const;
};

// Says where the element type of an output comes from, for operators that have no schema here (ops/foreign).
struct TypeSource {
  Dtype type = Dtype::undefined;    // this one; undefined: it follows from what is named below
  std::int8_t input = -1;           // the number of an input
  std::string_view attribute = {};  // comes first, where a node gives it and it is not 0

  constexpr static TypeSource of(Dtype its_type) { return {.type = its_type}; }
  constexpr static TypeSource like(std::int8_t its_input) { return {.input = its_input}; }
  constexpr TypeSource unless(std::string_view its_attribute) const { return {type, input, its_attribute}; }
};

// Facts that graphs ask for. Each is false unless the operator says otherwise.
struct Traits {
  bool is_random : 1 = false;              // not the same in every run, or in training
  bool depends_on_data : 1 = false;        // only a run tells its outputs' sizes, whatever is known of its inputs' sizes
  bool is_idempotent : 1 = false;          // done twice, it does the same as once
  bool is_reshape : 1 = false;             // the same elements in the same order, under other dims
  bool quantises : 1 = false;              // tells its neighbours in which type to compute
  bool is_identity_of_one : 1 = false;     // of one input it makes that input
  bool has_graphs : 1 = false;             // runs graphs of its own: If, Loop, Scan
  bool may_precede_its_opset : 1 = false;  // other runtimes know it in opsets before its first version
  // Before a run its int64 elements may be expressions: compute works on them through Sizes. It may leave an output without
  // elements then, as prepare would.
  bool computes_sizes : 1 = false;
};

class PackedOperands;

struct Operator {
  std::string_view name;
  std::string_view domain = {};               // "" is ONNX's own
  std::span<const OperatorVersion> versions;  // ascending

  // The element type of the first output, where inputs do not determine it; it checks what it reads from the attributes.
  // `undefined` stands for that of the first type variable.
  // nullptr: every output's type follows from its type constraint.
  Result<Dtype> (*output_type)(const Attributes& attributes) = nullptr;

  // The operator's one rule for dims. Sets call.outputs: to the finished tensor where that costs nothing in proportion to
  // its elements (a view of an input, a shape), else to type and dims. Fails for what the operator refuses.
  // In a run, all is known of the inputs, unless they have no elements: then it does what it can without.
  // Before a run, inputs may have no rank, symbolic sizes, and no elements. Every size it sets holds in any successful run. It
  // leaves outputs of unknown rank alone, and sets sizes that it does not know to unknown_size.
  Status (*prepare)(Call& call) = nullptr;

  // Writes the elements of those outputs that prepare did not finish, which are dense now. finished_by_prepare where there are
  // never such. nullptr, and no `elements` either: the operator does not run here. Then nothing is checked of its nodes, and
  // prepare takes any inputs, outputs and attributes.
  Status (*compute)(Call& call) = nullptr;

  // Of an operator that makes each element of its one output from one element of each input, broadcast to the output's dims:
  // adds the steps that do so to a program, and constants: at most most_steps and two for each input. An input that is left out
  // has no type here. `compute` is left for what no program reads (has_program).
  Program::Value (*elements)(const Call& call, Program& program, std::span<const Program::Value> inputs) = nullptr;
  std::uint8_t most_steps = 3;

  // How many outputs a single call has, if its version has a variadic one, or some that are not for single calls. A node of a
  // model says so itself.
  Result<std::size_t> (*count_outputs)(const Call& call) = nullptr;

  // The inputs whose elements it only moves, without asking what they are: bit i for input i. Their types never reach compute
  // as strings of several texts or as packed elements (ops/movement.h), and before a run their elements may be expressions.
  std::uint32_t data_movement_inputs = 0;

  // The inputs whose elements prepare or `elements` asks for, though dims or steps can be had without: bit i for input i. A
  // plan (graph/plan.h) needs to know them. Of other inputs but the first, a plan shows them no elements that differ between
  // runs; of the first one, elements that may be viewed and not read.
  std::uint32_t inputs_asked_for = 0;

  // Puts a constant input into the order in which compute reads it: once, for all runs, which get it as `call.packed`. The
  // inputs that have elements are constants; outputs have their dims. Nothing where that gains nothing.
  Result<StorageRef> (*pack)(const Call& call, PackedOperands& packed) = nullptr;

  // How many steps a prepared call takes besides one for each element of its inputs and outputs. nullptr: none.
  double (*extra_work)(const Call& call) = nullptr;

  // Of an operator that does not run: the types of its first outputs. None for those that are not known.
  std::span<const TypeSource> type_sources = {};

  Traits traits = {};

  bool runs() const { return compute != nullptr || elements != nullptr; }
  // Whether something is left to do after prepare.
  bool computes() const;
  bool is_elementwise() const { return elements != nullptr; }
  std::size_t most_added(std::size_t inputs) const { return most_steps + 2 * inputs; }
  bool asks_for(std::size_t input) const { return ((inputs_asked_for >> std::min<std::size_t>(input, 31)) & 1U) != 0; }
  bool moves(std::size_t input) const { return ((data_movement_inputs >> std::min<std::size_t>(input, 31)) & 1U) != 0; }
};

// Operator::compute where prepare finishes every output: views, shapes, and what runs graphs.
Status finished_by_prepare(Call& call);

inline bool Operator::computes() const { return elements != nullptr || (compute != nullptr && compute != finished_by_prepare); }

// Values of Operator::data_movement_inputs.
inline constexpr std::uint32_t all_inputs = UINT32_MAX;
constexpr std::uint32_t inputs_at(std::initializer_list<std::uint32_t> numbers) {
  std::uint32_t bits = 0;
  for (const std::uint32_t number : numbers) bits |= 1U << number;
  return bits;
}

// ---- Steps of a call, shared by single calls and models ----

// The newest opset whose versions are listed. Later ones use the same versions until ONNX says otherwise.
inline constexpr std::int64_t newest_opset = 28;

// The version with the greatest since_version that is not above `opset` (ONNX: docs/IR.md, Operator Sets).
Result<const OperatorVersion*> select_version(const Operator& op, std::int64_t opset);

// The same, but the first version where none is old enough.
const OperatorVersion& newest_version(const Operator& op, std::int64_t opset);

// An operator's version that was chosen by an opset; errors name both.
struct Selection {
  const Operator& op;
  const OperatorVersion& version;
  std::int64_t opset;
};

// The version's row for an attribute, or nullptr.
const AttributeSpec* find_spec(const OperatorVersion& version, std::string_view name);

// The parameter that formal position `i` falls on, or nullptr: the last one takes all further positions if it is variadic.
// This, types_of and run are in every small call: as calls of their own they would be 1.02 of its time.
[[gnu::always_inline]] inline const Parameter* parameter_at(std::span<const Parameter> parameters, std::size_t i) {
  if (i < parameters.size()) return &parameters[i];
  return !parameters.empty() && parameters.back().option == Option::Variadic ? &parameters.back() : nullptr;
}

// Checks an attribute that a node gives, before it joins `attributes`. `spec` is what find_spec says of its name. Fails when
// the version does not declare it, declares another type, or has it already. A name that starts with "__" passes without
// being declared: such attributes are their producer's own and mean nothing to the operator.
Status admit_attribute(const Selection& selection, const Attributes& attributes, const AttributeSpec* spec,
                       std::string_view name, AttributeType type);

// Whether the number of inputs is one that the version takes.
Status check_input_count(const OperatorVersion& version, std::size_t count);

// Whether required attributes, arity and types are as the version wants them; sets the type of each output that is absent. An
// input whose type is not known may have any, and the types that would follow from it are not known either.
Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<ElementType> outputs,
                  const Attributes& attributes);
// The same, where the types of all inputs are known and of all outputs follow.
Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<Dtype> outputs,
                  const Attributes& attributes);

// The same for an operator that does not run: nothing is checked.
void set_types(const Operator& op, std::span<const ElementType> inputs, std::span<ElementType> outputs,
               const Attributes& attributes);

// Whether elements of these types come from a program in this version: not those of strings, of float8 types and of less than a
// byte; nor those of several inputs before version 7, which do not broadcast as NumPy's arrays do.
bool has_program(const Operator& op, const OperatorVersion& version, std::span<const ElementType> inputs, Dtype output);

// No schema lists more outputs. An operator of any number of outputs, as Split, asks for the memory of the others' layouts.
inline constexpr std::size_t most_listed_outputs = 16;

// Asks for the memory of so many outputs, and of the layouts of those that schemas list. The outputs that a node leaves out
// take two bytes of its file, and a layout takes some thousand.
inline Status require_outputs(std::size_t count) {
  BROADLOOM_CHECK(require_memory(count, sizeof(Tensor)));
  return require_memory(std::min(count, most_listed_outputs), most_layout_bytes);
}

// Whether each output has its elements.
inline bool is_finished(const Call& call) {
  return std::all_of(call.outputs.begin(), call.outputs.end(), [](const Tensor& output) { return output.has_elements(); });
}

// Allocates the outputs that prepare did not finish, and computes them. When inputs have no elements, they stay without.
Status complete(const Operator& op, Call& call);

// Prepares and computes a call that check_call accepted. When outputs need elements that inputs do not have, they stay without.
[[gnu::always_inline]] inline Status run(const Operator& op, Call& call) {
  BROADLOOM_CHECK(op.prepare(call));
  return is_finished(call) ? Status() : complete(op, call);
}
// The same; errors name the operator.
Status run_call(const Selection& selection, Call& call);

// Adds the operator, its version and opset to an error.
[[gnu::cold]] Error in_operator(Error error, const Selection& selection);

}  // namespace broadloom
