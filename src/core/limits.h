// Limits of what files and calls may ask for, for users who read files of strangers.
// js/src/runtime/limits.ts describes them to users.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/status.h"

namespace broadloom {

struct Limits {
  // The memory is the limit.
  static constexpr double none = std::numeric_limits<double>::infinity();

  double bytes = none;          // of a file, and of the elements of a tensor
  double elements = none;       // of a tensor
  double nodes = 1e6;           // of a model, with those of its subgraphs and of each call of a function
  double nesting = 32;          // of graphs and functions in one another
  double milliseconds = 300e3;  // of a call
};

// The limits of all calls of this runtime.
inline constinit Limits limits;

// Sets a limit by its name. Fails for a number that is not positive, and for a nesting above the default: the stack of the wasm
// module has no room for more.
Status set_limit(std::string_view name, double value);

// Gives an error the name of the limit that was exceeded, with which its message ends.
[[gnu::cold, gnu::noinline]] Failure of_limit(std::string_view limit, const Error& error);

// The error of a call that asks for more than a limit.
template <class... Values>
[[gnu::always_inline]] inline Failure exceeds(std::string_view limit, const char* pattern, const Values&... values) {
  return of_limit(limit, make_error(Code::LimitExceeded, pattern, values...));
}

// The error of a file with more bytes than limits.bytes, if it is one.
Status check_file_bytes(double bytes);

// The time of one call from JavaScript. The work of a call checks between its parts whether the time is over. To read a clock
// takes 50 ns, so it is read only after about a million steps, each of a nanosecond or so.
//
// A check returns a Status, so that a kernel that checks returns one, too: once the time is over, it returns at once, and
// callers cannot take its unfinished elements for a result.
class Watch {
 public:
  // Each call has the whole time. It begins when the clock is first read.
  static void start() {
    left_ = steps_between_looks_;
    state_ = State::begins;
  }
  // Takes note of steps. Fails when the time is over.
  static Status check(double steps = 1) {
    left_ -= steps;
    return left_ < 0 && look() ? Status(over()) : Status();
  }

  // Sets the function that tells the time in milliseconds. Without one, the time is never over. Checks call it once in
  // `steps_between_looks` steps. Tests set 1, so that each check calls it.
  static constexpr double usual_steps = 1 << 20;
  static void set_clock(double (*clock)(), double steps_between_looks = usual_steps) {
    clock_ = clock;
    steps_between_looks_ = steps_between_looks;
  }

  // The steps of a node besides its kernel's steps.
  static constexpr double of_node = 500;

 private:
  [[gnu::cold, gnu::noinline]] static bool look();
  [[gnu::cold, gnu::noinline]] static Failure over();

  static double steps_between_looks_;
  static double left_;
  static double begin_;  // milliseconds
  enum class State : std::uint8_t { begins, runs, is_over };
  static State state_;
  static double (*clock_)();
};

}  // namespace broadloom
