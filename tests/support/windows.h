// Naive walks over images, and attributes, for tests of convolutions and pools.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "core/layout.h"
#include "support/calls.h"
#include "support/numbers.h"

namespace broadloom::test {

inline Given ints(std::string_view name, const List& values) { return {name, AttributeType::INTS, shape_of(values)}; }
inline Given word(std::string_view name, const std::string& value) {
  return {name, AttributeType::STRING, strings({}, {value})};
}

// Row-major elements.
struct Array {
  List dims;
  Numbers values;

  double at(const List& place) const {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < dims.size(); ++i) number = number * dims[i] + place[i];
    return values[static_cast<std::size_t>(number)];
  }
};

// Calls `visit` for each place of some dims, in row-major order.
template <class Visit>
void each_place(const List& dims, Visit visit) {
  for (const std::int64_t size : dims) {
    if (size == 0) return;
  }
  List place(dims.size(), 0);
  while (true) {
    visit(place);
    std::size_t i = dims.size();
    while (i > 0 && ++place[i - 1] == dims[i - 1]) place[--i] = 0;
    if (i == 0) return;
  }
}

// The tensor's elements with the channels side by side.
inline Tensor channels_last(const Tensor& tensor) {
  const Tensor dense = must(densify(tensor));
  Tensor last = zeros(tensor.dtype, dims_of(list(tensor.dims())));
  last.layout = channels_last_layout(dense.dims());
  const std::size_t size = item_size(tensor.dtype);
  std::size_t number = 0;
  each_place(list(tensor.dims()), [&](const List& place) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < place.size(); ++k) offset += place[k] * last.layout->strides[k];
    std::memcpy(last.storage->data() + static_cast<std::size_t>(offset) * size, dense.data() + number++ * size, size);
  });
  return last;
}

// The attributes of a convolution.
struct Sliding {
  std::int64_t groups = 1;
  List strides, dilations, pads;
};

inline Array naive_convolution(const Array& x, const Array& w, const Numbers& bias, const Sliding& how) {
  const std::size_t axes = x.dims.size() - 2;
  Array y{{x.dims[0], w.dims[0]}, {}};
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t reach = (w.dims[2 + i] - 1) * how.dilations[i] + 1;
    y.dims.push_back((x.dims[2 + i] + how.pads[i] + how.pads[axes + i] - reach) / how.strides[i] + 1);
  }
  const List taps(w.dims.begin() + 1, w.dims.end());
  List from(x.dims.size());
  List filter(w.dims.size());
  each_place(y.dims, [&](const List& place) {
    double sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(place[1])];
    const std::int64_t group = place[1] / (w.dims[0] / how.groups);
    from[0] = place[0];
    filter[0] = place[1];
    each_place(taps, [&](const List& tap) {
      from[1] = group * w.dims[1] + tap[0];
      std::copy(tap.begin(), tap.end(), filter.begin() + 1);
      for (std::size_t i = 0; i < axes; ++i) {
        from[2 + i] = place[2 + i] * how.strides[i] - how.pads[i] + tap[1 + i] * how.dilations[i];
        if (from[2 + i] < 0 || from[2 + i] >= x.dims[2 + i]) return;
      }
      sum += x.at(from) * w.at(filter);
    });
    y.values.push_back(sum);
  });
  return y;
}

}  // namespace broadloom::test
