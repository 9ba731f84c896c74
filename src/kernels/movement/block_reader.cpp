#include "kernels/movement/block_reader.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"

namespace broadloom {

namespace {

// Rows of one item, so often and more, are filled.
constexpr std::size_t least_filled = 16;

}  // namespace

// ---- Walker ----

std::size_t Walker::contiguous() const {
  if (axes_->rank == 0) return 1;
  return axes_->axes[axes_->rank - 1].stride == 1 ? left_of_row() : 1;
}

void Walker::carry(std::size_t axis, std::size_t count) {
  place_[axis] += count;
  at_ += step(axis) * static_cast<std::ptrdiff_t>(count);
  while (place_[axis] == extent(axis)) {
    at_ -= step(axis) * static_cast<std::ptrdiff_t>(extent(axis));
    place_[axis] = 0;
    if (axis == 0) return;
    --axis;
    ++place_[axis];
    at_ += step(axis);
  }
}

void Walker::advance(std::size_t count) {
  if (axes_->rank > 0) carry(axes_->rank - 1, count);
}

void Walker::go_to(std::size_t item) {
  for (std::size_t axis = axes_->rank; axis-- > 0; item /= extent(axis)) {
    place_[axis] = item % extent(axis);
    at_ += step(axis) * static_cast<std::ptrdiff_t>(place_[axis]);
  }
}

void Walker::gather(std::byte* to, std::size_t count) {
  if (axes_->rank == 0) {
    copy_bytes(to, at_, item_size_);
    return;
  }
  const std::size_t inner = axes_->rank - 1;
  while (count > 0) {
    std::size_t items = std::min(count, extent(inner) - place_[inner]);
    std::size_t rows = 1;
    // Whole rows of the two innermost axes at a time: they may be short.
    const bool has_rows = inner > 0 && place_[inner] == 0 && items == extent(inner);
    if (has_rows) rows = std::min(count / items, extent(inner - 1) - place_[inner - 1]);
    const std::ptrdiff_t item_step = step(inner);
    const std::ptrdiff_t row_step = has_rows ? step(inner - 1) : 0;
    if (item_step == 0 && items >= least_filled) {
      const std::byte* row = at_;
      for (std::size_t i = 0; i < rows; ++i, row += row_step, to += items * item_size_) fill(to, row, item_size_, items);
    } else {
      with_item_size(item_size_, [&]<std::size_t size>() {
        const std::byte* row = at_;
        for (std::size_t i = 0; i < rows; ++i, row += row_step) {
          const std::byte* item = row;
          for (std::size_t j = 0; j < items; ++j, item += item_step, to += size) std::memcpy(to, item, size);
        }
      });
    }
    if (has_rows) {
      carry(inner - 1, rows);
    } else {
      carry(inner, items);
    }
    count -= rows * items;
  }
}

// ---- BlockReader ----

BlockReader::BlockReader(const std::byte* from, const Layout& layout, std::size_t count, std::size_t item_size)
    : axes_(merge_axes(layout)), item_size_(item_size), walker_(from, axes_, item_size) {
  const std::span<const Axis> axes = axes_.values();
  const bool repeats = axes.empty() || axes.front().stride == 0;
  period_ = axes.empty() ? 1 : count_of(axes.subspan(repeats ? 1 : 0));
  const bool is_periodic = repeats && period_ <= block_items;
  // A short row that repeats, as a bias, is better copied until it fills a block than read in blocks of a row.
  const bool is_short = is_periodic && 2 * period_ <= std::min(block_items, count);
  if (!is_short && !axes.empty() && axes.back().stride == 1 && in_memory(axes.back().extent) >= least_direct) {
    way_ = Way::direct;
    return;
  }
  if (axes.size() > 1 && axes.back().stride == 0 && in_memory(axes.back().extent) >= block_items) {
    // (x - mean) on [64, 1000] takes 29 us where each block is filled, 20 where each row is.
    way_ = Way::uniform_rows;
    return;
  }
  if (!is_periodic) return;
  // The buffer has a block and a period: a block can begin at each place of the period.
  way_ = Way::periodic;
  const std::size_t items = std::min(block_items, count) + period_;
  walker_.gather(buffer_, period_);
  repeat_block(buffer_, period_ * item_size_, items * item_size_);
}

std::size_t BlockReader::ready() const {
  if (way_ == Way::uniform_rows) return std::min(block_items, walker_.left_of_row());
  return way_ == Way::direct ? walker_.contiguous() : block_items;
}

const std::byte* BlockReader::next(std::size_t count) {
  if (way_ == Way::periodic) {
    const std::byte* result = buffer_ + phase_ * item_size_;
    phase_ = (phase_ + count) % period_;
    return result;
  }
  if (way_ == Way::direct) {
    const std::byte* result = walker_.at();
    walker_.advance(count);
    return result;
  }
  if (way_ == Way::uniform_rows) {
    const std::size_t left = walker_.left_of_row();
    if (!is_filled_) fill(buffer_, walker_.at(), item_size_, std::min(block_items, left));
    is_filled_ = count < left;
    walker_.advance(count);
  } else {
    walker_.gather(buffer_, count);
  }
  return buffer_;
}

}  // namespace broadloom
