#include "kernels/products/block_dequantize.h"

#include <algorithm>

namespace broadloom {

void BlockQuantised::write(float* to, std::size_t first, std::size_t count) const {
  const std::size_t blocks = (length + block - 1) / block;
  const std::size_t mask = (std::size_t{1} << bits) - 1;
  for (std::size_t i = first; i < first + count;) {
    // A run of elements: they share one scale, or they lie side by side on the axes after the quantised one and have a scale
    // each.
    const std::size_t place = i / behind % length;
    const std::size_t parameter = (i / behind / length * blocks + place / block) * behind + i % behind;
    const std::size_t in_block = std::min((place / block + 1) * block, length) - place;
    const std::size_t some = std::min(behind == 1 ? in_block : behind - i % behind, first + count - i);
    const std::size_t step = behind == 1 ? 0 : 1;
    for (std::size_t k = 0; k < some; ++k, ++i) {
      const std::size_t bit = i * bits;
      const std::size_t code = std::to_integer<std::size_t>(data[bit / 8]) >> (bit % 8) & mask;
      const std::size_t at = parameter + k * step;
      *to++ = (numbers[code] - (zeros != nullptr ? zeros[at] : zero)) * scales[at];
    }
  }
}

}  // namespace broadloom
