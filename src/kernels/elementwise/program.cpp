#include "kernels/elementwise/program.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "core/text.h"
#include "kernels/elementwise/convert.h"
#include "kernels/movement/block_reader.h"
#include "kernels/movement/fill.h"
#include "kernels/movement/strided.h"

namespace broadloom {

namespace {

// The number of elements without repetition: the product of the axes whose stride is not 0.
std::int64_t distinct_elements(const Layout& layout) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) count *= layout.strides[i] == 0 ? 1 : layout.dims[i].number();
  return count;
}

// Whether elements are better put in order all at once than gathered block by block: none repeats, and they do not lie in long
// rows. Transposing [1080, 1920, 3] of uint8 and converting it to float32 takes three quarters of the time so.
bool is_reordered(const Layout& layout, std::size_t count) {
  if (count <= block_items || distinct_elements(layout) != static_cast<std::int64_t>(count)) return false;
  const MergedAxes axes = merge_axes(layout);
  const Axis& inner = axes.axes[axes.rank - 1];
  return inner.stride != 1 || in_memory(inner.extent) < block_items;
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

bool Program::is_run(std::span<const Record> records, std::size_t i) {
  return records[i].kind == Record::Kind::step && (records[i].last_use != i || i + 1 == records.size());
}

void Program::assign_buffers(Form& form) {
  using enum Record::Kind;
  const std::span<Record> records = form.records;
  const auto is_repeated = [](const Record& record) {
    return record.kind == constant || (record.kind == operand && record.way == Way::uniform);
  };
  std::size_t constants = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].last_use = static_cast<std::uint8_t>(i);
    if (is_repeated(records[i])) records[i].buffer = static_cast<std::uint8_t>(constants++);
  }
  // From the last step on: steps that nothing reads read nothing.
  for (std::size_t i = records.size(); i-- > 0;) {
    if (!is_run(records, i)) continue;
    for (std::size_t k = 0; k < records[i].count; ++k) {
      std::uint8_t& last_use = records[records[i].from[k]].last_use;
      last_use = std::max(last_use, static_cast<std::uint8_t>(i));
    }
  }
  // Constants are written once, and keep their blocks.
  std::uint64_t taken = (std::uint64_t{1} << constants) - 1;
  form.blocks = constants;
  for (std::size_t i = 0; i < records.size(); ++i) {
    Record& record = records[i];
    if (!is_run(records, i)) continue;
    record.buffer = static_cast<std::uint8_t>(std::countr_one(taken));
    taken |= std::uint64_t{1} << record.buffer;
    form.blocks = std::max<std::size_t>(form.blocks, record.buffer + 1U);
    for (std::size_t k = 0; k < record.count; ++k) {
      const Record& from = records[record.from[k]];
      if (from.last_use == i && from.kind == step) taken &= ~(std::uint64_t{1} << from.buffer);
    }
  }
}

namespace {

constexpr std::size_t block_bytes = block_items * 8;

// A reader takes whole vectors: readers hold vectors, and so does the memory after them.
constexpr std::size_t reader_bytes = whole_vectors(sizeof(BlockReader));

}  // namespace

// The readers of operands that lie in no simple way, in memory that a run was given.
class Program::Readers {
 public:
  explicit Readers(std::byte* memory) : memory_(memory) {}
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;
  ~Readers() {
    for (std::size_t i = 0; i < count_; ++i) at(i).~BlockReader();
  }
  template <class... Arguments>
  BlockReader* add(const Arguments&... arguments) {
    return new (memory_ + reader_bytes * count_++) BlockReader(arguments...);
  }

 private:
  BlockReader& at(std::size_t i) { return *std::launder(reinterpret_cast<BlockReader*>(memory_ + reader_bytes * i)); }

  std::byte* memory_;
  std::size_t count_ = 0;
};

namespace {

bool is_uniform(const Layout& layout) {
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    if (layout.dims[i] != 1 && layout.strides[i] != 0) return false;
  }
  return true;
}

}  // namespace

Count Program::Form::workspace_bytes() const { return moved_bytes + blocks * block_bytes + readers * reader_bytes; }

