// Range of ONNX and of com.microsoft: numbers from a start on with a constant step. ONNX: onnx/defs/generator/defs.cc and
// old.cc, Range; onnxruntime: docs/ContribOperators.md.
#include <cmath>
#include <type_traits>

#include "core/count.h"
#include "core/limits.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_27[] = {with_default("stash_type", INT, 1)};
constexpr Parameter inputs[] = {{"start", T}, {"limit", T}, {"delta", T}};
constexpr Parameter outputs[] = {{"output", T}};
constexpr Signature signature_11{{}, inputs, outputs, {T}};
constexpr Signature signature_27{attributes_27, inputs, outputs, {T}};
constexpr TypeSet types_11 = Dtype::float32 | Dtype::float64 | Dtype::int16 | Dtype::int32 | Dtype::int64;

constexpr OperatorVersion versions[] = {
    {11, &signature_11, {types_11}},
    {27, &signature_27, {types_11 | types::added_13 | Dtype::float16}},
};

// The step is 1 without the third input.
constexpr Parameter microsoft_inputs[] = {{"start", T}, {"limit", T}, {"delta", T, Optional}};
constexpr Parameter microsoft_outputs[] = {{"Y", T}};
constexpr Signature microsoft_signature{{}, microsoft_inputs, microsoft_outputs, {T}};
constexpr OperatorVersion microsoft_versions[] = {{1, &microsoft_signature, {types_11}}};

bool is_integer(Dtype dtype) { return info(dtype).kind == DtypeKind::signed_integer; }

// start, limit and delta, in the type of computation.
template <class T>
struct Progression {
  T start;
  T limit;
  T delta = 1;

  Progression(const Call& call, Dtype dtype) {
    T* const to[] = {&start, &limit, &delta};
    for (std::size_t i = 0; i < 3; ++i) {
      const Tensor* input = call.input(i);
      if (input != nullptr) convert(reinterpret_cast<std::byte*>(to[i]), dtype, input->data(), input->dtype, 1);
    }
  }
};

std::int64_t count_of_integers(const Progression<std::int64_t>& of) {
  const bool goes_up = of.delta > 0;
  if (goes_up ? of.start >= of.limit : of.start <= of.limit) return 0;
  const auto first = static_cast<std::uint64_t>(of.start);
  const auto last = static_cast<std::uint64_t>(of.limit);
  const auto step = static_cast<std::uint64_t>(of.delta);
  const std::uint64_t count = ((goes_up ? last - first : first - last) - 1) / (goes_up ? step : 0 - step);
  return count >= static_cast<std::uint64_t>(max_count) ? max_count + 1 : static_cast<std::int64_t>(count) + 1;
}

