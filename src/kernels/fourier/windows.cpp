#include "kernels/fourier/windows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/count.h"
#include "core/limits.h"
#include "kernels/elementwise/convert.h"
#include "kernels/elementwise/functions.h"
#include "kernels/fourier/roots.h"

namespace broadloom {

// The time of a band, whose corners are exponential functions, and of a weight, for Watch::check.
constexpr double steps_of_band = 200;
constexpr double steps_of_weight = 10;

// The time of a root and what is made of it, for Watch::check.
constexpr double steps_of_root = 32;

Status write_window(std::byte* to, Dtype dtype, std::size_t count, std::uint64_t period, const CosineWindow& window) {
  double roots[2 * block_items];
  double values[block_items];
  for (std::size_t done = 0; done < count; done += block_items) {
    const std::size_t part = std::min(block_items, count - done);
    BROADLOOM_CHECK(Watch::check(steps_of_root * static_cast<double>(part)));
    fourier::write_roots(roots, done, part, period);
    for (std::size_t i = 0; i < part; ++i) {
      const double cosine = roots[2 * i];
      values[i] = window.constant - window.first * cosine + window.second * (2 * cosine * cosine - 1);
    }
    convert(to + done * item_size(dtype), dtype, reinterpret_cast<const std::byte*>(values), Dtype::float64, part);
  }
  return {};
}

namespace fourier {
namespace {

constexpr double mel_scale = 1127.0104848135095;  // 2595 / ln(10)
constexpr double mel_frequency = 700;

double value_of(const MathFunction& function, double x) {
  const auto* const from = reinterpret_cast<const std::byte*>(&x);
  double result;
  function.of_double(reinterpret_cast<std::byte*>(&result), &from, 1);
  return result;
}

double mel_of(double frequency) { return mel_scale * value_of(functions::log1p, frequency / mel_frequency); }

}  // namespace
}  // namespace fourier

MelBands::MelBands(std::int64_t bands, std::int64_t length, std::int64_t sample_rate, double lower, double upper)
    : bands_(bands),
      first_(fourier::mel_of(lower)),
      step_((fourier::mel_of(upper) - first_) / static_cast<double>(bands + 2)),
      scale_(static_cast<double>(length + 1)),
      sample_rate_(static_cast<double>(sample_rate)) {}

double MelBands::corner(std::int64_t i) const {
  const double mel = static_cast<double>(i) * step_ + first_;
  const double frequency = fourier::mel_frequency * fourier::value_of(functions::expm1, mel / fourier::mel_scale);
  return std::floor(scale_ * frequency / sample_rate_);
}

Status MelBands::write(std::byte* to, Dtype dtype, std::int64_t rows) const {
  const std::size_t item = item_size(dtype);
  std::memset(to, 0, in_memory(rows * bands_) * item);
  for (std::int64_t band = 0; band < bands_; ++band) {
    const auto set = [&](std::int64_t row, double weight) {
      std::byte* const at = to + in_memory(row * bands_ + band) * item;
      convert(at, dtype, reinterpret_cast<const std::byte*>(&weight), Dtype::float64, 1);
    };
    const auto left = static_cast<std::int64_t>(corner(band));
    const auto center = static_cast<std::int64_t>(corner(band + 1));
    const auto right = static_cast<std::int64_t>(corner(band + 2));
    BROADLOOM_CHECK(Watch::check(steps_of_band + steps_of_weight * static_cast<double>(right - left)));
    for (std::int64_t i = left; i < center; ++i) set(i, static_cast<double>(i - left) / static_cast<double>(center - left));
    set(center, 1);
    for (std::int64_t i = center; i < right; ++i) set(i, static_cast<double>(right - i) / static_cast<double>(right - center));
  }
  return {};
}

}  // namespace broadloom
