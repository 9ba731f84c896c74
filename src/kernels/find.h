// Where marks are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/rows.h"

namespace broadloom {

// For each row of bools, of which one at least is true: the number of the first that is, or of the last.
void find_marks(std::int64_t* to, const std::byte* marks, const RowsOf& rows, bool is_last);

}  // namespace broadloom
