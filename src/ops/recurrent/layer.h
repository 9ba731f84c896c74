// A call of RNN, GRU or LSTM that is made ready, and its run over the steps.
#pragma once

#include <optional>

#include "core/count.h"
#include "kernels/elementwise/program.h"
#include "kernels/products/matmul.h"
#include "kernels/products/weights.h"
#include "ops/call/operator.h"
#include "ops/call/ready_call.h"
#include "ops/recurrent/activations.h"

namespace broadloom {

enum class RecurrentKind : std::uint8_t { rnn, gru, lstm };

// The inputs, in ONNX's order.
namespace recurrent_input {
enum : std::size_t { x, w, r, b, sequence_lens, initial_h, initial_c, p };
}

// The attributes and dims of a call.
struct RecurrentForm {
  RecurrentKind kind;
  Activations activations;  // of the first direction, then of the second one
  std::optional<float> clip;
  bool is_batch_first;
  bool is_reverse;           // where there is one direction
  bool is_linear_first;      // GRU: the state is multiplied by R before it is reset
  bool couples_forget_gate;  // LSTM
  bool requantises;          // LSTM: the state is rounded to 256 levels before it is multiplied by R
  std::size_t directions;
  std::size_t steps;
  std::size_t batch;
  std::size_t input;
  std::size_t hidden;

  std::size_t gates() const { return kind == RecurrentKind::rnn ? 1 : kind == RecurrentKind::gru ? 3 : 4; }
  // The functions of a direction. The kind gives their number.
  std::size_t functions() const { return place_of(kind) + 1; }
};

inline constexpr Kernels recurrent_kernels = activation_kernels | loops(Operation::subtract);

class RecurrentLayer : public ReadyCall {
 public:
  RecurrentLayer(const Call& call, const RecurrentForm& form, bool is_packed);

  // The bytes of the packed weights. `pack` packs the weights of a call.
  Count packed_bytes() const { return weights_.bytes() * form_.directions; }
  Status pack(const Call& call, std::byte* to) const;
  // W or R as it was before it was packed, or nothing where it was rounded.
  std::unique_ptr<Storage::Substitute> substitute(const StorageRef& packed, std::size_t input) const;

  Count workspace_bytes() const override;
  // Reads the weights at call.packed, if they are packed.
  Status run(const Call& call, std::byte* workspace) override;

 private:
  struct Run;

  void set_routine(std::size_t direction, std::size_t number, const Program& program, const Formula& result);
  Formula operand(Program& program, bool is_vector = false) const;
  Formula applied(std::size_t direction, std::size_t function, const Formula& x) const;
  void set_routines(std::size_t direction);
  void set_product(std::optional<Multiplication>& product, const Call& call, std::size_t steps) const;
  Status run_direction(Run& run);
  Status run_chunk(Run& run, std::size_t first, std::size_t steps);
  Status run_step(const Run& run, std::byte* gates);
  Status requantise_state(const Run& run, std::size_t step) const;
  void finish_step(const Run& run, std::size_t step, bool is_over) const;
  void store(std::byte* to, const std::byte* row) const;

  bool is_one_row() const { return form_.batch == 1; }
  bool is_reversed(std::size_t direction) const { return direction == 1 || form_.is_reverse; }
  std::size_t state_bytes() const { return form_.batch * weights_.row_bytes(); }
  // The bytes from the gates of one step to the gates of the next, and from one gate of a step to the next gate. With a batch
  // of one row, one product gives the row of all gates; otherwise one product gives the rows of one gate.
  std::size_t step_pitch() const { return (is_one_row() ? form_.gates() : 1) * state_bytes(); }
  std::size_t gate_pitch() const { return is_one_row() ? state_bytes() : chunk_ * state_bytes(); }

  RecurrentForm form_;
  RecurrentWeights weights_;
  bool is_packed_;
  bool has_bias_;
  bool has_peepholes_;
  std::size_t chunk_;  // the number of steps that are multiplied by W at a time
  std::optional<Multiplication> product_;
  std::optional<Multiplication> last_product_;  // of the steps that are left
  std::optional<Routine> routines_[2][2];       // of each direction, in the order in which a step runs them
  Count routine_bytes_;
};

}  // namespace broadloom
