#include "kernels/products/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/elementwise/functions.h"
#include "kernels/elementwise/loops.h"
#include "kernels/reduce/softmax.h"

namespace broadloom {

namespace attention {
namespace {

// Calls `function` with the scores as floats or doubles.
template <class Function>
auto with_type(Dtype dtype, Function function) {
  return dtype == Dtype::float64 ? function(double{}) : function(float{});
}

InnerLoop loop_of(const MathFunction& function, Dtype dtype) {
  return dtype == Dtype::float64 ? function.of_double : function.of_float;
}

}  // namespace
}  // namespace attention

void scale_numbers(std::byte* to, const std::byte* from, Dtype dtype, std::size_t count, double factor) {
  attention::with_type(dtype, [&](auto type) {
    using T = decltype(type);
    const auto by = static_cast<T>(factor);
    std::size_t i = 0;
    for (; i + lanes_of<T> <= count; i += lanes_of<T>)
      store_lanes(to + i * sizeof(T), load_lanes<T>(from + i * sizeof(T)) * by);
    for (; i < count; ++i) reinterpret_cast<T*>(to)[i] = reinterpret_cast<const T*>(from)[i] * by;
  });
}

void cap_scores(std::byte* scores, Dtype dtype, std::size_t count, double cap) {
  scale_numbers(scores, scores, dtype, count, 1 / cap);
  const std::byte* const from = scores;
  attention::loop_of(functions::tanh, dtype)(scores, &from, count);
  scale_numbers(scores, scores, dtype, count, cap);
}

void add_to_scores(std::byte* scores, const std::byte* added, Dtype dtype, std::size_t count) {
  const std::byte* const from[] = {scores, added};
  computation_of(Operation::add, dtype).loop(scores, from, count);
}

bool are_all_masked(const std::byte* added, Dtype dtype, std::size_t count) {
  return attention::with_type(dtype, [&](auto type) {
    using T = decltype(type);
    const T* const numbers = reinterpret_cast<const T*>(added);
    return std::all_of(numbers, numbers + count, [](T number) { return number == -std::numeric_limits<T>::infinity(); });
  });
}

Status softmax_of_scores(std::byte* to, const std::byte* from, Dtype dtype, std::size_t count) {
  if (dtype == Dtype::float32) return softmax_rows(to, from, 1, count);
  const auto* const scores = reinterpret_cast<const double*>(from);
  auto* const results = reinterpret_cast<double*>(to);
  const double most = *std::max_element(scores, scores + count);
  for (std::size_t i = 0; i < count; ++i) results[i] = scores[i] - most;
  const std::byte* const shifted = to;
  functions::exp.of_double(to, &shifted, count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += results[i];
  scale_numbers(to, to, dtype, count, 1 / sum);
  return {};
}

void give_to_sink(std::byte* weights, const std::byte* scores, Dtype dtype, std::size_t count, double sink) {
  const double factor = attention::with_type(dtype, [&](auto type) {
    using T = decltype(type);
    const T* const numbers = reinterpret_cast<const T*>(scores);
    const auto best = std::max_element(numbers, numbers + count) - numbers;
    // The largest weight is the inverse of the sum of powers of differences to the largest score.
    const auto weight = static_cast<double>(reinterpret_cast<const T*>(weights)[best]);
    return 1 / (1 + std::exp(sink - static_cast<double>(numbers[best])) * weight);
  });
  scale_numbers(weights, weights, dtype, count, factor);
}

void rotate_pairs(float* to, const float* from, const float* cosines, const float* sines, std::size_t half, bool are_adjacent) {
  const auto bytes = [](auto* floats) { return reinterpret_cast<const std::byte*>(floats); };
  std::size_t i = 0;
  if (!are_adjacent) {
    for (; i + lanes_of<float> <= half; i += lanes_of<float>) {
      const auto first = load_lanes<float>(bytes(from + i));
      const auto second = load_lanes<float>(bytes(from + half + i));
      const auto cosine = load_lanes<float>(bytes(cosines + i));
      const auto sine = load_lanes<float>(bytes(sines + i));
      store_lanes(reinterpret_cast<std::byte*>(to + i), cosine * first - sine * second);
      store_lanes(reinterpret_cast<std::byte*>(to + half + i), sine * first + cosine * second);
    }
  }
  const std::size_t step = are_adjacent ? 2 : 1;
  const std::size_t distance = are_adjacent ? 1 : half;
  for (; i < half; ++i) {
    const float first = from[i * step];
    const float second = from[i * step + distance];
    to[i * step] = cosines[i] * first - sines[i] * second;
    to[i * step + distance] = sines[i] * first + cosines[i] * second;
  }
}

}  // namespace broadloom
