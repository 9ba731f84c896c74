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

// The order is that of AttributeKind in js/src/frame.ts.
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

// A tensor of numbers for the value of a FLOAT, INT, FLOATS or INTS.
Result<Tensor> numbers(Dtype dtype, std::span<const double> values) {
  BROADLOOM_TRY(tensor, make_tensor(dtype, {static_cast<std::int64_t>(values.size())}));
  BROADLOOM_CHECK(encode(dtype, values, tensor.data()));
  return std::move(tensor);
}

Result<Tensor> strings(FrameReader& frame, const Dims& dims) {
  FrameReader ahead = frame;
  std::int64_t bytes = 0;
  const std::int64_t count = count_of(dims);
  for (std::int64_t i = 0; i < count; ++i) bytes += static_cast<std::int64_t>(ahead.string().size());
  BROADLOOM_TRY(writer, StringWriter::make(dims, bytes));
  for (std::int64_t i = 0; i < count; ++i) BROADLOOM_CHECK(writer.add(frame.string()));
  return writer.finish();
}

Status read_number(Typed& typed, AttributeType wanted, double value) {
  const bool is_float = wanted == FLOAT || value != std::trunc(value);
  typed.type = is_float ? FLOAT : INT;
  BROADLOOM_TRY(number, numbers(is_float ? Dtype::float32 : Dtype::int64, {&value, 1}));
  if (is_float) {
    typed.value = *reinterpret_cast<const float*>(number.data());
  } else {
    typed.value = *reinterpret_cast<const std::int64_t*>(number.data());
  }
  return {};
}

Status read_numbers(FrameReader& frame, Typed& typed, AttributeType wanted, std::span<const double> values) {
  // An empty list is a list of whatever is wanted.
  if (values.empty() && wanted == STRINGS) {
    typed.type = STRINGS;
    BROADLOOM_TRY(none, strings(frame, {0}));
    typed.value = std::move(none);
    return {};
  }
  const bool are_floats = wanted == FLOATS || !all_integers(values);
  typed.type = are_floats ? FLOATS : INTS;
  BROADLOOM_TRY(list, numbers(are_floats ? Dtype::float32 : Dtype::int64, values));
  typed.value = std::move(list);
  return {};
}

Status read_sparse(FrameReader& frame, Typed& typed) {
  typed.type = SPARSE_TENSOR;
  SparseTensor sparse;
  sparse.values = tensor_of(frame.handle());
  if (const std::uintptr_t indices = frame.handle(); indices != 0) sparse.indices = tensor_of(indices);
  BROADLOOM_TRY(dims, frame.integers("dims"));
  sparse.dims = std::move(dims);
  typed.value = std::move(sparse);
  return {};
}

Status read_value(FrameReader& frame, Typed& typed, AttributeType wanted) {
  switch (static_cast<Kind>(frame.size())) {
    case Kind::number: return read_number(typed, wanted, frame.number());
    case Kind::numbers: return read_numbers(frame, typed, wanted, frame.numbers(frame.size()));
    case Kind::sparse: return read_sparse(frame, typed);
    case Kind::bigint:
      typed.type = INT;
      typed.value = frame.bigint();
      return {};
    case Kind::tensor:
      typed.type = TENSOR;
      typed.value = tensor_of(frame.handle());
      return {};
    case Kind::bigints: {
      typed.type = INTS;
      BROADLOOM_TRY(list, make_vector(frame.bigints(frame.size())));
      typed.value = std::move(list);
      return {};
    }
    case Kind::string: {
      typed.type = STRING;
      BROADLOOM_TRY(tensor, strings(frame, {}));
      typed.value = std::move(tensor);
      return {};
    }
    case Kind::strings: {
      typed.type = STRINGS;
      BROADLOOM_TRY(list, strings(frame, {static_cast<std::int64_t>(frame.size())}));
      typed.value = std::move(list);
      return {};
    }
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
