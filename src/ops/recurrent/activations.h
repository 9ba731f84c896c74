// The activation functions of RNN, GRU and LSTM.
#pragma once

#include <array>

#include "ops/activation/activation_formulas.h"

namespace broadloom {

struct Activation {
  enum class Kind : std::uint8_t {
    affine,
    elu,
    hard_sigmoid,
    leaky_relu,
    relu,
    scaled_tanh,
    sigmoid,
    softplus,
    softsign,
    tanh,
    thresholded_relu
  };
  Kind kind = Kind::tanh;
  float alpha = 0;
  float beta = 0;

  Formula of(const Formula& x) const;
};

inline constexpr Kernels activation_kernels = loops(
    Operation::add, Operation::multiply, Operation::divide, Operation::minimum, Operation::maximum, Operation::less,
    Operation::less_or_equal, Operation::absolute, Operation::expm1, Operation::sigmoid, Operation::softplus, Operation::tanh);

// The functions of a node: at most three in each of two directions.
using Activations = std::array<Activation, 6>;

// Reads attribute 'activations', or else takes the defaults. Each direction has one function for each default.
Status read_activations(Activations& to, const Call& call, std::span<const Activation::Kind> defaults, std::size_t directions);

}  // namespace broadloom
