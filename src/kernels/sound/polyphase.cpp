#include "kernels/sound/polyphase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/count.h"
#include "core/memory.h"
#include "kernels/base/simd.h"
#include "kernels/elementwise/functions.h"

namespace broadloom {
namespace {

// The shortest Kaiser window that has the stop band's 82 dB at the Nyquist frequency and 0.06 dB at 0.9 of it.
constexpr double kaiser_half_width = 47;  // in samples of the lower rate
constexpr double kaiser_beta = 8.2;
constexpr double kaiser_cutoff = 0.944;
// Linear interpolation is off by (pi / steps)^2 / 8 at the Nyquist frequency.
constexpr double steps_between = 256;
// Rows for all parts take 256 KiB at most, as those from 44.1 kHz to 16 kHz and to 48 kHz do.
constexpr std::size_t most_weights = 65536;
constexpr std::size_t tap_multiple = 2 * lanes_of<float>;

// The Bessel function I0 of 2 sqrt(x), by its series; x is at most (8.2 / 2)^2.
constexpr int bessel_terms = 26;
constexpr auto bessel_factors = [] {
  std::array<double, bessel_terms + 1> factors{};
  for (int k = 1; k <= bessel_terms; ++k) factors[in_memory(k)] = 1.0 / (k * k);
  return factors;
}();
double bessel(double x) {
  double sum = 1;
  for (std::size_t k = bessel_terms; k > 0; --k) sum = 1 + sum * (x * bessel_factors[k]);
  return sum;
}

// The filter that was made last, since sounds often have the same two rates.
std::shared_ptr<const Polyphase> kept;

// The sums of products of weights and samples for several windows of samples. Each window is summed in two vectors, so its bits
// do not depend on the other windows. The windows are named one by one, so that sums and addresses stay in registers.
template <std::size_t... w>
void sums(float* const* to, const float* weights, const float* const* from, std::size_t taps,
          std::index_sequence<w...> /*window*/) {
  using V = Lanes<float>;
  constexpr std::size_t windows = sizeof...(w);
  const auto at = [](const std::byte* bytes, std::size_t vector) { return load_lanes<float>(bytes + vector * vector_bytes); };
  const auto* weight = reinterpret_cast<const std::byte*>(weights);
  const std::byte* sample[] = {reinterpret_cast<const std::byte*>(from[w])...};
  V even[windows]{};
  V odd[windows]{};
  for (std::size_t left = taps; left != 0; left -= tap_multiple) {
    const V first = at(weight, 0);
    const V second = at(weight, 1);
    ((even[w] += first * at(sample[w], 0)), ...);
    ((odd[w] += second * at(sample[w], 1)), ...);
    weight += 2 * vector_bytes;
    ((sample[w] += 2 * vector_bytes), ...);
  }
  const auto write = [](float* result, const V& sum) { *result = (sum[0] + sum[2]) + (sum[1] + sum[3]); };
  (write(to[w], even[w] + odd[w]), ...);
}
template <std::size_t windows>
void sums(float* const* to, const float* weights, const float* const* from, std::size_t taps) {
  sums(to, weights, from, taps, std::make_index_sequence<windows>());
}

}  // namespace

RateRatio RateRatio::of(double from, double to) {
  constexpr double limit = 0x1p62;
  while (from >= limit || to >= limit) {
    from /= 2;
    to /= 2;
  }
  // The smaller rate has 53 digits, and the other one at most 9 more: multiples of powers of two are exact.
  while (from != std::floor(from) || to != std::floor(to)) {
    from *= 2;
    to *= 2;
  }
  const auto a = static_cast<std::uint64_t>(from);
  const auto b = static_cast<std::uint64_t>(to);
  const std::uint64_t divisor = std::gcd(a, b);
  return {a / divisor, b / divisor};
}

Polyphase::Polyphase(const RateRatio& ratio) : ratio_(ratio) {
  const double scale = std::max(1.0, static_cast<double>(ratio.from) / static_cast<double>(ratio.to));
  if (is_identity()) return;
  half_width_ = kaiser_half_width * scale;
  cutoff_ = kaiser_cutoff / scale;
  after_ = in_memory(Count::of(std::ceil(half_width_)));
  taps_ = (2 * after_ + tap_multiple - 1) / tap_multiple * tap_multiple;
  is_exact_ = ratio.to <= most_weights / taps_;
  steps_ = is_exact_ ? in_memory(ratio.to) : in_memory(Count::of(std::ceil(steps_between / scale)));
}

Polyphase::~Polyphase() { release(rows_); }

// Writes the weights for a place that is `fraction` after its sample. Their sum is 1, so a constant sound does not change.
void Polyphase::write_row(float* to, double fraction) const {
  constexpr std::size_t part_items = 256;
  double sines[part_items];
  double angles[part_items];
  double sum = 0;
  for (std::size_t done = 0; done < taps_; done += part_items) {
    const std::size_t part = std::min(part_items, taps_ - done);
    const auto place = [&](std::size_t i) {
      return static_cast<double>(done + i) - static_cast<double>(taps_ - after_ - 1) - fraction;
    };
    for (std::size_t i = 0; i < part; ++i) angles[i] = std::numbers::pi * cutoff_ * place(i);
    const auto* const from = reinterpret_cast<const std::byte*>(angles);
    functions::sin.of_double(reinterpret_cast<std::byte*>(sines), &from, part);
    for (std::size_t i = 0; i < part; ++i) {
      const double t = place(i) / half_width_;
      const double inside = 1 - t * t;
      double weight = angles[i] == 0 ? 1 : sines[i] / angles[i];
      weight *= inside <= 0 ? 0 : bessel(kaiser_beta * kaiser_beta / 4 * inside);
      to[done + i] = static_cast<float>(weight);
      sum += weight;
    }
  }
  for (std::size_t i = 0; i < taps_; ++i) to[i] = static_cast<float>(static_cast<double>(to[i]) / sum);
}

Result<std::shared_ptr<const Polyphase>> Polyphase::make(const RateRatio& ratio) {
  if (kept && kept->ratio_.from == ratio.from && kept->ratio_.to == ratio.to) return kept;
  BROADLOOM_CHECK(require_memory());
  std::shared_ptr<Polyphase> made(new Polyphase(ratio));
  if (made->is_identity()) return std::shared_ptr<const Polyphase>(std::move(made));
  const std::size_t rows = made->steps_ + (made->is_exact_ ? 0 : 1);
  const Count bytes = Count(rows) * made->taps_ * sizeof(float);
  made->rows_ = static_cast<float*>(allocate(bytes));
  if (made->rows_ == nullptr) return Failure(out_of_memory(bytes));
  for (std::size_t i = 0; i < rows; ++i) {
    made->write_row(made->rows_ + i * made->taps_, static_cast<double>(i) / static_cast<double>(made->steps_));
  }
  kept = std::move(made);
  return kept;
}

std::uint64_t Polyphase::results_before(const SamplePlace& place, std::size_t end) const {
  if (end == place.sample) return 0;
  // The quotient and the rest of (end - sample - 1) * to / from, digit by digit: the product may have 94.
  std::uint64_t quotient = 0;
  std::uint64_t rest = 0;
  const std::uint64_t whole = ratio_.to / ratio_.from;
  const std::uint64_t fraction = ratio_.to % ratio_.from;
  const std::uint64_t samples = end - place.sample - 1;
  for (int bit = 63; bit >= 0; --bit) {
    quotient *= 2;
    rest *= 2;
    if ((samples >> bit & 1) != 0) {
      quotient += whole;
      rest += fraction;
    }
    while (rest >= ratio_.from) {
      rest -= ratio_.from;
      ++quotient;
    }
  }
  // The results in the rest up to `end`, rounded up.
  const std::uint64_t left = rest + (ratio_.to - place.part);
  return quotient + left / ratio_.from + (left % ratio_.from != 0 ? 1 : 0);
}

void Polyphase::advance(SamplePlace& place) const {
  place.sample += in_memory(ratio_.from / ratio_.to);
  place.part += ratio_.from % ratio_.to;
  if (place.part < ratio_.to) return;
  place.part -= ratio_.to;
  ++place.sample;
}

// Results with the same row are `to` results apart. Four of them share its weights in registers.
void Polyphase::run_exact(float* to, std::size_t count, const float* from, SamplePlace& place) const {
  const auto period = in_memory(ratio_.to);
  const auto step = in_memory(ratio_.from);
  const std::size_t rows = std::min(period, count);
  SamplePlace next = place;
  for (std::size_t row = 0; row < rows; ++row, advance(next)) {
    const float* const weights = rows_ + in_memory(next.part) * taps_;
    const float* at = from + next.sample;
    std::size_t i = row;
    for (; i + 3 * period < count; i += 4 * period, at += 4 * step) {
      float* const results[] = {to + i, to + i + period, to + i + 2 * period, to + i + 3 * period};
      const float* const windows[] = {at, at + step, at + 2 * step, at + 3 * step};
      sums<4>(results, weights, windows, taps_);
    }
    for (; i < count; i += period, at += step) {
      float* const result = to + i;
      sums<1>(&result, weights, &at, taps_);
    }
  }
  // Whole periods are `step` samples each; the rest is walked.
  place.sample += count / period * step;
  for (std::size_t i = 0; i < count % period; ++i) advance(place);
}

void Polyphase::run_between(float* to, std::size_t count, const float* from, SamplePlace& place) const {
  const double scale = static_cast<double>(steps_) / static_cast<double>(ratio_.to);
  for (std::size_t i = 0; i < count; ++i, advance(place)) {
    const double row = static_cast<double>(place.part) * scale;
    const auto first = std::min(in_memory(Count::of(row)), steps_ - 1);
    const float* const weights = rows_ + first * taps_;
    float sum[2];
    float* const sum_at[] = {sum, sum + 1};
    // The samples are the weights of two windows that are rows.
    const float* const windows[] = {weights, weights + taps_};
    sums<2>(sum_at, from + place.sample, windows, taps_);
    to[i] = sum[0] + static_cast<float>(row - static_cast<double>(first)) * (sum[1] - sum[0]);
  }
}

void Polyphase::run(float* to, std::size_t count, const float* from, SamplePlace& place) const {
  if (is_identity()) {
    std::copy_n(from + place.sample, count, to);
    place.sample += count;
    return;
  }
  if (is_exact_) return run_exact(to, count, from, place);
  run_between(to, count, from, place);
}

}  // namespace broadloom
