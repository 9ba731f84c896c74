// Views of every kind, and the same elements row-major.
#pragma once

#include "support/layouts.h"
#include "support/random.h"

namespace broadloom::fuzz {

// The place of an element of a layout, counted from element 0.
inline std::int64_t place_of(const Tensor& tensor, const test::List& at) {
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) place += at[axis] * tensor.layout->strides[axis];
  return place;
}

// The elements copied one by one.
inline Tensor row_major(const Tensor& tensor) {
  const test::List dims = test::list(tensor.dims());
  Tensor result = test::zeros(tensor.dtype, tensor.dims());
  if (tensor.dtype == Dtype::string) result.storage->text = tensor.storage->text;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const std::int64_t place = place_of(tensor, test::coordinates_of(dims, i));
    if (is_packed(tensor.dtype)) {
      const unsigned element = packed_element(tensor.dtype, tensor.storage->data(), tensor.offset + place);
      const auto bits = static_cast<std::size_t>(info(tensor.dtype).bits);
      const std::size_t bit = static_cast<std::size_t>(i) * bits;
      result.data()[bit / 8] |= std::byte(element << (bit % 8));
    } else {
      const auto size = static_cast<std::int64_t>(item_size(tensor.dtype));
      std::memcpy(result.data() + i * size, tensor.data() + place * size, static_cast<std::size_t>(size));
    }
  }
  return result;
}

// A view of these dims: axes in any order in memory, backwards, repeated and with gaps, after other elements. `make` gives a
// dense tensor of some dims.
template <class Make>
Tensor random_view(Dtype dtype, const test::List& dims, test::Random& random, const Make& make) {
  // The axes from the innermost in memory to the outermost.
  std::vector<std::size_t> order(dims.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  if (!random.one_in(3)) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  LayoutRef layout(test::dims_of(dims));
  std::int64_t step = 1;
  std::int64_t first = 0;
  for (const std::size_t axis : order) {
    const std::int64_t gap = random.one_in(4) ? random.between(2, 3) : 1;
    const std::int64_t stride = random.one_in(5) ? 0 : random.one_in(4) ? -gap * step : gap * step;
    layout.edit().strides[axis] = stride;
    if (dims[axis] == 0) continue;
    if (stride < 0) first -= (dims[axis] - 1) * stride;
    if (stride != 0) step = (dims[axis] - 1) * std::abs(stride) + step;
  }
  const std::int64_t before = random.one_in(3) ? random.between(1, 5) : 0;
  const Tensor all = make(dtype, test::List{before + step + random.between(0, 2)});
  return {dtype, layout, all.storage, before + first};
}

}  // namespace broadloom::fuzz
