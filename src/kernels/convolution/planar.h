// Convolutions with few results, channel by channel: vectors are windows that lie side by side on the last axis.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "kernels/convolution/convolution.h"

namespace broadloom {

// A convolution made ready, as Convolution, of float32 images on one or two axes. A panel of Convolution has eight filters:
// with one filter, seven of its eight sums are thrown away.
//
// The result is dense: batch, groups * filters, places. Its elements have the bits of those of Convolution: sums have the same
// products in the same order, and padding is multiplied, too.
class PlanarConvolution {
 public:
  // A limit for all groups together.
  static constexpr std::size_t most_results = 4;

  // Whether a convolution can be computed so, and is faster so. Depends on the dims alone, not on the layout of the images.
  static bool suits(Dtype dtype, const ConvolutionDims& dims);

  PlanarConvolution(ConvolutionDims dims, const Layout& images);

  // Filters are packed as for Convolution.
  Count packed_bytes() const { return plain_.packed_bytes(); }
  void pack(std::byte* to, const Filters& filters) const { plain_.pack(to, filters); }
  Count workspace_bytes() const;
  // As Convolution::run.
  Status run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
             std::byte* workspace, Finish* finish = nullptr) const;

 private:
  struct Parts;
  // Bytes from one image, channel, row and pixel to the next.
  struct Steps {
    std::ptrdiff_t image;
    std::ptrdiff_t channel;
    std::ptrdiff_t row;
    std::ptrdiff_t pixel;
  };

  std::size_t products() const { return in_memory(rows_.kernel) * in_memory(columns_.kernel) * dims_.channels; }
  bool is_depthwise() const { return dims_.channels == 1 && dims_.groups > 1; }
  std::ptrdiff_t phase_step() const { return static_cast<std::ptrdiff_t>(phase_elements_ * sizeof(float)); }
  std::ptrdiff_t channel_step() const { return is_copied_ ? times(in_memory(columns_.stride), phase_step()) : steps_.channel; }
  std::ptrdiff_t row_step() const { return times(dims_.image_channels(), channel_step()); }
  void copy_row(std::byte* to, const std::byte* from) const;
  void find_row(const std::byte** at, std::int64_t place, std::size_t group, const std::byte* image,
                const std::byte* outside) const;
  Status write_row(std::byte* to, const std::byte* const* at, const std::byte* packed, const float* bias,
                   std::byte* buffer) const;

  ConvolutionDims dims_;
  Convolution plain_;
  Steps steps_;
  SlidingAxis rows_;
  SlidingAxis columns_;
  bool is_copied_;
  std::int64_t kept_rows_;      // copies of rows
  std::size_t phase_elements_;  // of a copied row, or of a row of padding
};

}  // namespace broadloom
