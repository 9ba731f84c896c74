#include "onnx/reader_context.h"

#include <algorithm>

#include "ops/operators.h"

namespace broadloom {

std::string_view function_key(Arena& arena, std::string_view domain, std::string_view name, std::string_view overload) {
  if (is_default_domain(domain)) domain = {};
  // UTF-8 never contains this byte.
  constexpr char between = '\xFF';
  const std::span<char> key = arena.make_list<char>(domain.size() + name.size() + overload.size() + 2);
  char* end = std::copy(domain.begin(), domain.end(), key.data());
  *end++ = between;
  end = std::copy(name.begin(), name.end(), end);
  *end++ = between;
  std::copy(overload.begin(), overload.end(), end);
  return {key.data(), key.size()};
}

}  // namespace broadloom
