// Split: cuts an axis into parts, as views. ONNX: onnx/defs/tensor/defs.cc and old.cc, Split.
#include "core/count.h"
#include "core/memory.h"
#include "core/text.h"
#include "ops/call/arguments.h"
#include "ops/call/operator.h"
#include "ops/type_sets.h"

namespace broadloom {
namespace {

using enum AttributeType;
using enum Option;
using enum TypeVariable;

constexpr AttributeSpec attributes_1[] = {{"axis", INT}, {"split", INTS}};
constexpr AttributeSpec attributes_2[] = {with_default("axis", INT, 0), {"split", INTS}};
constexpr AttributeSpec attributes_13[] = {with_default("axis", INT, 0)};
constexpr AttributeSpec attributes_18[] = {with_default("axis", INT, 0), {"num_outputs", INT}};
constexpr Parameter inputs_1[] = {{"input", T}, {"split", T, Optional}};
constexpr Parameter inputs_2[] = {{"input", T}};
constexpr Parameter inputs_13[] = {{"input", T}, {"split", Dtype::int64, Optional}};
constexpr Parameter outputs_1[] = {{"outputs...", T, Variadic}};
constexpr Parameter outputs[] = {{"outputs", T, Variadic}};
constexpr Signature signature_1{attributes_1, inputs_1, outputs_1, {T}};
constexpr Signature signature_2{attributes_2, inputs_2, outputs, {T}};
constexpr Signature signature_13{attributes_13, inputs_13, outputs, {T}};
constexpr Signature signature_18{attributes_18, inputs_13, outputs, {T}};

constexpr OperatorVersion versions[] = {
    {1, &signature_1, {types::floats}},         {2, &signature_2, {types::all_opset_1}},
    {11, &signature_2, {types::all_opset_1}},   {13, &signature_13, {types::all_opset_13}},
    {18, &signature_18, {types::all_opset_13}},
};

// The limit of parts. There are at most as many parts as outputs.
constexpr std::size_t most_parts = std::size_t{1} << 24;

Result<std::size_t> count_outputs(const Call& call) {
  BROADLOOM_TRY(split, read_list(call, "split", most_parts));
  if (split.has_length) return split.size();
  const std::int64_t parts = call.integer("num_outputs");
  if (parts > 0 && parts <= static_cast<std::int64_t>(most_parts)) return in_memory(parts);
  return fail(Code::InvalidArgument, "does not say how many outputs it has: give split{}",
              call.version.since_version < 18 ? "" : " or num_outputs");
}

// The sizes of the parts if there is no list: equal ones. From version 18 on, the last one may be smaller.
Result<SymbolicDims> equal_parts(const Call& call, Size size) {
  const Sizes sizes = call.sizes();
  const auto parts = static_cast<std::int64_t>(call.outputs.size());
  const std::int64_t wanted = call.integer("num_outputs");
  if (call.version.since_version >= 18 && wanted != parts) {
    return fail(Code::InvalidArgument, "num_outputs is {}, but the call has {} output{s}", wanted, parts);
  }
  const Size each = sizes.ceil_divide(size, parts);
  Size last = sizes.subtract(size, sizes.multiply(each, parts - 1));
  if (size.is_number() && call.version.since_version < 18 && last != each) {
    return impossible("cannot split an axis of size {} into {} equal part{s}", size, parts);
  }
  if (last.is_negative()) {
    return fail(Code::InvalidArgument, "cannot split an axis of size {} into {} part{s} of size {}", size, parts, each);
  }
  if (!last.is_number()) last = call.version.since_version < 18 ? each : unknown_size;
  Result<SymbolicDims> result(tl::in_place, call.outputs.size(), each);
  if (!result->empty()) (*result)[result->size() - 1] = last;
  return result;
}

Status check_parts(const Call& call, std::span<const Size> parts, Size size) {
  const Sizes sizes = call.sizes();
  if (parts.size() != call.outputs.size()) {
    return fail(Code::InvalidArgument, "split has {} entr{y}, but the call has {} output{s}", parts.size(),
                call.outputs.size());
  }
  Size sum = 0;
  for (const Size part : parts) {
    if (part.is_negative()) {
      return fail(Code::InvalidArgument, "split holds {}; sizes cannot be negative", part);
    }
    sum = sizes.add(sum, part);
  }
  // Numbers whose sum is none have overflowed: no axis is as long.
  if (are_numbers(parts) && !sum.is_number()) {
    return impossible("split's entries sum up to more than 2^63, but the axis has size {}", size);
  }
  if (!differ(sum, size)) return {};
  return impossible("split's entries sum up to {}, but the axis has size {}", sum, size);
}

Status prepare(Call& call) {
  const Tensor& input = *call.inputs[0];
  BROADLOOM_TRY(split, read_list(call, "split", call.outputs.size()));
  if (split.is_given && call.attributes.find("num_outputs") != nullptr) {
    return fail(Code::InvalidArgument, "split and num_outputs exclude each other");
  }
  if (!input.is_ranked() || (split.is_given && !split.has_length)) return {};
  BROADLOOM_TRY(axis, resolve_axis("axis", call.integer("axis"), input.dims().size()));
  const Size size = input.dims()[axis];
  SymbolicDims parts = split.values;
  if (split.is_given) {
    BROADLOOM_CHECK(check_parts(call, parts, size));
  } else {
    BROADLOOM_TRY(equal, equal_parts(call, size));
    parts = std::move(equal);
  }
  const bool are_views = input.has_elements() && are_numbers(parts);
  LayoutRef layout;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Neighbours of the same size share a layout, because there may be very many parts.
    if (i == 0 || parts[i] != parts[i - 1]) {
      BROADLOOM_CHECK(require_memory());
      layout = LayoutRef(input.dims());
      layout.edit().dims[axis] = parts[i];
      if (are_views) layout.edit().strides = input.layout->strides;
    }
    if (!are_views) {
      call.outputs[i] = {input.dtype, layout};
      continue;
    }
    BROADLOOM_TRY(part, view_of(input, layout, layout->count() == 0 ? 0 : offset));
    call.outputs[i] = std::move(part);
    offset += parts[i].number() * input.layout->strides[axis];
  }
  return {};
}

}  // namespace

BROADLOOM_OPERATOR(op, split){
    .name = "Split",
    .versions = versions,
    .prepare = prepare,
    .compute = finished_by_prepare,
    .count_outputs = count_outputs,
};

}  // namespace broadloom
