// Partial results of a reduction of integers, whose order changes nothing. Used by reduce.cpp only.
#pragma once

#include <cstddef>

#include "kernels/reduce/fold.h"
#include "kernels/reduce/reduction_steps.h"

namespace broadloom {

// Accumulates several results in parallel. Each takes elements one by one.
class Accumulator {
 public:
  // The most accumulators in parallel.
  static constexpr std::size_t most_width = 512;
  static_assert(block_items <= most_width && most_width <= ReductionSteps::most);

  explicit Accumulator(ReductionSteps& steps)
      : steps_(&steps), row_(integer_row_of(steps.reduction().operation, steps.dtype())) {}

  // New accumulators of the next results: `width` of them, most_width at most.
  void start(std::size_t width);
  // Takes an element for each of the first results, `count` of them, from each of some rows, which lie `step` bytes apart.
  void add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count);
  // Whether add_row can be called: it adds contiguous elements to one result, the only one that was started.
  bool has_rows() const { return row_ != nullptr; }
  void add_row(const std::byte* elements, std::size_t count);
  // Writes `count` results. Each combines every `count`th accumulator; their number is `count` times a power of two.
  void finish(std::byte* to, std::size_t count);

 private:
  void combine(const std::byte* with, std::size_t count);

  ReductionSteps* steps_;
  IntegerRow row_;
  std::size_t finished_ = 0;  // results
  std::size_t width_ = 0;
  alignas(16) std::byte results_[most_width * 8];
};

}  // namespace broadloom
