#include "kernels/accumulator.h"

#include "kernels/fill.h"

namespace broadloom {

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
    combine(results_ + width_ * steps_->item_size(), width_);
  }
  steps_->finish(to, results_, finished_, count);
  finished_ += count;
}

void Accumulator::combine(const std::byte* with, std::size_t count) {
  const std::byte* const operands[] = {results_, with};
  steps_->loop()(results_, operands, count);
}

}  // namespace broadloom
