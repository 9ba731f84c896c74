// The positions of a tensor's elements: dims and strides. A layout never accesses memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/count.h"
#include "core/dims.h"
#include "core/size.h"
#include "core/status.h"

namespace broadloom {

// The most axes of a tensor. ONNX has no limit. Without one, a file or a call could choose any rank,
// and all code that reads dims would have to handle a lack of memory.
inline constexpr std::size_t most_axes = 255;

// An upper bound for the heap memory of a layout: its record, dims and strides.
inline constexpr std::size_t most_layout_bytes = std::size_t{5} * 1024;

// The error of check_rank.
[[gnu::cold, gnu::noinline]] Failure too_many_axes(std::uint64_t rank);

// Fails for a rank above most_axes. All code that reads dims calls it before it uses them.
inline Status check_rank(std::uint64_t rank) { return rank <= most_axes ? Status() : too_many_axes(rank); }

// The product of `dims` (1 for a scalar). Fails on a negative dim, and on a product above max_count; zeros count as ones
// in that check, so that the answer does not depend on the order of the axes.
Result<std::int64_t> checked_count(std::span<const std::int64_t> dims);
// The product of `dims`, with the same checks. Fails for a symbolic size: in a run, it results from an overflow.
Result<std::int64_t> checked_count(std::span<const Size> dims);

// Makes the checks of checked_count for the sizes that are numbers.
Status check_sizes(std::span<const Size> dims);

// The product of dims that have been checked.
inline std::int64_t count_of(std::span<const std::int64_t> dims) {
  // With a zero, the product is 0 without overflow: the other dims were checked as if it were a one. Dims that only a
  // model declares were not checked, so their product may wrap around.
  std::uint64_t product = 1;
  for (const std::int64_t dim : dims) product *= static_cast<std::uint64_t>(dim);
  return static_cast<std::int64_t>(product);
}

inline std::int64_t count_of(std::span<const Size> dims) { return count_of(numbers_of(dims)); }

struct Layout {
  SymbolicDims dims;
  Dims strides;  // in elements, of either sign; 0 on an axis along which one element repeats

  // In a run.
  std::span<const std::int64_t> run_dims() const { return numbers_of(dims); }
  std::int64_t count() const { return count_of(run_dims()); }
};

// Whether the elements lie in row-major order without gaps. Strides of axes of size 1 do not matter.
bool is_dense(const Layout& layout);

// The lowest and highest position of a layout's elements, relative to element 0: lowest <= 0 <= highest.
// Both are 0 for a layout without elements.
struct Span {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};
Span span_of(const Layout& layout);

// A counted reference to an immutable layout. It is one pointer, because tensors are moved and copied often.
class LayoutRef {
 public:
  LayoutRef() = default;  // the layout of a scalar
  LayoutRef(const Layout& layout) : LayoutRef(layout.dims) { edit().strides = layout.strides; }
  // A layout whose strides are all 0.
  explicit LayoutRef(const SymbolicDims& dims);
  // A layout whose dims and strides are to be set.
  static LayoutRef of_rank(std::size_t rank);
  LayoutRef(const LayoutRef& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->references;
  }
  LayoutRef(LayoutRef&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  LayoutRef& operator=(LayoutRef other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  // This destructor, ~StorageRef and Dims::take are in every small call. If they were not inlined, a call would take 1.03 times
  // as long.
  [[gnu::always_inline]] ~LayoutRef() {
    if (block_ != nullptr && --block_->references == 0) destroy(block_);
  }

  const Layout& operator*() const { return block_ == nullptr ? scalar : block_->layout; }
  const Layout* operator->() const { return &**this; }
  operator const Layout&() const { return **this; }

  // The layout, which may be changed until it is shared.
  Layout& edit() { return block_->layout; }
  // Makes the layout row-major without gaps, with the same dims.
  void make_dense();

  // Means that nothing is known, not even the rank.
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
  static Block no_rank;  // its first reference is never released

  Block* block_ = nullptr;
};

// A row-major layout without gaps.
LayoutRef dense_layout(const SymbolicDims& dims);

// The layout of one axis without gaps. Short ones are shared: a call gets its lists in them.
LayoutRef vector_layout(std::int64_t size);

// The layout of dims [N, C, ...] without gaps, with the channels C innermost.
LayoutRef channels_last_layout(const SymbolicDims& dims);

// Whether the elements lie without gaps in some order of the axes, and each once.
bool is_gapless(const Layout& layout);

// Whether two layouts of the same dims have each element at the same position.
bool have_same_positions(const Layout& a, const Layout& b);

// The axes in the order in which gapless elements lie, the innermost last.
Dims order_of_axes(const Layout& layout);

// The layout in which a result gets its elements: `layout` itself, of a tensor without elements, if it is gapless; else
// row-major.
LayoutRef result_layout(const LayoutRef& layout);

// The layout that gives the elements of `layout` the dims `dims`, whose product is equal; nullopt if strides cannot describe
// it. Strides can if the new axes split or merge only axes that lie without gaps.
std::optional<LayoutRef> reshape(const Layout& layout, const SymbolicDims& dims);

// The layout with permuted axes: axis i of the result is axis order[i] of `layout`.
LayoutRef transposed_layout(const Layout& layout, std::span<const std::int64_t> order);

// All strides are 0: every element is the first one.
inline LayoutRef uniform_layout(const SymbolicDims& dims) { return LayoutRef(dims); }

// The size that two sizes broadcast to, where they are equal or one of them is 1. Returns false for others.
[[gnu::always_inline]] inline bool broadcast_size(Size& to, Size a, Size b) {
  if (a == b || b == 1) {
    to = a;
  } else if (a == 1) {
    to = b;
  } else {
    return false;
  }
  return true;
}

// The dims that `a` and `b` broadcast to, each stretching the other (NumPy's rule, right-aligned: sizes are equal or one
// of them is 1; a missing axis counts as 1). Fails if neither holds, or for a count above max_count.
// ONNX: docs/Broadcasting.md, multidirectional. Before a run, symbolic sizes may be 1 or equal: each size of the
// result holds in every successful run, or is unknown_size.
Result<SymbolicDims> broadcast_dims(std::span<const Size> a, std::span<const Size> b);

// `layout` broadcast to `dims`, a result of broadcast_dims: new and stretched axes have stride 0. One element broadcasts to any
// dims, and to a scalar, too: leading axes beyond the rank of `dims` are left out.
LayoutRef broadcast_to(const Layout& layout, const SymbolicDims& dims);

// One axis of a merged layout.
struct Axis {
  std::int64_t extent;
  std::int64_t stride;  // in elements
};

// The product of the extents of axes whose elements a kernel counts.
inline std::size_t count_of(std::span<const Axis> axes) {
  Count count = 1;
  for (const Axis& axis : axes) count *= axis.extent;
  return in_memory(count);
}

// The fewest axes for a layout with at least one element: axes of size 1 are dropped, and neighbours are merged if
// one step of the outer axis equals a walk over the inner one.
struct MergedAxes {
  static constexpr std::size_t max_rank = 53;  // every axis left has a size of at least 2, and the count is below 2^53
  std::size_t rank = 0;
  Axis axes[max_rank];

  std::span<const Axis> values() const { return {axes, rank}; }
};
MergedAxes merge_axes(const Layout& layout);

}  // namespace broadloom
