// The weights of one direction of a recurrent layer, in the order in which its steps read them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/count.h"
#include "kernels/products/few_rows.h"
#include "kernels/products/panels.h"
#include "kernels/products/tiles.h"

namespace broadloom {

// The columns of W and R are packed in strips, gate by gate. Rows of a gate, of a state and of a bias have `width` items:
// `hidden` items, and zeros up to a whole strip. All are in the accumulate type.
class RecurrentWeights {
 public:
  RecurrentWeights(Dtype dtype, std::size_t gates, std::size_t input, std::size_t hidden);

  // The weights before they are packed.
  struct Sources {
    Matrix w;                    // its kept axis has gates * hidden rows
    Matrix r;                    // its kept axis has gates * hidden rows, too
    const std::byte* biases;     // of W and then of R: 2 * gates * hidden items of the accumulate type, or nullptr
    const std::byte* peepholes;  // 3 * hidden items of the accumulate type, or nullptr
  };
  // `keeps_last_apart`: the last gate's bias of R is not added to its bias of W.
  void pack(std::byte* to, const Sources& from, bool keeps_last_apart) const;

  // Writes W or R densely, as it was before it was packed, and returns the end. For types that are their own accumulate type.
  std::byte* unpack(std::byte* to, const std::byte* packed, bool is_r) const;

  Count bytes() const;
  std::size_t row_bytes() const { return width_ * types_.accumulate_size; }
  std::size_t width() const { return width_; }
  const ItemTypes& types() const { return types_; }

  // The packed columns of W of a gate, for Multiplication.
  const std::byte* columns(const std::byte* packed, std::size_t gate) const { return packed + gate * gate_bytes(input_); }
  // The bias of a gate. If the bias of R was kept apart, it follows the last gate's.
  const std::byte* bias(const std::byte* packed, std::size_t gate) const {
    return packed + gates_ * (gate_bytes(input_) + gate_bytes(hidden_)) + gate * row_bytes();
  }
  const std::byte* peephole(const std::byte* packed, std::size_t gate) const { return bias(packed, gates_ + 1 + gate); }

  // Adds the products of states and R to `to`: for `count` gates from `gate` on, which follow each other in each row. Rows of
  // states are adjacent, and rows of `to` are `pitch` bytes apart.
  void add_products(std::byte* to, std::size_t pitch, const std::byte* states, std::size_t rows, const std::byte* packed,
                    std::size_t gate, std::size_t count) const;

 private:
  std::size_t gate_bytes(std::size_t depth) const { return types_.strips(hidden_) * depth * strip_bytes; }

  ItemTypes types_;
  WriteBlock write_;
  WriteFewRows write_few_;
  std::size_t gates_;
  std::size_t input_;
  std::size_t hidden_;
  std::size_t width_;
};

}  // namespace broadloom
