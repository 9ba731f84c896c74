#include "kernels/sound/mel_filters.h"

#include <algorithm>

#include "kernels/elementwise/functions.h"

namespace broadloom {
namespace {

double applied(const MathFunction& function, double x) {
  const auto* const from = reinterpret_cast<const std::byte*>(&x);
  double result;
  function.of_double(reinterpret_cast<std::byte*>(&result), &from, 1);
  return result;
}

constexpr double htk_factor = 1127.0104848135095;  // 2595 / ln(10)
constexpr double htk_frequency = 700;
constexpr double slaney_step = 200.0 / 3;  // Hz in a mel, up to the frequency from which steps are logarithmic
constexpr double slaney_bend = 1000;
constexpr double slaney_bend_mels = slaney_bend / slaney_step;
constexpr double slaney_log_step = 0.06875177742094912;  // ln(6.4) / 27

double mels_of(double frequency, MelScale scale) {
  if (scale == MelScale::htk) return htk_factor * applied(functions::log1p, frequency / htk_frequency);
  if (frequency < slaney_bend) return frequency / slaney_step;
  return slaney_bend_mels + applied(functions::log, frequency / slaney_bend) / slaney_log_step;
}

double frequency_of(double mels, MelScale scale) {
  if (scale == MelScale::htk) return htk_frequency * applied(functions::expm1, mels / htk_factor);
  if (mels < slaney_bend_mels) return mels * slaney_step;
  return slaney_bend * applied(functions::exp, (mels - slaney_bend_mels) * slaney_log_step);
}

}  // namespace

MelFilters::MelFilters(const MelForm& form) {
  const double first = mels_of(form.lower, form.scale);
  const double step = (mels_of(form.upper, form.scale) - first) / static_cast<double>(form.bins + 1);
  const double spacing = form.sample_rate / static_cast<double>(form.length);
  const std::size_t count = form.length / 2 + (form.has_nyquist ? 1 : 0);
  // Places and corners are frequencies or mels.
  std::vector<double> places(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double frequency = static_cast<double>(i) * spacing;
    places[i] = form.is_linear_in_mels ? mels_of(frequency, form.scale) : frequency;
  }
  const auto corner = [&](std::size_t i) {
    const double mels = first + static_cast<double>(i) * step;
    return form.is_linear_in_mels ? mels : frequency_of(mels, form.scale);
  };
  const auto place = [&](double at) { return std::upper_bound(places.begin(), places.end(), at) - places.begin(); };
  bands_.reserve(form.bins);
  for (std::size_t bin = 0; bin < form.bins; ++bin) {
    const double left = corner(bin);
    const double center = corner(bin + 1);
    const double right = corner(bin + 2);
    const double height = form.has_equal_areas ? 2 / (right - left) : 1;
    const Band band{static_cast<std::uint32_t>(place(left)), static_cast<std::uint32_t>(place(right)), weights_.size()};
    bands_.push_back(band);
    for (std::size_t i = band.first; i < band.end; ++i) {
      const double rise = (places[i] - left) / (center - left);
      const double fall = (right - places[i]) / (right - center);
      weights_.push_back(static_cast<float>(std::max(0.0, std::min(rise, fall)) * height));
    }
  }
}

void MelFilters::apply(Lanes<float>* to, const Lanes<float>* spectrum) const {
  for (const Band& band : bands_) {
    const float* const weights = weights_.data() + band.weights;
    Lanes<float> sum{};
    for (std::size_t i = band.first; i < band.end; ++i) sum += spectrum[i] * weights[i - band.first];
    *to++ = sum;
  }
}

}  // namespace broadloom
