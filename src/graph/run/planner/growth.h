// Concat in place: behind the elements of a tensor whose storage grows, such as a cache of keys that each run makes longer.
#pragma once

#include <optional>

#include "graph/run/plan.h"

namespace broadloom {

// The output in the storage of the first input, where the node is a Concat of a given tensor that has room for the others.
std::optional<Tensor> appended(const Plan& plan, const Node& node, const Tensor& first, const Tensor& output);

}  // namespace broadloom
