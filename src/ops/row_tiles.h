// Softmaxes and normalisations compute statistics of groups of elements. They process tiles of whole groups, which are small
// enough to stay in the cache while they are read repeatedly.
#pragma once

#include <cassert>

#include "core/count.h"
#include "kernels/elementwise/program.h"
#include "kernels/reduce/reduce.h"
#include "ops/call/arguments.h"

namespace broadloom {

// The layout of the axes in the set, or of the others.
Layout part_of(const Layout& layout, const AxisSet& axes, bool is_in);

// Iterates over the tiles of a dense tensor. Each has whole groups:
//
//   RowTiles tiles(input, dims, axes);
//   BROADLOOM_CHECK(tiles.allocate(2));
//   while (tiles.next()) ...
class RowTiles {
 public:
  // `dims` are the input's dims, or the dims of a view with the same number of elements. The `reduced` axes form the groups.
  // The first axis is cut into tiles. If it is reduced, there is one tile.
  RowTiles(const Tensor& input, const Dims& dims, const AxisSet& reduced);

  // Allocates the given number of statistics of each group, in the type of computation for the input's elements.
  Status allocate(std::size_t statistics);
  // Moves to the next tile. Returns false after the last one.
  bool next();

  // The tile's elements and groups, the numbers of both before it, and its first index on the first axis.
  const Layout& layout() const { return layout_; }
  std::size_t count() const { return in_memory(layout_.count()); }
  std::size_t groups() const { return in_memory(kept_.count()); }
  std::size_t elements_before() const { return in_memory(first_) * unit_; }
  std::size_t groups_before() const { return in_memory(first_) * group_unit_; }
  std::int64_t first() const { return first_; }

  // The address of the tile's first element in the input, and in a dense tensor with the input's number of elements.
  const std::byte* from() const { return place_in(input_); }
  std::byte* place_in(const Tensor& tensor) const { return tensor.data() + elements_before() * item_size(tensor.dtype); }

  Dtype statistics_type() const { return statistics_.dtype; }
  std::byte* statistic(std::size_t number) const;
  // Sets a statistic to the reduction of each group: of the input, or of dense elements of the statistics' type.
  Status reduce(std::size_t number, Reduction reduction) const;
  Status reduce(std::size_t number, const Reduction& reduction, const std::byte* elements) const;
  // Replaces each group's statistic by `function` of it. For few groups, building a Program takes longer.
  template <class Function>
  void change(std::size_t number, Function function) const {
    const auto change_all = [&](auto* values) {
      const std::size_t count = groups();
      for (std::size_t i = 0; i < count; ++i) values[i] = function(values[i]);
    };
    assert(statistics_type() == Dtype::float32 || statistics_type() == Dtype::float64);
    if (statistics_type() == Dtype::float32) return change_all(reinterpret_cast<float*>(statistic(number)));
    change_all(reinterpret_cast<double*>(statistic(number)));
  }

  // The tile's elements; and for each of them the statistic of its group, in a floating-point type or its own type.
  Program::Value elements(Program& program, Dtype dtype) const;
  Program::Value statistic(Program& program, std::size_t number, Dtype dtype) const;

 private:
  Tensor input_;
  Layout layout_;
  Layout kept_;
  Layout reduced_;
  Layout spread_;  // of a statistic
  std::int64_t size_;
  std::int64_t first_ = 0;
  std::int64_t length_ = 0;
  std::int64_t most_;  // of a tile on the first axis
  bool is_whole_;
  std::size_t unit_;  // elements per index of the first axis; below, groups
  std::size_t group_unit_;
  Tensor statistics_;
};

// The value, converted if it has another type.
Program::Value converted(Program& program, const Program::Value& value, Dtype dtype);

}  // namespace broadloom
