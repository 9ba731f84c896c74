#include "media/image_data.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/count.h"
#include "ops/call/dense.h"

namespace broadloom {

namespace {

bool has_numbers(Dtype type) {
  const DtypeKind kind = info(type).kind;
  return kind != DtypeKind::string && kind != DtypeKind::complex;
}

// The tensor as [height, width, channels], whatever its layout is.
Result<Tensor> as_pixels(const Tensor& tensor, ImageLayout layout) {
  const std::span<const std::int64_t> dims = tensor.run_dims();
  const bool has_batch = dims.size() == 4;
  if (dims.size() < 2 || dims.size() > 4) {
    return fail(Code::InvalidArgument,
                "the tensor has dims {}: an image has [height, width], or channels and a batch of 1 besides", dims);
  }
  if (has_batch && dims[0] != 1) {
    return fail(Code::InvalidArgument, "the tensor has dims {}: that is a batch of {}; take one image of it", dims, dims[0]);
  }
  const std::size_t first = has_batch ? 1 : 0;
  const bool is_channels_first = layout == ImageLayout::nchw || layout == ImageLayout::chw;
  const auto axes = [&]() -> std::array<std::size_t, 3> {
    if (is_channels_first) return {first + 1, first + 2, first};
    return {first, first + 1, first + 2};
  }();
  Layout pixels{SymbolicDims(3), Dims(3)};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_gray = dims.size() == 2;
    pixels.dims[i] = is_gray ? (i == 2 ? Size(1) : tensor.layout->dims[i]) : tensor.layout->dims[axes[i]];
    pixels.strides[i] = is_gray ? (i == 2 ? 0 : tensor.layout->strides[i]) : tensor.layout->strides[axes[i]];
  }
  const std::int64_t channels = pixels.run_dims()[2];
  if (channels != 1 && channels != 3 && channels != 4) {
    return fail(Code::InvalidArgument, "the tensor has dims {}: {} channels, wanted 1, 3 or 4{}", dims, channels,
                is_channels_first ? " (the layout 'nhwc' has them last)" : " (the layout 'nchw' has them first)");
  }
  return Tensor{tensor.dtype, LayoutRef(pixels), tensor.storage, tensor.offset};
}

std::byte byte_of(float x) {
  return static_cast<std::byte>(static_cast<int>(std::nearbyint(x >= 0 ? std::min(x, 255.0F) : 0.0F)));
}

}  // namespace

Result<Tensor> image_of(const Tensor& tensor, const PictureOptions& options) {
  if (!has_numbers(tensor.dtype)) {
    return fail(Code::UnsupportedType, "elements of {} are not numbers", info(tensor.dtype).name);
  }
  BROADLOOM_TRY(pixels, as_pixels(tensor, options.layout));
  const auto channels = in_memory(pixels.run_dims()[2]);
  BROADLOOM_CHECK(check_scale(options.scale, channels));
  const std::int64_t dims[] = {pixels.run_dims()[0], pixels.run_dims()[1], 4};
  BROADLOOM_CHECK(checked_count(std::span<const std::int64_t>(dims)));
  BROADLOOM_TRY(dense, densify(pixels));
  BROADLOOM_TRY(floats, in_type(dense, Dtype::float32));
  BROADLOOM_TRY(result, make_tensor(Dtype::uint8, Dims(std::span<const std::int64_t>(dims))));
  float factors[4];
  float offsets[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const double scale = options.scale.scale.of(0, 1);
    factors[i] = static_cast<float>(options.scale.std.of(i, 1) / scale);
    offsets[i] = static_cast<float>(options.scale.mean.of(i, 0) / scale);
  }
  const auto* from = reinterpret_cast<const float*>(floats.data());
  const auto count = in_memory(dims[0] * dims[1]);
  std::byte* to = result.data();
  for (std::size_t i = 0; i < count; ++i, from += channels, to += 4) {
    to[3] = std::byte{255};
    for (std::size_t c = 0; c < channels; ++c) to[c] = byte_of(from[c] * factors[c] + offsets[c]);
    if (channels == 1) to[1] = to[2] = to[0];
    if (options.is_bgr) std::swap(to[0], to[2]);
  }
  return std::move(result);
}

}  // namespace broadloom
