// Transposed convolutions: each element of an image adds a filter to the result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "core/status.h"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/planar.h"

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

// A transposed convolution. Along each axis, places at the same distance from a multiple of the stride have the same taps: they
// are a phase. The result is computed as one convolution for each phase. There is at most one phase for each tap. Places
// without taps have the bias. Elements are as in Convolution, and so is the result; or as in PlanarConvolution, if it is
// planar.
class TransposedConvolution {
 public:
  // `dims.axes` are not read. `images` is the layout of the batch, groups * channels, and the axes. `has_dense_filters` says
  // that taps of the filters lie in row-major order without gaps.
  static Result<TransposedConvolution> make(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes,
                                            const Layout& images, bool has_dense_filters);

  // Whether phases are computed by PlanarConvolution. Depends on dims and axes alone.
  static bool is_planar(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes);

  Count packed_bytes() const { return packed_bytes_; }
  Status pack(std::byte* to, const Filters& filters) const;
  // Whether packed filters have all taps. Then they do not depend on the sizes of images, unless these make phases join.
  bool has_all_taps() const { return has_all_taps_; }
  // Whether a tap of the only filter has a place of its own for each element. Then the phases are the filters of one
  // convolution with one tap: ten times as fast, since eight filters take the time of one.
  bool joins_phases() const;
  // Writes filters to where they were before they were packed, if these have all taps and more than one channel: from `to` on.
  void unpack(std::byte* to, const Filters& filters, const std::byte* packed) const;

  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const { return result_bytes_ + workspace_bytes_; }

  // As Convolution::run.
  Status run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
             std::byte* workspace) const;

 private:
  struct Phase;

  TransposedConvolution(Dtype dtype, const ConvolutionDims& dims, const TransposedAxes& axes, const Layout& images,
                        bool has_dense_filters);
  Status measure();

  template <class Axes>
  Count places_of(const Axes& axes) const;
  ConvolutionDims joined() const;

  using Places = InlineVector<std::int64_t, 3>;
  // A convolution of the images, by PlanarConvolution or Convolution. Both have the same packed filters.
  Count workspace_of(const ConvolutionDims& dims, bool is_planar) const;
  Status convolve(const ConvolutionDims& dims, bool is_planar, std::byte* to, const std::byte* images, const std::byte* packed,
                  const std::byte* bias, std::ptrdiff_t bias_step, std::byte* workspace) const;
  // The phase of these taps, which are the first ones of theirs.
  Phase phase_of(const Places& taps) const;
  // Moves to the first taps of the next phase; false behind the last one.
  bool go_on(Places& taps) const;
  Filters part_of(const Filters& filters, const Phase& phase) const;
  Filters joined(Filters filters) const;
  // Calls use(phase) for each phase that has places.
  template <class Use>
  Status for_phases(Use use) const;
  void repeat_bias(std::byte* to, const std::byte* bias, std::ptrdiff_t bias_step) const;
  Status scatter(std::byte* to, const std::byte* from, const Phase& phase) const;

  Dtype dtype_;
  ConvolutionDims dims_;
  TransposedAxes axes_;
  Layout images_;
  bool has_dense_filters_;
  bool is_planar_;
  bool has_places_without_taps_ = false;
  bool has_all_taps_ = true;
  Count packed_bytes_;
  Count result_bytes_;  // of a phase, the largest
  Count workspace_bytes_;
};

}  // namespace broadloom
