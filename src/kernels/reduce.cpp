#include "kernels/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/number.h"
#include "kernels/block_reader.h"
#include "kernels/copy.h"
#include "kernels/fill.h"
#include "kernels/fold.h"
#include "kernels/strided.h"

namespace broadloom {
namespace {

// From so many contiguous items on, calling a loop costs less than gathering items for it: of one operand's, and of all that
// some results are made of.
constexpr std::size_t least_contiguous = 64;
constexpr std::size_t least_region = 128;
// And of one result's, for a call that makes it in registers.
constexpr std::size_t least_folded = 64;

// From so many results on, transposing rows costs less than gathering columns.
constexpr std::int64_t least_transposed = 16;
constexpr std::size_t transposed_bytes = std::size_t{16} * 1024;

// Results that are accumulated side by side.
constexpr std::size_t most_width = 512;
static_assert(block_items <= most_width);

template <class T>
T real_identity(Operation operation) {
  switch (operation) {
    case Operation::add: return 0;
    case Operation::multiply: return 1;
    case Operation::minimum: return std::numeric_limits<T>::infinity();
    default: return -std::numeric_limits<T>::infinity();
  }
}

std::uint64_t integer_identity(Operation operation, const DtypeInfo& type) {
  const std::uint64_t sign = std::uint64_t{1} << static_cast<unsigned>(type.bits - 1);
  switch (operation) {
    case Operation::add: return 0;
    case Operation::multiply: return 1;
    case Operation::minimum:
      if (type.kind == DtypeKind::boolean) return 1;
      return type.kind == DtypeKind::signed_integer ? sign - 1 : sign + (sign - 1);
    default: return type.kind == DtypeKind::signed_integer ? sign : 0;
  }
}

// The element that changes no other one: `bits` of it are the type's.
void write_identity(Operation operation, Dtype dtype, std::byte* to) {
  if (dtype == Dtype::float32) {
    const auto value = real_identity<float>(operation);
    std::memcpy(to, &value, sizeof value);
  } else if (dtype == Dtype::float64) {
    const auto value = real_identity<double>(operation);
    std::memcpy(to, &value, sizeof value);
  } else {
    const std::uint64_t value = integer_identity(operation, info(dtype));
    std::memcpy(to, &value, item_size(dtype));
  }
}

template <class T>
void replace_infinities(std::byte* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, elements + i * sizeof value, sizeof value);
    if (std::isinf(value)) std::memset(elements + i * sizeof value, 0, sizeof value);
  }
}

// Some results side by side. Each takes elements one after the other. Those of a level are combined with the level
// above when there have been `branches` of them.
class Accumulator {
 public:
  // Each result is made of `elements` of them.
  Accumulator(const Reduction& reduction, Dtype dtype, std::int64_t elements)
      : reduction_(reduction),
        computation_(computation_of(reduction.operation, dtype)),
        fold_(fold_of(reduction.operation, computation_.dtype)),
        item_size_(broadloom::item_size(computation_.dtype)),
        from_size_(broadloom::item_size(dtype)),
        elements_(static_cast<double>(elements)) {
    // bool is computed in uint8, but has fewer values.
    write_identity(reduction.operation, dtype == Dtype::boolean ? dtype : computation_.dtype, identity_);
    if (reduction.keeps_accumulate_type) computation_.store = nullptr;
    if (reduction.before == Reduction::Before::absolute) before_ = loop_of(Operation::absolute);
    if (reduction.before == Reduction::Before::square) before_ = loop_of(Operation::multiply);
    if (reduction.before == Reduction::Before::exp) before_ = loop_of(Operation::exp);
  }

  // Whether elements are combined as they are.
  bool is_plain() const { return computation_.load == nullptr && before_ == nullptr && reduction_.shifts == nullptr; }
  bool folds_rows() const { return fold_.row != nullptr; }

  // New accumulators of the next `results` results: `width` of them, most_width at most. Those of a result lie `results` apart,
  // which is a power of two less often than `width`.
  void start(std::size_t width, std::size_t results) {
    width_ = width;
    used_ = 1;
    counts_[0] = 0;
    fill(levels_[0], identity_, item_size_, width);
    if (reduction_.shifts == nullptr) return;
    read_shifts(shifts_, results);
    if (width > results) repeat_block(shifts_, results * item_size_, width * item_size_);
  }

