#include "kernels/sampling/regions.h"

#include <cmath>
#include <utility>

#include "core/limits.h"

namespace broadloom {

namespace {

// The products between questions of the time.
constexpr std::size_t products_at_once = std::size_t{1} << 16;

}  // namespace

template <class T>
Status pool_region(T* to, const T* plane, std::size_t width, std::span<const RegionBin> rows,
                   std::span<const RegionBin> columns, bool is_max, double divisor) {
  std::size_t products = 0;
  for (const RegionBin& row : rows) {
    for (const RegionBin& column : columns) {
      const bool has_taps = !row.taps.empty() && !column.taps.empty();
      double sum = is_max && has_taps && !row.has_zero && !column.has_zero ? -HUGE_VAL : 0;
      products += 1 + column.taps.size();
      for (const RegionTap& y : row.taps) {
        products += column.taps.size();
        if (products >= products_at_once) BROADLOOM_CHECK(Watch::check(static_cast<double>(std::exchange(products, 0))));
        const T* elements = plane + y.index * width;
        if (is_max) {
          for (const RegionTap& x : column.taps) {
            const double product = static_cast<double>(elements[x.index]) * (y.weight * x.weight);
            sum = product > sum ? product : sum;
          }
        } else {
          double part = 0;
          for (const RegionTap& x : column.taps) part += static_cast<double>(elements[x.index]) * x.weight;
          sum += part * y.weight;
        }
      }
      *to++ = static_cast<T>(is_max ? sum : sum / divisor);
    }
  }
  return Watch::check(static_cast<double>(products));
}

template Status pool_region<float>(float*, const float*, std::size_t, std::span<const RegionBin>, std::span<const RegionBin>,
                                   bool, double);
template Status pool_region<double>(double*, const double*, std::size_t, std::span<const RegionBin>, std::span<const RegionBin>,
                                    bool, double);

}  // namespace broadloom