// The number of elements, as in onnxruntime: the distance in the type itself, the steps in double. A NaN gives 0.
template <class T>
std::int64_t count_of_reals(const Progression<T>& of) {
  const double count = std::ceil(static_cast<double>(of.limit - of.start) / static_cast<double>(of.delta));
  if (count > static_cast<double>(max_count)) return max_count + 1;
  return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

// Types of 16 bits are computed in float32, or in the type of stash_type.
bool is_computed_in_double(const Call& call) {
  const Dtype dtype = call.inputs[0]->dtype;
  return dtype == Dtype::float64 || (dtype != Dtype::float32 && call.integer("stash_type") == static_cast<int>(Dtype::float64));
}

Result<Size> count_elements(const Call& call) {
  const Dtype dtype = call.inputs[0]->dtype;
  std::int64_t count;
  bool is_still;
  if (is_integer(dtype)) {
    const Progression<std::int64_t> of(call, Dtype::int64);
    is_still = of.delta == 0;
    count = is_still ? 0 : count_of_integers(of);
  } else if (is_computed_in_double(call)) {
    const Progression<double> of(call, Dtype::float64);
    is_still = of.delta == 0;
    count = count_of_reals(of);
  } else {
    const Progression<float> of(call, Dtype::float32);
    is_still = of.delta == 0;
    count = count_of_reals(of);
  }
  if (is_still) return fail(Code::InvalidArgument, "delta is 0");
  if (count > max_count) return fail(Code::InvalidArgument, "has more than 2^53 - 1 elements");
  return Size(count);
}

// The number of integers before a run.
Result<Size> count_expressions(const Call& call) {
  BROADLOOM_TRY(start, read_integer(call, "start"));
  BROADLOOM_TRY(limit, read_integer(call, "limit"));
  BROADLOOM_TRY(delta, read_integer(call, "delta"));
  const Sizes sizes = call.sizes();
  if (!start.has_length || !limit.has_length || (delta.is_given && !delta.are_numbers())) return unknown_size;
  const std::int64_t step = delta.is_given ? delta[0].number() : 1;
  if (step == 0) return fail(Code::InvalidArgument, "delta is 0");
  const Size distance = step > 0 ? sizes.subtract(limit[0], start[0]) : sizes.subtract(start[0], limit[0]);
  const Size natural = sizes.is_natural(distance) ? distance : sizes.maximum(distance, 0);
  return sizes.ceil_divide(natural, step > 0 ? step : -std::max(step, -INT64_MAX));
}

Status prepare(Call& call) {
  bool has_elements = true;
  bool are_lists = true;
  for (std::size_t i = 0; i < 3; ++i) {
    if (call.input(i) == nullptr) continue;
    const Tensor& input = *call.inputs[i];
    has_elements = has_elements && input.has_elements();
    are_lists = are_lists && input.is_ranked() && input.dims().size() <= 1;
    if (input.is_ranked() && are_numbers(input.dims()) && input.count() != 1) {
      return fail(Code::InvalidArgument, "{} has dims {}, wanted one element", quoted(call.version.inputs()[i].name),
                  input.dims().values());
    }
  }
  const Dtype dtype = call.inputs[0]->dtype;
  const std::int64_t stash = call.integer("stash_type");
  if (call.version.since_version >= 27 && stash != static_cast<int>(Dtype::float32) &&
      stash != static_cast<int>(Dtype::float64)) {
    return fail(Code::InvalidArgument, "stash_type is {}, wanted 1 or 11: float32 or float64", stash);
  }
  if (call.is_run() && !has_elements) return {};
  Result<Size> count = unknown_size;
  if (!call.is_run() && (dtype == Dtype::int64 || dtype == Dtype::int32)) {
    // Elements may be expressions.
    if (are_lists) count = count_expressions(call);
  } else if (has_elements && dtype != Dtype::undefined) {
    count = count_elements(call);
  }
  if (!count) return Failure(count.error());
  call.outputs[0] = known_dims(call.output_types[0], {*count});
  return {};
}

// For Watch::check.
constexpr double steps_of_element = 2;

template <class T>
Status write(const Call& call, Dtype computed) {
  const Progression<T> of(call, computed);
  Tensor& output = call.outputs[0];
  const std::int64_t count = output.count();
  T block[block_items];
  for (std::int64_t done = 0; done < count; done += block_items) {
    const auto part = in_memory(std::min<std::int64_t>(block_items, count - done));
    BROADLOOM_CHECK(Watch::check(steps_of_element * static_cast<double>(part)));
    if constexpr (std::is_integral_v<T>) {
      // Sums wrap around. They take less time than products.
      const auto delta = static_cast<std::uint64_t>(of.delta);
      std::uint64_t number = static_cast<std::uint64_t>(of.start) + static_cast<std::uint64_t>(done) * delta;
      for (std::size_t i = 0; i < part; ++i, number += delta) block[i] = static_cast<T>(number);
    } else {
      for (std::size_t i = 0; i < part; ++i)
        block[i] = of.start + static_cast<T>(done + static_cast<std::int64_t>(i)) * of.delta;
    }
    std::byte* to = output.data() + done * static_cast<std::int64_t>(item_size(output.dtype));
    convert(to, output.dtype, reinterpret_cast<const std::byte*>(block), computed, part);
  }
  return {};
}

Status compute(Call& call) {
  if (is_integer(call.outputs[0].dtype)) return write<std::int64_t>(call, Dtype::int64);
  return is_computed_in_double(call) ? write<double>(call, Dtype::float64) : write<float>(call, Dtype::float32);
}

constexpr Operator operator_of(std::string_view domain, std::span<const OperatorVersion> its_versions) {
  return {.name = "Range",
          .domain = domain,
          .versions = its_versions,
          .prepare = prepare,
          .compute = compute,
          .inputs_asked_for = inputs_at({0, 1, 2})};
}

}  // namespace

BROADLOOM_OPERATOR(op, range) = operator_of("", versions);
BROADLOOM_OPERATOR(op::microsoft, range) = operator_of("com.microsoft", microsoft_versions);

}  // namespace broadloom
