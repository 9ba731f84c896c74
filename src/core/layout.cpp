#include "core/layout.h"

#include <algorithm>

#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"

namespace broadloom {

Failure too_many_axes(std::uint64_t rank) {
  return fail(Code::InvalidArgument, "dims have {} axes; a tensor can have at most {}", static_cast<double>(rank), most_axes);
}

namespace {

Failure too_many_elements(std::span<const Size> dims) {
  return fail(Code::InvalidArgument, "dims {} have too many elements: more than 2^53 - 1", dims);
}

Result<std::int64_t> count_numbers(std::span<const Size> dims, bool may_be_symbolic) {
  std::int64_t product = 1;
  bool has_zero = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t dim = dims[i].word();
    if (dim < 0) {
      if (may_be_symbolic && !dims[i].is_number()) continue;
      const std::span words(reinterpret_cast<const std::int64_t*>(dims.data()), dims.size());
      return fail(Code::InvalidArgument, "dims {}: axis {} is {}; sizes cannot be negative",
                  may_be_symbolic ? Part(dims) : Part(words), i, dim);
    }
    if (dim == 0) {
      has_zero = true;
    } else if (static_cast<double>(product) * static_cast<double>(dim) > static_cast<double>(max_count)) {
      // Exact as doubles too, up to max_count; a division takes longer than all the rest.
      return too_many_elements(dims);
    } else {
      product *= dim;
    }
  }
  return has_zero ? 0 : product;
}

}  // namespace

Result<std::int64_t> checked_count(std::span<const std::int64_t> dims) { return count_numbers(sizes_of(dims), false); }

Result<std::int64_t> checked_count(std::span<const Size> dims) {
  return are_numbers(dims) ? checked_count(numbers_of(dims)) : too_many_elements(dims);
}

Status check_sizes(std::span<const Size> dims) {
  BROADLOOM_CHECK(count_numbers(dims, true));
  return {};
}

namespace {

[[gnu::always_inline]] inline void set_dense_strides(Layout& layout) {
  const std::span<const std::int64_t> dims = layout.run_dims();
  std::int64_t* strides = layout.strides.data();
  std::int64_t stride = 1;
  for (std::size_t i = layout.dims.size(); i-- > 0;) {
    strides[i] = stride;
    if (dims[i] > 1) stride *= dims[i];
  }
}

}  // namespace

LayoutRef dense_layout(const SymbolicDims& dims) {
  LayoutRef result = LayoutRef::of_rank(dims.size());
  Layout& layout = result.edit();
  for (std::size_t i = 0; i < dims.size(); ++i) layout.dims.data()[i] = dims[i];
  set_dense_strides(layout);
  return result;
}

LayoutRef vector_layout(std::int64_t size) {
  constexpr std::int64_t most_shared = 8;
  static LayoutRef* shared[most_shared + 1];
  if (size > most_shared) return dense_layout({size});
  LayoutRef*& layout = shared[size];
  if (layout == nullptr) layout = new LayoutRef(dense_layout({size}));
  return *layout;
}

LayoutRef channels_last_layout(const SymbolicDims& dims) {
  LayoutRef result(dims);
  Layout& layout = result.edit();
  std::int64_t stride = 1;
  const auto place = [&](std::size_t axis) {
    layout.strides[axis] = stride;
    stride *= std::max<std::int64_t>(dims[axis].number(), 1);
  };
  place(1);
  for (std::size_t i = dims.size(); i-- > 2;) place(i);
  place(0);
  return result;
}

bool is_gapless(const Layout& layout) {
  const std::span<const std::int64_t> dims = layout.run_dims();
  std::int64_t stride = 1;
  for (std::size_t left = dims.size(); left > 0; --left) {
    std::size_t axis = 0;
    while (axis < dims.size() && (dims[axis] <= 1 || layout.strides[axis] != stride)) ++axis;
    if (axis == dims.size()) break;
    stride *= dims[axis];
  }
  return stride == layout.count();
}

bool have_same_positions(const Layout& a, const Layout& b) {
  if (a.dims != b.dims) return false;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (a.strides[i] != b.strides[i] && a.dims[i] != 1) return false;
  }
  return true;
}

Dims order_of_axes(const Layout& layout) {
  Dims order(layout.dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Axes of one size 1 stay where they are.
    std::size_t at = i;
    for (; at > 0; --at) {
      const auto before = in_memory(order[at - 1]);
      if (layout.strides[before] >= layout.strides[i]) break;
      order[at] = order[at - 1];
    }
    order[at] = static_cast<std::int64_t>(i);
  }
  return order;
}

LayoutRef result_layout(const LayoutRef& layout) {
  const bool has_order = std::any_of(layout->strides.begin(), layout->strides.end(), [](std::int64_t it) { return it != 0; });
  return has_order && is_gapless(layout) ? layout : dense_layout(layout->dims);
}

bool is_dense(const Layout& layout) {
  const std::span<const std::int64_t> dims = layout.run_dims();
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const std::int64_t dim = dims[i];
    if (dim == 0) return true;
    if (dim == 1) continue;
    if (layout.strides[i] != stride) {
      return layout.count() == 0;
    }
    stride *= dim;
  }
  return true;
}

