#include "kernels/reduce/softmax.h"

#include <algorithm>

#include "core/limits.h"
#include "kernels/base/lane_math.h"
#include "kernels/reduce/fold.h"

namespace broadloom {
namespace {

constexpr std::size_t width = lanes_of<float>;

Lanes<float> load_at(const float* from) { return load_lanes<float>(reinterpret_cast<const std::byte*>(from)); }
void store_at(float* to, const Lanes<float>& lanes) { store_lanes(reinterpret_cast<std::byte*>(to), lanes); }

// Calls `function` with the number of the first element of each vector. The last vector overlaps the one before.
template <class Function>
void for_row_vectors(std::size_t length, Function function) {
  for (std::size_t i = 0;; i = std::min(i + width, length - width)) {
    function(i);
    if (i + width == length) return;
  }
}

// A NaN may be lost: its own exponential is NaN, and so is the sum.
float maximum_of(const float* from, std::size_t length) {
  auto most = load_at(from);
  for_row_vectors(length, [&](std::size_t i) { most = at_least(most, load_at(from + i)); });
  float result = most[0];
  for (std::size_t i = 1; i < width; ++i) result = std::max(result, most[i]);
  return result;
}

// In the order of `reduce`.
float sum_of(const float* from, std::size_t length) {
  float sum = 0;
  fold_of(Operation::add, Dtype::float32)
      .all(reinterpret_cast<std::byte*>(&sum), reinterpret_cast<const std::byte*>(from), length);
  return sum;
}

// A row of a vector or more.
void softmax_row(float* to, const float* from, std::size_t length) {
  const float most = maximum_of(from, length);
  for_row_vectors(length, [&](std::size_t i) { store_at(to + i, exp(load_at(from + i) - most)); });
  const float factor = 1 / sum_of(to, length);
  // The last vector is read before what it overlaps is changed.
  const Lanes<float> last = load_at(to + (length - width)) * factor;
  for (std::size_t i = 0; i + width <= length; i += width) store_at(to + i, load_at(to + i) * factor);
  store_at(to + (length - width), last);
}

// Rows that are shorter than a vector, or so few vectors that what is between them takes as long.
constexpr std::size_t short_length = 16;
constexpr std::size_t rows_at_once = 64;

// The time of an element, for Watch::check.
constexpr double steps_of_element = 2;

// Short rows side by side, one in each lane.
void softmax_columns(float* to, const float* from, std::size_t rows, std::size_t length) {
  alignas(vector_bytes) float columns[short_length * rows_at_once] = {};
  alignas(vector_bytes) float sums[rows_at_once];
  std::ptrdiff_t offsets[short_length];
  for (std::size_t k = 0; k < length; ++k) {
    offsets[k] = static_cast<std::ptrdiff_t>(k * rows_at_once * sizeof(float));
    for (std::size_t i = 0; i < rows; ++i) columns[k * rows_at_once + i] = from[i * length + k];
  }
  for (std::size_t i = 0; i < rows; i += width) {
    auto most = load_at(columns + i);
    for (std::size_t k = 1; k < length; ++k) most = at_least(most, load_at(columns + k * rows_at_once + i));
    for (std::size_t k = 0; k < length; ++k) {
      float* const at = columns + k * rows_at_once + i;
      store_at(at, exp(load_at(at) - most));
    }
  }
  fold_of(Operation::add, Dtype::float32)
      .columns(reinterpret_cast<std::byte*>(sums), reinterpret_cast<const std::byte*>(columns), offsets, length, rows);
  for (std::size_t i = 0; i < rows; ++i) sums[i] = 1 / sums[i];
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t i = 0; i < rows; ++i) to[i * length + k] = columns[k * rows_at_once + i] * sums[i];
  }
}

}  // namespace

Status softmax_rows(std::byte* to, const std::byte* from, std::size_t rows, std::size_t length) {
  auto* results = reinterpret_cast<float*>(to);
  const auto* elements = reinterpret_cast<const float*>(from);
  for (std::size_t some; rows > 0 && length > 0; rows -= some, results += some * length, elements += some * length) {
    some = length < width || (length < short_length && rows >= width) ? std::min(rows, rows_at_once) : 1;
    BROADLOOM_CHECK(Watch::check(steps_of_element * static_cast<double>(some * length)));
    if (length < width || some > 1) {
      softmax_columns(results, elements, some, length);
    } else {
      softmax_row(results, elements, length);
    }
  }
  return {};
}

}  // namespace broadloom
