#include "ops/image/target.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"

namespace broadloom {
namespace {

// A list of floats. One without entries counts as omitted: before version 13, files cannot omit scales in another way.
struct OptionalNumbers {
  bool may_be_given = false;
  bool are_known = false;
  InlineVector<double, 8> values;  // some, if it is known to be given

  bool are_given() const { return !values.empty(); }
};

Result<OptionalNumbers> read_numbers(const Tensor* tensor, std::string_view name) {
  if (tensor == nullptr) return OptionalNumbers{};
  if (tensor->is_ranked() && tensor->dims().size() != 1) {
    return impossible("{} has dims {}, wanted one axis", quoted(name), tensor->dims().values());
  }
  if (!tensor->is_ranked() || !tensor->dims()[0].is_number()) return OptionalNumbers{true, false, {}};
  const std::int64_t count = tensor->dims()[0].number();
  if (count > static_cast<std::int64_t>(2 * most_axes)) {
    return impossible("{} has {} entries, more than {}", quoted(name), count, 2 * most_axes);
  }
  OptionalNumbers numbers{count > 0, tensor->has_elements(), InlineVector<double, 8>(in_memory(count))};
  if (numbers.are_known && count > 0) {
    BROADLOOM_TRY(doubles, in_type(*tensor, Dtype::float64));
    std::memcpy(numbers.values.data(), doubles.data(), numbers.values.size() * sizeof(double));
  }
  return Result<OptionalNumbers>(std::move(numbers));
}

Result<OptionalNumbers> read_scales(const Call& call) {
  if (call.version.since_version == 1) {
    OptionalNumbers numbers{true, true, InlineVector<double, 8>(4, 1)};
    numbers.values[2] = static_cast<double>(call.number("height_scale"));
    numbers.values[3] = static_cast<double>(call.number("width_scale"));
    return Result<OptionalNumbers>(std::move(numbers));
  }
  const Tensor* attribute = call.attributes.find_tensor("scales");
  return read_numbers(attribute != nullptr ? attribute : call.input(input_named(call.version, "scales")), "scales");
}

// The axes that the entries of arguments are for.
Result<SymbolicDims> named_axes(const Call& call, std::size_t rank) {
  BROADLOOM_TRY(list, read_list(call, "axes"));
  SymbolicDims axes(list.size() > 0 ? list.size() : rank);
  if (list.size() > 0) BROADLOOM_CHECK(resolve_axes("axes", list.numbers(), rank));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = static_cast<std::int64_t>(list.size() > 0 ? *resolve_axis("axes", list[i].number(), rank) : i);
  }
  return Result<SymbolicDims>(std::move(axes));
}

Status check_entries(std::string_view name, std::size_t entries, std::size_t wanted) {
  if (entries == wanted) return {};
  return impossible("{} has {} entr{y}, wanted {}", quoted(name), entries, wanted);
}

// ONNX infers the product of float32: an axis of 10 and a scale of 0.7 give 7. In doubles, the scale that float32 has for 0.7
// would give less.
double length_of(std::int64_t size, double scale) {
  const auto number = static_cast<double>(size);
  if (has_few_places(scale)) return number * scale;
  return static_cast<double>(static_cast<float>(number) * static_cast<float>(scale));
}

// The length without its fraction.
Size scaled(const Sizes& sizes, Size size, double scale) {
  if (size.is_number()) {
    const double length = std::floor(length_of(size.number(), scale));
    return length <= static_cast<double>(max_count) ? Size(static_cast<std::int64_t>(length)) : unknown_size;
  }
  if (!has_few_places(scale) || scale > 65536) return unknown_size;
  return sizes.floor_divide(sizes.multiply(size, static_cast<std::int64_t>(scale * 256)), 256);
}

Status set_scale(const Sizes& sizes, double scale, double least, std::size_t i, Size& size, ResizedAxis& axis) {
  if (!(scale > 0 && scale >= least && std::isfinite(scale))) {
    return impossible("scales has {} for axis {}, wanted a number {} {}", scale, i, least > 0 ? "from" : "above", least);
  }
  axis.numerator = scale;
  axis.length = length_of(axis.from, scale);
  const Size result = scaled(sizes, size, scale);
  if (size.is_number() && !result.is_number()) {
    return fail(Code::OutOfMemory, "axis {} of size {} is too large for scale {}", i, size, scale);
  }
  size = result;
  return {};
}

Status set_size(Size wanted, std::size_t i, Size& size, ResizedAxis& axis) {
  if (wanted.is_negative() || (size == 0 && differ(wanted, 0))) {
    return impossible("axis {} of size {} cannot get size {}", i, size, wanted);
  }
  if (wanted.is_number()) {
    axis.length = static_cast<double>(wanted.number());
    axis.numerator = axis.from == 0 ? 1 : axis.length;
    axis.denominator = axis.from == 0 ? 1 : static_cast<double>(axis.from);
  }
  size = wanted;
  return {};
}

// One scale for all axes that are named: the least or greatest one.
Status keep_aspect(ResizeTarget& target, const SymbolicDims& named, bool is_larger) {
  const auto at = [&](Size axis) -> ResizedAxis& { return target.axes[in_memory(axis.number())]; };
  ResizedAxis best = at(named[0]);
  for (const Size axis : named) {
    const double own = at(axis).numerator * best.denominator;
    const double other = best.numerator * at(axis).denominator;
    if (is_larger ? own > other : own < other) best = at(axis);
  }
  for (const Size axis : named) {
    const auto i = in_memory(axis.number());
    target.axes[i].numerator = best.numerator;
    target.axes[i].denominator = best.denominator;
    const double length = static_cast<double>(target.axes[i].from) * best.numerator / best.denominator;
    target.axes[i].length = length;
    if (length >= static_cast<double>(max_count)) return fail(Code::OutOfMemory, "axis {} gets size {}, too large", i, length);
    target.dims[i] = static_cast<std::int64_t>(std::floor(length + 0.5));
  }
  return {};
}

}  // namespace

