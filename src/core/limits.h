// Limits of what files and calls may ask for, for users who read files of strangers. js/src/limits.ts describes them to users.
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

// Those of the runtime.
inline constinit Limits limits;

// Sets a limit by its name. Fails for a number that is not positive, and for a nesting above the default: the stack of the wasm
// module has no room for more.
Status set_limit(std::string_view name, double value);

// The error of a file with more bytes than limits.bytes, if it is one.
Status check_file_bytes(double bytes);

// The time of one call from JavaScript. The work of a call asks between its parts whether the time is over. Reading a clock
// takes 50 ns, so it is only read after about a million steps, each of a nanosecond or so.
//
// A kernel that learns that the time is over returns at once, with elements missing. So whoever had it compute must call
// `check` before it uses them.
class Watch {
 public:
  // Each call has the whole time. It begins when the clock is first read.
  static void start() {
    left_ = steps_between_looks;
    state_ = State::begins;
  }
  // Takes note of steps. Returns whether the time is over.
  static bool is_over(double steps) {
    left_ -= steps;
    return left_ < 0 && look();
  }
  // Fails when the time is over.
  static Status check(double steps = 1) { return is_over(steps) ? Status(over()) : Status(); }

  // Fails when somebody has learned that the time is over.
  static Status check_result() { return state_ == State::is_over ? Status(over()) : Status(); }

  // Sets the function that tells the time in milliseconds. Without one, the time is never over.
  static void set_clock(double (*clock)()) { clock_ = clock; }

  // The steps of a node besides those of its kernel.
  static constexpr double of_node = 500;

 private:
  static constexpr double steps_between_looks = 1 << 20;
  [[gnu::cold, gnu::noinline]] static bool look();
  [[gnu::cold, gnu::noinline]] static Failure over();

  static double left_;
  static double begin_;  // milliseconds
  enum class State : std::uint8_t { begins, runs, is_over };
  static State state_;
  static double (*clock_)();
};

}  // namespace broadloom
