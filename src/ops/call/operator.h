// An operator: a schema for each version, a rule for dims, and a function that computes.
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
#include "kernels/base/uses.h"
#include "kernels/elementwise/program.h"
#include "ops/call/attribute.h"

namespace broadloom {

// ---- Schemas, in the terms of ONNX (onnx/defs/schema.h, OpSchema) ----

enum class Option : std::uint8_t { Single, Optional, Variadic };

// The variable of a type constraint: all inputs and outputs of one variable have the same element type.
enum class TypeVariable : std::uint8_t { none, T, T1, T2, T3, T4, TS, Tind, B, I, M, U, V };

// The name of a type variable in the schemas.
std::string_view name_of(TypeVariable variable);

struct Parameter {
  using enum Option;
  constexpr Parameter(std::string_view its_name, TypeVariable its_variable, Option its_option = Single)
      : name(its_name), variable(its_variable), option(its_option) {}
  constexpr Parameter(std::string_view its_name, Dtype its_type, Option its_option = Single)
      : name(its_name), type(its_type), option(its_option), is_list(its_type == Dtype::int64) {}
  // Axes or sizes of a type other than int64 alone, or one integer.
  constexpr static Parameter list(std::string_view its_name, TypeVariable its_variable, Option its_option = Single) {
    Parameter parameter(its_name, its_variable, its_option);
    parameter.is_list = true;
    return parameter;
  }
  constexpr static Parameter scalar(std::string_view its_name, Dtype its_type, Option its_option = Single) {
    Parameter parameter(its_name, its_type, its_option);
    parameter.is_list = false;
    return parameter;
  }
  // A variadic parameter for at least `its_min_arity` values, each of any type.
  constexpr static Parameter heterogeneous(std::string_view its_name, TypeVariable its_variable, std::int8_t its_min_arity) {
    Parameter parameter(its_name, its_variable, Variadic);
    parameter.is_homogeneous = false;
    parameter.min_arity = its_min_arity;
    return parameter;
  }

  std::string_view name;
  TypeVariable variable = TypeVariable::none;
  Dtype type = Dtype::undefined;  // the only type, if there is no variable
  Option option;
  bool is_list = false;        // whether a number for it is a list of one: axes, sizes
  bool is_homogeneous = true;  // of a variadic parameter: whether all its values have one type
  std::int8_t min_arity = 1;   // of a variadic parameter: the least number of values
};

// The parts that versions share if only their types differ.
struct Signature {
  std::span<const AttributeSpec> attributes;
  std::span<const Parameter> inputs;
  std::span<const Parameter> outputs;
  std::array<TypeVariable, 4> variables;
};

// The version comes first, as in ONNX's texts. With pointers of 32 bits, this adds no padding.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
struct OperatorVersion {
  std::int32_t since_version;
  const Signature* signature;
  // The types of each variable of the signature. Sequence and optional types are not listed: Broadloom only runs tensors.
  std::array<TypeSet, 4> types;

  std::span<const AttributeSpec> attributes() const { return signature->attributes; }
  std::span<const Parameter> inputs() const { return signature->inputs; }
  std::span<const Parameter> outputs() const { return signature->outputs; }
  // The position of a type variable in `types`; meaningless for `none`.
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

// A call. check_call has checked arity, attributes and types against the version.
struct Call {
  const OperatorVersion& version;
  std::span<const Tensor* const> inputs;  // nullptr for an omitted optional input; omitted ones at the end may be absent
  const Attributes& attributes;
  std::span<const Dtype> output_types;  // before a run, some may be unknown
  std::span<Tensor> outputs;
  Expressions* expressions = nullptr;  // before a run: of the symbolic sizes
  const std::byte* packed = nullptr;   // in a planned run: the packed operand of Operator::ready

  // A call of the same operator with other tensors.
  Call with(std::span<const Tensor* const> its_inputs, std::span<Tensor> its_outputs) const {
    return {version, its_inputs, attributes, output_types, its_outputs, expressions, packed};
  }

  bool is_run() const { return expressions == nullptr; }
  // Without elements there is nothing to compute, whatever the sizes of other axes are.
  bool is_empty() const;
  Sizes sizes() const { return Sizes(expressions); }

