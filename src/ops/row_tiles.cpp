#include "ops/row_tiles.h"

#include "core/count.h"
#include "kernels/elementwise/convert.h"

namespace broadloom {

namespace {

// A tile of this size and its results stay in the second-level cache.
constexpr std::size_t tile_bytes = std::size_t{64} * 1024;

}  // namespace

Layout part_of(const Layout& layout, const AxisSet& axes, bool is_in) {
  const std::size_t rank = layout.dims.size();
  const std::size_t count = is_in ? axes.count() : rank - axes.count();
  Layout part{SymbolicDims(count), Dims(count)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (axes.test(i) != is_in) continue;
    part.dims[next] = layout.dims[i];
    part.strides[next++] = layout.strides[i];
  }
  return part;
}

RowTiles::RowTiles(const Tensor& input, const Dims& dims, const AxisSet& reduced)
    : input_(input),
      layout_(dense_layout(dims)),
      kept_(part_of(layout_, reduced, false)),
      reduced_(part_of(layout_, reduced, true)),
      spread_(layout_),
      size_(dims[0]),
      most_(size_),
      is_whole_(reduced.test(0)),
      unit_(in_memory(count_of(dims.values().subspan(1)))) {
  group_unit_ = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    spread_.strides[i] = reduced.test(i) ? 0 : static_cast<std::int64_t>(group_unit_);
    if (i > 0 && !reduced.test(i)) group_unit_ *= in_memory(dims[i]);
  }
  if (is_whole_) return;
  const std::size_t most = tile_bytes / (std::max<std::size_t>(unit_, 1) * item_size(input.dtype));
  most_ = std::min(size_, static_cast<std::int64_t>(std::max<std::size_t>(most, 1)));
}

Status RowTiles::allocate(std::size_t statistics) {
  const auto groups = (is_whole_ ? 1 : most_) * static_cast<std::int64_t>(group_unit_);
  const Dtype dtype = is_half(input_.dtype) ? Dtype::float32 : input_.dtype;
  BROADLOOM_TRY(tensor, make_tensor(dtype, {static_cast<std::int64_t>(statistics), groups}));
  statistics_ = std::move(tensor);
  return {};
}

bool RowTiles::next() {
  first_ += length_;
  length_ = std::min(most_, size_ - first_);
  layout_.dims[0] = spread_.dims[0] = length_;
  if (!is_whole_) kept_.dims[0] = length_;
  return length_ > 0;
}

std::byte* RowTiles::statistic(std::size_t number) const {
  return statistics_.data() + number * in_memory(statistics_.run_dims()[1]) * item_size(statistics_.dtype);
}

Status RowTiles::reduce(std::size_t number, Reduction reduction) const {
  reduction.keeps_accumulate_type = true;
  return broadloom::reduce(reduction, input_.dtype, statistic(number), from(), kept_, reduced_);
}
Status RowTiles::reduce(std::size_t number, const Reduction& reduction, const std::byte* elements) const {
  return broadloom::reduce(reduction, statistics_.dtype, statistic(number), elements, kept_, reduced_);
}

Program::Value converted(Program& program, const Program::Value& value, Dtype dtype) {
  return value.dtype == dtype ? value : program.convert(dtype, value);
}

Program::Value RowTiles::elements(Program& program, Dtype dtype) const {
  return converted(program, program.operand(input_.dtype, from(), LayoutRef(layout_)), dtype);
}
Program::Value RowTiles::statistic(Program& program, std::size_t number, Dtype dtype) const {
  return converted(program, program.operand(statistics_.dtype, statistic(number), LayoutRef(spread_)), dtype);
}

}  // namespace broadloom
