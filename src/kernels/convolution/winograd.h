// Convolutions with filters of 3x3, 3x1 and 1x3 by Winograd's way, F(2x2, 3x3) and F(2, 3): A. Lavin and S. Gray, Fast
// Algorithms for Convolutional Neural Networks, 2015.
#pragma once

#include <cstddef>

#include "core/count.h"
#include "kernels/convolution/convolution.h"

namespace broadloom {

// A convolution made ready, as Convolution, of float32 images and filters in one group, on one or two axes.
//
// The result is made of tiles of two places along each axis where filters have three taps. A tile depends on four pixels along
// such an axis. They are transformed to four numbers, and so are the filters. They are multiplied one by one and summed over
// the channels, in their order. The sums are transformed to results, to which the bias is added. So a result takes 4 instead of
// 9 multiplications per channel and filter, or 2 instead of 3. Integers stay exact while sums do in float32: filters are
// transformed with factors of 1/2. A result depends on the pixels of its own window alone; where one is infinite, it may be
// NaN.
class WinogradConvolution {
 public:
  // Whether a convolution can be computed so, and is faster so. Depends on the dims alone, not on the layout of the images.
  static bool suits(Dtype dtype, const ConvolutionDims& dims);

  WinogradConvolution(ConvolutionDims dims, const Layout& images, bool has_scaled_bytes = false);

  // Filters are packed as for Convolution.
  Count packed_bytes() const;
  void pack(std::byte* to, const Filters& filters) const;
  Count workspace_bytes() const;
  // As Convolution::run.
  Status run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
             std::byte* workspace, Finish* finish) const;

 private:
  // The numbers of a tile: 16, or 4.
  std::size_t numbers() const { return tiles_.taps(); }
  std::size_t taps() const { return numbers() > 4 ? 9 : 3; }
  std::size_t panels() const;
  // The bytes of one tap, or one number, of a panel.
  std::size_t panel_size() const { return dims_.channels * types_.constant_row(); }
  // Filters that are transformed at a time.
  struct Part {
    std::size_t panels;
    std::size_t channels;
  };
  Part part() const;
  // Bytes between the filters of one number and the next.
  static std::size_t number_step(const Part& part);
  // From a panel and a channel on.
  void transform_filters(std::byte* to, const std::byte* packed, std::size_t panel, std::size_t channel,
                         const Part& part) const;
  std::size_t tiles_in_row() const { return (columns_ + tile_columns_ - 1) / tile_columns_; }
  std::size_t pixel_bytes() const { return dims_.channels * sizeof(float); }
  std::size_t result_bytes() const { return dims_.filters * sizeof(float); }
  // Multiplies rows with a part of the filters, from a channel on.
  void write_products(std::byte* to, const std::byte* const* rows, std::size_t count, const std::byte* filters,
                      const Part& part, std::size_t channel, std::size_t columns) const;
  void write_results(std::byte* image, const std::byte* products, std::size_t first, std::size_t count,
                     const std::byte* bias) const;

  ConvolutionDims dims_;
  ItemTypes types_;  // of the filters
  ChannelsLast images_;
  WindowAddresses tiles_;
  std::size_t rows_;  // of the result
  std::size_t columns_;
  std::size_t tile_rows_;  // of one tile
  std::size_t tile_columns_;
  std::size_t block_;  // tiles at a time
};

}  // namespace broadloom
