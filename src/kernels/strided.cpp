#include "kernels/strided.h"

#include <algorithm>

#include "kernels/copy.h"
#include "kernels/fill.h"
#include "kernels/repeat.h"
#include "kernels/shuffled_row.h"

namespace broadloom {
namespace {

// A block of merged axes, outermost first and at least one. `extent` stands for that of the first axis, of which it may
// be a part.
struct Block {
  std::span<const Axis> axes;
  std::size_t extent;

  explicit Block(std::span<const Axis> its_axes) : Block(its_axes, static_cast<std::size_t>(its_axes.front().extent)) {}
  Block(std::span<const Axis> its_axes, std::size_t its_extent) : axes(its_axes), extent(its_extent) {}
  Block inner() const { return Block(axes.subspan(1)); }
};

// Blocks of more bytes are repeated piece by piece, each piece copied to all its places while it is in the cache: 1.3 times
// as fast for blocks of 200 kB, but half as fast for 16 KiB, where whole blocks in a row are better.
constexpr std::size_t piecewise_from = std::size_t{32} * 1024;

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

// The byte offsets of the items of some axes, outermost first, in the items' order. Returns how many they are.
std::size_t list_offsets(std::span<const Axis> axes, std::size_t item_size, std::ptrdiff_t* offsets) {
  std::size_t count = 1;
  offsets[0] = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto step = static_cast<std::ptrdiff_t>(axes[i].stride) * static_cast<std::ptrdiff_t>(item_size);
    const std::size_t end = count * static_cast<std::size_t>(axes[i].extent);
    for (std::size_t item = count; item < end; ++item) offsets[item] = offsets[item - count] + step;
    count = end;
  }
  return count;
}

class Writer {
 public:
  explicit Writer(std::size_t item_size) : item_size_(item_size) {}

  // Looks for short rows: the innermost axes, of up to ShuffledRow::most_bytes bytes together, that are walked over by an
  // axis of another stride than 0. Going through their blocks one by one takes up to 10 times as long as shuffles.
  void plan_rows(const std::byte* from, std::span<const Axis> axes) {
    // A plan costs several times what writing its row does: it has to serve for some rows.
    constexpr std::size_t enough_rows = 16;
    const std::size_t longest = std::min(ShuffledRow::most_bytes, bytes(Block(axes)) / enough_rows);
    std::size_t depth = 0;
    std::size_t row = item_size_;
    std::size_t chosen_row = 0;
    for (std::size_t i = axes.size(); i-- > 0 && row <= longest;) {
      if (axes[i].stride != 0) {
        depth = axes.size() - 1 - i;
        chosen_row = row;
      }
      row *= static_cast<std::size_t>(axes[i].extent);
    }
    if (depth == 0 || repeats_are_better(axes.last(depth + 1), chosen_row)) return;
    // Rows of fewer bytes than a vector are taken several at once, so that they fill whole vectors.
    std::size_t at_once = 1;
    while (chosen_row < 2 * vector_bytes && chosen_row * at_once % vector_bytes != 0) ++at_once;
    MergedAxes row_axes;
    row_axes.axes[row_axes.rank++] = {static_cast<std::int64_t>(at_once), axes[axes.size() - 1 - depth].stride};
    for (const Axis& axis : axes.last(depth)) row_axes.axes[row_axes.rank++] = axis;
    std::ptrdiff_t offsets[ShuffledRow::most_bytes];
    const std::size_t count = list_offsets(row_axes.values(), item_size_, offsets);
    if (!row_.plan({offsets, count}, item_size_)) return;
    rows_at_once_ = at_once;
    row_depth_ = depth;
    end_ = from + item_size_;
    for (const Axis& axis : axes) {
      if (axis.stride > 0) end_ += offset(axis, static_cast<std::size_t>(axis.extent - 1));
    }
  }

  // Writes the block. What is done for which layout stands here and in write_repeated.
  void write(std::byte* to, const std::byte* from, const Block& block) const {
    const Axis& axis = block.axes.front();
    if (rows_at_once_ > 0 && block.axes.size() == row_depth_ + 1 && block.extent >= rows_at_once_) {
      write_rows(to, from, block);
    } else if (block.axes.size() == 1) {
      if (axis.stride == 0) {
        fill(to, from, item_size_, block.extent);
      } else if (axis.stride == 1) {
        copy_bytes(to, from, block.extent * item_size_);
      } else {
        gather(to, from, step(axis), item_size_, block.extent);
      }
    } else if (block.axes.size() == 2 && axis.stride == 1 && block.axes[1].stride == 0) {
      repeat_each(to, from, item_size_, block.extent, block.inner().extent);
    } else {
      write_blocks(to, from, block, bytes(block.inner()));
    }
  }

 private:
  // Whether repeat_each or copies of whole blocks beat shuffled rows, for the walked axis and those of the row.
  static bool repeats_are_better(std::span<const Axis> axes, std::size_t row) {
    constexpr std::size_t long_enough = 48;
    if (axes.size() != 2) return false;
    const Axis& inner = axes.back();
    if (inner.stride == 0) return axes.front().stride == 1 && (inner.extent <= 7 || row >= long_enough);
    return inner.stride == 1 && row >= 16 * long_enough;
  }

  void write_rows(std::byte* to, const std::byte* from, const Block& block) const {
    const Axis& axis = block.axes.front();
    const std::size_t whole = block.extent / rows_at_once_;
    row_.write(to, from, offset(axis, rows_at_once_), whole, end_);
    if (whole * rows_at_once_ == block.extent) return;
    // The last ones overlap those before.
    const std::size_t last = block.extent - rows_at_once_;
    row_.write(to + last * (row_.bytes() / rows_at_once_), from + offset(axis, last), 0, 1, end_);
  }

  void write_blocks(std::byte* to, const std::byte* from, const Block& block, std::size_t inner) const {
    const Axis& axis = block.axes.front();
    if (axis.stride != 0) {
      for (std::size_t i = 0; i < block.extent; ++i) write(to + i * inner, from + offset(axis, i), block.inner());
    } else if (inner <= piecewise_from) {
      write(to, from, block.inner());
      repeat_block(to, inner, block.extent * inner);
    } else {
      write_repeated(to, from, block.inner(), {block.extent, inner, nullptr});
    }
  }

  // Writes the block and its repeats, in pieces.
  void write_repeated(std::byte* to, const std::byte* from, const Block& block, const Repeats& repeats) const {
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
    for (const Axis& axis : block.axes.subspan(1)) product *= static_cast<std::size_t>(axis.extent);
    return product;
  }

  std::size_t item_size_;
  std::size_t rows_at_once_ = 0;  // 0: there is no plan
  std::size_t row_depth_ = 0;     // axes within a row
  const std::byte* end_ = nullptr;
  ShuffledRow row_;
};

}  // namespace

void materialize(std::byte* to, const std::byte* from, const Layout& layout, std::size_t item_size) {
  if (layout.count() == 0) return;
  const MergedAxes merged = merge_axes(layout);
  if (merged.rank == 0) {
    copy_bytes(to, from, item_size);
  } else {
    Writer writer(item_size);
    writer.plan_rows(from, merged.values());
    writer.write(to, from, Block(merged.values()));
  }
}

}  // namespace broadloom
