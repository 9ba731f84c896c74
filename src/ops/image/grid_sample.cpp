// GridSample of ONNX and of com.microsoft, and AffineGrid: images at the points of a grid. ONNX: onnx/defs/tensor/defs.cc and
// old.cc; onnxruntime: docs/ContribOperators.md.
#include <algorithm>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/elementwise/loops.h"
#include "kernels/movement/copy.h"
#include "kernels/sampling/grid.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/image/averages.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum TypeVariable;

constexpr AttributeSpec align_corners = with_default("align_corners", INT, 0);
constexpr AttributeSpec padding_mode = one_of("padding_mode", "zeros border reflection");
constexpr AttributeSpec attributes_16[] = {align_corners, one_of("mode", "bilinear nearest bicubic"), padding_mode};
constexpr AttributeSpec attributes[] = {align_corners, one_of("mode", "linear nearest cubic"), padding_mode};
constexpr Parameter inputs[] = {{"X", T1}, {"grid", T2}};
constexpr Parameter outputs[] = {{"Y", T1}};
constexpr Signature signature_16{attributes_16, inputs, outputs, {T1, T2}};
constexpr Signature signature{attributes, inputs, outputs, {T1, T2}};
constexpr OperatorVersion versions[] = {
    {16, &signature_16, {types::all_opset_1, types::floats}},
    {20, &signature, {types::all_opset_1, types::floats}},
    {22, &signature, {types::all_opset_13, types::floats | types::added_13}},
};

constexpr Parameter microsoft_inputs[] = {{"X", T1}, {"Grid", T1}};
constexpr Signature microsoft_signature{attributes_16, microsoft_inputs, outputs, {T1}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {types::floats}}};

constexpr AttributeSpec affine_attributes[] = {align_corners};
constexpr Parameter affine_inputs[] = {{"theta", T1}, {"size", T2}};
constexpr Parameter affine_outputs[] = {{"grid", T1}};
constexpr Signature affine_signature{affine_attributes, affine_inputs, affine_outputs, {T1, T2}};
constexpr OperatorVersion affine_versions[] = {{20, &affine_signature, {types::floats | types::added_13, Dtype::int64}}};

constexpr std::size_t most_grid_axes = 4;

GridMode mode_of(const Call& call) {
  const std::string_view word = call.word("mode");
  if (word == "nearest") return GridMode::nearest;
  return word.ends_with("cubic") ? GridMode::cubic : GridMode::linear;
}

Status prepare(Call& call) {
  const Tensor& image = *call.inputs[0];
  const Tensor& grid = *call.inputs[1];
  if (mode_of(call) != GridMode::nearest) BROADLOOM_CHECK(check_averages(image.dtype, call.word("mode")));
  if (!image.is_ranked() && !grid.is_ranked()) return {};
  const SymbolicDims& first = image.is_ranked() ? image.dims() : grid.dims();
  const std::size_t rank = first.size();
  const bool are_ranked = image.is_ranked() && grid.is_ranked();
  if (rank < 3 || rank > 2 + most_grid_axes || (are_ranked && grid.dims().size() != rank)) {
    return impossible("'X' and 'grid' have {} and {} axes, wanted 3 to {} of both", rank,
                      are_ranked ? grid.dims().size() : rank, 2 + most_grid_axes);
  }
  SymbolicDims dims(rank, unknown_size);
  if (image.is_ranked()) {
    dims[0] = image.dims()[0];
    dims[1] = image.dims()[1];
  }
  if (grid.is_ranked()) {
    const SymbolicDims& points = grid.dims();
    if (differ(points[0], dims[0]) || differ(points[rank - 1], static_cast<std::int64_t>(rank) - 2)) {
      return impossible("'grid' has dims {}, wanted {} first and {} last", points.values(), dims[0], rank - 2);
    }
    if (dims[0].is_unknown()) dims[0] = points[0];
    for (std::size_t i = 2; i < rank; ++i) dims[i] = points[i - 1];
  }
  call.outputs[0] = known_dims(image.dtype, dims);
  return {};
}

