#include "operands.h"

#include "core/number.h"
#include "core/text.h"
#include "ops/number_operand.h"
#include "tensors.h"

namespace broadloom {

namespace {

using Form = OperandForm;

// ---- Lists ----

[[gnu::cold, gnu::noinline]] Failure untyped_list(const Parameter& parameter, std::size_t input) {
  return fail(Code::InvalidArgument, "input {} ({}) is a list, which does not say its element type: give a tensor", input,
              quoted(parameter.name));
}

// Doubles become bytes in place.
void read_booleans(FrameReader& frame, std::size_t index, Operands& operands) {
  const std::span<const double> values = frame.numbers(frame.size());
  auto* bytes = reinterpret_cast<std::uint8_t*>(const_cast<double*>(values.data()));
  for (std::size_t i = 0; i < values.size(); ++i) bytes[i] = values[i] != 0 ? 1 : 0;
  operands.set(index, Dtype::boolean, {static_cast<std::int64_t>(values.size())}, bytes, values.size());
}

// Integers in the type of their array.
Status read_array(FrameReader& frame, Form form, Dtype dtype, std::size_t index, Operands& operands) {
  const std::size_t size = frame.size();
  const Dims dims{static_cast<std::int64_t>(size)};
  const void* elements = form == Form::bigints ? static_cast<const void*>(frame.bigints(size).data()) : nullptr;
  if (form == Form::integers) {
    const std::span<const double> values = frame.numbers(size);
    auto* bytes = reinterpret_cast<std::byte*>(const_cast<double*>(values.data()));
    BROADLOOM_CHECK(encode(dtype, values, bytes));  // in place: no element is longer than a double
    elements = bytes;
  }
  operands.set(index, dtype, dims, elements, size * item_size(dtype));
  return {};
}

// Integers of int64, where nothing else could be meant.
Status read_indices(FrameReader& frame, Form form, Dtype array, std::string_view name, std::size_t index, Operands& operands) {
  std::span<const std::int64_t> integers;
  if (form == Form::bigints) {
    integers = frame.bigints(frame.size());
  } else {
    BROADLOOM_TRY(numbers, frame.integers(name));
    integers = numbers;
  }
  for (const std::int64_t one : integers) {
    if (array != Dtype::uint64 || one >= 0) continue;
    return fail(Code::InvalidArgument, "input {} ({}) is {}, which {} cannot hold", index, quoted(name),
                static_cast<double>(static_cast<std::uint64_t>(one)), Dtype::int64);
  }
  operands.set(index, Dtype::int64, {static_cast<std::int64_t>(integers.size())}, integers.data(), integers.size_bytes());
  return {};
}

Status read_list(FrameReader& frame, Form form, const OperatorVersion& version, std::size_t index, Operands& operands) {
  if (form == Form::booleans) {
    read_booleans(frame, index, operands);
    return {};
  }
  const bool is_array = form == Form::array;
  const Dtype array = is_array ? static_cast<Dtype>(frame.number()) : Dtype::undefined;
  if (is_array) form = static_cast<Form>(frame.number());
  const Parameter& parameter = *parameter_at(version.inputs(), index);
  if (version.types_of(parameter).is_of_indices()) return read_indices(frame, form, array, parameter.name, index, operands);
  return is_array ? read_array(frame, form, array, index, operands) : untyped_list(parameter, index);
}

// ---- Single numbers ----

OperandNumber read_number(FrameReader& frame, Form form) {
  if (form != Form::bigint)
    return {form == Form::boolean ? OperandNumber::Kind::boolean : OperandNumber::Kind::number, frame.number()};
  const std::int64_t bits = frame.bigint();
  const bool is_negative = frame.number() != 0;
  const auto magnitude = static_cast<std::uint64_t>(bits);
  return {OperandNumber::Kind::bigint, is_negative ? static_cast<double>(bits) : static_cast<double>(magnitude), magnitude};
}

// Reads the operands again for their numbers. `operands` has the others.
[[gnu::cold, gnu::noinline]] Status read_numbers(FrameReader frame, const OperatorVersion& version, Operands& operands) {
  for (std::size_t i = 0; i < operands.tensors.size(); ++i) {
    const double handle = frame.number();
    if (handle >= 0) continue;
    auto form = static_cast<Form>(handle);
    if (form == Form::array) {
      frame.number();
      form = static_cast<Form>(frame.number());
    }
    if (form >= Form::booleans) {
      frame.numbers(frame.size());
      continue;
    }
    BROADLOOM_CHECK(require_memory());
    // The form and the number make room for the element, which has at most 16 bytes.
    void* room = const_cast<double*>(FrameReader(frame).numbers(1).data() - 1);
    const OperandNumber number = read_number(frame, form);
    BROADLOOM_TRY(dtype, encode_operand(version, operands.tensors.values(), i, number, static_cast<std::byte*>(room)));
    const Dims dims = parameter_at(version.inputs(), i)->is_list ? Dims{1} : Dims{};
    operands.set(i, dtype, dims, room, static_cast<std::size_t>(*dense_bytes(dtype, 1)));
  }
  return {};
}

}  // namespace

// The elements of an operand are only read.
PageTensor::PageTensor(Dtype dtype, const Dims& dims, const void* elements, std::size_t bytes)
    : storage(static_cast<std::byte*>(const_cast<void*>(elements)), bytes),
      tensor(dtype, dims.size() == 1 ? vector_layout(dims[0]) : dense_layout(dims), storage.share()) {}

Status read_operands(FrameReader& frame, const Selection& selection, Operands& operands) {
  const OperatorVersion& version = selection.version;
  const FrameReader start = frame;
  bool has_numbers = false;
  for (std::size_t i = 0; i < operands.tensors.size(); ++i) {
    const double handle = frame.number();
    operands.tensors[i] = handle > 0 ? &tensor_of(static_cast<std::uintptr_t>(handle)) : nullptr;
    if (handle >= 0) continue;
    BROADLOOM_CHECK(require_memory());
    // Before anything is taken, however many operands there are.
    if (parameter_at(version.inputs(), i) == nullptr) return check_input_count(selection, operands.tensors.size());
    const auto form = static_cast<Form>(handle);
    if (form >= Form::booleans || form == Form::array) {
      BROADLOOM_CHECK(read_list(frame, form, version, i, operands));
    } else {
      has_numbers = true;
      read_number(frame, form);
    }
  }
  return has_numbers ? read_numbers(start, version, operands) : Status();
}

}  // namespace broadloom
