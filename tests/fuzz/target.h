// Fuzz targets: each is a function of bytes, which expects (with GoogleTest's EXPECT_...) what must hold for any bytes.
// Natively a target is a program of libFuzzer; in wasm, all targets are one program that reads files (replay.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace broadloom::fuzz {

using Target = void (*)(std::string_view bytes);

// Runs a target on a copy of exactly this size, so that sanitizers detect a read past it. Ends the program after a failed
// expectation, or if tensors are left over.
void run(Target target, const std::uint8_t* data, std::size_t size);

// Counts an outcome. The counts are printed at the end: changed files must lead to all outcomes, or a target checks too little.
void note(const char* outcome);

#if defined(__EMSCRIPTEN__)
// Makes the target known to replay.cpp.
struct Registered {
  Registered(const char* name, Target target);
};
#define BROADLOOM_FUZZ_TARGET(name, function) \
  const ::broadloom::fuzz::Registered registered_##function(name, ::broadloom::fuzz::function)
#else
#define BROADLOOM_FUZZ_TARGET(name, function)                                         \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    ::broadloom::fuzz::run(::broadloom::fuzz::function, data, size);                  \
    return 0;                                                                         \
  }                                                                                   \
  static_assert(true)
#endif

}  // namespace broadloom::fuzz
