// Elementwise computations of any number of steps over operands of any layout, block by block: results of a step stay in the
// first-level cache until the next one reads it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/count.h"
#include "core/layout.h"
#include "core/status.h"
#include "kernels/elementwise/finish.h"
#include "kernels/elementwise/loops.h"

namespace broadloom {

class Program {
 public:
  // Not inlined: it releases layouts, and programs are built in many places.
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Elements of `dtype`: an operand, a constant, or the result of a step. If `is_in_accumulate_type`, they are
  // still in the accumulate type of `dtype` (accumulate_type_of), and not rounded.
  struct Value {
    std::uint8_t number = 0;
    Dtype dtype = Dtype::undefined;
    bool is_in_accumulate_type = false;
  };

  static constexpr std::size_t most_operands = 12;
  static constexpr std::size_t most_values = 64;

  // The number of operands, constants and steps.
  std::size_t size() const { return values_; }
  // Whether this number of operands, and of steps and constants, still fits. Builders of programs must check that.
  bool has_room(std::size_t operands, std::size_t values) const {
    return operands_ + operands <= most_operands && values_ + operands + values <= most_values;
  }

  // The elements of a layout with the result's count, in row-major order: numbers or bools of 1 to 8 bytes, not packed.
  Value operand(Dtype dtype, const std::byte* data, LayoutRef layout);
  // One number for all elements, in the accumulate type of `like`. For integers, the fraction is dropped, and the number
  // wraps around.
  Value constant(double number, const Value& like);
  // Operands have the same type. The result has that type, or bool; it may be in the accumulate type.
  Value apply(Operation operation, const Value& a);
  Value apply(Operation operation, const Value& a, const Value& b);
  // x if the bool is 1, otherwise y, which has x's type.
  Value select(const Value& condition, const Value& x, const Value& y);
  // A custom step: a loop over up to five values, without conversions.
  Value apply(InnerLoop loop, Dtype dtype, std::span<const Value> from) { return step(loop, dtype, false, from); }
  // Converts elements to another type, as `convert` does by default. Requires can_convert.
  static bool can_convert(Dtype to, Dtype from);
  Value convert(Dtype to, const Value& x);

  // Converts elements to their accumulate type; or rounds them to their own type.
  Value widened(const Value& x);
  Value rounded(const Value& x);

  // The number of bytes of all operands' elements, each counted once.
  std::int64_t operand_bytes() const;
  // Permutes the axes of all operands (transposed_layout), and so the axes of the result.
  void transpose(std::span<const std::int64_t> order);

  // Writes `count` elements of the value densely to `to`, which may be a dense operand with elements of the same size,
  // but must not overlap others. Fails if there is no memory for the blocks, if there are more than most_values, or if the time
  // is over.
  Status run(const Value& result, std::byte* to, std::size_t count);

 private:
  friend class Routine;

  static constexpr std::size_t most_operands_of_step = 5;
  // How the elements of an operand are read.
  enum class Way : std::uint8_t { dense, uniform, strided, moved };
  struct Record {
    enum class Kind : std::uint8_t { operand, constant, step } kind;
    std::uint8_t item_size;
    std::uint8_t last_use;  // the number of the step, or its own, if the result does not need it
    std::uint8_t from[most_operands_of_step];
    std::uint8_t count;   // of operands
    std::uint8_t buffer;  // of a step's result, of a constant and of a uniform operand
    Way way;              // of an operand
    InnerLoop loop;
    union {
      const std::byte* data;
      std::uint64_t bits;
    };
  };
  // A program for a result of some count: what a run needs besides operands.
  struct Form {
    std::span<Record> records;  // those up to the result
    std::span<const LayoutRef> layouts;
    std::size_t count;
    std::size_t readers = 0;
    std::size_t blocks = 0;
    Count moved_bytes = {};
    bool is_one_loop = false;  // over dense operands

    Count workspace_bytes() const;
  };

  Record& add(Record::Kind kind, std::size_t item_size);
  static Computation computation_for(Operation operation, const Value& a, const Value& b);
  Value step(InnerLoop loop, Dtype dtype, bool is_in_accumulate_type, std::span<const Value> from);
  // Says how operands are read, and gives steps' results their blocks. `count` is not 0.
  static Form form(std::span<Record> records, std::span<const LayoutRef> layouts, std::size_t count);
  static void assign_buffers(Form& form);
  // Whether it is a step that the result needs.
  static bool is_run(std::span<const Record> records, std::size_t i);
  class Readers;
  class Walk;
  static Status run(const Form& form, std::byte* to, std::byte* workspace);

  bool is_too_long_ = false;
  std::size_t operands_ = 0;
  std::size_t values_ = 0;
  LayoutRef layouts_[most_operands];
  Record records_[most_values];
};

// A program made ready for results of one count. It runs any number of times, with operands in other places each time.
class Routine {
 public:
  // The program has most_values or fewer.
  Routine(const Program& program, const Program::Value& result, std::size_t count);
  // For `rows` rows of one of the result's matrices, which its last two axes are. Layouts of all operands have these axes.
  Routine(const Routine& whole, std::int64_t rows);
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;

  // The memory that a run needs, aligned to 16.
  Count workspace_bytes() const { return form_.workspace_bytes(); }
  std::size_t operands() const { return layouts_.size(); }
  // The layout in which operand `i` is read.
  const Layout& layout(std::size_t i) const { return layouts_[i]; }
  // Operand `i`, in the order in which they were added to the program, lies there in the next runs.
  void place(std::size_t i, const std::byte* data) {
    if (operands_[i] < records_.size()) records_[operands_[i]].data = data;
  }
  // As Program::run.
  Status run(std::byte* to, std::byte* workspace) const {
    return form_.count > 0 ? Program::run(form_, to, workspace) : Status();
  }

  // Begins a run whose parts are written one by one: each by a call of Finish::run. An operand that lies where the result is
  // written may get its elements part by part, too. `end` ends it.
  Finish& begin(std::byte* workspace) const;
  static void end(Finish& parts);
  // The memory that such a run needs.
  Count workspace_bytes_of_parts() const;

 private:
  class Parts;

  std::vector<LayoutRef> layouts_;
  std::vector<Program::Record> records_;
  std::vector<std::uint8_t> operands_;  // their records; most_values for one that the result does not need
  Program::Form form_;
};

}  // namespace broadloom
