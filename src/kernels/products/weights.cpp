#include "kernels/products/weights.h"

#include <algorithm>
#include <cstring>

#include "core/count.h"
#include "kernels/elementwise/loops.h"

namespace broadloom {

namespace {

constexpr std::size_t peephole_gates = 3;
// The most rows whose addresses are written down at a time.
constexpr std::size_t rows_at_once = 64;

}  // namespace

RecurrentWeights::RecurrentWeights(Dtype dtype, std::size_t gates, std::size_t input, std::size_t hidden)
    : types_(dtype),
      write_(write_block_of(types_.accumulate.dtype)),
      write_few_(few_rows_of(types_, true)),
      gates_(gates),
      input_(input),
      hidden_(hidden),
      width_(types_.strips(hidden) * types_.strip_width()) {}

Count RecurrentWeights::bytes() const {
  const Count columns = Count(types_.strips(hidden_)) * gates_ * strip_bytes;
  return columns * (Count(input_) + hidden_) + Count(row_bytes()) * (gates_ + 1 + peephole_gates);
}

void RecurrentWeights::pack(std::byte* to, const Sources& from, bool keeps_last_apart) const {
  std::byte* const vectors = to + gates_ * (gate_bytes(input_) + gate_bytes(hidden_));
  for (std::size_t gate = 0; gate < gates_; ++gate) {
    const std::size_t first = gate * hidden_;
    pack_strips(to + gate * gate_bytes(input_), from.w.at(first, 0), hidden_, input_, types_, true);
    pack_strips(to + gates_ * gate_bytes(input_) + gate * gate_bytes(hidden_), from.r.at(first, 0), hidden_, hidden_, types_,
                true);
  }
  std::memset(vectors, 0, (gates_ + 1 + peephole_gates) * row_bytes());
  const std::size_t bytes = hidden_ * types_.accumulate_size;
  const InnerLoop add = computation_of(Operation::add, types_.accumulate.dtype).loop;
  for (std::size_t gate = 0; gate < gates_ && from.biases != nullptr; ++gate) {
    const std::byte* const both[] = {from.biases + gate * bytes, from.biases + (gates_ + gate) * bytes};
    std::byte* const row = vectors + gate * row_bytes();
    if (keeps_last_apart && gate + 1 == gates_) {
      std::memcpy(row, both[0], bytes);
      std::memcpy(row + row_bytes(), both[1], bytes);
    } else {
      add(row, both, hidden_);
    }
  }
  for (std::size_t gate = 0; gate < peephole_gates && from.peepholes != nullptr; ++gate) {
    std::memcpy(vectors + (gates_ + 1 + gate) * row_bytes(), from.peepholes + gate * bytes, bytes);
  }
}

std::byte* RecurrentWeights::unpack(std::byte* to, const std::byte* packed, bool is_r) const {
  const std::size_t depth = is_r ? hidden_ : input_;
  if (is_r) packed += gates_ * gate_bytes(input_);
  for (std::size_t gate = 0; gate < gates_; ++gate, packed += gate_bytes(depth), to += hidden_ * depth * types_.size)
    unpack_strips(to, packed, hidden_, depth, true, types_);
  return to;
}

void RecurrentWeights::add_products(std::byte* to, std::size_t pitch, const std::byte* states, std::size_t rows,
                                    const std::byte* packed, std::size_t gate, std::size_t count) const {
  const std::byte* const strips = packed + gates_ * gate_bytes(input_) + gate * gate_bytes(hidden_);
  const std::size_t columns = count * width_;
  const std::byte* at[rows_at_once];
  for (std::size_t first = 0; first < rows; first += rows_at_once) {
    Rows some{at, std::min(rows_at_once, rows - first)};
    const Target target{to + first * pitch, pitch, true};
    for (std::size_t row = 0; row < some.count; ++row) at[row] = states + (first + row) * row_bytes();
    if (write_few_ != nullptr && some.count <= most_few_rows) {
      write_few_(target, some, strips, columns, hidden_);
      continue;
    }
    for (std::size_t done = 0; done < hidden_; done += tile_depth) {
      some.offset = static_cast<std::ptrdiff_t>(done * types_.accumulate_size);
      write_(target, some, panels_of_strips(strips, panel_bytes, hidden_, done, columns), std::min(tile_depth, hidden_ - done));
    }
  }
}

}  // namespace broadloom
