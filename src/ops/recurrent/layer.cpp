#include "ops/recurrent/layer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/count.h"
#include "core/limits.h"
#include "core/memory.h"
#include "ops/call/arguments.h"
#include "ops/call/dense.h"
#include "ops/recurrent/requantise.h"

namespace broadloom {
namespace {

// The gates of several steps are computed by one product: these bytes of gates stay in the second-level cache. It reads W once
// for at least 16 rows.
constexpr std::int64_t chunk_bytes = std::int64_t{512} * 1024;
constexpr std::size_t least_rows = 16;

// LSTM
constexpr std::size_t input_gate = 0;
constexpr std::size_t output_gate = 1;
constexpr std::size_t forget_gate = 2;
constexpr std::size_t cell_gate = 3;
// GRU
constexpr std::size_t update_gate = 0;
constexpr std::size_t reset_gate = 1;
constexpr std::size_t hidden_gate = 2;

std::size_t chunk_of(const RecurrentForm& form, std::size_t row_bytes) {
  const std::int64_t step_bytes = (Count(form.batch) * row_bytes * form.gates()).number();
  const std::size_t least = (least_rows + form.batch - 1) / std::max<std::size_t>(form.batch, 1);
  const auto steps = in_memory(chunk_bytes / std::max<std::int64_t>(step_bytes, 1));
  return std::min(std::max({steps, least, std::size_t{1}}), form.steps);
}

// The matrix of W or R of a direction.
Matrix matrix_of(const Tensor& tensor, std::size_t direction) {
  const auto size = static_cast<std::ptrdiff_t>(item_size(tensor.dtype));
  const auto step = [&](std::size_t axis) { return static_cast<std::ptrdiff_t>(tensor.layout->strides[axis]) * size; };
  return {tensor.data() + times(direction, step(0)), step(1), step(2)};
}

}  // namespace

// ---- Once ----

RecurrentLayer::RecurrentLayer(const Call& call, const RecurrentForm& form, bool is_packed)
    : form_(form),
      weights_(call.inputs[0]->dtype, form.gates(), form.input, form.hidden),
      is_packed_(is_packed),
      has_bias_(call.input(recurrent_input::b) != nullptr),
      has_peepholes_(call.input(recurrent_input::p) != nullptr),
      chunk_(chunk_of(form, weights_.row_bytes())) {
  if (form.steps == 0 || form.batch == 0 || weights_.row_bytes() == 0) return;
  set_product(product_, call, chunk_);
  const std::size_t rest = form.steps % chunk_;
  if (rest > 0) set_product(last_product_, call, rest);
  for (std::size_t direction = 0; direction < form.directions; ++direction) set_routines(direction);
}

void RecurrentLayer::set_product(std::optional<Multiplication>& product, const Call& call, std::size_t steps) const {
  const Tensor& x = *call.inputs[0];
  const Layout& layout = x.layout;
  const std::size_t time = form_.is_batch_first ? 1 : 0;
  const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  const Factor a{nullptr,
                 {},
                 {Dims{size(steps), size(form_.batch)}, {layout.strides[time], layout.strides[1 - time]}},
                 {Dims{size(form_.input)}, {layout.strides[2]}}};
  const std::size_t columns = (is_one_row() ? form_.gates() : 1) * weights_.width();
  const Factor b{nullptr, {}, {Dims{size(columns)}, {1}}, {Dims{size(form_.input)}, {size(columns)}}};
  product.emplace(x.dtype, a, b, true, true);
}

// ---- The elements of a step ----

Formula RecurrentLayer::operand(Program& program, bool is_vector) const {
  const Dims dims{static_cast<std::int64_t>(form_.batch), static_cast<std::int64_t>(weights_.width())};
  const Layout layout{dims, {is_vector ? 0 : dims[1], 1}};
  return {program, program.operand(weights_.types().accumulate.dtype, nullptr, LayoutRef(layout))};
}

void RecurrentLayer::set_routine(std::size_t direction, std::size_t number, const Program& program, const Formula& result) {
  const Routine& routine = routines_[direction][number].emplace(program, result.value(), form_.batch * weights_.width());
  routine_bytes_ = std::max(routine_bytes_, routine.workspace_bytes());
}

Formula RecurrentLayer::applied(std::size_t direction, std::size_t function, const Formula& x) const {
  const Activation& activation = form_.activations[direction * form_.functions() + function];
  return activation.of(form_.clip ? max(min(x, *form_.clip), -*form_.clip) : x);
}

void RecurrentLayer::set_routines(std::size_t direction) {
  const auto f = [&](const Formula& x) { return applied(direction, 0, x); };
  const auto g = [&](const Formula& x) { return applied(direction, 1, x); };
  const auto h = [&](const Formula& x) { return applied(direction, 2, x); };
  const auto less = [](const Formula& a, const Formula& b) { return a.apply(Operation::subtract, b); };
  Program first;
  Program second;
  if (form_.kind == RecurrentKind::rnn) {
    set_routine(direction, 0, first, f(operand(first)));
  } else if (form_.kind == RecurrentKind::lstm) {
    const Formula input = operand(first);
    const Formula forget = operand(first);
    const Formula cell = operand(first);
    const Formula before = operand(first);
    const Formula i = f(has_peepholes_ ? input + operand(first, true) * before : input);
    const auto kept = [&] {
      if (form_.couples_forget_gate) return less(i.number(1), i);
      return f(has_peepholes_ ? forget + operand(first, true) * before : forget);
    };
    set_routine(direction, 0, first, kept() * before + i * g(cell));
    const Formula output = operand(second);
    const Formula after = operand(second);
    const Formula o = f(has_peepholes_ ? output + operand(second, true) * after : output);
    set_routine(direction, 1, second, o * h(after));
  } else {
    const Formula update = operand(second);
    const Formula hidden = operand(second);
    const Formula before = operand(second);
    const Formula z = f(update);
    Formula candidate = hidden;
    if (form_.is_linear_first) {
      const Formula reset = operand(second);
      candidate = hidden + f(reset) * operand(second);
    } else {
      const Formula reset = operand(first);
      set_routine(direction, 0, first, f(reset) * operand(first));
    }
    set_routine(direction, 1, second, less(z.number(1), z) * g(candidate) + z * before);
  }
}

// ---- Weights ----

Status RecurrentLayer::pack(const Call& call, std::byte* to) const {
  const Dtype dtype = weights_.types().accumulate.dtype;
  Tensor vectors[2];
  for (const std::size_t i : {recurrent_input::b, recurrent_input::p}) {
    if (call.input(i) == nullptr) continue;
    BROADLOOM_TRY(dense, in_type(*call.input(i), dtype));
    vectors[i == recurrent_input::b ? 0 : 1] = std::move(dense);
  }
  for (std::size_t direction = 0; direction < form_.directions; ++direction) {
    const auto vector = [&](const Tensor& tensor, std::size_t rows) -> const std::byte* {
      return tensor.has_elements() ? tensor.data() + direction * rows * form_.hidden * weights_.types().accumulate_size
                                   : nullptr;
    };
    const RecurrentWeights::Sources from{matrix_of(*call.inputs[recurrent_input::w], direction),
                                         matrix_of(*call.inputs[recurrent_input::r], direction),
                                         vector(vectors[0], 2 * form_.gates()), vector(vectors[1], 3)};
    weights_.pack(to + direction * in_memory(weights_.bytes()), from, form_.is_linear_first);
  }
  return {};
}

namespace {

// Dense weights as packed ones.
class PackedWeights : public Storage::Substitute {
 public:
  PackedWeights(StorageRef packed, const RecurrentWeights& weights, std::size_t directions, bool is_r)
      : packed_(std::move(packed)), weights_(weights), directions_(directions), is_r_(is_r) {}
  void write(std::byte* to) const override {
    const std::byte* from = packed_->data();
    for (std::size_t i = 0; i < directions_; ++i, from += in_memory(weights_.bytes())) to = weights_.unpack(to, from, is_r_);
  }