  // Takes an element for each of the first results, `count` of them, from each of some rows, which lie `step` bytes apart: of
  // at most block_items unless is_plain().
  void add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count) {
    const bool in_registers = fold_.columns != nullptr && is_plain();
    while (rows > 0) {
      const std::size_t taken = in_registers ? std::min({rows, most_rows, branches - counts_[0]}) : 1;
      if (in_registers) {
        fold_.columns(levels_[0], elements, step, taken, count);
      } else {
        combine(levels_[0], prepared(elements, count), count);
      }
      count_up(taken);
      elements += taken * step;
      rows -= taken;
    }
  }

  // Makes result number `i` of those that were started of contiguous elements. Where folds_rows().
  void fold(std::size_t i, const std::byte* elements, std::size_t count) {
    alignas(16) static constexpr std::byte zero[8] = {};
    const std::byte* shift = zero;
    if (reduction_.shifts != nullptr) {
      read_shifts(row_shift_, 1, i);
      shift = row_shift_;
      if (!is_square()) fill(shifts_, shift, item_size_, std::min(count, most_width));
    }
    fold_part(levels_[0] + i * item_size_, elements, shift, count);
  }
  // Adds the same of further elements to the only result.
  void fold_more(const std::byte* elements, std::size_t count) {
    alignas(16) std::byte kept[8];
    std::memcpy(kept, levels_[0], item_size_);
    fold(0, elements, count);
    combine(levels_[0], kept, 1);
    count_up(1);
  }

  // Writes `count` results, a power of two. Each combines the elements that lie `count` apart.
  void finish(std::byte* to, std::size_t count) {
    for (std::size_t level = 1; level < used_; ++level) combine(levels_[0], levels_[level], width_);
    for (std::size_t width = width_; width > count;) {
      width /= 2;
      combine(levels_[0], levels_[0] + width * item_size_, width);
    }
    finish_results(count);
    if (computation_.store == nullptr) {
      copy_bytes(to, levels_[0], count * item_size_);
    } else {
      const std::byte* const results[] = {levels_[0]};
      computation_.store(to, results, count);
    }
    finished_ += count;
  }
  std::size_t stored_size() const { return computation_.store == nullptr ? item_size_ : from_size_; }

 private:
  static constexpr std::size_t branches = 32;
  static constexpr std::size_t most_levels = 4;
  // More at a time are no faster: each is a stream to be fetched.
  static constexpr std::size_t most_rows = 8;

  InnerLoop loop_of(Operation operation) const { return computation_of(operation, computation_.dtype).loop; }
  bool is_square() const { return reduction_.before == Reduction::Before::square && fold_.squares != nullptr; }

  void combine(std::byte* to, const std::byte* with, std::size_t count) {
    const std::byte* const operands[] = {to, with};
    computation_.loop(to, operands, count);
  }

  void count_up(std::size_t rows) {
    counts_[0] += rows;
    for (std::size_t level = 0; counts_[level] == branches && level + 1 < most_levels; ++level) {
      counts_[level] = 0;
      if (level + 1 == used_) {
        copy_bytes(levels_[used_], levels_[level], width_ * item_size_);
        counts_[used_++] = 0;
      } else {
        combine(levels_[level + 1], levels_[level], width_);
      }
      fill(levels_[level], identity_, item_size_, width_);
      ++counts_[level + 1];
    }
  }

  void read_shifts(std::byte* to, std::size_t count, std::size_t first = 0) {
    copy_bytes(to, reduction_.shifts + (finished_ + first) * item_size_, count * item_size_);
    if (reduction_.after != Reduction::After::log_and_shift) return;
    item_size_ == 4 ? replace_infinities<float>(to, count) : replace_infinities<double>(to, count);
  }

  const std::byte* loaded(const std::byte* elements, std::size_t count) {
    if (computation_.load == nullptr) return elements;
    computation_.load(prepared_, &elements, count);
    return prepared_;
  }
  // Elements as they are combined.
  const std::byte* prepared(const std::byte* elements, std::size_t count) {
    elements = loaded(elements, count);
    if (reduction_.shifts != nullptr) {
      const std::byte* const operands[] = {elements, shifts_};
      loop_of(Operation::subtract)(prepared_, operands, count);
      elements = prepared_;
    }
    if (before_ == nullptr) return elements;
    const std::byte* const operands[] = {elements, elements};
    before_(prepared_, operands, count);
    return prepared_;
  }

  void fold_part(std::byte* to, const std::byte* elements, const std::byte* shift, std::size_t count) {
    const bool is_direct = is_plain() || (is_square() && computation_.load == nullptr);
    if (count > (is_direct ? Fold::most : most_width)) {
      const std::size_t half = (count / 2 + vector_bytes - 1) / vector_bytes * vector_bytes;
      alignas(16) std::byte rest[8];
      fold_part(to, elements, shift, half);
      fold_part(rest, elements + half * from_size_, shift, count - half);
      combine(to, rest, 1);
    } else if (is_square()) {
      fold_.squares(to, loaded(elements, count), shift, count);
    } else {
      fold_.row(to, prepared(elements, count), shift, count);
    }
  }

  void finish_results(std::size_t count) {
    using enum Reduction::After;
    const std::byte* const operands[] = {levels_[0], prepared_};
    if (reduction_.after == mean) {
      alignas(16) std::byte divisor[8];
      static_cast<void>(encode(computation_.dtype, {&elements_, 1}, divisor));
      fill(prepared_, divisor, item_size_, count);
      loop_of(Operation::divide)(levels_[0], operands, count);
    } else if (reduction_.after != nothing) {
      loop_of(reduction_.after == square_root ? Operation::square_root : Operation::log)(levels_[0], operands, count);
      if (reduction_.after != log_and_shift) return;
      read_shifts(prepared_, count);
      loop_of(Operation::add)(levels_[0], operands, count);
    }
  }

  Reduction reduction_;
  Computation computation_;
  InnerLoop before_ = nullptr;
  Fold fold_;
  std::size_t item_size_;
  std::size_t from_size_;
  double elements_;
  std::size_t finished_ = 0;  // results
  std::size_t width_ = 0;
  std::size_t used_ = 0;  // levels
  std::size_t counts_[most_levels];
  alignas(16) std::byte identity_[8];
  alignas(16) std::byte row_shift_[8];
  alignas(16) std::byte shifts_[most_width * 8];
  alignas(16) std::byte prepared_[most_width * 8];
  alignas(16) std::byte levels_[most_levels][most_width * 8];
};

