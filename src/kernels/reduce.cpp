#include "kernels/reduce.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/block_reader.h"
#include "kernels/copy.h"
#include "kernels/fill.h"
#include "kernels/strided.h"

namespace broadloom {
namespace {

// From so many contiguous items on, calling a loop costs less than gathering items for it: of one operand's, and of all that
// some results are made of.
constexpr std::size_t least_contiguous = 64;
constexpr std::size_t least_region = 128;

// From so many results on, transposing rows costs less than gathering columns.
constexpr std::int64_t least_transposed = 16;
constexpr std::size_t transposed_bytes = std::size_t{16} * 1024;

// Results that are accumulated side by side.
constexpr std::size_t most_width = 512;

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

// Some results side by side, of which each takes elements one after the other. Those of a level are combined with the level
// above when there have been `branches` of them.
class Accumulator {
 public:
  Accumulator(Operation operation, Dtype dtype)
      : computation_(computation_of(operation, dtype)),
        item_size_(broadloom::item_size(computation_.dtype)),
        stored_size_(broadloom::item_size(dtype)) {
    // bool is computed in uint8, but has fewer values.
    write_identity(operation, dtype == Dtype::boolean ? dtype : computation_.dtype, identity_);
  }

  // `width` new results, most_width at most.
  void start(std::size_t width) {
    width_ = width;
    used_ = 1;
    counts_[0] = 0;
    fill(levels_[0], identity_, item_size_, width);
  }

  // Takes an element for each of the first results, `count` of them: at most block_items where they are to be converted.
  void add(const std::byte* elements, std::size_t count) {
    if (computation_.load != nullptr) {
      const std::byte* const raw[] = {elements};
      computation_.load(loaded_, raw, count);
      elements = loaded_;
    }
    combine(levels_[0], elements, count);
    for (std::size_t level = 0; ++counts_[level] == branches && level + 1 < most_levels; ++level) {
      counts_[level] = 0;
      if (level + 1 == used_) {
        copy_bytes(levels_[used_], levels_[level], width_ * item_size_);
        counts_[used_++] = 0;
      } else {
        combine(levels_[level + 1], levels_[level], width_);
      }
      fill(levels_[level], identity_, item_size_, width_);
    }
  }
  bool converts() const { return computation_.load != nullptr; }

  // Writes `count` results, of which each is made of every one of those that lie `count` apart: a power of two.
  void finish(std::byte* to, std::size_t count) {
    for (std::size_t level = 1; level < used_; ++level) combine(levels_[0], levels_[level], width_);
    for (std::size_t width = width_; width > count;) {
      width /= 2;
      combine(levels_[0], levels_[0] + width * item_size_, width);
    }
    if (computation_.store == nullptr) {
      copy_bytes(to, levels_[0], count * stored_size_);
    } else {
      const std::byte* const results[] = {levels_[0]};
      computation_.store(to, results, count);
    }
  }

 private:
  static constexpr std::uint32_t branches = 32;
  static constexpr std::size_t most_levels = 4;

  void combine(std::byte* to, const std::byte* with, std::size_t count) {
    const std::byte* const operands[] = {to, with};
    computation_.loop(to, operands, count);
  }

  Computation computation_;
  std::size_t item_size_;
  std::size_t stored_size_;
  std::size_t width_ = 0;
  std::size_t used_ = 0;  // levels
  std::uint32_t counts_[most_levels];
  alignas(16) std::byte identity_[8];
  alignas(16) std::byte loaded_[most_width * 4];
  alignas(16) std::byte levels_[most_levels][most_width * 8];
};

std::size_t count_of(std::span<const Axis> axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= static_cast<std::size_t>(axis.extent);
  return count;
}

class Reduction {
 public:
  Reduction(Operation operation, Dtype dtype, const std::byte* from, const Layout& kept, const Layout& reduced)
      : accumulator_(operation, dtype),
        item_size_(broadloom::item_size(dtype)),
        from_(from),
        kept_(merge_axes(kept)),
        reduced_(merge_axes(reduced)) {}

  void run(std::byte* to) {
    const std::size_t row = contiguous(kept_);
    const bool has_region = reduced_.rank > 0 && reduced_.axes[reduced_.rank - 1].stride == static_cast<std::int64_t>(row);
    const std::size_t region = has_region ? row * static_cast<std::size_t>(reduced_.axes[reduced_.rank - 1].extent) : row;
    if (2 * row <= block_items && region >= least_region) {
      by_regions(to, row, region);
    } else if (row == 1 && region > 1 && kept_.rank > 0 && kept_.axes[kept_.rank - 1].extent >= least_transposed) {
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
      accumulator_.start(width);
      for (std::size_t i = 0; i < regions; ++i) {
        const std::byte* elements = kept.at() + (reduced.at() - from_);
        for (std::size_t done = 0; done < region; done += width) {
          accumulator_.add(elements + done * item_size_, std::min(width, region - done));
        }
        reduced.advance(1);
      }
      accumulator_.finish(to, row);
      to += row * item_size_;
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
      accumulator_.start(results);
      for (std::size_t i = 0; i < parts; ++i) {
        materialize(columns, kept.at() + (reduced.at() - from_), layout, item_size_);
        for (std::size_t k = 0; k < row; ++k) accumulator_.add(columns + k * results * item_size_, results);
        reduced.advance(1);
      }
      accumulator_.finish(to, results);
      kept.advance(results);
      to += results * item_size_;
      left -= results;
      left_of_axis -= results;
    }
  }

  // Otherwise many results are accumulated side by side.
  void by_tiles(std::byte* to, bool is_direct) {
    const std::size_t most = is_direct && !accumulator_.converts() ? most_width : block_items;
    alignas(16) std::byte gathered[block_items * 8];
    Walker kept(from_, kept_, item_size_);
    Walker reduced(from_, reduced_, item_size_);
    const std::size_t elements = count_of(reduced_.values());
    std::size_t left = count_of(kept_.values());
    while (left > 0) {
      const std::size_t results = std::min({most, left, is_direct ? kept.contiguous() : left});
      accumulator_.start(results);
      Walker next = kept;
      for (std::size_t i = 0; i < elements; ++i) {
        const std::ptrdiff_t offset = reduced.at() - from_;
        if (is_direct) {
          accumulator_.add(kept.at() + offset, results);
        } else {
          next = kept.shifted(offset);
          next.gather(gathered, results);
          next = next.shifted(-offset);
          accumulator_.add(gathered, results);
        }
        reduced.advance(1);
      }
      accumulator_.finish(to, results);
      if (is_direct) next.advance(results);
      kept = next;
      to += results * item_size_;
      left -= results;
    }
  }

  Accumulator accumulator_;
  std::size_t item_size_;
  const std::byte* from_;
  MergedAxes kept_;
  MergedAxes reduced_;
};

// What is made of no elements.
void write_identities(Operation operation, Dtype dtype, std::byte* to, std::size_t count) {
  Accumulator accumulator(operation, dtype);
  accumulator.start(1);
  accumulator.finish(to, 1);
  if (count > 1) repeat_block(to, item_size(dtype), count * item_size(dtype));
}

}  // namespace

void reduce(Operation operation, Dtype dtype, std::byte* to, const std::byte* from, const Layout& kept, const Layout& reduced) {
  const auto count = static_cast<std::size_t>(kept.count());
  if (count == 0) return;
  if (reduced.count() == 0) {
    write_identities(operation, dtype, to, count);
  } else {
    Reduction(operation, dtype, from, kept, reduced).run(to);
  }
}

}  // namespace broadloom
