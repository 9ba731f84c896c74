#include "media/option_checks.h"

#include <cmath>

namespace broadloom {

Status check_rate(const char* name, double rate) {
  if (rate > 0 && std::isfinite(rate)) return {};
  return fail(Code::InvalidArgument, "'{}' is {}, wanted a rate above 0 in samples per second", name, rate);
}

Status check_integer(const char* name, double value, double least, double most) {
  if (value >= least && value <= most && value == std::floor(value)) return {};
  return fail(Code::InvalidArgument, "'{}' is {}, wanted an integer from {} to {}", name, value, least, most);
}

Status check_finite(const char* name, double value) {
  if (std::isfinite(value)) return {};
  return fail(Code::InvalidArgument, "'{}' is {}, wanted a finite number", name, value);
}

}  // namespace broadloom
