// What JavaScript can call: plain wasm exports over numbers, named as js/src/glue.ts names them. Arguments and results
// beyond a number or two pass through the page (frame.h). An export that can fail returns the page's address, or its
// negative when the page holds an error. Natively they are plain C functions, for benchmarks.
#pragma once

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#define BROADLOOM_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE
#else
#define BROADLOOM_EXPORT extern "C"
#endif
