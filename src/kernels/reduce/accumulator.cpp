#include "kernels/reduce/accumulator.h"

#include <algorithm>
#include <cstring>

#include "kernels/movement/fill.h"

namespace broadloom {

void Accumulator::start(std::size_t width) {
  width_ = width;
  fill(results_, steps_->identity(), steps_->item_size(), width);
}

void Accumulator::add(const std::byte* elements, std::size_t step, std::size_t rows, std::size_t count) {
  for (; rows > 0; --rows, elements += step) combine(steps_->prepared(elements, nullptr, count), count);
}

void Accumulator::add_row(const std::byte* elements, std::size_t count) {
  for (std::size_t done = 0; done < count; done += ReductionSteps::most) {
    const std::size_t taken = std::min(ReductionSteps::most, count - done);
    row_(results_, steps_->prepared(elements + done * steps_->given_size(), nullptr, taken), taken);
  }
}

void Accumulator::finish(std::byte* to, std::size_t count) {
  while (width_ > count) {
    width_ /= 2;
    const std::byte* const other = results_ + width_ * steps_->item_size();
    if (width_ * steps_->item_size() >= vector_bytes) {
      combine(other, width_);
      continue;
    }
    // A whole vector, which is a step of each loop of integers, takes less time than the end of a loop. The bytes after the
    // results are not read again.
    alignas(vector_bytes) std::byte step[vector_bytes];
    std::memcpy(step, other, vector_bytes);
    combine(step, vector_bytes / steps_->item_size());
  }
  steps_->finish(to, results_, finished_, count);
  finished_ += count;
}

void Accumulator::combine(const std::byte* with, std::size_t count) {
  const std::byte* const operands[] = {results_, with};
  steps_->loop()(results_, operands, count);
}

}  // namespace broadloom
