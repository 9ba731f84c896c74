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
      gates_(gates),
      input_(input),
      hidden_(hidden),
      width_(types_.panels(hidden) * types_.panel_width()) {}

Count RecurrentWeights::bytes() const {
  const Count columns = Count(types_.panels(hidden_)) * gates_ * panel_bytes;
  return columns * (Count(input_) + hidden_) + Count(row_bytes()) * (gates_ + 1 + peephole_gates);
}

void RecurrentWeights::pack(std::byte* to, const Sources& from, bool keeps_last_apart) const {
  std::byte* const vectors = to + gates_ * (gate_bytes(input_) + gate_bytes(hidden_));
  for (std::size_t gate = 0; gate < gates_; ++gate) {
    const std::size_t first = gate * hidden_;
    pack_panels(to + gate * gate_bytes(input_), input_ * panel_bytes, from.w.at(first, 0), hidden_, input_, types_);
    pack_panels(to + gates_ * gate_bytes(input_) + gate * gate_bytes(hidden_), hidden_ * panel_bytes, from.r.at(first, 0),
                hidden_, hidden_, types_);
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

void RecurrentWeights::add_products(std::byte* to, std::size_t pitch, const std::byte* states, std::size_t rows,
                                    const std::byte* packed, std::size_t gate, std::size_t count) const {
  constexpr auto row = static_cast<std::ptrdiff_t>(panel_bytes);
  const std::byte* const columns = packed + gates_ * gate_bytes(input_) + gate * gate_bytes(hidden_);
  const std::byte* at[rows_at_once];
  for (std::size_t first = 0; first < rows; first += rows_at_once) {
    const std::size_t some = std::min(rows_at_once, rows - first);
    for (std::size_t done = 0; done < hidden_; done += tile_depth) {
      for (std::size_t i = 0; i < some; ++i) at[i] = states + (first + i) * row_bytes() + done * types_.accumulate_size;
      const Panels panels{columns + done * panel_bytes, static_cast<std::ptrdiff_t>(hidden_ * panel_bytes), row,
                          count * width_};
      write_({to + first * pitch, pitch, true}, {at, some}, panels, std::min(tile_depth, hidden_ - done));
    }
  }
}

}  // namespace broadloom
