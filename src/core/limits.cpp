#include "core/limits.h"

namespace broadloom {
namespace {

constexpr double most_nesting = Limits().nesting;

struct NamedLimit {
  std::string_view name;
  double Limits::*value;
};

constexpr NamedLimit named_limits[] = {{"bytes", &Limits::bytes},
                                       {"elements", &Limits::elements},
                                       {"nodes", &Limits::nodes},
                                       {"nesting", &Limits::nesting},
                                       {"milliseconds", &Limits::milliseconds}};

}  // namespace

Status set_limit(std::string_view name, double value) {
  for (const NamedLimit& one : named_limits) {
    if (one.name != name) continue;
    if (!(value > 0)) return fail(Code::InvalidArgument, "limits.{} is {}, wanted a number above 0", name, value);
    if (one.value == &Limits::nesting && value > most_nesting) {
      return fail(Code::InvalidArgument, "limits.nesting is {}, wanted at most {}", value, most_nesting);
    }
    limits.*one.value = value;
    return {};
  }
  return fail(Code::InvalidArgument, "no limit {}", quoted(name));
}

Failure of_limit(std::string_view limit, const Error& error) {
  error->message.append(" (limits.{})", limit);
  error->limit = limit;
  return Failure(error);
}

Status check_file_bytes(double bytes) {
  if (bytes <= limits.bytes) return {};
  return exceeds("bytes", "the file has {} bytes, more than {}", bytes, limits.bytes);
}

double Watch::steps_between_looks_ = Watch::usual_steps;
double Watch::left_ = Watch::usual_steps;
double Watch::begin_ = 0;
Watch::State Watch::state_ = State::begins;
double (*Watch::clock_)() = nullptr;

bool Watch::look() {
  if (state_ == State::is_over) return true;
  if (clock_ == nullptr || limits.milliseconds == Limits::none) {
    left_ = Limits::none;
    return false;
  }
  const double now = clock_();
  if (state_ == State::begins) begin_ = now;
  const bool is_over = now - begin_ >= limits.milliseconds;
  state_ = is_over ? State::is_over : State::runs;
  left_ = is_over ? -1 : steps_between_looks_;  // after the end, each question comes here
  return is_over;
}

Failure Watch::over() { return exceeds("milliseconds", "the call took more than {} ms", limits.milliseconds); }

}  // namespace broadloom
