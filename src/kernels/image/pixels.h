// Pixels of bytes: their channels, their alpha, and elements made of them.
//
// Pixels are read and written in whole vectors: memory must go on for `row_padding` bytes after the last one (resample_rows.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/crossing.h"

namespace broadloom::image {

using broadloom::Channels;

inline std::size_t count_of(Channels channels) { return channels == Channels::gray ? 1 : channels == Channels::rgba ? 4 : 3; }

// The bytes of a pixel while it is resized: one if all its colours are the same and it has no alpha, else four.
std::size_t working_bytes(Channels wanted, std::size_t source_channels);

// Pixels of a source with 1 channel (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 (and alpha) in their working form. Gray
// of colours is Pillow's L, the luma of ITU-R 601-2 in 16 fractional bits. Returns `from` where there is nothing to do.
const std::byte* to_working(std::byte* to, const std::byte* from, std::size_t count, Channels wanted,
                            std::size_t source_channels);

// Multiplies colours by alpha, and divides them by it, as Pillow's modes RGBa and RGBA do.
void premultiply(std::byte* to, const std::byte* from, std::size_t count);
void unpremultiply(std::byte* pixels, std::size_t count);

// Writes the wanted channels of pixels in working form, without gaps.
void write_channels(std::byte* to, const std::byte* from, std::size_t count, Channels wanted, std::size_t pixel_bytes);

// byte * factor + offset, whose numbers repeat with the channels: twelve, for one channel, three or four.
inline constexpr std::size_t channel_period = 12;
struct ByteScale {
  double factors[channel_period];
  double offsets[channel_period];
};
// Writes float32, computed in it, or float64.
void scale_bytes(float* to, const std::byte* from, std::size_t count, const ByteScale& scale);
void scale_bytes(double* to, const std::byte* from, std::size_t count, const ByteScale& scale);

}  // namespace broadloom::image
