// Checks of numbers that users give as options of sounds.
#pragma once

#include "core/status.h"

namespace broadloom {

// The most samples of a transform, and the most bins.
inline constexpr double most_transform = 1 << 20;

Status check_rate(const char* name, double rate);
Status check_integer(const char* name, double value, double least, double most);
Status check_finite(const char* name, double value);

}  // namespace broadloom
