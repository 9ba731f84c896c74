#include "kernels/movement/strided.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/base/chosen.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"
#include "kernels/movement/levels.h"
#include "kernels/movement/short_rows.h"
#include "kernels/movement/transpose.h"

namespace broadloom {
namespace {

// A block of merged axes, outermost first and at least one. `extent` replaces the extent of the first axis: it may be a part of
// it.
struct Block {
  std::span<const Axis> axes;
  std::size_t extent;

  explicit Block(std::span<const Axis> its_axes) : Block(its_axes, in_memory(its_axes.front().extent)) {}
  Block(std::span<const Axis> its_axes, std::size_t its_extent) : axes(its_axes), extent(its_extent) {}
  Block inner() const { return Block(axes.subspan(1)); }
};

// The least bytes of a block that is repeated piece by piece: each piece is copied to all its places while it is in the cache.
// This is 1.3 times as fast for blocks of 200 kB. It is half as fast for 16 KiB, where whole blocks in a row are better.
constexpr std::size_t piecewise_from = std::size_t{32} * 1024;

// The least length of rows that are gathered one by one. Their items are every second one of the source.
constexpr std::size_t least_gathered = 16;

// A block that is written `times` times, `distance` bytes apart; and all of that again for `outer`.
struct Repeats {
  std::size_t times;
  std::size_t distance;
  const Repeats* outer;
};

// Copies what stands at `block` to all its other places.
void replicate(std::byte* to, const std::byte* block, std::size_t bytes, const Repeats* repeats) {
  if (repeats == nullptr) {
    if (to != block) copy_bytes(to, block, bytes);
    return;
  }
  for (std::size_t i = 0; i < repeats->times; ++i) replicate(to + i * repeats->distance, block, bytes, repeats->outer);
}

class Writer {
 public:
  Writer(std::span<const Axis> axes, std::size_t item_size) : item_size_(item_size), levels_(axes, item_size) {
    if constexpr (chosen::has_other_layouts) choose_for_other_layouts(axes);
  }

  // Writes the block. The choice by layout stands here, in write_repeated and in Levels.
  void write(std::byte* to, const std::byte* from, const Block& block) {
    const Axis& axis = block.axes.front();
    if constexpr (chosen::has_other_layouts) {
      if (block.axes.size() == rows_depth_) return short_rows_->write(to, from, block.extent);
      if (block.axes.size() == transpose_depth_) return transpose_->write(to, from, block.extent);
    }
    if (block.axes.size() == 1) {
      if (axis.stride == 0) {
        fill(to, from, item_size_, block.extent);
      } else if (axis.stride == 1) {
        copy_bytes(to, from, block.extent * item_size_);
      } else {
        gather(to, from, step(axis), item_size_, block.extent);
      }
    } else if (axis.stride == 0) {
      repeat(to, from, block);
    } else if (block.axes.size() <= levels_.depth() && is_small(block)) {
      levels_.write(to, from, block.axes, block.extent);
    } else {
      const std::size_t inner = bytes(block.inner());
      for (std::size_t i = 0; i < block.extent; ++i) write(to + i * inner, from + offset(axis, i), block.inner());
    }
  }

 private:
  void choose_for_other_layouts(std::span<const Axis> axes) {
    const std::int64_t stride = axes.back().stride;
    // Long rows are copied; repeated items are left to the levels.
    const auto row = in_memory(axes.back().extent);
    if (stride == 0 || (stride == 1 && row * item_size_ > vector_bytes)) return;
    // Every second item: gather has vectors for it.
    if (stride == 2 && row >= least_gathered && item_size_ < vector_bytes) return;
    const ShortRows& rows = short_rows_.emplace(axes, item_size_);
    if (rows.depth() <= 1 && stride != 1) transpose_.emplace(axes, item_size_);
    if (transpose_ && transpose_->depth() > 0) {
      transpose_depth_ = transpose_->depth();
    } else if (rows.depth() > 1 || stride != 1) {
      rows_depth_ = rows.depth();
    }
  }

  // Whether the levels take the block, whose second axis is repeated; a single level may be of any size.
  bool is_small(const Block& block) const {
    return block.axes.size() <= 3 || bytes(block.inner().inner()) <= Levels::most_block;
  }

  void repeat(std::byte* to, const std::byte* from, const Block& block) {
    const std::size_t inner = bytes(block.inner());
    if (inner <= piecewise_from) {
      write(to, from, block.inner());
      repeat_block(to, inner, block.extent * inner);
    } else {
      write_repeated(to, from, block.inner(), {block.extent, inner, nullptr});
    }
  }

