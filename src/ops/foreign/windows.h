// Windows that slide over images.
#pragma once

#include "ops/foreign/foreign.h"

namespace broadloom::foreign {

enum class Channels : std::uint8_t { first, last };

// The positions of an image's axes.
struct Image {
  std::size_t rank;
  bool has_last;

  Image(const Call& call, std::size_t its_rank, Channels channels = Channels::first)
      : rank(its_rank), has_last(channels == Channels::last || integer(call, "channels_last") != 0) {}
  std::size_t channel() const { return has_last ? rank - 1 : 1; }
  std::size_t first() const { return has_last ? 1 : 2; }
  std::size_t count() const { return rank - 2; }
};

// The number of positions of a window along an axis.
Size places(const Sizes& sizes, Size size, Size reach, Size stride, Size begin, Size end, bool rounds_up);

// Sets the sizes of an image's axes to the numbers of positions of windows of `kernel`.
void slide(const Call& call, const Image& image, const SymbolicDims& kernel, SymbolicDims& dims);

// The kernel's sizes from the attribute, or else from the weights.
SymbolicDims kernel_of(const Call& call, const Image& image, const SymbolicDims* weights);

// The dims of the image that weights slide over; both must have the same rank. Empty if no rank is known.
SymbolicDims image_of(const Call& call, const SymbolicDims* weights);

}  // namespace broadloom::foreign
