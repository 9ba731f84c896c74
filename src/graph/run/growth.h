// Tensors that grow in place, such as a cache of keys that each run makes longer: their owner gives them room, and a Concat
// writes behind their elements.
#pragma once

#include <optional>

#include "graph/run/plan.h"
#include "graph/run/planner/known_values.h"

namespace broadloom {

// The tensor in storage with room for half as many elements again behind those of the axis on which it is longer than the one
// before. Nothing where it is longer on no axis alone, or where there is no memory.
std::optional<Tensor> with_room(const Tensor& tensor, const Tensor& before);

// Puts the output of the plan's next step behind the first input, where that has room, and the node is the first Concat of it.
void append(const Plan& plan, const Node& node, KnownValues& values, Tensor& output);

}  // namespace broadloom
