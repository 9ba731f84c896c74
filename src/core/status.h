// Errors as values. Nothing in the core throws: a function that can fail returns a Result, and the TypeScript wrapper
// turns an Error into an OnnxError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "core/crossing.h"
#include "core/text.h"

namespace broadloom {

// The error's code and message; and, once known, the operator, opset and model node.
struct ErrorDetails {
  Code code = Code::InvalidArgument;
  Text message;
  Text op;  // operator name, or empty
  std::int64_t opset = 0;
  Text node;               // name of the model's node, or empty
  std::string_view limit;  // its name in Limits, where a limit is exceeded, or empty
  // ONNX forbids the call. If not set, other runtimes may run it, so the error proves nothing about a model.
  bool is_impossible = false;
};

// An error that is being returned to the caller. Only one exists at a time: the runtime has one thread, and no code makes an
// error while another one is alive. So the details are in one static object, and the value itself is empty: an error
// needs no memory, a Result without an error costs nothing, and call sites stay small.
//
// Debug builds count the values that hold the error. Making another error while one is left ends the program,
// because the details of the first would be lost. Code that handles an error must destroy its values first, or
// call `forget`.
class Error {
 public:
  ErrorDetails* operator->() const { return &details; }
#ifdef NDEBUG
  static void forget() {}
#else
  Error() noexcept { ++alive; }
  Error(const Error& other) noexcept : number_(other.number_) { alive += counts(); }
  Error& operator=(const Error& other) noexcept {
    alive -= counts();
    number_ = other.number_;
    alive += counts();
    return *this;
  }
  ~Error() { alive -= counts(); }
  static void forget();
#endif

 private:
  friend Error format_error(Code code, const char* pattern, std::span<const Part> parts);
  static ErrorDetails details;
#ifndef NDEBUG
  int counts() const { return number_ == current ? 1 : 0; }
  static int current;  // the number of the last error
  static int alive;    // the number of values that hold it
  int number_ = current;
#endif
};

// Whether there is an error, in one bool.
#ifdef NDEBUG
class ErrorFlag {
 public:
  ErrorFlag() = default;
  ErrorFlag(Error) : is_set_(true) {}
  explicit operator bool() const { return is_set_; }

 private:
  bool is_set_ = false;
};
#else
using ErrorFlag = std::optional<Error>;
#endif

template <class T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

// A Result<void> that fits into a register: most functions return one.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(const Failure& failure) : failed_(failure.value()) {}
  explicit operator bool() const { return !failed_; }
  Error error() const { return {}; }

 private:
  ErrorFlag failed_;
};

// Starts a new error. The details of the previous one are lost.
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

// An INVALID_ARGUMENT that no implementation of ONNX can run.
template <class... Values>
[[gnu::always_inline]] inline Failure impossible(const char* pattern, const Values&... values) {
  const Error error = make_error(Code::InvalidArgument, pattern, values...);
  error->is_impossible = true;
  return Failure(error);
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
