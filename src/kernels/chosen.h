// The element types that a module takes, and the loops that it has: all of them. tools/build-for.mjs writes another header of
// this name for a module of chosen operators, and compiles the files that include it once more.
#pragma once

#include "core/dtype.h"
#include "kernels/loops.h"

namespace broadloom::chosen {

constexpr bool has_all_types = true;
constexpr bool has_type(Dtype /*dtype*/) { return true; }
constexpr bool has_loop(Operation /*operation*/, Dtype /*dtype*/) { return true; }
// Whether there is the reduction of many elements to one.
constexpr bool has_fold(Operation /*operation*/, Dtype /*dtype*/) { return true; }

}  // namespace broadloom::chosen