// `image` has the elements of T, unless they are only moved.
template <class T>
Status sample(Call& call, const Tensor& image, GridMode mode) {
  Tensor& output = call.outputs[0];
  constexpr std::size_t most = GridPoints<T>::most;
  BROADLOOM_TRY(grid, in_type(*call.inputs[1], sizeof(T) == sizeof(float) ? Dtype::float32 : Dtype::float64));
  const std::span<const std::int64_t> dims = image.run_dims();
  const std::size_t axes = dims.size() - 2;
  GridAxis list[most_grid_axes];
  std::size_t plane = 1;
  for (std::size_t i = axes; i-- > 0;) {
    const auto size = in_memory(dims[2 + i]);
    list[i] = {size, plane, call.integer("align_corners") != 0};
    plane *= size;
  }
  const std::size_t taps = grid_taps(mode, axes) * most;
  BROADLOOM_TRY(scratch, Storage::allocate(Count(taps) * (sizeof(T) + sizeof(std::size_t))));
  auto* const offsets = reinterpret_cast<std::size_t*>(scratch->data());
  const std::string_view padding = call.word("padding_mode");
  GridPoints<T> points(mode,
                       padding == "zeros"    ? GridPadding::zeros
                       : padding == "border" ? GridPadding::border
                                             : GridPadding::reflection,
                       offsets, reinterpret_cast<T*>(offsets + taps));
  const std::size_t item = item_size(output.dtype);
  const std::size_t from_item = item_size(image.dtype);
  const std::size_t parts = components_of(output.dtype);
  T sums[most];
  const auto channels = in_memory(dims[1]);
  const auto count = in_memory(count_of(output.run_dims().subspan(2)));
  const auto* numbers = reinterpret_cast<const T*>(grid.data());
  for (std::size_t n = 0; n < in_memory(dims[0]); ++n) {
    for (std::size_t i = 0; i < count; i += most) {
      const std::size_t some = std::min(most, count - i);
      BROADLOOM_CHECK(Watch::check(static_cast<double>(taps * channels)));
      points.place(std::span(list, axes), numbers, some);
      numbers += some * axes;
      for (std::size_t c = 0; c < channels; ++c) {
        const std::byte* const from = image.data() + (n * channels + c) * plane * from_item;
        std::byte* const to = output.data() + ((n * channels + c) * count + i) * item;
        if (mode == GridMode::nearest) {
          points.copy(to, from, some, item);
          continue;
        }
        const bool converts = image.dtype != output.dtype;
        T* const place = converts ? sums : reinterpret_cast<T*>(to);
        for (std::size_t part = 0; part < parts; ++part) {
          points.sum(place + part, reinterpret_cast<const T*>(from) + part, some, parts);
        }
        if (converts) convert(to, output.dtype, reinterpret_cast<std::byte*>(sums), image.dtype, some);
      }
    }
  }
  return {};
}

Status compute(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  const Tensor& given = *call.inputs[0];
  if (given.count() == 0) return impossible("'X' has dims {}, without elements", given.dims().values());
  const GridMode mode = mode_of(call);
  const bool is_moved = mode == GridMode::nearest;
  const Dtype dtype = is_moved ? call.inputs[1]->dtype : sum_type_of(output.dtype);
  BROADLOOM_TRY(image, is_moved || components_of(output.dtype) == 2 ? densify(given) : in_type(given, dtype));
  if (output.dtype == Dtype::string) output.storage->text = image.storage->text;
  return dtype == Dtype::float64 ? sample<double>(call, image, mode) : sample<float>(call, image, mode);
}

// ---- AffineGrid ----

Status prepare_affine(Call& call) {
  const Tensor& theta = *call.inputs[0];
  BROADLOOM_TRY(size, read_list(call, "size"));
  std::size_t axes = size.has_length ? size.size() - 2 : 0;
  if (size.has_length && size.size() != 4 && size.size() != 5) {
    return impossible("'size' has {} entr{y}, wanted 4 or 5", size.size());
  }
  if (theta.is_ranked()) {
    const SymbolicDims& dims = theta.dims();
    if (axes == 0 && dims.size() == 3 && dims[1].is_number()) axes = dims[1] == 2 ? 2 : 3;
    const auto wanted = static_cast<std::int64_t>(axes);
    if (dims.size() != 3 || (axes > 0 && (differ(dims[1], wanted) || differ(dims[2], wanted + 1))) ||
        (size.has_length && differ(dims[0], size[0]))) {
      return impossible("'theta' has dims {}, which is not a matrix for each image of {}", dims.values(), size.values.values());
    }
  }
  if (axes == 0) return {};
  SymbolicDims dims(axes + 2, unknown_size);
  dims[0] = theta.is_ranked() ? theta.dims()[0] : unknown_size;
  dims[axes + 1] = static_cast<std::int64_t>(axes);
  if (size.has_length) {
    if (dims[0].is_unknown() || size[0].is_number()) dims[0] = size[0];
    for (std::size_t i = 0; i < axes; ++i) dims[i + 1] = size[i + 2];
  }
  for (const Size one : dims) {
    if (one.is_negative()) return impossible("'size' is {}; sizes cannot be negative", size.values.values());
  }
  call.outputs[0] = known_dims(theta.dtype, dims);
  return {};
}

