#include "core/status.h"

#ifndef NDEBUG
#include <cstdio>
#include <cstdlib>
#endif

namespace broadloom {

constinit ErrorDetails Error::details;

#ifndef NDEBUG
constinit int Error::current = 0;
constinit int Error::alive = 0;

void Error::forget() {
  ++current;
  alive = 0;
}
#endif

Error format_error(Code code, const char* pattern, std::span<const Part> parts) {
#ifndef NDEBUG
  if (Error::alive > 0) {
    const std::string_view lost = Error::details.message.view();
    std::fprintf(stderr, "an error is made (%s) while another is on its way: %.*s\n", pattern, static_cast<int>(lost.size()),
                 lost.data());
    std::abort();
  }
  Error::forget();
#endif
  const Error error;
  error->code = code;
  error->opset = 0;
  error->limit = {};
  error->is_impossible = false;
  error->op.clear();
  error->node.clear();
  error->message.clear();
  error->message.append_parts(pattern, parts);
  return error;
}

}  // namespace broadloom
