// Programs are built step by step; program.cpp runs them.
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/elementwise/convert.h"
#include "kernels/elementwise/program.h"
#include "kernels/elementwise/select.h"

namespace broadloom {

Program::Program() = default;
Program::~Program() = default;

Program::Record& Program::add(Record::Kind kind, std::size_t item_size) {
  // Nothing may be written beyond: `run` refuses what does not fit.
  is_too_long_ = is_too_long_ || values_ == most_values;
  Record& record = records_[is_too_long_ ? most_values - 1 : values_++];
  record.kind = kind;
  record.buffer = 0;
  record.item_size = static_cast<std::uint8_t>(item_size);
  record.count = 0;
  return record;
}

Program::Value Program::operand(Dtype dtype, const std::byte* data, LayoutRef layout) {
  Record& record = add(Record::Kind::operand, item_size(dtype));
  record.data = data;
  record.from[0] = static_cast<std::uint8_t>(operands_);
  layouts_[operands_++] = std::move(layout);
  return {static_cast<std::uint8_t>(values_ - 1), dtype, false};
}

Program::Value Program::constant(double number, const Value& like) {
  const AccumulateType accumulate = accumulate_type_of(like.dtype);
  Record& record = add(Record::Kind::constant, item_size(accumulate.dtype));
  const auto* from = reinterpret_cast<const std::byte*>(&number);
  Dtype of = Dtype::float64;
  std::uint64_t whole;
  std::uint64_t narrow;
  const DtypeKind kind = info(like.dtype).kind;
  if (kind == DtypeKind::signed_integer || kind == DtypeKind::unsigned_integer) {
    const double rest = std::isfinite(number) ? std::fmod(number, 0x1p64) : 0;
    whole = rest < 0 ? -static_cast<std::uint64_t>(-rest) : static_cast<std::uint64_t>(rest);
    broadloom::convert(reinterpret_cast<std::byte*>(&narrow), like.dtype, reinterpret_cast<const std::byte*>(&whole),
                       Dtype::uint64, 1);
    from = reinterpret_cast<const std::byte*>(&narrow);
    of = like.dtype;
  }
  broadloom::convert(reinterpret_cast<std::byte*>(&record.bits), accumulate.dtype, from, of, 1);
  return {static_cast<std::uint8_t>(values_ - 1), like.dtype, accumulate.load != nullptr};
}

Program::Value Program::step(InnerLoop loop, Dtype dtype, bool is_in_accumulate_type, std::span<const Value> from) {
  Record& record = add(Record::Kind::step, item_size(is_in_accumulate_type ? accumulate_type_of(dtype).dtype : dtype));
  record.loop = loop;
  for (const Value& value : from) record.from[record.count++] = value.number;
  return {static_cast<std::uint8_t>(values_ - 1), dtype, is_in_accumulate_type};
}

Program::Value Program::widened(const Value& x) {
  const AccumulateType accumulate = accumulate_type_of(x.dtype);
  if (x.is_in_accumulate_type || accumulate.load == nullptr) return x;
  const Record& record = records_[x.number];
  const bool is_stored = accumulate.round != nullptr && record.kind == Record::Kind::step && record.loop == accumulate.store;
  const InnerLoop loop = is_stored ? accumulate.round : accumulate.load;
  const std::uint8_t from = is_stored ? record.from[0] : x.number;
  // A value that is read twice is widened once.
  for (std::size_t i = from + std::size_t{1}; i < values_; ++i) {
    const bool is_same = records_[i].kind == Record::Kind::step && records_[i].loop == loop && records_[i].from[0] == from;
    if (is_same) return {static_cast<std::uint8_t>(i), x.dtype, true};
  }
  const Value source{from, x.dtype, is_stored};
  return step(loop, x.dtype, true, {&source, 1});
}

Program::Value Program::rounded(const Value& x) {
  return x.is_in_accumulate_type ? step(accumulate_type_of(x.dtype).store, x.dtype, false, {&x, 1}) : x;
}

// Values that are not in their accumulate type may have a loop of their own: comparisons of float16 take 0.3 of the time.
Computation Program::computation_for(Operation operation, const Value& a, const Value& b) {
  const bool are_halves = a.dtype == Dtype::float16 && !a.is_in_accumulate_type && !b.is_in_accumulate_type;
  const InnerLoop loop = are_halves ? half_loop_of(operation) : nullptr;
  return loop == nullptr ? computation_of(operation, a.dtype) : Computation{loop, a.dtype, nullptr, nullptr};
}

Program::Value Program::apply(Operation operation, const Value& a) {
  const Computation computation = computation_for(operation, a, a);
  const bool is_in_accumulate_type = computation.load != nullptr;
  const Value from = is_in_accumulate_type ? widened(a) : rounded(a);
  if (gives_bools(operation)) return step(computation.loop, Dtype::boolean, false, {&from, 1});
  return step(computation.loop, a.dtype, is_in_accumulate_type, {&from, 1});
}

Program::Value Program::apply(Operation operation, const Value& a, const Value& b) {
  const Computation computation = computation_for(operation, a, b);
  const bool is_in_accumulate_type = computation.load != nullptr;
  const Value first = is_in_accumulate_type ? widened(a) : rounded(a);
  const bool is_same = a.number == b.number;
  const Value second = is_same ? first : is_in_accumulate_type ? widened(b) : rounded(b);
  const Value from[] = {first, second};
  if (gives_bools(operation)) return step(computation.loop, Dtype::boolean, false, from);
  return step(computation.loop, a.dtype, is_in_accumulate_type, from);
}

Program::Value Program::select(const Value& condition, const Value& x, const Value& y) {
  const bool is_in_accumulate_type = x.is_in_accumulate_type || y.is_in_accumulate_type;
  const Dtype computed = is_in_accumulate_type ? accumulate_type_of(x.dtype).dtype : x.dtype;
  const Value from[] = {condition, is_in_accumulate_type ? widened(x) : x, is_in_accumulate_type ? widened(y) : y};
  return step(select_loop(item_size(computed)), x.dtype, is_in_accumulate_type, from);
}

bool Program::can_convert(Dtype to, Dtype from) { return conversion_of(to, from).exists; }

Program::Value Program::convert(Dtype to, const Value& x) {
  const Conversion conversion = conversion_of(to, x.dtype);
  assert(conversion.exists);
  Value value = rounded(x);
  for (std::size_t i = 0; i < conversion.count; ++i) {
    const bool is_load = i == 0 && conversion.loops[0] == accumulate_type_of(x.dtype).load;
    value = is_load ? widened(value) : step(conversion.loops[i], to, false, {&value, 1});
  }
  return {value.number, to, false};
}

}  // namespace broadloom
