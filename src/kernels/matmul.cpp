#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/memory.h"
#include "kernels/block_reader.h"
#include "kernels/convert.h"
#include "kernels/planes.h"
#include "kernels/strided.h"

namespace broadloom {
namespace {

// A panel is a part of the second operand: so many bytes of columns that lie side by side. In packed panels, the elements that
// meet one element of the first operand follow each other.
constexpr std::size_t panel_bytes = 2 * vector_bytes;

// A tile of the result is four rows of one panel, two rows of two panels, or one row of four: its sums are eight vectors, as
// many as one processor adds to at a time.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t most_panels = 4;

// So many products are summed in a tile before the sums are added to the result. The rows and the panel that meet there take
// 4 and 8 KiB, or twice as much: both stay in the first-level cache.
constexpr std::size_t most_depth = 256;

// So many rows and panels are packed at a time: 384 and 512 KiB of items of four bytes, which stay in the second-level cache.
constexpr std::size_t block_rows = 384;
constexpr std::size_t block_panels = 64;

// Panels are packed so many items at a time: in the rows of a large matrix, each item lies on a page of its own.
constexpr std::size_t packed_depth = 16;

std::size_t size_of(const Layout& layout) { return static_cast<std::size_t>(layout.count()); }

double elements_of(const Factor& factor) {
  return static_cast<double>(factor.kept.count()) * static_cast<double>(factor.summed.count());
}

// ---- Operands ----

// A matrix in memory: bytes from one row or column that is kept to the next, and from one element of a sum to the next.
struct Matrix {
  const std::byte* from;
  std::ptrdiff_t kept_step;
  std::ptrdiff_t summed_step;

  Matrix at(std::size_t kept, std::size_t summed) const {
    return {from + times(kept, kept_step) + times(summed, summed_step), kept_step, summed_step};
  }
};

// The bytes of one step along axes that merge to one at most; none for others.
std::optional<std::ptrdiff_t> step_of(const Layout& layout, std::size_t item_size) {
  const MergedAxes axes = merge_axes(layout);
  if (axes.rank > 1) return std::nullopt;
  return axes.rank == 0 ? 0 : static_cast<std::ptrdiff_t>(axes.axes[0].stride) * static_cast<std::ptrdiff_t>(item_size);
}

// One operand: a matrix for each of the batch.
class Operand {
 public:
  Operand(const Factor& factor, std::size_t item_size)
      : factor_(factor),
        item_size_(item_size),
        kept_step_(step_of(factor.kept, item_size)),
        summed_step_(step_of(factor.summed, item_size)),
        batch_axes_(merge_axes(factor.batch)),
        batch_(factor.data, batch_axes_, item_size) {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  // Whether its elements can be read where they are.
  bool is_matrix() const { return kept_step_.has_value() && summed_step_.has_value(); }
  // Whether the elements of a sum follow each other in `next`.
  bool has_sums_side_by_side() const { return !is_matrix() || *summed_step_ == static_cast<std::ptrdiff_t>(item_size_); }
  double copy_bytes() const { return is_matrix() ? 0 : elements_of(factor_) * static_cast<double>(item_size_); }

  // The next matrix of the batch: written to `copy`, of copy_bytes(), where axes do not merge.
  Matrix next(std::byte* copy) {
    const std::byte* from = batch_.at();
    batch_.advance(1);
    if (is_matrix()) return {from, *kept_step_, *summed_step_};
    const std::size_t rank = factor_.kept.dims.size();
    Layout layout{Dims(rank + factor_.summed.dims.size()), Dims(rank + factor_.summed.dims.size())};
    for (std::size_t i = 0; i < layout.dims.size(); ++i) {
      const Layout& part = i < rank ? factor_.kept : factor_.summed;
      const std::size_t axis = i < rank ? i : i - rank;
      layout.dims[i] = part.dims[axis];
      layout.strides[i] = part.strides[axis];
    }
    materialize(copy, from, layout, item_size_);
    const auto size = static_cast<std::ptrdiff_t>(item_size_);
    return {copy, times(size_of(factor_.summed), size), size};
  }

 private:
  const Factor& factor_;
  std::size_t item_size_;
  std::optional<std::ptrdiff_t> kept_step_;
  std::optional<std::ptrdiff_t> summed_step_;
  MergedAxes batch_axes_;
  Walker batch_;
};

// ---- Packing ----

struct ItemTypes {
  explicit ItemTypes(Dtype dtype)
      : accumulate(accumulate_type_of(dtype)), size(item_size(dtype)), accumulate_size(item_size(accumulate.dtype)) {}
  bool is_accumulate_type() const { return accumulate.load == nullptr; }
  std::size_t panel_width() const { return panel_bytes / accumulate_size; }
  std::size_t panels(std::size_t columns) const { return (columns + panel_width() - 1) / panel_width(); }

