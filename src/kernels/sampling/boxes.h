// Boxes, and how much they overlap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom {

// A box: its lowest x and y, its highest x and y, and its area. All are float32, as runtimes compute them.
struct Box {
  float sides[4];
  float area;

  // From two opposite corners [y, x, y, x], or from [x, y, width, height] with x and y of the centre.
  Box(const float* numbers, bool has_centre);
};

// A list of boxes: five rows, one of each number, which have room for whole vectors.
class BoxRows {
 public:
  // `rows` has room for numbers_of(most) floats.
  BoxRows(float* rows, std::size_t most) : rows_(rows), pitch_(pitch_of(most)) {}
  static std::size_t numbers_of(std::size_t most) { return 5 * pitch_of(most); }

  std::size_t size() const { return size_; }
  void add(const Box& box);
  // Whether the intersection with one of the boxes is more than `threshold` of their union.
  bool overlap(const Box& box, float threshold) const;

 private:
  static std::size_t pitch_of(std::size_t most) { return (most + 3) / 4 * 4; }

  float* rows_;
  std::size_t pitch_;
  std::size_t size_ = 0;
};

// Indices by descending scores, of equal ones the first, and NaN last: each is found when it is asked for, since few are.
class BestFirst {
 public:
  // `numbers` has some indices of `scores`, in any order, and room for all of them.
  BestFirst(const float* scores, std::int64_t* numbers, std::size_t count);
  bool is_empty() const { return count_ == 0; }
  std::int64_t take();

 private:
  // An order of all scores, so that a heap of them has the best one on top.
  bool comes_before(std::int64_t a, std::int64_t b) const {
    const float x = scores_[a];
    const float y = scores_[b];
    if (x > y || x < y) return x > y;
    const bool is_nan = x != x;
    return is_nan == (y != y) ? a < b : !is_nan;
  }
  // Puts a number where it belongs in the heap, from `place` downwards.
  void sink(std::size_t place, std::int64_t number);

  const float* scores_;
  std::int64_t* numbers_;
  std::size_t count_;
};

}  // namespace broadloom
