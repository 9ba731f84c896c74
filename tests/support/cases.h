// The number of random cases of a test. BROADLOOM_FUZZ_CASES sets it, as `npm run test:deep` does.
#pragma once

#include <cstdlib>

namespace broadloom::test {

inline int cases() {
  const char* given = std::getenv("BROADLOOM_FUZZ_CASES");
  return given != nullptr ? std::atoi(given) : 500;
}

// Whether a test tries everything.
inline bool is_deep() { return cases() >= 50000; }

// The number of random rounds in this run: all, or a third in a short run.
inline int rounds(int all) { return is_deep() ? all : (all + 2) / 3; }

}  // namespace broadloom::test
