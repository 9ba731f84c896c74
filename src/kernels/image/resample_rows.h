// Rows of pixels of one byte or four are resized by filters, to the bit as Pillow does it.
//
// Rows are read and written in whole vectors: memory must go on for `row_padding` bytes after the last pixel.
#pragma once

#include <cstddef>

#include "kernels/image/filter_taps.h"

namespace broadloom::image {

inline constexpr std::size_t row_padding = 32;

// Resizes a row. Pixels have one byte or four.
void filter_row(std::byte* to, const std::byte* from, const FilterTaps& taps, std::size_t pixel_bytes);

// Writes the weighted sum of rows for output `i`, whose taps they are.
void filter_rows(std::byte* to, const std::byte* const* rows, const FilterTaps& taps, std::size_t i, std::size_t bytes);

// Both passes of OpenCV's INTER_LINEAR, whose rows have int32 between the passes: one for each byte.
void mix_row(std::byte* to, const std::byte* from, std::span<const LinearTap> taps, std::size_t pixel_bytes);
void mix_rows(std::byte* to, const std::byte* first, const std::byte* second, const LinearTap& tap, std::size_t bytes);

// Chooses the pixels of a row.
void choose_pixels(std::byte* to, const std::byte* from, std::span<const std::int32_t> positions, std::size_t pixel_bytes);

}  // namespace broadloom::image
