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

// `result` may be a Result or a Status.
template <class Outcome>
testing::AssertionResult succeeds(const Outcome& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "error: " << result.error()->message.view();
}

// Whether `result` is an error with this code and with `part` in its message. Forgets the error, so the test may make others.
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

// Expects a step of a test to succeed.
inline void must(Status status) {
  if (status) return;
  std::fprintf(stderr, "a step that tests rely on failed: %s\n", std::string(status.error()->message.view()).c_str());
  std::abort();
}

// Expects success, and returns the value.
template <class T>
T must(Result<T> result) {
  must(result ? Status() : Status(Failure(result.error())));
  return std::move(*result);
}

}  // namespace broadloom::test
