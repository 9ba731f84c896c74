#include "kernels/accumulator.h"

#include <cstring>

#include "kernels/fill.h"

namespace broadloom {

// In bytes: no step of a loop is longer.
constexpr std::size_t most_step = 128;

void Accumulator::start(std::size_t width) {
  width_ = width;
  fill(results_, steps_->identity(), steps_->item_size(), width);
}

void Accumulator::add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count) {
  for (; rows > 0; --rows, elements += step) combine(steps_->prepared(elements, nullptr, count), count);
}

void Accumulator::finish(std::byte* to, std::size_t count) {
  while (width_ > count) {
    width_ /= 2;
    const std::byte* const other = results_ + width_ * steps_->item_size();
    if (width_ * steps_->item_size() >= most_step) {
      combine(other, width_);
      continue;
    }
    // Whole steps of a loop take less time than its end. The bytes behind the results are not read again.
    alignas(vector_bytes) std::byte step[most_step];
    std::memcpy(step, other, most_step);
    combine(step, most_step / steps_->item_size());
  }
  steps_->finish(to, results_, finished_, count);
  finished_ += count;
}

void Accumulator::combine(const std::byte* with, std::size_t count) {
  const std::byte* const operands[] = {results_, with};
  steps_->loop()(results_, operands, count);
}

}  // namespace broadloom
