#include "kernels/image/pixels.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/simd.h"

namespace broadloom::image {

namespace {

using Words = Lanes<std::uint32_t>;  // a pixel of four bytes in each

constexpr std::uint32_t alpha_mask = 0xFF000000U;

Words gray_of(const Words& pixels) {
  const Words red = pixels & 0xFFU;
  const Words green = (pixels >> 8) & 0xFFU;
  const Words blue = (pixels >> 16) & 0xFFU;
  return (red * 19595U + green * 38470U + blue * 7471U + 0x8000U) >> 16;
}

// Four pixels of three bytes as four of four, with alpha 255.
Words with_alpha(const std::byte* from) {
  const Vector pixels = shuffle(load(from), std::index_sequence<0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0>());
  return as<Words>(pixels) | alpha_mask;
}

void write_gray(std::byte* to, const std::byte* from, std::size_t count, std::size_t channels) {
  for (std::size_t i = 0; i < count; i += 4) {
    const Words gray = gray_of(channels == 3 ? with_alpha(from + i * 3) : load_lanes<std::uint32_t>(from + i * 4));
    const auto lanes = as<Lanes<std::int32_t>>(gray);
    const Vector bytes = saturated_bytes(lanes, lanes, lanes, lanes);
    std::memcpy(to + i, &bytes, 4);
  }
}

// c * a / 255, rounded.
Words times_alpha(const Words& colour, const Words& alpha) {
  const Words product = colour * alpha + 128U;
  return (product + (product >> 8)) >> 8;
}

Lanes<float> floats(const Words& words) { return __builtin_convertvector(words, Lanes<float>); }

// 255 * c / a, rounded down and at most 255. Where a is 0, the result does not count.
Words over_alpha(const Words& colour, const Lanes<float>& alpha) {
  const Lanes<float> quotient = floats(colour * 255U) / alpha;
  return __builtin_convertvector(at_most(quotient, Lanes<float>{} + 255.0F), Words);
}

}  // namespace

std::size_t working_bytes(Channels wanted, std::size_t source_channels) {
  const bool has_colours = source_channels > 2 && wanted != Channels::gray;
  const bool has_alpha = source_channels % 2 == 0 && wanted == Channels::rgba;
  return has_colours || has_alpha ? 4 : 1;
}

const std::byte* to_working(std::byte* to, const std::byte* from, std::size_t count, Channels wanted,
                            std::size_t source_channels) {
  const std::size_t bytes = working_bytes(wanted, source_channels);
  if (bytes == source_channels) return from;
  if (source_channels == 3 && bytes == 4) {
    for (std::size_t i = 0; i < count; i += 4) store_lanes(to + i * 4, with_alpha(from + i * 3));
  } else if (source_channels == 2) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte gray = from[2 * i];
      const std::byte pixel[] = {gray, gray, gray, from[2 * i + 1]};
      std::memcpy(to + i * bytes, pixel, bytes);
    }
  } else {
    write_gray(to, from, count, source_channels);
  }
  return to;
}

void premultiply(std::byte* to, const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    const auto pixels = load_lanes<std::uint32_t>(from + i * 4);
    const Words alpha = pixels >> 24;
    const Words red = times_alpha(pixels & 0xFFU, alpha);
    const Words green = times_alpha((pixels >> 8) & 0xFFU, alpha);
    const Words blue = times_alpha((pixels >> 16) & 0xFFU, alpha);
    store_lanes(to + i * 4, red | green << 8 | blue << 16 | (pixels & alpha_mask));
  }
}

void unpremultiply(std::byte* pixels, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    const auto given = load_lanes<std::uint32_t>(pixels + i * 4);
    const Words alpha = given >> 24;
    const auto stays = as<Words>((alpha == 0U) | (alpha == 255U));
    const Lanes<float> divisor = floats(select(stays, Words{} + 1U, alpha));
    const Words red = over_alpha(given & 0xFFU, divisor);
    const Words green = over_alpha((given >> 8) & 0xFFU, divisor);
    const Words blue = over_alpha((given >> 16) & 0xFFU, divisor);
    store_lanes(pixels + i * 4, select(stays, given, red | green << 8 | blue << 16 | (given & alpha_mask)));
  }
}

void write_channels(std::byte* to, const std::byte* from, std::size_t count, Channels wanted, std::size_t pixel_bytes) {
  const std::size_t channels = count_of(wanted);
  if (channels == pixel_bytes) {
    std::memcpy(to, from, count * pixel_bytes);
  } else if (pixel_bytes == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte pixel[] = {from[i], from[i], from[i], std::byte{255}};
      std::memcpy(to + i * channels, pixel, channels);
    }
  } else {
    // Four pixels become twelve bytes. The next four go over the rest of the vector.
    using Rgb = std::index_sequence<0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15>;
    using Bgr = std::index_sequence<2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 3, 7, 11, 15>;
    for (std::size_t i = 0; i < count; i += 4) {
      const Vector pixels = load(from + i * 4);
      store(to + i * 3, wanted == Channels::rgb ? shuffle(pixels, Rgb()) : shuffle(pixels, Bgr()));
    }
  }
}

void scale_bytes(float* to, const std::byte* from, std::size_t count, const ByteScale& scale) {
  Lanes<float> factors[3];
  Lanes<float> offsets[3];
  for (std::size_t i = 0; i < channel_period; ++i) {
    factors[i / 4][i % 4] = static_cast<float>(scale.factors[i]);
    offsets[i / 4][i % 4] = static_cast<float>(scale.offsets[i]);
  }
  const auto write_period = [&](float* place, const std::byte* bytes) {
    const Vector first = extended<std::uint16_t, std::uint8_t, 0>(load(bytes));
    const Vector last = extended<std::uint16_t, std::uint8_t, 1>(load(bytes));
    const Vector words[] = {extended<std::uint32_t, std::uint16_t, 0>(first), extended<std::uint32_t, std::uint16_t, 1>(first),
                            extended<std::uint32_t, std::uint16_t, 0>(last)};
    for (std::size_t k = 0; k < 3; ++k) {
      const Lanes<float> values = __builtin_convertvector(as<Lanes<std::int32_t>>(words[k]), Lanes<float>);
      store_lanes(reinterpret_cast<std::byte*>(place + 4 * k), values * factors[k] + offsets[k]);
    }
  };
  std::size_t i = 0;
  for (; i + channel_period <= count; i += channel_period) write_period(to + i, from + i);
  if (i == count) return;
  float rest[channel_period];
  write_period(rest, from + i);
  std::memcpy(to + i, rest, (count - i) * sizeof(float));
}

void scale_bytes(double* to, const std::byte* from, std::size_t count, const ByteScale& scale) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t channel = i % channel_period;
    to[i] = std::to_integer<int>(from[i]) * scale.factors[channel] + scale.offsets[channel];
  }
}

}  // namespace broadloom::image
