// Included before every file of a tree with planted faults (tests/mutation/plant.py): each fault is in the program, and one of
// them is active. So one build has them all.
#pragma once

namespace broadloom::faults {

inline constexpr int most = 4096;

// The number of the active fault; 0 for none. The environment's BROADLOOM_FAULT sets it; in wasm, tests/mutation/run.mjs writes
// it into the module.
extern volatile int active;

// The faults whose code ran: 1 for each.
extern volatile unsigned char reached[most];

// Whether this fault is active.
inline constexpr bool is_active(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  reached[number] = 1;
  return active == number;
}

}  // namespace broadloom::faults
