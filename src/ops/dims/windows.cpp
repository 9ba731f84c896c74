#include "ops/dims/windows.h"

#include <algorithm>

#include "core/text.h"
#include "ops/call/arguments.h"

namespace broadloom {
namespace {

// Numbers of this size and more are refused: sums of a few products of an axis with them do not overflow.
constexpr std::int64_t too_large = std::int64_t{1} << 31;

}  // namespace

Result<Numbers> read_numbers(const Call& call, std::string_view name, std::size_t count, std::int64_t least,
                             std::int64_t otherwise) {
  BROADLOOM_TRY(list, read_list(call, name, 2 * most_axes));
  Numbers numbers(count, otherwise);
  if (!list.is_given) return numbers;
  if (list.size() != count) {
    return impossible("attribute '{}' is {}, wanted {} numbers", name, list.values.values(), count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    // Before a run, an integer of a file that is reserved for symbolic sizes is too large, too.
    const std::int64_t number = list[i].is_number() ? list[i].number() : too_large;
    if (number < least || number >= too_large) {
      return impossible("attribute '{}' is {}, wanted numbers from {} to {}", name, list.values.values(), least, too_large - 1);
    }
    numbers[i] = number;
  }
  return numbers;
}

Size reach_of(const Sizes& sizes, const WindowAxis& axis) {
  return sizes.add(sizes.multiply(sizes.subtract(axis.kernel, 1), axis.dilation), 1);
}

Result<Numbers> read_pads(const Call& call, std::size_t axes) {
  BROADLOOM_TRY(pads, read_numbers(call, "pads", 2 * axes, 0, 0));
  const std::string_view automatic = call.word("auto_pad");
  const bool is_given = automatic.empty() || automatic == "NOTSET";
  if (!is_given && std::any_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad != 0; })) {
    return impossible("attributes 'pads' {} and 'auto_pad' {} cannot be used together", pads.values(), automatic);
  }
  return pads;
}

Size places_of(const Sizes& sizes, const WindowAxis& axis, bool rounds_up) {
  const Size reach = reach_of(sizes, axis);
  const Size free = sizes.subtract(sizes.add(axis.size, sizes.add(axis.begin, axis.end)), reach);
  if (!rounds_up) return sizes.add(sizes.floor_divide(free, axis.stride), 1);
  const Size count = sizes.add(sizes.ceil_divide(free, axis.stride), 1);
  if (sizes.is_natural(sizes.subtract(reach, sizes.add(axis.stride, axis.end)))) return count;
  if (!count.is_number() || !axis.size.is_number() || !axis.begin.is_number()) return unknown_size;
  const bool starts_behind = (count.number() - 1) * axis.stride >= axis.size.number() + axis.begin.number();
  return starts_behind ? Size(count.number() - 1) : count;
}

Result<WindowAxes> read_kernel(const Call& call, std::span<const Size> image, std::span<const Size> weights) {
  const std::size_t count = image.size();
  const bool has_attribute = call.attributes.find("kernel_shape") != nullptr;
  if (!has_attribute && weights.empty()) return impossible("attribute {} is missing", quoted("kernel_shape"));
  BROADLOOM_TRY(kernel, read_numbers(call, "kernel_shape", count, 1, 0));
  BROADLOOM_TRY(strides, read_numbers(call, "strides", count, 1, 1));
  BROADLOOM_TRY(dilations, read_numbers(call, "dilations", count, 1, 1));
  WindowAxes axes(count);
  for (std::size_t i = 0; i < count; ++i) {
    WindowAxis& axis = axes[i];
    axis.size = image[i];
    axis.stride = strides[i];
    axis.dilation = dilations[i];
    if (has_attribute) axis.kernel = kernel[i];
    if (weights.empty()) continue;
    if (has_attribute && differ(axis.kernel, weights[i])) {
      return impossible("attribute 'kernel_shape' is {}, but the weights have {}",
                        std::span<const std::int64_t>(kernel.values()), weights);
    }
    axis.kernel = weights[i];
    if (axis.kernel == 0) return impossible("the weights have no elements on an axis of the kernel: {}", weights);
  }
  return axes;
}

void pad_to_same(const Sizes& sizes, WindowAxis& axis, bool is_lower) {
  axis.places = sizes.ceil_divide(axis.size, axis.stride);
  const Size end = sizes.add(sizes.multiply(sizes.subtract(axis.places, 1), axis.stride), reach_of(sizes, axis));
  const Size all = sizes.maximum(sizes.subtract(end, axis.size), 0);
  const Size half = sizes.floor_divide(all, 2);
  axis.begin = is_lower ? sizes.subtract(all, half) : half;
  axis.end = sizes.subtract(all, axis.begin);
}

Result<WindowAxes> slide_windows(const Call& call, std::span<const Size> image, std::span<const Size> weights) {
  BROADLOOM_TRY(axes, read_kernel(call, image, weights));
  BROADLOOM_TRY(pads, read_pads(call, axes.size()));
  const Sizes sizes = call.sizes();
  const std::string_view automatic = call.word("auto_pad");
  const bool rounds_up = call.integer("ceil_mode") != 0 && automatic == "NOTSET";
  for (std::size_t i = 0; i < axes.size(); ++i) {
    WindowAxis& axis = axes[i];
    if (automatic.starts_with("SAME")) {
      pad_to_same(sizes, axis, automatic == "SAME_LOWER");
      continue;
    }
    if (automatic != "VALID") {
      axis.begin = pads[i];
      axis.end = pads[axes.size() + i];
    }
    axis.places = places_of(sizes, axis, rounds_up);
    const Size reach = reach_of(sizes, axis);
    const Size padded = sizes.add(axis.size, sizes.add(axis.begin, axis.end));
    const bool is_larger = reach.is_number() && padded.is_number() && reach.number() > padded.number();
    if (is_larger && axis.places.is_number() && axis.places.number() < 1) {
      return impossible("a window reaches over {} elements of axis {}, which has {} with its padding", reach, 2 + i, padded);
    }
  }
  return axes;
}

double work_of_windows(const Call& call) {
  const Tensor& output = call.outputs[0];
  double work = output.is_ranked() ? static_cast<double>(output.count()) : 0;
  const Result<IntegerList> kernel = read_list(call, "kernel_shape");
  if (!kernel) Error::forget();
  for (std::size_t i = 0; kernel && i < kernel->size(); ++i)
    work *= static_cast<double>(std::max<std::int64_t>((*kernel)[i].word(), 1));
  return work;
}

SlidingAxes numbers_of(const WindowAxes& axes) {
  SlidingAxes numbers(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) numbers[i] = axes[i].numbers();
  return numbers;
}

}  // namespace broadloom
