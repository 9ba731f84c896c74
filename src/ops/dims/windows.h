// Windows of convolutions and pools, which slide over the axes of an image.
#pragma once

#include <span>

#include "core/inline_vector.h"
#include "kernels/convolution/sliding.h"
#include "ops/call/operator.h"

namespace broadloom {

inline constexpr AttributeSpec auto_pad_attribute = one_of("auto_pad", "NOTSET SAME_UPPER SAME_LOWER VALID");

// The windows along one axis. Before a run, sizes may be symbolic.
struct WindowAxis {
  Size size = unknown_size;
  Size kernel = unknown_size;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  Size begin = 0;  // padding
  Size end = 0;
  Size places = unknown_size;

  // In a run.
  SlidingAxis numbers() const { return {size.number(), kernel.number(), stride, dilation, begin.number(), places.number()}; }
};
using WindowAxes = InlineVector<WindowAxis, 3>;

// The size of a window with its gaps: (kernel - 1) * dilation + 1.
Size reach_of(const Sizes& sizes, const WindowAxis& axis);

// The number of places of windows on an axis with padding: (size - reach) / stride + 1, of the padded size. Rounded up
// (attribute 'ceil_mode'), a last window is left out if it would start after the image and the padding before it. Below 1 if no
// window fits.
Size places_of(const Sizes& sizes, const WindowAxis& axis, bool rounds_up);

// Reads the attributes 'kernel_shape', 'strides' and 'dilations' for an image whose axes after the channels have the sizes
// `image`. `weights` are the kernel's sizes in the weights; without weights the attribute is required. Fails for lists of
// another length, for numbers below 1, and for a kernel that differs from the weights.
Result<WindowAxes> read_kernel(const Call& call, std::span<const Size> image, std::span<const Size> weights = {});

// Reads the attributes that read_kernel reads, and from 'pads' or 'auto_pad' and 'ceil_mode' the padding and the number of
// places. By ONNX's text, 'ceil_mode' changes nothing with 'auto_pad'. Also fails for negative padding, and where no window
// fits.
Result<WindowAxes> slide_windows(const Call& call, std::span<const Size> image, std::span<const Size> weights = {});

// The `count` numbers of an attribute, each from `least` to 2^31 - 1; `otherwise` for each if it is not given.
using Numbers = InlineVector<std::int64_t, 6>;
Result<Numbers> read_numbers(const Call& call, std::string_view name, std::size_t count, std::int64_t least,
                             std::int64_t otherwise);

// The padding before each axis and then after each: attribute 'pads', or zeros. Fails for padding beside an 'auto_pad' other
// than NOTSET: ONNX's text says that the two cannot be used simultaneously.
Result<Numbers> read_pads(const Call& call, std::size_t axes);

// In a run.
SlidingAxes numbers_of(const WindowAxes& axes);

// Operator::extra_work of a pool: about the number of elements of all windows.
double work_of_windows(const Call& call);

// An axis with the padding for which there are size / stride places, rounded up: 'auto_pad' SAME_UPPER or SAME_LOWER.
// The odd element of padding is at the end unless `is_lower`.
void pad_to_same(const Sizes& sizes, WindowAxis& axis, bool is_lower);

}  // namespace broadloom
