#include "attributes.h"

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "core/number.h"
#include "core/strings.h"
#include "core/text.h"
#include "ops/call/dense.h"
#include "tensors.h"

namespace broadloom {
namespace {

using enum AttributeType;

using Kind = AttributeKind;

bool is_integer(double value) { return value == std::trunc(value); }

// The type of the next value in `frame`. Where a JavaScript value could have several types, returns `wanted`.
AttributeType type_of(Kind kind, FrameReader frame, AttributeType wanted) {
  switch (kind) {
    // An integer is a list of one where integers are wanted.
    case Kind::number: {
      const bool is_whole = is_integer(frame.number());
      return wanted == FLOAT || !is_whole ? FLOAT : wanted == INTS ? INTS : INT;
    }
    case Kind::bigint: return wanted == INTS ? INTS : INT;
    case Kind::boolean: return INT;
    case Kind::string: return STRING;
    case Kind::tensor: return TENSOR;
    case Kind::numbers: {
      const std::span<const double> values = frame.numbers(frame.size());
      // An empty list is a list of whatever is wanted.
      if (values.empty() && wanted == STRINGS) return STRINGS;
      return wanted == FLOATS || !std::all_of(values.begin(), values.end(), is_integer) ? FLOATS : INTS;
    }
    case Kind::bigints: return INTS;
    case Kind::strings: return STRINGS;
    case Kind::sparse: return SPARSE_TENSOR;
  }
  return UNDEFINED;
}

// ---- Lists, strings and sparse tensors: a small call seldom has them, so they are kept out of its code ----

[[gnu::cold, gnu::noinline]] Status read_numbers(std::span<const double> numbers, AttributeType type, AttributeValue& value) {
  const Dtype dtype = type == FLOATS ? Dtype::float32 : Dtype::int64;
  BROADLOOM_TRY(list, make_tensor(dtype, {static_cast<std::int64_t>(numbers.size())}));
  value.tensor = std::move(list);
  return encode(dtype, numbers, value.tensor.data());
}

[[gnu::cold, gnu::noinline]] Status read_strings(FrameReader& frame, const Dims& dims, AttributeValue& value) {
  BROADLOOM_TRY(tensor, take_strings(frame, dims));
  value.tensor = std::move(tensor);
  return {};
}

[[gnu::cold, gnu::noinline]] Status read_list(FrameReader& frame, Kind kind, AttributeType type, AttributeValue& value) {
  switch (kind) {
    case Kind::sparse: {
      SparseTensor& sparse = value.sparse.emplace_back();
      sparse.values = tensor_of(frame.handle());
      if (const std::uintptr_t indices = frame.handle(); indices != 0) sparse.indices = tensor_of(indices);
      BROADLOOM_TRY(dims, frame.dims());
      sparse.dims = dims;
      return {};
    }
    case Kind::number:
    case Kind::numbers: {
      const std::span<const double> numbers = frame.numbers(kind == Kind::number ? 1 : frame.size());
      return type == STRINGS ? read_strings(frame, {0}, value) : read_numbers(numbers, type, value);
    }
    case Kind::bigint:
    case Kind::bigints: {
      BROADLOOM_TRY(list, make_vector(frame.bigints(kind == Kind::bigint ? 1 : frame.size())));
      value.tensor = std::move(list);
      return {};
    }
    case Kind::string: return read_strings(frame, {}, value);
    default: return read_strings(frame, {static_cast<std::int64_t>(frame.size())}, value);
  }
}

// ---- Numbers and tensors ----

Status read_number(double number, AttributeType type, std::string_view name, AttributeValue& value) {
  const bool is_float = type == FLOAT;
  std::byte* to = is_float ? reinterpret_cast<std::byte*>(&value.number) : reinterpret_cast<std::byte*>(&value.integer);
  if (encode(is_float ? Dtype::float32 : Dtype::int64, {&number, 1}, to)) return {};
  const char* pattern = is_float ? "attribute {} is {}, which float32 cannot hold"
                                 : "attribute {} is {}, but a number stands for an integer only below 2^53: give a bigint";
  return fail(Code::InvalidArgument, pattern, quoted(name), number);
}

Status read_value(FrameReader& frame, Kind kind, AttributeType type, std::string_view name, AttributeValue& value) {
  value.is_present = true;
  if (type != INTS) {
    if (kind == Kind::number || kind == Kind::boolean) return read_number(frame.number(), type, name, value);
    if (kind == Kind::bigint) {
      value.integer = frame.bigint();
      return {};
    }
  }
  switch (kind) {
    case Kind::tensor: value.tensor = tensor_of(frame.handle()); return check_exposed(value.tensor);
    default: break;
  }
  Status status = read_list(frame, kind, type, value);
  if (!status) status.error()->message.prepend("attribute {}: ", quoted(name));
  return status;
}

// An element type by its name, where the operator has an INT.
[[gnu::cold, gnu::noinline]] Status read_data_type(FrameReader& frame, AttributeValue& value, std::string_view name) {
  const std::string_view text = frame.string();
  const std::optional<Dtype> dtype = dtype_from_name(text);
  if (!dtype)
    return fail(Code::InvalidArgument, "attribute {} is {}, which is not an element type", quoted(name), quoted(text));
  value.is_present = true;
  value.integer = static_cast<std::int64_t>(*dtype);
  return {};
}

// Tells the value that has another type than the attribute.
[[gnu::cold, gnu::noinline]] void append_value(FrameReader& frame, Kind kind, Text& message) {
  if (kind == Kind::number) message.append(": the value is {}", frame.number());
  if (kind == Kind::string) message.append(": the value is {}", quoted(frame.string()));
}

Status read_attribute(FrameReader& frame, const Selection& selection, Attributes& attributes) {
  const std::string_view name = frame.string();
  const AttributeSpec* spec = find_spec(selection.version, name);
  const auto kind = static_cast<Kind>(frame.size());
  if (kind == Kind::string && spec != nullptr && spec->is_data_type) return read_data_type(frame, attributes.add(*spec), name);
  const AttributeType type = type_of(kind, frame, spec == nullptr ? UNDEFINED : spec->type);
  if (Status admitted = admit_attribute(selection, attributes, spec, name, type); !admitted) {
    if (spec != nullptr && type != spec->type) append_value(frame, kind, admitted.error()->message);
    return admitted;
  }
  Attributes ignored;
  constexpr static AttributeSpec of_nobody{"", UNDEFINED};
  AttributeValue& value = spec == nullptr ? ignored.add(of_nobody) : attributes.add(*spec);
  return read_value(frame, kind, type, name, value);
}

}  // namespace

Status read_attributes(FrameReader& frame, const Selection& selection, Attributes& attributes) {
  for (std::size_t count = frame.size(); count > 0; --count) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(read_attribute(frame, selection, attributes));
  }
  return {};
}

}  // namespace broadloom
