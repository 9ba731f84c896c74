// Transposed convolutions: each element of an image adds a filter to the result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/convolution/convolution.h"

namespace broadloom {

// One axis. Element `i` of the image and `tap` of a filter meet at place i * stride - begin + tap * dilation of the result.
struct TransposedAxis {
  std::int64_t size;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t dilation;
  std::int64_t begin;
  std::int64_t places;  // of the result
};
using TransposedAxes = InlineVector<TransposedAxis, 3>;

// A transposed convolution. Along each axis, places at the same distance from a multiple of the stride have the same taps: the
// result is as many convolutions as there are such phases. Elements are as in Convolution, and so is the result.
class TransposedConvolution {
 public:
  // `dims.axes` are not read. `images` is the layout of the batch, groups * channels, and the axes. `has_dense_filters` says
  // that taps of the filters lie in row-major order without gaps.
  TransposedConvolution(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes, const Layout& images,
                        bool has_dense_filters);

  double packed_bytes() const { return packed_bytes_; }
  void pack(std::byte* to, const Filters& filters) const;

  // The memory that a run needs, aligned to 16.
  double workspace_bytes() const { return result_bytes_ + workspace_bytes_; }

  // As Convolution::run.
  void run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
           std::byte* workspace) const;

 private:
  struct Phase;

  // Whether a tap of the only filter has a place of its own for each element. Then the phases are the filters of one
  // convolution with one tap: ten times as fast, since eight filters take the time of one.
  bool joins_phases() const;
  Convolution joined() const;

  using Places = InlineVector<std::int64_t, 3>;
  // The phase whose first place this is. Phases are worked out when they are needed: a stride may have any number of them.
  Phase phase_at(const Places& first) const;
  // Goes to the first place of the next phase that has places. False behind the last one.
  bool next(Places& first) const;
  void repeat_bias(std::byte* to, const std::byte* bias, std::ptrdiff_t bias_step, const Phase& phase) const;
  void scatter(std::byte* to, const std::byte* from, const Phase& phase) const;

  Dtype dtype_;
  ConvolutionDims dims_;
  TransposedAxes axes_;
  Layout images_;
  bool has_dense_filters_;
  double packed_bytes_ = 0;
  double result_bytes_ = 0;  // of a phase, the largest
  double workspace_bytes_ = 0;
};

}  // namespace broadloom
