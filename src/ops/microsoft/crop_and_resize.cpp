// com.microsoft: CropAndResize, parts of images at one size. onnxruntime: docs/ContribOperators.md.
#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/sampling/crop.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/checks.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec attributes[] = {with_default("extrapolation_value", FLOAT, 0), one_of("mode", "bilinear nearest")};
constexpr Parameter inputs[] = {{"X", T1}, {"rois", T1}, {"batch_indices", Dtype::int32}, Parameter::list("crop_size", T2)};
constexpr Parameter outputs[] = {{"Y", T1}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr OperatorVersion versions[] = {{1, &signature, {types::floats, types::int32}}};

Status prepare(Call& call) {
  const Tensor& image = *call.inputs[0];
  const Tensor& regions = *call.inputs[1];
  BROADLOOM_CHECK(want_rank(call, 0, 4));
  BROADLOOM_CHECK(want_dims(call, 1, {unknown_size, 4}));
  BROADLOOM_CHECK(want_rank(call, 2, 1));
  const Tensor& batches = *call.inputs[2];
  const Size count = regions.is_ranked() ? regions.dims()[0] : batches.is_ranked() ? batches.dims()[0] : unknown_size;
  BROADLOOM_CHECK(want_dims(call, 2, {count}));
  BROADLOOM_TRY(size, read_list(call, "crop_size"));
  if (size.has_length && size.size() != 2) return impossible("'crop_size' has {} entr{y}, wanted 2", size.size());
  for (const Size one : size.values) {
    if (one.is_number() && one.number() < 1) {
      return fail(Code::InvalidArgument, "'crop_size' is {}, wanted positive sizes", size.values.values());
    }
  }
  if (call.is_run() && !size.has_length) return {};
  const bool is_known = size.has_length;
  call.outputs[0] = known_dims(image.dtype, {count, image.is_ranked() ? image.dims()[1] : unknown_size,
                                             is_known ? size[0] : unknown_size, is_known ? size[1] : unknown_size});
  return {};
}

template <class T>
Status crop(const Call& call, const Tensor& image, const Tensor& result) {
  BROADLOOM_TRY(regions, in_type(*call.inputs[1], image.dtype));
  BROADLOOM_TRY(batches, densify(*call.inputs[2]));
  const std::span<const std::int64_t> dims = image.run_dims();
  const std::span<const std::int64_t> cropped = result.run_dims();
  const auto height = in_memory(cropped[2]);
  const auto width = in_memory(cropped[3]);
  BROADLOOM_TRY(memory, Storage::allocate((Count(cropped[2]) + cropped[3]) * sizeof(CropTap)));
  auto* const taps = reinterpret_cast<CropTap*>(memory->data());
  const std::span<CropTap> rows(taps, height);
  const std::span<CropTap> columns(taps + height, width);
  const bool is_nearest = call.word("mode") == "nearest";
  const T outside = static_cast<T>(call.number("extrapolation_value"));
  const std::int64_t plane = dims[2] * dims[3];
  const auto* corners = reinterpret_cast<const T*>(regions.data());
  auto* to = reinterpret_cast<T*>(result.data());
  for (std::int64_t i = 0; i < cropped[0]; ++i, corners += 4) {
    const std::int64_t batch = reinterpret_cast<const std::int32_t*>(batches.data())[i];
    if (batch < 0 || batch >= dims[0]) {
      return fail(Code::InvalidArgument, "region {} is one of image {}, but there are {}", i, batch, dims[0]);
    }
    BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(height + width)));
    place_crop<T>(rows, corners[0], corners[2], in_memory(dims[2]), is_nearest);
    place_crop<T>(columns, corners[1], corners[3], in_memory(dims[3]), is_nearest);
    const T* from = reinterpret_cast<const T*>(image.data()) + batch * dims[1] * plane;
    for (std::int64_t channel = 0; channel < dims[1]; ++channel, from += plane, to += height * width) {
      BROADLOOM_CHECK(Watch::check(4 * static_cast<double>(height) * static_cast<double>(width)));
      crop_plane<T>(to, from, in_memory(dims[3]), rows, columns, outside);
    }
  }
  return {};
}

Status compute(Call& call) {
  const Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  if (call.inputs[0]->count() == 0) return impossible("'X' has dims {}, without elements", call.inputs[0]->dims().values());
  const Dtype dtype = accumulate_type_of(output.dtype).dtype;
  BROADLOOM_TRY(image, in_type(*call.inputs[0], dtype));
  BROADLOOM_TRY(result, unrounded(output, dtype));
  BROADLOOM_CHECK(dtype == Dtype::float32 ? crop<float>(call, image, result) : crop<double>(call, image, result));
  return write_rounded(output, result);
}

}  // namespace

BROADLOOM_OPERATOR(op::microsoft, crop_and_resize){
    .name = "CropAndResize",
    .domain = "com.microsoft",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
