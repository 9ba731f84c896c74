// Unsupported operators: only rules for their dims and element types, so that networks have shapes after them.
//
// Their nodes were not checked: they may have any inputs and outputs, attributes of any type and value, and inputs of any type.
// A rule leaves sizes unknown if it cannot determine them. It fails only if the node fails in every run.
#pragma once

#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/dims/axes.h"
#include "ops/dims/like.h"

namespace broadloom::foreign {

// ---- Schemas ----

inline constexpr Signature unchecked{};
constexpr OperatorVersion since(std::int32_t version) {
  return {.since_version = version, .signature = &unchecked, .types = {}};
}
// For an operator whose rule is the same in all versions.
inline constexpr OperatorVersion all_versions[] = {since(1)};

using enum Dtype;
constexpr TypeSource of(Dtype dtype) { return TypeSource::of(dtype); }
constexpr TypeSource like(std::int8_t input) { return TypeSource::like(input); }
inline constexpr TypeSource unknown{};

// The types of the first outputs.
inline constexpr TypeSource first_input[] = {like(0)};
inline constexpr TypeSource first_input_twice[] = {like(0), like(0)};
inline constexpr TypeSource floats[] = {of(float32)};
inline constexpr TypeSource bools[] = {of(boolean)};
inline constexpr TypeSource int32s[] = {of(int32)};
inline constexpr TypeSource int64s[] = {of(int64)};
inline constexpr TypeSource strings[] = {of(string)};

// Operator::prepare for a rule. `arguments` are its arguments after the call.
template <auto rule, auto... arguments>
Status by(Call& call) {
  if constexpr (std::is_void_v<decltype(rule(call, arguments...))>) {
    rule(call, arguments...);
    return {};
  } else {
    return rule(call, arguments...);
  }
}

using Prepare = Status (*)(Call&);
using Types = std::span<const TypeSource>;
using Versions = std::span<const OperatorVersion>;

// Operators of ONNX's own domain, of com.microsoft and of ai.onnx.ml.
constexpr Operator onnx_operator(std::string_view name, Prepare prepare, Types types = {}, Traits traits = {},
                                 Versions versions = all_versions) {
  return {.name = name, .versions = versions, .prepare = prepare, .type_sources = types, .traits = traits};
}
constexpr Operator microsoft_operator(std::string_view name, Prepare prepare, Types types = {}, Traits traits = {}) {
  return {.name = name,
          .domain = "com.microsoft",
          .versions = all_versions,
          .prepare = prepare,
          .type_sources = types,
          .traits = traits};
}
constexpr Operator learning_operator(std::string_view name, Prepare prepare, Types types = {}) {
  return {.name = name, .domain = "ai.onnx.ml", .versions = all_versions, .prepare = prepare, .type_sources = types};
}

// ---- Inputs of rules ----

// The limit of axes for rules. Lists may have twice as many entries: pads has two for each axis.
inline constexpr std::size_t most_ruled_axes = 32;
inline constexpr std::size_t most_entries = 2 * most_ruled_axes;

inline bool is_given(const Call& call, std::size_t i) { return call.input(i) != nullptr; }
// The dims of an input, or nullptr if the rank is unknown or above most_ruled_axes.
const SymbolicDims* dims_of(const Call& call, std::size_t i);
// One size of an input. A negative axis counts from the end.
Size size_of(const Call& call, std::size_t i, int axis);
// The attribute, if the node has it with this type.
const Attribute* attribute_of(const Attributes& attributes, std::string_view name, AttributeType type);
Size integer(const Call& call, std::string_view name, Size otherwise = 0);
std::string_view text(const Call& call, std::string_view name);
// The integers of an input with at most one axis, and the integers of an attribute.
IntegerList input_list(const Call& call, std::size_t i);
IntegerList list(const Call& call, std::string_view name);
// The list with one entry for each of `count` axes; unknown entries if the node's list has another length.
SymbolicDims list_of(const Call& call, std::string_view name, std::size_t count, Size otherwise);
// The only integer of an input.
Size element(const Call& call, std::size_t i);
// Fails if the input is known to have another rank.
Status want_rank(const Call& call, std::size_t i, std::size_t rank);

// ---- Outputs of rules ----

void set(Call& call, std::size_t i, std::span<const Size> sizes);
void set(Call& call, std::size_t i, std::initializer_list<Size> sizes);
inline void set(Call& call, std::size_t i, const SymbolicDims& sizes) { set(call, i, sizes.values()); }
void set_rank(Call& call, std::size_t i, std::size_t rank);
// The dims with another last size.
SymbolicDims with_last(std::span<const Size> dims, Size size);

// ---- Rules for several families ----

void like_input(Call& call, std::size_t input);
void scalars(Call& call);
void only_rank(Call& call, std::size_t rank);
// Sets the dims to which the inputs with these indices broadcast.
template <std::size_t... numbers>
void broadcast(Call& call);
void broadcast_inputs(Call& call, std::span<const std::size_t> numbers);
template <std::size_t... numbers>
void broadcast(Call& call) {
  static constexpr std::size_t list[] = {numbers...};
  broadcast_inputs(call, list);
}

}  // namespace broadloom::foreign
