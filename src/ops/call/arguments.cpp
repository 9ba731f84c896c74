#include "ops/call/arguments.h"

#include <algorithm>

#include "core/count.h"
#include "core/text.h"
#include "ops/call/dense.h"
#include "ops/dims/axes.h"

namespace broadloom {

namespace {

// An attribute in the call, and its declaration in the version.
struct Argument {
  const AttributeValue* value;
  const AttributeSpec* spec;
};

Argument argument_of(const Call& call, std::string_view name) {
  const Attribute* given = call.attributes.find(name);
  if (given != nullptr) return {&given->value, given->spec};
  return {nullptr, find_spec(call.version, name)};
}

}  // namespace

std::int64_t Call::integer(std::string_view name) const {
  const auto [value, spec] = argument_of(*this, name);
  if (value != nullptr) return value->integer;
  return spec == nullptr ? 0 : static_cast<std::int64_t>(spec->default_number.value_or(0));
}

float Call::number(std::string_view name) const {
  const auto [value, spec] = argument_of(*this, name);
  if (value != nullptr) return value->number;
  return spec == nullptr ? 0 : spec->default_number.value_or(0);
}

std::string_view Call::word(std::string_view name) const {
  const auto [value, spec] = argument_of(*this, name);
  if (value != nullptr) return text_of(*value);
  return spec == nullptr ? std::string_view() : spec->first_word();
}
namespace {

void read_sizes(const Tensor& tensor, Origin origin, Size* to) {
  const std::int64_t stride = tensor.dims().empty() ? 0 : tensor.layout->strides[0];
  const std::int64_t count = tensor.count();
  for (std::int64_t i = 0; i < count; ++i) {
    if (origin != Origin::run) {
      const Size size = size_at(tensor, i * stride);
      to[i] = size.is_number() || origin == Origin::value ? size : unknown_size;
    } else if (tensor.dtype == Dtype::int32) {
      to[i] = reinterpret_cast<const std::int32_t*>(tensor.data())[i * stride];
    } else {
      to[i] = nearest_number(reinterpret_cast<const std::int64_t*>(tensor.data())[i * stride]);
    }
  }
}

Result<IntegerList> list_of(const Call& call, const Tensor& tensor, std::string_view name, std::size_t most, Origin origin) {
  if (!tensor.is_ranked()) return IntegerList{true, false, {}};
  const SymbolicDims& dims = tensor.dims();
  if (dims.size() > 1) {
    return fail(Code::InvalidArgument, "{} has dims {}, wanted one axis", quoted(name), dims.values());
  }
  if (!dims.empty() && dims[0].is_number() && dims[0].number() > static_cast<std::int64_t>(most)) {
    return fail(Code::InvalidArgument, "{} has {} entries, more than {}", quoted(name), dims[0], most);
  }
  if (call.is_run() && !tensor.has_elements()) return IntegerList{true, false, {}};
  return known_integers(tensor, most, origin);
}

}  // namespace

IntegerList known_integers(const Tensor& tensor, std::size_t most, Origin origin) {
  IntegerList list{true, false, {}};
  if (!tensor.is_ranked() || tensor.dims().size() > 1) return list;
  const Size length = tensor.dims().empty() ? 1 : tensor.dims()[0];
  if (!length.is_number() || length.is_negative() || length.number() > static_cast<std::int64_t>(most)) return list;
  list.has_length = true;
  list.values = SymbolicDims(in_memory(length.number()), unknown_size);
  const bool are_integers = tensor.dtype == Dtype::int64 || tensor.dtype == Dtype::int32;
  if (tensor.has_elements() && are_integers) read_sizes(tensor, origin, list.values.data());
  return list;
}

std::size_t input_named(const OperatorVersion& version, std::string_view name) {
  const std::span<const Parameter> inputs = version.inputs();
  std::size_t i = 0;
  while (i < inputs.size() && !same_name(inputs[i].name, name)) ++i;
  return i;
}

Result<IntegerList> read_list(const Call& call, std::string_view name, std::size_t most) {
  const Attribute* attribute = call.attributes.find(name);
  const Tensor* tensor = attribute == nullptr ? call.input(input_named(call.version, name)) : &attribute->value.tensor;
  if (tensor == nullptr) return IntegerList{};
  const Origin before = attribute == nullptr ? Origin::value : Origin::file;
  return list_of(call, *tensor, name, most, call.is_run() ? Origin::run : before);
}

Result<IntegerList> read_integer(const Call& call, std::string_view name) {
  const Attribute* attribute = call.attributes.find(name);
  if (attribute != nullptr) {
    const std::int64_t value = attribute->value.integer;
    return IntegerList{true, true, {call.is_run() ? nearest_number(value) : number_or_unknown(value)}};
  }
  BROADLOOM_TRY(list, read_list(call, name));
  if (!list.is_given) return std::move(list);
  // The dims tell it before the elements are there: a plan never computes an empty output, and must fail, too.
  const Tensor& tensor = *call.input(input_named(call.version, name));
  const Size count = !tensor.is_ranked() ? unknown_size : tensor.dims().empty() ? Size(1) : tensor.dims()[0];
  if (!count.is_number() || count.number() == 1) return std::move(list);
  return fail(Code::InvalidArgument, "{} has {} entries, wanted one", quoted(name), count);
}

Result<std::size_t> resolve_axis(std::string_view name, std::int64_t axis, std::size_t rank) {
  if (const auto position = axis_at(axis, rank)) return *position;
  const auto axes = static_cast<std::int64_t>(rank);
  const char* pattern =
      rank == 0 ? "{} is {}, but a scalar has no axes" : "{} is {}, which is not an axis of {}: wanted {} to {}";
  const Error error = make_error(Code::InvalidArgument, pattern, quoted(name), axis, axes, -axes, axes - 1);
  // Other runtimes accept a scalar as a list of one element.
  error->is_impossible = rank > 0;
  return Failure(error);
}

Result<std::optional<std::size_t>> find_axis(const Call& call, std::size_t rank) {
  const Attribute* given = call.attributes.find("axis");
  if (given == nullptr) return std::nullopt;
  BROADLOOM_TRY(axis, resolve_axis("axis", given->value.integer, rank));
  return std::optional(axis);
}

Status check_length(const Call& call, std::size_t input, Size length) {
  const Tensor* tensor = call.input(input);
  if (tensor == nullptr || !tensor->is_ranked()) return {};
  const SymbolicDims& dims = tensor->dims();
  if (dims.size() == 1 && !differ(dims[0], length)) return {};
  return fail(Code::InvalidArgument, "{} has dims {}, wanted [{}]", quoted(call.version.inputs()[input].name), dims.values(),
              length);
}

Dims three_axes(std::span<const std::int64_t> dims, std::size_t first, std::size_t end) {
  return {count_of(dims.first(first)), count_of(dims.subspan(first, end - first)), count_of(dims.subspan(end))};
}

Result<AxisSet> resolve_axes(std::string_view name, std::span<const std::int64_t> axes, std::size_t rank) {
  Result<AxisSet> result(tl::in_place);
  for (const std::int64_t axis : axes) {
    BROADLOOM_TRY(i, resolve_axis(name, axis, rank));
    if (result->test(i)) return fail(Code::InvalidArgument, "{} has axis {} twice: {}", quoted(name), i, axes);
    result->set(i);
  }
  return result;
}

Result<Tensor> view_of(const Tensor& input, LayoutRef layout, std::int64_t offset) {
  BROADLOOM_TRY(storage, share_storage(input));
  return Tensor{input.dtype, std::move(layout), std::move(storage), input.offset + offset};
}

}  // namespace broadloom
