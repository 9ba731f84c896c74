#include "kernels/reduce/reduction_steps.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/number.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/copy.h"
#include "kernels/movement/fill.h"

namespace broadloom {
namespace {

template <class T>
T real_identity(Operation operation) {
  switch (operation) {
    case Operation::add: return 0;
    case Operation::multiply: return 1;
    case Operation::minimum: return std::numeric_limits<T>::infinity();
    default: return -std::numeric_limits<T>::infinity();
  }
}

std::uint64_t integer_identity(Operation operation, const DtypeInfo& type) {
  const std::uint64_t sign = std::uint64_t{1} << static_cast<unsigned>(type.bits - 1);
  switch (operation) {
    case Operation::add: return 0;
    case Operation::multiply: return 1;
    case Operation::minimum:
      if (type.kind == DtypeKind::boolean) return 1;
      return type.kind == DtypeKind::signed_integer ? sign - 1 : sign + (sign - 1);
    default: return type.kind == DtypeKind::signed_integer ? sign : 0;
  }
}

// The element that leaves others unchanged when it is combined with them.
void write_identity(Operation operation, Dtype dtype, std::byte* to) {
  if (dtype == Dtype::float32) {
    const auto value = real_identity<float>(operation);
    std::memcpy(to, &value, sizeof value);
  } else if (dtype == Dtype::float64) {
    const auto value = real_identity<double>(operation);
    std::memcpy(to, &value, sizeof value);
  } else {
    const std::uint64_t value = integer_identity(operation, info(dtype));
    std::memcpy(to, &value, item_size(dtype));
  }
}

template <class T>
void replace_infinities(std::byte* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, elements + i * sizeof value, sizeof value);
    if (std::isinf(value)) std::memset(elements + i * sizeof value, 0, sizeof value);
  }
}

}  // namespace

ReductionSteps::ReductionSteps(const Reduction& reduction, Dtype dtype, std::int64_t elements)
    : reduction_(reduction),
      computation_(computation_of(reduction.operation, reduction.is_wide ? Dtype::int64 : dtype)),
      given_size_(broadloom::item_size(dtype)),
      item_size_(broadloom::item_size(computation_.dtype)),
      elements_(static_cast<double>(elements)) {
  if (reduction.is_wide) computation_.load = conversion_of(Dtype::int64, dtype).loops[0];
  // bool is computed in uint8, but has fewer values.
  write_identity(reduction.operation, dtype == Dtype::boolean ? dtype : computation_.dtype, identity_);
  if (reduction.keeps_accumulate_type) computation_.store = nullptr;
  if (reduction.before == Reduction::Before::absolute) before_ = loop_of(Operation::absolute);
  if (reduction.before == Reduction::Before::square) before_ = loop_of(Operation::multiply);
  if (reduction.before == Reduction::Before::exp) before_ = loop_of(Operation::exp);
}

const std::byte* ReductionSteps::loaded(const std::byte* elements, std::size_t count) {
  if (computation_.load == nullptr) return elements;
  computation_.load(prepared_, &elements, count);
  return prepared_;
}

const std::byte* ReductionSteps::prepared(const std::byte* elements, const std::byte* shifts, std::size_t count) {
  elements = loaded(elements, count);
  if (reduction_.shifts != nullptr) {
    const std::byte* const operands[] = {elements, shifts};
    loop_of(Operation::subtract)(prepared_, operands, count);
    elements = prepared_;
  }
  if (before_ == nullptr) return elements;
  const std::byte* const operands[] = {elements, elements};
  before_(prepared_, operands, count);
  return prepared_;
}

void ReductionSteps::read_shifts(std::byte* to, std::size_t first, std::size_t count) const {
  copy_bytes(to, reduction_.shifts + first * item_size_, count * item_size_);
  if (reduction_.after != Reduction::After::log_and_shift) return;
  item_size_ == 4 ? replace_infinities<float>(to, count) : replace_infinities<double>(to, count);
}

void ReductionSteps::finish(std::byte* to, std::byte* results, std::size_t first, std::size_t count) {
  using enum Reduction::After;
  const std::byte* const operands[] = {results, prepared_};
  if (reduction_.after == mean) {
    alignas(16) std::byte divisor[8];
    static_cast<void>(encode(computation_.dtype, {&elements_, 1}, divisor));
    fill(prepared_, divisor, item_size_, count);
    loop_of(Operation::divide)(results, operands, count);
  } else if (reduction_.after != nothing) {
    loop_of(reduction_.after == square_root ? Operation::square_root : Operation::log)(results, operands, count);
    if (reduction_.after == log_and_shift) {
      read_shifts(prepared_, first, count);
      loop_of(Operation::add)(results, operands, count);
    }
  }
  if (computation_.store == nullptr) return copy_bytes(to, results, count * item_size_);
  const std::byte* const stored[] = {results};
  computation_.store(to, stored, count);
}

}  // namespace broadloom
