#include "kernels/products/matmul.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

// The numbers of rows and panels that are packed at a time: 384 and 512 KiB of items of four bytes, which stay in the
// second-level cache.
constexpr std::size_t block_rows = 384;
constexpr std::size_t block_panels = 64;

// The most rows for which columns that lie side by side are read where they are.
constexpr std::size_t few_rows = 8;

std::size_t size_of(const Layout& layout) { return in_memory(layout.count()); }

// The bytes of one step along axes, if they merge to one at most.
bool set_step(std::ptrdiff_t& step, const Layout& layout, std::size_t item_size) {
  const MergedAxes axes = merge_axes(layout);
  const std::int64_t stride = axes.rank == 0 ? 0 : axes.axes[0].stride;
  step = static_cast<std::ptrdiff_t>(stride) * static_cast<std::ptrdiff_t>(item_size);
  return axes.rank <= 1;
}

}  // namespace

// ---- Operands ----

void Multiplication::Operand::set(const Factor& factor, std::size_t item_size) {
  batch = merge_axes(factor.batch);
  const bool has_kept_step = set_step(kept_step, factor.kept, item_size);
  is_matrix = set_step(summed_step, factor.summed, item_size) && has_kept_step;
  if (is_matrix) return;
  const std::size_t rank = factor.kept.dims.size();
  copied = {Dims(rank + factor.summed.dims.size()), Dims(rank + factor.summed.dims.size())};
  for (std::size_t i = 0; i < copied.dims.size(); ++i) {
    const Layout& part = i < rank ? factor.kept : factor.summed;
    const std::size_t axis = i < rank ? i : i - rank;
    copied.dims[i] = part.dims[axis];
    copied.strides[i] = part.strides[axis];
  }
  summed_step = static_cast<std::ptrdiff_t>(item_size);
  kept_step = times(size_of(factor.summed), summed_step);
  copy_bytes = whole_vectors(Count(factor.kept.count()) * factor.summed.count() * item_size);
}

// Goes over the matrices of an operand's batch.
class Multiplication::Matrices {
 public:
  Matrices(const Operand& operand, const std::byte* from, std::size_t item_size)
      : operand_(operand), item_size_(item_size), batch_(from, operand.batch, item_size) {}

  // The next one: written to `copy`, of copy_bytes, where axes do not merge.
  Matrix next(std::byte* copy) {
    const std::byte* from = batch_.at();
    batch_.advance(1);
    if (!operand_.is_matrix) {
      materialize(copy, from, operand_.copied, item_size_);
      from = copy;
    }
    return {from, operand_.kept_step, operand_.summed_step};
  }

 private:
  const Operand& operand_;
  std::size_t item_size_;
  Walker batch_;
};

// ---- Packed operands ----

namespace {

Count strips_size(const ItemTypes& types, std::size_t columns, std::size_t sums) {
  return Count(types.strips(columns)) * sums * 2 * types.constant_row();
}

// Whether an element in vectors of float16 is infinite or NaN.
bool has_specials(const std::byte* data, std::size_t bytes) {
  Lanes<std::uint16_t> found{};
  for (std::size_t i = 0; i < bytes; i += vector_bytes) {
    found |= as<Lanes<std::uint16_t>>((load_lanes<std::uint16_t>(data + i) & 0x7C00) == 0x7C00);
  }
  return any(found);
}

}  // namespace

bool is_worth_packing(const Factor& b, std::int64_t rows) {
  const std::int64_t columns = b.kept.count();
  const std::int64_t sums = b.summed.count();
  // A column has a shorter way.
  return columns > 1 && sums > 1 && rows != 0;
}

Count packed_columns_size(Dtype dtype, const Factor& b) {
  const ItemTypes types(dtype);
  return strips_size(types, size_of(b.kept), size_of(b.summed)) + (types.size == 2 ? vector_bytes : 0);
}

void pack_columns(Dtype dtype, std::byte* to, const Factor& b) {
  const ItemTypes types(dtype);
  const std::size_t sums = size_of(b.summed);
  Matrix matrix{b.data, 0, 0};
  set_step(matrix.kept_step, b.kept, types.size);
  set_step(matrix.summed_step, b.summed, types.size);
  pack_strips(to, matrix, size_of(b.kept), sums, types);
  const std::size_t bytes = in_memory(strips_size(types, size_of(b.kept), sums));
  if (types.size == 2) to[bytes] = std::byte{has_specials(to, bytes)};
}

// ---- Products ----

struct Multiplication::Buffers {
  const std::byte* packed;  // all strips, or nullptr
  bool are_few_rows;        // which write_few_ multiplies
  std::byte* rows;
  std::byte* panels;
};

