// Windows for spectra, and bands of frequencies on the Mel scale.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/status.h"

namespace broadloom {

// Writes constant - first cos(2 pi k / period) + second cos(4 pi k / period) for `count` numbers k. They are rounded once.
struct CosineWindow {
  double constant;
  double first;
  double second;
};
Status write_window(std::byte* to, Dtype dtype, std::size_t count, std::uint64_t period, const CosineWindow& window);

// Triangles of `bands` bands with equal steps on the Mel scale between two frequencies.
class MelBands {
 public:
  MelBands(std::int64_t bands, std::int64_t length, std::int64_t sample_rate, double lower, double upper);
  // The row of the spectrum at corner i, from 0 to bands + 1, rounded down. Corner i is the lower end of band i.
  double corner(std::int64_t i) const;
  // Writes the weights of `rows` frequencies, dense. A row has a weight for each band. All corners from 0 to bands are numbers
  // of rows, and the last one is `rows` at most.
  Status write(std::byte* to, Dtype dtype, std::int64_t rows) const;

 private:
  std::int64_t bands_;
  double first_;
  double step_;
  double scale_;
  double sample_rate_;
};

}  // namespace broadloom
