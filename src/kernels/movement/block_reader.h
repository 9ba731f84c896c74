// The elements of a layout in row-major order, block by block: where they lie contiguous, as they lie; else gathered to a
// buffer that stays in the first-level cache.
#pragma once

#include <cstddef>
#include <limits>

#include "core/count.h"
#include "core/layout.h"
#include "kernels/base/loop.h"

namespace broadloom {

// A place among the elements of merged axes. Items have 1, 2, 4, 8 or 16 bytes.
class Walker {
 public:
  Walker(const std::byte* from, const MergedAxes& axes, std::size_t item_size)
      : axes_(&axes), item_size_(item_size), at_(from) {
    // Not all of them: engines call a function for what compilers make of that.
    for (std::size_t i = 0; i < axes.rank; ++i) place_[i] = 0;
  }
  Walker(const Walker& other) : axes_(other.axes_), item_size_(other.item_size_) { *this = other; }
  // The axes are the same.
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is freed.
  Walker& operator=(const Walker& other) {
    at_ = other.at_;
    for (std::size_t i = 0; i < axes_->rank; ++i) place_[i] = other.place_[i];
    return *this;
  }
  ~Walker() = default;

  // The number of the next items that lie on the innermost axis; and the number of these that are contiguous, from at() on.
  std::size_t left_of_row() const { return axes_->rank == 0 ? 1 : extent(axes_->rank - 1) - place_[axes_->rank - 1]; }
  std::size_t contiguous() const;
  const std::byte* at() const { return at_; }
  // A walker at this place among elements that lie `bytes` further on.
  Walker shifted(std::ptrdiff_t bytes) const {
    Walker result = *this;
    result.at_ += bytes;
    return result;
  }
  // Goes on from the first item to one, by its number in row-major order.
  void go_to(std::size_t item);
  // Goes on by items of the innermost axis, at most to its end. After the last item of all, the first one follows.
  void advance(std::size_t count);
  // Writes the next `count` items to `to` and goes on by `count`. At least `count` items must be left.
  void gather(std::byte* to, std::size_t count);

 private:
  std::size_t extent(std::size_t axis) const { return in_memory(axes_->axes[axis].extent); }
  std::ptrdiff_t step(std::size_t axis) const {
    return static_cast<std::ptrdiff_t>(axes_->axes[axis].stride) * static_cast<std::ptrdiff_t>(item_size_);
  }
  // Counts up on `axis`, and on those around it where it is at its end.
  void carry(std::size_t axis, std::size_t count);

  const MergedAxes* axes_;
  std::size_t item_size_;
  const std::byte* at_;
  std::size_t place_[MergedAxes::max_rank];
};

// One operand of an elementwise loop.
class BlockReader {
 public:
  // Reads `count` elements of the layout, which has at least one.
  BlockReader(const std::byte* from, const Layout& layout, std::size_t count, std::size_t item_size);
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  // At how many elements next() can give, at most. Never 0 before the end.
  std::size_t ready() const;
  // The next `count` elements. They stay until the next call.
  const std::byte* next(std::size_t count);

 private:
  // The length of the shortest runs that are read in place, in items.
  static constexpr std::size_t least_direct = 64;
  enum class Way : unsigned char { direct, periodic, uniform_rows, gathered };

  MergedAxes axes_;
  std::size_t item_size_;
  Walker walker_;
  Way way_ = Way::gathered;
  std::size_t period_ = 1;  // periodic: the number of elements after which they repeat, block_items at most
  std::size_t phase_ = 0;
  bool is_filled_ = false;  // uniform_rows: a row's one item has been repeated
  alignas(16) std::byte buffer_[2 * block_items * vector_bytes];
};

}  // namespace broadloom
