#include "kernels/program.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "core/memory.h"
#include "core/text.h"
#include "kernels/block_reader.h"
#include "kernels/convert.h"
#include "kernels/fill.h"
#include "kernels/select.h"
#include "kernels/strided.h"

namespace broadloom {

Program::Program() = default;
Program::~Program() = default;

// ---- Building ----

Program::Record& Program::add(Record::Kind kind, std::size_t item_size) {
  // Nothing may be written beyond: `run` refuses what does not fit.
  is_too_long_ = is_too_long_ || values_ == most_values;
  Record& record = records_[is_too_long_ ? most_values - 1 : values_++];
  record.kind = kind;
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
  const Widening widening = widening_of(like.dtype);
  Record& record = add(Record::Kind::constant, item_size(widening.dtype));
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
  broadloom::convert(reinterpret_cast<std::byte*>(&record.bits), widening.dtype, from, of, 1);
  return {static_cast<std::uint8_t>(values_ - 1), like.dtype, widening.load != nullptr};
}

Program::Value Program::step(Loop loop, Dtype dtype, bool is_wide, std::span<const Value> from) {
  Record& record = add(Record::Kind::step, item_size(dtype));
  record.loop = loop;
  for (const Value& value : from) record.from[record.count++] = value.number;
  return {static_cast<std::uint8_t>(values_ - 1), dtype, is_wide};
}

Program::Value Program::widened(const Value& x) {
  const Widening widening = widening_of(x.dtype);
  return x.is_wide || widening.load == nullptr ? x : step(widening.load, x.dtype, true, {&x, 1});
}

Program::Value Program::rounded(const Value& x) {
  return x.is_wide ? step(widening_of(x.dtype).store, x.dtype, false, {&x, 1}) : x;
}

Program::Value Program::apply(Operation operation, const Value& a) {
  const Computation computation = computation_of(operation, a.dtype);
  const bool is_wide = computation.load != nullptr;
  const Value from = is_wide ? widened(a) : rounded(a);
  if (gives_bools(operation)) return step(computation.loop, Dtype::boolean, false, {&from, 1});
  return step(computation.loop, a.dtype, is_wide, {&from, 1});
}

Program::Value Program::apply(Operation operation, const Value& a, const Value& b) {
  const Computation computation = computation_of(operation, a.dtype);
  const bool is_wide = computation.load != nullptr;
  const Value first = is_wide ? widened(a) : rounded(a);
  const bool is_same = a.number == b.number;
  const Value second = is_same ? first : is_wide ? widened(b) : rounded(b);
  const Value from[] = {first, second};
  if (gives_bools(operation)) return step(computation.loop, Dtype::boolean, false, from);
  return step(computation.loop, a.dtype, is_wide, from);
}

Program::Value Program::select(const Value& condition, const Value& x, const Value& y) {
  const bool is_wide = x.is_wide || y.is_wide;
  const Dtype computed = is_wide ? widening_of(x.dtype).dtype : x.dtype;
  const Value from[] = {condition, is_wide ? widened(x) : x, is_wide ? widened(y) : y};
  return step(select_loop(item_size(computed)), x.dtype, is_wide, from);
}

bool Program::can_convert(Dtype to, Dtype from) { return conversion_of(to, from).exists; }

Program::Value Program::convert(Dtype to, const Value& x) {
  const Conversion conversion = conversion_of(to, x.dtype);
  assert(conversion.exists);
  Value value = rounded(x);
  for (std::size_t i = 0; i < conversion.count; ++i) value = step(conversion.loops[i], to, false, {&value, 1});
  value.dtype = to;
  return value;
}

// ---- Running ----

namespace {

// Of the axes along which no element repeats.
std::int64_t distinct_elements(const Layout& layout) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) count *= layout.strides[i] == 0 ? 1 : layout.dims[i];
  return count;
}

