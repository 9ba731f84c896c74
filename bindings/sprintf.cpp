// embind names types that nobody registered by their address, with sprintf("%p"), and would bring all of printf along: 2.4 kB
// of the download. This is the one conversion that it needs. The linker takes it before the C library's.
#include <cstdarg>
#include <cstdint>

namespace {

int print_address(char* to, va_list arguments) {
  auto rest = reinterpret_cast<std::uintptr_t>(va_arg(arguments, void*));
  constexpr int digits = 2 * sizeof rest;
  for (int i = digits; i-- > 0; rest >>= 4U) to[i] = "0123456789abcdef"[rest & 15U];
  to[digits] = '\0';
  return digits;
}

}  // namespace

extern "C" int sprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print_address(to, arguments);
  va_end(arguments);
  return length;
}

// Emscripten calls it where no floating-point number is printed.
extern "C" int siprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print_address(to, arguments);
  va_end(arguments);
  return length;
}
