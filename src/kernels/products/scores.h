// The steps between the two products of attention, and rotations of pairs.
#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

// Replaces each score by cap * tanh(score / cap). `dtype` is float32 or float64, as below.
void cap_scores(std::byte* scores, Dtype dtype, std::size_t count, double cap);

// Adds `count` numbers to scores.
void add_to_scores(std::byte* scores, const std::byte* added, Dtype dtype, std::size_t count);

// Whether all numbers are -infinity.
bool are_all_masked(const std::byte* added, Dtype dtype, std::size_t count);

// Writes the softmax of `count` scores, at least one. `to` does not overlap `from`.
Status softmax_of_scores(std::byte* to, const std::byte* from, Dtype dtype, std::size_t count);

// Lessens the softmax of `count` scores, at least one, to what it is with `sink` as one more score.
void give_to_sink(std::byte* weights, const std::byte* scores, Dtype dtype, std::size_t count, double sink);

// Multiplies `count` numbers by a factor.
void scale_numbers(std::byte* to, const std::byte* from, Dtype dtype, std::size_t count, double factor);

// Rotates `half` pairs of floats by angles whose cosines and sines are given. A pair is adjacent, or its second number lies
// `half` elements after the first. `to` may be `from`.
void rotate_pairs(float* to, const float* from, const float* cosines, const float* sines, std::size_t half, bool are_adjacent);

}  // namespace broadloom
