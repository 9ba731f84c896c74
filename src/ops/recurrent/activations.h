// The activation functions of RNN, GRU and LSTM.
#pragma once

#include "ops/activation_formulas.h"

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

// Two directions of three functions at most.
using Activations = InlineVector<Activation, 6>;

// The functions of attribute 'activations', or else the defaults: as many as there are defaults, for each of the directions.
Result<Activations> read_activations(const Call& call, std::span<const Activation::Kind> defaults, std::size_t directions);

}  // namespace broadloom
