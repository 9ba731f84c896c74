// What Kaldi does to the samples of frames before their spectra, in lanes.
#pragma once

#include <cstddef>

#include "kernels/base/simd.h"

namespace broadloom {

// Multiplies the samples, and subtracts their mean if it is to be removed.
struct FrameStart {
  float scale;
  bool removes_mean;
};
void prepare_frames(Lanes<float>* frames, std::size_t count, const FrameStart& form);

// Subtracts from each sample the one before it, times the coefficient. The first one is its own predecessor.
void preemphasize(Lanes<float>* frames, std::size_t count, float coefficient);

// Sums of squares.
Lanes<float> energies(const Lanes<float>* frames, std::size_t count);

// Subtracts the mean of each column.
void subtract_means(float* numbers, std::size_t rows, std::size_t columns);

}  // namespace broadloom