 private:
  StorageRef packed_;
  RecurrentWeights weights_;
  std::size_t directions_;
  bool is_r_;
};

}  // namespace

std::unique_ptr<Storage::Substitute> RecurrentLayer::substitute(const StorageRef& packed, std::size_t input) const {
  if (!packed || !weights_.types().is_accumulate_type()) return nullptr;
  return std::make_unique<PackedWeights>(packed, weights_, form_.directions, input == recurrent_input::r);
}

// ---- A run ----

// Places in the workspace, and what a direction reads and writes.
struct RecurrentLayer::Run {
  const Call& call;
  const Tensor* lengths;
  std::size_t direction = 0;
  const std::byte* weights = nullptr;
  std::byte* gates = nullptr;
  std::byte* now[2] = {};   // the states h and c
  std::byte* next[2] = {};  // those after the step
  std::byte* scratch = nullptr;
  std::byte* routine = nullptr;
  std::size_t longest = 0;

  std::int64_t length(std::size_t row) const {
    if (lengths == nullptr) return static_cast<std::int64_t>(longest);
    const auto stride = static_cast<std::ptrdiff_t>(lengths->layout->strides[0]);
    return reinterpret_cast<const std::int32_t*>(lengths->data())[static_cast<std::ptrdiff_t>(row) * stride];
  }
};

Count RecurrentLayer::workspace_bytes() const {
  const Count state = Count(form_.batch) * weights_.row_bytes();
  return (is_packed_ ? Count() : packed_bytes()) + (Count(chunk_) * form_.gates() + 5) * state + routine_bytes_;
}

void RecurrentLayer::store(std::byte* to, const std::byte* row) const {
  const ItemTypes& types = weights_.types();
  if (types.is_accumulate_type()) {
    std::memcpy(to, row, form_.hidden * types.size);
  } else {
    types.accumulate.store(to, &row, form_.hidden);
  }
}

Status RecurrentLayer::run_step(const Run& run, std::byte* gates) {
  const std::size_t row = weights_.row_bytes();
  const auto gate = [&](std::size_t i) { return gates + i * gate_pitch(); };
  const auto add_product = [&](std::byte* to, const std::byte* states, std::size_t first, std::size_t count) {
    if (is_one_row()) return weights_.add_products(to, 0, states, 1, run.weights, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      weights_.add_products(to + i * gate_pitch(), row, states, form_.batch, run.weights, first + i, 1);
    }
  };
  const auto compute = [&](std::size_t number, std::byte* to, std::initializer_list<const std::byte*> operands) {
    Routine& routine = *routines_[run.direction][number];
    std::size_t i = 0;
    for (const std::byte* operand : operands) routine.place(i++, operand);
    return routine.run(to, run.routine);
  };
  const auto peephole = [&](std::size_t i) { return weights_.peephole(run.weights, i); };
  const std::byte* const h = form_.requantises ? run.scratch : run.now[0];
  if (form_.kind == RecurrentKind::rnn) {
    add_product(gates, h, 0, 1);
    return compute(0, run.next[0], {gates});
  }
  if (form_.kind == RecurrentKind::lstm) {
    add_product(gates, h, 0, 4);
    // With a coupled forget gate, the second peephole is not an operand.
    const std::byte* const c = run.now[1];
    if (has_peepholes_) {
      const std::initializer_list<const std::byte*> all = {gate(input_gate), gate(forget_gate), gate(cell_gate), c,
                                                           peephole(0),      peephole(2)};
      const std::initializer_list<const std::byte*> coupled = {gate(input_gate), gate(forget_gate), gate(cell_gate), c,
                                                               peephole(0)};
      BROADLOOM_CHECK(compute(0, run.next[1], form_.couples_forget_gate ? coupled : all));
      return compute(1, run.next[0], {gate(output_gate), run.next[1], peephole(1)});
    }
    BROADLOOM_CHECK(compute(0, run.next[1], {gate(input_gate), gate(forget_gate), gate(cell_gate), c}));
    return compute(1, run.next[0], {gate(output_gate), run.next[1]});
  }
  add_product(gates, h, 0, 2);
  if (form_.is_linear_first) {
    for (std::size_t i = 0; i < form_.batch; ++i) std::memcpy(run.scratch + i * row, weights_.bias(run.weights, 3), row);
    add_product(run.scratch, h, hidden_gate, 1);
    return compute(1, run.next[0], {gate(update_gate), gate(hidden_gate), h, gate(reset_gate), run.scratch});
  }
  BROADLOOM_CHECK(compute(0, run.scratch, {gate(reset_gate), h}));
  add_product(gate(hidden_gate), run.scratch, hidden_gate, 1);
  return compute(1, run.next[0], {gate(update_gate), gate(hidden_gate), h});
}

// Writes the outputs of a step. Where a sequence is over, its states stay, and the outputs are 0.
void RecurrentLayer::finish_step(const Run& run, std::size_t step, bool is_over) const {
  const std::size_t row = weights_.row_bytes();
  const std::size_t bytes = form_.hidden * weights_.types().size;
  std::byte* const y = !run.call.outputs.empty() ? run.call.outputs[0].data() : nullptr;
  for (std::size_t i = 0; i < form_.batch; ++i) {
    const std::size_t at = form_.is_batch_first ? (i * form_.steps + step) * form_.directions + run.direction
                                                : (step * form_.directions + run.direction) * form_.batch + i;
    if (!is_over && static_cast<std::int64_t>(step) < run.length(i)) {
      if (y != nullptr) store(y + at * bytes, run.next[0] + i * row);
      continue;
    }
    if (y != nullptr) std::memset(y + at * bytes, 0, bytes);
    for (std::size_t state = 0; state < 2 && !is_over; ++state) {
      std::memcpy(run.next[state] + i * row, run.now[state] + i * row, row);
    }
  }
}

// The states of sequences that are over do not count.
Status RecurrentLayer::requantise_state(const Run& run, std::size_t step) const {
  Requantised state;
  if (run.lengths == nullptr) {
    BROADLOOM_CHECK(state.add(run.now[0], form_.batch, form_.hidden, weights_.width()));
  } else {
    for (std::size_t i = 0; i < form_.batch; ++i) {
      if (static_cast<std::int64_t>(step) >= run.length(i)) continue;
      BROADLOOM_CHECK(state.add(run.now[0] + i * weights_.row_bytes(), 1, form_.hidden, weights_.width()));
    }
  }
  return state.write(run.scratch, run.now[0], form_.batch * weights_.width());
}

Status RecurrentLayer::run_chunk(Run& run, std::size_t first, std::size_t steps) {
  const Tensor& x = *run.call.inputs[0];
  const bool is_over = first >= run.longest;
  if (!is_over) {
    const auto stride = static_cast<std::ptrdiff_t>(x.layout->strides[form_.is_batch_first ? 1 : 0]);
    const std::byte* const from = x.data() + times(first, stride * static_cast<std::ptrdiff_t>(weights_.types().size));
    const Multiplication& product = steps == chunk_ ? *product_ : *last_product_;
    const std::size_t parts = is_one_row() ? 1 : form_.gates();
    const std::size_t columns = form_.gates() / parts * weights_.width();
    const InnerLoop add = computation_of(Operation::add, weights_.types().accumulate.dtype).loop;
    for (std::size_t part = 0; part < parts; ++part) {
      std::byte* to = run.gates + part * gate_pitch();
      BROADLOOM_CHECK(product.run(to, from, nullptr, weights_.columns(run.weights, part)));
      for (std::size_t i = 0; has_bias_ && i < steps * form_.batch; ++i, to += columns * weights_.types().accumulate_size) {
        const std::byte* const both[] = {to, weights_.bias(run.weights, part)};
        add(to, both, columns);
      }
    }
  }
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t in_chunk = is_reversed(run.direction) ? steps - 1 - i : i;
    const std::size_t step = first + in_chunk;
    BROADLOOM_CHECK(Watch::check((Count(form_.batch) * form_.hidden).steps()));
    if (step < run.longest) {
      BROADLOOM_CHECK(Watch::check(steps_of_products(form_.batch, form_.gates() * weights_.width(), form_.hidden)));
      if (form_.requantises) BROADLOOM_CHECK(requantise_state(run, step));
      BROADLOOM_CHECK(run_step(run, run.gates + in_chunk * step_pitch()));
    }
    finish_step(run, step, step >= run.longest);
    if (step < run.longest) std::swap(run.now, run.next);
  }
  return {};
}

