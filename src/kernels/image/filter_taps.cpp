#include "kernels/image/filter_taps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/count.h"
#include "core/memory.h"
#include "kernels/elementwise/functions.h"

namespace broadloom::image {

namespace {

// How far a filter reaches from its centre, in pixels of the source where it is not stretched.
double support_of(Filter filter) {
  switch (filter) {
    case Filter::box: return 0.5;
    case Filter::bicubic: return 2;
    case Filter::lanczos: return 3;
    default: return 1;
  }
}

double box(double x) { return x > -0.5 && x <= 0.5 ? 1 : 0; }

double bilinear(double x) { return std::max(1 - std::abs(x), 0.0); }

double bicubic(double distance) {
  constexpr double a = -0.5;
  const double x = std::abs(distance);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

using Values = std::span<double>;

void apply(const MathFunction& function, Values to, Values from) {
  const auto* const address = reinterpret_cast<const std::byte*>(from.data());
  function.of_double(reinterpret_cast<std::byte*>(to.data()), &address, from.size());
}

// Replaces each x by sin(pi x) / (pi x).
void replace_by_sinc(Values x, Values sines) {
  for (double& value : x) value *= std::numbers::pi;
  apply(functions::sin, sines, x);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] == 0 ? 1 : sines[i] / x[i];
}

// Work space for the distances of one output, of the same length each.
struct Work {
  Values x;  // distances, which become weights
  Values y;
  Values z;
};

void replace_by_hamming(const Work& work) {
  const auto& [x, cosines, sines] = work;
  for (std::size_t i = 0; i < x.size(); ++i) sines[i] = x[i] * std::numbers::pi;
  apply(functions::cos, cosines, sines);
  for (double& value : x) value = std::abs(value) < 1 ? value : 1;  // where sinc is 0
  replace_by_sinc(x, sines);
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Pillow's constants are of single precision.
    x[i] *= static_cast<double>(0.54F) + static_cast<double>(0.46F) * cosines[i];
  }
}

void replace_by_lanczos(const Work& work) {
  const auto& [x, thirds, sines] = work;
  for (double& value : x) value = value >= -3 && value < 3 ? value : 3;  // where sinc is 0
  for (std::size_t i = 0; i < x.size(); ++i) thirds[i] = x[i] / 3;
  replace_by_sinc(x, sines);
  replace_by_sinc(thirds, sines);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= thirds[i];
}

void replace_by_weights(Filter filter, const Work& work) {
  if (filter == Filter::hamming) return replace_by_hamming(work);
  if (filter == Filter::lanczos) return replace_by_lanczos(work);
  double (*const weight)(double) = filter == Filter::box ? box : filter == Filter::bicubic ? bicubic : bilinear;
  for (double& value : work.x) value = weight(value);
}

std::int32_t fixed_point(double weight) {
  constexpr double one = 1 << FilterTaps::fraction_bits;
  return static_cast<std::int32_t>(weight * one + (weight < 0 ? -0.5 : 0.5));
}

}  // namespace

void FilterTaps::write_halves(std::size_t i, std::span<const double> weights) {
  std::int16_t* const high = halves_.data() + i * 2 * stride_;
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::int32_t weight = fixed_point(sum == 0 ? weights[k] : weights[k] / sum);
    high[k] = static_cast<std::int16_t>(weight >> low_bits);
    high[k + stride_] = static_cast<std::int16_t>(weight & ((1 << low_bits) - 1));
  }
}

Result<FilterTaps> FilterTaps::make(Filter filter, const ResizedSide& side) {
  FilterTaps result;
  const double scale = static_cast<double>(side.from) / static_cast<double>(side.to);
  const double stretch = std::max(scale, 1.0);
  const double support = support_of(filter) * stretch;
  const std::size_t longest = in_memory(Count::of(std::ceil(support))) * 2 + 1;
  result.stride_ = (longest + 7) / 8 * 8;
  BROADLOOM_TRY(taps, allocate_vector<Taps>(side.count()));
  BROADLOOM_CHECK(require_memory(side.count(), 2 * result.stride_ * sizeof(std::int16_t)));
  BROADLOOM_TRY(halves, allocate_vector<std::int16_t>(side.count() * 2 * result.stride_));
  BROADLOOM_TRY(work, allocate_vector<double>(3 * longest));
  result.taps_ = std::move(taps);
  result.halves_ = std::move(halves);
  const double shrink = 1 / stretch;
  for (std::size_t i = 0; i < side.count(); ++i) {
    const double centre = (static_cast<double>(side.begin) + static_cast<double>(i) + 0.5) * scale;
    const double edges[] = {centre - support + 0.5, centre + support + 0.5};  // cut off, as Pillow does it
    const auto first = std::max(static_cast<std::int64_t>(edges[0]), std::int64_t{0});
    const auto end = std::min(static_cast<std::int64_t>(edges[1]), side.from);
    const auto count = in_memory(end - first);
    const Values all(work);
    const Work part{all.first(count), all.subspan(longest, count), all.subspan(2 * longest, count)};
    for (std::size_t k = 0; k < count; ++k) {
      part.x[k] = (static_cast<double>(first + static_cast<std::int64_t>(k)) - centre + 0.5) * shrink;
    }
    replace_by_weights(filter, part);
    result.taps_[i] = {in_memory(first), count};
    result.most_ = std::max(result.most_, count);
    result.write_halves(i, part.x);
  }
  return result;
}

Result<std::vector<LinearTap>> linear_taps(const ResizedSide& side, LinearEdge edge) {
  BROADLOOM_TRY(result, allocate_vector<LinearTap>(side.count()));
  const double scale = 1 / (static_cast<double>(side.to) / static_cast<double>(side.from));
  const auto last = static_cast<std::int32_t>(side.from - 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double index = static_cast<double>(side.begin) + static_cast<double>(i);
    const auto position = static_cast<float>((index + 0.5) * scale - 0.5);
    auto first = static_cast<std::int32_t>(std::floor(position));
    float fraction = position - static_cast<float>(first);
    if (edge == LinearEdge::whole && (first < 0 || first >= last)) fraction = 0;
    const auto weight = [](float part) { return static_cast<std::int16_t>(std::nearbyint(part * 2048)); };
    result[i] = {std::clamp(first, 0, last), std::clamp(first + 1, 0, last), {weight(1 - fraction), weight(fraction)}};
  }
  return result;
}

Result<std::vector<std::int32_t>> nearest_positions(const ResizedSide& side) {
  BROADLOOM_TRY(result, allocate_vector<std::int32_t>(side.count()));
  const double scale = static_cast<double>(side.from) / static_cast<double>(side.to);
  double position = scale / 2;
  for (std::int64_t i = 0; i < side.end; ++i, position += scale) {
    if (i < side.begin) continue;
    result[in_memory(i - side.begin)] = static_cast<std::int32_t>(std::min(position, static_cast<double>(side.from - 1)));
  }
  return result;
}

}  // namespace broadloom::image
