#include "kernels/convolution/col2im.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "kernels/base/simd.h"

namespace broadloom {
namespace {

template <class T>
void add_each(std::byte* to, std::size_t step, const std::byte* from, std::size_t from_step, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, to += step * sizeof(T), from += from_step * sizeof(T)) {
    T sum;
    T element;
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&element, from, sizeof element);
    sum = static_cast<T>(sum + element);
    std::memcpy(to, &sum, sizeof sum);
  }
}

// Adds contiguous elements to every `step`th.
void add_apart(std::byte* to, std::size_t step, const std::byte* from, std::size_t count, Dtype dtype) {
  // Contiguous floats by vectors: 0.3 of the time for rows of 56.
  if (dtype == Dtype::float32 && step == 1) {
    for (; count >= lanes_of<float>; count -= lanes_of<float>, to += vector_bytes, from += vector_bytes) {
      store_lanes(to, load_lanes<float>(to) + load_lanes<float>(from));
    }
  }
  if (dtype == Dtype::boolean) {
    for (std::size_t i = 0; i < count; ++i) to[i * step] |= from[i];
    return;
  }
  const bool is_complex = info(dtype).kind == DtypeKind::complex;
  const std::size_t parts = is_complex ? 2 : 1;
  const std::size_t size = item_size(dtype) / parts;
  const bool is_real = is_complex || dtype == Dtype::float32 || dtype == Dtype::float64;
  for (std::size_t part = 0; part < parts; ++part, to += size, from += size) {
    const auto add = is_real     ? (size == 4 ? add_each<float> : add_each<double>)
                     : size == 1 ? add_each<std::uint8_t>
                     : size == 2 ? add_each<std::uint16_t>
                     : size == 4 ? add_each<std::uint32_t>
                                 : add_each<std::uint64_t>;
    add(to, step * parts, from, parts, count);
  }
}

// Goes to the next of all combinations; false after the last.
bool advance(std::span<BlockAxis> axes, std::int64_t BlockAxis::*number, std::int64_t BlockAxis::*limit) {
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (++(axes[i].*number) < axes[i].*limit) return true;
    axes[i].*number = 0;
  }
  return false;
}

}  // namespace

const std::byte* add_columns(std::byte* image, const std::byte* columns, std::span<BlockAxis> axes, Dtype dtype) {
  const std::size_t size = item_size(dtype);
  const std::span<BlockAxis> outer = axes.first(axes.size() - 1);
  const BlockAxis& inner = axes.back();
  do {
    // The blocks whose element lies in the image, along the last axis.
    const std::int64_t first = inner.place * inner.dilation - inner.before;
    const std::int64_t low = first < 0 ? std::min((-first + inner.stride - 1) / inner.stride, inner.count) : 0;
    const std::int64_t high =
        first >= inner.image ? low : std::clamp((inner.image - 1 - first) / inner.stride + 1, low, inner.count);
    do {
      std::int64_t row = 0;
      bool is_inside = low < high;
      for (const BlockAxis& axis : outer) {
        const std::int64_t index = axis.place * axis.dilation - axis.before + axis.at * axis.stride;
        is_inside = is_inside && index >= 0 && index < axis.image;
        row = row * axis.image + index;
      }
      if (is_inside) {
        std::byte* const to = image + in_memory(row * inner.image + first + low * inner.stride) * size;
        const std::byte* const from = columns + in_memory(low) * size;
        const auto count = in_memory(high - low);
        add_apart(to, in_memory(inner.stride), from, count, dtype);
      }
      columns += in_memory(inner.count) * size;
    } while (advance(outer, &BlockAxis::at, &BlockAxis::count));
  } while (advance(axes, &BlockAxis::place, &BlockAxis::block));
  return columns;
}

}  // namespace broadloom
