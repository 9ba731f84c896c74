// Numbers by which passes know how elements were quantised.
#pragma once

#include <optional>

#include "graph/rewrite/rewriter.h"

namespace broadloom {

// An input that is one number in every run. Without the input, it is 0.
std::optional<float> number_of(const Rewriter& rewriter, const Node& node, std::size_t input);

}  // namespace broadloom
