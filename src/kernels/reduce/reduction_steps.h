// The steps of a reduction before elements are combined, and after. Used by reduce.cpp, accumulator.cpp and fold_tree.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/loops.h"
#include "kernels/reduce/reduce.h"

namespace broadloom {

class ReductionSteps {
 public:
  // The most elements at once.
  static constexpr std::size_t most = 1024;

  // Each result combines `elements` elements.
  ReductionSteps(const Reduction& reduction, Dtype dtype, std::int64_t elements);

  const Reduction& reduction() const { return reduction_; }
  // The sizes in bytes of an element as it is given, as it is combined, and as a result is stored.
  std::size_t given_size() const { return given_size_; }
  std::size_t item_size() const { return item_size_; }
  std::size_t stored_size() const { return computation_.store == nullptr ? item_size_ : given_size_; }
  Dtype dtype() const { return computation_.dtype; }
  InnerLoop loop() const { return computation_.loop; }
  const std::byte* identity() const { return identity_; }
  // Whether elements are combined without conversion, function or shift.
  bool is_plain() const { return computation_.load == nullptr && before_ == nullptr && reduction_.shifts == nullptr; }

  // Elements in the form in which they are combined, `most` at most. `shifts` has one for each. They stay until the next call.
  const std::byte* prepared(const std::byte* elements, const std::byte* shifts, std::size_t count);
  const std::byte* loaded(const std::byte* elements, std::size_t count);
  // Reads the shifts of `count` results, from number `first` on.
  void read_shifts(std::byte* to, std::size_t first, std::size_t count) const;
  // Writes `count` results, `most` at most, from number `first` on. `results` is changed.
  void finish(std::byte* to, std::byte* results, std::size_t first, std::size_t count);

 private:
  InnerLoop loop_of(Operation operation) const { return computation_of(operation, computation_.dtype).loop; }

  Reduction reduction_;
  Computation computation_;
  InnerLoop before_ = nullptr;
  std::size_t given_size_;
  std::size_t item_size_;
  double elements_;
  alignas(16) std::byte identity_[8];
  alignas(16) std::byte prepared_[most * 8];
};

}  // namespace broadloom
