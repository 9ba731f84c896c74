// Col2Im: an image from the columns of its blocks. ONNX: onnx/defs/nn/defs.cc.
#include <algorithm>
#include <cstring>

#include "core/text.h"
#include "kernels/convert.h"
#include "kernels/fold_columns.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {{"dilations", INTS}, {"pads", INTS}, {"strides", INTS}};
constexpr Parameter inputs[] = {{"input", T}, {"image_shape", Dtype::int64}, {"block_shape", Dtype::int64}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature{attributes, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{18, &signature, {types::all_opset_13}}};

// The blocks along an axis of the image.
struct Blocks {
  std::int64_t image;
  std::int64_t block;
  std::int64_t dilation = 1;
  std::int64_t stride = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t count = 0;
};
using BlockAxes = InlineVector<Blocks, 8>;

// A number of an attribute's list, which must be from `least` to what products of two of them cannot overflow.
Result<std::int64_t> entry(const Call& call, std::string_view name, std::size_t i, std::size_t length, std::int64_t least) {
  BROADLOOM_TRY(list, read_list(call, name, 2 * most_axes));
  if (!list.is_given) return least;
  if (list.size() != length) return impossible("{} has {} entr{y}, wanted {}", quoted(name), list.size(), length);
  const Size value = list[i];
  if (!value.is_number() || value.number() < least || value.number() > INT32_MAX) {
    return impossible("{} is {}, wanted {} to {}", quoted(name), list.values.values(), least, INT32_MAX);
  }
  return value.number();
}

// For sizes that are numbers.
Result<BlockAxes> blocks_of(const Call& call, const IntegerList& image, const IntegerList& block) {
  BlockAxes axes(image.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Blocks& axis = axes[i];
    BROADLOOM_TRY(dilation, entry(call, "dilations", i, axes.size(), 1));
    BROADLOOM_TRY(stride, entry(call, "strides", i, axes.size(), 1));
    BROADLOOM_TRY(before, entry(call, "pads", i, 2 * axes.size(), 0));
    BROADLOOM_TRY(after, entry(call, "pads", axes.size() + i, 2 * axes.size(), 0));
    axis = {image[i].number(), block[i].number(), dilation, stride, before, after};
    if (axis.image < 0 || axis.image > max_count || axis.block < 1 || axis.block > INT32_MAX) {
      return impossible("axis {} has {} elements and blocks of {}", i, axis.image, axis.block);
    }
    const std::int64_t rest = axis.image + before + after - dilation * (axis.block - 1) - 1;
    axis.count = rest < 0 ? 0 : rest / stride + 1;
  }
  return Result<BlockAxes>(std::move(axes));
}

Status prepare(Call& call) {
  const Tensor& columns = *call.inputs[0];
  if (columns.dtype == Dtype::string) return fail(Code::InvalidArgument, "strings have no sums");
  if (columns.is_ranked() && columns.dims().size() != 3) {
    return impossible("'input' has dims {}, wanted 3 axes", columns.dims().values());
  }
  BROADLOOM_TRY(image, read_list(call, "image_shape", most_axes - 2));
  BROADLOOM_TRY(block, read_list(call, "block_shape", most_axes - 2));
  if (!image.has_length && !block.has_length) return {};
  if (image.has_length && block.has_length && image.size() != block.size()) {
    return impossible("image_shape is {} and block_shape {}, wanted as many entries", image.values.values(),
                      block.values.values());
  }
  const Sizes sizes = call.sizes();
  const std::size_t rank = image.has_length ? image.size() : block.size();
  SymbolicDims dims(rank + 2, unknown_size);
  for (std::size_t i = 0; i < rank && image.has_length; ++i) dims[2 + i] = image[i];
  if (columns.is_ranked()) {
    dims[0] = columns.dims()[0];
    const Size elements = block.has_length ? sizes.product(block.values.values()) : unknown_size;
    const Size channels = columns.dims()[1];
    if (elements.is_number() && channels.is_number() && elements.number() > 0 && channels.number() % elements.number() != 0) {
      return impossible("'input' has {} rows, which is not a multiple of the {} elements of a block", channels, elements);
    }
    if (!elements.is_number() || elements.number() > 0) dims[1] = sizes.floor_divide(channels, elements);
  }
  if (image.are_numbers() && block.are_numbers()) {
    BROADLOOM_TRY(axes, blocks_of(call, image, block));
    Size count = 1;
    for (const Blocks& axis : axes) count = sizes.multiply(count, axis.count);
    if (columns.is_ranked() && (differ(columns.dims()[2], count) || count == 0)) {
      return impossible("'input' has {} columns, but the image has {} blocks", columns.dims()[2], count);
    }
  }
  call.outputs[0] = known_dims(columns.dtype, dims);
  return {};
}

// Adds the elements of one place of a block, of all blocks, to the image.
void add_column(std::byte* image, const std::byte* column, const BlockAxes& axes, const Dims& place, Dtype dtype) {
  const std::size_t size = item_size(dtype);
  const std::size_t last = axes.size() - 1;
  const auto first_of = [&](std::size_t i) { return place[i] * axes[i].dilation - axes[i].before; };
  const Blocks& inner = axes[last];
  // The blocks whose element lies in the image, along the last axis.
  const std::int64_t first = first_of(last);
  const std::int64_t low = first < 0 ? std::min((-first + inner.stride - 1) / inner.stride, inner.count) : 0;
  const std::int64_t high =
      first >= inner.image ? low : std::clamp((inner.image - 1 - first) / inner.stride + 1, low, inner.count);
  Dims at(last, 0);
  for (;;) {
    std::int64_t row = 0;
    bool is_inside = low < high;
    for (std::size_t i = 0; i < last; ++i) {
      const std::int64_t index = first_of(i) + at[i] * axes[i].stride;
      is_inside = is_inside && index >= 0 && index < axes[i].image;
      row = row * axes[i].image + index;
    }
    if (is_inside) {
      const std::int64_t to = row * inner.image + first + low * inner.stride;
      add_apart(image + static_cast<std::size_t>(to) * size, static_cast<std::size_t>(inner.stride),
                column + static_cast<std::size_t>(low) * size, static_cast<std::size_t>(high - low), dtype);
    }
    column += static_cast<std::size_t>(inner.count) * size;
    std::size_t i = last;
    while (i > 0 && ++at[i - 1] == axes[i - 1].count) at[--i] = 0;
    if (i == 0) return;
  }
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(image, read_list(call, "image_shape"));
  BROADLOOM_TRY(block, read_list(call, "block_shape"));
  BROADLOOM_TRY(axes, blocks_of(call, image, block));
  // Sums of halves are rounded once.
  const Dtype dtype = is_half(output.dtype) ? Dtype::float32 : output.dtype;
  BROADLOOM_TRY(columns, in_type(*call.inputs[0], dtype));
  Tensor result = output;
  if (dtype != output.dtype) {
    BROADLOOM_TRY(wide, make_tensor(dtype, output.dims()));
    result = std::move(wide);
  }
  std::memset(result.data(), 0, dense_size(result));
  const std::size_t column = static_cast<std::size_t>(columns.run_dims()[2]) * item_size(dtype);
  const auto planes = static_cast<std::size_t>(output.run_dims()[0] * output.run_dims()[1]);
  const std::size_t plane = dense_size(result) / planes;
  const std::byte* from = columns.data();
  for (std::size_t i = 0; i < planes && !axes.empty(); ++i) {
    Dims place(axes.size(), 0);
    for (bool is_done = false; !is_done; from += column) {
      add_column(result.data() + i * plane, from, axes, place, dtype);
      std::size_t axis = axes.size();
      while (axis > 0 && ++place[axis - 1] == axes[axis - 1].block) place[--axis] = 0;
      is_done = axis == 0;
    }
  }
  if (dtype != output.dtype)
    convert(output.data(), output.dtype, result.data(), dtype, static_cast<std::size_t>(output.count()));
  return {};
}

}  // namespace

constinit const Operator op::col2im{.name = "Col2Im", .versions = versions, .prepare = prepare, .compute = compute};

}  // namespace broadloom
