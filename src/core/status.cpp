#include "core/status.h"

namespace broadloom {

constinit ErrorDetails Error::details;

Error format_error(Code code, const char* pattern, std::span<const Part> parts) {
  const Error error;
  error->code = code;
  error->opset = 0;
  error->op.clear();
  error->node.clear();
  error->message.clear();
  error->message.append_parts(pattern, parts);
  return error;
}

}  // namespace broadloom
