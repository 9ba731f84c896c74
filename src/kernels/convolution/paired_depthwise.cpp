#include "kernels/convolution/paired_depthwise.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/base/simd.h"
#include "kernels/products/pairs.h"

namespace broadloom {
namespace {

// The number of channels in a vector of int16, and the number of windows that share the loaded elements of the filters.
constexpr std::size_t some_channels = vector_bytes / sizeof(std::int16_t);
constexpr std::size_t some_windows = 4;

using Sums32 = Lanes<std::uint32_t>;

// The sums of eight channels from `channel` on, of each window.
[[gnu::always_inline]] inline void add_taps(Sums32 (&sums)[some_windows][2], const DepthwiseBlock& block,
                                            const std::size_t* window, std::size_t channel) {
  const std::byte* filter = block.filters + channel * 4;
  const std::size_t offset = channel * sizeof(std::int16_t);
  for (std::size_t tap = 0; tap < block.taps; tap += 2, filter += block.channels * 4) {
    const std::byte* const* first = block.at + tap * block.distance;
    // The filter of a tap that is not there is 0.
    const std::byte* const* second = tap + 1 < block.taps ? first + block.distance : first;
    const Vector left = load(filter);
    const Vector right = load(filter + vector_bytes);
    const auto add = [&](std::size_t i) {
      const Vector x = load(first[window[i]] + offset);
      const Vector y = load(second[window[i]] + offset);
      using Lower = std::index_sequence<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>;
      using Upper = std::index_sequence<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>;
      sums[i][0] += dot_pairs(shuffle(x, y, Lower()), left);
      sums[i][1] += dot_pairs(shuffle(x, y, Upper()), right);
    };
    add(0);
    add(1);
    add(2);
    add(3);
  }
}

}  // namespace

void pack_paired_filters(std::byte* to, const Matrix& matrix, std::size_t tap, std::size_t first, std::size_t count,
                         std::size_t results, Dtype dtype) {
  auto* const row = reinterpret_cast<std::int16_t*>(to) + (tap / 2 * results + first) * 2 + tap % 2;
  for (std::size_t i = 0; i < count; ++i) {
    widen(reinterpret_cast<std::byte*>(row + 2 * i), matrix.at(i, 0).from, dtype, offset_of(dtype), 1);
  }
}

void subtract_from_filters(std::byte* to, const std::byte* packed, const std::int32_t* zeros, std::size_t taps,
                           std::size_t results) {
  const auto* from = reinterpret_cast<const std::int16_t*>(packed);
  auto* result = reinterpret_cast<std::int16_t*>(to);
  for (std::size_t tap = 0; tap < taps; tap += 2) {
    for (std::size_t i = 0; i < 2 * results; ++i) {
      const bool is_tap = tap + i % 2 < taps;
      *result++ = static_cast<std::int16_t>(*from++ - (is_tap ? zeros[i / 2] : 0));
    }
  }
}

void write_paired_depthwise(std::byte* to, const DepthwiseBlock& block) {
  for (std::size_t first = 0; first < block.windows; first += some_windows) {
    // Windows that are not there are the last one once more.
    std::size_t window[some_windows];
    for (std::size_t i = 0; i < some_windows; ++i) window[i] = std::min(first + i, block.windows - 1);
    for (std::size_t channel = 0; channel < block.channels; channel += some_channels) {
      Sums32 sums[some_windows][2];
      for (auto& sum : sums) {
        sum[0] = load_lanes<std::uint32_t>(block.bias + channel * 4);
        sum[1] = load_lanes<std::uint32_t>(block.bias + channel * 4 + vector_bytes);
      }
      add_taps(sums, block, window, channel);
      const std::size_t bytes = 4 * std::min(some_channels, block.channels - channel);
      for (std::size_t i = 0; i < some_windows; ++i) {
        std::byte* const result = to + (window[i] * block.channels + channel) * 4;
        if (bytes == 2 * vector_bytes) {
          store_lanes(result, sums[i][0]);
          store_lanes(result + vector_bytes, sums[i][1]);
        } else {
          std::memcpy(result, sums[i], bytes);
        }
      }
    }
  }
}

}  // namespace broadloom
