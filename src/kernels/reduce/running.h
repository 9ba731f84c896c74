// Running sums and products.
#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "core/status.h"
#include "kernels/base/rows.h"

namespace broadloom {

struct RunningForm {
  bool is_product;
  bool is_exclusive;  // each result excludes its own element: the first one is 0 or 1
  bool is_reverse;    // from the last element to the first
};

// Writes the running sum or product of each row. float32 is accumulated in float64; integers of 32 and 64 bits wrap around;
// float64 is taken, too. `to` may be `from`.
Status run_along(const RunningForm& running, Dtype dtype, std::byte* to, const std::byte* from, const RowsOf& rows);

}  // namespace broadloom
