#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>

#include "core/memory.h"
#include "kernels/block_reader.h"
#include "kernels/convert.h"

namespace broadloom {
namespace {

// A tile of the result is six rows of two vectors: its sums are twelve of the sixteen vectors that processors hold.
constexpr std::size_t tile_rows = 6;
constexpr std::size_t tile_bytes = 2 * vector_bytes;  // of a row

// So many products are summed in a tile before the sums are added to the result. The packed rows and columns that meet there
// take 6 and 8 KiB, or twice as much: both stay in the first-level cache.
constexpr std::size_t most_depth = 256;

// Tiles side by side, and one above the other, whose columns and rows are packed at a time: 512 and 384 KiB of items of four
// bytes, which stay in the second-level cache.
constexpr std::size_t most_tiles = 64;

// What is packed of each column goes by so many items: of a large matrix, in rows, they lie on as many pages.
constexpr std::size_t packed_depth = 16;

// Adds to rows of the result, `pitch` bytes apart, what `depth` rows of a's and b's packed elements come to.
using AddTile = void (*)(std::byte* to, std::size_t pitch, std::size_t rows, std::size_t row_bytes, const std::byte* a,
                         const std::byte* b, std::size_t depth);

template <class T, std::size_t... row>
void sum_products(std::byte* to, const std::byte* a, const std::byte* b, std::size_t depth, std::index_sequence<row...>) {
  Lanes<T> left[sizeof...(row)] = {};
  Lanes<T> right[sizeof...(row)] = {};
  for (; depth > 0; --depth, a += tile_rows * sizeof(T), b += tile_bytes) {
    const auto first = load_lanes<T>(b);
    const auto second = load_lanes<T>(b + vector_bytes);
    const auto add = [&](std::size_t i, const Lanes<T>& factor) {
      left[i] += factor * first;
      right[i] += factor * second;
    };
    (add(row, as<Lanes<T>>(splat<sizeof(T)>(a + row * sizeof(T)))), ...);
  }
  (store_lanes(to + row * tile_bytes, left[row]), ...);
  (store_lanes(to + row * tile_bytes + vector_bytes, right[row]), ...);
}

template <class T>
void add_tile(std::byte* to, std::size_t pitch, std::size_t rows, std::size_t row_bytes, const std::byte* a, const std::byte* b,
              std::size_t depth) {
  alignas(vector_bytes) std::byte sums[tile_rows * tile_bytes];
  if (rows == 1) {
    // A product with a vector takes two thirds of the time without the other rows of the tile.
    sum_products<T>(sums, a, b, depth, std::make_index_sequence<1>());
  } else {
    sum_products<T>(sums, a, b, depth, std::make_index_sequence<tile_rows>());
  }
  const std::byte* from = sums;
  for (; rows > 0; --rows, to += pitch, from += tile_bytes) {
    if (row_bytes == tile_bytes) {
      store_lanes(to, load_lanes<T>(to) + load_lanes<T>(from));
      store_lanes(to + vector_bytes, load_lanes<T>(to + vector_bytes) + load_lanes<T>(from + vector_bytes));
      continue;
    }
    for (std::size_t i = 0; i < row_bytes; i += sizeof(T)) {
      *reinterpret_cast<T*>(to + i) += *reinterpret_cast<const T*>(from + i);
    }
  }
}

AddTile add_tile_of(Dtype dtype) {
  if (dtype == Dtype::float32) return add_tile<float>;
  if (dtype == Dtype::float64) return add_tile<double>;
  return item_size(dtype) == 4 ? add_tile<std::uint32_t> : add_tile<std::uint64_t>;
}

// Walkers begin here where only the places are asked for: how many bytes they are from the start.
constexpr std::byte start{};

void list_places(std::ptrdiff_t* places, std::size_t count, Walker& walker) {
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = walker.at() - &start;
    walker.advance(1);
  }
}

using Places = std::span<const std::ptrdiff_t>;

bool are_contiguous(Places places, std::size_t item_size) {
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] - places[i - 1] != static_cast<std::ptrdiff_t>(item_size)) return false;
  }
  return true;
}

// Writes, for each of the summed places, the items at the kept ones, and zeros up to `width` items.
void pack(std::byte* to, const std::byte* from, Places kept, std::size_t width, Places summed, std::size_t item_size) {
  const std::size_t row = width * item_size;
  const bool is_full = kept.size() == width;
  if (!is_full) std::memset(to, 0, summed.size() * row);
  if (is_full && row % 8 == 0 && are_contiguous(kept, item_size)) {
    for (const std::ptrdiff_t place : summed) {
      const std::byte* items = from + kept[0] + place;
      for (std::size_t i = 0; i < row; i += 8) std::memcpy(to + i, items + i, 8);
      to += row;
    }
    return;
  }
  with_item_size(item_size, [&]<std::size_t size>() {
    for (const std::ptrdiff_t place : summed) {
      for (std::size_t i = 0; i < kept.size(); ++i) std::memcpy(to + i * size, from + kept[i] + place, size);
      to += row;
    }
  });
}

std::size_t size_of(const Layout& layout) { return static_cast<std::size_t>(layout.count()); }
[[gnu::noinline]] double elements_of(const Factor& factor) {
  return static_cast<double>(factor.kept.count()) * static_cast<double>(factor.summed.count());
}

