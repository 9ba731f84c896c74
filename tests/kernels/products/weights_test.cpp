#include "kernels/products/weights.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::weights_test {
namespace {

using Floats = std::vector<float>;

// Integers, so that all sums are exact.
Floats integers(Random& random, std::size_t count) {
  Floats numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.between(-9, 9));
  return numbers;
}

Matrix rows_of(const Floats& numbers, std::size_t columns) {
  return {address(numbers), static_cast<std::ptrdiff_t>(columns * sizeof(float)), sizeof(float)};
}

Floats row_at(const std::byte* from, std::size_t count) {
  Floats row(count);
  std::memcpy(row.data(), from, count * sizeof(float));
  return row;
}

TEST(RecurrentWeights, GatesAreMultipliedWithStatesAndBiasesAreAddedOrKeptApart) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) {
    const std::size_t gates = random.below(4) + 1;
    const std::size_t input = random.below(10) + 1;
    const std::size_t hidden = random.one_in(10) ? 250 + random.below(30) : random.below(20) + 1;
    const Floats w = integers(random, gates * hidden * input);
    const Floats r = integers(random, gates * hidden * hidden);
    const Floats biases = integers(random, 2 * gates * hidden);
    const Floats peepholes = integers(random, 3 * hidden);
    const bool is_apart = random.one_in(2);
    const RecurrentWeights weights(Dtype::float32, gates, input, hidden);
    const std::size_t width = (hidden + 15) / 16 * 16;
    ASSERT_EQ(weights.width(), width);
    Floats packed(in_memory(weights.bytes()) / sizeof(float), 77);
    weights.pack(address(packed), {rows_of(w, input), rows_of(r, hidden), address(biases), address(peepholes)}, is_apart);
    const std::byte* const from = address(packed);
    for (std::size_t gate = 0; gate < gates; ++gate) {
      Floats bias(width);
      for (std::size_t j = 0; j < hidden; ++j) {
        const bool is_last = is_apart && gate + 1 == gates;
        bias[j] = biases[gate * hidden + j] + (is_last ? 0 : biases[(gates + gate) * hidden + j]);
        const Floats strip = row_at(weights.columns(from, gate) + j / 16 * input * strip_bytes, input * 16);
        for (std::size_t k = 0; k < input; ++k) ASSERT_EQ(strip[k * 16 + j % 16], w[(gate * hidden + j) * input + k]);
      }
      ASSERT_EQ(row_at(weights.bias(from, gate), width), bias);
    }
    Floats apart(width);
    if (is_apart) std::copy_n(biases.end() - static_cast<std::ptrdiff_t>(hidden), hidden, apart.begin());
    ASSERT_EQ(row_at(weights.bias(from, gates), width), apart);
    for (std::size_t gate = 0; gate < 3; ++gate) {
      Floats peephole(width);
      std::copy_n(peepholes.begin() + static_cast<std::ptrdiff_t>(gate * hidden), hidden, peephole.begin());
      ASSERT_EQ(row_at(weights.peephole(from, gate), width), peephole);
    }

    const std::size_t rows = random.one_in(10) ? 70 : random.below(5) + 1;
    const std::size_t first = random.below(gates);
    const std::size_t count = random.below(gates - first) + 1;
    const std::size_t pitch = count * width + random.below(3);
    const Floats states = integers(random, rows * width);
    Floats to = integers(random, rows * pitch);
    Floats wanted = to;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < count * width; ++j) {
        for (std::size_t k = 0; j % width < hidden && k < hidden; ++k) {
          wanted[i * pitch + j] += states[i * width + k] * r[((first + j / width) * hidden + j % width) * hidden + k];
        }
      }
    }
    weights.add_products(address(to), pitch * sizeof(float), address(states), rows, from, first, count);
    ASSERT_EQ(to, wanted) << rows << " rows, " << hidden << " hidden, gates " << first << " to " << first + count;
  }
}

}  // namespace
}  // namespace broadloom::test::weights_test
