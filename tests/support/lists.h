// Dims and spans as vectors, which GoogleTest can compare and print.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout.h"

namespace broadloom::test {

using List = std::vector<std::int64_t>;

inline List list(const Dims& dims) { return {dims.begin(), dims.end()}; }

inline Dims dims_of(const List& values) { return Dims(std::span<const std::int64_t>(values)); }

}  // namespace broadloom::test