// One operand, packed: panels of `width` rows or columns, in which the elements that meet one of the other operand's lie side
// by side.
class Packer {
 public:
  Packer(Dtype dtype, const Factor& factor, std::size_t width)
      : widening_(widening_of(dtype)),
        from_size_(item_size(dtype)),
        panel_size_(width * item_size(widening_.dtype)),
        width_(width),
        count_(size_of(factor.kept)),
        batch_axes_(merge_axes(factor.batch)),
        kept_axes_(merge_axes(factor.kept)),
        summed_axes_(merge_axes(factor.summed)),
        batch_(factor.data, batch_axes_, from_size_),
        kept_(&start, kept_axes_, from_size_),
        summed_(&start, summed_axes_, from_size_) {}
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  // The most bytes that a block takes.
  std::size_t block_size(std::size_t depth) const {
    return depth * panel_size_ * std::min(most_tiles, (count_ + width_ - 1) / width_);
  }
  std::size_t panel_size() const { return depth_ * panel_size_; }
  std::size_t count() const { return count_; }

  void next_batch() { batch_.advance(1); }
  // Takes the next products of each sum; the first ones again after the last.
  void take_summed(std::size_t depth) {
    list_places(summed_places_, depth, summed_);
    depth_ = depth;
  }
  // Takes the next rows or columns, likewise.
  std::size_t take_kept(std::size_t done) {
    const std::size_t count = std::min(count_ - done, most_tiles * width_);
    list_places(kept_places_, count, kept_);
    return count;
  }

  void pack_block(std::byte* to, std::size_t count) const {
    alignas(vector_bytes) std::byte raw[packed_depth * tile_bytes];
    for (std::size_t k = 0; k < depth_; k += packed_depth) {
      const Places summed{summed_places_ + k, std::min(packed_depth, depth_ - k)};
      std::byte* part = to + k * panel_size_;
      for (std::size_t i = 0; i < count; i += width_, part += panel_size()) {
        const Places kept{kept_places_ + i, std::min(width_, count - i)};
        const bool is_wide = widening_.load == nullptr;
        pack(is_wide ? part : raw, batch_.at(), kept, width_, summed, from_size_);
        const std::byte* const packed[] = {raw};
        if (!is_wide) widening_.load(part, packed, summed.size() * width_);
      }
    }
  }

 private:
  Widening widening_;
  std::size_t from_size_;
  std::size_t panel_size_;  // bytes for each product of a sum
  std::size_t width_;
  std::size_t count_;
  MergedAxes batch_axes_;
  MergedAxes kept_axes_;
  MergedAxes summed_axes_;
  Walker batch_;
  Walker kept_;
  Walker summed_;
  std::size_t depth_ = 0;
  std::ptrdiff_t summed_places_[most_depth];
  std::ptrdiff_t kept_places_[most_tiles * 8];
};

}  // namespace

Status multiply(Dtype dtype, std::byte* to, const Factor& a, const Factor& b) {
  constexpr double most = 0x1p32;
  const double elements = std::max(elements_of(a), elements_of(b));
  if (elements >= most) return Failure(out_of_memory(elements));
  // A column is a row, too, and that has a shorter way.
  if (b.kept.count() == 1 && a.kept.count() > 1) return multiply(dtype, to, b, a);
  const Dtype computed = widening_of(dtype).dtype;
  const std::size_t size = item_size(computed);
  const std::size_t sums = size_of(a.summed);
  Packer rows(dtype, a, tile_rows);
  Packer columns(dtype, b, tile_bytes / size);
  const std::size_t pitch = columns.count() * size;
  const std::size_t result_bytes = rows.count() * pitch;
  std::size_t batches = size_of(a.batch);
  std::memset(to, 0, batches * result_bytes);
  if (sums == 0 || result_bytes == 0) return {};

  const std::size_t depth = std::min(sums, most_depth);
  const std::size_t bytes = rows.block_size(depth) + columns.block_size(depth);
  auto* const packed_columns = static_cast<std::byte*>(allocate(bytes));
  if (packed_columns == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
  std::byte* const packed_rows = packed_columns + columns.block_size(depth);
  const AddTile add = add_tile_of(computed);

  const auto add_block = [&](std::byte* at, std::size_t height, std::size_t width, std::size_t deep) {
    const std::byte* column_panel = packed_columns;
    for (std::size_t x = 0; x < width; x += tile_bytes, column_panel += columns.panel_size()) {
      const std::byte* row_panel = packed_rows;
      for (std::size_t y = 0; y < height; y += tile_rows, row_panel += rows.panel_size()) {
        add(at + y * pitch + x, pitch, std::min(tile_rows, height - y), std::min(tile_bytes, width - x), row_panel,
            column_panel, deep);
      }
    }
  };
  for (; batches > 0; --batches, to += result_bytes) {
    for (std::size_t x = 0; x < columns.count();) {
      const std::size_t width = columns.take_kept(x);
      for (std::size_t done = 0; done < sums; done += most_depth) {
        const std::size_t deep = std::min(most_depth, sums - done);
        columns.take_summed(deep);
        rows.take_summed(deep);
        columns.pack_block(packed_columns, width);
        for (std::size_t y = 0; y < rows.count();) {
          const std::size_t height = rows.take_kept(y);
          rows.pack_block(packed_rows, height);
          add_block(to + y * pitch + x * size, height, width * size, deep);
          y += height;
        }
      }
      x += width;
    }
    rows.next_batch();
    columns.next_batch();
  }
  release(packed_columns);
  return {};
}

}  // namespace broadloom
