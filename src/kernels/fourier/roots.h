// Roots of unity.
#pragma once

#include <cstddef>
#include <cstdint>

namespace broadloom::fourier {

enum class Series : unsigned char { circle, chirp };

// Writes exp(-2 pi i k / length) for `count` numbers k from `first` on, or for a chirp exp(-pi i k^2 / length): real and
// imaginary parts in turns. They are worked out in double; 1, -1, i and -i are exact. 8 k, 8 length, and for a chirp k^2 are
// below 2^63.
void write_roots(float* to, std::size_t first, std::size_t count, std::uint64_t length, Series series = Series::circle);
void write_roots(double* to, std::size_t first, std::size_t count, std::uint64_t length, Series series = Series::circle);

}  // namespace broadloom::fourier
