// The lists of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/call/operator.h"

namespace broadloom {

// All supported operators of the default domain, in ASCII order of their names.
std::span<const Operator* const> all_operators();
// All supported operators of com.microsoft, in ASCII order of their names.
std::span<const Operator* const> microsoft_operators();
// All known but unsupported operators, by domain, and in ASCII order of their names within each.
std::span<const Operator* const> foreign_operators();

// Whether a domain is the one of ONNX's own operators.
inline bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// The operator of this name in a domain, supported or not; nullptr if it is unknown.
const Operator* find_operator(std::string_view domain, std::string_view name);

// UNKNOWN_OPERATOR, for an operator that does not run. Says whether ONNX or onnxruntime has it.
[[gnu::cold]] Error no_operator(std::string_view domain, std::string_view name);

// UNSUPPORTED_TYPE, for a type that was left out of a module of chosen operators.
Status check_types_of_module(std::span<const ElementType> types);

}  // namespace broadloom
