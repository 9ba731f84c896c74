#include "kernels/sound/frame_steps.h"

namespace broadloom {

void prepare_frames(Lanes<float>* frames, std::size_t count, const FrameStart& form) {
  Lanes<float> sum{};
  for (std::size_t i = 0; i < count; ++i) {
    frames[i] *= form.scale;
    sum += frames[i];
  }
  if (!form.removes_mean) return;
  const Lanes<float> mean = sum / static_cast<float>(count);
  for (std::size_t i = 0; i < count; ++i) frames[i] -= mean;
}

void preemphasize(Lanes<float>* frames, std::size_t count, float coefficient) {
  for (std::size_t i = count; i-- > 1;) frames[i] -= frames[i - 1] * coefficient;
  frames[0] -= frames[0] * coefficient;
}

Lanes<float> energies(const Lanes<float>* frames, std::size_t count) {
  Lanes<float> sum{};
  for (std::size_t i = 0; i < count; ++i) sum += frames[i] * frames[i];
  return sum;
}

void subtract_means(float* numbers, std::size_t rows, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += static_cast<double>(numbers[row * columns + column]);
    const auto mean = static_cast<float>(sum / static_cast<double>(rows));
    for (std::size_t row = 0; row < rows; ++row) numbers[row * columns + column] -= mean;
  }
}

}  // namespace broadloom
