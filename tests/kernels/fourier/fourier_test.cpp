#include "kernels/fourier/fourier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "core/memory.h"
#include "support/expect.h"
#include "support/random.h"

namespace broadloom::fourier_test {
namespace {

struct Workspace {
  explicit Workspace(Count bytes) : memory(static_cast<std::byte*>(allocate(bytes))) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() { release(memory); }
  std::byte* memory;
};

// The half spectrum of real numbers, by its sums.
std::vector<double> half_spectrum_of(const float* row, std::size_t length) {
  std::vector<double> spectrum;
  for (std::size_t k = 0; k <= length / 2; ++k) {
    double re = 0;
    double im = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k * i % length) / static_cast<double>(length);
      re += row[i] * std::cos(angle);
      im -= row[i] * std::sin(angle);
    }
    spectrum.push_back(re);
    spectrum.push_back(im);
  }
  return spectrum;
}

TEST(Fourier, RowsAndLanesHaveTheSpectrumOfAnyLength) {
  const std::uint64_t seed = test::seed();
  std::mt19937 random(seed);
  for (const std::size_t length :
       {1U, 2U, 3U, 4U, 6U, 7U, 12U, 17U, 30U, 34U, 37U, 48U, 74U, 120U, 128U, 143U, 400U, 442U, 509U}) {
    std::vector<float> rows(4 * length);
    for (float& number : rows) number = std::uniform_real_distribution<float>(-1, 1)(random);
    const auto fourier = *Fourier::make({length, length, false, false, Fourier::Output::half}, Dtype::float32);
    const Workspace workspace(fourier->workspace_bytes());
    std::vector<float> found(4 * fourier->result_numbers());
    const auto* const from = reinterpret_cast<const std::byte*>(rows.data());
    auto* const to = reinterpret_cast<std::byte*>(found.data());
    const auto step = static_cast<std::ptrdiff_t>(length * sizeof(float));
    test::must(fourier->run(to, from, step, 4, nullptr, workspace.memory));
    Lanes<float>* const lanes = Fourier::lanes(workspace.memory);
    for (std::size_t i = 0; i < length; ++i) {
      for (std::size_t lane = 0; lane < 4; ++lane) lanes[i][lane] = rows[lane * length + i];
    }
    const Lanes<float>* const spectrum = fourier->run_lanes(workspace.memory);
    const double most = 1e-6 * std::max(std::sqrt(static_cast<double>(length)), 2.0) * 2;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::vector<double> wanted = half_spectrum_of(rows.data() + lane * length, length);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_NEAR(found[lane * wanted.size() + i], wanted[i], most) << length << ", number " << i << ", seed " << seed;
        ASSERT_NEAR(spectrum[i][lane], wanted[i], most) << length << ", number " << i << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace broadloom::fourier_test
