// Where the elements of a tensor lie: dims and strides. A layout never touches memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/dims.h"
#include "core/size.h"
#include "core/status.h"

namespace broadloom {

// The largest number of elements or bytes: what JavaScript can count without rounding.
inline constexpr std::int64_t max_count = (std::int64_t{1} << 53) - 1;

// The most axes that a tensor can have. ONNX names no limit. Without one, a rank would be a size that a file or a call chooses,
// and whoever reads dims would have to ask for memory.
inline constexpr std::size_t most_axes = 255;

// More than a layout of the most axes takes of the heap: its record, dims and strides.
inline constexpr std::size_t most_layout_bytes = std::size_t{5} * 1024;

// The error of check_rank.
[[gnu::cold, gnu::noinline]] Failure too_many_axes(std::uint64_t rank);

// Fails for a rank above most_axes: asked wherever dims are read, before anything is made of them.
inline Status check_rank(std::uint64_t rank) { return rank <= most_axes ? Status() : too_many_axes(rank); }

// The product of `dims` (1 for a scalar). Fails on a negative dim, and on a product above max_count; zeros count as ones
// in that check, so that the answer does not depend on the order of the axes. Sizes that are no numbers (core/size.h) count
// as ones, too: then the product means nothing.
Result<std::int64_t> checked_count(std::span<const std::int64_t> dims);

// The product of dims that have been checked.
inline std::int64_t count_of(std::span<const std::int64_t> dims) {
  // A zero anywhere makes the product 0 without overflow: the other dims were checked as if it were a one. Dims that only a
  // model declares were not checked: their product may wrap around.
  std::uint64_t product = 1;
  for (const std::int64_t dim : dims) product *= static_cast<std::uint64_t>(dim);
  return static_cast<std::int64_t>(product);
}

struct Layout {
  Dims dims;
  Dims strides;  // in elements, of either sign; 0 on an axis along which one element repeats

  std::int64_t count() const { return count_of(dims); }
};

// Whether the elements lie in row-major order without gaps. Strides of axes of size 1 do not matter.
bool is_dense(const Layout& layout);

// The places of the elements that a layout finds, counted from element 0: the lowest is not above 0 and the highest not below.
// A layout without elements has 0 and 0.
struct Span {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};
Span span_of(const Layout& layout);

// A counted reference to a layout that nobody changes: tensors are moved and copied often, and this is one pointer.
class LayoutRef {
 public:
  LayoutRef() = default;  // the layout of a scalar
  LayoutRef(const Layout& layout) : LayoutRef(layout.dims) { edit().strides = layout.strides; }
  // All strides are 0.
  explicit LayoutRef(const Dims& dims);
  LayoutRef(const LayoutRef& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->references;
  }
  LayoutRef(LayoutRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  LayoutRef& operator=(LayoutRef other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  // This, ~StorageRef and Dims::take are in every small call: as calls of their own they would be 1.03 of its time.
  [[gnu::always_inline]] ~LayoutRef() {
    if (block_ != nullptr && --block_->references == 0) destroy(block_);
  }

  const Layout& operator*() const { return block_ == nullptr ? scalar : block_->layout; }
  const Layout* operator->() const { return &**this; }
  operator const Layout&() const { return **this; }

  // The layout, to be changed before anybody shares it.
  Layout& edit() { return block_->layout; }
  // The same dims, row-major without gaps.
  void make_dense();

  // Stands for a layout of which nothing is known, not even the rank.
  static LayoutRef unranked() {
    ++no_rank.references;
    LayoutRef result;
    result.block_ = &no_rank;
    return result;
  }
  bool is_unranked() const { return block_ == &no_rank; }

 private:
  struct Block {
    std::uint32_t references;
    Layout layout;
  };
  static void destroy(Block* block);
  static const Layout scalar;
  static Block no_rank;  // its first reference is never given back

  Block* block_ = nullptr;
};

// Row-major, without gaps.
LayoutRef dense_layout(const Dims& dims);

// Whether all sizes are numbers.
bool are_numbers(std::span<const std::int64_t> dims);

// The elements of `layout` under other dims, of which the product is the same: where they can be found by strides, which is so
// if each run of axes that lie without gaps keeps its elements to itself.
std::optional<LayoutRef> reshape(const Layout& layout, const Dims& dims);

// The same elements, axes in another order: axis i is axis order[i] of `layout`.
LayoutRef transposed_layout(const Layout& layout, std::span<const std::int64_t> order);

// Every element is the first one: all strides 0.
inline LayoutRef uniform_layout(const Dims& dims) { return LayoutRef(dims); }

// The dims that `a` and `b` broadcast to, each stretching the other (NumPy's rule, right-aligned: sizes are equal or one
// of them is 1; a missing axis counts as 1). Fails where neither holds, and on a count above max_count.
// ONNX: docs/Broadcasting.md, multidirectional. Before a run, sizes that are no numbers may turn out to be 1 or equal: the
// result is what holds in every run that does not fail, or unknown_size.
Result<Dims> broadcast_dims(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

// `layout` stretched to `dims`, which broadcast_dims made from it: stride 0 on the new and the stretched axes.
LayoutRef broadcast_to(const Layout& layout, const Dims& dims);

// One axis of a merged layout.
struct Axis {
  std::int64_t extent;
  std::int64_t stride;  // in elements
};

// The axes of a layout with at least one element, fewest possible: axes of size 1 dropped, and neighbours merged where
// one step of the outer equals a walk over the inner.
struct MergedAxes {
  static constexpr std::size_t max_rank = 53;  // every axis left has a size of at least 2, and the count is below 2^53
  std::size_t rank = 0;
  Axis axes[max_rank];

  std::span<const Axis> values() const { return {axes, rank}; }
};
MergedAxes merge_axes(const Layout& layout);

}  // namespace broadloom
