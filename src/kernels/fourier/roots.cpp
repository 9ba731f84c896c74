#include "kernels/fourier/roots.h"

#include <algorithm>
#include <numbers>

#include "kernels/elementwise/functions.h"

namespace broadloom::fourier {
namespace {

// An angle is folded to an eighth of a turn: so the roots have the symmetry of the circle.
template <class T>
void write(T* to, std::size_t first, std::size_t count, std::uint64_t length, Series series) {
  const bool is_chirp = series == Series::chirp;
  double angles[block_items];
  double sines[block_items];
  double cosines[block_items];
  std::uint8_t eighths[block_items];
  const std::uint64_t turn = is_chirp ? 2 * length : length;
  const double scale = std::numbers::pi / 4 / static_cast<double>(turn);
  for (std::size_t done = 0; done < count; done += block_items) {
    const std::size_t part = std::min(block_items, count - done);
    for (std::size_t i = 0; i < part; ++i) {
      const std::uint64_t k = first + done + i;
      const std::uint64_t place = 8 * ((is_chirp ? k * k : k) % turn);
      const std::uint64_t eighth = place / turn;
      const std::uint64_t rest = place % turn;
      angles[i] = static_cast<double>(eighth % 2 == 0 ? rest : turn - rest) * scale;
      eighths[i] = static_cast<std::uint8_t>(eighth);
    }
    const auto* const from = reinterpret_cast<const std::byte*>(angles);
    functions::sin.of_double(reinterpret_cast<std::byte*>(sines), &from, part);
    functions::cos.of_double(reinterpret_cast<std::byte*>(cosines), &from, part);
    for (std::size_t i = 0; i < part; ++i, to += 2) {
      const unsigned eighth = eighths[i];
      if (((eighth + 1) & 2U) != 0) std::swap(sines[i], cosines[i]);
      to[0] = static_cast<T>(((eighth + 2) & 4U) != 0 ? -cosines[i] : cosines[i]);
      to[1] = static_cast<T>(eighth < 4 ? -sines[i] : sines[i]);
    }
  }
}

}  // namespace

void write_roots(float* to, std::size_t first, std::size_t count, std::uint64_t length, Series series) {
  write(to, first, count, length, series);
}
void write_roots(double* to, std::size_t first, std::size_t count, std::uint64_t length, Series series) {
  write(to, first, count, length, series);
}

}  // namespace broadloom::fourier
