#include "kernels/sound/mel_filters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/cases.h"
#include "support/items.h"

namespace broadloom::test::mel_filters_test {
namespace {

double mels_of(double frequency, MelScale scale) {
  if (scale == MelScale::htk) return 2595 * std::log10(1 + frequency / 700);
  return frequency < 1000 ? frequency * 3 / 200 : 15 + 27 * std::log(frequency / 1000) / std::log(6.4);
}
double frequency_of(double mels, MelScale scale) {
  if (scale == MelScale::htk) return 700 * (std::pow(10, mels / 2595) - 1);
  return mels < 15 ? mels * 200 / 3 : 1000 * std::exp((mels - 15) / 27 * std::log(6.4));
}

// The weight of a frequency in a bin.
double weight_of(const MelForm& form, std::size_t bin, double frequency) {
  const double first = mels_of(form.lower, form.scale);
  const double step = (mels_of(form.upper, form.scale) - first) / static_cast<double>(form.bins + 1);
  const auto place = [&](double mels) { return form.is_linear_in_mels ? mels : frequency_of(mels, form.scale); };
  const double left = place(first + static_cast<double>(bin) * step);
  const double centre = place(first + static_cast<double>(bin + 1) * step);
  const double right = place(first + static_cast<double>(bin + 2) * step);
  const double at = form.is_linear_in_mels ? mels_of(frequency, form.scale) : frequency;
  const double weight = std::max(0.0, std::min((at - left) / (centre - left), (right - at) / (right - centre)));
  return form.has_equal_areas ? weight * 2 / (right - left) : weight;
}

TEST(MelFilters, BinsAreTriangularSumsOfTheSpectrumInEveryForm) {
  Random random;
  for (int round = 0; round < cases() / 5; ++round) {
    MelForm form{};
    form.sample_rate = random.one_in(2) ? 16000 : 44100;
    form.length = 2 * (random.below(300) + 20);
    form.bins = random.below(80) + 1;
    form.lower = random.real(0, 300);
    form.upper = random.real(3000, form.sample_rate / 2);
    form.scale = random.one_in(2) ? MelScale::htk : MelScale::slaney;
    form.is_linear_in_mels = random.one_in(2);
    form.has_equal_areas = !form.is_linear_in_mels && random.one_in(2);
    form.has_nyquist = random.one_in(2);
    const MelFilters filters(form);
    ASSERT_EQ(filters.bins(), form.bins);
    const std::size_t count = form.length / 2 + (form.has_nyquist ? 1 : 0);
    std::vector<Lanes<float>> spectrum(count);
    for (Lanes<float>& powers : spectrum)
      for (std::size_t i = 0; i < lanes_of<float>; ++i) powers[i] = static_cast<float>(random.real(0, 1));
    std::vector<Lanes<float>> to(form.bins);
    filters.apply(to.data(), spectrum.data());
    for (std::size_t bin = 0; bin < form.bins; ++bin) {
      for (std::size_t lane = 0; lane < lanes_of<float>; ++lane) {
        double wanted = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const double frequency = static_cast<double>(i) * form.sample_rate / static_cast<double>(form.length);
          wanted += weight_of(form, bin, frequency) * static_cast<double>(spectrum[i][lane]);
        }
        ASSERT_NEAR(to[bin][lane], wanted, 1e-5 * std::max(1.0, wanted)) << "bin " << bin << " of " << form.bins;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::test::mel_filters_test
