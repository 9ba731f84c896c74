#include "kernels/reduce/fold_tree.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"
#include "kernels/movement/strided.h"

namespace broadloom {
namespace {

// To reduce rows one by one costs less than to turn rows into columns if a row has at least `least_row` elements, or if fewer
// than `least_columns` results lie on an axis.
constexpr std::size_t least_row = 64;
constexpr std::int64_t least_columns = 8;
// The least number of contiguous elements that are copied as a run.
constexpr std::int64_t least_run = 8;

Axis innermost(const MergedAxes& axes) { return axes.rank == 0 ? Axis{1, 0} : axes.axes[axes.rank - 1]; }

}  // namespace

FoldTree::FoldTree(ReductionSteps& steps, const Fold& fold, const std::byte* from, const Layout& kept, const Layout& reduced)
    : steps_(steps),
      fold_(fold),
      is_square_(steps.reduction().before == Reduction::Before::square && fold.squares != nullptr),
      kept_(merge_axes(kept)),
      reduced_(merge_axes(reduced)),
      inner_kept_(innermost(kept_)),
      inner_reduced_(innermost(reduced_)),
      way_(choose()),
      walker_(from, kept_, steps.given_size()) {}

FoldTree::Way FoldTree::choose() const {
  const bool are_few = inner_kept_.extent < least_columns;
  const bool are_many = count_of(reduced_.values()) >= least_row;
  const bool is_run = inner_reduced_.extent >= (reduced_.rank == 1 ? static_cast<std::int64_t>(least_row) : least_run);
  if (inner_reduced_.stride == 1 && are_many && (are_few || is_run)) return Way::rows;
  const bool are_dense = inner_kept_.stride == 1 && inner_reduced_.stride == inner_kept_.extent;
  if (!are_few || (are_dense && are_many)) return inner_kept_.stride == 1 ? Way::columns : Way::turned_columns;
  return are_many ? Way::copied_rows : Way::gathered_columns;
}

std::size_t FoldTree::results_of(std::size_t left) const {
  const std::size_t elements = count_of(reduced_.values());
  const std::size_t room = gathered_bytes / (std::min(elements, Fold::most) * steps_.given_size());
  const std::size_t of_axis = walker_.left_of_row();
  const std::size_t most = !steps_.is_plain() ? most_prepared : elements > Fold::most ? few_results : most_results;
  switch (way_) {
    case Way::rows: return std::min(left, most_results);
    case Way::copied_rows: return std::min({left, of_axis, room});
    case Way::columns: return std::min({most, left, of_axis});
    case Way::turned_columns: return std::min({most, left, of_axis, room});
    default: return std::min({most, left, room});
  }
}

Status FoldTree::run(std::byte* to) {
  const std::size_t elements = count_of(reduced_.values());
  const bool has_shifts = steps_.reduction().shifts != nullptr;
  for (std::size_t left = count_of(kept_.values()); left > 0;) {
    const std::size_t results = results_of(left);
    BROADLOOM_CHECK(Watch::check(static_cast<double>(results * std::min(elements, Fold::most))));
    if (way_ == Way::rows) {
      std::byte* result = results_;
      for (std::size_t i = 0; i < results; ++i, result += steps_.item_size()) {
        if (has_shifts) steps_.read_shifts(shifts_, finished_ + i, 1);
        if (reduced_.rank == 1) {
          BROADLOOM_CHECK(fold_dense(result, walker_.at(), elements));
        } else {
          BROADLOOM_CHECK(fold(result, 0, elements, 1));
        }
        walker_.advance(1);
      }
    } else {
      if (has_shifts) steps_.read_shifts(shifts_, finished_, results);
      BROADLOOM_CHECK(fold(results_, 0, elements, results));
      if (way_ == Way::gathered_columns) {
        walker_.gather(gathered_, results);
      } else {
        walker_.advance(results);
      }
    }
    steps_.finish(to, results_, finished_, results);
    finished_ += results;
    to += results * steps_.stored_size();
    left -= results;
  }
  return {};
}

Status FoldTree::fold_dense(std::byte* to, const std::byte* elements, std::size_t count) {
  if (count <= Fold::most) {
    fold_row(to, elements, count, 0);
    return {};
  }
  BROADLOOM_CHECK(Watch::check(Fold::most));
  const std::size_t half = Fold::first_half(count);
  alignas(16) std::byte rest[8];
  BROADLOOM_CHECK(fold_dense(to, elements, half));
  BROADLOOM_CHECK(fold_dense(rest, elements + half * steps_.given_size(), count - half));
  fold_.combine(to, rest);
  return {};
}

Status FoldTree::fold(std::byte* to, std::size_t first, std::size_t count, std::size_t results) {
  if (count <= Fold::most) {
    fold_block(to, first, count, results);
    return {};
  }
  BROADLOOM_CHECK(Watch::check(static_cast<double>(Fold::most * results)));
  const std::size_t half = Fold::first_half(count);
  alignas(16) std::byte rest[few_results * 8];
  BROADLOOM_CHECK(fold(to, first, half, results));
  BROADLOOM_CHECK(fold(rest, first + half, count - half, results));
  const std::byte* const operands[] = {to, rest};
  steps_.loop()(to, operands, results);
  return {};
}

std::ptrdiff_t FoldTree::offset_of(std::size_t element) const {
  std::ptrdiff_t offset = 0;
  for (std::size_t axis = reduced_.rank; axis-- > 0;) {
    const auto extent = in_memory(reduced_.axes[axis].extent);
    offset += static_cast<std::ptrdiff_t>(element % extent) * static_cast<std::ptrdiff_t>(reduced_.axes[axis].stride);
    element /= extent;
  }
  return offset * static_cast<std::ptrdiff_t>(steps_.given_size());
}

template <class Use>
void FoldTree::for_runs(std::size_t first, std::size_t count, Use use) const {
  const auto extent = in_memory(inner_reduced_.extent);
  for (std::size_t done = 0; done < count;) {
    const std::size_t taken = std::min(count - done, extent - (first + done) % extent);
    use(offset_of(first + done), taken, done);
    done += taken;
  }
}

void FoldTree::fold_block(std::byte* to, std::size_t first, std::size_t count, std::size_t results) {
  const std::size_t size = steps_.given_size();
  const auto step = static_cast<std::ptrdiff_t>(inner_reduced_.stride) * static_cast<std::ptrdiff_t>(size);
  if (way_ == Way::rows || way_ == Way::copied_rows) return fold_rows(to, first, count, results);
  if (way_ == Way::columns && is_dense(first, count, results)) {
    return fold_dense_columns(to, walker_.at() + offset_of(first), count, results);
  }
  if (way_ == Way::columns) {
    for_runs(first, count, [&](std::ptrdiff_t offset, std::size_t run, std::size_t done) {
      for (std::size_t k = 0; k < run; ++k, offset += step) offsets_[done + k] = offset;
    });
    return fold_columns(to, walker_.at(), count, results);
  }
  for (std::size_t k = 0; k < count; ++k) offsets_[k] = static_cast<std::ptrdiff_t>(k * results * size);
  for_runs(first, count, [&](std::ptrdiff_t offset, std::size_t run, std::size_t done) {
    std::byte* part = gathered_ + done * results * size;
    if (way_ == Way::turned_columns) {
      const Layout layout{{static_cast<std::int64_t>(run), static_cast<std::int64_t>(results)},
                          {inner_reduced_.stride, inner_kept_.stride}};
      return materialize(part, walker_.at() + offset, layout, size);
    }
    for (std::size_t k = 0; k < run; ++k, offset += step) walker_.shifted(offset).gather(part + k * results * size, results);
  });
  fold_columns(to, gathered_, count, results);
}

void FoldTree::fold_rows(std::byte* to, std::size_t first, std::size_t count, std::size_t results) {
  const std::size_t size = steps_.given_size();
  const auto extent = in_memory(inner_reduced_.extent);
  const auto step = static_cast<std::ptrdiff_t>(inner_kept_.stride) * static_cast<std::ptrdiff_t>(size);
  const bool is_direct = way_ == Way::rows && first % extent + count <= extent;
  const std::byte* elements = walker_.at();
  if (way_ == Way::copied_rows && first % extent + count <= extent) {
    const Layout layout{{static_cast<std::int64_t>(results), static_cast<std::int64_t>(count)},
                        {inner_kept_.stride, inner_reduced_.stride}};
    materialize(gathered_, elements + offset_of(first), layout, size);
    for (std::size_t i = 0; i < results; ++i) fold_row(to + i * steps_.item_size(), gathered_ + i * count * size, count, i);
    return;
  }
  for (std::size_t i = 0; i < results; ++i, to += steps_.item_size(), elements += step) {
    if (is_direct) {
      fold_row(to, elements + offset_of(first), count, i);
      continue;
    }
    if (inner_reduced_.stride == 1 && inner_reduced_.extent >= least_run) {
      for_runs(first, count, [&](std::ptrdiff_t offset, std::size_t run, std::size_t done) {
        copy_bytes(gathered_ + done * size, elements + offset, run * size);
      });
    } else {
      Walker next(elements, reduced_, size);
      next.go_to(first);
      next.gather(gathered_, count);
    }
    fold_row(to, gathered_, count, i);
  }
}

void FoldTree::fold_row(std::byte* to, const std::byte* elements, std::size_t count, std::size_t result) {
  alignas(16) static constexpr std::byte zero[8] = {};
  const std::byte* shift = steps_.reduction().shifts == nullptr ? zero : shifts_ + result * steps_.item_size();
  if (is_square_) return fold_.squares(to, steps_.loaded(elements, count), shift, count);
  if (steps_.reduction().shifts != nullptr) fill(sums_, shift, steps_.item_size(), count);
  fold_.row(to, steps_.prepared(elements, sums_, count), shift, count);
}

// Whether rows of results lie one after the other, and are so short that the kernel takes many as one row.
bool FoldTree::is_dense(std::size_t first, std::size_t count, std::size_t results) const {
  const auto extent = in_memory(inner_reduced_.extent);
  const std::size_t most = steps_.is_plain() ? Fold::most_dense / steps_.given_size() : ReductionSteps::most / fold_.lanes;
  return inner_reduced_.stride == static_cast<std::int64_t>(results) && first % extent + count <= extent && results <= most;
}

void FoldTree::fold_dense_columns(std::byte* to, const std::byte* from, std::size_t count, std::size_t results) {
  if (steps_.is_plain()) return fold_.dense_columns(to, from, count, results);
  const std::size_t size = steps_.item_size();
  const std::size_t wide = std::min(count, fold_.lanes) * results;
  if (steps_.reduction().shifts != nullptr) repeat_block(shifts_, results * size, wide * size);
  fill(sums_, steps_.identity(), size, wide);
  for (std::size_t left = count * results; left > 0;) {
    const std::size_t taken = std::min(left, wide);
    const std::byte* const operands[] = {sums_, steps_.prepared(from, shifts_, taken)};
    steps_.loop()(sums_, operands, taken);
    from += taken * steps_.given_size();
    left -= taken;
  }
  fold_.dense_columns(to, sums_, wide / results, results);
}

void FoldTree::fold_columns(std::byte* to, const std::byte* from, std::size_t count, std::size_t results) {
  if (steps_.is_plain()) return fold_.columns(to, from, offsets_, count, results);
  // The lanes of fold_.row, for all results.
  const std::size_t size = steps_.item_size();
  const std::size_t used = std::min(fold_.lanes, count);
  fill(sums_, steps_.identity(), size, used * results);
  for (std::size_t k = 0; k < count; ++k) {
    std::byte* sum = sums_ + k % fold_.lanes * results * size;
    const std::byte* const operands[] = {sum, steps_.prepared(from + offsets_[k], shifts_, results)};
    steps_.loop()(sum, operands, results);
  }
  fold_.dense_columns(to, sums_, used, results);
}

}  // namespace broadloom