Status RecurrentLayer::run_direction(Run& run) {
  const std::size_t row = weights_.row_bytes();
  const std::size_t item = weights_.types().accumulate_size;
  const auto at = [&](std::size_t i) {
    return form_.is_batch_first ? i * form_.directions + run.direction : run.direction * form_.batch + i;
  };
  for (std::size_t state = 0; state < 2; ++state) {
    const Tensor* initial = run.call.input(recurrent_input::initial_h + state);
    if (state == 1 && form_.kind != RecurrentKind::lstm) initial = nullptr;
    std::memset(run.now[state], 0, state_bytes());
    if (initial == nullptr) continue;
    BROADLOOM_TRY(dense, in_type(*initial, weights_.types().accumulate.dtype));
    for (std::size_t i = 0; i < form_.batch; ++i) {
      std::memcpy(run.now[state] + i * row, dense.data() + at(i) * form_.hidden * item, form_.hidden * item);
    }
  }
  const std::size_t chunks = form_.steps == 0 ? 0 : (form_.steps + chunk_ - 1) / chunk_;
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::size_t first = (is_reversed(run.direction) ? chunks - 1 - i : i) * chunk_;
    BROADLOOM_CHECK(run_chunk(run, first, std::min(chunk_, form_.steps - first)));
  }
  for (std::size_t state = 0; state + 1 < run.call.outputs.size(); ++state) {
    std::byte* const to = run.call.outputs[1 + state].data();
    for (std::size_t i = 0; i < form_.batch; ++i) {
      store(to + at(i) * form_.hidden * weights_.types().size, run.now[state] + i * row);
    }
  }
  return {};
}

