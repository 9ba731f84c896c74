// The constants of all operators, for the registry and for what prints all rows. Nothing else includes it: a new operator
// changes it.
#pragma once

#include "ops/operator.h"

namespace broadloom::op {
#define OPERATOR(id, name) extern const Operator id;
#include "ops/operators.inc"
#undef OPERATOR
namespace microsoft {
#define MICROSOFT(id, name) extern const Operator id;
#include "ops/microsoft/operators.inc"
#undef MICROSOFT
}  // namespace microsoft
namespace experimental {
#define EXPERIMENTAL(id, name) extern const Operator id;
#include "ops/experimental/operators.inc"
#undef EXPERIMENTAL
}  // namespace experimental

#define FOREIGN(id, name, since) extern const Operator id;
#define MICROSOFT(id, name) \
  namespace microsoft {     \
  extern const Operator id; \
  }
#define LEARNING(id, name)  \
  namespace learning {      \
  extern const Operator id; \
  }
#define UNRULED(name, since)
#include "ops/foreign/operators.inc"
#undef FOREIGN
#undef MICROSOFT
#undef LEARNING
#undef UNRULED
}  // namespace broadloom::op
