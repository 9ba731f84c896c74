// Reductions along axes. ONNX: onnx/defs/reduction/defs.cc and old.cc.
#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/reduce/integer_mean.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/call/operator.h"
#include "ops/dims/reduction.h"
#include "ops/elementwise.h"
#include "ops/reduce/reduced.h"
#include "ops/row_tiles.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;
using Before = Reduction::Before;
using After = Reduction::After;

constexpr AttributeSpec attributes_1[] = {{"axes", INTS}, with_default("keepdims", INT, 1)};
constexpr AttributeSpec attributes_13[] = {with_default("keepdims", INT, 1), with_default("noop_with_empty_axes", INT, 0)};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr Parameter inputs_13[] = {{"data", T}, {"axes", Dtype::int64, Optional}};
constexpr Parameter outputs[] = {{"reduced", T}};
constexpr Signature with_attribute{attributes_1, inputs_1, outputs, {T}};
constexpr Signature with_input{attributes_13, inputs_13, outputs, {T}};

constexpr TypeSet numbers_13 = types::wide_numbers | types::added_13;

constexpr OperatorVersion sum_versions[] = {
    {1, &with_attribute, {types::wide_numbers}}, {11, &with_attribute, {types::wide_numbers}}, {13, &with_input, {numbers_13}}};
constexpr OperatorVersion versions[] = {{1, &with_attribute, {types::wide_numbers}},
                                        {11, &with_attribute, {types::wide_numbers}},
                                        {13, &with_attribute, {numbers_13}},
                                        {18, &with_input, {numbers_13}}};
constexpr OperatorVersion extreme_versions[] = {{1, &with_attribute, {types::wide_numbers}},
                                                {11, &with_attribute, {types::wide_numbers}},
                                                {12, &with_attribute, {types::wide_numbers | types::bytes}},
                                                {13, &with_attribute, {numbers_13 | types::bytes}},
                                                {18, &with_input, {numbers_13 | types::bytes}},
                                                {20, &with_input, {numbers_13 | types::bytes | types::boolean}}};

// The reduced axes from a list of numbers. An empty list means all, or none with noop_with_empty_axes.
Result<AxisSet> reduced_axes(const Call& call, const IntegerList& axes, std::size_t rank) {
  if (axes.size() > 0) return resolve_axes("axes", axes.numbers(), rank);
  Result<AxisSet> result(tl::in_place);
  for (std::size_t i = 0; i < rank; ++i) result->set(i, call.integer("noop_with_empty_axes") == 0);
  return result;
}

// Whether the reduction of a single element is that element: the mean, and the logarithm of the exponential.
constexpr bool keeps_elements(const Reduction& reduction) {
  if (reduction.after == After::log_and_shift) return true;
  return reduction.before == Before::nothing && (reduction.after == After::nothing || reduction.after == After::mean);
}

Status prepare(Call& call, bool keeps_elements) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (!input.is_ranked()) return {};
  const bool keeps = call.integer("keepdims") != 0;
  const std::size_t rank = input.dims().size();
  if (axes.is_given && !axes.are_numbers()) {
    if (const auto left = reduced_rank(rank, axes, keeps))
      call.outputs[0] = known_dims(input.dtype, SymbolicDims(*left, unknown_size));
    return {};
  }
  BROADLOOM_TRY(reduced, reduced_axes(call, axes, rank));
  if (axes.size() == 0 && call.integer("noop_with_empty_axes") != 0 && keeps_elements) {
    BROADLOOM_TRY(shared, share(input));
    call.outputs[0] = std::move(shared);
    return {};
  }
  call.outputs[0] = known_dims(input.dtype, reduced_dims(input.dims().values(), reduced, keeps));
  return {};
}

// Reduces elements that may be expressions, before a run. Shape inference limits their number.
Status compute_sizes(const Call& call, Operation operation, const Tensor& input, const Layout& kept, const Layout& reduced) {
  const auto at = [](const Layout& layout, std::int64_t number) {
    std::int64_t offset = 0;
    const std::span<const std::int64_t> dims = layout.run_dims();
    for (std::size_t i = dims.size(); i-- > 0; number /= dims[i]) {
      offset += number % dims[i] * layout.strides[i];
    }
    return offset;
  };
  Tensor& output = call.outputs[0];
  const std::int64_t count = output.count();
  const std::int64_t elements = reduced.count();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = at(kept, i);
    Size result = size_at(input, first);
    for (std::int64_t j = 1; j < elements; ++j) {
      result = combine_sizes(call.sizes(), input.dtype, operation, result, size_at(input, first + at(reduced, j)));
    }
    set_size_at(output, i, result);
  }
  return {};
}

