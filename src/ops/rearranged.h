// Results that are a layout of an input with more axes than they have: axes split, put in another order or repeated, and
// merged.
#pragma once

#include "ops/arguments.h"

namespace broadloom {

// Sets the first output to the elements that `layout` finds of the first input, under `dims`, where strides can say so; else to
// its dims, and compute materializes the layout.
Status set_rearranged(Call& call, const Layout& layout, const Dims& dims);

}  // namespace broadloom