  // Writes the block and its repeats, in pieces.
  void write_repeated(std::byte* to, const std::byte* from, const Block& block, const Repeats& repeats) {
    const Axis& axis = block.axes.front();
    const std::size_t inner = block.axes.size() == 1 ? item_size_ : bytes(block.inner());
    if (inner <= cached_block) {
      const std::size_t most = cached_block / inner;
      for (std::size_t i = 0; i < block.extent; i += most) {
        const Block piece(block.axes, std::min(most, block.extent - i));
        std::byte* start = to + i * inner;
        write(start, from + offset(axis, i), piece);
        replicate(start, start, piece.extent * inner, &repeats);
      }
    } else if (axis.stride == 0) {
      write_repeated(to, from, block.inner(), {block.extent, inner, &repeats});
    } else {
      for (std::size_t i = 0; i < block.extent; ++i)
        write_repeated(to + i * inner, from + offset(axis, i), block.inner(), repeats);
    }
  }

  std::ptrdiff_t step(const Axis& axis) const {
    return static_cast<std::ptrdiff_t>(axis.stride) * static_cast<std::ptrdiff_t>(item_size_);
  }
  std::ptrdiff_t offset(const Axis& axis, std::size_t i) const { return step(axis) * static_cast<std::ptrdiff_t>(i); }
  std::size_t bytes(const Block& block) const {
    std::size_t product = item_size_ * block.extent;
    for (const Axis& axis : block.axes.subspan(1)) product *= in_memory(axis.extent);
    return product;
  }

  std::size_t item_size_;
  Levels levels_;
  std::optional<ShortRows> short_rows_;
  std::optional<Transpose> transpose_;
  std::size_t rows_depth_ = 0;       // how many of the innermost axes are short rows
  std::size_t transpose_depth_ = 0;  // or a transpose
};

// Writes the elements of these axes. The outermost one may have the size 1, and no other.
void write_axes(std::byte* to, const std::byte* from, std::span<const Axis> axes, std::size_t item_size) {
  if (!axes.empty() && axes[0].extent == 1) axes = axes.subspan(1);
  if (axes.empty()) return copy_bytes(to, from, item_size);
  Writer(axes, item_size).write(to, from, Block(axes));
}

// The bytes that are written between questions of the time, and in a step.
constexpr std::size_t part_bytes = std::size_t{1} << 22;
constexpr double bytes_of_step = 4;

// Writes the elements of these axes, some indices of the outermost axis at a time, and asks for the time between them. The
// extent of that axis is changed meanwhile.
Status write_parts(std::byte* to, const std::byte* from, std::span<Axis> axes, std::size_t item_size) {
  const std::size_t inner = item_size * count_of(axes.subspan(1));
  const std::int64_t extent = axes[0].extent;
  const std::int64_t most = std::max<std::int64_t>(static_cast<std::int64_t>(part_bytes / inner), 1);
  for (std::int64_t i = 0; i < extent; i += most) {
    axes[0].extent = std::min(most, extent - i);
    const std::byte* const at = from + static_cast<std::ptrdiff_t>(i * axes[0].stride) * static_cast<std::ptrdiff_t>(item_size);
    const std::size_t bytes = inner * in_memory(axes[0].extent);
    if (inner > part_bytes) {
      BROADLOOM_CHECK(write_parts(to, at, axes.subspan(1), item_size));
    } else {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(bytes) / bytes_of_step));
      write_axes(to, at, axes, item_size);
    }
    to += bytes;
  }
  axes[0].extent = extent;
  return {};
}

// The most elements that are written one by one: to choose a kernel takes as long.
constexpr std::int64_t few_elements = 64;

// Writes the elements of an axis and of those within it, and returns the place after them.
template <std::size_t item_size>
[[gnu::noinline]] std::byte* write_one_by_one(std::byte* to, const std::byte* from, const Size* dims,
                                              const std::int64_t* strides, std::size_t rank) {
  const auto step = static_cast<std::ptrdiff_t>(*strides) * static_cast<std::ptrdiff_t>(item_size);
  std::size_t left = in_memory(dims->number());
  if (rank == 1) {
    for (; left > 0; --left, to += item_size, from += step) std::memcpy(to, from, item_size);
    return to;
  }
  std::byte* const block = to;
  to = write_one_by_one<item_size>(to, from, dims + 1, strides + 1, rank - 1);
  const std::size_t bytes = in_memory(to - block);
  while (--left > 0) {
    from += step;
    if (step == 0) {
      copy_bytes(to, block, bytes);
      to += bytes;
    } else {
      to = write_one_by_one<item_size>(to, from, dims + 1, strides + 1, rank - 1);
    }
  }
  return to;
}

}  // namespace

void materialize(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size) {
  if (layout.count() > 0) write_axes(to, from, merge_axes(layout).values(), item_size);
}

Status materialize_watched(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size) {
  const std::int64_t count = layout.count();
  if (count == 0) return {};
  const std::size_t rank = layout.dims.size();
  if (count <= few_elements && rank > 0) {
    with_item_size(item_size, [&]<std::size_t size>() {
      write_one_by_one<size>(to, from, layout.dims.data(), layout.strides.data(), rank);
    });
    return {};
  }
  MergedAxes merged = merge_axes(layout);
  if (merged.rank > 0) return write_parts(to, from, {merged.axes, merged.rank}, item_size);
  copy_bytes(to, from, item_size);
  return {};
}

}  // namespace broadloom