// Roots, logarithms and exponentials of integers are computed in float64, and rounded toward zero.
Dtype computed_type(const Reduction& reduction, Dtype dtype) {
  const bool has_fractions = (types::floats | types::added_13).contains(dtype);
  return has_fractions || reduction.after == After::nothing || reduction.after == After::mean ? dtype : Dtype::float64;
}

// The mean of integers, whose sum may not fit their type.
Status compute_integer_mean(const Tensor& input, Tensor& output, const Layout& kept, const Layout& reduced) {
  const DtypeInfo& type = info(input.dtype);
  const auto integers = [](const Tensor& tensor) { return reinterpret_cast<std::int64_t*>(tensor.data()); };
  const bool is_wide = type.bits < 64;
  const bool is_signed = is_wide || type.kind == DtypeKind::signed_integer;
  const auto count = in_memory(input.count());
  const auto results = in_memory(output.count());
  BROADLOOM_TRY(low_sums, make_tensor(Dtype::int64, output.dims()));
  BROADLOOM_TRY(high_sums, make_tensor(Dtype::int64, output.dims()));
  if (is_wide || sums_fit(input.data(), count, reduced.count(), is_signed)) {
    // 0.4 of the time that halves take along rows, and 0.2 where elements are widened on the way.
    BROADLOOM_CHECK(
        reduce({.operation = Operation::add, .is_wide = is_wide}, input.dtype, low_sums.data(), input.data(), kept, reduced));
    std::fill_n(integers(high_sums), results, 0);
  } else {
    BROADLOOM_TRY(low, make_tensor(Dtype::int64, input.dims()));
    BROADLOOM_TRY(high, make_tensor(Dtype::int64, input.dims()));
    split_integers(integers(high), integers(low), input.data(), count, is_signed);
    BROADLOOM_CHECK(reduce({Operation::add}, Dtype::int64, low_sums.data(), low.data(), kept, reduced));
    BROADLOOM_CHECK(reduce({Operation::add}, Dtype::int64, high_sums.data(), high.data(), kept, reduced));
  }
  means_of_sums(low_sums.data(), integers(high_sums), integers(low_sums), results, reduced.count());
  convert(output.data(), output.dtype, low_sums.data(), is_wide ? Dtype::int64 : input.dtype, results);
  return {};
}

Status compute(Call& call, Reduction reduction) {
  const Tensor& data = *call.inputs[0];
  const Dtype dtype = computed_type(reduction, data.dtype);
  const bool is_integer_mean = reduction.after == After::mean && types::integers.contains(data.dtype);
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  BROADLOOM_TRY(set, reduced_axes(call, axes, data.dims().size()));
  // A view with strides of 0 may have too many elements to walk. A copy fails then. Conversions write dense elements.
  const bool is_copied = is_integer_mean || dtype != data.dtype || !is_read_fast(data.layout, set);
  BROADLOOM_TRY(dense, is_copied ? densify(data) : data);
  const Layout kept = part_of(dense.layout, set, false);
  const Layout reduced = part_of(dense.layout, set, true);
  Tensor& output = call.outputs[0];
  if (has_sizes(call) && dense.count() > 0 && reduction.before == Before::nothing && reduction.after == After::nothing) {
    return compute_sizes(call, reduction.operation, dense, kept, reduced);
  }
  if (is_integer_mean && reduced.count() > 0) {
    return compute_integer_mean(dense, output, kept, reduced);
  }
  BROADLOOM_TRY(input, dtype != dense.dtype ? in_type(dense, dtype) : dense);
  Tensor shifts;
  if (reduction.after == After::log_and_shift) {
    // Subtracting the largest element keeps exponentials from overflow.
    BROADLOOM_TRY(largest, make_tensor(accumulate_type_of(dtype).dtype, output.dims()));
    BROADLOOM_CHECK(reduce({.operation = Operation::maximum, .keeps_accumulate_type = true}, dtype, largest.data(),
                           input.data(), kept, reduced));
    shifts = std::move(largest);
    reduction.shifts = shifts.data();
  }
  BROADLOOM_TRY(results, unrounded(output, dtype));
  BROADLOOM_CHECK(reduce(reduction, dtype, results.data(), input.data(), kept, reduced));
  return write_rounded(output, results);
}

