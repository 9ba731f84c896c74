#include "ops/move/indexed_offsets.h"

#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "kernels/movement/blocks.h"
#include "ops/call/arguments.h"

namespace broadloom {

IndexedOffsets::IndexedOffsets(Kind kind, const Tensor& data, const Tensor& indices, std::size_t axis)
    : data_(data), indices_(indices), axis_(axis) {
  const Layout& from = data.layout;
  const Layout& list = indices.layout;
  std::size_t lists = list.dims.size();
  if (kind == Kind::of_tuples) {
    --lists;
    tuple_ = in_memory(list.dims[lists].number());
    tuple_step_ = list.strides[lists];
  }
  const std::size_t before = kind == Kind::on_axis ? axis : 0;
  for (std::size_t i = 0; i < before; ++i) add(from.dims[i].number(), from.strides[i], 0);
  for (std::size_t i = 0; i < lists; ++i) {
    const bool is_common = kind == Kind::of_elements ? i != axis : kind == Kind::of_tuples && i < axis;
    add(list.dims[i].number(), is_common ? from.strides[i] : 0, list.strides[i]);
  }
}

void IndexedOffsets::add(std::int64_t extent, std::int64_t step, std::int64_t index_step) {
  left_ *= extent;
  // Without elements, sizes of other axes may be anything.
  if (extent == 1 || left_ == 0) return;
  Walk* outer = rank_ == 0 ? nullptr : &axes_[rank_ - 1];
  if (outer != nullptr && outer->step == extent * step && outer->index_step == extent * index_step) {
    *outer = {outer->extent * extent, step, index_step, 0};
  } else {
    axes_[rank_++] = {extent, step, index_step, 0};
  }
}

void IndexedOffsets::advance(std::int64_t count) {
  left_ -= count;
  done_ += count;
  for (std::size_t i = rank_; i-- > 0; count = 1) {
    Walk& axis = axes_[i];
    axis.at += count;
    place_ += count * axis.step;
    index_place_ += count * axis.index_step;
    if (axis.at < axis.extent) return;
    place_ -= axis.at * axis.step;
    index_place_ -= axis.at * axis.index_step;
    axis.at = 0;
  }
}

Result<std::span<const std::ptrdiff_t>> IndexedOffsets::next() {
  const bool is_wide = indices_.dtype == Dtype::int64;
  const auto index_size = static_cast<std::int64_t>(item_size(indices_.dtype));
  const auto item = static_cast<std::int64_t>(item_size(data_.dtype));
  constexpr Walk single{1, 0, 0, 0};
  std::size_t count = 0;
  while (count < most && left_ > 0) {
    const Walk& axis = rank_ == 0 ? single : axes_[rank_ - 1];
    const std::int64_t run = std::min(axis.extent - axis.at, static_cast<std::int64_t>(most - count));
    std::ptrdiff_t* offsets = offsets_ + count;
    std::int64_t valid = run;
    std::int64_t wrong = 0;  // the position in the tuple of an index out of bounds
    for (std::size_t t = 0; t < tuple_; ++t) {
      const std::int64_t first = index_place_ + static_cast<std::int64_t>(t) * tuple_step_;
      const Indices indices{indices_.data() + first * index_size, static_cast<std::ptrdiff_t>(axis.index_step * index_size),
                            is_wide, data_.run_dims()[axis_ + t],
                            static_cast<std::ptrdiff_t>(data_.layout->strides[axis_ + t] * item)};
      const Start start{static_cast<std::ptrdiff_t>(place_ * item), static_cast<std::ptrdiff_t>(axis.step * item)};
      const auto some = in_memory(valid);
      const std::size_t added = t == 0 ? find_places(offsets, some, start, indices) : add_places(offsets, some, indices);
      if (static_cast<std::int64_t>(added) < valid) {
        valid = static_cast<std::int64_t>(added);
        wrong = static_cast<std::int64_t>(t);
      }
    }
    if (valid < run) return out_of_bounds((done_ + valid) * static_cast<std::int64_t>(tuple_) + wrong);
    count += in_memory(run);
    advance(run);
  }
  return std::span<const std::ptrdiff_t>(offsets_, count);
}

Failure IndexedOffsets::out_of_bounds(std::int64_t number) const {
  const std::span<const std::int64_t> dims = indices_.run_dims();
  const std::size_t axis = axis_ + in_memory(number) % tuple_;
  Dims place(dims);
  std::int64_t element = 0;
  // If an index is read for several elements, its first position is reported.
  for (std::size_t i = place.size(); i-- > 0;) {
    const std::int64_t size = dims[i];
    place[i] = number % size;
    number /= size;
    element += place[i] * indices_.layout->strides[i];
  }
  const std::byte* from = indices_.data();
  const std::int64_t index = indices_.dtype == Dtype::int64 ? reinterpret_cast<const std::int64_t*>(from)[element]
                                                            : reinterpret_cast<const std::int32_t*>(from)[element];
  const std::int64_t size = data_.run_dims()[axis];
  return fail(Code::InvalidArgument, "index {} at {} of indices is out of bounds: axis {} of {} takes {} to {}", index,
              place.values(), axis, data_.dims().values(), -size, size - 1);
}

Status check_elements(const Call& call) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (!data.is_ranked()) return {};
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), data.dims().size()));
  if (!indices.is_ranked()) return {};
  bool fits = data.dims().size() == indices.dims().size();
  for (std::size_t i = 0; fits && i < data.dims().size(); ++i) {
    const Size own = data.dims()[i];
    const Size wanted = indices.dims()[i];
    fits = i == axis || !differ(own, wanted) || wanted.number() < own.number();
  }
  if (fits) return {};
  return fail(Code::InvalidArgument, "indices has dims {}, wanted the rank of data {}, and no longer axis except axis {}",
              indices.dims().values(), data.dims().values(), axis);
}

Result<std::size_t> check_tuples(const Call& call, std::int64_t batch_axes) {
  const Tensor& data = *call.inputs[0];
  const Tensor& indices = *call.inputs[1];
  if (!data.is_ranked() || !indices.is_ranked()) return 0U;
  const SymbolicDims& from = data.dims();
  const SymbolicDims& list = indices.dims();
  const std::size_t least = std::min(from.size(), list.size());
  if (batch_axes < 0 || batch_axes >= static_cast<std::int64_t>(least)) {
    return fail(Code::InvalidArgument, "data {} and indices {} have no axis after the first {}", from.values(), list.values(),
                batch_axes);
  }
  const auto batch = in_memory(batch_axes);
  for (std::size_t i = 0; i < batch; ++i) {
    if (!differ(from[i], list[i])) continue;
    return fail(Code::InvalidArgument, "data {} and indices {} differ on axis {}, one of the first {} that both have",
                from.values(), list.values(), i, batch);
  }
  const Size tuple = list[list.size() - 1];
  if (!tuple.is_number()) return 0U;
  const auto most = static_cast<std::int64_t>(from.size() - batch);
  if (tuple.number() >= 1 && tuple.number() <= most) return batch + in_memory(tuple.number());
  return fail(Code::InvalidArgument, "indices {} hold tuples of {}, wanted 1 to {} for data {}", list.values(), tuple, most,
              from.values());
}

}  // namespace broadloom