std::size_t count_of(std::span<const Axis> axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= static_cast<std::size_t>(axis.extent);
  return count;
}

class Reducer {
 public:
  Reducer(const Reduction& reduction, Dtype dtype, const std::byte* from, const Layout& kept, const Layout& reduced)
      : accumulator_(reduction, dtype, reduced.count()),
        item_size_(broadloom::item_size(dtype)),
        from_(from),
        kept_(merge_axes(kept)),
        reduced_(merge_axes(reduced)) {}

  void run(std::byte* to) {
    const std::size_t row = contiguous(kept_);
    const bool has_region = reduced_.rank > 0 && reduced_.axes[reduced_.rank - 1].stride == static_cast<std::int64_t>(row);
    const std::size_t region = has_region ? row * static_cast<std::size_t>(reduced_.axes[reduced_.rank - 1].extent) : row;
    const std::size_t results = kept_.rank == 0 ? 1 : static_cast<std::size_t>(kept_.axes[kept_.rank - 1].extent);
    if (row == 1 && accumulator_.folds_rows() && region >= least_folded) {
      by_rows(to, region);
    } else if (has_region && 2 * row <= block_items && region >= least_region) {
      by_regions(to, row, region);
    } else if (row == 1 && region > 1 && results >= least_transposed) {
      by_transposes(to, region);
    } else {
      by_tiles(to, row >= least_contiguous);
    }
  }

 private:
  // How many results have elements that lie one behind the other.
  static std::size_t contiguous(const MergedAxes& axes) {
    if (axes.rank == 0 || axes.axes[axes.rank - 1].stride != 1) return 1;
    return static_cast<std::size_t>(axes.axes[axes.rank - 1].extent);
  }

  // Where all elements of a result lie one behind the other, or some of them do so often: such rows come to one element in
  // registers.
  void by_rows(std::byte* to, std::size_t row) {
    --reduced_.rank;
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t parts = count_of(reduced_.values());
    const std::size_t most = parts == 1 ? most_width : 1;
    for (std::size_t left = count_of(kept_.values()); left > 0;) {
      const std::size_t results = std::min(most, left);
      accumulator_.start(results, results);
      for (std::size_t i = 0; i < results; ++i) {
        accumulator_.fold(i, kept.at(), row);
        for (std::size_t k = 1; k < parts; ++k) {
          reduced.advance(1);
          accumulator_.fold_more(kept.at() + (reduced.at() - from_), row);
        }
        reduced.advance(1);
        kept.advance(1);
      }
      accumulator_.finish(to, results);
      to += results * accumulator_.stored_size();
      left -= results;
    }
  }

