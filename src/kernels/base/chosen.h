// The element types that a module takes, and the loops that it has: all of them, or, in a module of chosen operators, those
// that tools/build/build-for.mjs has written. Only files that are compiled for the module again include it.
#pragma once

#ifdef BROADLOOM_CHOSEN
#include "kernels/chosen_kernels.h"
#else

#include "core/dtype.h"
#include "kernels/elementwise/loops.h"

namespace broadloom::chosen {

constexpr bool has_all_types = true;
constexpr bool has_type(Dtype /*dtype*/) { return true; }
constexpr bool has_loop(Operation /*operation*/, Dtype /*dtype*/) { return true; }
// Whether tensors have other layouts than dense ones and broadcasts: transposes, slices, reversals.
constexpr bool has_other_layouts = true;
// Whether there is the reduction of many elements to one.
constexpr bool has_fold(Operation /*operation*/, Dtype /*dtype*/) { return true; }

}  // namespace broadloom::chosen

#endif