Program::Form Program::form(std::span<Record> records, std::span<const LayoutRef> layouts, std::size_t count) {
  using enum Record::Kind;
  Form form{records, layouts, count};
  if (records.back().kind != step) return form;
  // Some layouts may belong to operands that the result does not need.
  form.is_one_loop = true;
  for (Record& record : records) {
    if (record.kind != operand) {
      form.is_one_loop = form.is_one_loop && &record == &records.back();
      continue;
    }
    const Layout& layout = layouts[record.from[0]];
    record.way = Way::dense;
    if (count == 1 || is_dense(layout)) continue;
    form.is_one_loop = false;
    if (is_uniform(layout)) {
      record.way = Way::uniform;
    } else if (is_reordered(layout, count)) {
      record.way = Way::moved;
      form.moved_bytes += whole_vectors(Count(count) * record.item_size);
    } else {
      record.way = Way::strided;
      ++form.readers;
    }
  }
  if (!form.is_one_loop) assign_buffers(form);
  return form;
}

// Most loops take a nanosecond for an item, some (Mod of floats that are far apart) thousands.
constexpr double steps_of_item = 32;

// A run block by block, over operands at any number of elements.
class Program::Walk {
 public:
  Walk(const Form& form, std::byte* workspace)
      : form_(form), readers_(workspace + form.blocks * block_bytes), count_(form.count) {
    using enum Record::Kind;
    const std::span<const Record> records = form.records;
    std::byte* moved = workspace + form.blocks * block_bytes + form.readers * reader_bytes;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      const bool is_uniform = record.kind == operand && record.way == Way::uniform;
      std::byte* const block = workspace + record.buffer * block_bytes;
      if (record.kind == constant || is_uniform) {
        const auto* item = is_uniform ? record.data : reinterpret_cast<const std::byte*>(&record.bits);
        fill(block, item, record.item_size, std::min(count_, block_items));
        at_[i] = block;
      } else if (record.kind == step) {
        at_[i] = block;
      } else {
        const Layout& layout = form.layouts[record.from[0]];
        at_[i] = record.data;
        BlockReader* reader = nullptr;
        if (record.way == Way::moved) {
          at_[i] = moved;
          moves_ = true;
          moved += in_memory(whole_vectors(Count(form.count) * record.item_size));
        } else if (record.way == Way::strided) {
          reader = readers_.add(record.data, layout, form.count, std::size_t{record.item_size});
        }
        sources_[sources_count_++] = {reader, i};
      }
    }
  }

  // Writes the next `count` elements.
  Status run(std::byte* to, std::size_t count) {
    using enum Record::Kind;
    if (moves_) BROADLOOM_CHECK(move());
    const std::span<const Record> records = form_.records;
    const Record& last = records.back();
    while (count > 0) {
      std::size_t items = std::min(count, block_items);
      BROADLOOM_CHECK(Watch::check(static_cast<double>(items * records.size()) * steps_of_item));
      for (std::size_t i = 0; i < sources_count_; ++i) {
        if (sources_[i].reader != nullptr) items = std::min(items, sources_[i].reader->ready());
      }
      for (std::size_t i = 0; i < sources_count_; ++i) {
        if (sources_[i].reader != nullptr) at_[sources_[i].value] = sources_[i].reader->next(items);
      }
      for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        if (!is_run(records, i)) continue;
        const std::byte* from[most_operands_of_step];
        for (std::size_t k = 0; k < record.count; ++k) from[k] = at_[record.from[k]];
        record.loop(&record == &last ? to : const_cast<std::byte*>(at_[i]), from, items);
      }
      for (std::size_t i = 0; i < sources_count_; ++i) {
        const Record& record = records[sources_[i].value];
        if (sources_[i].reader == nullptr) at_[sources_[i].value] += items * record.item_size;
      }
      to += items * last.item_size;
      count -= items;
    }
    return {};
  }

 private:
  // Puts the operands in order that are read so.
  Status move() {
    for (std::size_t i = 0; i < form_.records.size(); ++i) {
      const Record& record = form_.records[i];
      if (record.kind != Record::Kind::operand || record.way != Way::moved) continue;
      const Layout& layout = form_.layouts[record.from[0]];
      BROADLOOM_CHECK(materialize_watched(const_cast<std::byte*>(at_[i]), record.data, layout, record.item_size));
    }
    moves_ = false;
    return {};
  }

  // Where an operand's elements are found: in `reader`, or, without one, from `at` on, where they lie densely.
  struct Source {
    BlockReader* reader;
    std::size_t value;
  };

  const Form& form_;
  Readers readers_;
  std::size_t count_;
  const std::byte* at_[most_values];
  Source sources_[most_operands];
  std::size_t sources_count_ = 0;
  bool moves_ = false;
};

