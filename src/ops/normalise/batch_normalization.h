// Shared by BatchNormalization and the pass that makes elementwise nodes of it.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// scale / sqrt(variance + epsilon), in this type, of a call whose inputs have elements.
Result<Tensor> batch_factors(const Call& call, Dtype dtype);

}  // namespace broadloom
