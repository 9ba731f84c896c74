// Convolutions: filters that slide over images, whose channels lie side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "core/dtype.h"
#include "core/layout.h"
#include "kernels/convolution/channels_last.h"
#include "kernels/convolution/sliding.h"
#include "kernels/elementwise/finish.h"
#include "kernels/products/pairs.h"
#include "kernels/products/panels.h"
#include "kernels/products/rescale.h"
#include "kernels/products/scaled_bytes.h"
#include "kernels/products/tiles.h"

namespace broadloom {

struct ConvolutionDims {
  std::size_t batch = 1;
  std::size_t groups = 1;
  std::size_t channels = 1;  // of the image, in one group
  std::size_t filters = 1;   // in one group
  SlidingAxes axes;          // their pitches are not read

  std::size_t image_channels() const { return groups * channels; }
  std::size_t results() const { return groups * filters; }  // channels of the result
};

// Where the filters lie: strides in bytes from one group, filter and channel to the next, and the layout of taps, in elements.
// `scales` are those of all groups' filters where these are bytes that stand for float32.
struct Filters {
  const std::byte* data;
  std::ptrdiff_t group_step;
  std::ptrdiff_t filter_step;
  std::ptrdiff_t channel_step;
  Layout taps;
  Dtype dtype;
  const ByteScales* scales = nullptr;
};

// Writes the filters of a convolution as they were before they were packed: densely - groups, filters, channels, taps - or to
// other places. They are not depthwise; those of integers, which are written densely alone, stand for float32.
struct PackedFilters {
  Dtype dtype;
  std::size_t groups;
  std::size_t filters;  // in one group
  std::size_t channels;
  std::size_t taps;

  void unpack(std::byte* to, const std::byte* packed) const;
  // To these places, which lie behind `to`.
  void unpack(std::byte* to, const Filters& places, const std::byte* packed) const;
};

// Parameters of integers of 8 bits: the zero point of the images, and the zero point of each filter less offset_of its type
// (kernels/products/pairs.h), or nullptr if all of these are 0. Without a rescaling, results are the sums in int32.
struct Quantisation {
  int image_zero = 0;
  const std::int32_t* filter_zeros = nullptr;
  const Rescaling* rescaling = nullptr;
};

// A convolution made ready for dims and for the layout of the images. It runs any number of times, with elements at other
// addresses.
//
// The result is dense: batch, places, groups * filters, with the channels innermost. Each of its elements is the bias and sums
// of up to 256 products each, in the order of taps, and of channels within each. So its bits do not depend on the images'
// layout. Elements have a floating-point type of 16 bits or more; elements of two bytes are computed in float32 and rounded
// once. Or they are integers of 8 bits, whose sums are exact in int32.
//
// A run takes the time of places * filters * channels * taps multiplications. Images are read where they lie if their channels
// lie side by side, else they are copied.
class Convolution {
 public:
  // `images` is the layout of the batch, groups * channels, and the axes. `has_scaled_bytes`: the filters of a convolution of
  // float32 that is not depthwise are bytes (kernels/products/scaled_bytes.h). Results have the bits of those in float32.
  Convolution(Dtype dtype, ConvolutionDims dims, const Layout& images, bool has_scaled_bytes = false);

  // The packed form of filters depends on the dims, not on the layout of the images. The packed form of integer filters depends
  // on has_joined_rows, too.
  bool has_joined_rows() const { return has_joined_rows_; }
  Count packed_bytes() const;
  void pack(std::byte* to, const Filters& filters) const;

  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const;

  // `bias` has an element for each channel of the result, `bias_step` bytes apart; or it is nullptr. A bias for integers is
  // int32.
  Status run(std::byte* to, const std::byte* images, const std::byte* packed, const std::byte* bias, std::ptrdiff_t bias_step,
             std::byte* workspace, Finish* finish = nullptr, const Quantisation& quantisation = {}) const;

 private:
  struct Parts;

  const SlidingAxis& last_axis() const { return dims_.axes.values().back(); }
  std::size_t taps() const { return rows_ * row_taps_; }
  // A depthwise convolution has one channel in each group.
  bool is_depthwise() const { return dims_.channels == 1 && dims_.groups > 1; }
  // The elements of a row of taps follow each other, as one run.
  bool joins_rows(const Layout& images) const;
  // Products of two elements at a time.
  bool is_paired() const { return types_.size == 1; }
  std::size_t items_of(std::size_t elements) const { return is_paired() ? pairs_of(elements) : elements; }
  std::size_t panel_step() const { return is_paired() ? pair_panel_step : filter_types_.constant_row(); }
  // The bytes of an element of an image.
  std::size_t image_size() const { return is_paired() ? sizeof(std::int16_t) : types_.accumulate_size; }
  // The elements of the image that follow each other for one address, and the rows of panels for all of them.
  std::size_t run_elements() const { return dims_.channels * (has_joined_rows_ ? row_taps_ : 1); }
  std::size_t panel_rows() const { return (has_joined_rows_ ? rows_ : taps()) * items_of(run_elements()); }
  std::size_t panels() const { return types_.panels(dims_.filters) * dims_.groups; }
  ImageForm form_of_images() const;
  SlidingAxes axes_in(const ChannelsLast& images) const;
  void write_products(std::byte* to, const Rows& rows, const std::byte* packed, const std::byte* bias,
                      const std::int32_t* zeros) const;

  ConvolutionDims dims_;
  ItemTypes types_;
  ItemTypes filter_types_;
  WriteBlock write_;
  std::size_t rows_ = 1;      // of taps along the last axis
  std::size_t row_taps_ = 1;  // in each
  bool has_joined_rows_;
  ChannelsLast images_;
  WindowAddresses windows_;
  std::size_t block_;  // windows at a time
};

}  // namespace broadloom