Span span_of(const Layout& layout) {
  Span span;
  if (layout.count() == 0) return span;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    const std::int64_t last = (layout.dims[i].number() - 1) * layout.strides[i];
    (last < 0 ? span.lowest : span.highest) += last;
  }
  return span;
}

namespace {

// Broadcasts two different sizes, neither 1, at least one symbolic.
Size stretched(Size a, Size b) {
  // If the other size is neither this number nor 1, the run fails.
  if (a.is_number()) return a;
  return b.is_number() ? b : unknown_size;
}

[[gnu::cold, gnu::noinline]] Status broadcast_any(std::span<const Size> a, std::span<const Size> b, SymbolicDims& dims) {
  const std::size_t rank = dims.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const Size first = i < rank - a.size() ? Size(1) : a[i - (rank - a.size())];
    const Size second = i < rank - b.size() ? Size(1) : b[i - (rank - b.size())];
    if (broadcast_size(dims[i], first, second)) continue;
    // The error names the axis of the stretched operand, as the user counts it.
    if (differ(first, second))
      return impossible("cannot broadcast {} to {}: axis {} is {}, wanted {}", a, b, i - (rank - a.size()), first, second);
    dims[i] = stretched(first, second);
  }
  return check_sizes(dims);
}

}  // namespace

Result<SymbolicDims> broadcast_dims(std::span<const Size> a, std::span<const Size> b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Result<SymbolicDims> result(tl::in_place, rank);
  SymbolicDims& dims = *result;
  // Numbers are usual. The product is exact as long as it may not be too large.
  double product = 1;
  bool are_usual = true;
  for (std::size_t behind = 1; behind <= rank; ++behind) {
    const Size first = behind <= a.size() ? a[a.size() - behind] : Size(1);
    const Size second = behind <= b.size() ? b[b.size() - behind] : Size(1);
    Size dim = 0;
    are_usual = broadcast_size(dim, first, second) && dim.word() >= 0 && are_usual;
    dims.data()[rank - behind] = dim;
    if (dim.word() > 1) product *= static_cast<double>(dim.word());
  }
  if (!are_usual || product > static_cast<double>(max_count)) BROADLOOM_CHECK(broadcast_any(a, b, dims));
  return result;
}

LayoutRef broadcast_to(const Layout& layout, const SymbolicDims& dims) {
  const std::size_t rank = dims.size();
  LayoutRef result = LayoutRef::of_rank(rank);
  Layout& view = result.edit();
  const std::size_t own = layout.dims.size();
  for (std::size_t behind = 1; behind <= rank; ++behind) {
    const Size dim = dims[rank - behind];
    view.dims.data()[rank - behind] = dim;
    const bool is_kept = behind <= own && layout.dims[own - behind] == dim;
    view.strides.data()[rank - behind] = is_kept ? layout.strides[own - behind] : 0;
  }
  return result;
}

const Layout LayoutRef::scalar;
LayoutRef::Block LayoutRef::no_rank{1, {}};

namespace {

Pool blocks;

}  // namespace

LayoutRef::LayoutRef(const SymbolicDims& dims)
    : block_(new (blocks.take_or_new(sizeof(Block))) Block{1, {dims, Dims(dims.size())}}) {}

LayoutRef LayoutRef::of_rank(std::size_t rank) {
  LayoutRef result;
  result.block_ = new (blocks.take_or_new(sizeof(Block))) Block{1, {SymbolicDims::of_size(rank), Dims::of_size(rank)}};
  return result;
}

void LayoutRef::make_dense() {
  if (block_ != nullptr && block_->references == 1) {
    set_dense_strides(block_->layout);
  } else {
    *this = dense_layout((*this)->dims);
  }
}

void LayoutRef::destroy(Block* block) {
  block->~Block();
  blocks.give_or_delete(block);
}

MergedAxes merge_axes(const Layout& layout) {
  MergedAxes merged;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    const Axis axis{layout.dims[i].number(), layout.strides[i]};
    if (axis.extent == 1) continue;
    if (merged.rank > 0 && merged.axes[merged.rank - 1].stride == axis.extent * axis.stride) {
      Axis& outer = merged.axes[merged.rank - 1];
      outer = {outer.extent * axis.extent, axis.stride};
    } else {
      merged.axes[merged.rank++] = axis;
    }
  }
  return merged;
}

LayoutRef transposed_layout(const Layout& layout, std::span<const std::int64_t> order) {
  LayoutRef result{SymbolicDims(order.size())};
  Layout& view = result.edit();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto axis = in_memory(order[i]);
    view.dims[i] = layout.dims[axis];
    view.strides[i] = layout.strides[axis];
  }
  return result;
}

std::optional<LayoutRef> reshape(const Layout& layout, const SymbolicDims& dims) {
  if (layout.count() == 0) return dense_layout(dims);
  LayoutRef result(dims);
  std::int64_t* strides = result.edit().strides.data();
  const MergedAxes merged = merge_axes(layout);
  std::size_t next = dims.size();
  for (std::size_t i = merged.rank; i-- > 0;) {
    std::int64_t left = merged.axes[i].extent;
    std::int64_t stride = merged.axes[i].stride;
    while (left > 1) {
      const std::int64_t dim = dims[--next].number();
      if (left % dim != 0) return std::nullopt;
      strides[next] = stride;
      stride *= dim;
      left /= dim;
    }
  }
  return result;
}

}  // namespace broadloom
