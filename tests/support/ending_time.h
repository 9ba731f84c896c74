// Lets the time of a call be over at each question, one after the other: so each kernel that asks stops at each of its places.
#pragma once

#include <cstddef>

#include "core/limits.h"

namespace broadloom::test {

// While it lives, each check reads the clock. The first reading begins the time, which is over after reading number `last`,
// from 1 on.
class EndingTime {
 public:
  explicit EndingTime(std::size_t last, bool = true) {
    readings_ = 0;
    last_ = last;
    limits.milliseconds = 1;
    Watch::set_clock(
        [] {
          ++readings_;
          return has_failed() ? 2.0 : 0.0;
        },
        0);
    Watch::start();
  }
  EndingTime(const EndingTime&) = delete;
  EndingTime& operator=(const EndingTime&) = delete;
  ~EndingTime() {
    limits = {};
    Watch::set_clock(nullptr);
    Watch::start();
  }

  static constexpr Code code = Code::LimitExceeded;
  static constexpr bool ways[] = {true};

  // Whether the time is over.
  static bool has_failed() { return readings_ > last_; }

 private:
  static inline std::size_t readings_ = 0;
  static inline std::size_t last_ = 0;
};

}  // namespace broadloom::test
