#include "ops/foreign/windows.h"

namespace broadloom::foreign {

Size places(const Sizes& sizes, Size size, Size reach, Size stride, Size begin, Size end, bool rounds_up) {
  const Size free = sizes.subtract(sizes.add(size, sizes.add(begin, end)), reach);
  if (!rounds_up) return sizes.add(sizes.floor_divide(free, stride), 1);
  const Size count = sizes.add(sizes.ceil_divide(free, stride), 1);
  // A window must not start after the image and the padding before it.
  if (sizes.is_natural(sizes.subtract(reach, sizes.add(stride, end)))) return count;
  if (!count.is_number() || !size.is_number()) return unknown_size;
  const Size start = sizes.multiply(sizes.subtract(count, 1), stride);
  const Size reached = sizes.add(size, begin);
  if (!start.is_number() || !reached.is_number()) return unknown_size;
  return start.number() >= reached.number() ? sizes.subtract(count, 1) : count;
}

void slide(const Call& call, const Image& image, const SymbolicDims& kernel, SymbolicDims& dims) {
  const Sizes sizes = call.sizes();
  const std::size_t count = image.count();
  const SymbolicDims strides = list_of(call, "strides", count, 1);
  const SymbolicDims dilations = list_of(call, "dilations", count, 1);
  const SymbolicDims pads = list_of(call, "pads", 2 * count, 0);
  const std::string_view automatic = text(call, "auto_pad");
  const bool rounds_up = integer(call, "ceil_mode") != 0;
  for (std::size_t i = 0; i < count; ++i) {
    Size& size = dims[image.first() + i];
    if (!strides[i].is_number() || strides[i].number() < 1) {
      size = unknown_size;
    } else if (automatic.starts_with("SAME")) {
      size = sizes.ceil_divide(size, strides[i]);
    } else {
      const bool is_valid = automatic == "VALID";
      const Size reach = sizes.add(sizes.multiply(sizes.subtract(kernel[i], 1), dilations[i]), 1);
      size = places(sizes, size, reach, strides[i], is_valid ? 0 : pads[i], is_valid ? 0 : pads[count + i], rounds_up);
    }
  }
}

SymbolicDims kernel_of(const Call& call, const Image& image, const SymbolicDims* weights) {
  SymbolicDims kernel = list_of(call, "kernel_shape", image.count(), unknown_size);
  if (weights == nullptr || image.has_last || list(call, "kernel_shape").is_given) return kernel;
  for (std::size_t i = 0; i < kernel.size(); ++i) kernel[i] = (*weights)[2 + i];
  return kernel;
}

SymbolicDims image_of(const Call& call, const SymbolicDims* weights) {
  const SymbolicDims* image = dims_of(call, 0);
  if (image != nullptr && weights != nullptr && image->size() != weights->size()) return {};
  if (image != nullptr) return *image;
  const IntegerList kernel = list(call, "kernel_shape");
  const std::size_t rank = weights != nullptr ? weights->size() : kernel.has_length ? kernel.size() + 2 : 0;
  return SymbolicDims(rank <= most_ruled_axes ? rank : 0, unknown_size);
}

}  // namespace broadloom::foreign