  AccumulateType accumulate;
  std::size_t size;             // of an operand's item
  std::size_t accumulate_size;  // of the items that are computed with
};

// Writes rows of items, `to_step` bytes apart: one for each of `depth` summed elements, with `kept` items.
void write_rows(std::byte* to, std::size_t to_step, const Matrix& matrix, std::size_t kept, std::size_t depth,
                std::size_t item_size) {
  const auto size = static_cast<std::ptrdiff_t>(item_size);
  if (matrix.kept_step != size) {
    const Plane plane{depth, kept, static_cast<std::ptrdiff_t>(to_step), matrix.kept_step, matrix.summed_step};
    return transpose_plane(to, matrix.from, plane, item_size);
  }
  const std::byte* from = matrix.from;
  const std::size_t bytes = kept * item_size;
  for (std::size_t k = 0; k < depth; ++k, to += to_step, from += matrix.summed_step) {
    if (bytes == panel_bytes) {
      store(to, load(from));
      store(to + vector_bytes, load(from + vector_bytes));
    } else {
      std::memcpy(to, from, bytes);
    }
  }
}

// Packs `columns` columns and `depth` elements of each to panels that are `pitch` bytes apart. The last one is filled up with
// zeros.
void pack_panels(std::byte* to, std::size_t pitch, const Matrix& matrix, std::size_t columns, std::size_t depth,
                 const ItemTypes& types) {
  const std::size_t width = types.panel_width();
  alignas(vector_bytes) std::byte raw[packed_depth * panel_bytes];
  // Columns that lie one behind the other are transposed as a whole.
  const std::size_t step =
      types.is_accumulate_type() && matrix.kept_step != static_cast<std::ptrdiff_t>(types.size) ? most_depth : packed_depth;
  for (std::size_t k = 0; k < depth; k += step) {
    const std::size_t deep = std::min(step, depth - k);
    std::byte* part = to + k * panel_bytes;
    for (std::size_t x = 0; x < columns; x += width, part += pitch) {
      const std::size_t kept = std::min(width, columns - x);
      std::byte* const rows = types.is_accumulate_type() ? part : raw;
      if (kept < width) std::memset(rows, 0, deep * width * types.size);
      write_rows(rows, width * types.size, matrix.at(x, k), kept, deep, types.size);
      const std::byte* const packed[] = {raw};
      if (!types.is_accumulate_type()) types.accumulate.load(part, packed, deep * width);
    }
  }
}

// Packs `rows` rows of `depth` elements, one behind the other.
void pack_rows(std::byte* to, const Matrix& matrix, std::size_t rows, std::size_t depth, const ItemTypes& types) {
  const Matrix turned{matrix.from, matrix.summed_step, matrix.kept_step};
  if (types.is_accumulate_type()) return write_rows(to, depth * types.size, turned, depth, rows, types.size);
  alignas(vector_bytes) std::byte raw[most_depth * sizeof(std::uint16_t)];
  for (std::size_t row = 0; row < rows; ++row, to += depth * types.accumulate_size) {
    write_rows(raw, depth * types.size, turned.at(0, row), depth, 1, types.size);
    const std::byte* const packed[] = {raw};
    types.accumulate.load(to, packed, depth);
  }
}

// ---- Tiles ----

// Rows of the first operand, whose summed elements follow each other, `pitch` bytes apart.
struct Rows {
  const std::byte* from;
  std::ptrdiff_t pitch;
  std::size_t count;
};

// Panels of the second operand: bytes from one to the next, and from a row of one to the next.
struct Panels {
  const std::byte* from;
  std::ptrdiff_t pitch;
  std::ptrdiff_t step;
  std::size_t columns;
};

// Part of the result.
struct Target {
  std::byte* to;
  std::size_t pitch;
  bool adds;  // to what is there
};

template <class T, std::size_t rows, std::size_t panels>
struct Sums {
  Lanes<T> left[rows * panels] = {};
  Lanes<T> right[rows * panels] = {};
};

// Adds the products of element `k` of each row with the row of each panel.
template <class T, std::size_t k, std::size_t rows, std::size_t... panel, std::size_t... row>
[[gnu::always_inline]] inline void add_products(Sums<T, rows, sizeof...(panel)>& sums, const std::byte* const* a,
                                                const std::byte* const* b, std::index_sequence<panel...>,
                                                std::index_sequence<row...>) {
  constexpr std::size_t panels = sizeof...(panel);
  const Lanes<T> left[] = {load_lanes<T>(b[panel])...};
  const Lanes<T> right[] = {load_lanes<T>(b[panel] + vector_bytes)...};
  const auto add = [&](std::size_t i, const Lanes<T>& factor) {
    ((sums.left[i * panels + panel] += factor * left[panel], sums.right[i * panels + panel] += factor * right[panel]), ...);
  };
  (add(row, as<Lanes<T>>(splat<sizeof(T)>(a[row] + k * sizeof(T)))), ...);
}

// Writes a tile. Each sum is that of `depth` products, one after the other.
template <class T, std::size_t... row, std::size_t... panel, std::size_t... k>
[[gnu::always_inline]] inline void write_tile(const Target& target, const std::byte* const* a, const std::byte* const* b,
                                              std::ptrdiff_t step, std::size_t depth, std::index_sequence<row...> row_numbers,
                                              std::index_sequence<panel...> panel_numbers, std::index_sequence<k...>) {
  constexpr std::size_t panels = sizeof...(panel);
  const std::byte* from_a[] = {a[row]...};
  const std::byte* from_b[] = {b[panel]...};
  Sums<T, sizeof...(row), panels> sums;
  for (; depth >= sizeof...(k); depth -= sizeof...(k)) {
    ((add_products<T, k>(sums, from_a, from_b, panel_numbers, row_numbers), ((from_b[panel] += step), ...)), ...);
    ((from_a[row] += sizeof...(k) * sizeof(T)), ...);
  }
  for (; depth > 0; --depth) {
    add_products<T, 0>(sums, from_a, from_b, panel_numbers, row_numbers);
    ((from_b[panel] += step), ...);
    ((from_a[row] += sizeof(T)), ...);
  }
  const auto write = [&](std::byte* to, const Lanes<T>& sum) { store_lanes(to, target.adds ? load_lanes<T>(to) + sum : sum); };
  const auto write_row = [&](std::size_t i) {
    std::byte* to = target.to + i * target.pitch;
    ((write(to + panel * panel_bytes, sums.left[i * panels + panel]),
      write(to + panel * panel_bytes + vector_bytes, sums.right[i * panels + panel])),
     ...);
  };
  (write_row(row), ...);
}

// Writes `row_bytes` bytes of `count` rows, where the tile may have more of both.
template <class T, std::size_t rows, std::size_t panels>
void write_part(const Target& target, const Rows& a, const Panels& b, std::size_t count, std::size_t row_bytes,
                std::size_t depth) {
  constexpr std::size_t tile_bytes = panels * panel_bytes;
  // Rows and panels that are not there are the last ones once more.
  const std::byte* from_a[rows];
  const std::byte* from_b[panels];
  for (std::size_t i = 0; i < rows; ++i) from_a[i] = a.from + times(std::min(i, count - 1), a.pitch);
  const std::size_t last = (row_bytes - 1) / panel_bytes;
  for (std::size_t i = 0; i < panels; ++i) from_b[i] = b.from + times(std::min(i, last), b.pitch);
  const auto write = [&](const Target& to) {
    write_tile<T>(to, from_a, from_b, b.step, depth, std::make_index_sequence<rows>(), std::make_index_sequence<panels>(),
                  std::make_index_sequence<4>());
  };
  const bool is_whole = count == rows && row_bytes == tile_bytes;
  alignas(vector_bytes) std::byte buffer[rows * tile_bytes];
  write(is_whole ? target : Target{buffer, tile_bytes, false});
  if (is_whole) return;
  for (std::size_t row = 0; row < count; ++row) {
    std::byte* const to = target.to + row * target.pitch;
    const std::byte* const from = buffer + row * tile_bytes;
    for (std::size_t i = 0; i < row_bytes; i += sizeof(T)) {
      T sum = *reinterpret_cast<const T*>(from + i);
      if (target.adds) sum += *reinterpret_cast<const T*>(to + i);
      *reinterpret_cast<T*>(to + i) = sum;
    }
  }
}

using WriteBlock = void (*)(Target target, const Rows& a, const Panels& b, std::size_t depth);

template <class T>
void write_block(Target target, const Rows& a, const Panels& b, std::size_t depth) {
  const std::size_t width = b.columns * sizeof(T);
  const std::size_t whole = a.count / tile_rows * tile_rows;
  const std::size_t others = a.count - whole;
  Panels group = b;
  for (std::size_t x = 0; x < width; x += most_panels * panel_bytes) {
    const std::size_t group_bytes = std::min(most_panels * panel_bytes, width - x);
    Panels panel = group;
    for (std::size_t left = x; left < x + group_bytes; left += panel_bytes, panel.from += b.pitch) {
      const std::size_t bytes = std::min(panel_bytes, width - left);
      Rows rows = a;
      Target to{target.to + left, target.pitch, target.adds};
      for (std::size_t y = 0; y < whole; y += tile_rows) {
        write_part<T, tile_rows, 1>(to, rows, panel, tile_rows, bytes, depth);
        to.to += tile_rows * target.pitch;
        rows.from += times(tile_rows, a.pitch);
      }
      if (others == 3) write_part<T, tile_rows, 1>(to, rows, panel, 3, bytes, depth);
    }
    const Rows rest{a.from + times(whole, a.pitch), a.pitch, others};
    const Target to{target.to + whole * target.pitch + x, target.pitch, target.adds};
    if (others == 1) {
      write_part<T, 1, most_panels>(to, rest, group, 1, group_bytes, depth);
    } else if (others == 2) {
      for (std::size_t left = 0; left < group_bytes; left += 2 * panel_bytes) {
        const Panels two{group.from + times(left / panel_bytes, b.pitch), b.pitch, b.step, b.columns};
        write_part<T, 2, 2>({to.to + left, to.pitch, to.adds}, rest, two, 2, std::min(2 * panel_bytes, group_bytes - left),
                            depth);
      }
    }
    group.from += times(most_panels, b.pitch);
  }
}

WriteBlock write_block_of(Dtype dtype) {
  if (dtype == Dtype::float32) return write_block<float>;
  if (dtype == Dtype::float64) return write_block<double>;
  return item_size(dtype) == 4 ? write_block<std::uint32_t> : write_block<std::uint64_t>;
}

// ---- Blocks ----

// Up to so many rows, columns that lie side by side are read where they are.
constexpr std::size_t few_rows = 8;

// The product of one batch: its operands' types, and the loops over them.
struct Product {
  ItemTypes types;
  WriteBlock write;
  std::size_t rows;
  std::size_t columns;
  std::size_t sums;
  const std::byte* packed;  // all panels, or nullptr
  std::byte* row_buffer;
  std::byte* panel_buffer;
  std::size_t block_columns;
  bool are_rows_in_place;  // those of the first operand, whose sums' elements follow each other

