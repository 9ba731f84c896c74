// Partial results of a reduction. Used by reduce.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/fold.h"
#include "kernels/loops.h"
#include "kernels/reduce.h"

namespace broadloom {

// Accumulates several results in parallel. Each takes elements one by one. Each level combines `branches` elements
// before it is combined with the level above: rounding errors grow as in a tree.
class Accumulator {
 public:
  // The most accumulators in parallel.
  static constexpr std::size_t most_width = 512;
  static_assert(block_items <= most_width);

  // Each result combines `elements` elements.
  Accumulator(const Reduction& reduction, Dtype dtype, std::int64_t elements);

  // Whether elements are combined without conversion, function or shift.
  bool is_plain() const { return computation_.load == nullptr && before_ == nullptr && reduction_.shifts == nullptr; }
  bool folds_rows() const { return fold_.row != nullptr; }

  // New accumulators of the next `results` results: `width` of them, most_width at most. Those of a result lie `results` apart,
  // which is a power of two less often than `width`.
  void start(std::size_t width, std::size_t results);

  // Takes an element for each of the first results, `count` of them, from each of some rows, which lie `step` bytes apart: of
  // at most block_items unless is_plain().
  void add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count);

  // Computes result `i` of the started ones from contiguous elements. Requires folds_rows().
  void fold(std::size_t i, const std::byte* elements, std::size_t count);
  // Adds the same of further elements to the only result.
  void fold_more(const std::byte* elements, std::size_t count);

  // Writes `count` results, a power of two. Each combines every `count`th accumulator.
  void finish(std::byte* to, std::size_t count);
  std::size_t stored_size() const { return computation_.store == nullptr ? item_size_ : from_size_; }

 private:
  static constexpr std::size_t branches = 32;
  static constexpr std::size_t most_levels = 4;
  // More rows at a time are not faster, because each is a separate stream from memory.
  static constexpr std::size_t most_rows = 8;

  InnerLoop loop_of(Operation operation) const { return computation_of(operation, computation_.dtype).loop; }
  bool is_square() const { return reduction_.before == Reduction::Before::square && fold_.squares != nullptr; }

  void combine(std::byte* to, const std::byte* with, std::size_t count);
  void count_up(std::size_t rows);
  void read_shifts(std::byte* to, std::size_t count, std::size_t first = 0);

  const std::byte* loaded(const std::byte* elements, std::size_t count);
  // The elements in the form in which they are combined.
  const std::byte* prepared(const std::byte* elements, std::size_t count);
  void fold_part(std::byte* to, const std::byte* elements, const std::byte* shift, std::size_t count);
  void finish_results(std::size_t count);

  Reduction reduction_;
  Computation computation_;
  InnerLoop before_ = nullptr;
  Fold fold_;
  std::size_t item_size_;
  std::size_t from_size_;
  double elements_;
  std::size_t finished_ = 0;  // results
  std::size_t width_ = 0;
  std::size_t used_ = 0;  // levels
  std::size_t counts_[most_levels];
  alignas(16) std::byte identity_[8];
  alignas(16) std::byte row_shift_[8];
  alignas(16) std::byte shifts_[most_width * 8];
  alignas(16) std::byte prepared_[most_width * 8];
  alignas(16) std::byte levels_[most_levels][most_width * 8];
};

}  // namespace broadloom