Result<Ready> ready(const Call& call, const Reduction& reduction) {
  const Tensor& input = *call.inputs[0];
  if (!types::floats.contains(input.dtype) || reduction.after == After::log_and_shift) return Ready();
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (axes.is_given && !axes.are_numbers()) return Ready();  // each run gives them, and has them checked
  BROADLOOM_TRY(set, reduced_axes(call, axes, input.dims().size()));
  return ready_reduction(call, reduction, set);
}

template <const Reduction& reduction>
Status prepare(Call& call) {
  return prepare(call, keeps_elements(reduction));
}
template <const Reduction& reduction>
Status compute(Call& call) {
  return compute(call, reduction);
}

template <const Reduction& reduction>
Result<Ready> ready(const Call& call, PackedOperands*) {
  return ready(call, reduction);
}

// Integers are computed in float64 unless the reduction has their results.
template <const Reduction& reduction>
constexpr Kernels kernels_of = broadloom::kernels_of(reduction) |
                               (reduction.after == After::log_and_shift ? broadloom::kernels_of({Operation::maximum})
                                                                        : Kernels()) |
                               (reduction.before == Before::nothing && keeps_elements(reduction) ? Kernels()
                                                                                                 : computed_in(Dtype::float64));

template <const Reduction& reduction>
constexpr Operator operator_of(std::string_view name, std::span<const OperatorVersion> its_versions) {
  constexpr bool computes_sizes = reduction.before == Before::nothing && reduction.after == After::nothing;
  return {
      .name = name,
      .versions = its_versions,
      .prepare = prepare<reduction>,
      .compute = compute<reduction>,
      .ready = ready<reduction>,
      .traits = {.computes_sizes = computes_sizes},
      .kernels = kernels_of<reduction>,
  };
}

constexpr Reduction sum_of{Operation::add};
constexpr Reduction product{Operation::multiply};
constexpr Reduction least{Operation::minimum};
constexpr Reduction greatest{Operation::maximum};
constexpr Reduction mean_of{Operation::add, Before::nothing, After::mean};
constexpr Reduction sum_of_magnitudes{Operation::add, Before::absolute};
constexpr Reduction sum_of_squares{Operation::add, Before::square};
constexpr Reduction norm{Operation::add, Before::square, After::square_root};
constexpr Reduction log_of_sum{Operation::add, Before::nothing, After::log};
constexpr Reduction log_of_exponentials{Operation::add, Before::exp, After::log_and_shift};

}  // namespace

BROADLOOM_OPERATOR(op, reduce_l1) = operator_of<sum_of_magnitudes>("ReduceL1", versions);
BROADLOOM_OPERATOR(op, reduce_l2) = operator_of<norm>("ReduceL2", versions);
BROADLOOM_OPERATOR(op, reduce_log_sum) = operator_of<log_of_sum>("ReduceLogSum", versions);
BROADLOOM_OPERATOR(op, reduce_log_sum_exp) = operator_of<log_of_exponentials>("ReduceLogSumExp", versions);
BROADLOOM_OPERATOR(op, reduce_max) = operator_of<greatest>("ReduceMax", extreme_versions);
BROADLOOM_OPERATOR(op, reduce_mean) = operator_of<mean_of>("ReduceMean", versions);
BROADLOOM_OPERATOR(op, reduce_min) = operator_of<least>("ReduceMin", extreme_versions);
BROADLOOM_OPERATOR(op, reduce_prod) = operator_of<product>("ReduceProd", versions);
BROADLOOM_OPERATOR(op, reduce_sum) = operator_of<sum_of>("ReduceSum", sum_versions);
BROADLOOM_OPERATOR(op, reduce_sum_square) = operator_of<sum_of_squares>("ReduceSumSquare", versions);

}  // namespace broadloom