namespace {

// The product of one row and one column: the same sums as a tile's, which would have 32 columns (0.4 of its time).
template <class T>
Status write_dot(std::byte* to, const Matrix& a, const Matrix& b, std::size_t count) {
  T result{};
  for (std::size_t done = 0; done < count; done += tile_depth) {
    BROADLOOM_CHECK(Watch::check(tile_depth));
    T sum{};
    for (std::size_t k = done; k < std::min(count, done + tile_depth); ++k) {
      T first;
      T second;
      std::memcpy(&first, a.at(0, k).from, sizeof(T));
      std::memcpy(&second, b.at(0, k).from, sizeof(T));
      sum += first * second;
    }
    result = done == 0 ? sum : result + sum;
  }
  std::memcpy(to, &result, sizeof(T));
  return {};
}

}  // namespace

Multiplication::Multiplication(Dtype dtype, const Factor& a, const Factor& b, bool is_packed, bool is_wide)
    // A column is a row, too, and that has a shorter way.
    : is_turned_(!is_packed && b.kept.count() == 1 && a.kept.count() > 1),
      is_packed_(is_packed),
      is_dot_(!is_packed && a.kept.count() == 1 && b.kept.count() == 1 && (dtype == Dtype::float32 || dtype == Dtype::float64)),
      types_(dtype),
      write_(write_block_of(types_.accumulate.dtype)),
      rows_(size_of((is_turned_ ? b : a).kept)),
      columns_(size_of((is_turned_ ? a : b).kept)),
      sums_(size_of(a.summed)),
      batches_(size_of(a.batch)),
      packed_row_(is_packed && !is_wide ? types_.constant_row() : panel_bytes) {
  if (sums_ == 0 || !has_results()) return;
  a_.set(is_turned_ ? b : a, types_.size);
  b_.set(is_turned_ ? a : b, types_.size);
  if (is_dot_) return;
  are_rows_in_place_ = types_.is_accumulate_type() && (a_.has_sums_side_by_side(types_.size) || sums_ == 1);
  // With few rows, each packed panel is used at once, so a tile's panels are enough. Rows of two bytes are widened anew for
  // each block of columns, so their blocks are large.
  const std::size_t panels = rows_ <= few_rows && !is_packed ? tile_panels : block_panels;
  const std::size_t depth = std::min(sums_, tile_depth);
  block_columns_ = panels * types_.panel_width();
  if (is_packed && rows_ <= most_few_rows) write_few_ = few_rows_of(types_, packed_row_ == panel_bytes);
  if (!are_rows_in_place_) {
    const Count elements = Count(std::min(rows_, block_rows)) * (write_few_ != nullptr ? sums_ : depth);
    row_bytes_ = in_memory(whole_vectors(elements * types_.accumulate_size));
  }
  if (!is_packed) panel_bytes_ = std::min(panels, types_.panels(columns_)) * depth * panel_bytes;
}

Status Multiplication::write_columns(std::byte* to, const Matrix& a, const Panels& panels, std::size_t done, std::size_t depth,
                                     const Buffers& buffers) const {
  const std::size_t pitch = columns_ * types_.accumulate_size;
  for (std::size_t y = 0; y < rows_; y += block_rows) {
    const std::size_t count = std::min(block_rows, rows_ - y);
    BROADLOOM_CHECK(Watch::check(steps_of_products(count, panels.columns, depth)));
    const Matrix part = a.at(y, done);
    if (!are_rows_in_place_) pack_rows(buffers.rows, part, count, depth, types_);
    const std::byte* at = are_rows_in_place_ ? part.from : buffers.rows;
    const auto step = are_rows_in_place_ ? part.kept_step : static_cast<std::ptrdiff_t>(depth * types_.accumulate_size);
    const std::byte* rows[block_rows];
    for (std::size_t i = 0; i < count; ++i, at += step) rows[i] = at;
    const Target target{to + y * pitch, pitch, done > 0};
    if (packed_row_ == panel_bytes) {
      write_(target, {rows, count}, panels, depth);
    } else {
      write_packed(write_, types_, target, {rows, count}, panels, depth);
    }
  }
  return {};
}

Status Multiplication::run_few_rows(std::byte* to, const Matrix& a, const Buffers& buffers) const {
  if (!are_rows_in_place_) pack_rows(buffers.rows, a, rows_, sums_, types_);
  if (types_.dtype == Dtype::float16 && packed_row_ < panel_bytes) {
    for (std::size_t i = 0; i < rows_ * sums_ * sizeof(float); i += vector_bytes) {
      store_lanes(buffers.rows + i, load_lanes<float>(buffers.rows + i) * half_scale);
    }
  }
  const Matrix from = are_rows_in_place_ ? a : Matrix{buffers.rows, times(sums_, sizeof(float)), 0};
  const std::byte* rows[most_few_rows];
  for (std::size_t i = 0; i < rows_; ++i) rows[i] = from.at(i, 0).from;
  for (std::size_t x = 0; x < columns_; x += block_columns_) {
    const std::size_t width = std::min(block_columns_, columns_ - x);
    BROADLOOM_CHECK(Watch::check(steps_of_products(rows_, width, sums_)));
    const std::byte* const strips = buffers.packed + x / types_.panel_width() * sums_ * packed_row_;
    write_few_({to + x * sizeof(float), columns_ * sizeof(float), false}, {rows, rows_}, strips, width, sums_);
  }
  return {};
}

