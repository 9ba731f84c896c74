// Triangular filters with equal steps on a scale of pitches, over the frequencies of a spectrum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/crossing.h"
#include "kernels/base/simd.h"

namespace broadloom {

struct MelForm {
  double sample_rate;
  std::size_t length;  // of the transform
  std::size_t bins;
  double lower;  // in Hz, below `upper`
  double upper;
  MelScale scale;
  bool has_equal_areas;    // weights times 2 / (width in Hz); otherwise the peak is 1
  bool is_linear_in_mels;  // whether the sides are straight on the scale, and not in Hz
  bool has_nyquist;        // whether the last frequency counts
  bool operator==(const MelForm&) const = default;
};

class MelFilters {
 public:
  MelFilters() = default;
  explicit MelFilters(const MelForm& form);
  std::size_t bins() const { return bands_.size(); }
  // Writes a vector of each bin: the sums of `spectrum`, which has a vector of each frequency, times the bin's weights.
  void apply(Lanes<float>* to, const Lanes<float>* spectrum) const;

 private:
  // The frequencies that a filter sees.
  struct Band {
    std::uint32_t first;
    std::uint32_t end;
    std::size_t weights;  // the place of the first one's weight
  };
  std::vector<Band> bands_;
  std::vector<float> weights_;
};

}  // namespace broadloom
