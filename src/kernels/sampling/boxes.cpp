#include "kernels/sampling/boxes.h"

#include <algorithm>

#include "kernels/base/simd.h"

namespace broadloom {

Box::Box(const float* numbers, bool has_centre) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (has_centre) {
      const float half = numbers[2 + axis] / 2;
      sides[axis] = numbers[axis] - half;
      sides[2 + axis] = numbers[axis] + half;
    } else {
      sides[axis] = std::min(numbers[1 - axis], numbers[3 - axis]);
      sides[2 + axis] = std::max(numbers[1 - axis], numbers[3 - axis]);
    }
  }
  area = (sides[2] - sides[0]) * (sides[3] - sides[1]);
}

void BoxRows::add(const Box& box) {
  // The rest of the vector overlaps nothing, since its area is 0.
  if (size_ % 4 == 0) std::fill_n(rows_ + 4 * pitch_ + size_, 4, 0.0F);
  for (std::size_t i = 0; i < 4; ++i) {
    if (size_ % 4 == 0) std::fill_n(rows_ + i * pitch_ + size_, 4, 0.0F);
    rows_[i * pitch_ + size_] = box.sides[i];
  }
  rows_[4 * pitch_ + size_++] = box.area;
}

bool BoxRows::overlap(const Box& box, float threshold) const {
  using Vectors = Lanes<float>;
  if (!(box.area > 0)) return false;
  const Vectors zero{};
  for (std::size_t i = 0; i < size_; i += lanes_of<float>) {
    const auto row = [&](std::size_t number) {
      return load_lanes<float>(reinterpret_cast<const std::byte*>(rows_ + number * pitch_ + i));
    };
    const auto extent = [&](std::size_t axis) {
      return at_most(row(2 + axis), zero + box.sides[2 + axis]) - at_least(row(axis), zero + box.sides[axis]);
    };
    const Vectors width = extent(0);
    const Vectors height = extent(1);
    const Vectors common = width * height;
    const Vectors all = row(4) + box.area - common;
    if (any((width > 0) & (height > 0) & (common > 0) & (row(4) > 0) & (all > 0) & (common / all > zero + threshold)))
      return true;
  }
  return false;
}

BestFirst::BestFirst(const float* scores, std::int64_t* numbers, std::size_t count)
    : scores_(scores), numbers_(numbers), count_(count) {
  for (std::size_t i = count / 2; i-- > 0;) sink(i, numbers_[i]);
}

std::int64_t BestFirst::take() {
  const std::int64_t best = numbers_[0];
  if (--count_ > 0) sink(0, numbers_[count_]);
  return best;
}

void BestFirst::sink(std::size_t place, std::int64_t number) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= count_) break;
    if (child + 1 < count_ && comes_before(numbers_[child + 1], numbers_[child])) ++child;
    if (!comes_before(numbers_[child], number)) break;
    numbers_[place] = numbers_[child];
    place = child;
  }
  numbers_[place] = number;
}

}  // namespace broadloom
