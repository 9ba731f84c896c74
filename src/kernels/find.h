// Where marks are: one in each row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "kernels/rows.h"

namespace broadloom {

// For each row of bools: the number of the first that is true, or of the last. False, with nothing said of where, when a row
// has none.
bool find_marks(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last);

// Writes rows of a floating-point type: 1 at the place whose number is given for the row, else 0.
void write_marks(std::byte* to, Dtype dtype, const std::int64_t* numbers, const RowsOf& rows);

}  // namespace broadloom