  // An input, or nullptr if it is omitted.
  const Tensor* input(std::size_t i) const { return i < inputs.size() ? inputs[i] : nullptr; }
  // The value of an attribute, or else its default in the version's schema, or else 0 or "".
  std::int64_t integer(std::string_view name) const;
  float number(std::string_view name) const;
  std::string_view word(std::string_view name) const;
};

// The source of an output's element type, for operators without a schema here (ops/foreign).
struct TypeSource {
  Dtype type = Dtype::undefined;    // a fixed type; undefined: the sources below give it
  std::int8_t input = -1;           // the index of an input
  std::string_view attribute = {};  // takes precedence, if a node has it and it is not 0

  constexpr static TypeSource of(Dtype its_type) { return {.type = its_type}; }
  constexpr static TypeSource like(std::int8_t its_input) { return {.input = its_input}; }
  constexpr TypeSource unless(std::string_view its_attribute) const { return {type, input, its_attribute}; }
};

// Properties of operators that graphs use. Each is false by default.
struct Traits {
  bool is_random : 1 = false;              // results differ between runs, or in training
  bool depends_on_data : 1 = false;        // its outputs' sizes depend on elements, so only a run determines them
  bool is_idempotent : 1 = false;          // applied twice, it has the same result as once
  bool is_reshape : 1 = false;             // the same elements in the same order, with other dims
  bool quantises : 1 = false;              // determines in which type runtimes compute its neighbours
  bool is_identity_of_one : 1 = false;     // with one input, it returns that input
  bool has_graphs : 1 = false;             // runs subgraphs: If, Loop, Scan
  bool may_precede_its_opset : 1 = false;  // other runtimes accept it in opsets before its first version
  // Before a run, its int64 elements may be expressions: compute handles them through Sizes. It may leave an output without
  // elements then, as prepare does.
  bool computes_sizes : 1 = false;
};

class PackedOperands;
struct Ready;
struct Operator;

// The operators that others call. As Kernels, it is empty in wasm.
class Callees {
 public:
  constexpr Callees() = default;
#ifdef BROADLOOM_HAS_USES
  constexpr Callees(std::initializer_list<const Operator*> list) {
    for (const Operator* one : list) list_[count_++] = one;
  }
  constexpr std::span<const Operator* const> list() const { return {list_, count_}; }
  // Beside these, operators that an attribute names: the registry has them, or has none of the name.
  constexpr Callees or_by_name() const {
    Callees result = *this;
    result.by_name_ = true;
    return result;
  }
  constexpr bool are_by_name() const { return by_name_; }

 private:
  const Operator* list_[6] = {};
  std::size_t count_ = 0;
  bool by_name_ = false;
#else
  constexpr Callees(std::initializer_list<const Operator*> /*list*/) {}
  constexpr Callees or_by_name() const { return *this; }
#endif
};

struct Operator {
  std::string_view name;
  std::string_view domain = {};               // "" is ONNX's domain
  std::span<const OperatorVersion> versions;  // ascending

  // The element type of the first output, if inputs do not determine it. Checks the attributes that it reads.
  // `undefined` means the type of the first type variable.
  // nullptr: the type of every output follows from its type constraint.
  Result<Dtype> (*output_type)(const Attributes& attributes) = nullptr;

  // The operator's rule for dims. Sets call.outputs: to the finished tensor if its cost does not grow with
  // the elements (a view of an input, a shape), or else to type and dims. In a run, strides of these that are not 0 say in
  // which order the elements are written (result_layout). Fails for invalid calls. In a run, inputs are known completely, or
  // they have no elements; then it sets as much as possible. Before a run, inputs may have no rank, symbolic sizes, and no
  // elements. Every size it sets holds in any successful run. It leaves outputs of unknown rank alone, and sets unknown sizes
  // to unknown_size.
  Status (*prepare)(Call& call) = nullptr;

  // Writes the elements of the outputs that prepare did not finish. They are dense, or in the order that it chose.
  // finished_by_prepare if there are never such outputs; run_once<ready> (ops/call/ready_call.h) if a call is made ready and
  // run once. Without `compute` and `elements`, the operator is not supported. Then its nodes are not checked, and prepare
  // accepts any inputs, outputs and attributes.
  Status (*compute)(Call& call) = nullptr;

  // For an elementwise operator with one output, whose inputs broadcast to the output's dims:
  // adds its steps and constants to a program: at most most_steps and two for each input. An omitted input
  // has no type here. `compute` is only used for types that programs do not support (has_program).
  Program::Value (*elements)(const Call& call, Program& program, std::span<const Program::Value> inputs) = nullptr;
  std::uint8_t most_steps = 3;

