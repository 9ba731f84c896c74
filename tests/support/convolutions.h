// Random convolutions whose sums are exact, and their results by plain loops.
#pragma once

#include <vector>

#include "kernels/convolution/convolution.h"
#include "support/items.h"
#include "support/sliding.h"

namespace broadloom::test {

// Images [batch, groups * channels, ...] of either layout and filters [groups * filters, channels, ...], of float32.
struct PlainConvolution {
  ConvolutionDims dims;
  Layout layout;
  std::vector<float> images, filters, bias;

  PlainConvolution(Random& random, const ConvolutionDims& its_dims)
      : dims(its_dims),
        layout(image_layout(static_cast<std::int64_t>(dims.batch), static_cast<std::int64_t>(dims.image_channels()),
                            dims.axes.values(), random.one_in(2))),
        images(integers(random, dims.batch * dims.image_channels() * elements_of(dims.axes.values()))),
        filters(integers(random, dims.results() * dims.channels * taps_of(dims.axes.values()))),
        bias(integers(random, dims.results())) {}

  static std::vector<float> integers(Random& random, std::size_t count) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = static_cast<float>(random.between(-8, 8));
    return numbers;
  }

  Layout tap_layout() const {
    Layout taps{SymbolicDims(dims.axes.size()), Dims(dims.axes.size())};
    std::int64_t step = 1;
    for (std::size_t i = dims.axes.size(); i-- > 0; step *= dims.axes[i].kernel) {
      taps.dims[i] = dims.axes[i].kernel;
      taps.strides[i] = step;
    }
    return taps;
  }
  // Items of the filters in another type, densely.
  template <class T>
  Filters filters_at(const std::vector<T>& items, Dtype dtype) const {
    const auto channel = static_cast<std::ptrdiff_t>(taps_of(dims.axes.values()) * item_size(dtype));
    const auto filter = static_cast<std::ptrdiff_t>(dims.channels) * channel;
    return {address(items), static_cast<std::ptrdiff_t>(dims.filters) * filter, filter, channel, tap_layout(), dtype};
  }

  // `product` is what an element of an image and one of filter number `filter` add to a sum.
  template <class Sum, class Product>
  std::vector<Sum> results(bool has_bias, Product product) const {
    const std::size_t places = places_of(dims.axes.values());
    const std::size_t taps = taps_of(dims.axes.values());
    std::vector<Sum> to(dims.batch * places * dims.results());
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t filter = i % dims.results();
      const std::size_t place = i / dims.results() % places;
      const std::size_t image = i / dims.results() / places;
      to[i] = has_bias ? static_cast<Sum>(bias[filter]) : Sum{};
      for (std::size_t tap = 0; tap < taps; ++tap) {
        const std::int64_t element = element_at(dims.axes.values(), place, tap);
        for (std::size_t channel = 0; element >= 0 && channel < dims.channels; ++channel) {
          const std::size_t from = filter / dims.filters * dims.channels + channel;
          to[i] += product(images[place_in(layout, image, from, static_cast<std::size_t>(element))],
                           filters[(filter * dims.channels + channel) * taps + tap], filter);
        }
      }
    }
    return to;
  }
};

// Results [batch, places, channels] as [batch, channels, places].
inline std::vector<float> by_channel(const std::vector<float>& results, std::size_t batch, std::size_t places) {
  std::vector<float> to(results.size());
  const std::size_t channels = results.size() / (batch * places);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::size_t image = i / channels / places;
    to[(image * channels + i % channels) * places + i / channels % places] = results[i];
  }
  return to;
}

// The workspace of `bytes` bytes, aligned to a vector.
inline std::vector<Vector> workspace_of(Count bytes) { return std::vector<Vector>(in_memory(bytes) / vector_bytes + 1); }

}  // namespace broadloom::test
