// ReduceSum, ReduceProd, ReduceMin and ReduceMax: what all elements along some axes come to. ONNX: onnx/defs/reduction/defs.cc
// and old.cc.
#include "kernels/reduce.h"

#include "core/text.h"
#include "ops/arguments.h"
#include "ops/dense.h"
#include "ops/elementwise.h"
#include "ops/operators.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {{"axes", INTS}, with_default("keepdims", INT, 1)};
constexpr AttributeSpec attributes_13[] = {with_default("keepdims", INT, 1), with_default("noop_with_empty_axes", INT, 0)};
constexpr Parameter inputs_1[] = {{"data", T}};
constexpr Parameter inputs_13[] = {{"data", T}, {"axes", Dtype::int64, Optional}};
constexpr Parameter outputs[] = {{"reduced", T}};
constexpr Signature with_attribute{attributes_1, inputs_1, outputs, {T}};
constexpr Signature with_input{attributes_13, inputs_13, outputs, {T}};

constexpr TypeSet numbers = types::floats | types::int32 | types::int64 | types::uint32 | types::uint64;
constexpr TypeSet numbers_13 = numbers | types::added_13;
constexpr TypeSet bytes = types::int8 | types::uint8;

constexpr OperatorVersion sum_versions[] = {
    {1, &with_attribute, {numbers}}, {11, &with_attribute, {numbers}}, {13, &with_input, {numbers_13}}};
constexpr OperatorVersion product_versions[] = {{1, &with_attribute, {numbers}},
                                                {11, &with_attribute, {numbers}},
                                                {13, &with_attribute, {numbers_13}},
                                                {18, &with_input, {numbers_13}}};
constexpr OperatorVersion extreme_versions[] = {
    {1, &with_attribute, {numbers}},          {11, &with_attribute, {numbers}},
    {12, &with_attribute, {numbers | bytes}}, {13, &with_attribute, {numbers_13 | bytes}},
    {18, &with_input, {numbers_13 | bytes}},  {20, &with_input, {numbers_13 | bytes | types::boolean}}};

// The axes that are reduced, of a list of numbers. An empty list stands for all, or with noop_with_empty_axes for none.
Result<AxisSet> reduced_axes(const Call& call, const IntegerList& axes, std::size_t rank) {
  if (axes.size() > 0) return resolve_axes("axes", axes.values, rank);
  Result<AxisSet> result(tl::in_place);
  for (std::size_t i = 0; i < rank; ++i) result->set(i, call.integer("noop_with_empty_axes") == 0);
  return result;
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  if (!input.is_ranked()) return {};
  const bool keeps = call.integer("keepdims") != 0;
  const std::size_t rank = input.dims().size();
  if (axes.is_given && !axes.are_numbers(call)) {
    // All entries are different axes.
    const bool has_rank = keeps || (axes.has_length && axes.size() <= rank);
    if (has_rank) call.outputs[0] = known_dims(input.dtype, Dims(keeps ? rank : rank - axes.size(), unknown_size));
    return {};
  }
  BROADLOOM_TRY(reduced, reduced_axes(call, axes, rank));
  if (axes.size() == 0 && call.integer("noop_with_empty_axes") != 0) {
    BROADLOOM_TRY(shared, share(input));
    call.outputs[0] = std::move(shared);
    return {};
  }
  Dims dims(keeps ? rank : rank - reduced.count(), 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (!reduced.test(i)) dims[next] = input.dims()[i];
    if (keeps || !reduced.test(i)) ++next;
  }
  call.outputs[0] = known_dims(input.dtype, dims);
  return {};
}

// The axes that are in the set, or those that are not.
Layout part_of(const Layout& layout, const AxisSet& axes, bool is_in) {
  const std::size_t rank = layout.dims.size();
  const std::size_t count = is_in ? axes.count() : rank - axes.count();
  Layout part{Dims(count), Dims(count)};
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (axes.test(i) != is_in) continue;
    part.dims[next] = layout.dims[i];
    part.strides[next++] = layout.strides[i];
  }
  return part;
}

// Before a run, elements may be expressions. There are no more than inference follows.
Status compute_sizes(const Call& call, Operation operation, const Tensor& input, const Layout& kept, const Layout& reduced) {
  const auto at = [](const Layout& layout, std::int64_t number) {
    std::int64_t offset = 0;
    for (std::size_t i = layout.dims.size(); i-- > 0; number /= layout.dims[i]) {
      offset += number % layout.dims[i] * layout.strides[i];
    }
    return offset;
  };
  const auto* from = reinterpret_cast<const Size*>(input.data());
  auto* to = reinterpret_cast<Size*>(call.outputs[0].data());
  const std::int64_t results = kept.count();
  const std::int64_t elements = reduced.count();
  for (std::int64_t i = 0; i < results; ++i) {
    const Size* first = from + at(kept, i);
    to[i] = *first;
    for (std::int64_t j = 1; j < elements; ++j) to[i] = combine_sizes(call.sizes(), operation, to[i], first[at(reduced, j)]);
  }
  return {};
}

Status compute(Call& call, Operation operation) {
  // A view with strides of 0 may have more elements than anybody waits for: a copy fails where they are too many.
  BROADLOOM_TRY(input, densify(*call.inputs[0]));
  BROADLOOM_TRY(axes, read_list(call, "axes"));
  BROADLOOM_TRY(set, reduced_axes(call, axes, input.dims().size()));
  const Layout kept = part_of(input.layout, set, false);
  const Layout reduced = part_of(input.layout, set, true);
  if (has_sizes(call) && input.count() > 0) return compute_sizes(call, operation, input, kept, reduced);
  reduce(operation, input.dtype, call.outputs[0].data(), input.data(), kept, reduced);
  return {};
}

template <Operation operation>
Status compute(Call& call) {
  return compute(call, operation);
}

template <Operation operation>
constexpr Operator reduction(std::string_view name, std::span<const OperatorVersion> versions) {
  return {name, versions, nullptr, prepare, compute<operation>, 0, nullptr, true};
}

}  // namespace

constinit const Operator op::reduce_max = reduction<Operation::maximum>("ReduceMax", extreme_versions);
constinit const Operator op::reduce_min = reduction<Operation::minimum>("ReduceMin", extreme_versions);
constinit const Operator op::reduce_prod = reduction<Operation::multiply>("ReduceProd", product_versions);
constinit const Operator op::reduce_sum = reduction<Operation::add>("ReduceSum", sum_versions);

}  // namespace broadloom
