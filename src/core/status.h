// Errors as values. Nothing in the core throws: a function that can fail returns a Result, and the TypeScript wrapper
// turns an Error into an OnnxError.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "core/text.h"

namespace broadloom {

// The order is that of the list in js/src/error.ts.
enum class Code : std::uint8_t {
  InvalidArgument,
  UnsupportedType,
  UnknownOperator,
  InvalidModel,
  OutOfMemory,
};

// What went wrong, with the values; and, once known, in which operator, opset and model node.
struct ErrorDetails {
  Code code = Code::InvalidArgument;
  Text message;
  Text op;  // operator name, or empty
  std::int64_t opset = 0;
  Text node;  // name of the model's node, or empty
};

// An error that is on its way to the caller. There is one at a time: the runtime has one thread, and nobody causes an
// error while another is on its way. So the details stand in one place, static, and the value itself is empty: an error
// needs no memory, a Result without one costs nothing, and call sites stay small.
class Error {
 public:
  ErrorDetails* operator->() const { return &details; }

 private:
  static ErrorDetails details;
};

template <class T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

// A Result<void> that fits into a register: most functions return one.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(const Failure&) : failed_(true) {}
  explicit operator bool() const { return !failed_; }
  Error error() const { return {}; }

 private:
  bool failed_ = false;
};

// Starts a new error; the details of the one before are gone.
[[gnu::cold]] Error format_error(Code code, const char* pattern, std::span<const Part> parts);

// An error whose message is `pattern` with each {} replaced by the next value.
template <class... Values>
[[gnu::always_inline]] inline Error make_error(Code code, const char* pattern, const Values&... values) {
  return format_error(code, pattern, parts_of(values...));
}

template <class... Values>
[[gnu::always_inline]] inline Failure fail(Code code, const char* pattern, const Values&... values) {
  return Failure(make_error(code, pattern, values...));
}

// Returns from the calling function with the error of `expression`, if it has one.
#define BROADLOOM_CHECK(expression)                                                             \
  do {                                                                                          \
    if (auto checked_ = (expression); !checked_) return ::broadloom::Failure(checked_.error()); \
  } while (false)

// Declares `variable` with the value of `expression`, or returns its error.
#define BROADLOOM_TRY(variable, expression)                                       \
  auto variable##_result = (expression);                                          \
  if (!variable##_result) return ::broadloom::Failure(variable##_result.error()); \
  auto& variable = *variable##_result

}  // namespace broadloom
