// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// When a module of chosen operators is linked, empty ones take the place of the others (tools/build/build-for.mjs). The linker
// takes a definition that is not weak where there is one.
#ifdef __EMSCRIPTEN__
#define BROADLOOM_REPLACEABLE [[gnu::weak]]
#else
#define BROADLOOM_REPLACEABLE
#endif

// The constants have ONNX's names, in snake case.
namespace op {

#define OPERATOR(id, name) extern const Operator id BROADLOOM_REPLACEABLE;
#include "ops/operators.inc"
#undef OPERATOR
#define FOREIGN(id, name, since) extern const Operator id BROADLOOM_REPLACEABLE;
#define MICROSOFT(id, name)
#define LEARNING(id, name)
#define UNRULED(name, since)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED

// Operators of com.microsoft.
namespace microsoft {
#define MICROSOFT(id, name) extern const Operator id BROADLOOM_REPLACEABLE;
#include "ops/microsoft/operators.inc"
#undef MICROSOFT
#define FOREIGN(id, name, since)
#define MICROSOFT(id, name) extern const Operator id BROADLOOM_REPLACEABLE;
#define LEARNING(id, name)
#define UNRULED(name, since)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
}  // namespace microsoft

// Operators that ONNX had as experiments, and that files have in its domain.
namespace experimental {
#define EXPERIMENTAL(id, name) extern const Operator id BROADLOOM_REPLACEABLE;
#include "ops/experimental/operators.inc"
#undef EXPERIMENTAL
}  // namespace experimental

// Operators of ai.onnx.ml.
namespace learning {
#define FOREIGN(id, name, since)
#define MICROSOFT(id, name)
#define LEARNING(id, name) extern const Operator id BROADLOOM_REPLACEABLE;
#define UNRULED(name, since)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
}  // namespace learning

}  // namespace op

#undef BROADLOOM_REPLACEABLE

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
