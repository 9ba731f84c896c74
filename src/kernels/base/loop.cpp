#include "kernels/base/loop.h"

#include "kernels/movement/copy.h"

namespace broadloom {

void finish(InnerLoop loop, LoopShape shape, std::byte* to, const std::byte* const* from, std::size_t done, std::size_t count) {
  if (done == count) return;
  // Elements and lanes: 16 of 8 bytes at most.
  constexpr std::size_t most_step = 128;
  constexpr std::size_t most_operands = 5;
  alignas(vector_bytes) std::byte padded[most_operands][most_step];
  alignas(vector_bytes) std::byte result[most_step];
  for (std::size_t i = 0; i < shape.operands; ++i) {
    for (std::size_t k = 0; k < std::size_t{shape.step} * shape.from_size; k += vector_bytes) store(padded[i] + k, Vector{});
    copy_bytes(padded[i], from[i] + done * shape.from_size, (count - done) * shape.from_size);
  }
  const std::byte* const operands[] = {padded[0], padded[1], padded[2], padded[3], padded[4]};
  loop(result, operands, shape.step);
  copy_bytes(to + done * shape.to_size, result, (count - done) * shape.to_size);
}

}  // namespace broadloom
