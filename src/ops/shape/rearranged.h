// Results that are layouts of an input with more axes than the result: axes are split, permuted or repeated, and
// then merged.
#pragma once

#include "ops/call/arguments.h"

namespace broadloom {

// Sets the first output to a view of the first input with `layout`, merged to `dims`, if strides can describe it. Otherwise
// sets only its dims: compute then materializes the layout.
Status set_rearranged(Call& call, const Layout& layout, const SymbolicDims& dims);

}  // namespace broadloom
