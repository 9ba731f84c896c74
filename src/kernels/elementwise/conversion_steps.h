// Conversions by one to four consecutive vector loops. Used by convert.cpp only.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/bits.h"
#include "core/mini_float.h"
#include "kernels/elementwise/convert.h"

namespace broadloom {

inline bool is_real(Dtype dtype) {
  return info(dtype).kind == DtypeKind::real_float || info(dtype).kind == DtypeKind::mini_float;
}

// The bits of the nearest float32. A NaN keeps its highest bits.
inline std::uint32_t float_bits(double value) {
  return std::isnan(value) ? float32_format.nan(value) : bits_as<std::uint32_t>(static_cast<float>(value));
}

// A number as an element of another type. Integers are truncated; a number out of range becomes the least integer.
template <class To, class From>
To element_as(From value) {
  if constexpr (std::is_floating_point_v<From>) {
    constexpr From limit = -static_cast<From>(std::numeric_limits<To>::min());
    const bool fits = value >= -limit && value < limit;
    return fits ? static_cast<To>(value) : std::numeric_limits<To>::min();
  } else {
    return static_cast<To>(value);
  }
}

// The loops from one type to another.
class ConversionSteps {
 public:
  // Empty if these loops would round differently than `convert`.
  ConversionSteps(Dtype to, Dtype from);
  bool exist() const { return way_.exists; }
  const Conversion& way() const { return way_; }

  // Converts `count` elements. The places do not overlap.
  void run(std::byte* to, const std::byte* from, std::size_t count) const;

 private:
  void add(InnerLoop loop) {
    if (loop != nullptr) way_.loops[way_.count++] = loop;
  }
  bool add_bools(Dtype from);
  bool add_from_double(Dtype to);
  bool add_between(Dtype to, Dtype from);

  Conversion way_;
  std::size_t from_size_;
  std::size_t to_size_;
};

}  // namespace broadloom
