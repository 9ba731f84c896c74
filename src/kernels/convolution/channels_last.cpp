#include "kernels/convolution/channels_last.h"

#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/strided.h"
#include "kernels/products/pairs.h"

namespace broadloom {
namespace {

Layout part_of(const Layout& layout, std::size_t first, std::size_t count) {
  return {layout.dims.values().subspan(first, count), layout.strides.values().subspan(first, count)};
}

// A layout with more axes, the innermost ones.
Layout with_axes(const Layout& layout, std::span<const Axis> axes) {
  const std::size_t rank = layout.dims.size();
  Layout result{SymbolicDims(rank + axes.size()), Dims(rank + axes.size())};
  for (std::size_t i = 0; i < rank + axes.size(); ++i) {
    result.dims[i] = i < rank ? layout.dims[i] : Size(axes[i - rank].extent);
    result.strides[i] = i < rank ? layout.strides[i] : axes[i - rank].stride;
  }
  return result;
}

}  // namespace

ChannelsLast::ChannelsLast(const Layout& images, const ImageForm& form)
    : form_(form),
      accumulate_(accumulate_type_of(form.dtype)),
      size_(broadloom::item_size(form.dtype)),
      accumulate_size_(broadloom::item_size(accumulate_.dtype)),
      batch_pitch_(static_cast<std::ptrdiff_t>(images.strides[0]) * static_cast<std::ptrdiff_t>(size_)),
      axes_(part_of(images, 2, images.dims.size() - 2)) {
  const Axis channels{images.dims[1].number(), images.strides[1]};
  const bool has_padding = form_.before + form_.after > 0;
  const bool has_gaps = form_.has_whole_rows && axes_.strides.values().back() != channels.extent;
  is_copied_ = has_gaps || is_converted() || has_padding || form_.repeats > 1 || (channels.extent > 1 && channels.stride != 1);
  if (!is_copied_) return;
  const Axis repeats{static_cast<std::int64_t>(form_.repeats), 0};
  const std::size_t last = axes_.dims.size() - 1;
  // Elements of two bytes are converted while they are in the cache. Elements of one byte are faster transposed as a whole.
  const bool is_whole = !has_padding && (form_.is_widened || !is_converted());
  rows_ = part_of(axes_, 0, is_whole ? 0 : last);
  const Axis pixel[] = {channels, repeats};
  row_ = with_axes(is_whole ? axes_ : part_of(axes_, last, 1), pixel);
  channel_bytes_ = in_memory(channels.extent) * form_.repeats * item_size();
}

std::ptrdiff_t ChannelsLast::pitch(std::size_t axis) const {
  if (!is_copied_) return static_cast<std::ptrdiff_t>(axes_.strides[axis]) * static_cast<std::ptrdiff_t>(size_);
  const std::span<const std::int64_t> dims = axes_.run_dims();
  std::size_t bytes = channel_bytes_;
  for (std::size_t i = dims.size(); --i > axis;) {
    const std::size_t padding = i + 1 == dims.size() ? form_.before + form_.after : 0;
    bytes *= in_memory(dims[i]) + padding;
  }
  return static_cast<std::ptrdiff_t>(bytes);
}

Count ChannelsLast::workspace_bytes() const {
  if (!is_copied_) return {};
  const std::span<const std::int64_t> dims = axes_.run_dims();
  Count items = Count(dims.back()) + form_.before + form_.after;
  for (const std::int64_t dim : dims.first(dims.size() - 1)) items *= dim;
  const Count raw = Count(row_.count()) * size_;
  return items * channel_bytes_ + (is_converted() ? raw : Count()) + vector_bytes;
}

const std::byte* ChannelsLast::at(std::size_t number, const std::byte* images, std::byte* workspace, int zero) const {
  const std::byte* image = images + static_cast<std::ptrdiff_t>(number) * batch_pitch_;
  if (!is_copied_) return image;
  const auto items = in_memory(row_.count());
  std::byte* const raw = workspace;
  std::byte* const copy = workspace + (is_converted() ? whole_vectors(items * size_) : 0);
  const std::size_t before = form_.before * channel_bytes_;
  const std::size_t after = form_.after * channel_bytes_;
  const MergedAxes axes = merge_axes(rows_);
  Walker row(image, axes, size_);
  std::byte* to = copy;
  for (auto left = rows_.count(); left > 0; --left, row.advance(1)) {
    std::memset(to, 0, before);
    to += before;
    if (is_converted()) {
      materialize(raw, row.at(), row_, size_);
      const std::byte* const from[] = {raw};
      form_.is_widened ? widen(to, raw, form_.dtype, zero, items) : accumulate_.load(to, from, items);
    } else {
      materialize(to, row.at(), row_, size_);
    }
    to += items * item_size();
    std::memset(to, 0, after);
    to += after;
  }
  return copy;
}

}  // namespace broadloom
