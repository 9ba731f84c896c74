// Calls of recurrent layers, for operators that call LSTM.
#pragma once

#include <span>

#include "ops/packed_operands.h"
#include "ops/recurrent/layer.h"

namespace broadloom {

// The form of a prepared call.
RecurrentForm recurrent_form(const Call& call, RecurrentKind kind);

// Whether all that are given have elements, in row-major order.
bool are_constant(std::span<const Tensor* const> tensors);

// Makes the call ready. Packs its weights if the constants that they are made of have elements: then the call's weights have
// some.
Result<Ready> ready_recurrent(const Call& call, const RecurrentForm& form, std::span<const Tensor* const> constants,
                              PackedOperands* packed);

}  // namespace broadloom