bool ResizeTarget::is_unchanged() const {
  return is_known && std::all_of(axes.begin(), axes.end(), [](const ResizedAxis& axis) { return axis.is_unchanged(); });
}

std::size_t word_number(const Call& call, std::string_view name) {
  const std::string_view word = call.word(name);
  std::string_view words = find_spec(call.version, name)->words;
  std::size_t number = 0;
  for (; words.substr(0, words.find(' ')) != word; ++number) words.remove_prefix(words.find(' ') + 1);
  return number;
}

Result<ResizeTarget> target_of(const Call& call, double least_scale) {
  const Tensor& data = *call.inputs[0];
  BROADLOOM_TRY(scales, read_scales(call));
  BROADLOOM_TRY(wanted, read_list(call, "sizes"));
  const bool has_sizes = wanted.size() > 0;
  if (has_sizes && scales.are_given()) return impossible("scales and sizes are both given, wanted one of them");
  if (!scales.may_be_given && (!wanted.is_given || (wanted.has_length && !has_sizes))) {
    return impossible("neither scales nor sizes are given");
  }
  const std::size_t policy =
      find_spec(call.version, "keep_aspect_ratio_policy") == nullptr ? 0 : word_number(call, "keep_aspect_ratio_policy");
  if (policy != 0 && scales.are_given()) return impossible("keep_aspect_ratio_policy is for sizes, not for scales");

  ResizeTarget target;
  if (!data.is_ranked()) {
    // There is one entry for each axis.
    if (call.attributes.find("axes") == nullptr && (has_sizes || scales.are_given())) {
      target.is_ranked = true;
      target.dims = SymbolicDims(has_sizes ? wanted.size() : scales.values.size(), unknown_size);
      if (target.dims.size() > most_axes) BROADLOOM_CHECK(check_rank(target.dims.size()));
    }
    return Result<ResizeTarget>(std::move(target));
  }
  target.is_ranked = true;
  target.dims = data.dims();
  target.axes = ResizedAxes(target.dims.size());
  for (std::size_t i = 0; i < target.axes.size(); ++i) {
    if (target.dims[i].is_number()) target.axes[i].from = target.axes[i].to = target.dims[i].number();
  }
  BROADLOOM_TRY(named, named_axes(call, target.dims.size()));
  if (scales.are_given()) BROADLOOM_CHECK(check_entries("scales", scales.values.size(), named.size()));
  if (has_sizes) BROADLOOM_CHECK(check_entries("sizes", wanted.size(), named.size()));
  const bool has_scales = scales.are_given() && scales.are_known;
  target.is_known = has_sizes || has_scales;
  for (std::size_t k = 0; k < named.size(); ++k) {
    const auto i = in_memory(named[k].number());
    Size& size = target.dims[i];
    target.is_known = target.is_known && size.is_number();
    if (has_sizes) {
      BROADLOOM_CHECK(set_size(wanted[k], i, size, target.axes[i]));
    } else if (has_scales) {
      BROADLOOM_CHECK(set_scale(call.sizes(), scales.values[k], least_scale, i, size, target.axes[i]));
    } else {
      size = unknown_size;
    }
  }
  for (const Size axis : named) {
    target.is_known = target.is_known && target.dims[in_memory(axis.number())].is_number();
  }
  if (policy != 0) {
    if (target.is_known) BROADLOOM_CHECK(keep_aspect(target, named, policy == 2));
    for (const Size axis : named) {
      if (!target.is_known) target.dims[in_memory(axis.number())] = unknown_size;
    }
  }
  target.is_known = target.is_known && are_numbers(target.dims);
  for (std::size_t i = 0; i < target.axes.size() && target.is_known; ++i) target.axes[i].to = target.dims[i].number();
  return Result<ResizeTarget>(std::move(target));
}

Result<bool> read_regions(const Call& call, ResizedAxes& axes) {
  const std::size_t input = input_named(call.version, "roi");
  BROADLOOM_TRY(regions, read_numbers(input < call.version.inputs().size() ? call.input(input) : nullptr, "roi"));
  if (!regions.may_be_given) return true;
  BROADLOOM_TRY(named, named_axes(call, axes.size()));
  BROADLOOM_CHECK(check_entries("roi", regions.values.size(), 2 * named.size()));
  for (std::size_t k = 0; k < named.size(); ++k) {
    ResizedAxis& axis = axes[in_memory(named[k].number())];
    axis.start = regions.values[k];
    axis.end = regions.values[named.size() + k];
  }
  return regions.are_known;
}

}  // namespace broadloom
