#include "faults.h"

#include <cstdlib>

namespace broadloom::faults {

// In wasm, where there is no environment, this number is found in the module's bytes and replaced.
volatile int active = 0x5EEDFA17;

volatile unsigned char reached[most];

#if !defined(__wasm__)
namespace {

[[maybe_unused]] const bool is_set = [] {
  const char* given = std::getenv("BROADLOOM_FAULT");
  active = given == nullptr ? 0 : std::atoi(given);
  return true;
}();

}  // namespace
#endif

}  // namespace broadloom::faults