Status Program::run(const Form& form, std::byte* to, std::byte* workspace) {
  using enum Record::Kind;
  const Record& last = form.records.back();
  if (last.kind == operand) {
    return materialize_watched(to, last.data, form.layouts[last.from[0]], last.item_size);
  }
  if (last.kind == constant) {
    fill(to, reinterpret_cast<const std::byte*>(&last.bits), last.item_size, form.count);
    return {};
  }
  if (form.is_one_loop) {
    const std::byte* from[most_operands_of_step];
    for (std::size_t k = 0; k < last.count; ++k) from[k] = form.records[last.from[k]].data;
    constexpr std::size_t part = std::size_t{1} << 15;
    for (std::size_t left = form.count; left > 0;) {
      const std::size_t items = std::min(left, part);
      last.loop(to, from, items);
      left -= items;
      if (left == 0) break;
      BROADLOOM_CHECK(Watch::check(static_cast<double>(items) * steps_of_item));
      for (std::size_t k = 0; k < last.count; ++k) from[k] += items * form.records[last.from[k]].item_size;
      to += items * last.item_size;
    }
    return {};
  }
  return Walk(form, workspace).run(to, form.count);
}

Status Program::run(const Value& result, std::byte* to, std::size_t count) {
  if (is_too_long_) return fail(Code::InvalidArgument, "a computation has more than {} steps", std::int64_t{most_values});
  if (count == 0) return {};
  const Form ready = form(std::span(records_).first(result.number + 1U), std::span(layouts_).first(operands_), count);
  const Count bytes = ready.workspace_bytes();
  auto* const workspace = bytes == 0 ? nullptr : static_cast<std::byte*>(allocate(bytes));
  if (workspace == nullptr && bytes > 0) return Failure(out_of_memory(bytes));
  Status status = run(ready, to, workspace);
  release(workspace);
  return status;
}

// ---- Again and again ----

Routine::Routine(const Program& program, const Program::Value& result, std::size_t count)
    : layouts_(program.layouts_, program.layouts_ + program.operands_),
      records_(program.records_, program.records_ + result.number + 1) {
  assert(!program.is_too_long_);
  operands_.resize(layouts_.size(), Program::most_values);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Program::Record& record = records_[i];
    if (record.kind == Program::Record::Kind::operand) operands_[record.from[0]] = static_cast<std::uint8_t>(i);
  }
  form_ = count > 0 ? Program::form(records_, layouts_, count) : Program::Form{records_, layouts_, 0};
}

[[gnu::cold]] Routine::Routine(const Routine& whole, std::int64_t rows) : records_(whole.records_), operands_(whole.operands_) {
  std::int64_t columns = 0;
  for (const Layout& layout : whole.layouts_) {
    const std::size_t last = layout.dims.size() - 1;
    columns = layout.run_dims()[last];
    layouts_.emplace_back(Layout{SymbolicDims{rows, columns}, Dims{layout.strides[last - 1], layout.strides[last]}});
  }
  form_ = Program::form(records_, layouts_, in_memory(Count(rows) * columns));
}

// ---- Part by part ----

class Routine::Parts final : public Finish {
 public:
  Parts(const Program::Form& form, std::byte* workspace) : walk_(form, workspace) {}
  Status run(std::byte* elements, std::size_t count) override { return walk_.run(elements, count); }

 private:
  Program::Walk walk_;
};

Count Routine::workspace_bytes_of_parts() const { return workspace_bytes() + whole_vectors(sizeof(Parts)); }

Finish& Routine::begin(std::byte* workspace) const {
  return *new (workspace) Parts(form_, workspace + whole_vectors(sizeof(Parts)));
}

void Routine::end(Finish& parts) { static_cast<Parts&>(parts).~Parts(); }

}  // namespace broadloom