Status compute_affine(Call& call) {
  Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  BROADLOOM_TRY(theta, in_type(*call.inputs[0], Dtype::float64));
  const std::span<const std::int64_t> dims = output.run_dims();
  const std::size_t axes = dims.size() - 2;
  const bool aligns = call.integer("align_corners") != 0;
  const auto position = [&](std::size_t axis, std::int64_t i) -> double {
    // From -1 to 1, with the middle at 0. Ratios of integers have one rounding.
    const std::int64_t last = dims[1 + axis] - 1;
    if (aligns && last == 0) return -1.0;
    return static_cast<double>(2 * i - last) / static_cast<double>(aligns ? last : last + 1);
  };
  // A row is the sum of two parts: one depends on the place in the row, and is the same for all rows of an image; the other is
  // one point for the row.
  const Dtype dtype = sum_type_of(output.dtype);
  const Computation addition = computation_of(Operation::add, dtype);
  const std::size_t size = item_size(dtype);
  const std::int64_t width = dims[axes];
  const std::int64_t length = width * static_cast<std::int64_t>(axes);
  const auto count = in_memory(length);
  BROADLOOM_TRY(numbers, make_tensor(Dtype::float64, {length}));
  BROADLOOM_TRY(parts, make_tensor(dtype, {3 * length}));
  std::byte* const inner = parts.data();
  std::byte* const outer = inner + count * size;
  const std::byte* const operands[] = {inner, outer};
  const std::int64_t rows = count_of(dims.subspan(1, axes - 1));
  const auto* matrix = reinterpret_cast<const double*>(theta.data());
  std::byte* to = output.data();
  auto* const list = reinterpret_cast<double*>(numbers.data());
  for (std::int64_t n = 0; n < dims[0]; ++n, matrix += axes * (axes + 1)) {
    for (std::size_t i = 0; i < count; ++i) {
      list[i] = matrix[i % axes * (axes + 1)] * position(axes - 1, static_cast<std::int64_t>(i / axes));
    }
    convert(inner, dtype, numbers.data(), Dtype::float64, count);
    for (std::int64_t r = 0; r < rows; ++r, to += count * item_size(output.dtype)) {
      BROADLOOM_CHECK(Watch::check(2 * static_cast<double>(count)));
      // Columns of the matrix are for the innermost axis first.
      const double y = position(axes - 2, r % dims[axes - 1]);
      const double z = axes == 3 ? position(0, r / dims[axes - 1]) : 0;
      for (std::size_t k = 0; k < axes; ++k) {
        const double* own = matrix + k * (axes + 1);
        list[k] = own[1] * y + (axes == 3 ? own[2] * z : 0) + own[axes];
      }
      convert(outer, dtype, numbers.data(), Dtype::float64, axes);
      repeat_block(outer, axes * size, count * size);
      std::byte* const sums = dtype == output.dtype ? to : outer + count * size;
      addition.loop(sums, operands, count);
      if (dtype != output.dtype) convert(to, output.dtype, sums, dtype, count);
    }
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, affine_grid){
    .name = "AffineGrid",
    .versions = affine_versions,
    .prepare = prepare_affine,
    .compute = compute_affine,
    .kernels = loops(Operation::add),
};
BROADLOOM_OPERATOR(op, grid_sample){
    .name = "GridSample",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
};
BROADLOOM_OPERATOR(op::microsoft, grid_sample){
    .name = "GridSample",
    .domain = "com.microsoft",
    .versions = microsoft_versions,
    .prepare = prepare,
    .compute = compute,
};

}  // namespace broadloom
