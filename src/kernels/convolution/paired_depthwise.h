// Depthwise convolutions of integers of 8 bits, widened to int16: two taps at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/convolution/depthwise.h"
#include "kernels/products/panels.h"

namespace broadloom {

// Packs element `tap` of `count` filters, from number `first` of all `results` on. Packed filters are int16: for each two taps,
// the elements of each filter, less offset_of their type. Elements that are not written must be 0.
void pack_paired_filters(std::byte* to, const Matrix& matrix, std::size_t tap, std::size_t first, std::size_t count,
                         std::size_t results, Dtype dtype);

// Writes packed filters less their zero points.
void subtract_from_filters(std::byte* to, const std::byte* packed, const std::int32_t* zeros, std::size_t taps,
                           std::size_t results);

// As WriteDepthwise, in int32. Images and filters are followed by two vectors of others.
void write_paired_depthwise(std::byte* to, const DepthwiseBlock& block);

}  // namespace broadloom
