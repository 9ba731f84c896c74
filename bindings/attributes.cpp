#include "attributes.h"

#include <cmath>

#include "core/memory.h"
#include "core/number.h"
#include "core/strings.h"
#include "core/text.h"
#include "tensors.h"

namespace broadloom {
namespace {

using enum AttributeType;

// The order is that of `kinds` in js/src/call.ts.
enum class Kind : std::uint8_t { number, bigint, string, tensor, numbers, bigints, strings, sparse };

// A value and the type that it has or, where a JavaScript value could have several, that is wanted.
struct Typed {
  AttributeType type = UNDEFINED;
  AttributeValue value;
};

bool all_integers(std::span<const double> values) {
  for (const double value : values) {
    if (value != std::trunc(value)) return false;
  }
  return true;
}

Status read_number(Typed& typed, AttributeType wanted, double value) {
  const bool is_float = wanted == FLOAT || value != std::trunc(value);
  typed.type = is_float ? FLOAT : INT;
  if (is_float) return encode(Dtype::float32, {&value, 1}, reinterpret_cast<std::byte*>(&typed.value.number));
  return encode(Dtype::int64, {&value, 1}, reinterpret_cast<std::byte*>(&typed.value.integer));
}

Status read_numbers(Typed& typed, AttributeType wanted, std::span<const double> values) {
  const bool are_floats = wanted == FLOATS || !all_integers(values);
  typed.type = are_floats ? FLOATS : INTS;
  const Dtype dtype = are_floats ? Dtype::float32 : Dtype::int64;
  BROADLOOM_TRY(list, make_tensor(dtype, {static_cast<std::int64_t>(values.size())}));
  typed.value.tensor = std::move(list);
  return encode(dtype, values, typed.value.tensor.data());
}

Status read_strings(FrameReader& frame, Typed& typed, AttributeType type, const Dims& dims) {
  typed.type = type;
  BROADLOOM_TRY(tensor, take_strings(frame, dims));
  typed.value.tensor = std::move(tensor);
  return {};
}

Status read_value(FrameReader& frame, Typed& typed, AttributeType wanted) {
  typed.value.is_present = true;
  switch (static_cast<Kind>(frame.size())) {
    case Kind::number: return read_number(typed, wanted, frame.number());
    case Kind::bigint:
      typed.type = INT;
      typed.value.integer = frame.bigint();
      return {};
    case Kind::tensor:
      typed.type = TENSOR;
      typed.value.tensor = tensor_of(frame.handle());
      return {};
    case Kind::sparse: {
      typed.type = SPARSE_TENSOR;
      SparseTensor& sparse = typed.value.sparse.emplace_back();
      sparse.values = tensor_of(frame.handle());
      if (const std::uintptr_t indices = frame.handle(); indices != 0) sparse.indices = tensor_of(indices);
      BROADLOOM_TRY(dims, frame.integers("dims"));
      sparse.dims = dims;
      return {};
    }
    case Kind::numbers: {
      const std::span<const double> values = frame.numbers(frame.size());
      // An empty list is a list of whatever is wanted.
      if (values.empty() && wanted == STRINGS) return read_strings(frame, typed, STRINGS, {0});
      return read_numbers(typed, wanted, values);
    }
    case Kind::bigints: {
      typed.type = INTS;
      BROADLOOM_TRY(list, make_vector(frame.bigints(frame.size())));
      typed.value.tensor = std::move(list);
      return {};
    }
    case Kind::string: return read_strings(frame, typed, STRING, {});
    case Kind::strings: return read_strings(frame, typed, STRINGS, {static_cast<std::int64_t>(frame.size())});
  }
  return {};
}

Status read_attribute(FrameReader& frame, const Selection& selection, Attributes& attributes) {
  const std::string_view name = frame.string();
  const AttributeSpec* declared = find_spec(selection.version, name);
  Typed typed;
  if (Status status = read_value(frame, typed, declared == nullptr ? UNDEFINED : declared->type); !status) {
    status.error()->message.prepend("attribute {}: ", quoted(name));
    return status;
  }
  BROADLOOM_TRY(spec, admit_attribute(selection, attributes, name, typed.type));
  if (spec != nullptr) attributes.add(*spec, std::move(typed.value));
  return {};
}

}  // namespace

Result<Attributes> read_attributes(FrameReader& frame, const Selection& selection) {
  Attributes attributes;
  const std::size_t count = frame.size();
  for (std::size_t i = 0; i < count; ++i) {
    BROADLOOM_CHECK(require_memory());
    BROADLOOM_CHECK(read_attribute(frame, selection, attributes));
  }
  return attributes;
}

}  // namespace broadloom
