// Lets allocations of the core fail, one after the other: so each path that an error of memory takes is walked.
#pragma once

#include <cstddef>

#include "core/status.h"

namespace broadloom::test {

// While it lives, the core's malloc fails: the call with number `first` (from 1), and, if `all`, each later one. The linker
// redirects that malloc (memory_limit_test.cpp).
class FailingAllocations {
 public:
  FailingAllocations(std::size_t first, bool all) {
    calls_ = 0;
    first_ = first;
    all_ = all;
  }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations() { first_ = 0; }

  static constexpr Code code = Code::OutOfMemory;
  static constexpr bool ways[] = {false, true};

  // Whether a call has failed.
  static bool has_failed() { return calls_ >= first_; }

  static bool refuses() { return first_ != 0 && ++calls_ >= first_ && (all_ || calls_ == first_); }

 private:
  static inline std::size_t calls_ = 0;
  static inline std::size_t first_ = 0;
  static inline bool all_ = false;
};

}  // namespace broadloom::test
