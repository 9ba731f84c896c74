// Col2Im: an image from the columns of its blocks. ONNX: onnx/defs/nn/defs.cc.
#include "kernels/convolution/col2im.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
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

using BlockAxes = InlineVector<BlockAxis, 8>;

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
    BlockAxis& axis = axes[i];
    BROADLOOM_TRY(dilation, entry(call, "dilations", i, axes.size(), 1));
    BROADLOOM_TRY(stride, entry(call, "strides", i, axes.size(), 1));
    BROADLOOM_TRY(before, entry(call, "pads", i, 2 * axes.size(), 0));
    BROADLOOM_TRY(after, entry(call, "pads", axes.size() + i, 2 * axes.size(), 0));
    axis = {image[i].number(), block[i].number(), dilation, stride, before, 0};
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
  if ((image.has_length ? image : block).size() == 0) return impossible("'image_shape' has no entries");
  if (image.has_length && block.has_length && image.size() != block.size()) {
    return impossible("image_shape is {} and block_shape {}, wanted lists of equal length", image.values.values(),
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
    for (const BlockAxis& axis : axes) count = sizes.multiply(count, axis.count);
    if (columns.is_ranked() && (differ(columns.dims()[2], count) || count == 0)) {
      return impossible("'input' has {} columns, but the image has {} blocks", columns.dims()[2], count);
    }
  }
  call.outputs[0] = known_dims(columns.dtype, dims);
  return {};
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
  BROADLOOM_TRY(result, unrounded(output, dtype));
  std::memset(result.data(), 0, dense_size(result));
  const auto planes = in_memory(output.run_dims()[0] * output.run_dims()[1]);
  const std::size_t plane = dense_size(result) / planes;
  const std::byte* from = columns.data();
  const double steps = 2 * static_cast<double>(columns.count()) / static_cast<double>(planes);
  for (std::size_t i = 0; i < planes; ++i) {
    BROADLOOM_CHECK(Watch::check(steps));
    from = add_columns(result.data() + i * plane, from, {axes.data(), axes.size()}, dtype);
  }
  return write_rounded(output, result);
}

}  // namespace

BROADLOOM_OPERATOR(op, col2im){.name = "Col2Im", .versions = versions, .prepare = prepare, .compute = compute};

}  // namespace broadloom
