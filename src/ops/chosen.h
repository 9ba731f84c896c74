// The operators and parts of a module: all of them, or, in a module of chosen operators, those that tools/build/build-for.mjs
// has written. Only files that are compiled for the module again include it.
#pragma once

#ifdef BROADLOOM_CHOSEN
#include "ops/chosen_operators.h"
#else

#include <string_view>

namespace broadloom::chosen {

constexpr bool has_all_operators = true;
constexpr bool has_operator(std::string_view /*domain*/, std::string_view /*name*/) { return true; }

// Parts of the bindings.
constexpr bool models = true;    // files of tensors and models, runs
constexpr bool describe = true;  // nodes, attributes and initializers of models
constexpr bool simplify = true;
constexpr bool images = true;
constexpr bool sound = true;

}  // namespace broadloom::chosen

#endif