  // The number of outputs of a single call, if its version has variadic outputs, or some that single calls do not have. A node
  // of a model has its own number.
  Result<std::size_t> (*count_outputs)(const Call& call) = nullptr;

  // The inputs whose elements it moves without reading them: bit i for input i. In compute, their elements are never
  // strings of several texts or packed elements (ops/call/movement.h), and before a run they may be expressions.
  std::uint32_t data_movement_inputs = 0;

  // The inputs whose elements prepare or `elements` reads, although dims or steps may not need them: bit i for input i. A
  // plan (graph/run/plan.h) needs them. For other inputs except the first, a plan gives no elements that differ between
  // runs. For the first input, it gives elements that may be viewed but not read.
  std::uint32_t inputs_asked_for = 0;

  // Makes a call of a plan ready for its runs: works out once what depends on dims and constants, and packs a constant input in
  // the order in which runs read it (ops/call/ready_call.h). The inputs with elements are constants; outputs have their dims.
  // If `packed` is nullptr, the call runs once and nothing is packed for it.
  Result<Ready> (*ready)(const Call& call, PackedOperands* packed) = nullptr;

  // The work of a prepared call, in addition to one step for each element of its inputs and outputs. nullptr: none.
  double (*extra_work)(const Call& call) = nullptr;

  // For an unsupported operator: the sources of its first outputs' types. Other types are unknown.
  std::span<const TypeSource> type_sources = {};

  Traits traits = {};

  // The loops and folds that these functions ask for by name, and the operators that they call.
  [[no_unique_address]] Kernels kernels = {};
  [[no_unique_address]] Callees calls = {};

  bool runs() const { return compute != nullptr || elements != nullptr; }
  // Whether outputs may be unfinished after prepare.
  bool computes() const;
  bool is_elementwise() const { return elements != nullptr; }
  std::size_t most_added(std::size_t inputs) const { return most_steps + 2 * inputs; }
  bool asks_for(std::size_t input) const { return ((inputs_asked_for >> std::min<std::size_t>(input, 31)) & 1U) != 0; }
  bool moves(std::size_t input) const { return ((data_movement_inputs >> std::min<std::size_t>(input, 31)) & 1U) != 0; }
};

// Begins the definition of an operator: BROADLOOM_OPERATOR(op, expand){.name = "Expand", ...}. In namespace op the constants
// have ONNX's names, in snake case (tools/build/operators.cmake); op::microsoft has the operators of com.microsoft,
// op::experimental those that ONNX had as experiments, and that files have in its domain, and op::ruled those that only have
// rules for dims. When a module of chosen operators is linked, empty operators take the place of the others
// (tools/build/build-for.mjs): the linker takes a definition that is not weak where there is one.
#ifdef __EMSCRIPTEN__
#define BROADLOOM_REPLACEABLE [[gnu::weak]]
#else
#define BROADLOOM_REPLACEABLE
#endif
#define BROADLOOM_OPERATOR(space, id)             \
  namespace space {                               \
  extern const Operator id BROADLOOM_REPLACEABLE; \
  }                                               \
  constinit const Operator space::id

// Operator::compute for operators whose prepare finishes every output: views, shapes, and operators that run graphs.
Status finished_by_prepare(Call& call);

inline bool Operator::computes() const { return runs() && compute != finished_by_prepare; }

// While it lives, the functions of an operator run: debug builds check that they use what its row names.
#ifdef BROADLOOM_CHECKS_USES
class Running {
 public:
  Running(const Operator& op, const Call& call);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  // Ends the program with a message if the running operator does not name one that it calls.
  static void check_call_of(const Operator& op);

 private:
  static thread_local const Operator* op_;

