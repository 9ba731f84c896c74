// Windows that slide over images.
#pragma once

#include "ops/foreign/foreign.h"

namespace broadloom::foreign {

enum class Channels : std::uint8_t { first, last };

// Where the axes of an image are.
struct Image {
  std::size_t rank;
  bool has_last;

  Image(const Call& call, std::size_t its_rank, Channels channels = Channels::first)
      : rank(its_rank), has_last(channels == Channels::last || integer(call, "channels_last") != 0) {}
  std::size_t channel() const { return has_last ? rank - 1 : 1; }
  std::size_t first() const { return has_last ? 1 : 2; }
  std::size_t count() const { return rank - 2; }
};

// How many places a window has along an axis.
Size places(const Sizes& sizes, Size size, Size reach, Size stride, Size begin, Size end, bool rounds_up);

// Sets the sizes of an image's axes to those that are left when windows of `kernel` slide over them.
void slide(const Call& call, const Image& image, const Dims& kernel, Dims& dims);

// The kernel as the attribute says, or as the weights do.
Dims kernel_of(const Call& call, const Image& image, const Dims* weights);

// The dims of an image that weights slide over: all have one rank. Empty where that is not known.
Dims image_of(const Call& call, const Dims* weights);

// The size of an image before windows slid over it.
Size unslid(const Sizes& sizes, Size size, Size reach, Size stride, Size pads);

}  // namespace broadloom::foreign
