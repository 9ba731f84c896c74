// The list of operators.
#pragma once

#include <span>
#include <string_view>

#include "ops/operator.h"

namespace broadloom {

// Named as ONNX names them.
namespace op {

#define OPERATOR(id, name) extern const Operator id;
#include "ops/operators.inc"
#undef OPERATOR
#define FOREIGN(id, name) extern const Operator id;
#define MICROSOFT(id, name)
#define LEARNING(id, name)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING

// Those of com.microsoft.
namespace microsoft {
#define FOREIGN(id, name)
#define MICROSOFT(id, name) extern const Operator id;
#define LEARNING(id, name)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
}  // namespace microsoft

// Those of ai.onnx.ml.
namespace learning {
#define FOREIGN(id, name)
#define MICROSOFT(id, name)
#define LEARNING(id, name) extern const Operator id;
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
}  // namespace learning

}  // namespace op

// All operators of the default domain that run, in ASCII order of their names.
std::span<const Operator* const> all_operators();
// Those that are known and do not run, by domain: in ASCII order of their names within each.
std::span<const Operator* const> foreign_operators();

// Whether a domain is that of ONNX's own operators.
inline bool is_default_domain(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

// The operator of this name in a domain, whether it runs or not; nullptr for one that is not known.
const Operator* find_operator(std::string_view domain, std::string_view name);

}  // namespace broadloom