// Whether elements are better put in order all at once than gathered block by block: none repeats, and they do not lie in long
// rows. Transposing [1080, 1920, 3] of uint8 and converting it to float32 takes three quarters of the time so.
bool is_reordered(const Layout& layout, std::size_t count) {
  if (count <= block_items || distinct_elements(layout) != static_cast<std::int64_t>(count)) return false;
  const MergedAxes axes = merge_axes(layout);
  const Axis& inner = axes.axes[axes.rank - 1];
  return inner.stride != 1 || static_cast<std::size_t>(inner.extent) < block_items;
}

}  // namespace

std::int64_t Program::operand_bytes() const {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < values_; ++i) {
    const Record& record = records_[i];
    if (record.kind == Record::Kind::operand) bytes += distinct_elements(layouts_[record.from[0]]) * record.item_size;
  }
  return bytes;
}

void Program::transpose(std::span<const std::int64_t> order) {
  for (std::size_t i = 0; i < operands_; ++i) layouts_[i] = transposed_layout(layouts_[i], order);
}

std::size_t Program::assign_buffers() {
  using enum Record::Kind;
  std::size_t constants = 0;
  for (std::size_t i = 0; i < values_; ++i) {
    Record& record = records_[i];
    record.last_use = static_cast<std::uint8_t>(i);
    if (record.kind == constant) record.buffer = static_cast<std::uint8_t>(constants++);
    if (record.kind != step) continue;
    for (std::size_t k = 0; k < record.count; ++k) records_[record.from[k]].last_use = static_cast<std::uint8_t>(i);
  }
  // Constants are written once, and keep their blocks.
  std::uint64_t taken = (std::uint64_t{1} << constants) - 1;
  std::size_t most = constants;
  for (std::size_t i = 0; i < values_; ++i) {
    Record& record = records_[i];
    if (record.kind != step) continue;
    record.buffer = static_cast<std::uint8_t>(std::countr_one(taken));
    taken |= std::uint64_t{1} << record.buffer;
    most = std::max<std::size_t>(most, record.buffer + 1U);
    for (std::size_t k = 0; k < record.count; ++k) {
      const Record& from = records_[record.from[k]];
      if (from.last_use == i && from.kind == step) taken &= ~(std::uint64_t{1} << from.buffer);
    }
  }
  return most;
}

namespace {

// What is allocated for a run: readers of operands that lie in no simple way, blocks, and operands put in order.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    for (std::size_t i = 0; i < readers_; ++i) reader(i).~BlockReader();
    release(memory_);
  }

  Status allocate(std::size_t most_readers, std::size_t blocks, std::uint64_t others) {
    const std::uint64_t bytes = blocks * block_bytes + most_readers * sizeof(BlockReader) + others;
    const bool is_countable = bytes <= std::numeric_limits<std::size_t>::max();
    memory_ = is_countable ? static_cast<std::byte*>(broadloom::allocate(static_cast<std::size_t>(bytes))) : nullptr;
    if (memory_ == nullptr) return Failure(out_of_memory(static_cast<double>(bytes)));
    first_reader_ = memory_ + blocks * block_bytes;
    free_ = first_reader_ + most_readers * sizeof(BlockReader);
    return {};
  }
  // Of the others, so many bytes.
  std::byte* take(std::size_t bytes) { return std::exchange(free_, free_ + bytes); }
  std::byte* block(std::size_t i) { return memory_ + i * block_bytes; }
  template <class... Arguments>
  BlockReader* add_reader(const Arguments&... arguments) {
    return new (first_reader_ + sizeof(BlockReader) * readers_++) BlockReader(arguments...);
  }

 private:
  static constexpr std::size_t block_bytes = block_items * 8;
  BlockReader& reader(std::size_t i) {
    return *std::launder(reinterpret_cast<BlockReader*>(first_reader_ + sizeof(BlockReader) * i));
  }

  std::byte* memory_ = nullptr;
  std::byte* first_reader_ = nullptr;
  std::byte* free_ = nullptr;
  std::size_t readers_ = 0;
};

bool is_uniform(const Layout& layout) {
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    if (layout.dims[i] != 1 && layout.strides[i] != 0) return false;
  }
  return true;
}

}  // namespace