  Asker asker_;
  const Asker* outer_;
  const Operator* outer_op_;
};
#else
struct Running {
  Running(const Operator& /*op*/, const Call& /*call*/) {}
  static void check_call_of(const Operator& /*op*/) {}
};
#endif

// Values of Operator::data_movement_inputs.
inline constexpr std::uint32_t all_inputs = UINT32_MAX;
constexpr std::uint32_t inputs_at(std::initializer_list<std::uint32_t> numbers) {
  std::uint32_t bits = 0;
  for (const std::uint32_t number : numbers) bits |= 1U << number;
  return bits;
}

// ---- Steps of a call, shared by single calls and models ----

// The newest opset whose versions are listed. Later opsets use the same versions.
inline constexpr std::int64_t newest_opset = 28;

// The version with the greatest since_version that is not above `opset` (ONNX: docs/IR.md, Operator Sets).
Result<const OperatorVersion*> select_version(const Operator& op, std::int64_t opset);

// The version that select_version returns, or the first version if none is old enough.
const OperatorVersion& newest_version(const Operator& op, std::int64_t opset);

// An operator's version and the opset that selected it. Errors name both.
struct Selection {
  const Operator& op;
  const OperatorVersion& version;
  std::int64_t opset;
};

// The version's declaration of an attribute, or nullptr.
const AttributeSpec* find_spec(const OperatorVersion& version, std::string_view name);

// The parameter at position `i`, or nullptr. A variadic last parameter has all further positions.
// This, types_of and run are in every small call. If they were not inlined, it would take 1.02 times as long.
[[gnu::always_inline]] inline const Parameter* parameter_at(std::span<const Parameter> parameters, std::size_t i) {
  if (i < parameters.size()) return &parameters[i];
  return !parameters.empty() && parameters.back().option == Option::Variadic ? &parameters.back() : nullptr;
}

// Checks a node's attribute before it is added to `attributes`. `spec` is the result of find_spec for its name. Fails if
// the version does not declare it or declares another type, or if it was added before. A name that starts with "__" needs no
// declaration: such attributes belong to the producer and do not affect the operator.
Status admit_attribute(const Selection& selection, const Attributes& attributes, const AttributeSpec* spec,
                       std::string_view name, AttributeType type);

// Fails if the version does not accept this number of inputs.
Status check_input_count(const Selection& selection, std::size_t count);

// Fails if the version does not accept the required attributes, arity or types. Sets the type of each absent output. An
// input of unknown type is accepted, and types that depend on it are unknown, too.
Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<ElementType> outputs,
                  const Attributes& attributes);
// check_call for inputs whose types are all known. So are the types of all outputs.
Status check_call(const Selection& selection, std::span<const ElementType> inputs, std::span<Dtype> outputs,
                  const Attributes& attributes);

// Sets the types that check_call sets, for an unsupported operator. It checks nothing.
void set_types(const Operator& op, std::span<const ElementType> inputs, std::span<ElementType> outputs,
               const Attributes& attributes);

// Whether this version computes elements of these types by a program. It does not for strings, for float8 types, for types of
// less than a byte, and for several inputs before version 7 of ONNX's own operators, which do not broadcast as in NumPy.
bool has_program(const Operator& op, const OperatorVersion& version, std::span<const ElementType> inputs, Dtype output);

// No schema lists more outputs. An operator with variadic outputs, such as Split, must reserve memory for the others' layouts.
inline constexpr std::size_t most_listed_outputs = 16;

// Reserves memory for `count` outputs and their types, and for the layouts of those that schemas list. An omitted output of a
// node takes two bytes of its file, but a layout takes several thousand.
inline Status require_outputs(std::size_t count) {
  BROADLOOM_CHECK(require_memory(count, sizeof(Tensor) + sizeof(Dtype)));
  return require_memory(std::min(count, most_listed_outputs), most_layout_bytes);
}

// Whether each output has its elements.
inline bool is_finished(const Call& call) {
  return std::all_of(call.outputs.begin(), call.outputs.end(), [](const Tensor& output) { return output.has_elements(); });
}

// Allocates and computes the outputs that prepare did not finish. If inputs have no elements, outputs get none either.
Status complete(const Operator& op, Call& call);

// Fails with OutOfMemory where an operand or a result of a call would have more bytes than memory can: compute counts elements
// and bytes of each in address-sized numbers. Inputs that the operator only moves may have any number, since views cost
// nothing. Empty calls are not computed, so they need not pass.
Status check_operands(const Operator& op, const Call& call);

// Prepares and computes a call that check_call accepted. Outputs that need missing elements of inputs get none either.
[[gnu::always_inline]] inline Status run(const Operator& op, Call& call) {
  [[maybe_unused]] const Running running(op, call);
  BROADLOOM_CHECK(op.prepare(call));
  return is_finished(call) ? Status() : complete(op, call);
}
// Runs a call as run() does. Errors name the operator.
Status run_call(const Selection& selection, Call& call);

// Adds the operator, its version and opset to an error.
[[gnu::cold]] Error in_operator(Error error, const Selection& selection);

}  // namespace broadloom
