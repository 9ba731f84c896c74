// The functions of functions.inc. Arguments and results beyond a number or two pass through the page (frame.h): the comment of
// each definition tells what it reads -> what it writes. A function that can fail returns the page's address, or its negative
// when the page holds an error.
#pragma once

// The host's clock, in milliseconds: an import of the module (js/src/runtime/load.ts).
extern "C" double hostMilliseconds();

namespace broadloom {

#define FUNCTION(part, result, name, parameters) result name parameters;
#include "functions.inc"
#undef FUNCTION

}  // namespace broadloom
