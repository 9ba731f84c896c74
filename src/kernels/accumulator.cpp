#include "kernels/accumulator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/number.h"
#include "kernels/copy.h"
#include "kernels/fill.h"

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

Accumulator::Accumulator(const Reduction& reduction, Dtype dtype, std::int64_t elements)
    : reduction_(reduction),
      computation_(computation_of(reduction.operation, dtype)),
      fold_(fold_of(reduction.operation, computation_.dtype)),
      item_size_(broadloom::item_size(computation_.dtype)),
      from_size_(broadloom::item_size(dtype)),
      elements_(static_cast<double>(elements)) {
  // bool is computed in uint8, but has fewer values.
  write_identity(reduction.operation, dtype == Dtype::boolean ? dtype : computation_.dtype, identity_);
  if (reduction.keeps_accumulate_type) computation_.store = nullptr;
  if (reduction.before == Reduction::Before::absolute) before_ = loop_of(Operation::absolute);
  if (reduction.before == Reduction::Before::square) before_ = loop_of(Operation::multiply);
  if (reduction.before == Reduction::Before::exp) before_ = loop_of(Operation::exp);
}

void Accumulator::start(std::size_t width, std::size_t results) {
  width_ = width;
  used_ = 1;
  counts_[0] = 0;
  fill(levels_[0], identity_, item_size_, width);
  if (reduction_.shifts == nullptr) return;
  read_shifts(shifts_, results);
  if (width > results) repeat_block(shifts_, results * item_size_, width * item_size_);
}

void Accumulator::add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count) {
  const bool in_registers = fold_.columns != nullptr && is_plain();
  while (rows > 0) {
    const std::size_t taken = in_registers ? std::min({rows, most_rows, branches - counts_[0]}) : 1;
    if (in_registers) {
      fold_.columns(levels_[0], elements, step, taken, count);
    } else {
      combine(levels_[0], prepared(elements, count), count);
    }
    count_up(taken);
    elements += taken * step;
    rows -= taken;
  }
}

void Accumulator::fold(std::size_t i, const std::byte* elements, std::size_t count) {
  alignas(16) static constexpr std::byte zero[8] = {};
  const std::byte* shift = zero;
  if (reduction_.shifts != nullptr) {
    read_shifts(row_shift_, 1, i);
    shift = row_shift_;
    if (!is_square()) fill(shifts_, shift, item_size_, std::min(count, most_width));
  }
  fold_part(levels_[0] + i * item_size_, elements, shift, count);
}

void Accumulator::fold_more(const std::byte* elements, std::size_t count) {
  alignas(16) std::byte kept[8];
  std::memcpy(kept, levels_[0], item_size_);
  fold(0, elements, count);
  combine(levels_[0], kept, 1);
  count_up(1);
}

void Accumulator::finish(std::byte* to, std::size_t count) {
  for (std::size_t level = 1; level < used_; ++level) combine(levels_[0], levels_[level], width_);
  for (std::size_t width = width_; width > count;) {
    width /= 2;
    combine(levels_[0], levels_[0] + width * item_size_, width);
  }
  finish_results(count);
  if (computation_.store == nullptr) {
    copy_bytes(to, levels_[0], count * item_size_);
  } else {
    const std::byte* const results[] = {levels_[0]};
    computation_.store(to, results, count);
  }
  finished_ += count;
}

void Accumulator::combine(std::byte* to, const std::byte* with, std::size_t count) {
  const std::byte* const operands[] = {to, with};
  computation_.loop(to, operands, count);
}

void Accumulator::count_up(std::size_t rows) {
  counts_[0] += rows;
  for (std::size_t level = 0; counts_[level] == branches && level + 1 < most_levels; ++level) {
    counts_[level] = 0;
    if (level + 1 == used_) {
      copy_bytes(levels_[used_], levels_[level], width_ * item_size_);
      counts_[used_++] = 0;
    } else {
      combine(levels_[level + 1], levels_[level], width_);
    }
    fill(levels_[level], identity_, item_size_, width_);
    ++counts_[level + 1];
  }
}

void Accumulator::read_shifts(std::byte* to, std::size_t count, std::size_t first) {
  copy_bytes(to, reduction_.shifts + (finished_ + first) * item_size_, count * item_size_);
  if (reduction_.after != Reduction::After::log_and_shift) return;
  item_size_ == 4 ? replace_infinities<float>(to, count) : replace_infinities<double>(to, count);
}

const std::byte* Accumulator::loaded(const std::byte* elements, std::size_t count) {
  if (computation_.load == nullptr) return elements;
  computation_.load(prepared_, &elements, count);
  return prepared_;
}

const std::byte* Accumulator::prepared(const std::byte* elements, std::size_t count) {
  elements = loaded(elements, count);
  if (reduction_.shifts != nullptr) {
    const std::byte* const operands[] = {elements, shifts_};
    loop_of(Operation::subtract)(prepared_, operands, count);
    elements = prepared_;
  }
  if (before_ == nullptr) return elements;
  const std::byte* const operands[] = {elements, elements};
  before_(prepared_, operands, count);
  return prepared_;
}

void Accumulator::fold_part(std::byte* to, const std::byte* elements, const std::byte* shift, std::size_t count) {
  const bool is_direct = is_plain() || (is_square() && computation_.load == nullptr);
  if (count > (is_direct ? Fold::most : most_width)) {
    const std::size_t half = (count / 2 + vector_bytes - 1) / vector_bytes * vector_bytes;
    alignas(16) std::byte rest[8];
    fold_part(to, elements, shift, half);
    fold_part(rest, elements + half * from_size_, shift, count - half);
    combine(to, rest, 1);
  } else if (is_square()) {
    fold_.squares(to, loaded(elements, count), shift, count);
  } else {
    fold_.row(to, prepared(elements, count), shift, count);
  }
}

void Accumulator::finish_results(std::size_t count) {
  using enum Reduction::After;
  const std::byte* const operands[] = {levels_[0], prepared_};
  if (reduction_.after == mean) {
    alignas(16) std::byte divisor[8];
    static_cast<void>(encode(computation_.dtype, {&elements_, 1}, divisor));
    fill(prepared_, divisor, item_size_, count);
    loop_of(Operation::divide)(levels_[0], operands, count);
  } else if (reduction_.after != nothing) {
    loop_of(reduction_.after == square_root ? Operation::square_root : Operation::log)(levels_[0], operands, count);
    if (reduction_.after != log_and_shift) return;
    read_shifts(prepared_, count);
    loop_of(Operation::add)(levels_[0], operands, count);
  }
}

}  // namespace broadloom