Status Multiplication::run_matrix(std::byte* to, const Matrix& a, const Matrix& b, const Buffers& buffers) const {
  if (is_dot_) return (types_.size == sizeof(float) ? write_dot<float> : write_dot<double>)(to, a, b, sums_);
  if (buffers.are_few_rows) return run_few_rows(to, a, buffers);
  const auto size = static_cast<std::ptrdiff_t>(types_.size);
  const std::byte* const packed = buffers.packed;
  const bool are_panels_in_place = packed == nullptr && types_.is_accumulate_type() && b.kept_step == size && rows_ <= few_rows;
  constexpr auto row = static_cast<std::ptrdiff_t>(panel_bytes);
  for (std::size_t x = 0; x < columns_; x += block_columns_) {
    const std::size_t width = std::min(block_columns_, columns_ - x);
    std::byte* const at = to + x * types_.accumulate_size;
    for (std::size_t done = 0; done < sums_; done += tile_depth) {
      const std::size_t depth = std::min(tile_depth, sums_ - done);
      if (packed != nullptr) {
        const std::byte* const strips = packed + x / types_.panel_width() * sums_ * packed_row_;
        BROADLOOM_CHECK(write_columns(at, a, panels_of_strips(strips, packed_row_, sums_, done, width), done, depth, buffers));
        continue;
      }
      const Matrix part = b.at(x, done);
      const std::size_t in_place = are_panels_in_place ? width - width % types_.panel_width() : 0;
      if (in_place > 0) {
        BROADLOOM_CHECK(write_columns(at, a, {part.from, row, part.summed_step, in_place}, done, depth, buffers));
      }
      if (in_place == width) continue;
      pack_panels(buffers.panels, depth * panel_bytes, part.at(in_place, 0), width - in_place, depth, types_);
      const Panels panels{buffers.panels, times(depth, row), row, width - in_place};
      BROADLOOM_CHECK(write_columns(at + in_place * types_.accumulate_size, a, panels, done, depth, buffers));
    }
  }
  return {};
}

Status Multiplication::run(std::byte* to, const std::byte* a, const std::byte* b, const std::byte* packed_columns,
                           Finish* finish) const {
  if (is_turned_) std::swap(a, b);
  if (sums_ == 0 || !has_results()) {
    std::memset(to, 0, batches_ * result_bytes());
    return finish == nullptr ? Status() : finish->run(to, batches_ * rows_ * columns_);
  }
  const Count bytes = a_.copy_bytes + b_.copy_bytes + row_bytes_ + panel_bytes_;
  auto* const memory = bytes == 0 ? nullptr : static_cast<std::byte*>(allocate(bytes));
  if (bytes > 0 && memory == nullptr) return Failure(out_of_memory(bytes));
  std::byte* const copy_b = memory + in_memory(a_.copy_bytes);
  std::byte* const row_buffer = copy_b + in_memory(b_.copy_bytes);
  // Two bytes are widened in registers: widened to a buffer, the product of 1x384 and 384x1536 takes 4 times as long.
  const bool has_halves = packed_row_ < panel_bytes && types_.dtype == Dtype::float16;
  const bool has_specials = has_halves && packed_columns[in_memory(strips_size(types_, columns_, sums_))] != std::byte{0};
  const Buffers buffers{packed_columns, write_few_ != nullptr && !has_specials, row_buffer, row_buffer + row_bytes_};
  Matrices first(a_, a, types_.size);
  Matrices second(b_, b, types_.size);
  Status status;
  for (std::size_t i = 0; status && i < batches_; ++i, to += result_bytes()) {
    const Matrix from_a = first.next(memory);
    status = run_matrix(to, from_a, is_packed_ ? Matrix{} : second.next(copy_b), buffers);
    if (status) status = Watch::check();
    if (status && finish != nullptr) status = finish->run(to, rows_ * columns_);
  }
  release(memory);
  return status;
}

Status multiply(Dtype dtype, std::byte* to, const Factor& a, const Factor& b, const std::byte* packed_columns) {
  return Multiplication(dtype, a, b, packed_columns != nullptr).run(to, a.data, b.data, packed_columns);
}

}  // namespace broadloom
