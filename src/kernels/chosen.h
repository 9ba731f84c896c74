// The element types that a module takes, and the loops that it has. This header allows all of them. For a module of chosen
// operators, tools/build/build-for.mjs writes another header of this name, and compiles the files that include it again.
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