Status Program::run(const Value& result, std::byte* to, std::size_t count) {
  using enum Record::Kind;
  if (is_too_long_) return fail(Code::InvalidArgument, "a computation has more than {} steps", std::int64_t{most_values});
  if (count == 0) return {};
  const Record& last = records_[result.number];
  if (last.kind == operand) {
    materialize(to, last.data, layouts_[last.from[0]], last.item_size);
    return {};
  }
  if (last.kind == constant) {
    fill(to, reinterpret_cast<const std::byte*>(&last.bits), last.item_size, count);
    return {};
  }
  const std::byte* at[most_values];
  bool is_strided[most_operands] = {};
  bool is_moved[most_operands] = {};
  std::uint64_t moved = 0;
  std::size_t readers = 0;
  bool is_whole = result.number == operands_;
  for (std::size_t i = 0; i < values_; ++i) {
    Record& record = records_[i];
    if (record.kind != operand) continue;
    at[i] = record.data;
    const Layout& layout = layouts_[record.from[0]];
    if (count == 1 || is_dense(layout)) continue;
    is_whole = false;
    if (is_uniform(layout)) {
      std::memcpy(&record.bits, record.data, record.item_size);
      record.kind = constant;
    } else if (is_reordered(layout, count)) {
      is_moved[record.from[0]] = true;
      moved += std::uint64_t{record.item_size} * count;
    } else {
      is_strided[record.from[0]] = true;
      ++readers;
    }
  }
  if (is_whole) {
    const std::byte* from[most_operands_of_step];
    for (std::size_t k = 0; k < last.count; ++k) from[k] = at[last.from[k]];
    last.loop(to, from, count);
    return {};
  }
  Workspace workspace;
  BROADLOOM_CHECK(workspace.allocate(readers, assign_buffers(), moved));
  // Where an operand's elements are found: in `reader`, or, without one, from `at` on, where they lie densely.
  struct Source {
    BlockReader* reader;
    std::size_t value;
  };
  Source sources[most_operands];
  std::size_t sources_count = 0;
  for (std::size_t i = 0; i < values_; ++i) {
    Record& record = records_[i];
    if (record.kind == constant) {
      std::byte* block = workspace.block(record.buffer);
      fill(block, reinterpret_cast<const std::byte*>(&record.bits), record.item_size, std::min(count, block_items));
      at[i] = block;
    } else if (record.kind == step) {
      at[i] = workspace.block(record.buffer);
    } else {
      BlockReader* reader = nullptr;
      if (is_moved[record.from[0]]) {
        std::byte* const dense = workspace.take(record.item_size * count);
        materialize(dense, record.data, layouts_[record.from[0]], record.item_size);
        at[i] = dense;
      }
      if (is_strided[record.from[0]]) {
        reader = workspace.add_reader(record.data, *layouts_[record.from[0]], count, record.item_size);
      }
      sources[sources_count++] = {reader, i};
    }
  }
  while (count > 0) {
    std::size_t items = std::min(count, block_items);
    for (std::size_t i = 0; i < sources_count; ++i) {
      if (sources[i].reader != nullptr) items = std::min(items, sources[i].reader->ready());
    }
    for (std::size_t i = 0; i < sources_count; ++i) {
      if (sources[i].reader != nullptr) at[sources[i].value] = sources[i].reader->next(items);
    }
    for (std::size_t i = 0; i <= result.number; ++i) {
      const Record& record = records_[i];
      if (record.kind != step) continue;
      const std::byte* from[most_operands_of_step];
      for (std::size_t k = 0; k < record.count; ++k) from[k] = at[record.from[k]];
      record.loop(i == result.number ? to : const_cast<std::byte*>(at[i]), from, items);
    }
    for (std::size_t i = 0; i < sources_count; ++i) {
      const Record& record = records_[sources[i].value];
      if (sources[i].reader == nullptr) at[sources[i].value] += items * record.item_size;
    }
    to += items * last.item_size;
    count -= items;
  }
  return {};
}

}  // namespace broadloom