Status RecurrentLayer::run(const Call& call, std::byte* workspace) {
  Run run{call, call.input(recurrent_input::sequence_lens)};
  run.longest = form_.steps;
  if (run.lengths != nullptr) {
    std::size_t longest = 0;
    for (std::size_t i = 0; i < form_.batch; ++i) {
      const std::int64_t length = run.length(i);
      if (length < 0 || in_memory(length) > form_.steps) {
        return fail(Code::InvalidArgument, "sequence_lens has {}, wanted a number from 0 to {}", length, form_.steps);
      }
      longest = std::max(longest, in_memory(length));
    }
    run.longest = longest;
  }
  if (state_bytes() == 0) return {};
  const std::byte* weights = call.packed;
  if (!is_packed_) {
    BROADLOOM_CHECK(pack(call, workspace));
    weights = workspace;
    workspace += in_memory(packed_bytes());
  }
  std::byte** const places[] = {&run.now[0], &run.now[1], &run.next[0], &run.next[1], &run.scratch};
  for (std::byte** place : places) *place = std::exchange(workspace, workspace + state_bytes());
  run.gates = std::exchange(workspace, workspace + form_.gates() * gate_pitch() * (is_one_row() ? chunk_ : 1));
  run.routine = workspace;
  for (; run.direction < form_.directions; ++run.direction) {
    run.weights = weights + run.direction * in_memory(weights_.bytes());
    BROADLOOM_CHECK(run_direction(run));
  }
  return {};
}

}  // namespace broadloom
