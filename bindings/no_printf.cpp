// embind names types that nobody registered by their address, with sprintf("%p"), and would bring all of printf along:
// 2.5 kB of the download (gzip). This is the one conversion it needs. The linker takes it before the C library's.
#include <cstdarg>
#include <cstdint>

namespace {

int print_address(char* to, const void* address) {
  auto rest = reinterpret_cast<std::uintptr_t>(address);
  char* const start = to;
  for (int shift = 28; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[rest >> shift & 15U];
  *to = '\0';
  return static_cast<int>(to - start);
}

}  // namespace

extern "C" int sprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print_address(to, va_arg(arguments, void*));
  va_end(arguments);
  return length;
}

// What Emscripten calls when no floating-point number is printed.
extern "C" int siprintf(char* to, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = print_address(to, va_arg(arguments, void*));
  va_end(arguments);
  return length;
}
