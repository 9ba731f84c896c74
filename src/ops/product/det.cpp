// Det and com.microsoft's Inverse: determinants and inverses of square matrices. ONNX: onnx/defs/math/defs.cc and old.cc, Det;
// onnxruntime: docs/ContribOperators.md. All types are computed in float64.
#include <cmath>

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

using enum TypeVariable;

constexpr Parameter inputs[] = {{"X", T}};
constexpr Parameter outputs[] = {{"Y", T}};
constexpr Signature signature{{}, inputs, outputs, {T}};
constexpr OperatorVersion versions[] = {{11, &signature, {types::floats}}, {22, &signature, {types::floats | types::added_13}}};

constexpr OperatorVersion inverse_versions[] = {{1, &signature, {types::floats}}};

// The dims of the matrices; none before they are known.
Result<std::span<const Size>> square_dims(const Call& call) {
  const Tensor& input = *call.inputs[0];
  if (!input.is_ranked()) return std::span<const Size>();
  const std::span<const Size> dims = input.dims().values();
  const std::size_t batch = dims.size() - std::min<std::size_t>(2, dims.size());
  const bool is_square = dims.size() - batch == 2 && (dims[batch] == dims[batch + 1] || !are_numbers(dims.subspan(batch)));
  if (is_square) return dims;
  return fail(Code::InvalidArgument, "input has dims {}, wanted square matrices", dims);
}

Status prepare(Call& call) {
  BROADLOOM_TRY(dims, square_dims(call));
  if (!dims.empty()) call.outputs[0] = known_dims(call.output_types[0], dims.first(dims.size() - 2));
  return {};
}

Status prepare_inverse(Call& call) {
  BROADLOOM_TRY(dims, square_dims(call));
  if (!dims.empty()) call.outputs[0] = known_dims(call.output_types[0], dims);
  return {};
}

// Swaps row i of a square matrix with the one below that has the largest element in column i, or with none. Returns its number.
std::size_t choose_pivot(double* matrix, std::size_t size, std::size_t i) {
  std::size_t best = i;
  for (std::size_t k = i + 1; k < size; ++k) {
    if (std::abs(matrix[k * size + i]) > std::abs(matrix[best * size + i])) best = k;
  }
  if (best != i) std::swap_ranges(matrix + i * size, matrix + (i + 1) * size, matrix + best * size);
  return best;
}

// The determinant of a matrix with `size` rows: the product of the pivots. Overwrites the matrix.
Result<double> determinant(double* matrix, std::size_t size) {
  double result = 1;
  for (std::size_t i = 0; i < size; ++i) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(size - i)));
    double* const row = matrix + i * size;
    if (choose_pivot(matrix, size, i) != i) result = -result;
    const double pivot = row[i];
    result *= pivot;
    if (pivot == 0) return result;
    for (std::size_t k = i + 1; k < size; ++k) {
      BROADLOOM_CHECK(Watch::check(static_cast<double>(size - i)));
      double* const other = matrix + k * size;
      const double factor = other[i] / pivot;
      for (std::size_t j = i + 1; j < size; ++j) other[j] -= factor * row[j];
    }
  }
  return result;
}

Status compute(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  const Tensor& output = call.outputs[0];
  const std::int64_t size = input.run_dims().back();
  BROADLOOM_TRY(work, make_tensor(Dtype::float64, {size * size + 1}));
  auto* const matrix = reinterpret_cast<double*>(work.data());
  double* const result = matrix + size * size;
  const auto elements = in_memory(size * size);
  const std::size_t item = item_size(input.dtype);
  std::byte* to = output.data();
  const std::byte* from = input.data();
  for (std::int64_t left = output.count(); left > 0; --left, from += elements * item, to += item) {
    BROADLOOM_CHECK(convert_watched(work.data(), Dtype::float64, from, input.dtype, elements));
    BROADLOOM_TRY(product, determinant(matrix, in_memory(size)));
    *result = product;
    convert(to, output.dtype, reinterpret_cast<const std::byte*>(result), Dtype::float64, 1);
  }
  return {};
}

// Writes the inverse of a matrix with `size` rows, by Gauss and Jordan. Overwrites the matrix. Without an inverse, there are
// infinities and NaNs, as in onnxruntime.
Status invert(double* inverse, double* matrix, std::size_t size) {
  std::fill_n(inverse, size * size, 0.0);
  for (std::size_t i = 0; i < size; ++i) inverse[i * size + i] = 1;
  for (std::size_t i = 0; i < size; ++i) {
    BROADLOOM_CHECK(Watch::check(static_cast<double>(size)));
    const std::size_t best = choose_pivot(matrix, size, i);
    if (best != i) std::swap_ranges(inverse + i * size, inverse + (i + 1) * size, inverse + best * size);
    const double factor = 1 / matrix[i * size + i];
    for (double* rows : {matrix, inverse}) {
      for (std::size_t j = 0; j < size; ++j) rows[i * size + j] *= factor;
    }
    for (std::size_t k = 0; k < size; ++k) {
      BROADLOOM_CHECK(Watch::check(2 * static_cast<double>(size)));
      const double times = matrix[k * size + i];
      if (k == i || times == 0) continue;
      for (double* rows : {matrix, inverse}) {
        for (std::size_t j = 0; j < size; ++j) rows[k * size + j] -= times * rows[i * size + j];
      }
    }
  }
  return {};
}

Status compute_inverse(Call& call) {
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  const Tensor& output = call.outputs[0];
  if (output.count() == 0) return {};
  const std::int64_t size = input.run_dims().back();
  BROADLOOM_TRY(work, make_tensor(Dtype::float64, {2, size, size}));
  auto* const matrix = reinterpret_cast<double*>(work.data());
  const auto elements = in_memory(size * size);
  const std::size_t bytes = elements * item_size(input.dtype);
  std::byte* to = output.data();
  const std::byte* from = input.data();
  for (std::int64_t left = output.count() / (size * size); left > 0; --left, from += bytes, to += bytes) {
    BROADLOOM_CHECK(convert_watched(work.data(), Dtype::float64, from, input.dtype, elements));
    BROADLOOM_CHECK(invert(matrix + elements, matrix, in_memory(size)));
    const auto* const inverse = reinterpret_cast<const std::byte*>(matrix + elements);
    BROADLOOM_CHECK(convert_watched(to, output.dtype, inverse, Dtype::float64, elements));
  }
  return {};
}

double extra_work(const Call& call) {
  const auto count = static_cast<double>(call.inputs[0]->count());
  return count * std::sqrt(count);
}

}  // namespace

BROADLOOM_OPERATOR(op, det){
    .name = "Det",
    .versions = versions,
    .prepare = prepare,
    .compute = compute,
    .extra_work = extra_work,
};
BROADLOOM_OPERATOR(op::microsoft, inverse){
    .name = "Inverse",
    .domain = "com.microsoft",
    .versions = inverse_versions,
    .prepare = prepare_inverse,
    .compute = compute_inverse,
    .extra_work = extra_work,
};

}  // namespace broadloom
