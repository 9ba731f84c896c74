// Computations on results while they are in the cache.
#pragma once

#include <cstddef>

#include "core/status.h"

namespace broadloom {

// A kernel calls it for parts of its result, in order. Each part follows the one before, and together they are the whole
// result.
class Finish {
 public:
  // Replaces the next `count` elements, which lie at `elements`.
  virtual Status run(std::byte* elements, std::size_t count) = 0;

 protected:
  ~Finish() = default;
};

}  // namespace broadloom
