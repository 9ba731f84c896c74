// Expectations about Results, with the error's text in the report.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/status.h"

namespace broadloom::test {

// `result` is a Result or a Status.
template <class Outcome>
testing::AssertionResult succeeds(const Outcome& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "error: " << result.error()->message.view();
}

// Whether `result` is an error with this code, whose message contains `part`. The test may make other errors then.
template <class Outcome>
testing::AssertionResult fails(const Outcome& result, Code code, std::string_view part = "") {
  if (result) return testing::AssertionFailure() << "it succeeded";
  const ErrorDetails& details = *result.error().operator->();
  Error::forget();
  const std::string_view message = details.message.view();
  if (details.code != code) {
    return testing::AssertionFailure() << "code " << static_cast<int>(details.code) << ", wanted " << static_cast<int>(code)
                                       << ": " << message;
  }
  if (message.empty()) return testing::AssertionFailure() << "the message is empty";
  if (message.find(part) == std::string_view::npos) {
    return testing::AssertionFailure() << "the message does not say '" << part << "': " << message;
  }
  return testing::AssertionSuccess();
}

// A step that a test takes for granted.
inline void must(Status status) {
  if (status) return;
  std::fprintf(stderr, "a step that tests rely on failed: %s\n", std::string(status.error()->message.view()).c_str());
  std::abort();
}

// Its value.
template <class T>
T must(Result<T> result) {
  must(result ? Status() : Status(Failure(result.error())));
  return std::move(*result);
}

}  // namespace broadloom::test
