#include "kernels/sound/polyphase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/cases.h"
#include "support/expect.h"
#include "support/items.h"

namespace broadloom::test::polyphase_test {
namespace {

TEST(RateRatio, IsInLowestTermsAlsoOfFractions) {
  const RateRatio cd = RateRatio::of(44100, 48000);
  EXPECT_EQ(cd.from, 147U);
  EXPECT_EQ(cd.to, 160U);
  const RateRatio halves = RateRatio::of(1.5, 2.25);
  EXPECT_EQ(halves.from, 2U);
  EXPECT_EQ(halves.to, 3U);
  EXPECT_EQ(RateRatio::of(0x1p70, 0x1p71).to, 2U);
}

std::vector<float> sine(double step, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<float>(std::sin(step * static_cast<double>(i)));
  return samples;
}

TEST(Polyphase, ASineBelowTheStopBandKeepsItsPlaceAndHeight) {
  for (const RateRatio ratio :
       {RateRatio{1, 2}, RateRatio{2, 1}, RateRatio{147, 160}, RateRatio{3, 2}, RateRatio{10007, 10009}}) {
    const auto filter = must(Polyphase::make(ratio));
    const double step = 0.3 * std::numbers::pi * std::min(1.0, static_cast<double>(ratio.to) / static_cast<double>(ratio.from));
    const std::vector<float> samples = sine(step, 3 * filter->taps() + 200);
    SamplePlace place{};
    std::vector<float> to(static_cast<std::size_t>(filter->results_before(place, 100)));
    filter->run(to.data(), to.size(), samples.data(), place);
    ASSERT_GT(to.size(), 40U);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const double at = static_cast<double>(filter->taps() - filter->after() - 1) +
                        static_cast<double>(i) * static_cast<double>(ratio.from) / static_cast<double>(ratio.to);
      ASSERT_NEAR(to[i], std::sin(step * at), 2e-3) << ratio.from << ':' << ratio.to << ", result " << i;
    }
  }
}

TEST(Polyphase, ResultsAreCountedExactlyAndDoNotDependOnWhereARunEnds) {
  Random random;
  for (int round = 0; round < cases() / 10; ++round) {
    const RateRatio ratio =
        RateRatio::of(static_cast<double>(random.between(1, 60)), static_cast<double>(random.between(1, 60)));
    const auto filter = must(Polyphase::make(ratio));
    const std::size_t end = random.below(60);
    std::uint64_t wanted = 0;
    while (wanted * ratio.from < end * ratio.to) ++wanted;
    SamplePlace place{};
    ASSERT_EQ(filter->results_before(place, end), wanted) << ratio.from << ':' << ratio.to << " before " << end;
    const auto samples = random_items<float>(random, end + filter->taps() + 1, -1, 1);
    const auto count = static_cast<std::size_t>(wanted);
    std::vector<float> whole(count), parts(count);
    filter->run(whole.data(), count, samples.data(), place);
    SamplePlace next{};
    for (std::size_t done = 0; done < count;) {
      const std::size_t some = random.below(count - done) + 1;
      filter->run(parts.data() + done, some, samples.data(), next);
      done += some;
    }
    ASSERT_TRUE(have_same_bits(whole, parts)) << ratio.from << ':' << ratio.to;
    ASSERT_EQ(next.part, place.part);
    ASSERT_EQ(next.sample, place.sample);
    if (ratio.from == ratio.to)
      ASSERT_TRUE(std::equal(whole.begin(), whole.end(), samples.begin())) << "samples keep their bits";
  }
}

}  // namespace
}  // namespace broadloom::test::polyphase_test
