// The constants of all operators, for the registry and for what prints all rows. Nothing else includes it: a new operator
// changes it.
#pragma once

#include "ops/call/operator.h"

namespace broadloom::op {

#define OPERATOR(id, name) extern const Operator id;
#include "ops/operators.inc"

namespace microsoft {
#define MICROSOFT(id, name) extern const Operator id;
#include "ops/microsoft/operators.inc"
}  // namespace microsoft
namespace experimental {
#define EXPERIMENTAL(id, name) extern const Operator id;
#include "ops/experimental/operators.inc"
}  // namespace experimental

namespace ruled {
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
}  // namespace ruled

}  // namespace broadloom::op
