#include "kernels/reduce/reduce.h"

#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/strided.h"
#include "kernels/reduce/accumulator.h"
#include "kernels/reduce/fold_tree.h"

namespace broadloom {
namespace {

// The least numbers of contiguous items for which calling a loop costs less than gathering items for it: items of one operand,
// and all items that some results are made of.
constexpr std::size_t least_contiguous = 64;
constexpr std::size_t least_region = 128;

// The least number of results for which transposing rows costs less than gathering columns.
constexpr std::int64_t least_transposed = 16;
constexpr std::size_t transposed_bytes = std::size_t{16} * 1024;

// The number of elements between two checks of the time.
constexpr std::size_t added_at_once = std::size_t{1} << 18;

// Reduces elements that Fold does not reduce, such as integers, in whichever order is fast.
class Reducer {
 public:
  Reducer(ReductionSteps& steps, const std::byte* from, const Layout& kept, const Layout& reduced)
      : steps_(steps),
        accumulator_(steps),
        item_size_(steps.given_size()),
        from_(from),
        kept_(merge_axes(kept)),
        reduced_(merge_axes(reduced)) {}

  Status run(std::byte* to) {
    const std::size_t row = contiguous(kept_);
    const bool has_region = reduced_.rank > 0 && reduced_.axes[reduced_.rank - 1].stride == static_cast<std::int64_t>(row);
    const std::size_t region = has_region ? row * in_memory(reduced_.axes[reduced_.rank - 1].extent) : row;
    const std::size_t results = kept_.rank == 0 ? 1 : in_memory(kept_.axes[kept_.rank - 1].extent);
    if (has_region && 2 * row <= block_items && region >= least_region) {
      return by_regions(to, row, region);
    }
    return row == 1 && region > 1 && results >= least_transposed ? by_transposes(to, region)
                                                                 : by_tiles(to, row >= least_contiguous);
  }

 private:
  // The number of results whose elements lie side by side.
  static std::size_t contiguous(const MergedAxes& axes) {
    if (axes.rank == 0 || axes.axes[axes.rank - 1].stride != 1) return 1;
    return in_memory(axes.axes[axes.rank - 1].extent);
  }

