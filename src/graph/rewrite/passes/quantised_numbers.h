// Numbers by which passes know how elements were quantised.
#pragma once

#include <optional>

#include "graph/rewrite/rewriter.h"

namespace broadloom {

// An input that is one number in every run. Without the input, it is 0.
std::optional<float> number_of(const Rewriter& rewriter, const Node& node, std::size_t input);

// Whether the node is a DequantizeLinear with results of float32.
bool is_dequantised(const Node& node);

// The DequantizeLinear that makes a value from a constant of int8 or uint8 with `rank` axes; nullptr if there is none. Its
// scale is a constant of float32 and its zero point one, too, if it has one: one number, or one for each index of `axis`.
Node* dequantised_constant(const Rewriter& rewriter, const Value& value, std::size_t rank, std::size_t axis);

}  // namespace broadloom