  // All rows of some columns.
  void write_columns(std::byte* to, const Matrix& a, const Panels& panels, std::size_t done, std::size_t depth) const {
    const std::size_t pitch = columns * types.accumulate_size;
    for (std::size_t y = 0; y < rows; y += block_rows) {
      const std::size_t count = std::min(block_rows, rows - y);
      const Matrix part = a.at(y, done);
      if (!are_rows_in_place) pack_rows(row_buffer, part, count, depth, types);
      const Rows from = are_rows_in_place ? Rows{part.from, part.kept_step, count}
                                          : Rows{row_buffer, static_cast<std::ptrdiff_t>(depth * types.accumulate_size), count};
      write({to + y * pitch, pitch, done > 0}, from, panels, depth);
    }
  }

  void run(std::byte* to, const Matrix& a, const Matrix& b) const {
    const auto size = static_cast<std::ptrdiff_t>(types.size);
    const bool are_panels_in_place = packed == nullptr && types.is_accumulate_type() && b.kept_step == size && rows <= few_rows;
    constexpr auto row = static_cast<std::ptrdiff_t>(panel_bytes);
    for (std::size_t x = 0; x < columns; x += block_columns) {
      const std::size_t width = std::min(block_columns, columns - x);
      std::byte* const at = to + x * types.accumulate_size;
      for (std::size_t done = 0; done < sums; done += most_depth) {
        const std::size_t depth = std::min(most_depth, sums - done);
        if (packed != nullptr) {
          const auto pitch = static_cast<std::ptrdiff_t>(sums * panel_bytes);
          const Panels panels{packed + times(x / types.panel_width(), pitch) + times(done, row), pitch, row, width};
          write_columns(at, a, panels, done, depth);
          continue;
        }
        const Matrix part = b.at(x, done);
        const std::size_t in_place = are_panels_in_place ? width - width % types.panel_width() : 0;
        if (in_place > 0) write_columns(at, a, {part.from, row, part.summed_step, in_place}, done, depth);
        if (in_place == width) continue;
        pack_panels(panel_buffer, depth * panel_bytes, part.at(in_place, 0), width - in_place, depth, types);
        const Panels panels{panel_buffer, times(depth, row), row, width - in_place};
        write_columns(at + in_place * types.accumulate_size, a, panels, done, depth);
      }
    }
  }
};

std::size_t padded(std::size_t bytes) { return (bytes + vector_bytes - 1) / vector_bytes * vector_bytes; }

}  // namespace

bool is_worth_packing(Dtype dtype, const Factor& b, std::int64_t rows) {
  const std::int64_t columns = b.kept.count();
  const std::int64_t sums = b.summed.count();
  // A column has a shorter way, unless it meets one row.
  if (columns <= 1 || sums <= 1 || rows == 0 || elements_of(b) >= 0x1p32) return false;
  static_cast<void>(dtype);
  return true;
}

std::size_t packed_columns_size(Dtype dtype, const Factor& b) {
  return ItemTypes(dtype).panels(size_of(b.kept)) * size_of(b.summed) * panel_bytes;
}

void pack_columns(Dtype dtype, std::byte* to, const Factor& b) {
  const ItemTypes types(dtype);
  const std::size_t sums = size_of(b.summed);
  Operand operand(b, types.size);
  pack_panels(to, sums * panel_bytes, operand.next(nullptr), size_of(b.kept), sums, types);
}

Status multiply(Dtype dtype, std::byte* to, const Factor& a, const Factor& b, const std::byte* packed_columns) {
  constexpr double most = 0x1p32;
  const double elements = std::max(elements_of(a), elements_of(b));
  if (elements >= most) return Failure(out_of_memory(elements));
  // A column is a row, too, and that has a shorter way.
  if (packed_columns == nullptr && b.kept.count() == 1 && a.kept.count() > 1) return multiply(dtype, to, b, a, nullptr);
  const ItemTypes types(dtype);
  const std::size_t rows = size_of(a.kept);
  const std::size_t columns = size_of(b.kept);
  const std::size_t sums = size_of(a.summed);
  const std::size_t result_bytes = rows * columns * types.accumulate_size;
  std::size_t batches = size_of(a.batch);
  if (sums == 0 || batches * result_bytes == 0) {
    std::memset(to, 0, batches * result_bytes);
    return {};
  }
  Operand first(a, types.size);
  Operand second(b, types.size);
  const std::size_t depth = std::min(sums, most_depth);
  // Of few rows, what is packed is used at once.
  const std::size_t panels = rows <= few_rows ? most_panels : block_panels;
  const double copies = first.copy_bytes() + second.copy_bytes();
  if (copies >= most / 2) return Failure(out_of_memory(copies));
  const std::size_t copy_a = padded(static_cast<std::size_t>(first.copy_bytes()));
  const std::size_t copy_b = padded(static_cast<std::size_t>(second.copy_bytes()));
  const bool are_rows_in_place = types.is_accumulate_type() && (first.has_sums_side_by_side() || sums == 1);
  const std::size_t row_bytes = are_rows_in_place ? 0 : padded(std::min(rows, block_rows) * depth * types.accumulate_size);
  const std::size_t panel_buffer =
      packed_columns == nullptr ? std::min(panels, types.panels(columns)) * depth * panel_bytes : 0;
  const std::size_t bytes = copy_a + copy_b + row_bytes + panel_buffer;
  auto* const memory = bytes == 0 ? nullptr : static_cast<std::byte*>(allocate(bytes));
  if (bytes > 0 && memory == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
  std::byte* const buffers = memory + copy_a + copy_b;
  const Product product{types,
                        write_block_of(types.accumulate.dtype),
                        rows,
                        columns,
                        sums,
                        packed_columns,
                        buffers,
                        buffers + row_bytes,
                        panels * types.panel_width(),
                        are_rows_in_place};
  for (; batches > 0; --batches, to += result_bytes) {
    const Matrix from_a = first.next(memory);
    product.run(to, from_a, packed_columns == nullptr ? second.next(memory + copy_a) : Matrix{});
  }
  release(memory);
  return {};
}

}  // namespace broadloom
