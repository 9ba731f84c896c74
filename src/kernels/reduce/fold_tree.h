// Reductions of floats. The order in which the elements of a result are combined follows from their number (fold.h), wherever
// they lie. Used by reduce.cpp only.
#pragma once

#include "kernels/movement/block_reader.h"
#include "kernels/reduce/fold.h"
#include "kernels/reduce/reduction_steps.h"

namespace broadloom {

class FoldTree {
 public:
  // The layouts have at least one element.
  FoldTree(ReductionSteps& steps, const Fold& fold, const std::byte* from, const Layout& kept, const Layout& reduced);

  Status run(std::byte* to);

 private:
  // The most results at once.
  static constexpr std::size_t most_results = 512;
  // The most results with several blocks of elements, and with converted elements.
  static constexpr std::size_t few_results = 64;
  static constexpr std::size_t most_prepared = 128;
  static constexpr std::size_t gathered_bytes = std::size_t{16} * 1024;

  // How the elements of some results are put side by side, or the elements of one result one after the other.
  enum class Way : unsigned char { rows, copied_rows, columns, turned_columns, gathered_columns };

  Way choose() const;
  std::size_t results_of(std::size_t left) const;
  std::ptrdiff_t offset_of(std::size_t element) const;

  // Writes the reductions of elements `first` to `first + count` of the next results.
  Status fold(std::byte* to, std::size_t first, std::size_t count, std::size_t results);
  void fold_block(std::byte* to, std::size_t first, std::size_t count, std::size_t results);
  void fold_rows(std::byte* to, std::size_t first, std::size_t count, std::size_t results);
  Status fold_dense(std::byte* to, const std::byte* elements, std::size_t count);
  void fold_row(std::byte* to, const std::byte* elements, std::size_t count, std::size_t result);
  bool is_dense(std::size_t first, std::size_t count, std::size_t results) const;
  void fold_dense_columns(std::byte* to, const std::byte* from, std::size_t count, std::size_t results);
  void fold_columns(std::byte* to, const std::byte* from, std::size_t count, std::size_t results);
  // Calls `use` for each run of these elements on the innermost axis, with the offset of its first element, its length, and the
  // number of elements before it.
  template <class Use>
  void for_runs(std::size_t first, std::size_t count, Use use) const;

  ReductionSteps& steps_;
  Fold fold_;
  bool is_square_;
  MergedAxes kept_;
  MergedAxes reduced_;
  Axis inner_kept_{1, 0};
  Axis inner_reduced_{1, 0};
  Way way_;
  Walker walker_;  // at the next result
  std::size_t finished_ = 0;
  std::ptrdiff_t offsets_[Fold::most];
  alignas(16) std::byte shifts_[ReductionSteps::most * 8];
  alignas(16) std::byte results_[most_results * 8];
  alignas(16) std::byte gathered_[gathered_bytes];
  alignas(16) std::byte sums_[gathered_bytes];
};

}  // namespace broadloom
