// Positions of marks, one in each row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/base/rows.h"

namespace broadloom {

// Writes the index of the first or the last true element of each row of bools. Returns false if a row
// has no true element; `to` is then unspecified.
bool find_marks(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last);

// Writes rows of a floating-point type: 1 at the row's index in `numbers`, and 0 elsewhere.
void write_marks(std::byte* to, Dtype dtype, const std::int64_t* numbers, const RowsOf& rows);

}  // namespace broadloom