  // Where all elements of a few results lie one behind the other: many parts of such a region are accumulated side by side.
  void by_regions(std::byte* to, std::size_t row, std::size_t region) {
    --reduced_.rank;
    if (row > 1) --kept_.rank;
    std::size_t width = row;
    while (2 * width <= block_items && 4 * width <= region) width *= 2;
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t regions = count_of(reduced_.values());
    for (std::size_t results = count_of(kept_.values()); results > 0; --results) {
      accumulator_.start(width, row);
      for (std::size_t i = 0; i < regions; ++i) {
        const std::byte* elements = kept.at() + (reduced.at() - from_);
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no row is empty.
        accumulator_.add(elements, width * item_size_, region / width, width);
        const std::size_t done = region / width * width;
        if (done < region) accumulator_.add(elements + done * item_size_, 0, 1, region - done);
        reduced.advance(1);
      }
      accumulator_.finish(to, row);
      to += row * accumulator_.stored_size();
      kept.advance(1);
    }
  }

  // Where short rows become one result each: some rows at a time are transposed.
  void by_transposes(std::byte* to, std::size_t row) {
    alignas(16) std::byte columns[transposed_bytes];
    const Axis inner = kept_.axes[kept_.rank - 1];
    --reduced_.rank;
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t parts = count_of(reduced_.values());
    const std::size_t most = std::min(block_items, transposed_bytes / (row * item_size_));
    std::size_t left_of_axis = 0;
    for (std::size_t left = count_of(kept_.values()); left > 0;) {
      if (left_of_axis == 0) left_of_axis = static_cast<std::size_t>(inner.extent);
      const std::size_t results = std::min(most, left_of_axis);
      Layout layout{{static_cast<std::int64_t>(row), static_cast<std::int64_t>(results)}, {1, inner.stride}};
      accumulator_.start(results, results);
      for (std::size_t i = 0; i < parts; ++i) {
        materialize(columns, kept.at() + (reduced.at() - from_), layout, item_size_);
        accumulator_.add(columns, results * item_size_, row, results);
        reduced.advance(1);
      }
      accumulator_.finish(to, results);
      kept.advance(results);
      to += results * accumulator_.stored_size();
      left -= results;
      left_of_axis -= results;
    }
  }

  // Otherwise many results are accumulated side by side.
  void by_tiles(std::byte* to, bool is_direct) {
    const std::size_t most = is_direct && accumulator_.is_plain() ? most_width : block_items;
    alignas(16) std::byte gathered[block_items * 8];
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const Axis inner = reduced_.rank == 0 ? Axis{1, 0} : reduced_.axes[reduced_.rank - 1];
    const auto step = static_cast<std::size_t>(inner.stride) * item_size_;
    const auto rows = static_cast<std::size_t>(inner.extent);
    const std::size_t elements = count_of(reduced_.values());
    std::size_t left = count_of(kept_.values());
    while (left > 0) {
      const std::size_t results = std::min({most, left, is_direct ? kept.contiguous() : left});
      accumulator_.start(results, results);
      Walker next = kept;
      for (std::size_t i = 0; i < elements;) {
        const std::ptrdiff_t offset = reduced.at() - from_;
        const std::size_t taken = is_direct ? rows : 1;
        if (is_direct) {
          accumulator_.add(kept.at() + offset, step, taken, results);
        } else {
          next = kept.shifted(offset);
          next.gather(gathered, results);
          next = next.shifted(-offset);
          accumulator_.add(gathered, 0, 1, results);
        }
        reduced.advance(taken);
        i += taken;
      }
      accumulator_.finish(to, results);
      if (is_direct) next.advance(results);
      kept = next;
      to += results * accumulator_.stored_size();
      left -= results;
    }
  }

  Accumulator accumulator_;
  std::size_t item_size_;
  const std::byte* from_;
  MergedAxes kept_;
  MergedAxes reduced_;
};

// The result of no elements.
void reduce_nothing(const Reduction& reduction, Dtype dtype, std::byte* to, std::size_t count) {
  Accumulator accumulator(reduction, dtype, 0);
  accumulator.start(1, 1);
  accumulator.finish(to, 1);
  if (count > 1) repeat_block(to, accumulator.stored_size(), count * accumulator.stored_size());
}

}  // namespace

void reduce(const Reduction& reduction, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept,
            const Layout& reduced) {
  const auto count = static_cast<std::size_t>(kept.count());
  if (count == 0) return;
  if (reduced.count() == 0) {
    reduce_nothing(reduction, dtype, to, count);
  } else {
    Reducer(reduction, dtype, from, kept, reduced).run(to);
  }
}

}  // namespace broadloom
