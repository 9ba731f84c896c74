// Rotations of pairs of elements by the angles of their position.
#pragma once

#include "ops/call/operator.h"

namespace broadloom {

// X with heads apart, or [batch, length, heads * size]; the rotated elements of each head come first.
struct Rotation {
  Tensor from;     // [batch, heads, length, size]: a view
  Tensor to;       // the same, of the same type
  Tensor cosines;  // [positions, rotated / 2]; or [batch, length, rotated / 2] if there are no positions
  Tensor sines;
  const Tensor* positions = nullptr;  // [batch, length], or one number: the position of the first element of each row
  std::int64_t rotated = 0;           // elements of a head
  bool are_adjacent = false;          // pairs
};

// Computes in float32 and rounds once. Fails for positions that the tables do not have.
Status rotate(const Rotation& rotation);

}  // namespace broadloom