  // Adds rows of `width` elements, some at a time.
  Status add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t width) {
    const std::size_t most = std::max<std::size_t>(added_at_once / width, 1);
    for (; rows > most; rows -= most, elements += most * step) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(most * width)));
      accumulator_.add(elements, step, most, width);
    }
    BROADLOOM_CHECK(Watch::check(static_cast<double>(rows * width)));
    accumulator_.add(elements, step, rows, width);
    return {};
  }
  Status add_row(const std::byte* elements, std::size_t count) {
    for (std::size_t some; count > 0; count -= some, elements += some * item_size_) {
      some = std::min(count, added_at_once);
      BROADLOOM_CHECK(Watch::check(static_cast<double>(some)));
      accumulator_.add_row(elements, some);
    }
    return {};
  }

  // Reduces regions: all elements of a few results are contiguous. Many parts of a region are accumulated side by side.
  Status by_regions(std::byte* to, std::size_t row, std::size_t region) {
    --reduced_.rank;
    if (row > 1) --kept_.rank;
    std::size_t width = row;
    // Extremes of rows of 500 bytes take a quarter of the time.
    const bool is_row = row == 1 && accumulator_.has_rows();
    while (!is_row && 2 * width <= block_items && 4 * width <= region) width *= 2;
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t regions = count_of(reduced_.values());
    for (std::size_t results = count_of(kept_.values()); results > 0; --results) {
      accumulator_.start(width);
      for (std::size_t i = 0; i < regions; ++i) {
        const std::byte* elements = kept.at() + (reduced.at() - from_);
        reduced.advance(1);
        if (is_row) {
          BROADLOOM_CHECK(add_row(elements, region));
          continue;
        }
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): no row is empty.
        BROADLOOM_CHECK(add(elements, width * item_size_, region / width, width));
        const std::size_t done = region / width * width;
        if (done < region) accumulator_.add(elements + done * item_size_, 0, 1, region - done);
      }
      accumulator_.finish(to, row);
      to += row * steps_.stored_size();
      kept.advance(1);
    }
    return {};
  }

  // Where short rows become one result each: some rows at a time are transposed.
  Status by_transposes(std::byte* to, std::size_t row) {
    alignas(16) std::byte columns[transposed_bytes];
    const Axis inner = kept_.axes[kept_.rank - 1];
    --reduced_.rank;
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t parts = count_of(reduced_.values());
    const std::size_t most = std::min(block_items, transposed_bytes / (row * item_size_));
    std::size_t left_of_axis = 0;
    for (std::size_t left = count_of(kept_.values()); left > 0;) {
      if (left_of_axis == 0) left_of_axis = in_memory(inner.extent);
      const std::size_t results = std::min(most, left_of_axis);
      Layout layout{{static_cast<std::int64_t>(row), static_cast<std::int64_t>(results)}, {1, inner.stride}};
      accumulator_.start(results);
      for (std::size_t i = 0; i < parts; ++i) {
        materialize(columns, kept.at() + (reduced.at() - from_), layout, item_size_);
        BROADLOOM_CHECK(add(columns, results * item_size_, row, results));
        reduced.advance(1);
      }
      accumulator_.finish(to, results);
      kept.advance(results);
      to += results * steps_.stored_size();
      left -= results;
      left_of_axis -= results;
    }
    return {};
  }

  // Otherwise many results are accumulated side by side.
  Status by_tiles(std::byte* to, bool is_direct) {
    const std::size_t most = is_direct && steps_.is_plain() ? Accumulator::most_width : block_items;
    alignas(16) std::byte gathered[block_items * 8];
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const Axis inner = reduced_.rank == 0 ? Axis{1, 0} : reduced_.axes[reduced_.rank - 1];
    const auto step = in_memory(inner.stride) * item_size_;
    const auto rows = in_memory(inner.extent);
    const std::size_t elements = count_of(reduced_.values());
    std::size_t left = count_of(kept_.values());
    while (left > 0) {
      const std::size_t results = std::min({most, left, is_direct ? kept.contiguous() : left});
      accumulator_.start(results);
      Walker next = kept;
      for (std::size_t i = 0; i < elements;) {
        const std::ptrdiff_t offset = reduced.at() - from_;
        const std::size_t taken = is_direct ? rows : 1;
        if (is_direct) {
          BROADLOOM_CHECK(add(kept.at() + offset, step, taken, results));
        } else {
          next = kept.shifted(offset);
          next.gather(gathered, results);
          next = next.shifted(-offset);
          BROADLOOM_CHECK(add(gathered, 0, 1, results));
        }
        reduced.advance(taken);
        i += taken;
      }
      accumulator_.finish(to, results);
      if (is_direct) next.advance(results);
      kept = next;
      to += results * steps_.stored_size();
      left -= results;
    }
    return {};
  }

  ReductionSteps& steps_;
  Accumulator accumulator_;
  std::size_t item_size_;
  const std::byte* from_;
  MergedAxes kept_;
  MergedAxes reduced_;
};

// The result of no elements.
void reduce_nothing(ReductionSteps& steps, std::byte* to, std::size_t count) {
  Accumulator accumulator(steps);
  accumulator.start(1);
  accumulator.finish(to, 1);
  if (count > 1) repeat_block(to, steps.stored_size(), count * steps.stored_size());
}

}  // namespace

Status reduce(const Reduction& reduction, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept,
              const Layout& reduced) {
  const auto count = in_memory(kept.count());
  if (count == 0) return {};
  ReductionSteps steps(reduction, dtype, reduced.count());
  if (reduced.count() == 0) {
    reduce_nothing(steps, to, count);
    return {};
  }
  const Fold fold = fold_of(reduction.operation, steps.dtype());
  return fold.row == nullptr ? Reducer(steps, from, kept, reduced).run(to) : FoldTree(steps, fold, from, kept, reduced).run(to);
}

}  // namespace broadloom
